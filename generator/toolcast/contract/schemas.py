"""Differences of schemas: what a change of one means for the values that go by it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from toolcast.contract.forms import OPAQUE, contains, field, identical, listed, members, number, refers, resolved, same
from toolcast.contract.inclusion import Inclusion, narrows
from toolcast.contract.texts import bare
from toolcast.model.contract import Kind
from toolcast.model.json import Json, JsonObject

# Bounds of which the greater one leaves less; of the others the smaller one does.
_LEAST: Final = ("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties", "multipleOf")
_MOST: Final = ("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties")
_TYPES: Final = ("null", "boolean", "integer", "number", "string", "array", "object")
_UNIONS: Final = ("anyOf", "oneOf")
_DEEPEST: Final = 40  # levels below which it is only told that something is different


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """What is different at a place; ``narrower``: something is not accepted any more, ``wider``: something new is."""

    kind: Kind
    where: str
    before: Json
    after: Json
    narrower: bool = False
    wider: bool = False


def differences(old: Json, new: Json, where: str, *, each: bool) -> list[Difference]:
    """The differences of two whole schemas in what they accept, each at its place below ``where``; none in texts.

    ``each`` tells of each field of the two, also where one has none.
    """
    old, new = bare(old), bare(new)
    return _Differ(old, new).at(old, new, where, each=each)


class _Differ:
    """Goes through two schemas side by side."""

    def __init__(self, old: Json, new: Json) -> None:
        self._old = old
        self._new = new
        self._forward = Inclusion(old, new)
        self._backward = Inclusion(new, old)
        self._alike_roots = identical(members(old).get("$defs"), members(new).get("$defs"))
        self._open: set[tuple[int, int]] = set()  # where references have led already

    def at(self, old: Json, new: Json, where: str, *, each: bool = False) -> list[Difference]:
        """The differences at a place and below; those that change nothing for any value of this place say so."""
        was, now = resolved(old, self._old), resolved(new, self._new)
        key = (id(was), id(now))
        if key in self._open or (identical(was, now) and (self._alike_roots or not refers(was))):
            return []
        self._open.add(key)
        try:
            found = [*self._found(was, now, where, each)]
        finally:
            self._open.remove(key)
        narrower, wider = not self._forward.included(was, now), not self._backward.included(now, was)
        if (narrower and not any(d.narrower for d in found)) or (wider and not any(d.wider for d in found)):
            told = Difference(kind="schema", where=where, before=was, after=now, narrower=narrower, wider=wider)
            found.append(told)
        return [replace(d, narrower=d.narrower and narrower, wider=d.wider and wider) for d in found]

    def _found(self, old: Json, new: Json, where: str, each: bool) -> Iterator[Difference]:
        if where.count(".") + where.count("[") > _DEEPEST:
            return
        before, after = self._branches(old, self._old), self._branches(new, self._new)
        if len(before) == len(after) == 1:
            yield from self._plain(before[0], after[0], where, each)
        else:
            yield from self._union(before, after, where)

    def _branches(self, schema: Json, root: Json) -> list[Json]:
        """The branches of a union, or the schema itself as the only one."""
        if isinstance(schema, dict):
            for key in _UNIONS:
                if key in schema and not any(other not in ("$defs", "type", key) for other in schema):
                    return [resolved(branch, root) for branch in listed(schema[key])]
        return [schema]

    def _union(self, before: Sequence[Json], after: Sequence[Json], where: str) -> Iterator[Difference]:
        """Branches that are alike are compared, the others have come or gone."""
        gone = [branch for branch in before if not any(identical(branch, other) for other in after)]
        come = [branch for branch in after if not any(identical(branch, other) for other in before)]
        pairs: list[tuple[Json, Json]] = []
        for mark in (_tag, _kinds):
            for branch in [*gone]:
                others = [other for other in come if mark(other) == mark(branch)]
                if (
                    mark(branch) is not None
                    and len(others) == 1
                    and len([b for b in gone if mark(b) == mark(branch)]) == 1
                ):
                    gone.remove(branch)
                    come.remove(others[0])
                    pairs.append((branch, others[0]))
        for one, other in pairs:
            yield from self.at(one, other, where)
        for branch in gone:
            wanted = not self._forward.included(branch, self._whole(after))
            yield Difference(kind="branch-removed", where=where, before=branch, after=None, narrower=wanted)
        for branch in come:
            new = not self._backward.included(branch, self._whole(before))
            yield Difference(kind="branch-added", where=where, before=None, after=branch, wider=new)

    @staticmethod
    def _whole(branches: Sequence[Json]) -> JsonObject:
        return {"anyOf": [*branches]}

    def _plain(self, old: Json, new: Json, where: str, each: bool) -> Iterator[Difference]:
        was, now = _members(old), _members(new)
        if _types(was) != _types(now):
            yield Difference(
                kind="type", where=where, before=was.get("type"), after=now.get("type"),
                narrower=not _types(was) <= _types(now), wider=not _types(now) <= _types(was),
            )  # fmt: skip
        yield from _values(was, now, where)
        yield from _rules(was, now, where)
        yield from self._objects(was, now, where, each)
        yield from self._lists(was, now, where)
        if was.get("propertyNames") != now.get("propertyNames"):
            yield from self.at(was.get("propertyNames", True), now.get("propertyNames", True), f"{where}.*")
        other = {key for key in {**was, **now} if key in OPAQUE or key in (*_UNIONS, "allOf", "$ref")}
        for key in sorted(other):
            if was.get(key) != now.get(key):
                yield Difference(
                    kind="schema", where=where, before={key: was.get(key)}, after={key: now.get(key)},
                    narrower=True, wider=True,
                )  # fmt: skip

    def _lists(self, was: JsonObject, now: JsonObject, where: str) -> Iterator[Difference]:
        first, firsts = listed(was.get("prefixItems")), listed(now.get("prefixItems"))
        rest, others = was.get("items", True), now.get("items", True)
        for at in range(max(len(first), len(firsts))):
            one = first[at] if at < len(first) else rest
            yield from self.at(one, firsts[at] if at < len(firsts) else others, f"{where}[{at}]")
        yield from self.at(rest, others, f"{where}[]")

    def _objects(self, was: JsonObject, now: JsonObject, where: str, each: bool) -> Iterator[Difference]:
        before, after = members(was.get("properties")), members(now.get("properties"))
        told, telling = [*before], [*after]
        if not each and before and not after and "additionalProperties" not in now:
            yield Difference(kind="fields-untold", where=where, before=[*told], after=[], wider=True)
            return
        if not each and after and not before and "additionalProperties" not in was:
            yield Difference(kind="fields-told", where=where, before=[], after=[*telling], narrower=True)
            return
        needed, needing = listed(was.get("required")), listed(now.get("required"))
        for name in {**before, **after}:
            yield from self._field(was, now, name, f"{where}.{name}", name in needed, name in needing)
        rest, others = was.get("additionalProperties"), now.get("additionalProperties")
        if isinstance(rest, dict) and isinstance(others, dict):
            yield from self.at(rest, others, f"{where}.*")
        elif rest != others and not (rest in (None, True) and others in (None, True)):
            closed, closing = rest is False, others is False
            yield Difference(
                kind="more-fields", where=where, before=rest, after=others,
                narrower=closing or isinstance(others, dict), wider=closed or isinstance(rest, dict),
            )  # fmt: skip

    def _field(
        self, was: JsonObject, now: JsonObject, name: str, where: str, needed: bool, needing: bool
    ) -> Iterator[Difference]:
        one, other = field(was, name, closed=True), field(now, name, closed=True)
        if name not in members(was.get("properties")):
            new = needed or not self._backward.included(other, field(was, name, closed=False))
            lost = needing or not self._forward.included(one, other)
            yield Difference(kind="field-added", where=where, before=None, after=other, narrower=lost, wider=new)
        elif name not in members(now.get("properties")):
            lost = needing or not self._forward.included(one, field(now, name, closed=False))
            new = needed or not self._backward.included(other, one)
            yield Difference(kind="field-removed", where=where, before=one, after=None, narrower=lost, wider=new)
        else:
            yield from self.at(one, other, where)
            if needed != needing:
                kind: Kind = "field-required" if needing else "field-optional"
                yield Difference(kind=kind, where=where, before=needed, after=needing, narrower=needing, wider=needed)


def _members(schema: Json) -> JsonObject:
    return {"enum": []} if schema is False else members(schema)


def _types(schema: JsonObject) -> frozenset[Json]:
    """The types that a schema allows; whole numbers are numbers."""
    found = listed(schema.get("type", [*_TYPES]))
    return frozenset(["integer", *found] if "number" in found else found)


def _values(was: JsonObject, now: JsonObject, where: str) -> Iterator[Difference]:
    one, other = _enum(was), _enum(now)
    if one is None and other is None:
        return
    gone = [value for value in one or () if other is not None and not contains(other, value)]
    come = [value for value in other or () if one is not None and not contains(one, value)]
    if gone or come or one is None or other is None:
        before: Json = None if one is None else [*one]
        after: Json = None if other is None else [*other]
        narrower, wider = bool(gone) or one is None, bool(come) or other is None
        yield Difference(kind="values", where=where, before=before, after=after, narrower=narrower, wider=wider)


def _enum(schema: JsonObject) -> list[Json] | None:
    return [schema["const"]] if "const" in schema else listed(schema["enum"]) if "enum" in schema else None


def _rules(was: JsonObject, now: JsonObject, where: str) -> Iterator[Difference]:
    """What has become of a format, a pattern and bounds."""
    for key in ("format", "pattern"):
        one, other = was.get(key), now.get(key)
        if one == other:
            continue
        tighter = not narrows(one, other) if key == "format" else other is not None
        looser = not narrows(other, one) if key == "format" else one is not None
        kind: Kind = "format" if key == "format" else "pattern"
        yield Difference(kind=kind, where=where, before=one, after=other, narrower=tighter, wider=looser)
    for key in (*_LEAST, *_MOST, "uniqueItems"):
        one, other = was.get(key), now.get(key)
        if same(one, other):
            continue
        if one is None or other is None or key == "uniqueItems":
            tighter, looser = bool(other) or other == 0, bool(one) or one == 0
        else:
            grown = number(other) > number(one)
            tighter = grown == (key in _LEAST)
            looser = not tighter
        before: Json = None if one is None else {key: one}
        after: Json = None if other is None else {key: other}
        yield Difference(kind="bound", where=where, before=before, after=after, narrower=tighter, wider=looser)


def _tag(schema: Json) -> Json:
    """What tells a branch of a union from the others: the only values of its fields; None when nothing does."""
    tags: list[Json] = []
    for name, part in members(members(schema).get("properties")).items():
        values = _enum(part) if isinstance(part, dict) else None
        if values is not None and len(values) == 1:
            tags.append([name, values[0]])
    return tags or None


def _kinds(schema: Json) -> Json:
    """The types of a branch; None where it has none."""
    return listed(members(schema).get("type")) or None
