"""The keys of ``toolcast.toml`` and of ``x-toolcast``: what each holds, and what it does."""

from __future__ import annotations

from typing import Final, TypeAlias

from toolcast.model.files import EXTRAS
from toolcast.model.json import JsonObject
from toolcast.model.shape import (
    Anything,
    Choice,
    Either,
    Flag,
    Listed,
    Named,
    Shape,
    Table,
    Text,
    Whole,
    json_schema,
)

Keys: TypeAlias = dict[str, tuple[Shape, str]]

_LINE: Final = Text()
_PROSE: Final = Text(lines=True)
_TEXTS: Final = Listed(Text())
_URL: Final = Text(pattern=r"https?://[^\s{}<>\"]+", like="https://api.example.com/v1")
_HINT: Final = Flag()

ICON: Final = Table(
    {
        "src": (
            Text(pattern=r"(?:https://|data:image/)\S+", like="https://example.com/icon.png"),
            "https: or data: URI.",
        ),
        "mime_type": (
            Text(pattern=r"image/[\w.+-]+", like="image/png"),
            "Its media type, where the URI does not tell.",
        ),
        "sizes": (Listed(Text(pattern=r"\d+x\d+|any", like="48x48")), "The sizes it is good for."),
        "theme": (Choice(("light", "dark")), "The theme it is made for."),
    },
    required=("src",),
)
ICONS: Final = Either(ICON.keys["src"][0], Listed(ICON))

ARGUMENT: Final = Table(
    {
        "name": (Text(pattern=r"[A-Za-z0-9_.-]{1,64}", like="limit"), "What the argument is called."),
        "description": (_PROSE, "What it is, in place of the document's text."),
        "default": (Anything(), "What is sent when a call does not give it."),
        "fixed": (Anything(), "What is always sent; the argument is not offered."),
        "hidden": (Flag(), "Do not offer it, and do not send it."),
        "credential": (
            Either(Flag(), Text(pattern=r"\S+", like="apiKey")),
            "It is a secret of the server's and no argument: true, or the id of the security scheme that it is.",
        ),
        "slashes": (
            Choice(("encode", "keep")),
            "Whether `/` in a value of the path divides it; `..` is refused always.",
        ),
        "x-mcp-header": (
            Text(pattern=r"[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}", like="Region"),
            "HTTP clients repeat it in the header Mcp-Param-…, for proxies to read; never for secrets.",
        ),
    }
)

HINTS: Final = Table(
    {
        "read_only": (_HINT, "It changes nothing."),
        "destructive": (_HINT, "It may destroy or overwrite."),
        "idempotent": (_HINT, "A second call with the same arguments changes nothing more."),
        "open_world": (_HINT, "It reaches beyond what the server knows of."),
    }
)

_SHARED: Final[Keys] = {
    "tool": (Flag(), "Whether it is offered, whatever `select` says."),
    "group": (_LINE, "The group, which is a module and a toolset."),
    "hints": (HINTS, "The MCP annotations, where the rules of the mapping are wrong."),
    "output_schema": (Choice(("loose", "strict", "off")), "How closely the answer is described."),
    "projection": (Flag(), "Whether an argument says, in JMESPath, which part of the answer is wanted."),
    "budget": (Whole(100), "Tokens that the tool may cost in a list."),
    "body": (Choice(("flat", "whole")), "Whether the fields of the body are arguments, or the body is one."),
    "media_type": (
        Text(pattern=r"[^\s/]+/[^\s]+", like="application/json"),
        "The representation that the body is sent in.",
    ),
    "as": (
        Choice(("tool", "resource")),
        "Offer a read without arguments, or with those of the path only, as an MCP resource.",
    ),
    "icons": (ICONS, "Icons of the tool: a URI, or a list of tables."),
    "_meta": (Named(Anything()), "What is said of the tool in `_meta`."),
    "arguments": (Named(ARGUMENT), "The arguments, by their names as tools have them or as the document has them."),
}
COMMON: Final = Table(_SHARED)
TOOL: Final = Table(
    {
        "name": (Text(pattern=r"[a-z][a-z0-9_]*", like="list_pets"), "What the tool is called."),
        "title": (_LINE, "What people read."),
        "description": (_PROSE, "What models read, in place of the document's text."),
        "use_when": (_PROSE, "When to take this tool and not another."),
        **_SHARED,
    }
)

