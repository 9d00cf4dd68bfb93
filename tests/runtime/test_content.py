"""Bodies of every kind, read back by parsers that are not ours."""

from __future__ import annotations

import base64
import json
from email.parser import BytesParser
from email.policy import HTTP
from typing import Any
from urllib.parse import parse_qsl

import pytest
from hypothesis import given
from hypothesis import strategies as st
from runtime.operation import Arguments, Binding, Body, Content, Field, Json, Operation, Part
from runtime.request import ArgumentError, build

FORM = "application/x-www-form-urlencoded"
PNG = base64.b64encode(b"\x89PNG\r\n\x1a\n\xff").decode()


def send(arguments: Arguments, content: Content, *bindings: Binding) -> tuple[str | None, bytes | None]:
    operation: Operation[Any, Any] = Operation(
        name="t", method="POST", path="/x", bindings=bindings or (Body(),), body=content
    )
    request = build(operation, arguments, "http://h")
    return dict(request.headers).get("Content-Type"), request.body


def body(value: Json, media_type: str, *parts: Part, file: bool = False) -> tuple[str, bytes]:
    kind, data = send({"body": value}, Content(media_type, parts, file=file))
    assert kind is not None
    assert data is not None
    return kind, data


def refused(value: Json, media_type: str, *parts: Part, file: bool = False) -> ArgumentError:
    with pytest.raises(ArgumentError) as caught:
        body(value, media_type, *parts, file=file)
    assert len(caught.value.message) < 250
    return caught.value


# JSON


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"name": None, "n": 1}, '{"name":null,"n":1}'),
        ([], "[]"),
        (0, "0"),
        ("é", '"é"'),
        (None, "null"),
        ({"a": [5.0, 2.5, 1e300]}, '{"a":[5,2.5,1e+300]}'),
        (True, "true"),
    ],
)
def test_json(value: Json, expected: str) -> None:
    assert body(value, "application/json") == ("application/json", expected.encode())


def test_json_media_types_are_kept() -> None:
    assert body({"a": 1}, "application/vnd.acme.v2+json") == ("application/vnd.acme.v2+json", b'{"a":1}')
    assert body([1, {"a": 2}], "application/x-ndjson") == ("application/x-ndjson", b'1\n{"a":2}\n')
    assert body([1], "application/json-seq") == ("application/json-seq", b"\x1e1\n")
    assert body('{"index":{}}\n', "application/x-ndjson") == ("application/x-ndjson", b'{"index":{}}\n')


@pytest.mark.parametrize(
    ("event", "expected"),
    [
        (
            {"event": "add", "id": 7, "retry": 500, "data": "a\nb"},
            "event: add\nid: 7\nretry: 500\ndata: a\ndata: b\n\n",
        ),
        ({"data": {"a": 1}, "event": None}, 'data: {"a":1}\n\n'),
        ({"kind": "x"}, 'data: {"kind":"x"}\n\n'),
        ("a\r\nb", "data: a\ndata: b\n\n"),
        (5, "data: 5\n\n"),
    ],
)
def test_events(event: Json, expected: str) -> None:
    assert body([event], "text/event-stream") == ("text/event-stream; charset=utf-8", expected.encode())
    assert body("data: x\n\n", "text/event-stream")[1] == b"data: x\n\n"


def test_an_event_cannot_hold_another_one() -> None:
    assert "property 'id' must be text on one line" in refused({"id": "1\ndata: x"}, "text/event-stream").message


def test_fields_make_up_the_body() -> None:
    bindings = (Field("name"), Field("kind", name="@type"), Field("n"))
    assert send({"kind": "k", "name": None}, Content(), *bindings) == ("application/json", b'{"name":null,"@type":"k"}')


def test_without_a_field_there_is_no_body_unless_one_is_required() -> None:
    assert send({}, Content(), Field("n")) == (None, None)
    assert send({}, Content(required=True), Field("n")) == ("application/json", b"{}")
    assert send({}, Content(FORM, required=True), Field("n")) == (FORM, b"")
    kind, data = send({}, Content("multipart/form-data", required=True), Field("n"))
    assert parts_of(kind, data) == []
    with pytest.raises(ArgumentError, match="'body' is required"):
        send({}, Content(required=True))


def test_a_null_body_is_sent_as_json_only() -> None:
    assert send({"body": None}, Content("text/plain")) == (None, None)


