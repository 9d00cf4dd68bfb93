"""Where the parts of a document come from, once overlays have changed it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from toolcast.model.json import Json, JsonObject
from toolcast.model.pointer import child, join, step

Place: TypeAlias = tuple[str, str]  # a file's name in messages, and a pointer inside it


class Origins:
    """The places of what was put into a document, and of the items that have moved up in its lists.

    They are kept by the identity of the object or list that holds a part, so they stay true while others change.
    """

    def __init__(self, root: JsonObject, file: str) -> None:
        self._root = root
        self._file = file
        self._from: dict[int, dict[str | int, Place]] = {}
        self._held: list[Json] = []  # so that no identity is given to another object

    def of(self, path: Sequence[str | int]) -> Place:
        """Where the part at a path was written."""
        node: Json = self._root
        place: Place = (self._file, "")
        for name in path:
            place = self._below(node, name, place)
            found = step(node, str(name))
            node = None if found is None else found[0]
        return place

    def put(self, holder: JsonObject | list[Json], name: str | int, place: Place) -> None:
        """Keep where a member of an object or list was written."""
        if id(holder) not in self._from:
            self._from[id(holder)] = {}
            self._held.append(holder)
        self._from[id(holder)][name] = place

    def shift(self, holder: list[Json], index: int, place: Place) -> None:
        """Keep the places of a list's items that move up when one of them is removed; ``place`` is the list's own."""
        places = [self._below(holder, at, place) for at in range(len(holder))]
        del places[index]
        for at, known in enumerate(places):
            self.put(holder, at, known)

    def moved(self) -> Mapping[Place, Place]:
        """By file and pointer of the document as it is now: where that part, with all below it, was written."""
        found: dict[Place, Place] = {}
        open_: list[tuple[Json, str]] = [(self._root, "")] if self._from else []
        while open_:
            node, pointer = open_.pop()
            for name, place in self._from.get(id(node), {}).items():
                found[self._file, child(pointer, name)] = place
            members = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
            open_ += [(value, pointer + join([name])) for name, value in members if isinstance(value, (dict, list))]
        return found

    def _below(self, holder: Json, name: str | int, place: Place) -> Place:
        known = self._from.get(id(holder), {}).get(name)
        return (place[0], child(place[1], name)) if known is None else known
