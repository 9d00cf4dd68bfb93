"""Examples: arguments that a tool accepts, from the document's own examples where it has them."""

from __future__ import annotations

from collections.abc import Mapping

from toolcast.mapping.portable import accepts
from toolcast.model.json import Json, JsonObject, Schema

_FORMATS: dict[str, str] = {
    "date": "2026-01-31", "date-time": "2026-01-31T12:00:00Z", "time": "12:00:00Z", "uuid": "123e4567-e89b-42d3-a456-426614174000",
    "email": "reader@example.com", "uri": "https://example.com/", "url": "https://example.com/", "hostname": "example.com",
    "ipv4": "192.0.2.1", "ipv6": "2001:db8::1", "byte": "aGVsbG8=", "duration": "P1D", "uri-reference": "/",
}  # fmt: skip
# Values that satisfy most of the patterns that APIs use for ids, codes, dates and colours.
_GUESSES = (
    "abc", "ABC", "a1", "A1", "1", "0", "12", "123", "1234", "12345", "123456", "1234567890", "abcdef", "ab", "AB", "a", "A",
    "abcdefgh", "en-US", "en", "2026-01-31", "2026-01", "2026-01-31T12:00:00Z", "12:00", "#a1b2c3", "a-b", "a_b", "a.b",
    "1.0", "1.0.0", "v1", "+15551234567", "https://example.com/", "reader@example.com", "example.com", "192.0.2.1",
    "123e4567-e89b-42d3-a456-426614174000", "0123456789abcdef01234567", "0123456789abcdef0123456789abcdef", "/a", "/a/b", "$1",
    "0x1", "true", "*", "USD", "a/b", "a:b", "A-1", "aGVsbG8=",
)  # fmt: skip
_FILE = "aGVsbG8="  # "hello"


def example(schema: Schema, given: Mapping[str, Json], files: Mapping[str, str]) -> JsonObject | None:
    """Arguments that an input schema accepts: every argument for which a value was found; None when one is missing."""
    properties, required = schema.get("properties"), schema.get("required", [])
    needed = required if isinstance(required, list) else []
    arguments: JsonObject = {}
    for name, argument in (properties if isinstance(properties, dict) else {}).items():
        inner = argument if isinstance(argument, dict) else {}
        candidates = [given[name]] if name in given else []
        if name in files:
            candidates = [_FILE if files[name] == "one" else [_FILE]]
        candidates.append(_value(inner, 0))
        value = next((candidate for candidate in candidates if accepts(inner, candidate)), None)
        if value is not None:
            arguments[name] = value
        elif name in needed:
            return None
    return arguments if accepts(schema, arguments) else None


def _value(schema: Schema, depth: int) -> Json:
    listed, values, branches = schema.get("examples"), schema.get("enum"), schema.get("anyOf")
    if isinstance(listed, list) and listed:
        return listed[0]
    if isinstance(values, list) and values:
        return values[0]
    if isinstance(branches, list) and branches:
        return next((_value(b, depth + 1) for b in branches if isinstance(b, dict) and b.get("type") != "null"), None)
    declared = schema.get("type")
    match declared[0] if isinstance(declared, list) and declared else declared:
        case "string":
            return _text(schema)
        case "integer" | "number":
            return _number(schema)
        case "boolean":
            return True
        case "array":
            return _list(schema, depth)
        case "object":
            return _object(schema, depth)
        case "null":
            return None
        case _:
            return _object(schema, depth) if "properties" in schema else "abc"


def _text(schema: Schema) -> str:
    least, most, pattern = schema.get("minLength"), schema.get("maxLength"), schema.get("pattern")
    low = least if isinstance(least, int) else 0
    high = most if isinstance(most, int) else max(low, 100)
    text = _FORMATS.get(str(schema.get("format")), "abc")
    if isinstance(pattern, str):
        rule: JsonObject = {"pattern": pattern, "minLength": low, "maxLength": high}
        padded = [guess * (low // len(guess) + 1) for guess in ("a", "A", "1")]
        text = next((g for g in (text, *_GUESSES, *(p[:low] for p in padded)) if accepts(rule, g)), text)
    elif len(text) < low:
        text = (text * (low // len(text) + 1))[:low]
    return text[:high] if not isinstance(pattern, str) else text


def _number(schema: Schema) -> int | float:
    def bound(key: str) -> float | None:
        value = schema.get(key)
        return value if isinstance(value, (int, float)) and not isinstance(value, bool) else None

    low, above = bound("minimum"), bound("exclusiveMinimum")
    high, below, step = bound("maximum"), bound("exclusiveMaximum"), bound("multipleOf")
    value: float = 1
    if low is not None:
        value = max(value, low)
    if above is not None and value <= above:
        value = above + 1
    if step:
        value = -(-value // step) * step
    if high is not None and value > high:
        value = high
    if below is not None and value >= below:
        value = below - 1
    return int(value) if float(value).is_integer() else value


def _list(schema: Schema, depth: int) -> list[Json]:
    first, items, least = schema.get("prefixItems"), schema.get("items"), schema.get("minItems")
    found = [_value(item, depth + 1) for item in first if isinstance(item, dict)] if isinstance(first, list) else []
    count = max(least if isinstance(least, int) else 0, 0 if found or depth > 4 else 1)
    while len(found) < min(count, 20):
        value = _value(items if isinstance(items, dict) else {}, depth + 1)
        found.append(f"{value}{len(found)}" if isinstance(value, str) and value in found else value)
    return found


def _object(schema: Schema, depth: int) -> JsonObject:
    properties, required = schema.get("properties"), schema.get("required")
    known = properties if isinstance(properties, dict) else {}
    names = required if isinstance(required, list) else []
    return {
        name: _value(known[name] if isinstance(known.get(name), dict) else {}, depth + 1)  # pyright: ignore[reportArgumentType]
        for name in map(str, names)
        if name in known
    }
