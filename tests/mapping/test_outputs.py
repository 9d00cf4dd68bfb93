"""What a tool answers: the schema that is published, and what an answer becomes that does or does not keep to it."""

from __future__ import annotations

import json
from typing import Any, Literal

import jsonschema_rs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mcp.types import CallToolResult
from runtime.operation import Api, Operation
from runtime.settings import Settings

from runtime import answer, contract
from toolcast.mapping.tokens import Sizes
from toolcast.model.catalog import Tool
from toolcast.model.config import Config

from .documents import mapped, tool

API = Api(
    name="a", title="A", version="1", package="a", environment="A", instructions="", groups={}, servers=(), security={}
)
SETTINGS = Settings.read(API, {"A_BASE_URL": "https://a.example"})
PET: dict[str, Any] = {
    "type": "object",
    "required": ["id", "tags"],
    "additionalProperties": False,
    "properties": {
        "id": {"type": "integer", "minimum": 1, "description": "Its number."},
        "kind": {"type": "string", "enum": ["cat", "dog"]},
        "born": {"type": "string", "format": "date"},
        "tags": {"type": "array", "maxItems": 2, "items": {"type": "string", "pattern": "^[a-z]+$"}},
        "owner": {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}}},
    },
}
Strictness = Literal["loose", "strict", "off"]


def answering(schema: Any, strictness: Strictness = "loose", **more: Any) -> Tool:
    """The tool of an operation that answers JSON of this schema."""
    answers = {"200": {"description": "OK", "content": {"application/json": {"schema": schema}}}, **more}
    paths = {"/x": {"get": {"operationId": "readX", "responses": answers}}}
    return mapped(paths, config=Config(name="api", output_schema=strictness)).catalog.tools[0]


def result(made: Tool, body: bytes, media_type: str = "application/json", status: int = 200) -> CallToolResult:
    """The result of a call that the API answers so."""
    response = answer.Response(
        status=status,
        reason="",
        headers={"content-type": media_type},
        body=body,
        complete=True,
        url="https://a.example/x",
    )
    entry: dict[str, Any] = {"name": made.name, "inputSchema": made.input_schema}
    entry |= {"outputSchema": made.output_schema} if made.output_schema is not None else {}
    operation: Operation[Any, Any] = Operation(name=made.name, method="GET", path="/x", wrapped=made.wrapped)
    return answer.result(response, operation, contract.Tool(entry), SETTINGS)


def structured(made: Tool, value: Any) -> Any:
    """The structured content of an answer, which a client finds in order."""
    found = result(made, json.dumps(value).encode())
    assert not found.is_error and made.output_schema is not None
    jsonschema_rs.Draft202012Validator(dict(made.output_schema)).validate(found.structured_content)
    content: Any = found.structured_content
    if "_unmatched" in content:
        content["_unmatched"].sort()
    return content


# --- loose


def test_a_loose_schema_has_types_fields_and_texts_and_nothing_that_apis_break() -> None:
    assert answering(PET).output_schema == {
        "type": "object",
        "properties": {
            "id": {"type": ["integer", "string", "null"], "description": "Its number."},
            "kind": {"type": ["string", "null"]},
            "born": {"type": ["string", "null"]},
            "tags": {"type": ["array", "null"], "items": {"type": ["string", "null"]}},
            "owner": {"type": ["object", "null"], "properties": {"name": {"type": ["string", "null"]}}},
        },
    }


def test_an_answer_that_breaks_its_description_is_there_as_far_as_it_keeps_to_it() -> None:
    given = {"id": "7", "kind": "cow", "tags": {}, "born": None, "extra": [1], "owner": {"name": 5}}
    assert structured(answering(PET), given) == {
        "id": "7", "kind": "cow", "born": None, "extra": [1], "owner": {}, "_unmatched": ["/owner/name", "/tags"],
    }  # fmt: skip
    found = result(answering(PET), json.dumps(given).encode())
    assert json.loads(found.content[0].text) == given  # pyright: ignore


def test_a_map_has_a_place_for_what_did_not_fit() -> None:
    made = answering({"type": "object", "additionalProperties": {"type": "integer"}})
    assert structured(made, {"a": 1, "b": "2", "c": None}) == {"a": 1, "b": "2", "c": None}
    assert structured(made, {"a": 1, "b": [2]}) == {"a": 1, "_unmatched": ["/b"]}


@pytest.mark.parametrize("value", [[], [1], 3, "x", None, {"a": 1}, [[None]], False])
def test_what_is_no_object_is_wrapped(value: Any) -> None:
    schemas: list[Any] = [
        {"type": "array", "items": {}},
        {"type": "integer"},
        {},
        {"oneOf": [{"type": "object"}, {"type": "array"}]},
    ]
    for schema in schemas:
        made = answering(schema)
        assert made.wrapped and made.output_schema is not None and made.output_schema["type"] == "object"
        assert "result" in structured(made, value)


