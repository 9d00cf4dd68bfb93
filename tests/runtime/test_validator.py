"""Validation: problems in plain words, no fetching, no exceptions; with either library."""

from __future__ import annotations

import sys
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from runtime.validator import Validator

from .conftest import Upstream


@pytest.fixture(params=["jsonschema-rs", "jsonschema"], autouse=True)
def _library(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:  # pyright: ignore[reportUnusedFunction]
    if request.param == "jsonschema":
        monkeypatch.setitem(sys.modules, "jsonschema_rs", None)


def told(schema: dict[str, Any], value: object) -> list[tuple[tuple[str | int, ...], str]]:
    return [(problem.path, problem.expectation) for problem in Validator(schema).problems(value)]


@pytest.mark.parametrize(
    ("schema", "value", "expectation"),
    [
        ({"type": "integer"}, "x", "must be an integer"),
        ({"enum": ["a", 1]}, "x", 'must be one of "a", 1'),
        ({"const": "a"}, "x", 'must be "a"'),
        ({"minimum": 3}, 1, "must be at least 3"),
        ({"multipleOf": 3}, 1, "must be a multiple of 3"),
        ({"minLength": 3}, "a", "must have at least 3 characters"),
        ({"maxItems": 1}, [1, 2], "must have at most 1 items"),
        ({"pattern": "^a"}, "b", "must match the pattern ^a"),
        ({"uniqueItems": True}, [1, 1], "must not hold the same item twice"),
        ({"required": ["a"]}, {}, 'needs "a"'),
        ({"properties": {"a": {}}, "additionalProperties": False}, {"b": 1, "c": 2}, 'has no property "b", "c"'),
        ({"anyOf": [{"type": "integer"}, {"type": "null"}]}, "x", "must be an integer or null"),
        ({"not": {}}, 1, "does not satisfy 'not' of its schema"),
    ],
)
def test_expectations(schema: dict[str, Any], value: object, expectation: str) -> None:
    assert told(schema, value) == [((), expectation)]


def test_types_of_a_union() -> None:
    [(_, expectation)] = told({"type": ["integer", "null"]}, "x")
    assert expectation in ("must be an integer or null", "must be null or an integer")


def test_every_missing_name_once() -> None:
    assert told({"required": ["a", "b"]}, {}) == [((), 'needs "a"'), ((), 'needs "b"')]


def test_the_closest_alternative_explains() -> None:
    schema = {"anyOf": [{"type": "string"}, {"type": "object", "properties": {"n": {"type": "integer"}}}]}
    assert told({"items": schema}, [{"n": "x"}]) == [((0, "n"), "must be an integer")]


@pytest.mark.parametrize("value", [{1: 2}, "\ud800", b"x", object(), {"a": {"b": {3}}}])
def test_odd_values_are_problems_and_not_exceptions(value: object) -> None:
    schema = {"type": "object", "properties": {"a": {"type": "integer"}}, "additionalProperties": False}
    assert not Validator(schema).accepts(value)


@pytest.mark.parametrize("schema", [{"pattern": "("}, {"$ref": "#/nowhere"}])
def test_a_broken_schema_is_a_problem(schema: dict[str, Any]) -> None:
    assert [problem.keyword for problem in Validator(schema).problems("x")] == ["unusable"]


@pytest.fixture
def secret(tmp_path: Path) -> Generator[Path]:
    path = tmp_path / "schema.json"
    path.write_text("{}")
    yield path


@pytest.mark.parametrize("place", ["$ref", "$dynamicRef", "in a base", "after $id"])
def test_references_are_never_fetched(place: str, upstream: Upstream, secret: Path) -> None:
    for address in (f"{upstream.url}/schema.json", secret.as_uri()):
        folder, _, name = address.rpartition("/")
        schema: dict[str, Any] = {
            "$ref": {"$ref": address},
            "$dynamicRef": {"properties": {"a": {"$dynamicRef": address}}},
            "in a base": {"$id": f"{folder}/base.json", "properties": {"a": {"$ref": name}}},
            "after $id": {"allOf": [{"$id": f"{folder}/", "$ref": name}]},
        }[place]
        assert [problem.keyword for problem in Validator(schema).problems({"a": 1})] == ["unusable"]
    assert upstream.received == []


def test_a_metaschema_is_not_fetched(upstream: Upstream) -> None:
    Validator({"$schema": f"{upstream.url}/meta", "type": "object"}).accepts({})
    assert upstream.received == []


@pytest.mark.parametrize(
    ("value", "path"),
    [
        ({"body": {"": [{"a": "x"}]}}, ("body", "", 0, "a")),
        ({"body": {"": [{"a": 1}, {"a": "x"}]}}, ("body", "", 1, "a")),
        ({"body": {"": [], "1": [{"a": "x"}]}}, ("body", "1", 0, "a")),
    ],
)
def test_a_member_without_a_name_is_found(value: Any, path: tuple[str | int, ...]) -> None:
    """The library leaves its name out of the path."""
    items = {"type": "array", "items": {"properties": {"a": {"type": "integer"}}}}
    (problem,) = Validator({"properties": {"body": {"additionalProperties": items}}}).problems(value)
    assert problem.path == path


def test_members_whose_names_are_numbers_are_named_as_they_are() -> None:
    """The library tells them as numbers, which leads nowhere in an object."""
    schema = {"type": "object", "additionalProperties": {"type": "object", "additionalProperties": {"type": "array"}}}
    for name in ("18", "018", "+18", "-1", "1.5", "x"):
        (problem,) = Validator(schema).problems({"body": {name: 5}})
        assert problem.path == ("body", name)
