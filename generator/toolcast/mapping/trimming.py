"""Trimming: how much of a draft is published, so that a tool stays within its budget."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, TypeVar

from toolcast.mapping.drafts import EXAMPLE, NOTES, TEXT, fields_note, notes_of, text_of, values_note
from toolcast.mapping.texts import shorten
from toolcast.model.json import Json, JsonObject
from toolcast.model.limits import ARGUMENT_DESCRIPTION

T = TypeVar("T")

WHOLE: Final = 1_000  # deeper than anything
ALL: Final = 1_000_000  # more than any enumeration has
_NAMES: Final = 600  # characters of the names of fields, or of values, that are told in place of their schemas


class Aim(NamedTuple):
    """How much a schema may say.

    ``text`` are the characters of a text. ``optional`` and ``depth`` are the levels of optional objects and of any
    objects; deeper ones become free-form and name their fields in ``names`` characters. Of a union whose objects are
    that deep, ``branches`` are told apart, each with its tag. An enumeration of more than ``values`` values is told by
    some of them, in as many characters. Without ``rules`` there is the type and nothing more.
    """

    text: int = ARGUMENT_DESCRIPTION
    optional: int = WHOLE
    depth: int = WHOLE
    names: int = _NAMES
    branches: int = 20
    values: int = ALL
    examples: bool = True
    rules: bool = True


class _Look(NamedTuple):
    """An aim, and the number of what it says apart from its levels."""

    aim: Aim
    number: int


def first(items: Sequence[T], test: Callable[[T], bool]) -> T | None:
    """The first item that passes, where all that follow one that passes do; None when none does."""
    low, high = 0, len(items)
    while low < high:
        middle = (low + high) // 2
        if test(items[middle]):
            high = middle
        else:
            low = middle + 1
    return items[low] if low < len(items) else None


class Trimmer:
    """Trims drafts that share parts; each shared part is trimmed once for each aim that concerns it."""

    def __init__(self) -> None:
        # The draft that a key's identity belongs to is held with the result, so that no other takes its identity.
        self._known: dict[tuple[int, int, int, int, bool], tuple[JsonObject, JsonObject]] = {}
        self._heights: dict[int, tuple[JsonObject, int]] = {}
        self._looks: dict[Aim, _Look] = {}
        self._numbers: dict[Aim, int] = {}  # of aims apart from their levels
        self._named: dict[int, str] = {}
        self.names: dict[int, str] = {}  # of what was made, by identity

    def name(self, draft: JsonObject, name: str) -> None:
        """Remember what the document calls a draft, which has to stay."""
        self._named[id(draft)] = name

    def named_as(self, draft: JsonObject, other: JsonObject) -> None:
        """Remember that the document calls a draft as it calls another, if it does; both have to stay."""
        if id(other) in self._named:
            self._named[id(draft)] = self._named[id(other)]

    def trimmed(self, draft: JsonObject, aim: Aim, *, required: bool) -> JsonObject:
        """The draft as a schema; an object too deep becomes free-form and names its fields."""
        look = self._looks.get(aim)
        if look is None:
            number = self._numbers.setdefault(aim._replace(optional=0, depth=0), len(self._numbers))
            look = self._looks[aim] = _Look(aim, number)
        return self._trimmed(draft, look, aim.optional, aim.depth, required)

    def _trimmed(self, draft: JsonObject, look: _Look, optional: int, depth: int, required: bool) -> JsonObject:
        height = self._height(draft)
        optional = optional if optional < height else WHOLE
        depth = depth if depth < height else WHOLE
        required = required or optional == WHOLE
        key = (id(draft), look.number, optional, depth, required)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = (draft, self._made(draft, look, optional, depth, required))
            if id(draft) in self._named:
                self.names[id(known[1])] = self._named[id(draft)]
        return known[1]

    def _made(self, draft: JsonObject, look: _Look, optional: int, depth: int, required: bool) -> JsonObject:
        aim = look.aim
        if not aim.rules:
            return _bare(draft, aim)
        if depth <= 0 or (optional <= 0 and not required):
            free = _free_form(draft, aim)
            if free is not None:
                return free
        result: JsonObject = {}
        notes: list[str] = []
        for key, value in draft.items():
            match value:
                case dict() if key in ("items", "propertyNames"):
                    result[key] = self._trimmed(value, look, optional, depth, required)
                case dict() if key == "additionalProperties":
                    result[key] = self._trimmed(value, look, optional - 1, depth - 1, False)
                case list() if key in ("anyOf", "prefixItems"):
                    parts = [part for part in value if isinstance(part, dict)]
                    result[key] = [self._trimmed(part, look, optional, depth, required) for part in parts]
                case dict() if key == "properties":
                    listed = draft.get("required")
                    needed = listed if isinstance(listed, list) else ()
                    result[key] = {
                        name: self._trimmed(part, look, optional - 1, depth - 1, required and name in needed)
                        for name, part in value.items()
                        if isinstance(part, dict)
                    }
                case list() if key == "enum" and len(value) > aim.values:
                    notes = [values_note(value, aim.names)]
                case _ if key == EXAMPLE and aim.examples:
                    result["examples"] = [value]
                case _ if key not in (TEXT, NOTES, EXAMPLE):
                    result[key] = value
                case _:
                    pass
        told = _description(draft, aim.text, notes)
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


def _description(draft: JsonObject, limit: int, notes: list[str]) -> str:
    words = shorten(text_of(draft), limit) if limit else ""
    return "\n".join(part for part in (words, *notes_of(draft), *notes) if part)


def _bare(draft: JsonObject, aim: Aim) -> JsonObject:
    """The type, and a few words."""
    kinds, words = draft.get("type"), shorten(text_of(draft), aim.text) if aim.text else ""
    result: JsonObject = {} if kinds is None else {"type": kinds}
    if kinds == "array" or (isinstance(kinds, list) and "array" in kinds):
        result["items"] = {}
    return {**result, "description": words} if words else result


def _free_form(draft: JsonObject, aim: Aim) -> JsonObject | None:
    """An object that takes anything and names its fields, for an object or a union of many; None for anything else."""
    fields = draft.get("properties")
    if isinstance(fields, dict) and fields:
        return _open(draft.get("type", "object"), draft, aim, list(fields))
    listed = draft.get("anyOf")
    branches = [b for b in listed if isinstance(b, dict) and b != {"type": "null"}] if isinstance(listed, list) else []
    names: dict[str, None] = {}
    for branch in branches:
        inner = branch.get("properties")
        if branch.get("type") != "object" or not isinstance(inner, dict):
            return None
        names |= dict.fromkeys(inner)
    if len(branches) <= aim.branches:
        return None
    nullable = isinstance(listed, list) and {"type": "null"} in listed
    return _open(["object", "null"] if nullable else "object", draft, aim, list(names), _tags(branches))


def _open(kind: Json, draft: JsonObject, aim: Aim, names: list[str], notes: list[str] | None = None) -> JsonObject:
    tagged = _tagged(draft)
    tags = tagged.get("properties")
    others = [name for name in names if not isinstance(tags, dict) or name not in tags]
    description = _description(draft, aim.text, [*(notes or []), *fields_note(others, aim.names)])
    return {"type": kind, **tagged, **({"description": description} if description else {})}


def _tagged(draft: JsonObject) -> JsonObject:
    """The fields that can have one value only: by them the branches of a union are told apart."""
    fields, listed = draft.get("properties"), draft.get("required")
    tags: JsonObject = {
        name: {key: field[key] for key in ("type", "enum") if key in field}
        for name, field in (fields.items() if isinstance(fields, dict) else ())
        if isinstance(field, dict) and _only(field) is not None
    }
    needed: list[Json] = [name for name in listed if name in tags] if isinstance(listed, list) else []
    found: JsonObject = {"properties": tags} if tags else {}
    return {**found, "required": needed} if needed else found


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
