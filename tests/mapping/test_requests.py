"""Parameters and bodies from the document to the wire."""

from __future__ import annotations

import base64
import json
from email.parser import BytesParser
from email.policy import HTTP
from typing import Any
from urllib.parse import parse_qsl, unquote

import pytest
from runtime.errors import ArgumentProblem
from runtime.request import ArgumentError

from .conftest import Callee, Offer

STRING, INTEGER, BOOLEAN = {"type": "string"}, {"type": "integer"}, {"type": "boolean"}
TEXTS, NUMBERS = {"type": "array", "items": STRING}, {"type": "array", "items": INTEGER}
DONE = {"200": {"description": "Done"}}
FORM, MULTIPART, LINES = "application/x-www-form-urlencoded", "multipart/form-data", "application/jsonl"


def parameter(name: str, where: str, schema: Any, **more: Any) -> dict[str, Any]:
    return {"name": name, "in": where, "required": where == "path", "schema": schema, **more}


def get(*parameters: Any, **more: Any) -> dict[str, Any]:
    return {"operationId": "go", "parameters": [*parameters], "responses": DONE, **more}


def taking(content: Any, *, required: bool = True, **more: Any) -> dict[str, Any]:
    body = {"content": content, "required": required}
    return {"/x": {"post": {"operationId": "go", "requestBody": body, "responses": DONE, **more}}}


def of(properties: Any, **more: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, **more}


def headers(callee: Callee, **arguments: Any) -> dict[str, str]:
    return {name.lower(): text for name, text in callee.request(**arguments).headers}


def parts(callee: Callee, **arguments: Any) -> list[tuple[dict[str, str], bytes]]:
    """Headers (names in lower case) and content of each part, by the standard library's parser."""
    kind, body = callee.body(**arguments)
    assert kind is not None
    assert body is not None
    message = BytesParser(policy=HTTP).parsebytes(f"Content-Type: {kind}\r\n\r\n".encode() + body)
    return [
        ({name.lower(): str(text) for name, text in part.items()}, part.get_payload(decode=True) or b"")  # pyright: ignore
        for part in message.iter_parts()  # pyright: ignore
    ]


# Parameters


def test_an_operation_has_its_paths_parameters_unless_it_declares_its_own(offer: Offer) -> None:
    item = {
        "summary": "One item",
        "parameters": [parameter("itemId", "path", STRING), parameter("trace", "query", BOOLEAN)],
        "get": {**get(parameter("itemId", "path", {"type": "integer", "maximum": 99})), "operationId": "read"},
        "delete": {"operationId": "drop", "responses": DONE},
        "x-owner": "team",
    }
    tools = offer({"/items/{itemId}": item})
    assert sorted(tools) == ["drop", "read"]
    assert tools["read"].target(itemId=7, trace=True) == "/items/7?trace=true"
    assert tools["drop"].target(itemId="a") == "/items/a"
    with pytest.raises(ArgumentProblem, match="at most 99"):
        tools["read"].target(itemId=100)


def test_placeholders_never_reach_the_wire(offer: Offer) -> None:
    seat = get(parameter("seatId", "path", INTEGER), parameter("ghost", "path", STRING))
    tool = offer({"/rooms/{roomId}/seats/{seatId}": {"get": seat}})["go"]
    assert tool.target(roomId="r{1}", seatId=3) == "/rooms/r%7B1%7D/seats/3"
    with pytest.raises(ArgumentProblem, match="roomId is required"):
        tool.target(seatId=3)


def test_one_name_in_every_place(offer: Offer) -> None:
    operation = taking(
        {"application/json": {"schema": of({"id": INTEGER, "name": STRING})}},
        parameters=[
            parameter("id", "path", INTEGER),
            parameter("name", "query", STRING),
            parameter("id", "header", STRING),
        ],
    )
    tool = offer({"/users/{id}": operation["/x"]})["go"]
    request = tool.request(id=7, name="q", id_header="h", id_body=8, name_body="b")
    assert request.url.endswith("/users/7?name=q")
    assert dict(request.headers)["id"] == "h"
    assert json.loads(request.body or b"") == {"id": 8, "name": "b"}


