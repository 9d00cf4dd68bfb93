"""Search mode: three tools in place of a thousand, by which a model finds, reads and calls the others."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from .errors import CallError, UnknownTool
from .search import Index

if TYPE_CHECKING:
    from mcp.types import CallToolResult

    from .contract import Contract

Call: TypeAlias = "Callable[[str, Mapping[str, Any]], Awaitable[CallToolResult]]"

_SHOWN: Final = 5
_MOST: Final = 20
_SENTENCE: Final = 200  # characters of a description in a list of results


def entries(title: str, groups: Mapping[str, str], count: int) -> list[dict[str, Any]]:
    """The three tools, as in a tools/list answer; ``groups`` are the names of the groups that there are."""
    listed = ", ".join(sorted(set(groups.values())))
    about = f"{title} has {count:,} tools" + (f", about: {listed[:400]}" if listed else "")
    names = {"type": "string", "description": "The name of a tool, from search_tools."}
    read = {"readOnlyHint": True, "destructiveHint": False, "idempotentHint": True, "openWorldHint": False}
    return [
        {
            "name": "search_tools",
            "title": "Search tools",
            "description": f"Find the tools for a task. {about}. Then read one with describe_tool before you call it.",
            "inputSchema": {
                "type": "object",
                "properties": {
                    "query": {"type": "string", "minLength": 1, "description": "What to do, in a few plain words."},
                    "limit": {
                        "type": "integer",
                        "minimum": 1,
                        "maximum": _MOST,
                        "description": f"How many to show; {_SHOWN} if left out.",
                    },
                },
                "required": ["query"],
                "additionalProperties": False,
            },
            "annotations": read,
        },
        {
            "name": "describe_tool",
            "title": "Describe a tool",
            "description": "Read a tool's description and the JSON Schema of its arguments.",
            "inputSchema": {
                "type": "object",
                "properties": {"name": names},
                "required": ["name"],
                "additionalProperties": False,
            },
            "annotations": read,
        },
        {
            "name": "call_tool",
            "title": "Call a tool",
            "description": "Call a tool with arguments that its schema accepts. What it does is what that tool does.",
            "inputSchema": {
                "type": "object",
                "properties": {
                    "name": names,
                    "arguments": {
                        "type": "object",
                        "description": "The tool's arguments, as describe_tool shows them.",
                    },
                },
                "required": ["name"],
                "additionalProperties": False,
            },
            # It can be any of the tools, and hints must be honest for the worst of them.
            "annotations": {
                "readOnlyHint": False,
                "destructiveHint": True,
                "idempotentHint": False,
                "openWorldHint": True,
            },
        },
    ]


class Finder:
    """Finds among the tools of one contract."""

    def __init__(self, contract: Contract, groups: Mapping[str, str]) -> None:
        self._contract = contract
        self._groups = groups

    @cached_property
    def _index(self) -> Index:
        return Index((tool.entry for tool in self._contract.tools.values()), self._groups)

    async def call(self, name: str, arguments: Mapping[str, Any], inner: Call) -> CallToolResult:
        """The result of one of the three; ``inner`` calls the tool that call_tool names.

        Raises ``CallError`` where a name is that of no tool.
        """
        match name:
            case "search_tools":
                return _said(self.found(arguments["query"], arguments.get("limit", _SHOWN)))
            case "describe_tool":
                return _said(self.described(arguments["name"]))
            case _:
                self._known(arguments["name"])
                return await inner(arguments["name"], arguments.get("arguments") or {})

    def found(self, query: str, limit: int) -> dict[str, Any]:
        """The tools for a query, the best first."""
        names = self._index.found(query, limit)
        if not names:
            groups = sorted(set(self._groups.values()))
            return {"tools": [], "note": "No tool has any of these words. Try others.", "groups": groups[:100]}
        return {"tools": [self._summary(name) for name in names]}

    def described(self, name: str) -> dict[str, Any]:
        """All of a tool that a caller needs to know."""
        entry = self._contract.tools[self._known(name)].entry
        return {key: value for key, value in entry.items() if key != "outputSchema"}

    def _summary(self, name: str) -> dict[str, Any]:
        entry = self._contract.tools[name].entry
        schema: Mapping[str, Any] = entry.get("inputSchema", {})
        text = " ".join(str(entry.get("description", "")).split())
        hints: Mapping[str, Any] = entry.get("annotations", {})
        kind = "reads" if hints.get("readOnlyHint") else "destroys" if hints.get("destructiveHint", True) else "writes"
        return {
            "name": name,
            "does": text if len(text) <= _SENTENCE else f"{text[: _SENTENCE - 3]}...",
            "kind": kind,
            "required": schema.get("required", []),
        }

    def _known(self, name: str) -> str:
        if name not in self._contract.tools:
            near = self._index.found(name.replace("_", " "), 3)
            told = f" Did you mean {' or '.join(near)}?" if near else " Look for one with search_tools."
            raise CallError(f"{UnknownTool(name, ())}.{told}")
        return name


def _said(value: dict[str, Any]) -> CallToolResult:
    from mcp.types import CallToolResult, TextContent

    return CallToolResult(content=[TextContent(type="text", text=json.dumps(value, ensure_ascii=False))])
