"""Inclusion: whether one schema accepts everything that another tells of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Final

from toolcast.contract.forms import (
    OPAQUE,
    Form,
    Interval,
    Plain,
    Values,
    accepts,
    as_schema,
    distinct,
    field,
    forms,
    identical,
    interval,
    listed,
    members,
    number,
    refers,
)
from toolcast.model.json import Json, JsonObject

_DEEPEST: Final = 30  # levels below which schemas have to be written the same
_PIECES: Final = 128  # into which an object is taken apart at most, to find each in another branch of a union
# Formats of which every value has the other format, too (RFC 3986, 3987, 5890, 6531).
_WIDER: Final[Mapping[str, tuple[str, ...]]] = {
    "uri": ("iri", "uri-reference", "iri-reference"),
    "iri": ("iri-reference",),
    "uri-reference": ("iri-reference",),
    "email": ("idn-email",),
    "hostname": ("idn-hostname",),
    "int32": ("int64",),
}
# Formats that say how a value is kept or shown, not which values there are.
_NO_RULE: Final = frozenset(["int64", "float", "double", "decimal", "password", "textarea", "html", "markdown", ""])


class Inclusion:
    """Compares what one document's schemas tell of with what another's accept; references stay in their document.

    An object that has fields and says nothing of further ones tells of no further ones, and accepts them.
    """

    def __init__(self, left: Json, right: Json) -> None:
        self._left = left
        self._right = right
        self._depth = 0
        self._alike_roots = identical(members(left).get("$defs"), members(right).get("$defs"))
        # The schemas of a key's identities are held with the result, so that no others take their identities.
        self._known: dict[tuple[int, int], tuple[Json, Json, bool]] = {}
        self._vacant: dict[int, tuple[Json, bool]] = {}
        self._forms: dict[tuple[int, bool], tuple[Json, list[Form]]] = {}

    def included(self, left: Json, right: Json) -> bool:
        """Does ``right`` accept all that ``left`` tells of?"""
        key = (id(left), id(right))
        known = self._known.get(key)
        if known is None:
            self._known[key] = (left, right, True)  # for schemas that contain themselves: until shown otherwise
            known = self._known[key] = (left, right, self._includes(left, right))
        return known[2]

    def _includes(self, left: Json, right: Json) -> bool:
        if identical(left, right) and (self._alike_roots or not refers(left)):
            return True
        if self._depth >= _DEEPEST:
            return False
        self._depth += 1
        try:
            return all(self._covered(form, right, _Pieces()) for form in self._of(left, right=False))
        finally:
            self._depth -= 1

    def _of(self, schema: Json, *, right: bool) -> list[Form]:
        key = (id(schema), right)
        known = self._forms.get(key)
        if known is None:
            known = self._forms[key] = (schema, forms(schema, self._right if right else self._left))
        return known[1]

    def _covered(self, form: Form, right: Json, pieces: _Pieces) -> bool:
        if isinstance(form, Values):
            return all(accepts(right, value, self._right) for value in form.values)
        if self._is_vacant(form):
            return True
        others = [other for other in self._of(right, right=True) if other.kind == form.kind]
        plain = [other for other in others if isinstance(other, Plain)]
        if any(self._within(form, other) for other in plain):
            return True
        if form.kind in ("number", "string"):
            return covers(interval(form), [_interval(other, form) for other in plain if self._alike(form, other)])
        return form.kind == "object" and len(others) > 1 and self._in_pieces(form, right, plain, pieces)

    def _within(self, form: Plain, other: Plain) -> bool:
        """Does one form accept all that another of its kind tells of?"""
        if not self._alike(form, other):
            return False
        if form.kind == "array":
            return self._list_within(form, other)
        if form.kind == "object":
            return self._object_within(form, other)
        return covers(interval(form), [_interval(other, form)])

    def _alike(self, form: Plain, other: Plain) -> bool:
        """Does one form have every rule of another, but for bounds and what is inside?"""
        mine, theirs = form.schema, other.schema
        if any(mine.get(key) != value for key, value in theirs.items() if key in OPAQUE):
            return False
        if form.kind == "string":
            patterns = listed(mine.get("pattern"))
            if any(pattern not in patterns for pattern in listed(theirs.get("pattern"))):
                return False
        if form.kind in ("string", "number"):
            named = listed(mine.get("format"))
            if not all(any(narrows(own, name) for own in (*named, None)) for name in listed(theirs.get("format"))):
                return False
        if form.kind == "number":
            steps = _steps(form)
            return all(any(own % step == 0 for own in steps) for step in _steps(other))
        return True

    def _list_within(self, form: Plain, other: Plain) -> bool:
        mine, theirs = form.schema, other.schema
        low, high = self._lengths(form)
        first, firsts = listed(mine.get("prefixItems")), listed(theirs.get("prefixItems"))
        rest, others = mine.get("items", True), theirs.get("items", True)
        for at in range(max(len(first), len(firsts)) + 1):
            if high <= (at + 1, 0):
                break
            item = first[at] if at < len(first) else rest
            if self._takes_nothing(item):
                high = (number(at + 1), 0)
                break
            if not self.included(item, firsts[at] if at < len(firsts) else others):
                return False
        if theirs.get("uniqueItems") is True and mine.get("uniqueItems") is not True and high > (number(2), 0):
            return False
        return covers((low, high), [interval(other)])

    def _lengths(self, form: Plain) -> Interval:
        """The lengths of a list; where no item comes twice, there are no more than there are values."""
        low, high = interval(form)
        if form.schema.get("uniqueItems") is True and "prefixItems" not in form.schema:
            items = self._of(form.schema.get("items", True), right=False)
            if all(isinstance(item, Values) for item in items):
                values = [value for item in items if isinstance(item, Values) for value in item.values]
                high = min(high, (number(len(distinct(values)) + 1), 0))
        return low, high

    def _object_within(self, form: Plain, other: Plain) -> bool:
        mine, theirs = form.schema, other.schema
        needed = [name for name in listed(mine.get("required")) if isinstance(name, str)]
        if any(name not in needed for name in listed(theirs.get("required"))):
            return False
        named = {**members(mine.get("properties")), **dict.fromkeys(needed)}
        told = [name for name in named if self._may_have(mine, name)]
        if not all(self.included(_own(mine, name), field(theirs, name, closed=False)) for name in told):
            return False
        rest = mine.get("additionalProperties", not members(mine.get("properties")))
        free = not self._takes_nothing(rest)
        if free:
            unknown = [part for name, part in members(theirs.get("properties")).items() if name not in named]
            if not all(self.included(rest, part) for part in (*unknown, theirs.get("additionalProperties", True))):
                return False
        low, high = interval(form)
        if not free:
            high = min(high, (number(len(told) + 1), 0))
        low = max(low, (number(len(set(needed))), 0))
        return self._names_within(mine, theirs, None if free else told) and covers((low, high), [interval(other)])

    def _names_within(self, mine: JsonObject, theirs: JsonObject, told: Sequence[str] | None) -> bool:
        names = theirs.get("propertyNames")
        if names is None:
            return True
        if told is not None:
            return all(accepts(names, name, self._right) for name in told)
        return self.included({"allOf": [mine.get("propertyNames", True), {"type": "string"}]}, names)

    def _may_have(self, schema: JsonObject, name: str) -> bool:
        """Can an object have this field at all?"""
        named = "propertyNames" not in schema or accepts(schema["propertyNames"], name, self._left)
        return named and not self._takes_nothing(_own(schema, name))

    def _in_pieces(self, form: Plain, right: Json, others: Sequence[Plain], pieces: _Pieces) -> bool:
        """Is each part of an object's values in some branch, taken apart by one of its fields after the other?"""
        schema = form.schema
        needed = listed(schema.get("required"))
        for name in members(schema.get("properties")):
            own = _own(schema, name)
            told = [field(other.schema, name, closed=False) for other in others]
            optional = name not in needed
            parts = _parts(self._of(own, right=False))
            if len(parts) + optional < 2 or all(one == own for one in told):
                continue
            if not pieces.take(len(parts) + optional):
                return False
            made = [_with(schema, name, part) for part in parts]
            if optional:
                made = [{**one, "required": [*needed, name]} for one in made] + [_with(schema, name, False)]
            return all(self._covered(replace(form, schema=one), right, pieces) for one in made)
        return False

    def _takes_nothing(self, schema: Json) -> bool:
        known = self._vacant.get(id(schema))
        if known is None:
            self._vacant[id(schema)] = (schema, False)
            found = all(self._is_vacant(form) for form in self._of(schema, right=False))
            known = self._vacant[id(schema)] = (schema, found)
        return known[1]

    def _is_vacant(self, form: Form) -> bool:
        """Is there no value of a form?"""
        if isinstance(form, Values):
            return not form.values
        low, high = self._lengths(form) if form.kind == "array" else interval(form)
        if low >= high:
            return True
        schema = form.schema
        if form.kind == "array" and low > (0, 0):
            first = listed(schema.get("prefixItems"))
            return self._takes_nothing(first[0] if first else schema.get("items", True))
        if form.kind == "object":
            needed = {name for name in listed(schema.get("required")) if isinstance(name, str)}
            return any(self._takes_nothing(field(schema, name, closed=False)) for name in needed) or (
                high <= (len(needed), 0)
            )
        return False