def test_scalars_and_lists_as_text(offer: Offer) -> None:
    tool = offer(
        {
            "/items/{ids}/active/{active}": {
                "get": get(
                    parameter("ids", "path", TEXTS),
                    parameter("active", "path", BOOLEAN),
                    parameter("X-Verbose", "header", BOOLEAN),
                    parameter("X-Tags", "header", TEXTS),
                    parameter("ratio", "query", {"type": "number"}),
                )
            }
        }
    )["go"]
    request = tool.request(
        **{"ids": ["a,b", "c"], "active": True, "X-Verbose": False, "X-Tags": ["x", "y"], "ratio": 1.0}
    )
    assert request.url.endswith("/items/a%2Cb,c/active/true?ratio=1")
    assert dict(request.headers)["X-Verbose"] == "false"
    assert dict(request.headers)["X-Tags"] == "x,y"


def test_lists_in_queries(offer: Offer) -> None:
    tool = offer(
        {
            "/s": {
                "get": get(
                    parameter("plain", "query", TEXTS),
                    parameter("comma", "query", TEXTS, explode=False),
                    parameter("pipe", "query", NUMBERS, style="pipeDelimited", explode=False),
                    parameter("space", "query", TEXTS, style="spaceDelimited", explode=False),
                    parameter("deep", "query", of({"in": TEXTS, "n": of({"x": INTEGER})}), style="deepObject"),
                )
            }
        }
    )["go"]
    assert tool.target(comma=["x,y", "z"]) == "/s?comma=x%2Cy,z"
    assert tool.target(plain=["a", "b"], pipe=[1, 2]) == "/s?plain=a&plain=b&pipe=1%7C2"
    assert tool.target(space=["a", "b"]) == "/s?space=a%20b"
    assert unquote(tool.target(deep={"in": ["a", "b"], "n": {"x": 1}})) == "/s?deep[in][]=a&deep[in][]=b&deep[n][x]=1"
    assert tool.target(plain=[], comma=[], space=[]) == "/s"


def test_only_what_is_given_is_sent(offer: Offer) -> None:
    fields = {
        "name": STRING,
        "age": {"type": "integer", "nullable": True},
        "vip": {"type": "boolean", "default": False},
    }
    parameters = [
        parameter("q", "query", STRING),
        parameter("deleted", "query", {"type": "boolean", "default": False}),
        parameter("X-Mode", "header", STRING),
    ]
    tool = offer(taking({"application/json": {"schema": of(fields)}}, required=False, parameters=parameters))["go"]
    request = tool.request()
    assert (request.url, request.body) == ("https://api.test/x", None)
    assert [name for name, _ in request.headers] == ["Accept"]
    assert tool.target(deleted=False, q="") == "/x?q=&deleted=false"
    assert tool.body(name="a")[1] == b'{"name":"a"}'
    assert tool.body(age=None)[1] == b'{"age":null}'


def test_null_is_no_value_outside_the_body(offer: Offer) -> None:
    parameters = [
        parameter("id", "path", INTEGER),
        parameter("q", "query", {"type": "string", "nullable": True}),
        parameter("n", "query", INTEGER),
        parameter("X-Mode", "header", STRING),
        parameter("theme", "cookie", STRING),
        {"name": "where", "in": "query", "content": {"application/json": {"schema": {"type": "object"}}}},
    ]
    body = {"application/json": {"schema": of({"name": STRING, "note": {"type": "string", "nullable": True}})}}
    tool = offer({"/x/{id}": taking(body, required=False, parameters=parameters)["/x"]})["go"]
    request = tool.request(**{"id": 1, **dict.fromkeys(["q", "n", "X-Mode", "theme", "where", "note"])})
    assert (request.url, request.body) == ("https://api.test/x/1", b'{"note":null}')
    assert [name for name, _ in request.headers] == ["Accept", "Content-Type"]
    with pytest.raises(ArgumentProblem, match="id is required"):
        tool.request(id=None)
    with pytest.raises(ArgumentProblem, match=r"name must be a string, but null .* came"):
        tool.request(id=1, name=None)
    with pytest.raises(ArgumentProblem, match="unknown: other"):
        tool.request(id=1, other=None)


