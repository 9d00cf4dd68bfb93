"""Where the objects of an OpenAPI document stand: a table, and one walk over it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, TypeAlias

from toolcast.load.pointers import follow, fragment, join
from toolcast.model.json import Json, JsonObject

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
]
# one: the value; each: every element of a list; map: every value of a mapping; paths: the same, but names that
# begin with x- are extensions (in a plain map they are names like any other).
Shape: TypeAlias = Literal["one", "each", "map", "paths"]
At: TypeAlias = "tuple[At, str | int] | None"  # the way back to the root: cheap to make, spelled out on demand

_PARAMETER: dict[str, tuple[Shape, Kind]] = {
    "schema": ("one", "schema"),
    "content": ("map", "media"),
    "examples": ("map", "example"),
}
_OPERATIONS = ("get", "put", "post", "delete", "options", "head", "patch", "trace", "query")

PLACES: dict[Kind, dict[str, tuple[Shape, Kind]]] = {
    "document": {
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
}
# What a reference of one kind leads to is of that kind too, wherever it stands.


def walk(root: JsonObject) -> Iterator[tuple[Kind, JsonObject, At]]:
    """Every object of the document that is in a known place, once and in order, with its kind and place.

    An object may be changed when it is given: what it holds is looked at afterwards. What local references lead
    to is walked as well, so nothing that a schema uses is missed because it stands in an unusual place.
    """
    seen: dict[int, JsonObject] = {}  # with the object, so that no id is given to another one meanwhile
    stack: list[tuple[Kind, Json, At]] = [("document", root, None)]  # the next one is at the end
    push, pop = stack.append, stack.pop
    referred: set[tuple[Kind, str]] = set()
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
            reference = node["$ref"]
            if isinstance(reference, str) and (kind, reference) not in referred:
                referred.add((kind, reference))
                names = fragment(reference)
                if names is not None and (found := follow(root, names)) is not None:
                    push((kind, found[0], _place(names)))
        if kind == "callback":
            stack.extend([("pathItem", node[key], (at, key)) for key in reversed(node) if not key.startswith("x-")])
            continue
        places = PLACES[kind]
        for key in reversed(node):
            if key not in places:
                continue
            shape, inner = places[key]
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


def pointer(at: At) -> str:
    """The JSON pointer of a place."""
    parts: list[str | int] = []
    while at is not None:
        at, part = at
        parts.append(part)
    return join(reversed(parts))


def _place(names: list[str]) -> At:
    at: At = None
    for name in names:
        at = (at, name)
    return at
