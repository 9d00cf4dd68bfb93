"""Reading a document node by node: references followed, and every node with its place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import unquote

from toolcast.diagnostics import Diagnostic, Location, Report, Severity
from toolcast.model.document import Document
from toolcast.model.json import Json, JsonObject
from toolcast.model.openapi import Extended
from toolcast.model.pointer import Missing, child, resolve

_LONGEST_CHAIN = 32  # references that refer to references


class Unusable(Exception):
    """An operation needs this node, and nothing can be made of it."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic


@dataclass(frozen=True, slots=True)
class Node:
    """An object of the document, and the reference or pointer that leads to it."""

    value: JsonObject
    at: str  # "#/pointer", or "FILE#/pointer"

    def below(self, *keys: str | int) -> str:
        """The place of a member."""
        return child(self.at, *keys)

    def text(self, key: str) -> str:
        """A member that is text; numbers are taken as they are written, anything else is empty."""
        value = self.value.get(key)
        if isinstance(value, str):
            return value
        return str(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else ""

    def flag(self, key: str, default: bool = False) -> bool:
        """A member that is true or false; the words "true" and "false" count too, as many documents quote them."""
        value = self.value.get(key, default)
        if isinstance(value, str):
            return value.strip().lower() == "true"
        return value if isinstance(value, bool) else default

    def items(self, key: str) -> Iterator[tuple[int, Json]]:
        """The members of a list, with their indexes."""
        value = self.value.get(key)
        if isinstance(value, list):
            yield from enumerate(value)

    def members(self, key: str) -> Iterator[tuple[str, Json]]:
        """The members of a map, without extensions."""
        value = self.value.get(key)
        if isinstance(value, dict):
            yield from ((name, member) for name, member in value.items() if not name.startswith("x-"))

    @property
    def extensions(self) -> dict[str, Json]:
        """The members whose names start with ``x-``."""
        return {key: value for key, value in self.value.items() if key.startswith("x-")}


@dataclass(frozen=True, slots=True)
class Reader:
    """A document that is being read, and the report that its faults go to."""

    document: Document
    report: Report

    def location(self, at: str) -> Location:
        """The place of a node, for messages."""
        file, _, pointer = at.partition("#")
        return Location(file=file or self.document.file, pointer=pointer)

    def extended(self, node: Node) -> Extended:
        """The extensions of a node."""
        return Extended(values=node.extensions, at=self.location(node.at))

    def node(self, value: Json, at: str, what: str) -> Node:
        """The object at a place, references followed (OpenAPI Reference Object); raises ``Unusable``.

        ``summary`` and ``description`` beside the reference take the place of the target's own.
        """
        beside: JsonObject = {}
        for _ in range(_LONGEST_CHAIN):
            if not isinstance(value, dict):
                raise Unusable(
                    self.fault(
                        "TC202",
                        f"{what} should be an object",
                        at,
                        "Write it as a map of its fields.",
                        "error",
                    )
                )
            reference = value.get("$ref")
            if not isinstance(reference, str):
                return Node({**value, **beside} if beside else value, at)
            beside = {k: v for k, v in value.items() if k in ("summary", "description")} | beside
            try:
                value, at = resolve(self.document, reference), unquote(reference)
            except Missing:
                raise Unusable(self.missing(reference, at, what)) from None
        raise Unusable(
            self.fault("TC203", f"{what} refers to itself", at, "Let one of them be the thing itself.", "error")
        )

    def missing(self, reference: str, at: str, what: str) -> Diagnostic:
        """A reference that leads nowhere."""
        file = reference.partition("#")[0]
        if file and file not in self.document.files:
            message = f"{what} refers to {reference!r}, and that file could not be had"
            return self.fault("TC205", message, at, "Put the file there, or allow it to be read.", "error")
        message = f"{what} refers to {reference!r}, and nothing is there"
        return self.fault("TC204", message, at, "Correct the reference, or add what it refers to.", "error")

    def fault(self, code: str, message: str, at: str, cure: str, severity: Severity = "warning") -> Diagnostic:
        """A diagnostic for a node, not yet reported."""
        return Diagnostic(code=code, severity=severity, message=message, location=self.location(at), help=cure)

    def warn(self, code: str, message: str, at: str, cure: str) -> None:
        """Report something that was put up with."""
        self.report.add(self.fault(code, message, at, cure))
