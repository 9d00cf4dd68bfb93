"""Arguments that are given inside of another one."""

from __future__ import annotations

import json
from typing import Any

import pytest
from runtime.arguments import check
from runtime.contract import Tool
from runtime.errors import ArgumentProblem
from runtime.operation import Arguments, Content, Field, Header, More, Operation, Path, Query
from runtime.request import ArgumentError, Request, build

OPERATION: Operation[Any, Any] = Operation(
    name="t",
    method="POST",
    path="/shelves/{shelf}",
    bindings=(
        Path("shelf"),
        Field("title"),
        More(
            "more",
            (
                Query("filter_state", name="filter[state]"),
                Query("ids", explode=False),
                Header("trace", name="X-Trace"),
                Field("notes"),
                Field("lt", name="<"),
            ),
        ),
    ),
    body=Content(),
)
TOOL = Tool(
    {
        "name": "t",
        "inputSchema": {
            "type": "object",
            "properties": {"shelf": {"type": "integer"}, "title": {"type": "string"}, "more": {"type": "object"}},
            "required": ["shelf"],
            "additionalProperties": False,
        },
    }
)


def send(arguments: Arguments) -> Request:
    return build(OPERATION, check(TOOL, arguments, OPERATION.parameters, OPERATION.inner), "http://h")


def test_each_goes_to_its_own_place() -> None:
    inner: dict[str, Any] = {"filter_state": "on", "ids": [1, 2], "trace": "z", "notes": None, "lt": {"deep": [5]}}
    request = send({"shelf": 3, "title": "x", "more": inner})
    assert request.url == "http://h/shelves/3?filter%5Bstate%5D=on&ids=1,2"
    assert ("X-Trace", "z") in request.headers
    assert json.loads(request.body or b"") == {"title": "x", "notes": None, "<": {"deep": [5]}}


def test_what_is_not_given_is_not_sent() -> None:
    assert send({"shelf": 3}) == send({"shelf": 3, "more": {}})
    assert send({"shelf": 3}).body is None


def test_an_object_that_came_as_json_text_is_taken_and_the_values_in_it_stay_as_they_are() -> None:
    request = send({"shelf": "3", "more": '{"notes": "[1]", "ids": "7"}'})
    assert request.url.endswith("/3?ids=7")
    assert json.loads(request.body or b"") == {"notes": "[1]"}


def test_a_name_on_the_wire_is_taken_there_too() -> None:
    assert send({"shelf": 1, "more": {"filter[state]": "on", "x-trace": "z"}}) == send(
        {"shelf": 1, "more": {"filter_state": "on", "trace": "z"}}
    )


@pytest.mark.parametrize(
    ("inner", "told"),
    [
        ({"note": 1}, "'note' (did you mean notes?)"),
        ({"title": "x"}, "'title'"),
        ({"zzz": 1, "notes": 2}, "'zzz'; it takes filter_state, ids, trace, notes, lt"),
    ],
)
def test_an_unknown_name_is_refused_with_the_nearest_one(inner: dict[str, Any], told: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        send({"shelf": 1, "more": inner})
    assert caught.value.argument == "more"
    assert told in caught.value.message


@pytest.mark.parametrize("name", ["notes", "note"])
def test_one_that_is_given_beside_it_is_told_where_it_goes(name: str) -> None:
    with pytest.raises(ArgumentProblem, match=rf"{name} \(give notes inside of more\)"):
        send({"shelf": 1, name: "x"})


def test_a_value_that_cannot_stand_in_its_place_is_told_by_its_own_name() -> None:
    with pytest.raises(ArgumentError, match="'trace' must not contain line breaks"):
        send({"shelf": 1, "more": {"trace": "a\nb"}})
    with pytest.raises(ArgumentProblem, match="more must be an object"):
        send({"shelf": 1, "more": [1]})
