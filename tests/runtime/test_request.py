"""What goes where in a request, and that a value stays in its place."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path as File
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from runtime.operation import (
    Arguments,
    Binding,
    Body,
    Content,
    Cookie,
    Field,
    Header,
    Json,
    Operation,
    Path,
    Query,
    Querystring,
)
from runtime.request import ArgumentError, Request, build

TEMPLATES = File(__file__).parents[2] / "templates"


def send(arguments: Arguments, *bindings: Binding, path: str = "/x", base: str = "http://h", **more: Any) -> Request:
    operation: Operation[Any, Any] = Operation(name="t", method="GET", path=path, bindings=bindings, **more)
    return build(operation, arguments, base)


def refused(arguments: Arguments, *bindings: Binding, **more: Any) -> ArgumentError:
    with pytest.raises(ArgumentError) as caught:
        send(arguments, *bindings, **more)
    assert len(caught.value.message) < 250
    return caught.value


@pytest.mark.parametrize(
    ("base", "path", "expected"),
    [
        ("http://h", "/pets", "http://h/pets"),
        ("http://h/", "/pets", "http://h/pets"),
        ("http://h/v1", "/pets", "http://h/v1/pets"),
        ("http://h/v1/", "/pets", "http://h/v1/pets"),
        ("http://h/v1/", "/", "http://h/v1/"),
        ("http://h", "/", "http://h/"),
        ("http://h/v1", "", "http://h/v1"),
        ("http://h/v1", "pets", "http://h/v1/pets"),
        ("http://h/v1?key=1#top", "/pets", "http://h/v1/pets?key=1"),
        ("http://h", "/pets/", "http://h/pets/"),
        ("http://h", "/a b/ü/%41/50%/{", "http://h/a%20b/%C3%BC/%41/50%25/%7B"),
        ("http://h", "/a:b@c;d=e,f!$&'()*+~", "http://h/a:b@c;d=e,f!$&'()*+~"),
        ("http://h", "/x?action=y", "http://h/x?action=y"),
        ("http://h?key=1", "/x?action=a b", "http://h/x?key=1&action=a%20b"),
        ("http://h", "/#X-Amz-Target=Svc.Do", "http://h/"),
        ("http://h", "/x?a=1#frag?b", "http://h/x?a=1"),
    ],
)
def test_the_path_is_appended_to_the_base_url(base: str, path: str, expected: str) -> None:
    assert send({}, base=base, path=path).url == expected


def test_queries_of_base_template_and_arguments_are_joined() -> None:
    request = send({"q": "z", "v": "1/2"}, Query("q"), Path("v"), base="http://h?a=1", path="/x?b=2&c={v}")
    assert request.url == "http://h/x?a=1&b=2&c=1%2F2&q=z"


def test_a_segment_may_hold_several_placeholders() -> None:
    bindings = (Path("year"), Path("month"), Path("ext"))
    request = send({"year": 2024, "month": "07", "ext": "pdf"}, *bindings, path="/reports/{year}-{month}.{ext}/raw")
    assert request.url == "http://h/reports/2024-07.pdf/raw"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("a/b", "a%2Fb"),
        ("what?#x", "what%3F%23x"),
        ("100%25", "100%2525"),
        ("a b+c", "a%20b%2Bc"),
        ("naïve☕", "na%C3%AFve%E2%98%95"),
        ("a\\b", "a%5Cb"),
        ("%2e%2e", "%252e%252e"),
        ("{v}", "%7Bv%7D"),
        ("...", "..."),
        (".hidden", ".hidden"),
        ("a\r\nb", "a%0D%0Ab"),
    ],
)
def test_path_values_are_escaped(value: str, expected: str) -> None:
    assert send({"v": value}, Path("v"), path="/files/{v}").url == f"http://h/files/{expected}"


@pytest.mark.parametrize("value", ["", ".", "..", "../admin", "a/../b", "a\\..\\b", "./x", "x/..", [], {}, None, [""]])
def test_path_values_that_leave_or_empty_their_segment_are_refused(value: Json) -> None:
    assert refused({"v": value}, Path("v"), path="/files/{v}").argument == "v"


@pytest.mark.parametrize("value", ["%2e%2E", ".%2e", "%2e%2e%2fadmin", "..;x", "..%5Cx"])
def test_encoded_dots_are_refused_where_triples_pass(value: str) -> None:
    refused({"v": value}, Path("v", reserved=True), path="/files/{v}")


def test_dots_of_two_placeholders_do_not_make_a_step_up() -> None:
    refused({"a": ".", "b": "."}, Path("a"), Path("b"), path="/x/{a}{b}")
    refused({"a": "", "b": ""}, Path("a"), Path("b"), path="/x/{a}.{b}")
    refused({"a": "."}, Path("a", style="label"), path="/x/{a}")
    refused({"a": ""}, Path("a", style="label"), path="/x/{a}")
    assert send({"a": "", "b": "y"}, Path("a"), Path("b"), path="/x/{a}-{b}").url == "http://h/x/-y"


def test_a_missing_path_argument_is_named() -> None:
    error = refused({}, Path("pet_id", name="petId"), path="/pets/{petId}")
    assert error.argument == "pet_id"
    assert "'pet_id'" in error.message
    assert "required" in error.message


def test_what_is_not_given_is_not_sent() -> None:
    bindings = (
        Query("q"),
        Header("h"),
        Cookie("c"),
        Querystring("s", media_type="application/json"),
        Field("f"),
        Body(),
    )
    request = send({}, *bindings, body=Content())
    assert request == Request("GET", "http://h/x", (("Accept", "application/json, */*;q=0.5"),), None)


def test_headers_stand_in_a_fixed_order() -> None:
    bindings = (Cookie("c"), Header("b", name="X-B"), Field("f"), Header("a", name="X-A"))
    request = send({"a": 1, "b": 2, "c": 3, "f": 4}, *bindings, body=Content(), accept=("text/csv", "application/json"))
    assert request.headers == (
        ("Accept", "text/csv, application/json"),
        ("Content-Type", "application/json"),
        ("X-B", "2"),
        ("X-A", "1"),
        ("Cookie", "c=3"),
    )


# Headers


@pytest.mark.parametrize(
    ("value", "explode", "expected"),
    [
        ("blue", False, "blue"),
        (["blue", "black"], False, "blue,black"),
        (["blue", "black"], True, "blue,black"),
        ({"R": 100, "G": 200}, False, "R,100,G,200"),
        ({"R": 100, "G": 200}, True, "R=100,G=200"),
        (True, False, "true"),
        ("dark blue/50%; q=1", False, "dark blue/50%; q=1"),
        ('W/"a,b"', False, 'W/"a,b"'),
        (" padded\t", False, "padded"),
        ("", False, ""),
        ("Zoë 日本", False, "Zoë 日本"),
    ],
)
def test_headers_are_sent_as_they_are(value: Json, explode: bool, expected: str) -> None:
    assert send({"h": value}, Header("h", name="X-H", explode=explode)).headers[1:] == (("X-H", expected),)


def test_a_header_of_json_is_ascii() -> None:
    request = send({"h": {"a": "é\n"}}, Header("h", name="X-H", media_type="application/json"))
    assert request.headers[1] == ("X-H", '{"a":"\\u00e9\\n"}')
    assert send({"h": "a b"}, Header("h", name="X-H", media_type="text/plain")).headers[1] == ("X-H", "a b")


@pytest.mark.parametrize(
    "value", ["a\r\nX-Evil: 1", "a\nb", "a\0", "\x7f", "a\x85b", ["a", "b\r"], {"k\n": 1}, "\ud800"]
)
@pytest.mark.parametrize("binding", [Header("h"), Header("h", media_type="text/plain")])
def test_headers_hold_no_control_characters(value: Json, binding: Header) -> None:
    assert refused({"h": value}, binding).argument == "h"


@pytest.mark.parametrize(
    "name", ["Accept", "content-type", "Authorization", "Content-Length", "Host", "Transfer-Encoding"]
)
def test_headers_that_frame_or_authorise_the_request_are_not_arguments(name: str) -> None:
    assert send({"h": "x"}, Header("h", name=name)).headers == send({}).headers


def test_a_header_with_an_impossible_name_is_refused() -> None:
    refused({"h": "x"}, Header("h", name="X-A: b\r\nX"))


# Cookies


@pytest.mark.parametrize(
    ("binding", "value", "expected"),
    [
        (Cookie("c"), "abc", "c=abc"),
        (Cookie("c"), "Hello, world!", "c=Hello%2C%20world%21"),
        (Cookie("c"), ["blue", "black"], "c=blue; c=black"),
        (Cookie("c"), {"R": 1, "G": "a;b"}, "R=1; G=a%3Bb"),
        (Cookie("c", explode=False), ["blue", "bl,ck"], "c=blue,bl%2Cck"),
        (Cookie("c", explode=False), {"R": 100}, "c=R,100"),
        (Cookie("c", reserved=True), "a/b;c,d", "c=a/b%3Bc%2Cd"),
        (Cookie("c", style="cookie"), "Hello%2C world!", "c=Hello%2C world!"),
        (Cookie("c", style="cookie"), ["blue", "black"], "c=blue; c=black"),
        (
            Cookie("c", style="cookie"),
            {"greeting": "Hello%2C%20world!", "code": 42},
            "greeting=Hello%2C%20world!; code=42",
        ),
        (Cookie("c", media_type="application/json"), {"a": 1}, "c=%7B%22a%22%3A1%7D"),
        (Cookie("c", media_type="text/plain"), "a=b", "c=a=b"),
        (Cookie("c", name="a[b]"), "x", "a%5Bb%5D=x"),
    ],
)
def test_cookies(binding: Cookie, value: Json, expected: str) -> None:
    assert send({"c": value}, binding).headers[1:] == (("Cookie", expected),)


@pytest.mark.parametrize("value", ["a; admin=1", "a\r\nb", "a\0", {"a;b": "c"}, {"a b": "c"}, {"": "c"}])
def test_a_cookie_smuggles_no_other(value: Json) -> None:
    refused({"c": value}, Cookie("c", style="cookie"))


def test_undefined_cookies_are_left_out() -> None:
    request = send({"c": None, "d": [], "e": 1}, Cookie("c"), Cookie("d"), Cookie("e"))
    assert request.headers[1:] == (("Cookie", "e=1"),)


# Content-typed parameters and query strings


def test_parameters_with_content_are_written_as_such_and_encoded_for_their_place() -> None:
    where: Json = {"lat": 1.5, "tags": ["a b"]}
    assert send({"w": where}, Query("w", media_type="application/json")).url == (
        "http://h/x?w=%7B%22lat%22%3A1.5%2C%22tags%22%3A%5B%22a%20b%22%5D%7D"
    )
    assert send({"w": "a/b"}, Path("w", media_type="application/json"), path="/{w}").url == "http://h/%22a%2Fb%22"
    assert send({"w": "a&b"}, Query("w", media_type="text/plain")).url == "http://h/x?w=a%26b"
    assert send({"w": None}, Query("w", media_type="application/json")).url == "http://h/x"
    assert refused({"w": {}}, Query("w", media_type="text/plain")).argument == "w"


@pytest.mark.parametrize(
    ("media_type", "value", "expected"),
    [
        ("application/x-www-form-urlencoded", {"foo": "a + b", "bar": True}, "?foo=a+%2B+b&bar=true"),
        ("application/x-www-form-urlencoded", {"list": [1, 2], "none": None}, "?list=1&list=2"),
        ("application/x-www-form-urlencoded", {}, ""),
        (
            "application/json",
            {"numbers": [1, 2], "flag": None},
            "?%7B%22numbers%22%3A%5B1%2C2%5D%2C%22flag%22%3Anull%7D",
        ),
        ("application/jsonpath", "$.a.b[1:1]", "?$.a.b%5B1:1%5D"),
        ("text/plain", "a[0]=1&b=x y#+%", "?a%5B0%5D=1&b=x%20y%23%2B%25"),
    ],
)
def test_querystrings(media_type: str, value: Json, expected: str) -> None:
    assert send({"all": value}, Querystring("all", media_type=media_type)).url == f"http://h/x{expected}"


# Properties: whatever the arguments are

anything: st.SearchStrategy[Json] = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.floats(),
        st.text(max_size=12),
        st.text(alphabet=st.characters(), max_size=6),  # lone surrogates too
        st.sampled_from(
            ["..", ".", "../x", "%2e%2e", "%2F..", "a&b=c", "a;b=c", "a\r\nX: y", "#", "?", "\\", "/", "%", "%00"]
        ),
    ),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=4), inner, max_size=3)),
    max_leaves=6,
)
PLACED: tuple[Binding, ...] = (
    Path("p1", style="simple"),
    Path("p2", style="label", explode=True),
    Path("p3", style="matrix", explode=True, reserved=True),
    Path("p4", reserved=True),
    Path("p5", media_type="application/json"),
    Query("q1", explode=False),
    Query("q2", explode=False, reserved=True),
    Query("q3", style="deepObject"),
    Query("q4", style="pipeDelimited", explode=False, reserved=True),
    Query("q5", media_type="application/json"),
    Header("h1", name="X-One"),
    Header("h2", name="X-Two", explode=True),
    Header("h3", name="X-Three", media_type="application/json"),
    Cookie("c1", explode=False),
    Cookie("c2", style="cookie", explode=False),
    Cookie("c3", media_type="text/plain"),
)
URL = re.compile(r"http://h/base/([!-~]*)")


@settings(max_examples=400)
@given(st.data())
def test_no_value_leaves_its_place(data: st.DataObject) -> None:
    binding = data.draw(st.sampled_from(PLACED))
    fixed: dict[str, Json] = {f"p{n}": "x" for n in range(1, 6)}
    path = "/a/{p1}/b{p2}/{p3}/{p4}-{p1}/{p5}/z"
    arguments = {**fixed, binding.argument: data.draw(anything)}
    try:
        request = send(arguments, *PLACED, base="http://h/base", path=path)
    except ArgumentError as error:
        assert error.argument == binding.argument
        assert len(error.message) < 250
        return
    split = urlsplit(request.url)
    assert URL.fullmatch(request.url)
    assert not split.fragment
    segments = split.path.split("/")
    assert len(segments) == len(urlsplit(send(fixed, *PLACED, base="http://h/base", path=path).url).path.split("/"))
    assert not {".", "..", ""} & {unquote(segment) for segment in segments[1:]}
    names = {pair.partition("=")[0] for pair in split.query.split("&") if pair}
    assert len(names) <= 1 or binding.argument == "q3"
    assert all(name == binding.argument or name.startswith("q3%5B") for name in names)
    allowed = {"Accept", "Cookie"} | {one.wire_name for one in PLACED if isinstance(one, Header)}
    assert {name for name, _ in request.headers} <= allowed
    assert len(request.headers) <= 2
    assert not any(re.search(r"[\r\n\0]", text) for _, text in request.headers)
    cookies = [text for name, text in request.headers if name == "Cookie"]
    assert all(";" not in text for text in cookies)
    assert send(arguments, *PLACED, base="http://h/base", path=path) == request


def test_messages_do_not_repeat_long_values() -> None:
    long = "x" * 500 + "\n"
    assert "xxxxx" not in refused({"h": long}, Header("h")).message
    assert len(refused({}, Body("n" * 300), body=Content(required=True)).message) < 250


def test_values_nested_too_deeply_are_refused() -> None:
    deep: Json = []
    for _ in range(100_000):
        deep = [deep]
    assert refused({"q": deep}, Query("q", media_type="application/json")).argument == "q"
    assert refused({"q": deep}, Body("q"), body=Content()).argument == "q"


def test_the_wire_half_needs_the_standard_library_only() -> None:
    code = "import runtime.request, sys, json; print(json.dumps(sorted(sys.modules)))"
    run = subprocess.run(
        [sys.executable, "-I", "-c", f"import sys; sys.path.insert(0, {str(TEMPLATES)!r}); {code}"],
        capture_output=True,
        check=True,
    )
    loaded = {name.partition(".")[0] for name in json.loads(run.stdout)}
    assert not loaded & {"mcp", "httpx", "httpx2", "pydantic", "anyio", "jsonschema_rs"}
