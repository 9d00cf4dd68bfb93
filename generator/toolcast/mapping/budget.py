"""Budgets: what of a tool's arguments is published, so that the tool is not larger than it may be.

What is cut is still sent as it is given: a cut takes away what the schema tells and checks, never what a call can say.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple, TypeAlias

from toolcast.mapping.arguments import Argument, moved_text, published
from toolcast.mapping.definitions import distinct_within, shared
from toolcast.mapping.schemas import Schemas
from toolcast.mapping.trimming import Aim, first
from toolcast.model.json import Json, JsonObject, Schema
from toolcast.model.limits import ARGUMENT_DESCRIPTION, TOOL_CHARACTERS

Cut: TypeAlias = Literal["texts", "definitions", "objects", "enumerations", "rules"]

# In which order arguments move when there is room for some only: those of these places last, deprecated ones first.
_PLACES: Final = ("body", "querystring", "query", "header", "cookie")
_MANY_TOKENS: Final = 1_000  # with less, a schema cannot have too many characters


class Step(NamedTuple):
    """A step of cutting: what it gives up beside what the steps before it have, and what is left.

    ``own`` are the characters of an argument's own text, ``aim`` says how much of its schema is told.
    """

    cut: Cut
    aim: Aim = Aim()
    own: int = ARGUMENT_DESCRIPTION

    def objects(self, *, optional: int | None = None, depth: int | None = None) -> Step:
        """The step after this one, with fewer levels of objects."""
        levels = {"optional": optional, "depth": depth}
        given = {name: level for name, level in levels.items() if level is not None}
        return Step("objects", self.aim._replace(**given), self.own)


_WHOLE: Final = Step("texts")
_LIGHT: Final = (
    _WHOLE,
    Step("texts", Aim(examples=False)),
    Step("texts", Aim(examples=False, text=120)),
)


def _deep() -> tuple[Step, ...]:
    """Deep optional objects become free-form; then, each a little, other things give way, the worst loss last."""
    steps = list(_LIGHT)
    for level in (6, 5, 4, 3, 2, 1):
        steps.append(steps[-1].objects(optional=level))
    steps.append(Step("enumerations", steps[-1].aim._replace(values=40)))
    for level in (6, 5, 4, 3, 2):
        steps.append(steps[-1].objects(depth=level))
    steps.append(Step("texts", steps[-1].aim, own=300))
    steps.append(steps[-1].objects(optional=0))
    steps.append(Step("texts", steps[-1].aim._replace(names=300), own=160))
    return tuple(steps)


def _last() -> tuple[Step, ...]:
    """What the arguments give up that cannot move, when they alone are too large."""
    steps = [_STEPS[-1]]
    steps.append(steps[-1].objects(depth=1))
    steps.append(Step("enumerations", steps[-1].aim._replace(values=15), steps[-1].own))
    steps.append(steps[-1].objects(depth=0))
    steps.append(Step("objects", steps[-1].aim._replace(branches=4), steps[-1].own))
    steps.append(Step("texts", steps[-1].aim._replace(text=60, names=200), own=80))
    steps.append(Step("rules", steps[-1].aim._replace(text=0, rules=False), own=60))
    return tuple(steps)


_STEPS: Final = _deep()
_LAST: Final = _last()
_MOVED_TEXTS: Final = (80, 40)  # characters of the text of an argument that has moved, where there is room
_WORTH_A_TEXT: Final = 0.6  # of the arguments that could stay if the others had none


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """What an input schema may cost: tokens, and characters as clients count them.

    ``shares`` says that what it says several times is told once, also where there is room.
    """

    tokens: int
    characters: int = TOOL_CHARACTERS
    shares: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitted:
    """The input schema within a budget, if it ``fits``, and what was cut for that.

    ``more`` is the argument that holds those that have ``moved``; ``whole`` is the schema as if none had, without
    definitions.
    """

    schema: Schema
    whole: Schema
    more: str = ""
    moved: frozenset[str] = frozenset()
    cuts: frozenset[Cut] = frozenset()
    fits: bool = True


def fitted(arguments: Sequence[Argument], schemas: Schemas, room: Room) -> Fitted:
    """The schema of a tool's arguments, after as few cuts as do; the smallest when none does."""
    return _Budget(arguments, schemas, room).fitted()


