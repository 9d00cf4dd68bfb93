"""Where the objects of an OpenAPI document stand: a table, and one walk over it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal, TypeAlias

from toolcast.model.json import Json, JsonObject
from toolcast.model.pointer import join, lookup, separate

Kind: TypeAlias = Literal[
    "document",
    "components",
    "pathItem",
    "operation",
    "callback",
    "parameter",
    "header",
    "requestBody",
    "response",
    "media",
    "encoding",
    "schema",
    "link",
    "example",
    "securityScheme",
    "plain",
]
# one: the value; each: every element of a list; map: every value of a mapping; paths: the same, but names that
# begin with x- are extensions (in a plain map they are names like any other).
Shape: TypeAlias = Literal["one", "each", "map", "paths"]
Table: TypeAlias = dict[Kind, dict[str, tuple[Shape, Kind]]]
# The way back to the root of a file, whose name stands at the end: cheap to make, spelled out on demand.
At: TypeAlias = "tuple[At, str | int] | str"

_PARAMETER: dict[str, tuple[Shape, Kind]] = {
    "schema": ("one", "schema"),
    "content": ("map", "media"),
    "examples": ("map", "example"),
}
_OPERATIONS = ("get", "put", "post", "delete", "options", "head", "patch", "trace", "query")

PLACES: Table = {
    "document": {
        "info": ("one", "plain"),
        "servers": ("each", "plain"),
        "tags": ("each", "plain"),
        "components": ("one", "components"),
        "paths": ("paths", "pathItem"),
        "webhooks": ("paths", "pathItem"),
    },
    "components": {
        "schemas": ("map", "schema"),
        "parameters": ("map", "parameter"),
        "headers": ("map", "header"),
        "requestBodies": ("map", "requestBody"),
        "responses": ("map", "response"),
        "pathItems": ("map", "pathItem"),
        "callbacks": ("map", "callback"),
        "mediaTypes": ("map", "media"),
        "links": ("map", "link"),
        "examples": ("map", "example"),
        "securitySchemes": ("map", "securityScheme"),
    },
    "pathItem": {
        **dict.fromkeys(_OPERATIONS, ("one", "operation")),
        "additionalOperations": ("map", "operation"),
        "parameters": ("each", "parameter"),
    },
    "operation": {
        "parameters": ("each", "parameter"),
        "requestBody": ("one", "requestBody"),
        "responses": ("paths", "response"),
        "callbacks": ("map", "callback"),
    },
    "parameter": _PARAMETER,
    "header": _PARAMETER,
    "requestBody": {"content": ("map", "media")},
    "response": {"content": ("map", "media"), "headers": ("map", "header"), "links": ("map", "link")},
    "media": {
        "schema": ("one", "schema"),
        "itemSchema": ("one", "schema"),
        "encoding": ("map", "encoding"),
        "prefixEncoding": ("each", "encoding"),
        "itemEncoding": ("one", "encoding"),
        "examples": ("map", "example"),
    },
    "encoding": {
        "headers": ("map", "header"),
        "encoding": ("map", "encoding"),
        "prefixEncoding": ("each", "encoding"),
        "itemEncoding": ("one", "encoding"),
    },
    "schema": {
        **dict.fromkeys(
            (
                *("not", "if", "then", "else", "items", "additionalItems", "additionalProperties", "contains"),
                *("propertyNames", "unevaluatedItems", "unevaluatedProperties", "contentSchema"),
            ),
            ("one", "schema"),
        ),
        **dict.fromkeys(("allOf", "anyOf", "oneOf", "prefixItems"), ("each", "schema")),
        **dict.fromkeys(
            ("properties", "patternProperties", "dependentSchemas", "$defs", "definitions"), ("map", "schema")
        ),
    },
    "link": {},
    "example": {},
    "securityScheme": {},
    "callback": {},  # every name is a path item
    "plain": {},  # info, a tag, a server: texts
}
# What a reference of one kind leads to is of that kind too, wherever it stands.

# The places of a document as its author wrote it, which may be one of Swagger 2.0.
WRITTEN: Table = {
    **PLACES,
    "document": {
        **PLACES["document"],
        "definitions": ("map", "schema"),
        "parameters": ("map", "parameter"),
        "responses": ("map", "response"),
        "securityDefinitions": ("map", "securityScheme"),
    },
    "response": {**PLACES["response"], "schema": ("one", "schema")},
}
_NO_FILES: Mapping[str, Json] = {}


def walk(
    root: JsonObject, files: Mapping[str, Json] = _NO_FILES, places: Table = PLACES
) -> Iterator[tuple[Kind, JsonObject, At]]:
    """Every object of the document that is in a known place, once and in order, with its kind and place.

    An object may be changed when it is given: what it holds is looked at afterwards. What references lead to is
    walked as well, in ``files`` too, so nothing that a schema uses is missed because it stands in an unusual place.
    """
    seen: dict[int, JsonObject] = {}  # with the object, so that no id is given to another one meanwhile
    stack: list[tuple[Kind, Json, At]] = [("document", root, "")]  # the next one is at the end
    push, pop = stack.append, stack.pop
    referred: set[tuple[Kind, str]] = set()

    def refer(kind: Kind, target: Json) -> None:
        if isinstance(target, str) and (kind, target) not in referred:
            referred.add((kind, target))
            found = lookup(root, files, target)
            if found is not None:
                push((kind, found[0], place(target)))

    while stack:
        kind, node, at = pop()
        if isinstance(node, list) and kind == "schema":  # `items: [a, b]`, where one schema should stand
            stack.extend([(kind, node[index], (at, index)) for index in reversed(range(len(node)))])
            continue
        if not isinstance(node, dict) or id(node) in seen:
            continue
        seen[id(node)] = node
        yield kind, node, at
        if "$ref" in node:
            refer(kind, node["$ref"])
        if "discriminator" in node and kind == "schema":
            for owner, key in tags(node):
                if "#" in str(owner[key]):  # anything else is the name of a component, which is walked anyway
                    refer(kind, owner[key])
        if kind == "callback":
            stack.extend([("pathItem", node[key], (at, key)) for key in reversed(node) if not key.startswith("x-")])
            continue
        known = places[kind]
        for key in reversed(node):
            if key not in known:
                continue
            shape, inner = known[key]
            value = node[key]
            if shape == "one":
                push((inner, value, (at, key)))
            elif shape == "each":
                if isinstance(value, list):
                    here = (at, key)
                    stack.extend([(inner, value[index], (here, index)) for index in reversed(range(len(value)))])
            elif isinstance(value, dict):
                here = (at, key)
                for name, element in reversed(value.items()):
                    if shape == "map" or not name.startswith("x-"):
                        push((inner, element, (here, name)))


def tags(schema: JsonObject) -> Iterator[tuple[JsonObject, str]]:
    """Where the schemas that a discriminator chooses between are named: an object, and its key (OpenAPI 3.2, 4.25)."""
    discriminator = schema.get("discriminator")
    if isinstance(discriminator, dict):
        mapping = discriminator.get("mapping")
        if isinstance(mapping, dict):
            yield from ((mapping, tag) for tag in mapping)
        if "defaultMapping" in discriminator:
            yield discriminator, "defaultMapping"


def spelled(at: At) -> tuple[str, list[str | int]]:
    """The file of a place, and the names that lead to it."""
    parts: list[str | int] = []
    while not isinstance(at, str):
        at, part = at
        parts.append(part)
    return at, parts[::-1]


def pointer(at: At) -> str:
    """The JSON pointer of a place in its file."""
    return join(spelled(at)[1])


def place(target: str) -> At:
    """The place that a reference ``#/…`` or ``FILE#/…`` leads to."""
    file, names = separate(target) or ("", [])
    at: At = file
    for name in names:
        at = (at, name)
    return at