def test_values_of_a_media_type(offer: Offer) -> None:
    where = {"application/json": {"schema": of({"kind": STRING, "ages": NUMBERS})}}
    meta = {"application/json": {"schema": of({"a": INTEGER})}}
    tool = offer(
        {
            "/p": {
                "get": get(
                    {"name": "where", "in": "query", "content": where},
                    {"name": "X-Meta", "in": "header", "content": meta},
                )
            }
        }
    )["go"]
    given = {"kind": "cat & dog", "ages": [1, 2]}
    target = tool.target(where=given)
    assert [(name, json.loads(text)) for name, text in parse_qsl(target.partition("?")[2])] == [("where", given)]
    assert headers(tool, **{"where": given, "X-Meta": {"a": 1}})["x-meta"] == '{"a":1}'


def test_headers_that_are_not_arguments(offer: Offer) -> None:
    names = ("Authorization", "accept", "Content-Type", "X-Request-Id")
    answers = {"201": {"description": "Made", "content": {"application/vnd.sample+json": {"schema": of({})}}}}
    operation = taking({"application/json": {"schema": of({"title": STRING})}}, responses=answers)
    operation["/x"]["post"]["parameters"] = [{**parameter(name, "header", STRING), "required": True} for name in names]
    tool = offer(operation)["go"]
    assert headers(tool, **{"X-Request-Id": "r1", "title": "t"}) == {
        "accept": "application/vnd.sample+json",
        "content-type": "application/json",
        "x-request-id": "r1",
    }
    with pytest.raises(ArgumentProblem, match="unknown"):
        tool.request(**{"X-Request-Id": "r1", "Authorization": "x"})


def test_values_that_came_as_json_text(offer: Offer) -> None:
    who = {"type": "object", "nullable": True, "properties": {"uid": INTEGER}}
    fields = {"done": BOOLEAN, "who": who, "title": STRING, "either": {"anyOf": [STRING, TEXTS]}}
    parameters = [parameter("top", "query", INTEGER), parameter("ids", "query", NUMBERS)]
    tool = offer(taking({"application/json": {"schema": of(fields)}}, parameters=parameters))["go"]
    request = tool.request(top="5", ids="[1,2]", done="false", who='{"uid": 3}', title="[1,2]", either="[1]")
    assert request.url.endswith("?top=5&ids=1&ids=2")
    assert json.loads(request.body or b"") == {"done": False, "who": {"uid": 3}, "title": "[1,2]", "either": "[1]"}
    assert tool.target(top=5.0) == "/x?top=5"
    for bad in ("abc", "1.5"):
        with pytest.raises(ArgumentProblem, match="top must be an integer"):
            tool.request(top=bad)


def test_whole_query_strings_and_cookies_of_three_two(offer: Offer) -> None:
    form = {FORM: {"schema": of({"foo": STRING, "bar": BOOLEAN})}}
    query = {"get": get({"name": "all", "in": "querystring", "content": form})}
    tool = offer({"/q": query}, version="3.2.0")["go"]
    assert tool.target(all={"foo": "a + b", "bar": True}) == "/q?foo=a+%2B+b&bar=true"
    assert tool.target(all=None) == tool.target(all={}) == "/q"
    cookies = get(parameter("c", "cookie", TEXTS, style="cookie"), parameter("g", "cookie", STRING))
    tool = offer({"/c": {"get": cookies}}, version="3.2.0")["go"]
    assert headers(tool, c=["a%2C", "b"], g="x, y")["cookie"] == "c=a%2C; c=b; g=x%2C%20y"


def test_methods_of_three_two(offer: Offer) -> None:
    body = {"required": True, "content": {"application/json": {"schema": of({"term": STRING})}}}
    paths = {
        "/s": {
            "query": {"operationId": "search", "requestBody": body, "responses": DONE},
            "additionalOperations": {"Link": {"operationId": "link_it", "responses": DONE}},
        }
    }
    tools = offer(paths, version="3.2.0")
    request = tools["search"].request(term="x")
    assert (request.method, request.body) == ("QUERY", b'{"term":"x"}')
    assert tools["link_it"].request().method == "Link"


# Bodies


@pytest.mark.parametrize(
    ("schema", "value", "sent"),
    [
        (TEXTS, ["a", "b"], b'["a","b"]'),
        (of({}, additionalProperties=STRING), {"env": "prod", "x.y/z": "1"}, b'{"env":"prod","x.y/z":"1"}'),
        (
            of({"id": INTEGER}, required=["id"], additionalProperties=STRING),
            {"id": 1, "color": "red"},
            b'{"id":1,"color":"red"}',
        ),
        ({}, {"a": [1]}, b'{"a":[1]}'),
        (STRING, "a", b'"a"'),
    ],
)
def test_bodies_that_are_one_argument(offer: Offer, schema: Any, value: Any, sent: bytes) -> None:
    tool = offer(taking({"application/json": {"schema": schema}}, required=False))["go"]
    assert tool.tool.input_schema["type"] == "object"
    assert tool.body(body=value) == ("application/json", sent)
    assert tool.body() == (None, None)


