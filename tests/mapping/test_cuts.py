"""What no client takes is cut from schemas, and each cut is said at its place."""

from __future__ import annotations

from typing import Any

import pytest

from .documents import Mapped, json_body, mapped

FOREIGN: list[tuple[str, dict[str, Any], str, str]] = [
    (
        "TC320",
        {"type": "string", "pattern": "("},
        "info",
        "Not every client can read the pattern of it; it is told in words",
    ),
    (
        "TC321",
        {"type": "integer", "default": "x"},
        "warning",
        'The default of it is none of the values that it takes: "x"',
    ),
    ("TC321", {"type": "string", "enum": ["a"], "default": "b"}, "warning", ""),
    ("TC322", {"anyOf": [{"type": "string"}, {"type": "integer"}], "default": 1}, "info", ""),
    ("TC323", {"type": "string", "enum": ["a", "a"]}, "info", "The values of it are told once each, and in one type"),
    ("TC323", {"type": "string", "enum": [1, 2]}, "info", ""),
    ("TC324", {"type": "object", "properties": {"a[]": {}}}, "info", ""),
    (
        "TC325",
        {"type": "object", "if": {}, "then": {}, "not": {}},
        "info",
        "What if, not says of it is not told, as not every client can read it",
    ),
    (
        "TC326",
        {"$ref": "#/components/schemas/Node"},
        "info",
        "Node contains itself; in its second level it takes any object",
    ),
]
NODE: dict[str, Any] = {"type": "object", "properties": {"next": {"$ref": "#/components/schemas/Node"}}}
FINE: list[dict[str, Any]] = [
    {"type": "string", "pattern": "^a$", "enum": ["a", "b"], "default": "a"},
    {"type": "string", "enum": ["a", ""]},
    {"type": "boolean", "default": "true"},
    {"type": "string", "default": None},
    {"type": ["string", "null"], "enum": ["a", None]},
    {"anyOf": [{"type": "string"}, {"type": "null"}], "default": "a"},
]


def found(schema: Any, **root: Any) -> Mapped:
    parameter = {"name": "it", "in": "query", "schema": schema}
    return mapped({"/x": {"get": {"summary": "Get x.", "parameters": [parameter]}}}, **root)


@pytest.mark.parametrize(("code", "schema", "severity", "message"), FOREIGN)
def test_a_cut_is_said_with_what_it_is_about(code: str, schema: Any, severity: str, message: str) -> None:
    made = found(schema, components={"schemas": {"Node": NODE}})
    (said,) = [finding for finding in made.report.diagnostics if finding.code == code]
    assert said.severity == severity and (said.message == message or not message)
    assert said.help and said.location is not None
    assert said.location.pointer.startswith("/paths/~1x/get/parameters/0/schema" if code != "TC326" else "/components/")


@pytest.mark.parametrize("schema", FINE)
def test_of_what_is_taken_nothing_is_said(schema: dict[str, Any]) -> None:
    assert not [code for code in found(schema).codes if code.startswith("TC3")]


def test_a_default_that_is_only_written_in_another_type_is_put_right() -> None:
    schema: Any = found({"type": "boolean", "default": "true"}).catalog.tools[0].input_schema
    assert schema["properties"]["it"]["default"] is True


def test_one_place_is_said_once_however_many_tools_lead_there() -> None:
    schemas: dict[str, Any] = {
        "Pet": {
            "type": "object",
            "properties": {
                "age": {"type": "integer", "default": "old"},
                "mate": {"allOf": [{"$ref": "#/components/schemas/Toy"}]},
            },
        },
        "Toy": {
            "type": "object",
            "properties": {"kinds": {"type": "array", "items": {"type": "string", "pattern": "("}}},
        },
    }
    paths: dict[str, Any] = {f"/{i}": {"post": json_body({"$ref": "#/components/schemas/Pet"})} for i in range(3)}
    made = mapped(paths, components={"schemas": schemas})
    said = [d for d in made.report.diagnostics if d.code in ("TC320", "TC321")]
    assert [(d.code, d.message.split(" is none")[0], d.location and d.location.pointer) for d in said] == [
        ("TC321", "The default of Pet.age", "/components/schemas/Pet/properties/age"),
        (
            "TC320",
            "Not every client can read the pattern of Pet.mate.kinds; it is told in words",
            "/components/schemas/Pet/properties/mate/properties/kinds/items",
        ),
    ]


def test_the_place_of_a_component_is_its_own() -> None:
    schemas: dict[str, Any] = {"Pet": {"type": "object", "properties": {"age": {"type": "integer", "default": "old"}}}}
    body = json_body(
        {"type": "object", "properties": {"pets": {"type": "array", "items": {"$ref": "#/components/schemas/Pet"}}}}
    )
    made = mapped({"/x": {"post": body}}, components={"schemas": schemas})
    (said,) = [d for d in made.report.diagnostics if d.code == "TC321"]
    assert said.location is not None and said.location.pointer == "/components/schemas/Pet/properties/age"
    assert said.message.startswith("The default of Pet.age ")


def test_nothing_is_said_of_answers() -> None:
    schema = {
        "type": "object",
        "properties": {"a": {"type": "string", "pattern": "(", "enum": ["a", "a"], "default": 1}},
    }
    answer = {"200": {"description": "OK", "content": {"application/json": {"schema": schema}}}}
    codes = mapped({"/x": {"get": {"summary": "Get x.", "responses": answer}}}).codes
    assert not [code for code in codes if code.startswith("TC3")]
