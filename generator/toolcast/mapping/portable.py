"""Portable keywords: each step takes a keyword or two of one schema and leaves what every client and provider takes.

The sources of the rules are in ``model/limits.py`` and beside each step.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from toolcast.mapping import expressions
from toolcast.mapping.texts import clean, shorten
from toolcast.mapping.validator import accepts
from toolcast.model.json import Json, JsonObject

TYPES: Final = ("string", "integer", "number", "boolean", "array", "object", "null")
# What documents write where JSON Schema has another word.
_MISTAKEN: Final[dict[str, str]] = {
    "int": "integer", "long": "integer", "int32": "integer", "int64": "integer", "float": "number", "double": "number",
    "decimal": "number", "bool": "boolean", "str": "string", "text": "string", "date": "string", "datetime": "string",
    "date-time": "string", "file": "string", "uuid": "string", "list": "array", "map": "object", "dict": "object",
    "hash": "object", "json": "object",
}  # fmt: skip
_NUMERIC: Final = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")
_COUNTS: Final = ("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties")
_LONGEST_EXAMPLE: Final = 60
_FORMATTED: Final = 40  # characters of what an encoding is called


def types(schema: Mapping[str, Json]) -> list[str]:
    """The types that a schema allows, as JSON Schema names them; without a type, what its keywords speak of."""
    declared = schema.get("type")
    if isinstance(declared, str) and declared in TYPES:
        return [declared]
    listed = declared if isinstance(declared, list) else [declared]
    found = [_MISTAKEN.get(t.lower(), t.lower()) for t in listed if isinstance(t, str)]
    found = list(dict.fromkeys(t for t in found if t in TYPES))
    if found or declared is not None or any(key in schema for key in ("anyOf", "oneOf", "allOf", "not")):
        return found
    if isinstance(schema.get("enum"), list):
        return []
    if "properties" in schema or "additionalProperties" in schema or "patternProperties" in schema:
        return ["object"]
    if "items" in schema or "prefixItems" in schema:
        return ["array"]
    form = schema.get("format")
    form = form if isinstance(form, str) else ""
    if any(key in schema for key in ("pattern", "minLength", "maxLength")) or form in _STRING_FORMATS:
        return ["string"]
    return []


_STRING_FORMATS: Final = frozenset(["date", "date-time", "uuid", "uri", "email", "binary", "byte", "password", "time"])


def type_of(value: Json) -> str:
    """The JSON Schema type of a value."""
    match value:
        case None:
            return "null"
        case bool():
            return "boolean"
        case int():
            return "integer"
        case float():
            return "integer" if value.is_integer() else "number"
        case str():
            return "string"
        case list():
            return "array"
        case _:
            return "object"


def fits(value: Json, allowed: list[str]) -> bool:
    """Does a value have one of the types?"""
    kind = type_of(value)
    return not allowed or kind in allowed or (kind == "integer" and "number" in allowed)


def enum(values: list[Json], allowed: list[str]) -> tuple[list[Json], bool, list[str]]:
    """An enum's values, whether it had the empty string, and the types that it leaves.

    Gemini refuses duplicates, values of another type than declared, and the empty string
    (google-gemini/gemini-cli#4400, PrefectHQ/fastmcp#195). Values written in another type are taken in the
    declared one; without a declared type the values give it.
    """
    distinct: dict[str, Json] = {}
    for value in values:
        value = _coerced(value, allowed)
        if fits(value, allowed):
            distinct.setdefault(f"{type_of(value)} {value!r}", value)
    if values and not distinct:  # no value has a declared type: the values are what is meant
        return enum(values, [])
    found = list(distinct.values())
    empty = "" in found
    found = [value for value in found if value != ""]
    kinds = list(dict.fromkeys(type_of(value) for value in found))
    if not allowed:
        return found, empty, kinds + (["string"] if empty and "string" not in kinds else [])
    keep = [t for t in allowed if t in kinds or (t == "number" and "integer" in kinds) or (t == "string" and empty)]
    return found, empty, keep


def _coerced(value: Json, allowed: list[str]) -> Json:
    if not allowed or fits(value, allowed):
        return value
    if "string" in allowed and isinstance(value, bool):
        return "true" if value else "false"
    if "string" in allowed and isinstance(value, (int, float)):
        return str(value)
    if isinstance(value, str):
        if "boolean" in allowed and value.lower() in ("true", "false"):
            return value.lower() == "true"
        if ("integer" in allowed or "number" in allowed) and re.fullmatch(r"-?\d{1,15}", value):
            return int(value)
        if "number" in allowed and re.fullmatch(r"-?\d{1,15}\.\d{1,15}", value):
            return float(value)
    return value


def bounds(schema: Mapping[str, Json], allowed: list[str]) -> JsonObject:
    """Numeric bounds and counts that are numbers, where the type can have them."""
    found: JsonObject = {}
    for key in _NUMERIC:
        value = schema.get(key)
        if isinstance(value, (int, float)) and not isinstance(value, bool) and (key != "multipleOf" or value > 0):
            found[key] = value
    for key in _COUNTS:
        value = schema.get(key)
        if isinstance(value, (int, float)) and not isinstance(value, bool) and value >= 0 and float(value).is_integer():
            found[key] = int(value)
    relevant = {
        "string": ("minLength", "maxLength"),
        "array": ("minItems", "maxItems"),
        "object": ("minProperties", "maxProperties"),
        "number": _NUMERIC,
        "integer": _NUMERIC,
    }
    if not allowed:
        return found
    wanted = {key for kind in allowed for key in relevant.get(kind, ())}
    return {key: value for key, value in found.items() if key in wanted}


def string(schema: Mapping[str, Json]) -> tuple[JsonObject, list[str]]:
    """A string's format and pattern, and notes of what takes no keyword."""
    found: JsonObject = {}
    notes: list[str] = []
    format_, pattern = schema.get("format"), schema.get("pattern")
    if format_ == "binary":  # bytes inside a JSON value are text, so the caller has to know in which form
        found["format"] = "byte"
        notes.append("Bytes, as base64.")
    elif isinstance(format_, str) and format_:
        found["format"] = format_
    if isinstance(pattern, str):
        written = expressions.portable(pattern)
        if written is not None:
            found["pattern"] = written
        else:
            notes.append(f"Pattern: {shorten(clean(pattern), 200)}")
    encoding = schema.get("contentEncoding")
    if isinstance(encoding, str) and encoding:
        notes.append(f"Encoded as {shorten(clean(encoding), _FORMATTED)}.")
    return found, notes


def default(schema: Mapping[str, Json], published: JsonObject) -> Json:
    """The default, where the published schema accepts it, written in its type; None where it has none."""
    value = schema.get("default")
    if value is None:
        return None
    declared = published.get("type")
    value = _coerced(value, [declared] if isinstance(declared, str) else [])
    return value if accepts(published, value) else None


def example(schema: Mapping[str, Json], published: JsonObject) -> Json:
    """A short example that the published schema accepts, None where there is none."""
    listed = schema.get("examples")
    value = listed[0] if isinstance(listed, list) and listed else schema.get("example")
    plain = isinstance(value, (str, int, float)) and not isinstance(value, bool)
    short = plain and len(str(value)) <= _LONGEST_EXAMPLE and clean(str(value)) == str(value)
    return value if short and accepts(published, value) else None
