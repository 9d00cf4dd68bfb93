"""Answers: what a response becomes, that it fits its schema and the transport, and what a failure says."""

from __future__ import annotations

import base64
import json
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mcp.types import AudioContent, BlobResourceContents, CallToolResult, EmbeddedResource, ImageContent
from runtime.contract import Tool
from runtime.errors import CallError
from runtime.operation import Operation, Path
from runtime.response import Response
from runtime.settings import Settings

from runtime import answer

from .conftest import CREDENTIALS, PET, SECRETS, api_at, text, tool

SETTINGS = Settings.read(api_at("https://api.example"), CREDENTIALS)
LIST_SCHEMA = {"type": "object", "properties": {"result": {"type": ["array", "null"], "items": PET}}}
PNG = b"\x89PNG\r\n\x1a\n\x00\x00"


def response(body: bytes = b"", content_type: str = "application/json", status: int = 200, **more: Any) -> Response:
    headers = {"content-type": content_type} if content_type else {}
    values: dict[str, Any] = {
        "status": status,
        "reason": "",
        "headers": headers | more.pop("headers", {}),
        "body": body,
        "complete": True,
        "url": "https://api.example/x",
    }
    return Response(**(values | more))


def result(
    got: Response,
    schema: Any = None,
    *,
    wrapped: bool = False,
    method: str = "GET",
    properties: Any = None,
    chosen: Settings = SETTINGS,
) -> CallToolResult:
    operation: Operation[Any, Any] = Operation(
        name="get", method=method, path="/x/{id}", bindings=(Path("id"),), security=(("key",),), wrapped=wrapped
    )
    return answer.result(got, operation, Tool(tool("get", properties or {}, schema)), chosen)


def as_json(value: object) -> Response:
    return response(json.dumps(value).encode())


def size(made: CallToolResult) -> int:
    return len(json.dumps(made.model_dump(by_alias=True, mode="json", exclude_none=True)))


# What the body is


@pytest.mark.parametrize(
    ("body", "content_type", "expected"),
    [
        (b'{ "a": [1, 2] }', "application/json", '{"a":[1,2]}'),
        (b'{ "a": 1 }', "application/vnd.api+json; charset=utf-8", '{"a":1}'),
        (b'{ "a": 1 }', "", '{"a":1}'),
        (b'\xef\xbb\xbf{ "a": 1 }', "text/html", '{"a":1}'),
        (b'{ "a": 1 }', "application/octet-stream", '{"a":1}'),
        ('{ "a": "é" }'.encode("utf-16"), "application/json", '{"a":"é"}'),
        ('{ "a": "é" }'.encode("latin-1"), "application/json; charset=iso-8859-1", '{"a":"é"}'),
        (b"{oops", "application/json", "{oops\nNote: this answer is declared as application/json, but not JSON"),
        (b"[link](x)", "text/markdown", "[link](x)"),
        ("é".encode("latin-1"), 'text/plain; charset="ISO-8859-1"', "é"),
        (b"<a/>", "application/atom+xml", "<a/>"),
        (b"a;b", "text/csv; charset=no-such", "a;b"),
        (b"plain words", "", "plain words"),
        (b"", "application/json", "The API answered 200 OK, without content."),
        (b'{"a":1}\n{"a":2}\n', "application/x-ndjson", '{"a":1}\n{"a":2}\n'),
        (b'{"a":1}\n{"a":2}\n', "application/json", '{"a":1}\n{"a":2}\n'),
        (b"[1e999, NaN]", "application/json", '["1e999","NaN"]'),
        (b'{"a": "\\ud800"}', "application/json", '{"a":"?"}'),
    ],
)
def test_text(body: bytes, content_type: str, expected: str) -> None:
    made = result(response(body, content_type))
    assert text(made).startswith(expected)
    assert made.structured_content is None
    assert not made.is_error
    made.model_dump_json()


def test_answers_in_xml_are_text() -> None:
    entities = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 40))
    body = f'<!DOCTYPE a [<!ENTITY e0 SYSTEM "file:///etc/hostname">{entities}]><a>&e39;</a>'
    assert text(result(response(body.encode(), "application/xml"))) == body


def test_deep_json_stays_text() -> None:
    body = b"[" * 20_000 + b"]" * 20_000
    made = result(response(body), LIST_SCHEMA, wrapped=True)
    assert text(made).startswith("[[[")
    assert made.structured_content == {"result": None}
    made.model_dump_json()


