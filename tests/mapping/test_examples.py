from __future__ import annotations

import re
import time
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolcast.mapping.patterns import sample

from .documents import json_body, tool


@pytest.mark.parametrize(
    "pattern",
    [
        "^AC[0-9a-fA-F]{32}$",
        "^ses",
        r"^[^/]+$",
        r"\d{4}-\d\d",
        "a|b",
        "^(foo|bar)+$",
        r"^(?=.*[A-Z])(?=.*\d).{8,}$",
        "^(?!abc).+$",
        r"^[\w.-]+@[\w.-]+\.\w{2,}$",
        r"^#?([a-f0-9]{6}|[a-f0-9]{3})$",
        "^$",
        "",
        r"^[^a-z0-9]$",
        r"(a)\1",
        r"^\S+\s\S+$",
        r"^[\u4e00-\u9fff]{2}$",
        r"^\+?[1-9]\d{1,14}$",
        r"^arn:aws:[a-z]+:\w*:\d{12}:.*$",
        r"^[\s\S]*$",
        r"^\$\{.+\}$",
        r"^(25[0-5]|2[0-4]\d|1\d\d|\d{1,2})(\.(25[0-5]|2[0-4]\d|1\d\d|\d{1,2})){3}$",
        "a{2,3}?",
        r"^\]$",
    ],
)
def test_a_text_that_matches(pattern: str) -> None:
    text = sample(pattern)
    assert text is not None and re.search(pattern, text)
    assert sample(pattern) == text


@pytest.mark.parametrize(
    ("pattern", "least", "most"),
    [("^[a-z]+$", 10, 12), ("^[a-z]+$", 60, 60), ("x", 5, 9), ("^a?b?$", 2, 2), (r"\d+", 40, 200)],
)
def test_its_length(pattern: str, least: int, most: int) -> None:
    text = sample(pattern, least, most)
    assert text is not None and least <= len(text) <= most and re.search(pattern, text)


def test_a_pattern_that_would_take_forever_does_not() -> None:
    began = time.process_time()
    sample("^(a+)+(?!)$")
    assert time.process_time() - began < 5


@pytest.mark.parametrize("pattern", ["(", "a{5000}", "[^\\s\\S]", "(?!)", "a(?<!a)"])
def test_none_where_none_was_made(pattern: str) -> None:
    assert sample(pattern) is None


@settings(max_examples=150, deadline=None)
@given(st.text(alphabet="ab1^$.*+?{}()[]|\\dws-,:=!", max_size=12))
def test_a_sample_matches_or_there_is_none(pattern: str) -> None:
    text = sample(pattern)
    assert text is None or jsonschema_rs.is_valid({"pattern": pattern}, text)


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "string", "minLength": 300},
        {"type": "string", "format": "date-time"},
        {"type": "string", "format": "uuid", "pattern": "^[0-9a-f-]{36}$"},
        {"type": "integer", "minimum": 5, "maximum": 5},
        {"type": "integer", "exclusiveMinimum": 0, "multipleOf": 25},
        {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1},
        {"type": "number", "maximum": -3},
        {"type": "array", "items": {"type": "string"}, "minItems": 3, "uniqueItems": True},
        {"type": "array", "items": {"type": "integer"}, "minItems": 3, "uniqueItems": True},
        {"type": "array", "items": {"enum": ["a", "b"]}, "minItems": 2, "uniqueItems": True},
        {"type": "object", "minProperties": 2},
        {"type": "object", "minProperties": 1, "properties": {"a": {"type": "string"}}, "additionalProperties": False},
        {"oneOf": [{"type": "string", "pattern": "(?!)"}, {"type": "integer"}]},
        {"type": "boolean"},
        {},
    ],
    ids=str,
)
def test_an_example_is_accepted(schema: Any) -> None:
    body = {"type": "object", "required": ["it"], "properties": {"it": schema}}
    made = tool(json_body(body))
    assert made.example is not None
    assert jsonschema_rs.is_valid(dict(made.input_schema), made.example)


def test_the_document_s_examples_come_first() -> None:
    content = {"schema": {"type": "object", "properties": {"a": {"type": "string"}}}, "example": {"a": "given"}}
    parameters = [
        {"name": "p", "in": "query", "schema": {"type": "integer"}, "example": 7},
        {"name": "q", "in": "query", "schema": {"type": "integer"}, "example": "seven"},
    ]
    made = tool({"parameters": parameters, "requestBody": {"content": {"application/json": content}}})
    assert made.example == {"p": 7, "q": 1, "a": "given"}


def test_no_example_where_a_required_argument_has_none() -> None:
    body = {"type": "object", "required": ["it"], "properties": {"it": {"type": "string", "pattern": "(?!)"}}}
    assert tool(json_body(body)).example is None


def test_a_file_has_bytes() -> None:
    body = {"type": "object", "properties": {"it": {"type": "string", "format": "binary"}}}
    assert tool(json_body(body, media_type="multipart/form-data")).example == {"it": "aGVsbG8="}
