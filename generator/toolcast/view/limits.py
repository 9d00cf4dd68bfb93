"""Which limits of clients a catalog passes; those that the mapping keeps every tool to are no question."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

import orjson

from toolcast.model.catalog import Catalog
from toolcast.model.json import Json, JsonObject
from toolcast.model.limits import LIMITS, Limit


@dataclass(frozen=True, slots=True, kw_only=True)
class Passed:
    """A limit that is passed, and the tools that pass it; none when all together do."""

    limit: Limit
    tools: tuple[str, ...] = ()


def passed(catalog: Catalog, listed: Mapping[str, JsonObject]) -> Iterator[Passed]:
    """The limits that a catalog passes, in the order of the table; ``listed`` is each tool as agents see it."""
    for limit in LIMITS:
        if limit.id in COUNTED:
            if limit.value is not None and len(catalog.tools) > limit.value:
                yield Passed(limit=limit)
        elif limit.id in MEASURED:
            beyond = MEASURED[limit.id]
            names = tuple(t.name for t in catalog.tools if beyond(listed[t.name], catalog.name, limit.value or 0))
            if names:
                yield Passed(limit=limit, tools=names)


def _schemas(value: Json) -> Iterator[JsonObject]:
    """A value's objects, itself first."""
    if isinstance(value, dict):
        yield value
    for member in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _schemas(member)


def _with_long_name(tool: JsonObject, server: str, value: int) -> bool:
    return len(server) + len(str(tool["name"])) > value


def _large(tool: JsonObject, server: str, value: int) -> bool:
    return len(orjson.dumps({k: v for k, v in tool.items() if k != "outputSchema"}).decode()) > value


def _with_long_text(tool: JsonObject, server: str, value: int) -> bool:
    texts = (schema.get("description") for schema in _schemas(tool["inputSchema"]))
    return any(isinstance(text, str) and len(text) > value for text in texts)


def _with_reference(tool: JsonObject, server: str, value: int) -> bool:
    return any(
        isinstance(schema.get("$ref"), str)
        for key in ("inputSchema", "outputSchema")
        for schema in _schemas(tool.get(key))
    )


# How many tools there may be, and what one tool may be: does it pass the limit, given the server's name?
COUNTED: Final = frozenset({"tools-vscode", "tools-openai", "tools-windsurf", "tools-cursor"})
MEASURED: Final[Mapping[str, Callable[[JsonObject, str, int], bool]]] = {
    "name-gemini-cli": _with_long_name,
    "tool-size": _large,
    "argument-description-actions": _with_long_text,
    "references": _with_reference,
}