def test_binary() -> None:
    [image] = result(response(PNG, "image/png")).content
    assert isinstance(image, ImageContent)
    assert (image.mime_type, base64.b64decode(image.data)) == ("image/png", PNG)
    [sniffed] = result(response(PNG, "")).content
    assert isinstance(sniffed, ImageContent)
    [audio] = result(response(b"x", "audio/mpeg")).content
    assert isinstance(audio, AudioContent)
    [other] = result(response(b"\x00\xff", "application/octet-stream")).content
    assert isinstance(other, EmbeddedResource)
    assert isinstance(other.resource, BlobResourceContents)
    assert (other.resource.uri, base64.b64decode(other.resource.blob)) == ("https://api.example/x", b"\x00\xff")
    assert "1,000,000 bytes of image/png" in text(result(response(PNG.ljust(1_000_000), "image/png")))


def test_without_content() -> None:
    made = result(response(status=201, content_type="", headers={"location": f"/x/5?api_key={SECRETS[0]}"}))
    assert text(made) == "The API answered 201 Created, without content.\nLocation: /x/5?api_key=[redacted]"
    head = result(response(headers={"content-length": "12"}), method="HEAD")
    assert "content-length: 12" in text(head)


@pytest.mark.parametrize("kind", ["text/event-stream", "application/x-ndjson"])
def test_streams(kind: str) -> None:
    body = b'data: {"id": 1}\n\n: beat\n\ndata: {"id":\ndata: 2}\r\n\r\ndata: end\n\n'
    if kind == "application/x-ndjson":
        body = b'{"id": 1}\n{"id": 2}\n\nend\n'
    schema = {"type": "object", "properties": {"result": {"type": "array"}}}
    made = result(response(body, kind), schema, wrapped=True)
    assert text(made) == body.decode()
    assert made.structured_content == {"result": [{"id": 1}, {"id": 2}, "end"]}
    cut = result(response(body[:-3], kind, complete=False), schema, wrapped=True)
    assert cut.structured_content == {"result": [{"id": 1}, {"id": 2}]}
    assert "went on" in text(cut)


def test_more_than_is_read() -> None:
    made = result(response(b'[{"id": 1}, {"i', complete=False), properties={"page_size": {}, "q": {}})
    assert made.is_error
    assert "PETSTORE_MAX_RESPONSE_BYTES" in text(made)
    assert "Page through it with page_size or ask for less with q." in text(made)
    partly = result(response(b"a,b\n1,", "text/csv", complete=False))
    assert text(partly) == "a,b\n1,\nNote: this answer is the beginning of a longer answer."


# The structured result


def test_structured() -> None:
    assert result(as_json({"id": 1}), PET).structured_content == {"id": 1}
    assert result(as_json([{"id": 1}]), LIST_SCHEMA, wrapped=True).structured_content == {"result": [{"id": 1}]}


@pytest.mark.parametrize("body", [b"", b"not json", b"null"])
def test_structured_without_json(body: bytes) -> None:
    assert result(response(body, "text/plain"), PET).structured_content == {}
    assert result(response(body, "text/plain"), LIST_SCHEMA, wrapped=True).structured_content == {"result": None}


def test_what_does_not_fit_is_removed_and_named() -> None:
    pets: list[Any] = [{"id": 1}, "odd", {"id": [2], "name": "Rex"}, 4, {"owner": {"email": {}, "x": 1}}]
    made = result(as_json(pets), LIST_SCHEMA, wrapped=True)
    assert made.structured_content == {
        "result": [{"id": 1}, {"name": "Rex"}, {"owner": {"x": 1}}],
        "_unmatched": made.structured_content["_unmatched"],
    }
    assert sorted(made.structured_content["_unmatched"]) == [
        "/result/1",
        "/result/2/id",
        "/result/3",
        "/result/4/owner/email",
    ]
    assert json.loads(text(made)) == pets


def test_indices_are_those_of_the_answer_over_rounds() -> None:
    item = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
    schema = {"type": "object", "properties": {"result": {"type": "array", "items": item}}}
    made = result(as_json([0, {"n": "x"}, {"n": 1}, {"n": "y"}]), schema, wrapped=True)
    assert made.structured_content["result"] == [{"n": 1}]
    assert {"/result/0", "/result/1", "/result/3"} <= set(made.structured_content["_unmatched"])