def test_errors_name_the_argument_that_gave_the_field() -> None:
    for media_type in ("application/json", FORM, "multipart/form-data"):
        with pytest.raises(ArgumentError) as caught:
            send({"a": 1, "b": "\ud800"}, Content(media_type), Field("a"), Field("b", name="B"))
        assert caught.value.argument == "b"
        assert caught.value.message.startswith("Argument 'b' must")
    assert refused({"x": float("nan")}, "application/json").message == (
        "Argument 'body', property 'x' must not contain NaN or infinite numbers."
    )


# Forms


@pytest.mark.parametrize(
    ("value", "parts", "expected"),
    [
        ({"name": "A & B", "age": 0, "ok": False}, (), "name=A+%26+B&age=0&ok=false"),
        ({"t": ["a", "b", None], "e": [], "n": None, "s": ""}, (), "t=a&t=b&s="),
        ({"n": "1+1=é~*"}, (), "n=1%2B1%3D%C3%A9%7E%2A"),
        ({"a": {"city": "X Y"}}, (), "a=%7B%22city%22%3A%22X+Y%22%7D"),
        ({"a": [{"x": 1}, [2]]}, (), "a=%7B%22x%22%3A1%7D&a=%5B2%5D"),
        ({"m": "x"}, (Part("m", media_type="application/json"),), "m=%22x%22"),
        ({"m": None}, (Part("m", media_type="application/json"),), "m=null"),
        ({"c": ["a,b", "c"]}, (Part("c", style="form", explode=False),), "c=a%2Cb,c"),
        ({"p": ["a", "b"]}, (Part("p", style="pipeDelimited", explode=False),), "p=a%7Cb"),
        ({"f": {"R": 1, "G": 2}}, (Part("f", style="deepObject"),), "f%5BR%5D=1&f%5BG%5D=2"),
        ({"s": {"R": 1, "G": "a b"}}, (Part("s", style="form"),), "R=1&G=a%20b"),
        ({"u": "a/b:c d&e"}, (Part("u", reserved=True),), "u=a/b:c%20d%26e"),
        ({"i": "_-8="}, (Part("i", file=True),), "i=_-8%3D"),
        ({"i": "data:;base64,_-8="}, (Part("i", file=True),), "i=%2F%2B8%3D"),
        ({}, (), ""),
    ],
)
def test_forms(value: Json, parts: tuple[Part, ...], expected: str) -> None:
    assert body(value, FORM, *parts) == (FORM, expected.encode())


@given(st.dictionaries(st.text(), st.one_of(st.text(), st.lists(st.text(), min_size=1))))
def test_forms_can_be_read_back(value: dict[str, Json]) -> None:
    expected = [
        (name, item) for name, items in value.items() for item in (items if isinstance(items, list) else [items])
    ]
    assert parse_qsl(body(value, FORM)[1].decode("ascii"), keep_blank_values=True) == expected


# Multipart


def parts_of(kind: str | None, data: bytes | None) -> list[tuple[str | None, str | None, str | None, bytes]]:
    """(name, file name, Content-Type, bytes) of each part, read by the standard library's parser."""
    assert kind is not None
    assert data is not None
    if b"Content-" not in data and b"\r\n\r\n" not in data:
        boundary = kind.partition("boundary=")[2]
        assert data == f"--{boundary}--\r\n".encode()
        return []
    message = BytesParser(policy=HTTP).parsebytes(f"Content-Type: {kind}\r\n\r\n".encode() + data)
    assert not message.defects
    found: list[tuple[str | None, str | None, str | None, bytes]] = []
    for part in message.iter_parts():
        payload = part.get_payload(decode=True)
        assert isinstance(payload, bytes)
        name = part["content-disposition"].params.get("name") if part["content-disposition"] else None
        found.append((name, part.get_filename(), part["content-type"] and part.get_content_type(), payload))
    return found


def test_multipart_form_data() -> None:
    value: Json = {
        "file": f"data:image/png;name=cover.png;base64,{PNG}",
        "raw": PNG,
        "note": "héllo",
        "n": 0,
        "meta": {"title": "T", "tags": ["x"]},
        "labels": ["a", "b"],
        "people": [{"name": "é"}, {"name": "z"}],
        "doc": "# x",
        "none": None,
    }
    parts = (
        Part("file", file=True),
        Part("raw", file=True, media_type="image/png"),
        Part("doc", media_type="text/markdown"),
    )
    kind, data = body(value, "multipart/form-data", *parts)
    assert parts_of(kind, data) == [
        ("file", "cover.png", "image/png", base64.b64decode(PNG)),
        ("raw", "raw", "image/png", base64.b64decode(PNG)),
        ("note", None, None, "héllo".encode()),
        ("n", None, None, b"0"),
        ("meta", None, "application/json", b'{"title":"T","tags":["x"]}'),
        ("labels", None, None, b"a"),
        ("labels", None, None, b"b"),
        ("people", None, "application/json", '{"name":"é"}'.encode()),
        ("people", None, "application/json", b'{"name":"z"}'),
        ("doc", None, "text/markdown", b"# x"),
    ]


