"""What the published schemas ask of two files: rules that were read there, in words of our own."""

from __future__ import annotations

from typing import Any, Final

_LINE: Final = {"type": "string", "minLength": 1}
_SHORT: Final = {"type": "string", "minLength": 1, "maxLength": 100}
_FLAG: Final = {"type": "boolean"}


def _closed(needed: str, /, **properties: object) -> dict[str, object]:
    """An object with these members and no others; some of them it must have."""
    return {
        "type": "object",
        "properties": properties,
        "required": needed.split(),
        "additionalProperties": False,
    }


# The MCP registry's server.schema.json of 2025-12-11: what of it a package on PyPI can have. The registry's schema
# leaves objects open; here they are closed, so that a misspelt key is found.
SERVER: Final[dict[str, Any]] = _closed(
    "$schema name description version packages",
    **{"$schema": {"const": "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"}},
    name={"type": "string", "pattern": r"^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$", "minLength": 3, "maxLength": 200},
    title=_SHORT,
    description=_SHORT,
    version={"type": "string", "maxLength": 255},
    packages={
        "type": "array",
        "items": _closed(
            "registryType identifier version transport",
            registryType={"const": "pypi"},
            identifier=_LINE,
            version={"type": "string", "minLength": 1, "not": {"const": "latest"}},
            runtimeHint=_LINE,
            transport=_closed("type", type={"const": "stdio"}),
            environmentVariables={
                "type": "array",
                "items": _closed("name", name=_LINE, description=_LINE, placeholder=_LINE, isSecret=_FLAG),
            },
        ),
    },
)

# The manifest of an MCP bundle, mcpb-manifest-v0.4.schema.json: what of it a server that uv starts can have.
MANIFEST: Final[dict[str, Any]] = _closed(
    "manifest_version name version description author server",
    manifest_version={"const": "0.4"},
    name=_LINE,
    display_name=_LINE,
    version=_LINE,
    description=_LINE,
    author=_closed("name", name=_LINE),
    license=_LINE,
    server=_closed(
        "type entry_point mcp_config",
        type={"const": "uv"},
        entry_point=_LINE,
        mcp_config=_closed(
            "command",
            command=_LINE,
            args={"type": "array", "items": _LINE},
            env={"type": "object", "additionalProperties": _LINE},
        ),
    ),
    compatibility=_closed(
        "",
        platforms={"type": "array", "items": {"enum": ["darwin", "win32", "linux"]}},
        runtimes=_closed("", python=_LINE),
    ),
    user_config={
        "type": "object",
        "additionalProperties": _closed(
            "type title description",
            type={"const": "string"},
            title=_LINE,
            description=_LINE,
            default={"type": "string"},
            required=_FLAG,
            sensitive=_FLAG,
        ),
    },
    tools={"type": "array", "items": _closed("name", name=_LINE, description={"type": "string"})},
)