class _Pieces:
    """How many pieces may still be made."""

    def __init__(self) -> None:
        self._left = _PIECES

    def take(self, count: int) -> bool:
        """Make so many, if they may be made."""
        self._left -= count
        return self._left >= 0


def _own(schema: JsonObject, name: str) -> Json:
    """What an object tells of a field; one that it needs it tells of."""
    return field(schema, name, closed=name not in listed(schema.get("required")))


def _steps(form: Plain) -> list[Fraction]:
    """The numbers of which all numbers of a form are multiples."""
    steps = [Fraction(number(step)) for step in listed(form.schema.get("multipleOf"))]
    return [step for step in steps if step] + ([Fraction(1)] if form.integer else [])


def _interval(other: Plain, form: Plain) -> Interval:
    """The interval of one form in the terms of another: whole numbers among themselves."""
    return interval(replace(other, integer=other.integer or form.integer))


def covers(whole: Interval, parts: Iterable[Interval]) -> bool:
    """Is an interval in others together?"""
    at, end = whole
    for low, high in sorted(parts):
        if at >= end or low > at:
            break
        at = max(at, high)
    return at >= end


def narrows(own: Json, other: Json) -> bool:
    """Does a format, None for any value, leave only values that another one leaves?"""
    if not isinstance(other, str) or other in _NO_RULE or own == other:
        return True
    return isinstance(own, str) and other in _WIDER.get(own, ())


def _parts(found: Sequence[Form]) -> list[Json]:
    """A field's values in parts: one by one where they are few, else by kind."""
    parts: list[Json] = []
    for form in found:
        if isinstance(form, Values):
            parts.extend({"enum": [value]} for value in form.values)
        else:
            parts.append(as_schema(form))
    return parts


def _with(schema: JsonObject, name: str, part: Json) -> JsonObject:
    """An object of which a field is a part of what it was."""
    return {**schema, "properties": {**members(schema.get("properties")), name: part}}
