"""References that stay: what is told once, and what refers to itself."""

from __future__ import annotations

from typing import Any, cast

import jsonschema_rs
import pytest
from jsonschema_rs import ValidationError

from tests.mapping.documents import json_body, mapped
from toolcast.model.config import Config

CATEGORY = {
    "type": "object",
    "required": ["name"],
    "properties": {
        "name": {"type": "string"},
        "children": {"type": "array", "items": {"$ref": "#/components/schemas/Category"}},
        "parent": {"oneOf": [{"$ref": "#/components/schemas/Category"}, {"type": "null"}]},
    },
}
ADDRESS = {
    "type": "object",
    "properties": {name: {"type": "string"} for name in ("street", "city", "zip", "region", "country", "note")},
}
ORDER = {
    "type": "object",
    "properties": {
        "home": {"$ref": "#/components/schemas/Address", "description": "Where it is sent."},
        "work": {"$ref": "#/components/schemas/Address"},
        "category": {"$ref": "#/components/schemas/Category"},
    },
}


def schema(config: Config) -> dict[str, Any]:
    """The input schema of an operation that takes an order."""
    components = {"schemas": {"Category": CATEGORY, "Address": ADDRESS}}
    found = mapped({"/orders": {"post": json_body(ORDER)}}, config=config, components=components)
    return cast("dict[str, Any]", found.catalog.tools[0].input_schema)


def test_without_a_wish_there_are_no_references() -> None:
    assert "$ref" not in str(schema(Config(name="api")))


def test_a_cycle_that_is_kept_holds_at_every_depth() -> None:
    found = schema(Config(name="api", recursion="ref"))
    assert found["properties"]["category"]["properties"]["children"]["items"]["$ref"] == "#/$defs/Category"
    assert list(found["$defs"]) == ["Category"]
    validator = jsonschema_rs.Draft202012Validator(found)
    deep: dict[str, Any] = {"name": "leaf"}
    for level in range(30):
        deep = {"name": f"level {level}", "children": [deep]}
    validator.validate({"category": deep})
    wrong: dict[str, Any] = {"children": []}
    for level in range(30):
        wrong = {"name": f"level {level}", "children": [wrong]}
    with pytest.raises(ValidationError):
        validator.validate({"category": wrong})


def test_what_is_said_twice_is_told_once() -> None:
    found = schema(Config(name="api", refs="defs"))
    assert list(found["$defs"]) == ["Address"]
    assert found["properties"]["home"] == {
        "$ref": "#/$defs/Address",
        "type": "object",
        "description": "Where it is sent.",
    }
    assert found["properties"]["work"] == {"$ref": "#/$defs/Address", "type": "object"}


def test_both() -> None:
    found = schema(Config(name="api", refs="defs", recursion="ref"))
    assert sorted(found["$defs"]) == ["Address", "Category"]
    jsonschema_rs.Draft202012Validator(found).validate({"work": {"city": "Bonn"}, "category": {"name": "x"}})


def test_definitions_count_for_the_budget() -> None:
    wide = {name: {"type": "string", "description": "A field. " * 20} for name in map("field_{}".format, range(60))}
    node = {"type": "object", "properties": {**wide, "next": {"$ref": "#/components/schemas/Node"}}}
    paths = {"/nodes": {"post": json_body({"$ref": "#/components/schemas/Node"})}}
    found = mapped(paths, config=Config(name="api", recursion="ref"), components={"schemas": {"Node": node}})
    assert len(str(found.catalog.tools[0].input_schema)) < 12_000
