"""The limits of clients that a document passes."""

from __future__ import annotations

from typing import Any

import pytest

from toolcast.model.json import JsonObject
from toolcast.model.limits import LIMITS
from toolcast.view.limits import COUNTED, MEASURED

from .conftest import Look


def test_every_limit_that_is_not_kept_is_looked_at() -> None:
    assert {limit.id for limit in LIMITS if not limit.kept} == COUNTED | MEASURED.keys()


def shelves(number: int) -> dict[str, Any]:
    """So many operations."""
    return {f"/s{n}": {"get": {"operationId": f"getShelf{n}"}} for n in range(number)}


@pytest.mark.parametrize(
    ("number", "passed"),
    [(40, set[str]()), (41, {"tools-cursor"}), (101, {"tools-cursor", "tools-windsurf"}), (129, COUNTED)],
)
def test_the_number_of_tools(look: Look, number: int, passed: set[str]) -> None:
    assert {entry.limit.id for entry in look(shelves(number)).passed} == passed


def test_the_name_of_the_server_counts(look: Look) -> None:
    paths = {
        "/shelves": {"get": {"operationId": "listTheShelvesOfTheHall"}},
        "/s": {"get": {"operationId": "getShelf"}},
    }
    survey = look(paths, info={"title": "The library of the town that lies on the river", "version": "1"})
    assert survey.catalog.name == "the-library-of-the-town-that-lies-on-the"
    assert [(entry.limit.id, entry.tools) for entry in survey.passed] == [
        ("name-gemini-cli", ("list_the_shelves_of_the_hall",))
    ]


@pytest.mark.parametrize(
    ("limit", "schema", "other"),
    [
        ("references", {"properties": {"a": {"$ref": "#/$defs/A"}}}, {"properties": {"$ref": {"type": "string"}}}),
        (
            "argument-description-actions",
            {"properties": {"a": {"items": {"description": "a" * 701}}}},
            {"properties": {"a": {"items": {"description": "a" * 700}}}},
        ),
        ("tool-size", {"enum": ["a" * 9_000, "b" * 9_000]}, {"enum": ["a" * 9_000]}),
    ],
)
def test_what_one_tool_may_be(limit: str, schema: JsonObject, other: JsonObject) -> None:
    value = next(entry.value for entry in LIMITS if entry.id == limit) or 0
    assert MEASURED[limit]({"name": "a", "inputSchema": schema}, "library", value)
    assert not MEASURED[limit](
        {"name": "a", "inputSchema": other, "outputSchema": {"x": "a" * 9_000}}, "library", value
    )
