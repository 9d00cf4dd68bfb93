"""Projections: what an expression gives, that its evaluation is bounded, and what an agent is told."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from runtime.contract import Tool
from runtime.errors import CallError
from runtime.operation import Operation
from runtime.outcome import Answered, Given
from runtime.projection import Projection, projection
from runtime.response import Response
from runtime.settings import Settings
from runtime.style import Unfit

from .conftest import PET, api_at, text, tool

SHELVES: Any = {
    "shelves": [{"name": "A", "books": [{"id": 1, "title": "One"}, {"id": 2, "title": "Two"}]}, {"name": "B"}],
    "total": 2,
}
SETTINGS = Settings.read(api_at("https://api.example"), {})
OPERATION: Operation[Any, Any] = Operation(name="list", method="GET", path="/shelves", projection="projection")
SHELVES_SCHEMA: Any = {"type": "object", "properties": {"shelves": {"type": "array"}, "total": {"type": "integer"}}}


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("total", 2),
        ("shelves[].name", ["A", "B"]),
        ("shelves[].books[].{n: id}", [{"n": 1}, {"n": 2}]),
        ("shelves[?name == 'B'] | [0]", {"name": "B"}),
        ("length(shelves)", 2),
        ("nothing.here", None),
    ],
)
def test_an_expression_gives_a_part(expression: str, expected: Any) -> None:
    assert projection(expression).of(SHELVES) == expected


@pytest.mark.parametrize("expression", ["", "a(", "shelves[", "(" * 900, "a" * 1_001, 7, ["a"]])
def test_what_is_no_expression_is_refused(expression: Any) -> None:
    with pytest.raises(Unfit):
        projection(expression)


@pytest.mark.parametrize(
    "expression",
    [
        "@" + " | [@, @] | []" * 60,
        "@" + " | [@, @]" * 100,
        "@" + " | {a: @, b: @}" * 60,
        "'x'" + " | join('', [@, @])" * 45,
        "shelves" + " | map(&[@, @, @, @, @, @, @, @, @], @)" * 20,
        "@" + " | [@, @, @, @, @, @, @, @] | []" * 30 + " | to_string(@)",
    ],
)
def test_an_expression_that_grows_without_end_is_stopped(expression: str) -> None:
    with pytest.raises(Unfit, match="more than this server computes"):
        projection(expression).of(SHELVES)


@pytest.mark.parametrize("expression", ["&a", "to_number('NaN')", "unknown(@)", "length(total)", "!" * 900 + "a"])
def test_what_has_no_value_says_why(expression: str) -> None:
    with pytest.raises(Unfit):
        projection(expression).of(SHELVES)


@pytest.mark.filterwarnings("ignore:deprecated string literal syntax")
@given(st.text(alphabet="abi.[]{}()|&@,:*?=<>!`'\"0123456789- \n", max_size=40))
def test_whatever_a_model_writes_is_refused_or_gives_json(expression: str) -> None:
    try:
        found = projection(expression).of({"a": [{"b": 1}, {"b": "x", "i": [1, 2]}], "i": None})
    except Unfit:
        return
    json.dumps(found, allow_nan=False)


def answered(body: bytes, expression: str | None, *, schema: Any = None, media_type: str = "application/json") -> Any:
    response = Response(200, "OK", {"content-type": media_type}, body, complete=True, url="https://api.example/x")
    outcome = Answered(response, OPERATION, Tool(tool("list", {}, schema)), SETTINGS)
    return outcome if expression is None else outcome.projected(projection(expression))


pytestmark = pytest.mark.anyio
BODY = json.dumps(SHELVES).encode()


async def test_the_result_is_the_part() -> None:
    result = await answered(BODY, "shelves[].name").result()
    assert (text(result), result.structured_content) == ('["A","B"]', None)
    described = await answered(BODY, "shelves[].name", schema=SHELVES_SCHEMA).result()
    assert described.structured_content == {"_projected": ["A", "B"]}
    assert await answered(BODY, "total").value() == 2


async def test_of_an_answer_that_is_no_object_the_structured_result_has_the_part_too() -> None:
    schema: Any = {"type": "object", "properties": {"result": {"type": ["array", "null"]}}}
    outcome = Given([{"a": 1}], Tool(tool("list", {}, schema)), SETTINGS, wrapped=True)
    assert (await outcome.projected(projection("[].a")).result()).structured_content == {"_projected": [1]}


async def test_a_part_that_is_not_there_is_said_with_what_is() -> None:
    result = await answered(BODY, "items[].name").result()
    assert [block.text for block in result.content][1].endswith("an object with shelves, total.")


async def test_where_a_projection_fails_the_whole_answer_comes() -> None:
    result = await answered(BODY, "length(total)").result()
    assert not result.is_error and "whole answer" in result.content[0].text
    assert json.loads(result.content[1].text) == SHELVES
    with pytest.raises(CallError, match="carried out"):
        await answered(BODY, "length(total)").value()


async def test_records_are_a_list() -> None:
    found = answered(b'{"id": 1}\n{"id": 2}\n', "[].id", media_type="application/x-ndjson")
    assert text(await found.result()) == "[1,2]"


async def test_what_is_no_json_comes_as_it_is() -> None:
    assert text(await answered(b"plain", "a", media_type="text/plain").result()).startswith("plain")


async def test_what_the_owner_gives_is_projected_too() -> None:
    outcome = Given({"a": [1, 2]}, Tool(tool("list", {}, PET)), SETTINGS).projected(projection("a[0]"))
    assert text(await outcome.result()) == "1" and await outcome.value() == 1
    with pytest.raises(CallError, match="carried out"):
        await outcome.projected(projection("length(a[0])")).value()


def test_a_projection_is_a_value() -> None:
    assert replace(projection("a"), text="b") == Projection("b", projection("a").parsed)
