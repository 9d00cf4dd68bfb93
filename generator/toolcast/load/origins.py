"""Where the parts of a document come from, once overlays have changed it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from toolcast.model.json import Json, JsonObject
from toolcast.model.pointer import child, step

Place: TypeAlias = tuple[str, str]  # a file's name in messages, and a pointer inside it
Path: TypeAlias = tuple[str | int, ...]


def _nowhere_else() -> Mapping[Path, Place]:
    return {}


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a value was written, and, by path inside of it, those of its parts that were written elsewhere."""

    place: Place
    inner: Mapping[Path, Place] = field(default_factory=_nowhere_else)

    def below(self, name: str | int) -> Origin:
        """The origin of a member."""
        place = self.inner.get((name,), (self.place[0], child(self.place[1], name)))
        inner = {path[1:]: known for path, known in self.inner.items() if path[0] == name and len(path) > 1}
        return Origin(place, inner)


class Origins:
    """The places of what was put into a document, and of the items that have moved up in its lists.

    They are kept by the identity of the object or list that holds a part, so they stay true while others change.
    """

    def __init__(self, root: JsonObject, file: str) -> None:
        self._root = root
        self._file = file
        self._from: dict[int, dict[str | int, Place]] = {}
        self._held: list[Json] = []  # so that no identity is given to another object

    def of(self, path: Sequence[str | int]) -> Origin:
        """Where the part at a path was written."""
        node: Json = self._root
        place: Place = (self._file, "")
        for name in path:
            place = self._below(node, name, place)
            found = step(node, str(name))
            node = None if found is None else found[0]
        return Origin(place, dict(self._within(node)))

    def put(self, holder: JsonObject | list[Json], name: str | int, value: Json, origin: Origin) -> None:
        """Keep where a member of an object or list, which is this value, was written."""
        if id(holder) not in self._from:
            self._from[id(holder)] = {}
            self._held.append(holder)
        self._from[id(holder)][name] = origin.place
        for inner in dict.fromkeys(path[0] for path in origin.inner):
            found = step(value, str(inner))
            if found is not None and isinstance(value, (dict, list)):
                self.put(value, inner, found[0], origin.below(inner))

    def shift(self, holder: list[Json], index: int, place: Place) -> None:
        """Keep the places of a list's items that move up when one of them is removed; ``place`` is the list's own."""
        places = [self._below(holder, at, place) for at in range(len(holder))]
        del places[index]
        for at, known in enumerate(places):
            self.put(holder, at, None, Origin(known))

    def moved(self) -> Mapping[Place, Place]:
        """By file and pointer of the document as it is now: where that part, with all below it, was written."""
        return {(self._file, child("", *path)): place for path, place in self._within(self._root)}

    def _within(self, value: Json) -> Iterator[tuple[Path, Place]]:
        """The places that are kept for parts of a value, by path inside of it."""
        open_: list[tuple[Json, Path]] = [(value, ())] if self._from else []
        while open_:
            node, path = open_.pop()
            members = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
            known = self._from.get(id(node), {})
            for name, member in members:
                if name in known:
                    yield (*path, name), known[name]
                if isinstance(member, (dict, list)):
                    open_.append((member, (*path, name)))

    def _below(self, holder: Json, name: str | int, place: Place) -> Place:
        known = self._from.get(id(holder), {}).get(name)
        return (place[0], child(place[1], name)) if known is None else known