@pytest.mark.parametrize(("schema", "expected"), [(PET, {}), ({"type": "array", "items": {}}, {"result": None})])
@pytest.mark.parametrize(
    ("body", "media_type", "status"), [(b"", "application/json", 204), (b"done", "text/plain", 200)]
)
def test_an_answer_without_json_has_an_empty_structure(
    schema: Any, expected: Any, body: bytes, media_type: str, status: int
) -> None:
    found = result(answering(schema), body, media_type, status)
    assert (found.is_error, found.structured_content) == (False, expected)


def test_every_json_answer_of_a_success_counts() -> None:
    def content(**by_type: str) -> dict[str, Any]:
        return {
            "description": "OK",
            "content": {
                media_type.replace("_", "/"): {"schema": {"type": "object", "properties": {name: {"type": "string"}}}}
                for media_type, name in by_type.items()
            },
        }

    refused = content(application_json="no")
    more: Any = {
        "201": content(application_json="a", **{"application_vnd.b+json": "b"}, text_csv="no"),
        "2XX": content(application_json="c"),
        "400": refused,
        "default": refused,
    }
    made = answering({"type": "object"}, **more)
    assert made.output_schema is not None and not made.wrapped
    assert {*made.output_schema["properties"]} == {"a", "b", "c"}  # pyright: ignore


def test_a_stream_has_no_schema() -> None:
    lines = {"200": {"description": "OK", "content": {"application/x-ndjson": {"schema": {"type": "object"}}}}}
    assert tool({"responses": lines}, method="get").output_schema is None


def test_an_answer_has_a_budget_of_its_own() -> None:
    def deep(levels: int) -> dict[str, Any]:
        fields = {f"f{levels}{i}": {"type": "string", "description": "Words " * 20} for i in range(8)}
        return {"type": "object", "properties": {**fields, **({"in": deep(levels - 1)} if levels else {})}}

    small, large = answering(deep(0)), answering({"type": "array", "items": deep(9)})
    assert "Words" in json.dumps(small.output_schema) and "f00" not in json.dumps(large.output_schema)
    assert Sizes().tokens(json.loads(json.dumps(large.output_schema))) <= 1_000
    assert "f90" in json.dumps(large.output_schema)


# --- strict, and off


def test_a_strict_schema_promises_what_the_document_does_but_at_the_root() -> None:
    made = answering(PET, "strict")
    assert made.output_schema is not None and made.output_schema.keys() == {"type", "properties"}
    assert made.output_schema["properties"] == {
        "id": {"type": "integer", "description": "Its number.", "minimum": 1},
        "kind": {"type": "string", "enum": ["cat", "dog"]},
        "born": {"type": "string", "format": "date"},
        "tags": {"type": "array", "items": {"type": "string", "pattern": "^[a-z]+$"}, "maxItems": 2},
        "owner": {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]},
    }
    assert structured(made, {"id": 0, "kind": "cow", "tags": ["a", "B"], "owner": {}}) == {
        "tags": ["a"], "_unmatched": ["/id", "/kind", "/owner", "/tags/1"],
    }  # fmt: skip


def test_without_schemas_the_text_is_all_and_the_types_stay() -> None:
    made = answering(PET, "off")
    assert (made.output_schema, made.wrapped) == (None, False)
    assert made.result_type == answering(PET).result_type == {"$ref": "#/$defs/ReadXResult"}
    found = result(made, b'{"id": 1}')
    assert (found.structured_content, found.content[0].text) == (None, '{"id":1}')  # pyright: ignore


_values: st.SearchStrategy[Any] = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-9, 9), st.text(max_size=3)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(
            st.sampled_from(["id", "kind", "born", "tags", "owner", "name", "result", "x"]), inner, max_size=4
        ),
    ),
    max_leaves=8,
)


@settings(max_examples=150, deadline=None)
@given(_values, st.sampled_from(["loose", "strict"]), st.integers(0, 4))
def test_whatever_comes_the_call_succeeds_and_the_structure_fits(
    value: Any, strictness: Strictness, which: int
) -> None:
    schemas: list[Any] = [
        PET,
        {"type": "array", "items": PET},
        {"type": "object", "additionalProperties": PET},
        {
            "oneOf": [
                PET,
                {
                    "type": "object",
                    "required": ["x"],
                    "properties": {"x": {"type": "integer"}, "id": {"type": "string"}},
                },
            ]
        },
        {"oneOf": [PET, {"type": "string"}]},
    ]
    structured(_TOOLS.setdefault((strictness, which), answering(schemas[which], strictness)), value)


_TOOLS: dict[tuple[str, int], Tool] = {}
