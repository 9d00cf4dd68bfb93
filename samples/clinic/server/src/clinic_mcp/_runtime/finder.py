"""Search mode: three tools in place of a thousand, by which a model finds, reads and calls the others."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from .arguments import check
from .caller import ANYBODY, Caller
from .errors import CallError, UnknownTool
from .search import Index

if TYPE_CHECKING:
    from mcp.types import CallToolResult

    from .contract import Contract
    from .guard import Human
    from .server import Server

_SHOWN: Final = 5
_MOST: Final = 20
_MOST_LISTS: Final = 16  # of different callers, whose tools are kept ready to be searched
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


class SearchMode:
    """The tools of a server behind the three; they see and do for a caller what the server does."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._finders: dict[frozenset[str], Finder] = {}

    def listed(self, caller: Caller = ANYBODY) -> Contract:
        """The three tools, as a caller sees them."""
        return self._finder(caller).contract

    def input_schema(self, name: str) -> Mapping[str, Any] | None:
        """What arguments a tool takes; None when it is not there."""
        tool = self.listed().tools.get(name)
        return self._server.input_schema(name) if tool is None else tool.input_schema

    async def call(self, tool: str, arguments: Mapping[str, Any], *, caller: Caller, human: Human) -> CallToolResult:
        """The result of one of the three; a tool that is called by its own name is called."""
        finder = self._finder(caller)
        own = finder.contract.tools.get(tool)
        if own is None:
            return await self._server.call(tool, arguments, caller=caller, human=human)
        from .answer import failed

        try:
            given: Any = check(own, arguments)
            match tool:
                case "search_tools":
                    return _said(finder.found(given["query"], given.get("limit", _SHOWN)))
                case "describe_tool":
                    return _said(finder.described(self._server.named(given["name"])))
                case _:
                    name = given["name"]
                    if name not in self._server.api.retired:  # of which the server has something to say
                        name = finder.known(self._server.named(name))
                    return await self._server.call(name, given.get("arguments") or {}, caller=caller, human=human)
        except CallError as error:
            return failed(str(error))

    def _finder(self, caller: Caller) -> Finder:
        seen = self._server.listed(caller)
        key = frozenset(seen.tools)
        known = self._finders.get(key)
        if known is None:
            if len(self._finders) >= _MOST_LISTS:
                self._finders.pop(next(iter(self._finders)))
            known = self._finders[key] = Finder(self._server.api.title, seen, self._server.access.groups)
        return known


class Finder:
    """Finds among the tools of one contract."""

    def __init__(self, title: str, tools: Contract, groups: Mapping[str, str]) -> None:
        self._tools = tools
        self._groups = {name: groups.get(name, "") for name in tools.tools}
        self.contract = tools.instead(entries(title, self._groups, len(tools.tools)))

    @cached_property
    def _index(self) -> Index:
        return Index((tool.entry for tool in self._tools.tools.values()), self._groups)

    def found(self, query: str, limit: int) -> dict[str, Any]:
        """The tools for a query, the best first."""
        names = self._index.found(query, limit)
        if not names:
            groups = sorted(set(self._groups.values()))
            return {"tools": [], "note": "No tool has any of these words. Try others.", "groups": groups[:100]}
        return {"tools": [self._summary(name) for name in names]}

    def described(self, name: str) -> dict[str, Any]:
        """All of a tool that a caller needs to know."""
        entry = self._tools.tools[self.known(name)].entry
        return {key: value for key, value in entry.items() if key != "outputSchema"}

    def _summary(self, name: str) -> dict[str, Any]:
        entry = self._tools.tools[name].entry
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

    def known(self, name: str) -> str:
        """The name, if it is that of a tool; raises ``CallError`` that says what to do."""
        if name not in self._tools.tools:
            near = self._index.found(name.replace("_", " "), 3)
            told = f" Did you mean {' or '.join(near)}?" if near else " Look for one with search_tools."
            raise CallError(f"{UnknownTool(name, ())}.{told}")
        return name


def _said(value: dict[str, Any]) -> CallToolResult:
    from mcp.types import CallToolResult, TextContent

    return CallToolResult(content=[TextContent(type="text", text=json.dumps(value, ensure_ascii=False))])
