from __future__ import annotations

from typing import Any

import pytest

from toolcast.model.catalog import BodyField, HeaderArg, PathArg, QueryArg, WholeBody

from .documents import json_body, mapped, properties, tool

NAMED: dict[str, Any] = {"type": "object", "properties": {"name": {"type": "string"}}}
NEEDED = NAMED | {"required": ["name"]}
FILE = {"type": "string", "format": "binary"}


def is_flat(schema: Any, *, required: bool = True, media_type: str = "application/json", **root: Any) -> bool:
    made = tool(json_body(schema, required=required, media_type=media_type), **root)
    return not any(isinstance(binding, WholeBody) for binding in made.bindings)


BODIES: list[tuple[Any, ...]] = [
    (NAMED, True),
    (NEEDED, True),
    (NAMED | {"additionalProperties": False}, True),
    (NAMED | {"additionalProperties": True}, False),
    (NAMED | {"additionalProperties": {"type": "string"}}, False),
    (NAMED | {"patternProperties": {"^x-": {}}}, False),
    (NAMED | {"oneOf": [{"required": ["name"]}]}, False),
    (NAMED | {"anyOf": [{"required": ["name"]}]}, False),
    (NAMED | {"type": ["object", "null"]}, False),
    (NAMED | {"discriminator": {"propertyName": "name"}}, True),
    (NAMED | {"discriminator": {"propertyName": "name", "mapping": {"a": "A"}}}, False),
    ({"allOf": [NAMED, {"properties": {"age": {}}}]}, True),
    ({"type": "object"}, False),
    ({"type": "object", "properties": {}}, False),
    ({"type": "array", "items": NAMED}, False),
    ({"type": "string"}, False),
    ({}, False),
    (True, False),
]


@pytest.mark.parametrize(
    ("schema", "expected"),
    BODIES,
)
def test_a_body_of_fields_becomes_arguments(schema: Any, expected: bool) -> None:
    assert is_flat(schema) is expected


def test_an_optional_body_with_required_fields_stays_whole() -> None:
    assert not is_flat(NEEDED, required=False)
    assert is_flat(NAMED, required=False)


@pytest.mark.parametrize(
    ("media_type", "expected"),
    [
        ("application/x-www-form-urlencoded", True),
        ("multipart/form-data", True),
        ("application/vnd.a+json", True),
        ("application/merge-patch+json; charset=utf-8", True),
        ("*/*", True),
        ("text/plain", False),
        ("application/octet-stream", False),
    ],
)
def test_bodies_of_fields_by_media_type(media_type: str, expected: bool) -> None:
    assert is_flat(NAMED, media_type=media_type) is expected


def test_only_required_fields_of_a_required_body_are_required() -> None:
    assert tool(json_body(NEEDED)).input_schema["required"] == ["name"]
    assert "required" not in tool(json_body(NAMED)).input_schema
    assert tool(json_body({"type": "array", "items": {}})).input_schema["required"] == ["body"]
    assert "required" not in tool(json_body({"type": "array", "items": {}}, required=False)).input_schema


def test_fields_that_are_only_read_are_no_arguments() -> None:
    fields = {"id": {"type": "integer", "readOnly": True}, "name": {}, "at": {"$ref": "#/components/schemas/At"}}
    schema = {"type": "object", "required": ["id", "name"], "properties": fields}
    made = tool(json_body(schema), components={"schemas": {"At": {"readOnly": True}}})
    assert {*properties(made)} == {"name"} and made.input_schema["required"] == ["name"]


def test_a_body_of_which_nothing_can_be_said_is_no_argument() -> None:
    made = tool(json_body({"type": "object", "properties": {"id": {"readOnly": True}}}))
    assert made.bindings == () and made.body is not None
    assert made.input_schema == {"type": "object", "properties": {}, "additionalProperties": False}


def test_the_same_name_in_every_place() -> None:
    parameters = [{"name": "id", "in": place, "required": place == "path", "schema": {"type": "integer"}}
                  for place in ("path", "query", "header")]  # fmt: skip
    body: dict[str, Any] = {"content": {"application/json": {"schema": {"type": "object", "properties": {"id": {}}}}}}
    made = tool({"parameters": parameters, "requestBody": body}, "/users/{id}", "put")
    assert [(type(b), b.argument) for b in made.bindings] == [
        (PathArg, "id"), (QueryArg, "id_query"), (HeaderArg, "id_header"), (BodyField, "id_body"),
    ]  # fmt: skip
    assert made.input_schema["required"] == ["id"]


def parameter(schema: Any, **more: Any) -> dict[str, Any]:
    """The input schema of a query parameter."""
    return properties(tool({"parameters": [{"name": "it", "in": "query", "schema": schema, **more}]}, method="get"))[
        "it"
    ]


