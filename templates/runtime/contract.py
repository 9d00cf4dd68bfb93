"""The contract of a package: its tools as agents see them, read once from ``tools.json``."""

from __future__ import annotations

import hashlib
import importlib.resources
import json
from collections.abc import Mapping
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
    """One tool: its entry in the contract, and its schemas ready to check values."""

    entry: Mapping[str, Any]

    @property
    def name(self) -> str:
        """The tool's name."""
        return self.entry["name"]

    @property
    def input_schema(self) -> Schema:
        """What arguments the tool takes."""
        return self.entry.get("inputSchema", _EMPTY)

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

    def __init__(self, content: bytes, page_bytes: int = PAGE_BYTES) -> None:
        whole: dict[str, list[dict[str, Any]]] = json.loads(content)
        entries = whole["tools"]
        self.tools: Mapping[str, Tool] = {entry["name"]: Tool(entry) for entry in entries}
        self.resources = tuple(whole.get("resources", ()))
        # The tools that resources are read by, which are not listed as tools.
        self.readers: Mapping[str, Tool] = {entry["tool"]["name"]: Tool(entry["tool"]) for entry in self.resources}
        self._digest = hashlib.sha256(content).hexdigest()[:16]
        self._pages = _paged(entries, page_bytes)

    @classmethod
    def read(cls, package: str) -> Contract:
        """The contract in the ``tools.json`` of an importable package."""
        return cls(importlib.resources.files(package).joinpath("tools.json").read_bytes())

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

    def _cursor(self, index: int) -> str:
        # With the digest, a client that pages over a new release is told so instead of missing tools.
        return f"{index}-{self._digest}"


def _paged(entries: list[dict[str, Any]], page_bytes: int) -> list[list[dict[str, Any]]]:
    pages: list[list[dict[str, Any]]] = [[]]
    size = 0
    for entry in entries:
        weight = len(json.dumps(entry, separators=(",", ":"))) + 1
        if pages[-1] and size + weight > page_bytes:
            pages.append([])
            size = 0
        pages[-1].append(entry)
        size += weight
    return pages
