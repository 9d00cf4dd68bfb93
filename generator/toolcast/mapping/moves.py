"""Moves: an operation at another path than before, told by method and path alone."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Final, TypeAlias

_PLACEHOLDER: Final = re.compile(r"\{([^{}]*)\}")
# Segments that say which edition of an API it is, and nothing of what an operation does.
_VERSION: Final = re.compile(r"v\d+(\.\d+)*((alpha|beta|rc)\d*)?|\d{4}-\d{2}(-\d{2})?|api|rest", re.IGNORECASE)

Route: TypeAlias = tuple[str, ...]  # the method, then the segments of the path, placeholders without their names


def moved(
    gone: Collection[str],
    retired: Collection[str],
    new: Collection[str],
    *,
    earlier: Collection[str],
    present: Collection[str],
) -> dict[str, str]:
    """New keys with the keys of gone operations that they are: ``GET /v2/pets/{id}`` with ``GET /pets/{petId}``.

    Two are one when only the names of placeholders, or segments like ``v2`` have changed, and when there is no other
    that it could be as well; plain segments at the beginning may have changed, too, unless it was gone (``retired``)
    before. ``earlier`` are the keys of the last version, ``present`` those of this one.
    """
    found: dict[str, str] = {}
    for shape in (_route, alike):
        there, here = _by(shape, {*earlier, *retired}), _by(shape, present)
        for route, keys in here.items():
            before = there.get(route, [])
            if len(before) == len(keys) == 1 and keys[0] in new and (before[0] in gone or before[0] in retired):
                found.setdefault(keys[0], before[0])
    left = [key for key in gone if key not in found.values()]
    return found | dict(_unique(_relocated(left, [key for key in new if key not in found], earlier, present)))


def alike(key: str) -> Route:
    """What all editions of an operation have in common: its method and its path without versions."""
    method, *segments = _route(key)
    return (method, *(segment for segment in segments if not _VERSION.fullmatch(segment)))


def carried(arguments: Mapping[str, str], was: str, now: str) -> Mapping[str, str]:
    """The names of an operation's arguments under the names that its placeholders have now, in their order."""
    before, after = _PLACEHOLDER.findall(was), _PLACEHOLDER.findall(now)
    old = [name for name in before if name not in after]
    renamed = [name for name in after if name not in before]
    if len(old) != len(renamed):
        return arguments
    wire = {f"path {name}": f"path {other}" for name, other in zip(old, renamed, strict=True)}
    return {wire.get(place, place): argument for place, argument in arguments.items()}


def _route(key: str) -> Route:
    method, _, path = key.partition(" ")
    return (method, *(_PLACEHOLDER.sub("{}", segment) for segment in path.split("/") if segment))


def _by(shape: Callable[[str], Route], keys: Iterable[str]) -> dict[Route, list[str]]:
    found: dict[Route, list[str]] = defaultdict(list)
    for key in keys:
        found[shape(key)].append(key)
    return found


def _relocated(
    gone: Iterable[str], new: Iterable[str], earlier: Iterable[str], present: Iterable[str]
) -> Iterator[tuple[str, str]]:
    """New and gone keys of which the paths differ at the beginning only.

    What differs has to be a mere prefix: no operation stands at it, and none takes a member of it. All that was at the
    old place has left it, and there was nothing at the new one; else two operations may have come and gone.
    """
    before, after = _Places(earlier), _Places(present)
    ends: dict[tuple[str, str], list[str]] = defaultdict(list)
    for key in gone:
        route = alike(key)
        ends[route[0], route[-1]].append(key)
    for key in new:
        to = alike(key)
        for other in ends.get((to[0], to[-1]), ()):
            at = alike(other)
            shared = _shared(at[1:], to[1:])
            old, fresh = at[1 : len(at) - shared], to[1 : len(to) - shared]
            if not shared or "{" in to[len(to) - shared]:
                continue
            mere = before.is_prefix(old) and after.is_prefix(fresh)
            entry = to[len(to) - shared]
            if mere and (*old, entry) not in after.all and (*fresh, entry) not in before.all:
                yield key, other


class _Places:
    """The places of an API: where operations stand, and all that is above them."""

    def __init__(self, keys: Iterable[str]) -> None:
        paths = {alike(key)[1:] for key in keys}
        self.all = {path[:length] for path in paths for length in range(1, len(path) + 1)}
        self._occupied = paths | {path[:-1] for path in self.all if "{" in path[-1]}

    def is_prefix(self, segments: Route) -> bool:
        """Is it plain text that operations only pass?"""
        return not any("{" in segment for segment in segments) and (not segments or segments not in self._occupied)


def _shared(one: Route, other: Route) -> int:
    """How many segments two paths have in common at their ends."""
    count = 0
    while count < min(len(one), len(other)) and one[-1 - count] == other[-1 - count]:
        count += 1
    return count


def _unique(pairs: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """The pairs of which neither side is in another pair."""
    found = list(pairs)
    left, right = [one for one, _ in found], [other for _, other in found]
    return ((one, other) for one, other in found if left.count(one) == right.count(other) == 1)