def test_an_answer_of_the_wrong_kind() -> None:
    assert result(as_json([1]), PET).structured_content == {"_unmatched": [""]}
    assert result(as_json({"a": 1}), LIST_SCHEMA, wrapped=True).structured_content == {
        "result": None,
        "_unmatched": ["/result"],
    }


def test_a_closed_schema_has_no_room_for_notes() -> None:
    closed = {"type": "object", "properties": {"id": {"type": "integer"}}, "additionalProperties": False}
    assert result(as_json({"id": 1, "b/~": 2}), closed).structured_content == {"id": 1}


def test_a_schema_that_cannot_be_used() -> None:
    broken = {"type": "object", "properties": {"id": {"$ref": "http://127.0.0.1:9/x"}}}
    assert result(as_json({"id": 1}), broken).structured_content == {}


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.sampled_from(["id", "name", "owner", "x/y"]), inner),
    max_leaves=20,
)
STRICT = {
    "type": "object",
    "properties": {
        "id": {"type": "integer", "minimum": 0},
        "owner": {"anyOf": [{"type": "null"}, {**PET, "required": ["name"]}, {"type": "array", "maxItems": 2}]},
        "name": {"oneOf": [{"type": "string", "maxLength": 3}, {"type": "string", "pattern": "^a"}]},
    },
    "additionalProperties": {"type": ["string", "number"]},
}


@settings(deadline=None, max_examples=300)
@given(value=JSON, schema=st.sampled_from([PET, STRICT]), wrapped=st.booleans())
def test_structured_content_validates_whatever_comes(value: Any, schema: dict[str, Any], wrapped: bool) -> None:
    schema = {"type": "object", "properties": {"result": schema}} if wrapped else schema
    made = result(as_json(value), schema, wrapped=wrapped)
    assert not made.is_error
    assert jsonschema_rs.Draft202012Validator(schema).is_valid(made.structured_content)
    json.loads(made.model_dump_json())


# Size


def big(count: int, filler: str = "ü" * 200) -> list[dict[str, Any]]:
    return [{"id": number, "name": filler, "owner": {"email": '"\\'}} for number in range(count)]


def test_arrays_are_cut_alike_at_whole_elements() -> None:
    made = result(as_json(big(3_000)), LIST_SCHEMA, wrapped=True, properties={"limit": {}, "cursor": {}, "x": {}})
    shown = json.loads(text(made).partition("\n")[0])
    assert made.structured_content["result"] == shown == big(len(shown))
    assert made.structured_content["_truncated"]["arrays"] == {"/result": {"shown": len(shown), "total": 3_000}}
    for note in (text(made), made.structured_content["_truncated"]["note"]):
        assert f"{len(shown):,} of 3,000" in note
        assert "Page through it with limit, cursor." in note
    assert 700_000 < size(made) < 900_000


@pytest.mark.parametrize(
    "value",
    [
        {"data": big(3_000), "meta": {"tags": ["a", "b"]}},
        {"a": big(1_000), "b": big(1_000), "c": {"d": big(1_000)}},
        [big(3_000), big(3_000)],
        {"blob": "x" * 2_000_000, "tags": ["a"]},
        {"blob": '"' * 2_000_000},
        ["é" * 2_000_000],
        "\x00" * 1_000_000,
        {f"key {number}": "x" * 20 for number in range(30_000)},
        {"x" * 2_000_000: 1},
        [[[["y" * 3_000_000]]]],
        [{f"{'k' * 3_000}{number}": big(50) for number in range(200)}],
    ],
    ids=range(11),
)
@pytest.mark.parametrize("schema", [None, {"type": "object"}])
def test_every_answer_stays_under_the_limit(value: Any, schema: Any) -> None:
    made = result(as_json(value), schema, wrapped=not isinstance(value, dict))
    assert size(made) < 900_000
    assert "too large and is cut" in text(made)
    json.loads(text(made).partition("\n")[0])


def test_the_smaller_members_stay() -> None:
    made = result(as_json({"data": big(3_000), "meta": {"tags": ["a", "b"]}, "blob": "x" * 1_000}))
    shown = json.loads(text(made).partition("\n")[0])
    assert shown["meta"] == {"tags": ["a", "b"]}
    assert len(shown["blob"]) == 1_000


