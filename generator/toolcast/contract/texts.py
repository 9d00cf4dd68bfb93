"""Texts: what a schema says to people and models, apart from the rules that it makes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from toolcast.contract.forms import ANNOTATIONS, members
from toolcast.model.json import Json, JsonObject

_TEXTS: Final = ("title", "description", "examples", "example", "deprecated")
_NAMED: Final = ("properties", "$defs", "definitions", "patternProperties", "dependentSchemas")
_LISTED: Final = ("anyOf", "oneOf", "allOf", "prefixItems")
_SINGLE: Final = (
    "items additionalProperties propertyNames contains not if then else unevaluatedItems unevaluatedProperties".split()
)


def bare(schema: Json) -> Json:
    """A schema without texts and other annotations."""
    if not isinstance(schema, dict):
        return schema
    result: JsonObject = {}
    for key, value in schema.items():
        if key in _NAMED and isinstance(value, dict):
            result[key] = {name: bare(part) for name, part in value.items()}
        elif key in ANNOTATIONS:
            continue
        elif key in _LISTED and isinstance(value, list):
            result[key] = [bare(part) for part in value]
        else:
            result[key] = bare(value) if key in _SINGLE else value
    return result


def reworded(old: Json, new: Json) -> tuple[Json, Json] | None:
    """The first text that is another, before and after; None when all texts are the same."""
    before, after = dict(_texts(old, "")), dict(_texts(new, ""))
    return next(((text, after.get(at)) for at, text in before.items() if after.get(at) != text), None) or next(
        ((None, text) for at, text in after.items() if at not in before), None
    )


def defaults(old: Json, new: Json) -> Iterator[tuple[str, Json, Json]]:
    """The defaults that have changed in what is in both schemas, each with its place."""
    before, after = dict(_nodes(old, "")), dict(_nodes(new, ""))
    for at in before.keys() & after.keys():
        was, now = before[at].get("default"), after[at].get("default")
        if was != now or type(was) is not type(now):
            yield at, was, now


def _texts(schema: Json, path: str) -> Iterator[tuple[str, Json]]:
    for at, node in _nodes(schema, path):
        for key in _TEXTS:
            if key in node:
                yield f"{at} {key}", node[key]


def _nodes(schema: Json, path: str) -> Iterator[tuple[str, JsonObject]]:
    """A schema and all schemas within it, with their places."""
    if not isinstance(schema, dict):
        return
    yield path, schema
    for key in _NAMED:
        for name, part in members(schema.get(key)).items():
            yield from _nodes(part, f"{path}.{name}" if key == "properties" else f"{path} {key} {name}")
    for key in _LISTED:
        parts = schema.get(key)
        for at, part in enumerate(parts if isinstance(parts, list) else ()):
            yield from _nodes(part, f"{path} {key} {at}")
    for key in _SINGLE:
        yield from _nodes(schema.get(key), f"{path}[]" if key == "items" else f"{path} {key}")
