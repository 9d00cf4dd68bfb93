"""Whatever values go out, in whatever styles, a decoder that is not ours reads the same ones from the request."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any, cast

from hypothesis import given, settings
from hypothesis import strategies as st
from runtime.operation import Body, Content, Cookie, Field, Header, Json, Operation, Part, Path, Query, Style
from runtime.request import build
from tests.independent import decode
from tests.independent.decode import Parameter, Place

BINDINGS: dict[str, Any] = {"path": Path, "query": Query, "header": Header, "cookie": Cookie}
# The cells of the table that can be read back: place, style, exploded or not.
CELLS = [
    *(("path", style, explode) for style in ("simple", "label", "matrix") for explode in (False, True)),
    *(("query", "form", explode) for explode in (False, True)),
    *(("query", style, False) for style in ("spaceDelimited", "pipeDelimited", "tabDelimited")),
    ("query", "deepObject", True),
    *(("header", "simple", explode) for explode in (False, True)),
    *(("cookie", "form", explode) for explode in (False, True)),
    *(("cookie", "cookie", explode) for explode in (False, True)),
]
# Where a path would take a step, which is refused.
STEP = re.compile(r"[/\\]\.\.?([/\\;]|\Z)")
CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f-\x9f]")
DELIMITERS = {"spaceDelimited": " ", "pipeDelimited": "|", "tabDelimited": "\t"}

unicode_texts = st.text(st.characters(codec="utf-8"), max_size=6)
values_of_json: st.SearchStrategy[Json] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | unicode_texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(unicode_texts, inner, max_size=3),
    max_leaves=6,
)


def texts(place: str, style: str, explode: bool, kind: str) -> st.SearchStrategy[str]:
    """Texts that a cell of the table can carry unharmed."""
    outside = ""
    match place, style:
        case "path", "label" if explode and kind != "text":
            outside = "."  # which separates, and cannot be escaped
        case "query", "deepObject":
            outside = "[]"
        case "query", _ if kind != "text":
            outside = DELIMITERS.get(style, "")
        case "header", _ if kind != "text":
            outside = ",=" if explode else ","
        case "cookie", "cookie":
            outside = ";=," if kind != "text" else ";"
        case _:
            pass
    found = st.text(st.characters(codec="utf-8", exclude_characters=outside), max_size=6)
    if place == "path":
        return found.filter(lambda text: not STEP.search(text))
    if place == "header" or style == "cookie":  # neither is escaped, and white space around is no part of it
        found = found.filter(lambda text: not CONTROL.search(text) and text == text.strip(" \t"))
        return found.filter(lambda text: "\t" not in text) if style == "cookie" else found
    return found


def spelled(value: Json) -> Any:
    """A value with its scalars as text."""
    if isinstance(value, dict):
        return {name: spelled(item) for name, item in value.items()}
    if isinstance(value, list):
        return [spelled(item) for item in value]
    return value if isinstance(value, str) else json.dumps(value)


@st.composite
def parameters(draw: st.DrawFn, cells: Sequence[tuple[str, str, bool]]) -> list[tuple[Parameter, Json]]:
    """Parameters of one operation, each with a value; only one object of a place is spread over it."""
    found: list[tuple[Parameter, Json]] = []
    spread: set[str] = set()
    for at in range(draw(st.integers(1, 6))):
        place, style, explode = draw(st.sampled_from(cells))
        kinds = ["object"] if style == "deepObject" else ["text", "list", "object"]
        kinds += ["json"] if (place, style) in (("query", "form"), ("path", "simple")) else []
        kind: Any = draw(st.sampled_from(kinds))
        if kind == "object" and explode and style in ("form", "cookie"):
            kind = "list" if place in spread else kind
            spread.add(place)
        name = (
            f"p{at}" if place != "query" else draw(st.sampled_from([f"p{at}", f"p{at} ü&=", f"p{at}[x]", f"p{at}+%41"]))
        )
        text = texts(place, style, explode, kind)
        scalar = text | st.integers() | st.booleans()
        # A name of a header or a cookie is a token where it is not escaped.
        keys = (
            st.from_regex(r"k[a-z0-9]{0,3}", fullmatch=True)
            if place in ("header", "cookie")
            else text.map("k{}".format)
        )
        value: Any
        match kind:
            case "text":
                value = draw(scalar)
            case "list":
                value = draw(st.lists(scalar, min_size=1, max_size=4))
            case "object" if style == "deepObject":
                inner = st.dictionaries(keys, scalar | st.lists(scalar, min_size=1, max_size=2), min_size=1, max_size=3)
                value = draw(st.dictionaries(keys, scalar | inner, min_size=1, max_size=3))
            case "object":
                value = draw(st.dictionaries(keys, scalar, min_size=1, max_size=4))
            case _:
                value = draw(values_of_json.filter(lambda made: made is not None))
        found.append((Parameter(cast("Place", place), name, kind, style, explode), value))
    return found


@settings(max_examples=300)
@given(parameters(CELLS))
def test_parameters_come_back(given: list[tuple[Parameter, Json]]) -> None:
    bindings = tuple(
        BINDINGS[one.place](
            f"a{at}",
            name=one.name,
            style=one.style,
            explode=one.explode,
            media_type="application/json" if one.kind == "json" else None,
        )
        for at, (one, _) in enumerate(given)
    )
    template = "/r" + "".join(f"/x-{{{one.name}}}" for one, _ in given if one.place == "path")
    operation: Operation[Any, Any] = Operation(name="t", method="GET", path=template, bindings=bindings)
    request = build(operation, {f"a{at}": value for at, (_, value) in enumerate(given)}, "http://h/base")
    headers = {name.lower(): text for name, text in request.headers}
    found = decode.decoded([one for one, _ in given], f"/base{template}", request.url, headers)
    expected = {(one.place, one.name): value if one.kind == "json" else spelled(value) for one, value in given}
    assert found == expected


FIELDS = parameters([cell for cell in CELLS if cell[0] == "query"]).filter(lambda given: given[0][0].kind != "json")


@given(FIELDS)
def test_styled_fields_of_a_form_come_back(given: list[tuple[Parameter, Json]]) -> None:
    given = [(one, value) for one, value in given if one.kind != "json"]
    parts = tuple(Part(one.name, style=cast("Style", one.style), explode=one.explode) for one, _ in given)
    operation: Operation[Any, Any] = Operation(
        name="t",
        method="POST",
        path="/",
        bindings=tuple(Field(f"a{at}", name=one.name) for at, (one, _) in enumerate(given)),
        body=Content("application/x-www-form-urlencoded", parts, required=True),
    )
    request = build(operation, {f"a{at}": value for at, (_, value) in enumerate(given)}, "http://h")
    assert request.body is not None
    found = decode.decoded([one for one, _ in given], "/", f"http://h/?{request.body.decode('ascii')}", {})
    assert found == {(one.place, one.name): spelled(value) for one, value in given}


@given(values_of_json)
def test_json_comes_back(value: Json) -> None:
    operation: Operation[Any, Any] = Operation(name="t", method="POST", path="/", bindings=(Body(),), body=Content())
    request = build(operation, {"body": value}, "http://h")
    assert request.body is not None
    assert json.loads(request.body) == value
