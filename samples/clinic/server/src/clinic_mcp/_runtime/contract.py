"""The contract of a package: its tools as agents see them, read once from ``tools.json``."""

from __future__ import annotations

import hashlib
import importlib.resources
import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from .errors import UnknownTool
from .validator import Schema, Validator

# Clients refuse a server-sent event above 1 MiB; a page stays well below, whatever encloses it.
PAGE_BYTES: Final = 512 * 1024

_EMPTY: Final[Schema] = {"type": "object"}


@dataclass(frozen=True)
class Tool:
    """One tool: its entry in the contract, and its schemas ready to check values; ``group`` where that is known."""

    entry: Mapping[str, Any]
    group: str = ""

    @property
    def name(self) -> str:
        """The tool's name."""
        return str(self.entry["name"])

    @property
    def title(self) -> str:
        """What people read."""
        return str(self.entry.get("title") or self.name)

    @property
    def read_only(self) -> bool:
        """Whether the tool changes nothing."""
        return self.hints.get("readOnlyHint") is True

    @property
    def destructive(self) -> bool:
        """Whether the tool may destroy or overwrite."""
        return not self.read_only and self.hints.get("destructiveHint", True) is not False

    @property
    def idempotent(self) -> bool:
        """Whether a second call with the same arguments changes nothing more."""
        return self.read_only or self.hints.get("idempotentHint") is True

    @property
    def input_schema(self) -> Schema:
        """What arguments the tool takes."""
        schema: Schema = self.entry.get("inputSchema", _EMPTY)
        return schema

    @property
    def hints(self) -> Mapping[str, Any]:
        """The annotations of the tool."""
        return self.entry.get("annotations") or {}

    @property
    def output_schema(self) -> Schema | None:
        """What its structured result looks like, if it has one."""
        return self.entry.get("outputSchema")

    @cached_property
    def arguments(self) -> Validator:
        """The check of its arguments."""
        return Validator(self.input_schema)

    @cached_property
    def structure(self) -> Validator | None:
        """The check of its structured result."""
        return None if self.output_schema is None else Validator(self.output_schema)


class Contract:
    """The tools of a package, by name and in pages, and the entries of its resources."""

    def __init__(
        self,
        tools: Iterable[Tool],
        digest: str,
        page_bytes: int = PAGE_BYTES,
        resources: Iterable[Mapping[str, Any]] = (),
    ) -> None:
        self.tools: Mapping[str, Tool] = {tool.name: tool for tool in tools}
        self.resources = tuple(resources)
        # The tools that resources are read by, which are not listed as tools.
        self.readers: Mapping[str, Tool] = {entry["tool"]["name"]: Tool(entry["tool"]) for entry in self.resources}
        self._digest = digest
        self._page_bytes = page_bytes

    @classmethod
    def read(cls, package: str) -> Contract:
        """The contract in the ``tools.json`` of an importable package."""
        return cls.of(importlib.resources.files(package).joinpath("tools.json").read_bytes())

    @classmethod
    def of(cls, content: bytes, page_bytes: int = PAGE_BYTES) -> Contract:
        """The contract that a ``tools.json`` holds."""
        from pydantic_core import from_json  # which the SDK reads with: twice as fast as the standard library

        whole: Mapping[str, list[Mapping[str, Any]]] = from_json(content)
        return cls(map(Tool, whole["tools"]), _digest(content), page_bytes, whole.get("resources", ()))

    def only(self, names: Collection[str]) -> Contract:
        """The contract with some of its tools, in its order."""
        left = [tool for name, tool in self.tools.items() if name in names]
        digest = _digest("\n".join([self._digest, *(tool.name for tool in left)]).encode())
        return Contract(left, digest, self._page_bytes)

    def instead(self, entries: Iterable[Mapping[str, Any]]) -> Contract:
        """A contract with other tools, which changes when this one does."""
        return Contract(map(Tool, entries), self._digest, self._page_bytes)

    def composed(self, entries: Sequence[Mapping[str, Any]], resources: Sequence[Mapping[str, Any]] = ()) -> Contract:
        """The contract with these entries in place of its own, and cursors that tell them apart."""
        digest = _digest(json.dumps([self._digest, *entries], separators=(",", ":"), default=str).encode())
        return Contract(map(Tool, entries), digest, self._page_bytes, resources)

    def tool(self, name: str) -> Tool:
        """The tool of that name, or of what a resource is read by; raises ``UnknownTool``."""
        found = self.tools.get(name) or self.readers.get(name)
        if found is None:
            raise UnknownTool(name, self.tools)
        return found

    def page(self, cursor: object = None) -> dict[str, Any] | None:
        """A page of tools/list as JSON, the first without a cursor; None when the cursor is not of this contract."""
        index = 0 if cursor is None else self._cursors.get(cursor) if isinstance(cursor, str) else None
        if index is None:
            return None
        page: dict[str, Any] = {"tools": self._pages[index]}
        if index + 1 < len(self._pages):
            page["nextCursor"] = self._cursor(index + 1)
        return page

    @cached_property
    def _cursors(self) -> dict[str, int]:
        return {self._cursor(index): index for index in range(1, len(self._pages))}

    @cached_property
    def _pages(self) -> list[list[Mapping[str, Any]]]:
        return _paged([tool.entry for tool in self.tools.values()], self._page_bytes)

    def _cursor(self, index: int) -> str:
        # With the digest, a client that pages over a new release is told so instead of missing tools.
        return f"{index}-{self._digest}"


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]


def _paged(entries: list[Mapping[str, Any]], page_bytes: int) -> list[list[Mapping[str, Any]]]:
    from pydantic_core import to_json  # which the SDK writes with

    pages: list[list[Mapping[str, Any]]] = [[]]
    size = 0
    for entry in entries:
        weight = len(to_json(entry)) + 1
        if pages[-1] and size + weight > page_bytes:
            pages.append([])
            size = 0
        pages[-1].append(entry)
        size += weight
    return pages
