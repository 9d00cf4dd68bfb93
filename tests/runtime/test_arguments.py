"""Arguments: what is coerced, what is refused, and in which words."""

from __future__ import annotations

from typing import Any

import pytest
from runtime.arguments import check
from runtime.contract import Tool
from runtime.errors import ArgumentProblem


def tool(properties: dict[str, Any], **more: Any) -> Tool:
    schema = {"type": "object", "properties": properties, "additionalProperties": False, **more}
    return Tool({"name": "find", "inputSchema": schema})


INTEGER, NUMBER, BOOLEAN, STRING = ({"type": name} for name in ("integer", "number", "boolean", "string"))
DEEP = {"type": "object", "properties": {"n": INTEGER, "s": STRING, "l": {"type": "array", "items": INTEGER}}}


@pytest.mark.parametrize(
    ("schema", "given", "expected"),
    [
        (INTEGER, "5", 5),
        (INTEGER, " 5 ", 5),
        (INTEGER, "5.0", 5.0),
        (NUMBER, "5.5", 5.5),
        (NUMBER, "1e3", 1000.0),
        (BOOLEAN, "true", True),
        (BOOLEAN, "False", False),
        ({"type": ["integer", "null"]}, "null", None),
        ({"type": "array", "items": INTEGER}, "[1,2]", [1, 2]),
        ({"type": "array", "items": INTEGER}, ["1", 2], [1, 2]),
        ({"type": "array", "prefixItems": [STRING, INTEGER]}, ["1", "2"], ["1", 2]),
        (DEEP, '{"n": 1}', {"n": 1}),
        (DEEP, {"n": "1", "s": "1", "l": "[1]"}, {"n": 1, "s": "1", "l": [1]}),
        ({"enum": [1, 2]}, "2", 2),
        ({"$ref": "#/$defs/Count"}, "2", 2),
        ({"anyOf": [INTEGER, DEEP]}, "2", 2),
        ({"anyOf": [INTEGER, DEEP]}, {"n": "2"}, {"n": 2}),
        ({"type": "object", "additionalProperties": INTEGER}, {"x": "2"}, {"x": 2}),
        ({"allOf": [INTEGER]}, "2", 2),
        (STRING, "5", "5"),
        ({}, "5", "5"),
        ({"type": ["integer", "string"]}, "5", "5"),
        ({"anyOf": [INTEGER, STRING]}, "[1]", "[1]"),
    ],
)
def test_json_text_where_no_string_may_be(schema: dict[str, Any], given: Any, expected: Any) -> None:
    checked = check(tool({"a": schema}, **{"$defs": {"Count": INTEGER}}), {"a": given})["a"]
    assert checked == expected
    assert type(checked) is type(expected)


@pytest.mark.parametrize(
    ("schema", "given", "message"),
    [
        (INTEGER, "many", 'a must be an integer, but "many" came'),
        (INTEGER, "NaN", 'a must be an integer, but "NaN" came'),
        (INTEGER, None, "a must be an integer, but null (leave an argument out to omit it) came"),
        (INTEGER, '"5"', 'a must be an integer, but "\\"5\\"" came'),
        (DEEP, '{"n": "1"}', 'a.n must be an integer, but "1" came'),
        (DEEP, {"l": [1, "x"]}, 'a.l[1] must be an integer, but "x" came'),
        ({"enum": ["up", "down"]}, "left", 'a must be one of "up", "down", but "left" came'),
        (
            {"pattern": "a"},
            "\ud800",
            "the arguments object cannot be checked (UnicodeEncodeError), but a value that JSON",
        ),
    ],
)
def test_the_message_names_argument_expectation_and_value(schema: dict[str, Any], given: Any, message: str) -> None:
    with pytest.raises(ArgumentProblem) as caught:
        check(tool({"a": schema}), {"a": given})
    assert message in str(caught.value)
    assert "find" in str(caught.value)


def test_unknown_arguments_and_missing_ones() -> None:
    with pytest.raises(ArgumentProblem) as caught:
        check(tool({"limit": INTEGER, "name": STRING}, required=["name"]), {"limt": 5, "zzz": 1})
    assert "unknown: limt (did you mean limit?), zzz; the arguments are limit, name" in str(caught.value)
    assert "name is required" in str(caught.value)


def test_at_most_five_problems_and_short_values() -> None:
    with pytest.raises(ArgumentProblem) as caught:
        check(tool({f"a{n}": INTEGER for n in range(9)}), {f"a{n}": "x" * 5_000 for n in range(9)})
    assert str(caught.value).count("must be an integer") == 5
    assert "- and more" in str(caught.value)
    assert "(5002 characters)" in str(caught.value)
    assert len(str(caught.value)) < 1_000


@pytest.mark.parametrize(
    ("schema", "kept"),
    [
        (INTEGER, False),
        ({"type": "string", "enum": ["a"]}, False),
        ({"anyOf": [INTEGER, STRING]}, False),
        ({"type": ["integer", "null"]}, True),
        ({"anyOf": [INTEGER, {"type": "null"}]}, True),
        ({}, True),
    ],
)
def test_null_outside_of_the_body_is_no_value(schema: dict[str, Any], kept: bool) -> None:
    entry = tool({"q": schema, "name": STRING})
    assert check(entry, {"q": None, "name": "x"}, {"q"}) == ({"q": None, "name": "x"} if kept else {"name": "x"})
    with pytest.raises(ArgumentProblem, match="name must be a string, but null"):
        check(entry, {"q": None, "name": None}, {"q"})


def test_null_for_what_is_required_or_unknown() -> None:
    with pytest.raises(ArgumentProblem, match="id is required"):
        check(tool({"id": INTEGER}, required=["id"]), {"id": None}, {"id"})
    with pytest.raises(ArgumentProblem, match="unknown: idd"):
        check(tool({"id": INTEGER}), {"idd": None}, {"id"})


@pytest.mark.parametrize("arguments", [None, [], "x"])
def test_arguments_that_are_no_object(arguments: Any) -> None:
    with pytest.raises(ArgumentProblem, match="must be an object"):
        check(tool({}), arguments)


def test_circular_references_end() -> None:
    circle: dict[str, Any] = {"A": {"$ref": "#/$defs/B"}, "B": {"$ref": "#/$defs/A"}}
    with pytest.raises(ArgumentProblem):
        check(tool({"a": {"$ref": "#/$defs/A"}, "b": INTEGER}, **{"$defs": circle}), {"a": "1", "b": "x"})


def test_what_is_valid_is_not_touched() -> None:
    given: dict[str, Any] = {"a": {"n": 1, "s": "[1]"}}
    assert check(tool({"a": DEEP}), given) == given
