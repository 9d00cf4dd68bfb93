"""The contract: ``tools.json``, what agents see of a server."""

from __future__ import annotations

import re
from collections.abc import Iterable

import orjson

from toolcast.emit.literals import visible
from toolcast.model.catalog import Catalog, PathArg, Tool
from toolcast.model.json import Json, JsonObject
from toolcast.model.wishes import Icon


def contract(catalog: Catalog) -> str:
    """``tools.json``: a tools/list answer in a fixed order, and beside it the resources where there are some."""
    whole: JsonObject = {"tools": [listed(tool) for tool in catalog.tools if tool.resource is None]}
    resources: list[Json] = [_resource(tool) for tool in catalog.tools if tool.resource is not None]
    whole |= {"resources": resources} if resources else {}
    return visible(orjson.dumps(whole, option=orjson.OPT_INDENT_2).decode()) + "\n"


def listed(tool: Tool) -> JsonObject:
    """A tool as it stands in a tools/list answer (MCP 2026-07-28, Tool)."""
    listed: JsonObject = {
        "name": tool.name,
        "title": tool.title,
        "description": tool.description,
        "inputSchema": dict(tool.input_schema),
    }
    if tool.output_schema is not None:
        listed["outputSchema"] = dict(tool.output_schema)
    listed["annotations"] = {
        "readOnlyHint": tool.hints.read_only.value,
        "destructiveHint": tool.hints.destructive.value,
        "idempotentHint": tool.hints.idempotent.value,
        "openWorldHint": tool.hints.open_world.value,
    }
    if tool.icons:
        listed["icons"] = icons(tool.icons)
    if tool.meta:
        listed["_meta"] = dict(tool.meta)
    return listed


def icons(found: Iterable[Icon]) -> list[Json]:
    """Icons as MCP has them (2026-07-28, Icon)."""
    made: list[Json] = []
    for icon in found:
        sizes: list[Json] = [*icon.sizes]
        told: JsonObject = {"src": icon.src, "mimeType": icon.mime_type, "sizes": sizes, "theme": icon.theme}
        made.append({key: value for key, value in told.items() if value})
    return made


def _resource(tool: Tool) -> JsonObject:
    """A resource as the runtime reads it: its URI, the arguments that this has in their order, and its tool."""
    given = tool.input_schema.get("properties")
    known = {binding.name: binding.argument for binding in tool.bindings if isinstance(binding, PathArg)}
    wanted = [known.get(name) for name in re.findall(r"\{([^{}]*)\}", tool.path)]
    arguments: list[Json] = [name for name in wanted if isinstance(given, dict) and name in given]
    media_types = [kind for kind in tool.accept if "*" not in kind]
    return {
        "uri": tool.resource,
        **({"arguments": arguments} if arguments else {}),
        **({"mimeType": media_types[0]} if media_types else {}),
        "tool": listed(tool),
    }
