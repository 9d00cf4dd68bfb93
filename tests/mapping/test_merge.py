from __future__ import annotations

from typing import Any

import pytest

from toolcast.mapping.merge import both, merged

CLOSED = {"additionalProperties": False}


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ({}, {"type": "string"}, {"type": "string"}),
        ({"type": ["string", "null"]}, {"type": "string"}, {"type": "string"}),
        ({"type": "number"}, {"type": "integer"}, {"type": "integer"}),
        ({"type": "integer"}, {"type": "number"}, {"type": "integer"}),
        ({"type": "string"}, {"type": "object"}, {"type": "object"}),
        ({"enum": ["a", "b"]}, {"enum": ["b", "c"]}, {"enum": ["b"]}),
        ({"enum": ["a"]}, {"enum": ["c"]}, {"enum": ["c"]}),
        ({"minimum": 1, "maxLength": 9}, {"minimum": 3, "maxLength": 5}, {"minimum": 3, "maxLength": 5}),
        ({"required": ["a", "b"]}, {"required": ["b", "c"]}, {"required": ["a", "b", "c"]}),
        ({"description": "general"}, {"description": "special"}, {"description": "special"}),
        ({"readOnly": True}, {"readOnly": False}, {"readOnly": True}),
        (
            {"properties": {"a": {"type": "string"}}},
            {"properties": {"a": {"maxLength": 1}, "b": {}}},
            {"properties": {"a": {"allOf": [{"type": "string"}, {"maxLength": 1}]}, "b": {}}},
        ),
        ({"anyOf": [1]}, {"anyOf": [2]}, {"anyOf": [1], "allOf": [{"anyOf": [2]}]}),
        # each part closes itself against the fields of the others
        (
            {"properties": {"a": {}}, **CLOSED},
            {"properties": {"b": {}}, **CLOSED},
            {"properties": {"a": {}, "b": {}}, **CLOSED},
        ),
        ({"properties": {"a": {}}, **CLOSED}, {"properties": {"b": {}}}, {"properties": {"a": {}, "b": {}}}),
        (
            {"properties": {"a": {}}, **CLOSED},
            {"description": "d"},
            {"properties": {"a": {}}, "description": "d", **CLOSED},
        ),
    ],
)
def test_merged(first: Any, second: Any, expected: Any) -> None:
    before = repr((first, second))
    assert merged(first, second) == expected
    assert repr((first, second)) == before


def test_both() -> None:
    assert both({}, {"type": "string"}) == both({"type": "string"}, True) == {"type": "string"}
    assert both({"a": 1}, {"b": 2}) == {"allOf": [{"a": 1}, {"b": 2}]}