MATCH: Final[Keys] = {
    "tags": (_TEXTS, "Tags; `*` stands for any text."),
    "paths": (_TEXTS, "Paths; `*` stands for any text without `/`, `**` for any text."),
    "methods": (_TEXTS, "HTTP methods."),
    "operations": (_TEXTS, "operationIds; `*` stands for any text."),
}
_MATCH: Final = Table(MATCH)
_MATCH_RULE: Final = Table({**MATCH, "deprecated": (Flag(), "Deprecated ones, or all others.")})

CONFIGURATION: Final = Table(
    {
        "document": (
            Either(
                _LINE,
                Table(
                    {
                        "address": (_LINE, "Where it is: a path relative to this file, or a URL."),
                        "overlays": (_TEXTS, "OpenAPI Overlays that are applied to it, in order."),
                        "tree": (_LINE, "The folder that its references may lead into."),
                        "allow_remote_refs": (Flag(), "Whether its references may lead to other hosts."),
                    }
                ),
            ),
            "The OpenAPI document: a path relative to this file, or a URL.",
        ),
        "name": (_LINE, "The base of every name."),
        "version": (_LINE, "The version of the package."),
        "select": (
            Table(
                {
                    "include": (_MATCH, "Offer only what has one of each of these."),
                    "exclude": (_MATCH, "Do not offer what has any of these."),
                    "deprecated": (Flag(), "Whether deprecated operations are offered."),
                }
            ),
            "Which operations are offered. Every line narrows.",
        ),
        "rules": (
            Listed(
                Table({"match": (_MATCH_RULE, "The operations that have one of each of these."), **_SHARED}, ("match",))
            ),
            "Wishes for several operations at once; of two that disagree the later one counts.",
        ),
        "tools": (
            Named(TOOL),
            "Wishes for one operation: by its tool's name, its operationId, or its method and path.",
        ),
        "groups": (
            Named(Table({"title": (_LINE, "Its title."), "description": (_PROSE, "What its tools are for.")})),
            "Groups, by name or tag.",
        ),
        "schemas": (
            Table(
                {
                    "output_schema": _SHARED["output_schema"],
                    "budget": _SHARED["budget"],
                    "body": _SHARED["body"],
                    "refs": (Choice(("inline", "defs")), "What input schemas say several times: again, or once."),
                    "recursion": (Choice(("cut", "ref")), "Cycles in input schemas: cut at the second level, or kept."),
                    "media_types": (_TEXTS, "Media types of bodies in the order of preference."),
                }
            ),
            "How schemas are made, for all tools.",
        ),
        "server": (
            Table(
                {
                    "title": (_LINE, "What people read."),
                    "instructions": (_PROSE, "What models read before they choose a tool."),
                    "base_url": (_URL, "Where the API is, whatever the document says."),
                    "toolsets": (_TEXTS, "The groups that are offered unless an operator chooses others."),
                    "icons": (ICONS, "Icons of the server: a URI, or a list of tables."),
                }
            ),
            "The server as a whole.",
        ),
        "package": (
            Table(
                {
                    "description": (_LINE, "One line for package indexes."),
                    "authors": (_TEXTS, "`Name <address>`, or either of them."),
                    "license": (Text(pattern=r"[A-Za-z0-9.+() -]+", like="Apache-2.0"), "An SPDX expression."),
                    "dependencies": (_TEXTS, "What your own code needs besides."),
                    "registry_name": (
                        Text(pattern=r"[A-Za-z0-9.-]+/[A-Za-z0-9._-]+", like="io.github.you/petstore"),
                        "The name in the MCP registry.",
                    ),
                }
            ),
            "The metadata of the package.",
        ),
        "templates": (
            Either(_LINE, Table({"directory": (_LINE, "The folder, relative to this file.")})),
            "Templates of yours, which shadow the built-in ones: a folder.",
        ),
        "files": (
            Table({path: (Flag(), about) for path, (_, about) in EXTRAS.items()}),
            "Files that a package can do without: true or false.",
        ),
    }
)


def schema() -> JsonObject:
    """The JSON Schema of ``toolcast.toml``, which is shipped as ``toolcast.schema.json`` for editors."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "toolcast.toml",
        "description": "What a Toolcast package is made from, and how.",
        **json_schema(CONFIGURATION),
    }
