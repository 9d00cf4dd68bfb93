"""What the parts of a file call themselves: base URIs and anchors (JSON Schema 2020-12 section 8.2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeAlias
from urllib.parse import urldefrag

from toolcast.model.json import Json
from toolcast.model.urls import resolved

Names: TypeAlias = tuple[str, ...]  # along a pointer

_WORDS = ("$id", "$anchor", "$dynamicAnchor", "$self")
_VALUES = frozenset(("example", "examples", "enum", "const"))


@dataclass(slots=True)
class Identifiers:
    """The resources of a file, the file itself among them, with their URIs; and the anchors in them."""

    resources: dict[Names, str] = field(default_factory=dict[Names, str])
    anchors: dict[tuple[Names, str], Names] = field(default_factory=dict[tuple[Names, str], Names])

    def around(self, names: Sequence[str | int]) -> Names:
        """The innermost resource around a place."""
        if len(self.resources) == 1:
            return ()
        path = tuple(map(str, names))
        return next(path[:n] for n in range(len(path), -1, -1) if path[:n] in self.resources)

    def anchor(self, resource: Names, name: str) -> Names | None:
        """Where an anchor of a resource stands; where the resource has none of the name, one anywhere in the file."""
        found = self.anchors.get((resource, name))
        return found or next((place for (_, known), place in self.anchors.items() if known == name), found)


def identifiers(value: Json, text: str, base: str) -> Identifiers:
    """What the parts of a file call themselves, ``base`` being where it was found.

    ``$self`` is the URI of a document (OpenAPI 3.2 section 4.1.2), ``$id`` that of a schema.
    """
    found = Identifiers(resources={(): base})
    if not any(word in text for word in _WORDS):
        return found
    if isinstance(value, dict) and isinstance(value.get("$self"), str):
        found.resources[()] = resolved(base, urldefrag(str(value["$self"])).url)
    stack: list[tuple[Json, Names, Names]] = [(value, (), ())]
    while stack:
        node, names, resource = stack.pop()
        if isinstance(node, list):
            stack.extend((inner, (*names, str(index)), resource) for index, inner in enumerate(node))
        elif isinstance(node, dict):
            own = node.get("$id")
            if isinstance(own, str):
                uri, fragment = urldefrag(own)
                if uri:
                    found.resources[names] = resolved(found.resources[resource], uri)
                    resource = names
                if fragment and not fragment.startswith("/"):  # how older drafts write an anchor
                    found.anchors.setdefault((resource, fragment), names)
            for word in ("$anchor", "$dynamicAnchor"):
                anchor = node.get(word)
                if isinstance(anchor, str):
                    found.anchors.setdefault((resource, anchor), names)
            stack.extend((inner, (*names, key), resource) for key, inner in node.items() if key not in _VALUES)
    return found