@pytest.mark.parametrize(
    ("schema", "published"),
    [
        ({"type": ["string", "null"]}, {"type": ["string", "null"]}),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, {"type": ["string", "null"]}),
        ({"type": ["string", "null"], "enum": ["a", None]}, {"type": ["string", "null"], "enum": ["a", None]}),
        ({"type": "string"}, {"type": "string"}),
    ],
)
def test_null_is_published_wherever_the_document_allows_it(schema: Any, published: Any) -> None:
    assert parameter(schema) == published
    for place, path in (("path", "/{it}"), ("header", "/"), ("cookie", "/")):
        made = tool({"parameters": [{"name": "it", "in": place, "schema": schema}]}, path, "get")
        assert properties(made)["it"] == published
    content: dict[str, Any] = {"application/json": {"schema": schema}}
    made = tool({"parameters": [{"name": "it", "in": "query", "content": content}]}, method="get")
    assert properties(made)["it"] == published
    for media_type in ("application/json", "application/x-www-form-urlencoded", "multipart/form-data"):
        fields = {"type": "object", "properties": {"it": schema}}
        assert properties(tool(json_body(fields, media_type=media_type)))["it"] == published


def test_a_parameter_of_xml_is_text() -> None:
    content = {"application/xml": {"schema": NAMED}}
    made = tool({"parameters": [{"name": "it", "in": "query", "description": "Which", "content": content}]})
    assert properties(made)["it"] == {"type": "string", "description": "Which\nWritten as application/xml."}


def test_a_parameter_s_own_text_does_not_hide_what_its_schema_has_to_tell() -> None:
    made = parameter({"type": "string", "pattern": "(", "description": "General"}, description="Here")
    assert made["description"] == "Here\nPattern: ("


def test_a_deprecated_parameter_says_so() -> None:
    assert parameter({"type": "string"}, deprecated=True, description="Old")["description"] == "Deprecated. Old"


def test_defaults_are_told() -> None:
    assert parameter({"type": "integer", "default": 20}) == {"type": "integer", "default": 20}


# --- files


@pytest.mark.parametrize(
    ("schema", "file", "many"),
    [
        ({"type": "string", "format": "binary"}, True, False),
        ({"type": "array", "items": {"type": "string", "format": "binary"}}, True, True),
        ({"type": "string", "contentMediaType": "image/png"}, True, False),
        ({"contentMediaType": "image/png"}, True, False),
        ({"type": "string", "contentMediaType": "image/png", "contentEncoding": "base64"}, False, False),
        ({"type": "string", "format": "byte"}, False, False),
        ({"type": "string", "description": "Say it as a data: URI"}, False, False),
        ({"type": "object", "contentMediaType": "image/png"}, False, False),
        ({"anyOf": [FILE, {"type": "string"}]}, True, False),
        ({"anyOf": [FILE, {"type": "array", "items": FILE}]}, True, True),
        ({"oneOf": [FILE, {"type": "object"}]}, False, False),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, False, False),
    ],
)
def test_files_of_a_form(schema: Any, file: bool, many: bool) -> None:
    body = {"type": "object", "properties": {"it": schema}}
    made = tool(json_body(body, media_type="multipart/form-data"))
    argument = properties(made)["it"]
    assert made.body is not None
    assert [part.file for part in made.body.parts if part.file] == [True] * file
    assert ("A file: its bytes as base64" in argument.get("description", "")) is file
    assert (argument.get("type") == "array") is many


@pytest.mark.parametrize(
    ("schema", "published"),
    [
        ({"anyOf": [FILE, {"type": "null"}]}, {"type": ["string", "null"]}),
        ({"oneOf": [{"$ref": "#/components/schemas/Blob"}, {"type": "null"}]}, {"type": ["string", "null"]}),
        ({"type": ["string", "null"], "format": "binary"}, {"type": ["string", "null"]}),
        (
            {"anyOf": [{"type": "array", "items": FILE}, {"type": "null"}]},
            {"type": ["array", "null"], "items": {"type": "string"}},
        ),
    ],
)
def test_a_file_may_be_null(schema: Any, published: Any) -> None:
    body = {"type": "object", "properties": {"it": schema}}
    root: dict[str, Any] = {"components": {"schemas": {"Blob": FILE}}}
    made = tool(json_body(body, media_type="multipart/form-data"), **root)
    argument = properties(made)["it"]
    assert {key: argument[key] for key in argument if key != "description"} == published
    assert made.body is not None and [part.file for part in made.body.parts] == [True]


def test_a_body_of_bytes_is_a_file() -> None:
    made = tool(json_body({"type": "string", "format": "binary"}, media_type="image/png"))
    assert made.body is not None and made.body.file
    assert "base64" in properties(made)["body"]["description"]


