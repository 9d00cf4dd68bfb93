"""The contract of a package: its tools as agents see them, read once from ``tools.json``."""

from __future__ import annotations

import hashlib
import importlib.resources
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Any, Final

from .errors import RetiredTool, UnknownTool
from .validator import Schema, Validator

# Clients refuse a server-sent event above 1 MiB; a page stays well below, whatever encloses it.
PAGE_BYTES: Final = 512 * 1024

_EMPTY: Final[Schema] = {"type": "object"}
_NONE: Final[Mapping[str, str]] = MappingProxyType({})


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
    """The tools of a package, by name and in pages.

    ``aliases`` maps earlier names of tools to their present ones; ``retired`` maps names that no tool has any more to
    the tool that took its place, or to "". None of them is listed.
    """

    def __init__(
        self,
        content: bytes,
        page_bytes: int = PAGE_BYTES,
        *,
        aliases: Mapping[str, str] = _NONE,
        retired: Mapping[str, str] = _NONE,
    ) -> None:
        entries: list[dict[str, Any]] = json.loads(content)["tools"]
        self.tools: Mapping[str, Tool] = {entry["name"]: Tool(entry) for entry in entries}
        self._aliases = aliases
        self._retired = retired
        self._digest = hashlib.sha256(content).hexdigest()[:16]
        self._pages = _paged(entries, page_bytes)

    @classmethod
    def read(cls, package: str, *, aliases: Mapping[str, str] = _NONE, retired: Mapping[str, str] = _NONE) -> Contract:
        """The contract in the ``tools.json`` of an importable package."""
        content = importlib.resources.files(package).joinpath("tools.json").read_bytes()
        return cls(content, aliases=aliases, retired=retired)

    def find(self, name: str) -> Tool | None:
        """The tool that has or had that name, if it is there."""
        return self.tools.get(self._aliases.get(name, name))

    def tool(self, name: str) -> Tool:
        """The tool that has or had that name; raises ``UnknownTool``, or ``RetiredTool`` for one that is gone."""
        found = self.find(name)
        if found is not None:
            return found
        if name in self._retired:
            raise RetiredTool(name, self._retired[name])
        raise UnknownTool(name, self.tools)

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
