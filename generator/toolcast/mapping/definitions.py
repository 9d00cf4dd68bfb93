"""Definitions: schemas that stand in a tool several times, told once under ``$defs``.

References are inlined, as some providers refuse ``$ref`` (``model/limits.py``, ``references``); a tool has definitions
only where repeating what they say is what takes it over its budget.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Final

from toolcast.mapping.tokens import Sizes
from toolcast.model.json import JsonObject

_SMALLEST: Final = 25  # tokens; a reference costs about ten
_ODD: Final = re.compile(r"[^A-Za-z0-9_.-]+")
_MAPS: Final = ("properties",)
_LISTS: Final = ("anyOf", "prefixItems")
_SCHEMAS: Final = ("items", "additionalProperties", "propertyNames")


def shared(root: JsonObject, sizes: Sizes, name_of: Callable[[JsonObject], str | None]) -> JsonObject:
    """The schema with what it says several times in ``$defs``; the same when nothing is large enough to be worth it.

    ``name_of`` gives the name of a schema that has one in the document. Texts are no part of what is shared: they stay
    beside the reference.
    """
    return _Sharing(sizes, name_of).made(root)


def distinct_within(root: JsonObject, sizes: Sizes, most: int) -> bool:
    """Do the schemas that are not the very same object have at most so many tokens together? It is cheap to say no."""
    seen: set[int] = set()
    waiting, total = [root], 0
    while waiting and total <= most:
        schema = waiting.pop()
        if id(schema) in seen:
            continue
        seen.add(id(schema))
        parts = [part for _, part in _parts(schema)]
        total += sizes.tokens(schema) - sum(sizes.tokens(part) for part in parts)
        waiting += parts
    return total <= most


class _Sharing:
    """One tool's schemas by what they say; ``_shapes`` numbers them, without their texts."""

    def __init__(self, sizes: Sizes, name_of: Callable[[JsonObject], str | None]) -> None:
        self._sizes = sizes
        self._name_of = name_of
        self._shapes: dict[object, int] = {}
        self._known: dict[int, tuple[JsonObject, int]] = {}  # by identity; the schema is held, so that it keeps it
        self._uses: Counter[int] = Counter()
        self._names: dict[int, str] = {}
        self._taken: set[str] = set()  # by definitions that are there already
        self._definitions: JsonObject = {}

    def made(self, root: JsonObject) -> JsonObject:
        """The schema with its definitions."""
        self._shape(root)
        kept = root.get("$defs")
        known: JsonObject = kept if isinstance(kept, dict) else {}
        self._taken = {*known}
        if not any(count > 1 for count in self._uses.values()):
            return root
        told = self._parts_told(root)
        return {**told, "$defs": {**known, **self._definitions}} if self._definitions else told

    def _shape(self, schema: JsonObject) -> int:
        """The number of what a schema says; each that is new counts as a use of its parts."""
        known = self._known.get(id(schema))
        if known is not None:
            return known[1]
        parts = [(where, part, self._shape(part)) for where, part in _parts(schema)]
        plain = {key: value for key, value in schema.items() if key != "description" and key not in _HOLDING}
        key = (
            tuple((name, repr(value)) for name, value in plain.items()),
            tuple((where, shape, part.get("description")) for where, part, shape in parts),
        )
        shape = self._shapes.get(key)
        if shape is None:
            shape = self._shapes[key] = len(self._shapes)
            for _, part, used in parts:
                if self._sizes.tokens(part) >= _SMALLEST and "properties" in part:
                    self._uses[used] += 1
        self._known[id(schema)] = (schema, shape)
        return shape

    def _told(self, schema: JsonObject, where: str) -> JsonObject:
        """A schema with references in place of what has a definition."""
        shape = self._shape(schema)
        if self._uses[shape] < 2:
            return self._parts_told(schema)
        name = self._names.get(shape)
        if name is None:
            name = self._names[shape] = self._free(self._name_of(schema) or where)
            self._definitions[name] = {}  # holds the place, so that definitions stand in the order of their first use
            self._definitions[name] = {k: v for k, v in self._parts_told(schema).items() if k != "description"}
        beside = {key: schema[key] for key in ("type", "description") if key in schema}
        return {"$ref": f"#/$defs/{name}", **beside}

    def _parts_told(self, schema: JsonObject) -> JsonObject:
        result = dict(schema)
        for key in _HOLDING & schema.keys():
            match schema[key]:
                case dict() as named if key in _MAPS:
                    result[key] = {n: self._told(p, n) for n, p in named.items() if isinstance(p, dict)}
                case list() as listed if key in _LISTS:
                    result[key] = [self._told(part, key) for part in listed if isinstance(part, dict)]
                case dict() as inner:
                    result[key] = self._told(inner, key)
                case _:
                    pass
        return result

    def _free(self, wish: str) -> str:
        name = first = _ODD.sub("_", wish).strip("_") or "schema"
        number = 1
        while name in self._definitions or name in self._taken:
            number += 1
            name = f"{first}_{number}"
        return name


_HOLDING: Final = frozenset([*_MAPS, *_LISTS, *_SCHEMAS])


def _parts(schema: JsonObject) -> Iterator[tuple[str, JsonObject]]:
    """The schemas inside a schema, each with where it stands."""
    for key, value in schema.items():
        match value:
            case dict() if key in _MAPS:
                yield from ((f"{key}/{name}", part) for name, part in value.items() if isinstance(part, dict))
            case list() if key in _LISTS:
                yield from ((f"{key}/{at}", part) for at, part in enumerate(value) if isinstance(part, dict))
            case dict() if key in _SCHEMAS:
                yield key, value
            case _:
                pass