def test_a_body_of_text_is_a_string() -> None:
    made = tool(json_body({"type": "string"}, media_type="text/csv"))
    assert properties(made)["body"] == {"type": "string", "description": "The body, as text/csv."}


# --- which representation


@pytest.mark.parametrize(
    ("offered", "expected"),
    [
        (["text/plain", "application/json"], "application/json"),
        (["application/xml", "application/vnd.a+json"], "application/vnd.a+json"),
        (["multipart/form-data", "application/x-www-form-urlencoded"], "application/x-www-form-urlencoded"),
        (["application/octet-stream", "multipart/form-data"], "multipart/form-data"),
        (["application/octet-stream", "text/plain"], "text/plain"),
        (["application/merge-patch+json", "application/json"], "application/json"),
        (["*/*"], "application/json"),
        (["application/json; charset=utf-8"], "application/json; charset=utf-8"),
    ],
)
def test_the_representation_that_is_sent(offered: list[str], expected: str) -> None:
    content: dict[str, Any] = {
        media_type: {"schema": {"type": "object", "properties": {"a": {}}}} for media_type in offered
    }
    made = tool({"requestBody": {"content": content}})
    assert made.body is not None and made.body.media_type == expected


def test_a_representation_that_can_carry_files_is_preferred_where_there_are_any() -> None:
    content: dict[str, Any] = {
        media_type: {"schema": {"type": "object", "properties": {"a": FILE}}}
        for media_type in ("application/json", "application/x-www-form-urlencoded", "multipart/form-data")
    }
    made = tool({"requestBody": {"content": content}})
    assert made.body is not None and made.body.media_type == "multipart/form-data"
    del content["multipart/form-data"]
    made = tool({"requestBody": {"content": content}})
    assert made.body is not None and made.body.media_type == "application/json"


def test_the_answers_that_are_asked_for() -> None:
    def accepted(*offered: str) -> tuple[str, ...]:
        content: dict[str, Any] = {media_type: {} for media_type in offered}
        return tool({"responses": {"200": {"description": "", "content": content}}}, method="get").accept

    assert accepted("text/html", "application/json", "application/hal+json") == (
        "application/json", "application/hal+json",
    )  # fmt: skip
    assert accepted("image/png", "text/plain") == ("image/png", "text/plain")
    assert accepted("*/*") == ("*/*",)


def test_a_form_s_encodings_are_in_the_parts() -> None:
    fields: dict[str, Any] = {"ids": {"type": "array", "items": {}}, "meta": NAMED, "plain": {"type": "string"}}
    encoding = {"ids": {"style": "pipeDelimited"}, "meta": {"contentType": "application/json"}}
    content: dict[str, Any] = {"application/x-www-form-urlencoded": {
        "schema": {"type": "object", "properties": fields}, "encoding": encoding}}  # fmt: skip
    made = tool({"requestBody": {"content": content}})
    assert made.body is not None
    ids, meta = made.body.parts
    assert (ids.name, ids.style, ids.explode) == ("ids", "pipeDelimited", False)
    assert (meta.name, meta.media_type) == ("meta", "application/json")


# --- selection


def test_deprecated_operations_are_left_out_and_counted() -> None:
    paths: dict[str, Any] = {"/a": {"get": {}}, "/b": {"get": {"deprecated": True}}}
    found = mapped(paths)
    assert [*found.tools] == ["GET /a"] and found.catalog.left_out == ("GET /b",)
    assert "TC261" in found.codes


def test_one_that_was_offered_stays_and_says_so() -> None:
    first = mapped({"/b": {"get": {}}})
    found = mapped({"/b": {"get": {"deprecated": True, "summary": "List b"}}}, lock=first.lock)
    assert found.tools["GET /b"].description == "Deprecated. List b"


def test_webhooks_and_callbacks_are_no_tools() -> None:
    call: dict[str, Any] = {"post": {"operationId": "called", "responses": {}}}
    paths: dict[str, Any] = {
        "/a": {"post": {"operationId": "subscribe", "callbacks": {"on": {"{$request.body#/url}": call}}}}
    }
    assert {*mapped(paths, webhooks={"moved": call}).tools} == {"POST /a"}


def test_an_operation_that_cannot_be_read_costs_only_itself() -> None:
    lost = {"parameters": [{"$ref": "#/components/parameters/Gone"}]}
    found = mapped({"/a": {"get": {}, "post": lost}, "/b": {"get": {}}})
    assert {*found.tools} == {"GET /a", "GET /b"}
    assert [d.operation for d in found.report.diagnostics if d.operation] == ["POST /a"]