def test_multipart_is_what_rfc_7578_has() -> None:
    kind, data = body({"a b": "x", 'q"\r\n': "y"}, "multipart/form-data")
    boundary = kind.removeprefix("multipart/form-data; boundary=")
    assert data.decode() == (
        f'--{boundary}\r\nContent-Disposition: form-data; name="a b"\r\n\r\nx\r\n'
        f'--{boundary}\r\nContent-Disposition: form-data; name="q%22%0D%0A"\r\n\r\ny\r\n'
        f"--{boundary}--\r\n"
    )


def test_several_files_have_one_name() -> None:
    part = Part("f", file=True, style="form", explode=False)
    kind, data = body({"f": [PNG, "data:text/x;name=..%2Fb%20c.txt,hi%20"]}, "multipart/form-data", part)
    assert parts_of(kind, data) == [
        ("f", "f", "application/octet-stream", base64.b64decode(PNG)),
        ("f", "b c.txt", "text/x", b"hi "),
    ]


def test_parts_with_a_style_are_not_percent_encoded() -> None:
    value: Json = {"c": ["a b", "é"], "o": {"R": "x/y"}, "d": {"k": 1}}
    parts = (Part("c", style="form", explode=False), Part("o", style="form"), Part("d", style="deepObject"))
    found = parts_of(*body(value, "multipart/form-data", *parts))
    assert [(name, data) for name, _, _, data in found] == [
        ("c", "a b,é".encode()),
        ("R", b"x/y"),
        ("d[k]", b"1"),
    ]


def test_parts_have_their_declared_headers() -> None:
    part = Part("a", headers=(("X-Extra", "1"), ("Content-Type", "text/evil"), ("Content-Disposition", "evil")))
    _, data = body({"a": "x"}, "multipart/form-data", part)
    assert b'Content-Disposition: form-data; name="a"\r\nX-Extra: 1\r\n\r\nx\r\n' in data


def test_the_parts_of_a_list_have_no_names() -> None:
    parts = (Part("1", file=True, media_type="image/*"), Part(None, media_type="text/csv"))
    kind, data = body([{"a": 1}, f"data:image/png;base64,{PNG}", "x"], "multipart/related", Part("0"), *parts)
    assert kind.startswith("multipart/related; boundary=")
    assert parts_of(kind, data) == [
        (None, None, "application/json", b'{"a":1}'),
        (None, "file", "image/png", base64.b64decode(PNG)),
        (None, None, "text/csv", b"x"),
    ]


def test_the_boundary_depends_on_the_content_and_is_not_in_it() -> None:
    one, two = body({"a": "x"}, "multipart/form-data"), body({"a": "y"}, "multipart/form-data")
    assert one == body({"a": "x"}, "multipart/form-data")
    assert one[0] != two[0]
    kind, data = one
    nested = body({"a": data.decode()}, "multipart/form-data")
    assert nested[0] != kind
    assert parts_of(*nested)[0][3] == data


names = st.text(
    alphabet=st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"], exclude_characters='"%;\\'), max_size=6
)


@given(st.dictionaries(names, st.one_of(st.binary(max_size=30), st.text(max_size=20)), min_size=1, max_size=5))
def test_multipart_can_be_read_back(value: dict[str, bytes | str]) -> None:
    arguments: dict[str, Json] = {
        name: base64.b64encode(item).decode() if isinstance(item, bytes) else item for name, item in value.items()
    }
    files = tuple(Part(name, file=True) for name, item in value.items() if isinstance(item, bytes))
    kind, data = body(arguments, "multipart/form-data", *files)
    mark = f"--{kind.partition('boundary=')[2]}".encode()
    opening, *chunks, closing = (b"\r\n" + data).split(b"\r\n" + mark)
    assert (opening, closing) == (b"", b"--\r\n")
    read: list[tuple[str, bytes]] = []
    for chunk in chunks:
        head, _, content = chunk.removeprefix(b"\r\n").partition(b"\r\n\r\n")
        read.append((head.decode().partition('name="')[2].partition('"')[0], content))
    assert read == [(name, item if isinstance(item, bytes) else item.encode()) for name, item in value.items()]