class _Budget:
    """The arguments of one tool, each published once for each step."""

    def __init__(self, arguments: Sequence[Argument], schemas: Schemas, room: Room) -> None:
        self._arguments = arguments
        self._schemas = schemas
        self._room = room
        self._published: dict[tuple[str, int], JsonObject] = {}  # by the identity of the step, which stays
        names = {argument.name for argument in arguments}
        choices = ("more", "more_arguments", *(f"more_arguments_{number}" for number in range(2, len(names) + 3)))
        self._more = next(name for name in choices if name not in names)
        movable = [a for a in arguments if a.place in _PLACES and not a.required]
        self._movable = sorted(movable, key=lambda a: (a.deprecated, _PLACES.index(a.place)))

    def fitted(self) -> Fitted:
        """The schema after as few cuts as do."""
        whole = self._root(_WHOLE)
        plain = self._shared(_WHOLE) if self._room.shares else whole
        if self._fits(plain):
            return Fitted(schema=plain, whole=whole)
        step = first(_LIGHT, lambda step: self._fits(self._root(step)))
        if step is None and self._may_share():
            step = first(_LIGHT, lambda step: self._fits(self._shared(step)))
            if step is not None:
                cuts: set[Cut] = {*self._cuts(step), "definitions"}
                return Fitted(schema=self._shared(step), whole=self._root(step), cuts=frozenset(cuts))
        if step is None:
            step = first(_STEPS[len(_LIGHT) :], lambda step: self._fits(self._root(step)))
        if step is None:
            return self._with_more()
        schema = self._root(step)
        return Fitted(schema=schema, whole=schema, cuts=frozenset(self._cuts(step)))

    def _with_more(self) -> Fitted:
        """As many arguments as there is room for, the others moved."""
        step = first(_LAST, lambda step: self._fits(self._root(step, 0))) or _LAST[-1]
        text, kept = 0, self._room_for(step, 0)
        for longer in _MOVED_TEXTS:
            fewer = self._room_for(step, longer)
            if fewer >= kept * _WORTH_A_TEXT and self._fits(self._root(step, fewer, longer)):
                text, kept = longer, fewer
                break
        moved = frozenset(argument.name for argument in self._movable[kept:])
        return Fitted(
            schema=self._root(step, kept, text),
            whole=self._root(step),
            more=self._more if moved else "",
            moved=moved,
            cuts=frozenset(self._cuts(step)),
            fits=self._fits(self._root(step, kept, text)),
        )

    def _room_for(self, step: Step, text: int) -> int:
        """How many of the movable arguments can stay, when the others are told by so many characters each."""
        counts = range(len(self._movable), -1, -1)
        return first(counts, lambda count: self._fits(self._root(step, count, text))) or 0

    def _fits(self, schema: JsonObject) -> bool:
        tokens = self._schemas.sizes.tokens(schema)
        if tokens > self._room.tokens:
            return False
        return tokens <= _MANY_TOKENS or len(json.dumps(schema, ensure_ascii=False)) <= self._room.characters

    def _root(self, step: Step, kept: int | None = None, text: int = 0) -> JsonObject:
        """The schema at a step, with so many of the movable arguments in it, and the others in one."""
        moved = self._movable[kept:] if kept is not None else []
        names = {argument.name for argument in moved}
        staying = [argument for argument in self._arguments if argument.name not in names]
        properties: JsonObject = {argument.name: self._argument(argument, step) for argument in staying}
        if moved:
            told = moved_text([argument for argument in self._arguments if argument.name in names], text)
            properties[self._more] = {"type": "object", "description": told}
        required: list[Json] = [argument.name for argument in staying if argument.required]
        root: JsonObject = {"type": "object", "properties": properties, "additionalProperties": False}
        return self._schemas.with_definitions({**root, "required": required} if required else root, step.aim)

    def _argument(self, argument: Argument, step: Step) -> JsonObject:
        key = (argument.name, id(step))
        made = self._published.get(key)
        if made is None:
            made = self._published[key] = published(argument, self._schemas, step.aim, step.own)
        return made

    def _may_share(self) -> bool:
        """Is repetition what takes the tool over its budget? Two references to one schema are two objects yet."""
        return distinct_within(self._root(_LIGHT[-1]), self._schemas.sizes, 2 * self._room.tokens) and self._fits(
            self._shared(_LIGHT[-1])
        )

    def _shared(self, step: Step) -> JsonObject:
        """The schema at a step, with what it says several times in definitions."""
        names = {
            id(self._argument(a, step)): self._schemas.name_of(
                self._schemas.trimmed(a.draft, step.aim, required=a.required)
            )
            for a in self._arguments
        }
        return shared(
            self._root(step), self._schemas.sizes, lambda schema: names.get(id(schema)) or self._schemas.name_of(schema)
        )

    def _cuts(self, last: Step) -> set[Cut]:
        """What was really given up on the way to a step."""
        steps = (*_STEPS, *_LAST[1:])
        steps = steps[: steps.index(last) + 1]
        # Of steps that give up the same, one after the other, the last says whether there was something to give up.
        ends = [
            step for step, after in zip(steps, (*steps[1:], None), strict=True) if not after or step.cut != after.cut
        ]
        sizes = [self._schemas.sizes.tokens(self._root(step)) for step in (_WHOLE, *ends)]
        return {step.cut for step, before, after in zip(ends, sizes, sizes[1:], strict=False) if before != after}
