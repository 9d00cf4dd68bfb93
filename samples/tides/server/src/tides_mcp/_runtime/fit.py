"""Answers that fit: pruned to their schema, and cut to the size that every transport carries."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from itertools import islice
from typing import Final, TypeAlias, cast

from .decode import depth, dump
from .operation import Json
from .validator import Path, Validator

MAX_POINTER: Final = 100  # characters, in notes

_MAX_DEPTH: Final = 100  # serialisers refuse deeper values, at 200 to 255 levels
_MAX_ROUNDS: Final = 20
_MAX_PROBLEMS: Final = 10_000  # of one round
_MIN_ROOM: Final = 500  # what has less is dropped or kept, not cut
_MAX_NAMED: Final = 20
_WIDEST: Final = 12  # bytes of a character, as two escaped surrogates

Structure: TypeAlias = dict[str, Json]


@dataclass(slots=True)
class Cuts:
    """What was cut: by JSON pointer, how many elements (of a string: characters) are shown, of how many."""

    shown: dict[str, tuple[int, int]] = field(default_factory=dict[str, tuple[int, int]])

    def noted(self, note: str) -> Structure:
        """The cuts as a value of the structured result."""
        arrays: Structure = {
            at[:MAX_POINTER]: {"shown": shown, "total": total}
            for at, (shown, total) in islice(self.shown.items(), _MAX_NAMED)
        }
        return {"note": note, "arrays": arrays}


def weight(value: Json, *, doubled: bool) -> int:
    """The bytes of a value as text content, and ``doubled`` as structured content too, in the widest encoding."""
    text = dump(value)
    return text_weight(text) + (len(json.dumps(value, separators=(",", ":"))) if doubled else 0)


def text_weight(text: str) -> int:
    """The bytes of a text inside of JSON, in the widest encoding."""
    return len(json.dumps(text))


def surely_fits(text: str, room: int, *, doubled: bool) -> bool:
    """Whether a value with this compact JSON fits, whatever it holds: nearly all do, and need not be weighed."""
    return len(text) * _WIDEST * (2 if doubled else 1) <= room


def cut(value: Json, room: int, cuts: Cuts, *, doubled: bool, at: str = "") -> Json:
    """The value with so many elements of its arrays that it fits; where no array is left, strings are shortened."""
    total = weight(value, doubled=doubled)
    if total <= room:
        return value
    match value:
        case list():
            kept: list[Json] = []
            used = 8
            for item in value:
                used += weight(item, doubled=doubled) + 4
                if used > room:
                    break
                kept.append(item)
            if not kept and value and room > _MIN_ROOM:
                kept = [cut(value[0], room - 12, cuts, doubled=doubled, at=f"{at}/0")]
            if len(kept) < len(value):
                cuts.shown[at] = (len(kept), len(value))
            return kept
        case dict():
            return _cut_members(value, total - room, cuts, doubled=doubled, at=at)
        case str():
            share = max(0, room - 200) / total
            shown = value[: int(len(value) * share)]
            while weight(shown, doubled=doubled) > max(0, room - 200) and shown:
                shown = shown[: len(shown) * 3 // 4]
            cuts.shown[at] = (len(shown), len(value))
            return f"{shown}... [{len(value) - len(shown)} more characters]"
        case _:
            return None  # a number of thousands of digits


def _cut_members(value: Structure, excess: int, cuts: Cuts, *, doubled: bool, at: str) -> Structure:
    """An object that is lighter by ``excess``: its heaviest members give way first, of these the arrays."""
    members = dict(value)
    weights = {name: weight(member, doubled=doubled) for name, member in members.items()}
    order = sorted(
        members, key=lambda name: (isinstance(members[name], list | dict) and weights[name] > excess, weights[name])
    )
    for name in reversed(order):
        if excess <= 0:
            break
        if weights[name] < _MIN_ROOM:
            continue
        pointer = f"{at}/{_escaped(name)}"
        members[name] = cut(members[name], max(0, weights[name] - excess), cuts, doubled=doubled, at=pointer)
        excess -= weights[name] - weight(members[name], doubled=doubled)
    if excess > 0:  # very many small members
        names = list(members)
        while names and excess > 0:
            name = names.pop()
            excess -= weight({name: members.pop(name)}, doubled=doubled) - weight({}, doubled=doubled)
        cuts.shown[at] = (len(members), len(value))
    return members


def prune(value: Structure, validator: Validator) -> tuple[Structure | None, list[str]]:
    """What of a structured result its schema allows, and the JSON pointers of what was removed.

    None when the schema refuses the whole.
    """
    if depth(value) <= _MAX_DEPTH and validator.accepts(value):
        return value, []
    pruned = _Pruned(value)
    for _ in range(_MAX_ROUNDS):
        offenders = _offenders(pruned.value, validator)
        if not offenders:
            return pruned.value, pruned.removed
        if () in offenders:
            break
        pruned.remove(offenders)
    return None, [""]


class _Pruned:
    """A copy of a value that loses members, and remembers where they were in the original."""

    def __init__(self, value: Structure) -> None:
        self.removed: list[str] = []
        self._places: dict[int, list[int]] = {}  # of the elements that are left of an array, by its id
        self.value = cast("Structure", self._copy(value, ""))

    def remove(self, paths: set[Path]) -> None:
        """Remove these members."""
        outermost = {path for path in paths if not any(path[:end] in paths for end in range(1, len(path)))}
        # The last elements of an array first, so that the others keep their places meanwhile.
        for path in sorted(outermost, key=lambda path: [(isinstance(part, str), part) for part in path], reverse=True):
            self._remove(path)

    def _remove(self, path: Path) -> None:
        node: Json = self.value
        pointer = ""
        for position, part in enumerate(path, start=1):
            last = position == len(path)
            match node, part:
                case list(), int():
                    places = self._places.setdefault(id(node), list(range(len(node))))
                    pointer += f"/{places[part]}"
                    node = _taken(node, part, places) if last else node[part]
                case dict(), str():
                    pointer += f"/{_escaped(part)}"
                    node = node.pop(part) if last else node[part]
                case _:
                    return
        self.removed.append(pointer)

    def _copy(self, value: Json, at: str, level: int = 1) -> Json:
        match value:
            case dict() | list() if level > _MAX_DEPTH:
                self.removed.append(at)
                return {} if isinstance(value, dict) else []
            case dict():
                return {name: self._copy(item, f"{at}/{_escaped(name)}", level + 1) for name, item in value.items()}
            case list():
                return [self._copy(item, f"{at}/{index}", level + 1) for index, item in enumerate(value)]
            case _:
                return value


def _taken(array: list[Json], index: int, places: list[int]) -> Json:
    places.pop(index)
    return array.pop(index)


def _offenders(value: Structure, validator: Validator) -> set[Path]:
    """The members that a schema does not allow; for what is missing, the object that lacks it."""
    paths: set[Path] = set()
    for problem in islice(validator.problems(value), _MAX_PROBLEMS):
        paths |= {(*problem.path, name) for name in problem.surplus} or {problem.path}
    return paths


def _escaped(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")
