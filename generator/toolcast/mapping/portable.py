"""Portable keywords: each step takes a keyword or two of one schema and leaves what every client and provider takes.

The sources of the rules are in ``model/limits.py`` and beside each step.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

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
# Regular expressions of other dialects than ECMAScript that Python or a validator would take.
_NOT_ECMASCRIPT: Final = re.compile(
    r"\(\?P[<=>]|\\[AZzGQEKRXhHp]|\\P|\(\?#|\(\?[aiLmsux]+[):-]|\(\?>|[*+?}]\+|\[\[:|\\x\{|\(\?\||\[\^?\]|\\u\{"
)
_LONGEST_PATTERN: Final = 1_000


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
    if any(key in schema for key in ("pattern", "minLength", "maxLength")) or schema.get("format") in _STRING_FORMATS:
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


@lru_cache(maxsize=4096)
def pattern_is_portable(pattern: str) -> bool:
    """Does a pattern compile in Python, in ECMAScript and in the validator, and is it of a sane length?

    Vertex, OpenAI and validators in JavaScript refuse a whole list for one pattern (langfuse/langfuse#14770).
    """
    if len(pattern) > _LONGEST_PATTERN or _NOT_ECMASCRIPT.search(pattern) or _nested_class(pattern):
        return False
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # of sets that will mean something else: [a--b]
            re.compile(pattern)
    except (re.error, RecursionError, OverflowError, Warning):
        return False
    return is_valid_schema({"pattern": pattern})


def _nested_class(pattern: str) -> bool:
    """Is there an unescaped ``[`` inside a character class? Engines read it differently."""
    inside = escaped = False
    for character in pattern:
        if escaped:
            escaped = False
        elif character == "\\":
            escaped = True
        elif inside:
            if character == "[":
                return True
            inside = character != "]"
        else:
            inside = character == "["
    return False


def is_valid_schema(schema: Mapping[str, Json]) -> bool:
    """Does the validator that emitted servers use take this schema?"""
    import jsonschema_rs

    try:
        jsonschema_rs.Draft202012Validator(dict(schema), retriever=_refuse)
    except (jsonschema_rs.ValidationError, jsonschema_rs.ReferencingError, ValueError):
        return False
    return True


def accepts(schema: Mapping[str, Json], value: Json) -> bool:
    """Does a schema accept a value?"""
    import jsonschema_rs

    try:
        return jsonschema_rs.Draft202012Validator(dict(schema), retriever=_refuse).is_valid(value)
    except (jsonschema_rs.ValidationError, jsonschema_rs.ReferencingError, ValueError):
        return False


def _refuse(uri: str) -> Json:
    raise LookupError(uri)
