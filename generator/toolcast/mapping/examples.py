"""Examples: arguments that a tool accepts, from the document's own examples where it has them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from toolcast.mapping.patterns import sample
from toolcast.mapping.validator import accepts
from toolcast.model.json import Json, JsonObject, Schema

_FORMATS: Final[dict[str, str]] = {
    "date": "2026-01-31",
    "date-time": "2026-01-31T12:00:00Z",
    "time": "12:00:00Z",
    "uuid": "123e4567-e89b-42d3-a456-426614174000",
    "email": "reader@example.com",
    "uri": "https://example.com/",
    "url": "https://example.com/",
    "uri-reference": "/",
    "hostname": "example.com",
    "ipv4": "192.0.2.1",
    "ipv6": "2001:db8::1",
    "byte": "aGVsbG8=",
    "duration": "P1D",
}
_FILE: Final = "aGVsbG8="  # "hello"
_OF_ARGUMENTS: Final = frozenset(["type", "description", "properties", "required", "additionalProperties"])
_LONGEST_LIST: Final = 20
_DEEPEST: Final = 12


def example(schema: Schema, given: Mapping[str, Json], files: Mapping[str, str]) -> JsonObject | None:
    """Arguments that an input schema accepts: every argument for which a value was found; None when one is missing.

    ``given`` are the document's examples by argument, ``files`` the arguments that are files ("one" or "many").
    """
    properties, required = schema.get("properties"), schema.get("required", [])
    needed = required if isinstance(required, list) else []
    arguments: JsonObject = {}
    for name, argument in (properties if isinstance(properties, dict) else {}).items():
        inner = argument if isinstance(argument, dict) else {}
        candidates: list[Json] = [given[name]] if name in given else []
        if name in files:
            candidates = [_FILE if files[name] == "one" else [_FILE]]
        # An object without members says nothing, and in a path it is nothing at all.
        candidates += sorted([_value(inner, 0), _value(inner, 0, full=True)], key=lambda made: made == {})
        value = next((candidate for candidate in candidates if accepts(inner, candidate)), None)
        if value is not None:
            arguments[name] = value
        elif name in needed:
            return None
    # Each argument is accepted by now; a root that says nothing more accepts all of them, and need not be compiled.
    return arguments if schema.keys() <= _OF_ARGUMENTS or accepts(schema, arguments) else None


def value(schema: Schema) -> Json:
    """A value that a schema accepts, as far as one is easily found."""
    return _value(schema, 0)


def _value(schema: Schema, depth: int, *, full: bool = False) -> Json:
    """A value for a schema; a ``full`` one has the optional members as well, as some schemas count them."""
    listed, values, branches = schema.get("examples"), schema.get("enum"), schema.get("anyOf")
    if isinstance(listed, list) and listed:
        return listed[0]
    if isinstance(values, list) and values:
        return next((value for value in values if value is not None), None)
    if "default" in schema:
        return schema["default"]
    if isinstance(branches, list) and branches:
        made = [(b, _value(b, depth + 1, full=full)) for b in branches if isinstance(b, dict) and b != {"type": "null"}]
        return next((value for branch, value in made if accepts(branch, value)), None)
    declared = schema.get("type")
    kinds = declared if isinstance(declared, list) else [declared]
    match next((kind for kind in kinds if kind != "null"), "null"):
        case "string":
            return _text(schema)
        case "integer" | "number":
            return _number(schema)
        case "boolean":
            return True
        case "array":
            return _list(schema, depth, full=full)
        case "object":
            return _object(schema, depth, full=full)
        case "null":
            return None
        case _:
            return _object(schema, depth, full=full) if "properties" in schema else "abc"


def _text(schema: Schema) -> str:
    least, most, pattern = schema.get("minLength"), schema.get("maxLength"), schema.get("pattern")
    low = least if isinstance(least, int) else 0
    high = most if isinstance(most, int) else max(low, 200)
    text = _FORMATS.get(str(schema.get("format")), "abc")
    if isinstance(pattern, str):
        if accepts({"pattern": pattern, "minLength": low, "maxLength": high}, text):
            return text
        return sample(pattern, low, high) or text
    if len(text) < low:
        text = (text * (min(low, 10_000) // len(text) + 1))[:low]
    return text[:high]


def _number(schema: Schema) -> int | float:
    def bound(key: str) -> float | None:
        value = schema.get(key)
        return value if isinstance(value, (int, float)) and not isinstance(value, bool) else None

    low, above = bound("minimum"), bound("exclusiveMinimum")
    high, below, step = bound("maximum"), bound("exclusiveMaximum"), bound("multipleOf")
    whole = "number" not in str(schema.get("type"))
    value: float = 1
    if low is not None:
        value = max(value, low)
    if above is not None and value <= above:
        value = above + 1
    if high is not None and value > high:
        value = high
    if below is not None and value >= below:
        value = below - 1 if whole or above is None else (above + below) / 2
    if step:
        value = -(-value // step) * step
        value = value - step if high is not None and value > high else value
    return int(value) if float(value).is_integer() else value


def _list(schema: Schema, depth: int, *, full: bool) -> list[Json]:
    first, items, least = schema.get("prefixItems"), schema.get("items"), schema.get("minItems")
    found = [_value(i, depth + 1, full=full) for i in first if isinstance(i, dict)] if isinstance(first, list) else []
    count = max(least if isinstance(least, int) else 0, 0 if found or depth > _DEEPEST else 1)
    inner = items if isinstance(items, dict) else {}
    listed = inner.get("enum")
    choices = listed if isinstance(listed, list) else []
    while len(found) < min(count, _LONGEST_LIST):
        value = _value(inner, depth + 1, full=full)
        if value in found:  # items may have to differ
            other: Json = f"{value}{len(found)}" if isinstance(value, str) else value
            other = value + len(found) if isinstance(value, (int, float)) and not isinstance(value, bool) else other
            value = next((choice for choice in choices if choice not in found), other)
        found.append(value)
    return found


def _object(schema: Schema, depth: int, *, full: bool) -> JsonObject:
    properties, required, rest = schema.get("properties"), schema.get("required"), schema.get("additionalProperties")
    known = properties if isinstance(properties, dict) else {}
    needed = required if isinstance(required, list) else []
    names = [*known] if full and depth <= 1 else [name for name in known if name in needed]
    made: JsonObject = {}
    for name in names:
        inner = known[name]
        if isinstance(inner, dict):
            value = _value(inner, depth + 1, full=full)
            if name in needed or accepts(inner, value):
                made[name] = value
    least = schema.get("minProperties")
    while isinstance(least, int) and len(made) < min(least, _LONGEST_LIST) and rest is not False:
        made[f"key{len(made) + 1}"] = _value(rest, depth + 1, full=full) if isinstance(rest, dict) else "abc"
    return made
