from __future__ import annotations

from typing import Any

import pytest

from .documents import tool

PET: dict[str, Any] = {"type": "object", "properties": {name: {"type": "string"} for name in ("id", "name", "tag")}}


def _told(schema: Any, description: str = "OK", kind: str = "application/json", **operation: Any) -> str:
    content: dict[str, Any] = {kind: {"schema": schema}} if schema is not None else {}
    answered = {"200": {"description": description, "content": content}}
    lines = tool({"summary": "Walk", "responses": answered, **operation}).description.split("\n")
    return lines[-1].removeprefix("Answer: ") if lines[-1].startswith("Answer: ") else ""


SHAPES: list[tuple[Any, str]] = [
    (PET, "{id, name, tag}."),
    ({"type": "array", "items": PET}, "a list of {id, name, tag}."),
    ({"type": "array", "items": {"type": "string"}}, "a list of strings."),
    ({"type": "array"}, ""),
    ({"type": "integer"}, "an integer."),
    ({"type": "object"}, ""),
    ({}, ""),
    ({"properties": {"data": {"type": "array", "items": PET}, "next": {}}}, "{data[] {id, name, tag}, next}."),
    ({"properties": {"pet": PET}}, "{pet {id, name, tag}}."),
    ({"properties": {"pet": PET, "toy": PET}}, "{pet, toy}."),
    ({"properties": {f"p{n}": {} for n in range(9)}}, "{p0, p1, p2, p3, p4, p5, …}."),
    ({"oneOf": [{"type": "null"}, PET]}, "{id, name, tag}."),
    ({"allOf": [PET, {"properties": {"age": {}}}]}, "{id, name, tag, age}."),
    ({"properties": {"a\u202eb": {}, "ok": {}}}, "{ok}."),
]


@pytest.mark.parametrize(("schema", "expected"), SHAPES)
def test_an_answer_is_told_by_its_shape(schema: Any, expected: str) -> None:
    assert _told(schema) == expected


@pytest.mark.parametrize(
    ("description", "expected"),
    [
        ("A page of dogs", "A page of dogs: {id, name, tag}."),
        ("OK", "{id, name, tag}."),
        ("Successful operation.", "{id, name, tag}."),
        ("The pet was created", "{id, name, tag}."),
        ("Walk", "{id, name, tag}."),
    ],
)
def test_a_response_is_told_where_it_says_more_than_that_it_went_well(description: str, expected: str) -> None:
    assert _told(PET, description) == expected


def test_answers_without_json() -> None:
    assert _told({}, kind="image/png") == "a file, as image/png."
    assert _told({"type": "string"}, kind="text/csv") == "text, as text/csv."
    assert _told({}, kind="*/*") == ""
    assert _told(None) == ""