@pytest.mark.parametrize(
    "kind",
    ["application/merge-patch+json", "application/vnd.sample.v2+json", "application/json; charset=utf-8"],
)
def test_media_types_on_top_of_json(offer: Offer, kind: str) -> None:
    fields = of({"name": {"type": "string", "nullable": True}})
    content = {"application/xml": {"schema": of({"name": STRING})}, kind: {"schema": fields}}
    assert offer(taking(content))["go"].body(name=None) == (kind, b'{"name":null}')


def test_any_media_type_is_json(offer: Offer) -> None:
    assert offer(taking({"*/*": {"schema": of({"y": STRING})}}))["go"].body(y="1") == ("application/json", b'{"y":"1"}')


def test_bytes(offer: Offer) -> None:
    binary = {"schema": {"type": "string", "format": "binary"}}
    tool = offer(taking({"application/octet-stream": binary}))["go"]
    assert "base64" in str(tool.tool.input_schema["properties"])
    assert tool.body(body="AP8Q") == ("application/octet-stream", b"\x00\xff\x10")
    both = {"application/octet-stream": binary, "application/json": {"schema": of({"a": INTEGER})}}
    assert offer(taking(both))["go"].body(a=1) == ("application/json", b'{"a":1}')


def test_forms(offer: Offer) -> None:
    fields = {
        "grant": STRING,
        "scope": TEXTS,
        "keep": BOOLEAN,
        "where": of({"a": INTEGER}),
        "tags": TEXTS,
        "deep": of({"x": INTEGER}),
        "row": {"type": "array", "items": of({"a": INTEGER})},
    }
    encoding = {
        "where": {"contentType": "application/json"},
        "tags": {"style": "form", "explode": False},
        "deep": {"style": "deepObject"},
    }
    tool = offer(taking({FORM: {"schema": of(fields, required=["grant"]), "encoding": encoding}}))["go"]
    kind, body = tool.body(
        grant="a b&c", scope=["x", "y"], keep=True, where={"a": 1}, tags=["a,b", "c"], deep={"x": 1}, row=[{"a": 1}, {}]
    )
    assert kind == FORM
    assert body is not None
    assert parse_qsl(body.decode()) == [
        ("grant", "a b&c"),
        ("scope", "x"),
        ("scope", "y"),
        ("keep", "true"),
        ("where", '{"a":1}'),
        ("tags", "a,b,c"),
        ("deep[x]", "1"),
        ("row", '{"a":1}'),
        ("row", "{}"),
    ]
    assert b"tags=a%2Cb,c" in body
    assert tool.body(grant="g")[1] == b"grant=g"
    with pytest.raises(ArgumentProblem, match="grant is required"):
        tool.body(keep=True)


def test_multipart(offer: Offer) -> None:
    file = {"type": "string", "format": "binary"}
    fields = {
        "photos": {"type": "array", "items": file},
        "cover": file,
        "about": of({"n": of({"x": INTEGER})}),
        "note": STRING,
        "rows": {"type": "array", "items": of({"a": INTEGER})},
    }
    encoding = {
        "cover": {
            "contentType": "image/png, image/jpeg",
            "headers": {
                "X-Kind": {"schema": {"type": "string", "enum": ["cover"]}},
                "X-Size": {"schema": {"type": "integer", "default": 3}},
                "X-Free": {"schema": STRING},
                "Content-Type": {"schema": {"type": "string", "default": "text/evil"}},
                "X-Broken": {"schema": {"type": "string", "default": "a\r\nb"}},
            },
        },
        "about": {"contentType": "application/json"},
    }
    tool = offer(taking({MULTIPART: {"schema": of(fields), "encoding": encoding}}))["go"]
    png = base64.b64encode(b"\x89PNG").decode()
    found = parts(
        tool,
        photos=["AP8=", "data:image/gif;name=a.gif;base64,AAA="],
        cover=f"data:image/png;base64,{png}",
        about={"n": {"x": 1}},
        note="é",
        rows=[{"a": 1}, {}],
    )
    assert found == [
        (
            {
                "content-disposition": 'form-data; name="photos"; filename="photos"',
                "content-type": "application/octet-stream",
            },
            b"\x00\xff",
        ),
        ({"content-disposition": 'form-data; name="photos"; filename="a.gif"', "content-type": "image/gif"}, b"\0\0"),
        (
            {
                "content-disposition": 'form-data; name="cover"; filename="cover"',
                "content-type": "image/png",
                "x-kind": "cover",
                "x-size": "3",
            },
            b"\x89PNG",
        ),
        ({"content-disposition": 'form-data; name="about"', "content-type": "application/json"}, b'{"n":{"x":1}}'),
        ({"content-disposition": 'form-data; name="note"'}, "é".encode()),
        ({"content-disposition": 'form-data; name="rows"', "content-type": "application/json"}, b'{"a":1}'),
        ({"content-disposition": 'form-data; name="rows"', "content-type": "application/json"}, b"{}"),
    ]
    with pytest.raises(ArgumentError, match="'cover' must be a file"):
        tool.body(cover="not base64!")


