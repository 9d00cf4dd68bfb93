"""Kept cycles: references that stay in published schemas, for owners who want them (``schemas.recursion = "ref"``)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

from toolcast.mapping.cycles import VALUES
from toolcast.model.json import Json, JsonObject

_PREFIX: Final = "#/$defs/"
_ODD: Final = re.compile(r"[^A-Za-z0-9_.-]+")


class Kept:
    """The definitions of one document's cycles, by names that all its tools share; ``drafts`` are filled by others."""

    def __init__(self) -> None:
        self.drafts: dict[str, JsonObject] = {}
        self._names: dict[str, str] = {}

    def name(self, reference: str) -> tuple[str, bool]:
        """The name of what a reference refers to, and whether it is new."""
        known = self._names.get(reference)
        if known is not None:
            return known, False
        name = first = _ODD.sub("_", reference.rsplit("/", 1)[-1]).strip("_") or "schema"
        number = 1
        while name in self._names.values():
            number += 1
            name = f"{first}_{number}"
        self._names[reference] = name
        return name, True

    def definitions(self, root: JsonObject, published: Callable[[JsonObject], JsonObject]) -> JsonObject:
        """What a published schema refers to, and what that does, in the order of their first use."""
        found: JsonObject = {}
        waiting = list(_names(root))
        while waiting:
            name = waiting.pop(0)
            if name in self.drafts and name not in found:
                found[name] = schema = published(self.drafts[name])
                waiting += _names(schema)
        return found


def _names(schema: Json) -> Iterator[str]:
    """The names of the definitions that a schema refers to."""
    waiting = [schema]
    while waiting:
        match waiting.pop():
            case dict() as value:
                reference = value.get("$ref")
                if isinstance(reference, str) and reference.startswith(_PREFIX):
                    yield reference.removeprefix(_PREFIX)
                waiting += [part for key, part in reversed(value.items()) if key not in VALUES]
            case list() as value:
                waiting += reversed(value)
            case _:
                pass
