"""Trimming: how much of a draft is published, so that a tool stays within its budget."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from toolcast.mapping.drafts import EXAMPLE, NOTES, TEXT, fields_note, notes_of, text_of
from toolcast.mapping.texts import shorten
from toolcast.mapping.tokens import Sizes
from toolcast.model.json import Json, JsonObject
from toolcast.model.limits import ARGUMENT_DESCRIPTION

WHOLE: Final = 1_000  # deeper than anything
_TOLD_APART: Final = 4  # branches of a union that are each told, even when their objects are too deep


@dataclass(frozen=True, slots=True)
class Aim:
    """How much a schema may say: characters of text, levels of optional objects and of any objects, examples."""

    text: int = ARGUMENT_DESCRIPTION
    optional: int = WHOLE
    depth: int = WHOLE
    examples: bool = True


def first_within(aims: Sequence[Aim], made: Callable[[Aim], JsonObject], sizes: Sizes, budget: int) -> Aim:
    """The first aim at which what is made is within a budget, else the last; each gives less than the one before."""
    low, high = 0, len(aims) - 1
    while low < high:
        # Most are within their budget at once.
        middle = 0 if (low, high) == (0, len(aims) - 1) else (low + high) // 2
        if sizes.tokens(made(aims[middle])) <= budget:
            high = middle
        else:
            low = middle + 1
    return aims[low]


class Trimmer:
    """Trims drafts that share parts; each shared part is trimmed once for each aim that concerns it."""

    def __init__(self) -> None:
        # The draft that a key's identity belongs to is held with the result, so that no other takes its identity.
        self._known: dict[tuple[int, int, int, int, bool, bool], tuple[JsonObject, JsonObject]] = {}
        self._heights: dict[int, tuple[JsonObject, int]] = {}

    def trimmed(self, draft: JsonObject, aim: Aim, *, required: bool) -> JsonObject:
        """The draft as a schema; an object too deep becomes free-form and names its fields."""
        return self._trimmed(draft, aim.text, aim.optional, aim.depth, aim.examples, required)

    def _trimmed(
        self, draft: JsonObject, text: int, optional: int, depth: int, examples: bool, required: bool
    ) -> JsonObject:
        height = self._height(draft)
        optional = optional if optional < height else WHOLE
        depth = depth if depth < height else WHOLE
        required = required or optional == WHOLE
        key = (id(draft), text, optional, depth, examples, required)
        known = self._known.get(key)
        if known is None:
            made = self._made(draft, text, optional, depth, examples, required)
            known = self._known[key] = (draft, made)
        return known[1]

    def _made(
        self, draft: JsonObject, text: int, optional: int, depth: int, examples: bool, required: bool
    ) -> JsonObject:
        if depth <= 0 or (optional <= 0 and not required):
            free = _free_form(draft, text)
            if free is not None:
                return free
        result: JsonObject = {}
        for key, value in draft.items():
            match value:
                case dict() if key in ("items", "propertyNames"):
                    result[key] = self._trimmed(value, text, optional, depth, examples, required)
                case dict() if key == "additionalProperties":
                    result[key] = self._trimmed(value, text, optional - 1, depth - 1, examples, False)
                case list() if key in ("anyOf", "prefixItems"):
                    inner = [part for part in value if isinstance(part, dict)]
                    result[key] = [self._trimmed(part, text, optional, depth, examples, required) for part in inner]
                case dict() if key == "properties":
                    listed = draft.get("required")
                    needed = listed if isinstance(listed, list) else ()
                    result[key] = {
                        name: self._trimmed(part, text, optional - 1, depth - 1, examples, required and name in needed)
                        for name, part in value.items()
                        if isinstance(part, dict)
                    }
                case _ if key == EXAMPLE and examples:
                    result["examples"] = [value]
                case _ if key not in (TEXT, NOTES, EXAMPLE):
                    result[key] = value
                case _:
                    pass
        told = _description(draft, text)
        return {**result, "description": told} if told else result

    def _height(self, draft: JsonObject) -> int:
        """How many levels of objects with fields are in a draft."""
        known = self._heights.get(id(draft))
        if known is None:
            below = 0
            for key, value in draft.items():
                match value:
                    case dict() if key in ("items", "propertyNames"):
                        below = max(below, self._height(value))
                    case dict() if key == "additionalProperties":
                        below = max(below, 1 + self._height(value))
                    case list() if key in ("anyOf", "prefixItems"):
                        below = max(below, *(self._height(part) for part in value if isinstance(part, dict)), 0)
                    case dict() if key == "properties":
                        inner = (self._height(part) for part in value.values() if isinstance(part, dict))
                        below = max(below, 1 + max(inner, default=0))
                    case _:
                        pass
            known = self._heights[id(draft)] = (draft, below)
        return known[1]


def _description(draft: JsonObject, limit: int) -> str:
    words = shorten(text_of(draft), limit) if limit else ""
    return "\n".join(part for part in (words, *notes_of(draft)) if part)


def _free_form(draft: JsonObject, limit: int) -> JsonObject | None:
    """An object that takes anything and names its fields, for an object or a union of many; None for anything else."""
    fields = draft.get("properties")
    if isinstance(fields, dict) and fields:
        return _open(draft.get("type", "object"), draft, limit, list(fields))
    listed = draft.get("anyOf")
    branches = [b for b in listed if isinstance(b, dict) and b != {"type": "null"}] if isinstance(listed, list) else []
    names: dict[str, None] = {}
    for branch in branches:
        inner = branch.get("properties")
        if branch.get("type") != "object" or not isinstance(inner, dict):
            return None
        names |= dict.fromkeys(inner)
    if len(branches) <= _TOLD_APART:
        return None
    nullable = isinstance(listed, list) and {"type": "null"} in listed
    return _open(["object", "null"] if nullable else "object", draft, limit, list(names), _tags(branches))


def _open(kind: Json, draft: JsonObject, limit: int, names: list[str], notes: list[str] | None = None) -> JsonObject:
    told = [_description(draft, limit), *(notes or []), *fields_note(names)]
    description = "\n".join(part for part in told if part)
    return {"type": kind} | ({"description": description} if description else {})


def _tags(branches: list[JsonObject]) -> list[str]:
    """The note that tells the values of the field by which the branches of a union differ."""
    fields = [branch["properties"] for branch in branches]
    first = fields[0]
    for name in first if isinstance(first, dict) else ():
        values = [_only(field.get(name)) if isinstance(field, dict) else None for field in fields]
        if all(value is not None for value in values) and len(set(values)) > 1:
            return [f"`{name}` is one of {shorten(', '.join(str(value) for value in values), 300)}."]
    return []


def _only(schema: Json) -> str | None:
    values = schema.get("enum") if isinstance(schema, dict) else None
    first = values[0] if isinstance(values, list) and len(values) == 1 else None
    return first if isinstance(first, str) else None
