"""Merging schemas that apply together (``allOf``, and keywords beside a ``$ref``) into one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from toolcast.model.json import Json, JsonObject

# Keywords of which the tighter value counts.
_TIGHTER: Final[dict[str, Callable[[float, float], float]]] = {
    "minimum": max, "exclusiveMinimum": max, "minLength": max, "minItems": max, "minProperties": max,
    "maximum": min, "exclusiveMaximum": min, "maxLength": min, "maxItems": min, "maxProperties": min,
}  # fmt: skip
_SUBSCHEMAS: Final = frozenset(["items", "propertyNames", "contains"])
_UNIONS: Final = frozenset(["anyOf", "oneOf"])


def merged(first: JsonObject, second: JsonObject) -> JsonObject:
    """One schema that says what both say; where only one can stay (descriptions, formats) the second, special one does.

    What cannot be said in one schema (two different unions, for instance) stays in an ``allOf``.
    """
    result = dict(first)
    for key, value in second.items():
        mine = result.get(key)
        if key not in result or mine == value:
            result[key] = value
        else:
            _join(result, key, mine, value)
    # A part that is closed closes the whole only when all parts are: each closes itself against the others' fields.
    if "additionalProperties" in result:
        one, other = first.get("additionalProperties"), second.get("additionalProperties")
        if (one is False or other is False) and one != other:
            if _describes_fields(first) and _describes_fields(second):
                del result["additionalProperties"]
            else:
                result["additionalProperties"] = False
    return result


def _describes_fields(schema: JsonObject) -> bool:
    return bool(schema.get("properties"))


def _join(result: JsonObject, key: str, mine: Json, theirs: Json) -> None:
    match key:
        case "properties" | "patternProperties" | "$defs" if isinstance(mine, dict) and isinstance(theirs, dict):
            result[key] = {**mine, **{k: both(mine[k], v) if k in mine else v for k, v in theirs.items()}}
        case "required" if isinstance(mine, list) and isinstance(theirs, list):
            result[key] = [*mine, *(name for name in theirs if name not in mine)]
        case "type":
            result[key] = _types(mine, theirs)
        case "enum" if isinstance(mine, list) and isinstance(theirs, list):
            result[key] = [value for value in theirs if value in mine] or theirs
        case _ if key in _TIGHTER and isinstance(mine, (int, float)) and isinstance(theirs, (int, float)):
            result[key] = _TIGHTER[key](mine, theirs)
        case _ if key in _SUBSCHEMAS:
            result[key] = both(mine, theirs)
        case _ if key in _UNIONS or key == "not":
            extra = result.get("allOf")
            result["allOf"] = [*(extra if isinstance(extra, list) else []), {key: theirs}]
        case "allOf" if isinstance(mine, list) and isinstance(theirs, list):
            result[key] = [*mine, *theirs]
        case "readOnly" | "writeOnly" | "deprecated" | "uniqueItems":
            result[key] = bool(mine) or bool(theirs)
        case _:
            result[key] = theirs


def both(first: Json, second: Json) -> Json:
    """A schema that both apply to, merged when it is expanded."""
    if first is True or first == {}:
        return second
    if second is True or second == {} or first == second:
        return first
    return {"allOf": [first, second]}


def _types(mine: Json, theirs: Json) -> Json:
    one = mine if isinstance(mine, list) else [mine]
    other = theirs if isinstance(theirs, list) else [theirs]
    common: list[Json] = [t for t in other if t in one or (t == "integer" and "number" in one)]
    common += [t for t in one if t == "integer" and "number" in other and t not in common]
    if not common:
        return theirs
    return common[0] if len(common) == 1 else common