def test_parts_of_a_list(offer: Offer) -> None:
    content = {
        "multipart/mixed": {
            "schema": {"type": "array", "prefixItems": [of({"a": INTEGER})], "items": STRING},
            "prefixEncoding": [{"contentType": "application/json"}],
            "itemEncoding": {"contentType": "image/png"},
        }
    }
    tool = offer(taking(content), version="3.2.0")["go"]
    kind, body = tool.body(body=[{"a": 1}, "AP8="])
    assert kind is not None
    assert kind.startswith("multipart/mixed; boundary=")
    assert body is not None
    assert b'Content-Type: application/json\r\n\r\n{"a":1}\r\n' in body
    assert b"Content-Type: image/png\r\n\r\n\x00\xff\r\n" in body
    streamed = {"multipart/mixed": {"itemSchema": {"type": "string", "format": "binary"}}}
    assert b"\r\n\r\n\x00\xff\r\n" in (offer(taking(streamed), version="3.2.0")["go"].body(body=["AP8="])[1] or b"")


EVENT = of({"event": STRING, "data": STRING, "id": STRING})


STREAMS: list[tuple[str, Any, Any, bytes]] = [
    ("3.2.0", {LINES: {"itemSchema": of({"n": INTEGER})}}, [{"n": 1}, {}], b'{"n":1}\n{}\n'),
    ("3.2.0", {LINES: {"schema": {"type": "array", "items": of({})}}}, [{"n": 1}], b'{"n":1}\n'),
    ("3.2.0", {"application/json-seq": {"itemSchema": INTEGER}}, [1, 2], b"\x1e1\n\x1e2\n"),
    ("3.2.0", {"application/geo+json-seq": {"itemSchema": of({})}}, [{}], b"\x1e{}\n"),
    (
        "3.2.0",
        {"text/event-stream": {"itemSchema": EVENT}},
        [{"event": "add", "data": "a\nb"}, {"data": ""}],
        b"event: add\ndata: a\ndata: b\n\ndata: \n\n",
    ),
    # Before there was ``itemSchema``, the schema of an item was written as that of the stream.
    ("3.0.4", {"application/x-ndjson": {"schema": of({"n": INTEGER})}}, [{"n": 1}], b'{"n":1}\n'),
    ("3.1.1", {"application/stream+json": {"schema": of({"n": INTEGER})}}, [{"n": 1}], b'{"n":1}\n'),
    ("3.0.4", {"application/x-ndjson": {}}, '{"index":{}}\n', b'{"index":{}}\n'),
    ("3.0.4", {"application/x-ndjson": {"schema": STRING}}, "{}\n", b"{}\n"),
    ("3.0.4", {"text/event-stream": {"schema": STRING}}, "data: x\n\n", b"data: x\n\n"),
    ("3.0.4", {"text/event-stream": {}}, "data: x\n\n", b"data: x\n\n"),
]


@pytest.mark.parametrize(("version", "content", "value", "sent"), STREAMS)
def test_streams(offer: Offer, version: str, content: Any, value: Any, sent: bytes) -> None:
    kind, body = offer(taking(content), version=version)["go"].body(body=value)
    assert kind is not None
    assert kind.partition(";")[0] == next(iter(content))
    assert body == sent
