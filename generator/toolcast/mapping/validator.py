"""The validator that emitted servers use, asked whether it takes a schema, and what a schema accepts."""

from __future__ import annotations

from collections.abc import Mapping

from toolcast.model.json import Json


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
