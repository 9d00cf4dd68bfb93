"""Forms: a schema as the kinds of values that it takes, each without unions and references (JSON Schema 2020-12)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from itertools import zip_longest
from math import ceil, floor
from typing import Final, Literal, TypeAlias

from toolcast.model.json import Json, JsonObject
from toolcast.model.pointer import follow, fragment

Kind: TypeAlias = Literal["null", "boolean", "number", "string", "array", "object"]
KINDS: Final[tuple[Kind, ...]] = ("null", "boolean", "number", "string", "array", "object")
Bound: TypeAlias = tuple[Decimal, int]  # (x, 0) is just before x, (x, 1) just after it
Interval: TypeAlias = tuple[Bound, Bound]

# What says something about a value to people only.
ANNOTATIONS: Final = frozenset(
    """title description default example examples deprecated readOnly writeOnly $comment $schema $id $anchor $defs
    definitions externalDocs xml discriminator contentMediaType contentEncoding contentSchema""".split()
)
# What is compared as it is written, as its meaning is not looked into.
OPAQUE: Final = frozenset(
    """not if then else contains minContains maxContains patternProperties dependentRequired dependentSchemas
    unevaluatedItems unevaluatedProperties $dynamicRef""".split()
)
_COMBINING: Final = frozenset(["$ref", "allOf", "anyOf", "oneOf", "const"])
_SEVERAL: Final = ("pattern", "format", "multipleOf")  # where schemas are put together, each may have several values
_ZERO: Final = Decimal(0)
_ENDLESS: Final = Decimal("Infinity")
_SMALL: Final = 64  # a range of so many integers is a list of them
_MOST: Final = 256  # alternatives of one schema that are told apart
_DEEPEST: Final = 64  # references that lead to references


@dataclass(frozen=True, slots=True)
class Values:
    """A few values."""

    kind: Kind
    values: tuple[Json, ...]


@dataclass(frozen=True, slots=True)
class Plain:
    """The values of one kind that satisfy the keywords of a schema, each keyword on its own."""

    kind: Kind
    schema: JsonObject
    integer: bool = False


Form: TypeAlias = Values | Plain


def forms(schema: Json, root: Json) -> list[Form]:
    """The forms that a schema has together; none for one that takes nothing. ``root`` holds its definitions."""
    return [form for plain in _alternatives(schema, root) for form in _forms(plain, root)]


def as_schema(form: Form) -> JsonObject:
    """A schema that takes what a form takes."""
    if isinstance(form, Values):
        return {"enum": [*form.values]}
    return {**written(form.schema), "type": "integer" if form.integer else form.kind}


def resolved(schema: Json, root: Json) -> Json:
    """What a schema is that is nothing but a reference."""
    for _ in range(_DEEPEST):
        if not isinstance(schema, dict) or not isinstance(schema.get("$ref"), str):
            break
        if any(key not in ANNOTATIONS and key != "$ref" for key in schema):
            break
        schema = _target(schema["$ref"], root)
    return schema


def _target(reference: Json, root: Json) -> Json:
    names = fragment(reference) if isinstance(reference, str) else None
    found = follow(root, names) if names is not None else None
    return True if found is None else found[0]


def listed(value: Json) -> list[Json]:
    """A list, or one of a single value; empty for nothing."""
    return value if isinstance(value, list) else [] if value is None else [value]


def members(value: Json) -> JsonObject:
    """An object; an empty one for anything else."""
    return value if isinstance(value, dict) else {}


def _alternatives(schema: Json, root: Json, depth: int = 0) -> list[JsonObject]:
    """Schemas without references and unions, of which a value has to satisfy one."""
    if schema is False:
        return []
    if not isinstance(schema, dict) or depth > _DEEPEST:
        return [{}]
    base = {key: value for key, value in schema.items() if key not in ANNOTATIONS and key not in _COMBINING}
    if "const" in schema:
        base = both(base, {"enum": [schema["const"]]})
    together = [[base]]
    if "$ref" in schema:
        together.append(_alternatives(_target(schema["$ref"], root), root, depth + 1))
    together += [_alternatives(part, root, depth + 1) for part in listed(schema.get("allOf"))]
    for key in ("anyOf", "oneOf"):
        if key in schema:
            branches = listed(schema[key])
            together.append([plain for branch in branches for plain in _alternatives(branch, root, depth + 1)])
    found = together[0]
    for others in together[1:]:
        found = [both(one, other) for one in found for other in others][:_MOST]
    return found


def both(one: JsonObject, other: JsonObject) -> JsonObject:
    """A schema that takes what two schemas without unions both take."""
    if not one or not other:
        return one or other
    result = {**other, **one}
    for key in one.keys() & other.keys():
        mine, theirs = one[key], other[key]
        if mine == theirs:
            continue
        match key:
            case "type":
                result[key] = _common_types(listed(mine), listed(theirs))
            case "enum":
                result[key] = [value for value in listed(mine) if contains(listed(theirs), value)]
            case "minimum" | "exclusiveMinimum" | "minLength" | "minItems" | "minProperties":
                result[key] = max(mine, theirs, key=number)
            case "maximum" | "exclusiveMaximum" | "maxLength" | "maxItems" | "maxProperties":
                result[key] = min(mine, theirs, key=number)
            case "prefixItems":
                pairs = zip_longest(listed(mine), listed(theirs), fillvalue=True)
                result[key] = [{"allOf": [*pair]} for pair in pairs]
            case "required" | "pattern" | "format" | "multipleOf":
                result[key] = [*listed(mine), *(value for value in listed(theirs) if value not in listed(mine))]
            case "uniqueItems":
                result[key] = True
            case "properties":
                pass
            case _:
                result[key] = {"allOf": [mine, theirs]}
    if "properties" in one or "properties" in other:
        mine, theirs = members(one.get("properties")), members(other.get("properties"))
        names = {**mine, **theirs}
        result["properties"] = {
            name: {"allOf": [field(one, name, closed=False), field(other, name, closed=False)]} for name in names
        }
    return result


def field(schema: JsonObject, name: str, *, closed: bool) -> Json:
    """The schema of one field of an object; ``closed`` takes one that says nothing of further fields for closed."""
    properties = members(schema.get("properties"))
    return properties.get(name, schema.get("additionalProperties", not (closed and properties)))


def _common_types(mine: Sequence[Json], theirs: Sequence[Json]) -> list[Json]:
    found = [kind for kind in mine if kind in theirs or (kind == "integer" and "number" in theirs)]
    return found + [kind for kind in theirs if kind == "integer" and "number" in mine and kind not in mine]


def written(schema: JsonObject) -> JsonObject:
    """A schema with keywords that were put together as JSON Schema has them."""
    several = [key for key in _SEVERAL if isinstance(schema.get(key), list)]
    if not several:
        return schema
    parts: list[Json] = [{key: value} for key in several for value in listed(schema[key])]
    return {**{key: value for key, value in schema.items() if key not in several}, "allOf": parts}


def _forms(plain: JsonObject, root: Json) -> Iterator[Form]:
    types = listed(plain.get("type")) if "type" in plain else [*KINDS]
    values = plain.get("enum")
    for kind in KINDS:
        integer = kind == "number" and "number" not in types
        if kind not in types and not (integer and "integer" in types):
            continue
        if isinstance(values, list):
            rest = {
                **{key: value for key, value in plain.items() if key != "enum"},
                "type": "integer" if integer else kind,
            }
            found = [value for value in values if accepts(written(rest), value, root)]
        elif kind == "null":
            found = [None]
        elif kind == "boolean":
            found = [False, True]
        else:
            form = Plain(kind, plain, integer)
            few = _few(form)
            if few is None:
                yield form
                continue
            found = [value for value in few if accepts(as_schema(form), value, root)]
        if found:
            yield Values(kind, tuple(found))


def _few(form: Plain) -> list[Json] | None:
    """The values of a small range; None where there are many."""
    if form.kind == "string" and form.schema.get("maxLength") == 0:
        return [""]
    if form.kind == "number":
        (low, before), (high, after) = interval(form)
        if low == high and before < after:
            return [int(low) if low == int(low) else float(low)]
        if form.integer and (low > high or high - low <= _SMALL):
            return [*range(int(low), int(high))] if low < high else []
    return None


def interval(form: Plain) -> Interval:
    """The numbers that a form takes, or for texts, lists and objects their lengths, from a place up to another."""
    schema = form.schema
    if form.kind != "number":
        lengths = {"string": "Length", "array": "Items", "object": "Properties"}[form.kind]
        most = schema.get(f"max{lengths}")
        low = max(number(schema.get(f"min{lengths}", 0)), _ZERO)
        return (low, 0), (_ENDLESS, 1) if most is None else (number(most) + 1, 0)
    lows: list[Bound] = [(-_ENDLESS, 0)]
    highs: list[Bound] = [(_ENDLESS, 1)]
    lows += [(number(schema[key]), at) for key, at in (("minimum", 0), ("exclusiveMinimum", 1)) if key in schema]
    highs += [(number(schema[key]), at) for key, at in (("maximum", 1), ("exclusiveMaximum", 0)) if key in schema]
    low, high = max(lows), min(highs)
    return (_whole(low), _whole(high)) if form.integer else (low, high)


def _whole(bound: Bound) -> Bound:
    """The place just before the first whole number after a place."""
    at, after = bound
    return bound if at.is_infinite() else (Decimal(floor(at) + 1 if after else ceil(at)), 0)


def number(value: Json) -> Decimal:
    """A number without rounding; 0 for what is none."""
    return Decimal(str(value)) if isinstance(value, (int, float)) and not isinstance(value, bool) else _ZERO


def same(one: Json, other: Json) -> bool:
    """Are two values one in JSON, where ``1`` is ``1.0`` and not ``true``?"""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    return one == other


def contains(values: Iterable[Json], value: Json) -> bool:
    """Is a value among others, as JSON compares them?"""
    return any(same(value, other) for other in values)


def distinct(values: Sequence[Json]) -> list[Json]:
    """The values without those that came before."""
    return [value for at, value in enumerate(values) if not contains(values[:at], value)]


def identical(one: Json, other: Json) -> bool:
    """Are two schemas written the same, but for the order of their keywords?"""
    return one == other and json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def refers(schema: Json) -> bool:
    """Does a schema hold references?"""
    return '"$ref"' in json.dumps(schema)


def accepts(schema: Json, value: Json, root: Json) -> bool:
    """Does a schema accept a value? One that no validator takes accepts nothing."""
    definitions = {key: part for key, part in members(root).items() if key in ("$defs", "definitions")}
    return _accepts(json.dumps({**definitions, "allOf": [schema]}), json.dumps(value))


@lru_cache(maxsize=4_096)
def _accepts(schema: str, value: str) -> bool:
    import jsonschema_rs

    try:
        validator = jsonschema_rs.Draft202012Validator(json.loads(schema), retriever=_refuse)
        return validator.is_valid(json.loads(value))
    except (jsonschema_rs.ValidationError, jsonschema_rs.ReferencingError, ValueError):
        return False


def _refuse(uri: str) -> Json:
    raise LookupError(uri)