def test_a_property_that_is_called_as_a_wildcard_is_no_wildcard() -> None:
    _, data = body({"a": "x", "*": "eA=="}, "multipart/form-data", Part("*", file=True))
    assert b'name="a"\r\n\r\nx\r\n' in data
    assert b'filename="*"' in data


@given(st.text())
def test_no_name_adds_a_header_to_a_part(name: str) -> None:
    try:
        _, data = body({name: "x"}, "multipart/form-data")
    except ArgumentError:
        return
    head = data.partition(b"\r\n\r\n")[0]
    assert head.count(b"\r\n") == 1
    assert head.count(b"\n") == 1
    assert head.count(b'"') == 2


# Bytes, text, XML


@pytest.mark.parametrize(
    ("value", "declared", "kind", "data"),
    [
        ("AP8Q/4CA", "application/octet-stream", "application/octet-stream", b"\x00\xff\x10\xff\x80\x80"),
        ("AP8Q_4CA", "application/octet-stream", "application/octet-stream", b"\x00\xff\x10\xff\x80\x80"),
        ("AP8Q\n_4A=", "application/octet-stream", "application/octet-stream", b"\x00\xff\x10\xff\x80"),
        ("", "application/octet-stream", "application/octet-stream", b""),
        ("data:image/png;base64,AP8=", "image/jpeg", "image/jpeg", b"\x00\xff"),
        ("data:image/png;base64,AP8=", "image/*", "image/png", b"\x00\xff"),
        ("data:image/png;base64,AP8=", "*/*", "image/png", b"\x00\xff"),
        ("data:text/csv;charset=utf-8,a%2Cb", "*/*", "text/csv;charset=utf-8", b"a,b"),
        ("data:image/gif;base64,AP8=", "image/png, image/jpeg", "image/png", b"\x00\xff"),
        ("AP8=", "*/*", "application/octet-stream", b"\x00\xff"),
        ("AP8=", "image/*", "application/octet-stream", b"\x00\xff"),
        ("data:,", "application/pdf", "application/pdf", b""),
    ],
)
def test_bytes(value: str, declared: str, kind: str, data: bytes) -> None:
    assert body(value, declared, file=True) == (kind, data)


@pytest.mark.parametrize(
    "value",
    [
        "not base64!",
        "hello world",
        "abc",
        "A",
        "AP8=x",
        "é",
        "data:image/png",
        "file:///etc/hostname",
        "@/etc/hostname",
        "data:a b/c,x",
        "data:a/b\r\nX: y,x",
        5,
        {"data": "AP8="},
        None,
    ],
)
def test_what_is_no_file_is_refused(value: Json) -> None:
    error = (
        refused({"f": [value]}, "multipart/form-data", Part("f", file=True, media_type="a/b,application/json"))
        if (value is not None)
        else refused(5, "application/octet-stream")
    )
    assert "base64" in error.message


def test_text() -> None:
    assert body('He said "hi"', "text/plain") == ("text/plain; charset=utf-8", b'He said "hi"')
    assert body("a,b\n1,é\n", "text/csv") == ("text/csv; charset=utf-8", "a,b\n1,é\n".encode())
    assert body("é", "text/plain; charset=iso-8859-1") == ("text/plain; charset=iso-8859-1", b"\xe9")
    assert body(5, "text/plain")[1] == b"5"
    assert body("query { a }", "application/graphql") == ("application/graphql", b"query { a }")
    assert "string" in refused({"a": 1}, "text/plain").message
    assert "iso-8859-1" in refused("☕", "text/plain; charset=iso-8859-1").message


def test_media_ranges_without_a_file() -> None:
    assert body({"a": 1}, "*/*") == ("application/json", b'{"a":1}')
    assert body("x", "*/*") == ("text/plain; charset=utf-8", b"x")
    assert body("x", "text/*") == ("text/plain; charset=utf-8", b"x")
    assert body("AP8=", "image/*") == ("application/octet-stream", b"\x00\xff")


def test_xml_and_yaml() -> None:
    assert body("<a>é</a>", "application/xml") == ("application/xml", "<a>é</a>".encode())
    assert body("<svg/>", "image/svg+xml") == ("image/svg+xml", b"<svg/>")
    assert "XML" in refused({"a": 1}, "application/xml").message
    kind, data = body({"a": ["é"]}, "application/yaml")
    assert (kind, json.loads(data)) == ("application/yaml", {"a": ["é"]})


@pytest.mark.parametrize("media_type", [FORM, "multipart/form-data"])
def test_forms_need_an_object(media_type: str) -> None:
    assert "object" in refused("a=1", media_type).message