def test_long_text_is_cut() -> None:
    made = result(response("ä".encode() * 1_000_000, "text/plain"))
    assert size(made) < 900_000
    assert "of 1,000,000 characters" in text(made)


def test_the_operator_may_give_less_room() -> None:
    small = Settings.read(api_at("https://api.example"), {"PETSTORE_MAX_RESULT_BYTES": "50000"})
    for got in (as_json(big(3_000)), response(b"x" * 200_000, "text/plain"), response(PNG * 20_000, "image/png")):
        made = result(got, {"type": "object"}, wrapped=True, chosen=small)
        assert size(made) < 52_000
        assert not made.is_error
    assert text(result(as_json([1, 2]), chosen=small)) == "[1,2]"


# Failures


@pytest.mark.parametrize(
    ("status", "more", "expected"),
    [
        (301, {"headers": {"location": "https://new.example/x"}}, "It points to https://new.example/x"),
        (400, {}, "Correct the arguments"),
        (401, {}, "has to check PETSTORE_API_KEY"),
        (403, {}, "do not permit this. The operator of this server has to check PETSTORE_API_KEY"),
        (404, {}, "Check id:"),
        (409, {}, "conflicts with the present state"),
        (422, {}, "Correct the arguments"),
        (429, {"headers": {"retry-after": "30"}}, "Too many requests. Try again in 30 seconds."),
        (500, {}, "The fault is the API's. Try again later."),
        (503, {"headers": {"retry-after": "Fri, 31 Dec 2027 23:59:59 GMT"}}, "after Fri, 31 Dec 2027"),
        (599, {"reason": "Odd\x1b[31m"}, "599 Odd [31m"),
    ],
)
def test_a_failure_says_what_to_do(status: int, more: dict[str, Any], expected: str) -> None:
    made = result(response(b"{}", status=status, **more))
    assert made.is_error
    assert made.structured_content is None
    assert f"The API answered {status}" in text(made)
    assert expected in text(made)


@pytest.mark.parametrize(
    ("body", "content_type", "expected"),
    [
        (b'{"title": "No", "detail": "Out of pets", "type": "x"}', "application/problem+json", "No; Out of pets"),
        (b'{"error": {"message": "bad id", "code": 7}}', "application/json", "bad id; 7"),
        (b'{"errors": [{"field": "id"}]}', "application/json", '[{"field":"id"}]'),
        (b'{"strange": 1}', "application/json", '{"strange":1}'),
        (b'"short"', "application/json", "short"),
        (b"plain \x1b[1mwords\x00", "text/plain", "plain  [1mwords"),
        (b"<!doctype html><title>Bad</title><style>x{}</style><p>Gate&amp;way", "text/html", "Bad Gate&way"),
    ],
)
def test_a_failure_says_what_the_api_says(body: bytes, content_type: str, expected: str) -> None:
    assert f"It says: {expected}\n" in text(result(response(body, content_type, status=400)))


def test_a_failure_is_bounded_and_shows_no_secret() -> None:
    body = json.dumps({"detail": " ".join([*SECRETS, "\u202e\x07" * 50, "word " * 5_000])}).encode()
    made = text(result(response(body, status=401, reason=SECRETS[1], headers={"retry-after": SECRETS[1]})))
    assert len(made) <= 4_000
    assert not any(secret in made for secret in SECRETS)
    assert not set(made) & {"\x07", "\u202e"}
    moved = text(result(response(status=302, headers={"location": f"https://x/?api_key={SECRETS[-1]}"})))
    assert SECRETS[-1] not in moved


# For code


def test_values() -> None:
    operation: Operation[Any, Any] = Operation(name="get", method="GET", path="/")
    entry = Tool(tool("get", {}))

    def value(got: Response) -> Any:
        return answer.value(got, operation, entry, SETTINGS)

    assert value(as_json({"a": 1})) == {"a": 1}
    assert value(response(b"1\n2\n", "application/x-ndjson")) == [1, 2]
    assert value(response(b"words", "text/plain")) == "words"
    assert value(response(status=204)) is None
    assert value(response(b"\x00", "application/pdf")) == "AA=="
    for refused in (response(status=404), response(b"[1", complete=False)):
        with pytest.raises(CallError):
            value(refused)
