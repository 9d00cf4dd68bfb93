"""The tables of RFC 6570 §3.2 and of OpenAPI's Style Examples, and a reader that undoes what they do."""

from __future__ import annotations

from urllib.parse import unquote, urlsplit

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from runtime.operation import Arguments, Json, Operation, Path, Query, Style
from runtime.request import ArgumentError, build

COUNT: Json = ["one", "two", "three"]
LIST: Json = ["red", "green", "blue"]
KEYS: Json = {"semi": ";", "dot": ".", "comma": ","}
PATH: Json = "/foo/bar"
COLORS: Json = ["blue", "black", "brown"]
CHANNELS: Json = {"R": 100, "G": 200, "B": 150}


def path(style: Style, explode: bool, value: Json, name: str = "v", reserved: bool = False) -> str:
    operation: Operation[Arguments, Json] = Operation(
        name="t",
        method="GET",
        path=f"/x{{{name}}}",
        bindings=(Path("a", name=name, style=style, explode=explode, reserved=reserved),),
    )
    return urlsplit(build(operation, {"a": value}, "http://h").url).path.removeprefix("/x")


def query(style: Style, explode: bool, value: Json, name: str = "v", reserved: bool = False) -> str:
    operation: Operation[Arguments, Json] = Operation(
        name="t",
        method="GET",
        path="/x",
        bindings=(Query("a", name=name, style=style, explode=explode, reserved=reserved),),
    )
    return urlsplit(build(operation, {"a": value}, "http://h").url).query


@pytest.mark.parametrize(
    ("style", "explode", "name", "value", "expected"),
    [
        # §3.2.2 simple
        ("simple", False, "count", COUNT, "one,two,three"),
        ("simple", True, "count", COUNT, "one,two,three"),
        ("simple", False, "var", "value", "value"),
        ("simple", False, "hello", "Hello World!", "Hello%20World%21"),
        ("simple", False, "half", "50%", "50%25"),
        ("simple", False, "list", LIST, "red,green,blue"),
        ("simple", True, "list", LIST, "red,green,blue"),
        ("simple", False, "empty", "", ""),
        ("simple", False, "undef", [], ""),
        ("simple", False, "path", PATH, "%2Ffoo%2Fbar"),
        ("simple", False, "keys", KEYS, "semi,%3B,dot,.,comma,%2C"),
        ("simple", True, "keys", KEYS, "semi=%3B,dot=.,comma=%2C"),
        # §3.2.5 label
        ("label", False, "who", "fred", ".fred"),
        ("label", False, "half", "50%", ".50%25"),
        ("label", True, "dom", ["example", "com"], ".example.com"),
        ("label", False, "undef", [], ""),
        ("label", False, "var", "value", ".value"),
        ("label", False, "empty", "", "."),
        ("label", False, "list", LIST, ".red,green,blue"),
        ("label", True, "list", LIST, ".red.green.blue"),
        ("label", False, "keys", KEYS, ".semi,%3B,dot,.,comma,%2C"),
        ("label", True, "keys", KEYS, ".semi=%3B.dot=..comma=%2C"),
        ("label", False, "empty_keys", {}, ""),
        ("label", True, "empty_keys", {}, ""),
        # §3.2.7 path-style
        ("matrix", False, "who", "fred", ";who=fred"),
        ("matrix", False, "half", "50%", ";half=50%25"),
        ("matrix", False, "undef", [], ""),
        ("matrix", False, "v", 6, ";v=6"),
        ("matrix", False, "empty", "", ";empty"),
        ("matrix", False, "hello", "Hello World!", ";hello=Hello%20World%21"),
        ("matrix", False, "list", LIST, ";list=red,green,blue"),
        ("matrix", True, "list", LIST, ";list=red;list=green;list=blue"),
        ("matrix", False, "keys", KEYS, ";keys=semi,%3B,dot,.,comma,%2C"),
        ("matrix", True, "keys", KEYS, ";semi=%3B;dot=.;comma=%2C"),
        ("matrix", False, "empty_keys", {}, ""),
        # §2.3 undefined members
        ("simple", False, "list", ["a", None, "b"], "a,b"),
        ("simple", True, "keys", {"a": None, "b": 1}, "b=1"),
        ("matrix", True, "keys", {"a": None}, ""),
    ],
)
def test_path_styles_of_rfc_6570(style: Style, explode: bool, name: str, value: Json, expected: str) -> None:
    assert path(style, explode, value, name) == expected


@pytest.mark.parametrize(
    ("explode", "name", "value", "expected"),
    [
        # §3.2.8 form-style query
        (False, "who", "fred", "who=fred"),
        (False, "half", "50%", "half=50%25"),
        (False, "x", "1024", "x=1024"),
        (False, "var", "value", "var=value"),
        (False, "empty", "", "empty="),
        (False, "undef", None, ""),
        (False, "list", LIST, "list=red,green,blue"),
        (True, "list", LIST, "list=red&list=green&list=blue"),
        (False, "keys", KEYS, "keys=semi,%3B,dot,.,comma,%2C"),
        (True, "keys", KEYS, "semi=%3B&dot=.&comma=%2C"),
        (False, "empty_keys", {}, ""),
        (True, "list", [], ""),
        (True, "list", [None, "a"], "list=a"),
        (True, "list", ["", "a"], "list=&list=a"),
        (False, "list", ["a", "", "b"], "list=a,,b"),
    ],
)
def test_form_style_of_rfc_6570(explode: bool, name: str, value: Json, expected: str) -> None:
    assert query("form", explode, value, name) == expected


@pytest.mark.parametrize(
    ("style", "explode", "primitive", "array", "object_"),
    [
        ("matrix", False, ";color=blue", ";color=blue,black,brown", ";color=R,100,G,200,B,150"),
        ("matrix", True, ";color=blue", ";color=blue;color=black;color=brown", ";R=100;G=200;B=150"),
        ("label", False, ".blue", ".blue,black,brown", ".R,100,G,200,B,150"),
        ("label", True, ".blue", ".blue.black.brown", ".R=100.G=200.B=150"),
        ("simple", False, "blue", "blue,black,brown", "R,100,G,200,B,150"),
        ("simple", True, "blue", "blue,black,brown", "R=100,G=200,B=150"),
        ("pipeDelimited", False, "blue", "blue%7Cblack%7Cbrown", "R%7C100%7CG%7C200%7CB%7C150"),  # Swagger 2.0
    ],
)
def test_path_rows_of_the_openapi_table(style: Style, explode: bool, primitive: str, array: str, object_: str) -> None:
    assert path(style, explode, "blue", "color") == primitive
    assert path(style, explode, COLORS, "color") == array
    assert path(style, explode, CHANNELS, "color") == object_


@pytest.mark.parametrize(
    ("style", "explode", "value", "expected"),
    [
        ("form", False, "blue", "color=blue"),
        ("form", False, COLORS, "color=blue,black,brown"),
        ("form", False, CHANNELS, "color=R,100,G,200,B,150"),
        ("form", True, "blue", "color=blue"),
        ("form", True, COLORS, "color=blue&color=black&color=brown"),
        ("form", True, CHANNELS, "R=100&G=200&B=150"),
        ("spaceDelimited", False, COLORS, "color=blue%20black%20brown"),
        ("spaceDelimited", False, CHANNELS, "color=R%20100%20G%20200%20B%20150"),
        ("pipeDelimited", False, COLORS, "color=blue%7Cblack%7Cbrown"),
        ("pipeDelimited", False, CHANNELS, "color=R%7C100%7CG%7C200%7CB%7C150"),
        ("deepObject", True, CHANNELS, "color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150"),
        # Swagger 2.0 tsv, and cells that OpenAPI leaves open
        ("tabDelimited", False, COLORS, "color=blue%09black%09brown"),
        ("spaceDelimited", False, "blue", "color=blue"),
        ("pipeDelimited", True, COLORS, "color=blue&color=black&color=brown"),
        ("deepObject", False, {"a": {"b": {"c": 1}}}, "color%5Ba%5D%5Bb%5D%5Bc%5D=1"),
        ("deepObject", True, {"a": [1, None, 2]}, "color%5Ba%5D%5B%5D=1&color%5Ba%5D%5B%5D=2"),
        ("deepObject", True, {"a": [{"b": 1}, {"b": 2}]}, "color%5Ba%5D%5B0%5D%5Bb%5D=1&color%5Ba%5D%5B1%5D%5Bb%5D=2"),
        ("deepObject", True, "blue", "color=blue"),
        ("deepObject", True, {"a": None, "b": {}}, ""),
        ("form", True, {"R": [1, 2], "G": {"x": "é"}}, "R=%5B1%2C2%5D&G=%7B%22x%22%3A%22%C3%A9%22%7D"),
        ("form", True, [[1, 2], {"a": True}], "color=%5B1%2C2%5D&color=%7B%22a%22%3Atrue%7D"),
    ],
)
def test_query_rows_of_the_openapi_table(style: Style, explode: bool, value: Json, expected: str) -> None:
    assert query(style, explode, value, "color") == expected


@pytest.mark.parametrize(
    ("style", "explode", "in_path", "in_query"),
    [
        ("matrix", False, ";color", None),
        ("matrix", True, ";color", None),
        ("label", False, ".", None),
        ("label", True, ".", None),
        ("simple", False, "", None),
        ("simple", True, "", None),
        ("form", False, None, "color="),
        ("form", True, None, "color="),
    ],
)
def test_the_column_of_the_openapi_table_for_an_empty_string(
    style: Style, explode: bool, in_path: str | None, in_query: str | None
) -> None:
    if in_path is not None:
        assert path(style, explode, "", "color") == in_path
    if in_query is not None:
        assert query(style, explode, "", "color") == in_query


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (True, "true"),
        (False, "false"),
        (0, "0"),
        (-7, "-7"),
        (2.5, "2.5"),
        (5.0, "5"),
        (-0.0, "0"),
        (1e22, "10000000000000000000000"),
        (1.5e-7, "0.00000015"),
        (12345678901234567890, "12345678901234567890"),
    ],
)
def test_scalars_are_written_as_json_has_them_without_exponents(value: Json, expected: str) -> None:
    assert query("form", True, value) == f"v={expected}"


@pytest.mark.parametrize(
    ("explode", "value", "expected"),
    [
        (True, "http://x/y?z;a,b", "v=http://x/y?z;a,b"),
        (True, "a/b c", "v=a/b%20c"),
        (True, "a%2Fb%zz%", "v=a%2Fb%25zz%25"),
        (True, "[a]#b&c=d+e", "v=%5Ba%5D%23b%26c%3Dd%2Be"),
        (True, ["a,b", "c"], "v=a,b&v=c"),
        (False, ["a,b", "c/d"], "v=a%2Cb,c/d"),
        (True, {"k&=": "x/y&z"}, "k%26%3D=x/y%26z"),
    ],
)
def test_reserved_characters_pass_a_query_unless_they_would_end_or_split_it(
    explode: bool, value: Json, expected: str
) -> None:
    assert query("form", explode, value, reserved=True) == expected


def test_reserved_characters_pass_a_path_unless_they_would_end_or_split_its_segment() -> None:
    assert path("simple", False, "a:b@c;d,e=f/g?h#i[j]\\k", reserved=True) == "a:b@c;d,e=f%2Fg%3Fh%23i%5Bj%5D%5Ck"
    assert path("simple", False, ["a,b", "c;d"], reserved=True) == "a%2Cb,c%3Bd"
    assert path("matrix", False, "a;admin=1", reserved=True) == ";v=a%3Badmin%3D1"


@pytest.mark.parametrize(
    ("style", "value"),
    [
        ("spaceDelimited", ["a b", "c"]),
        ("pipeDelimited", {"a|b": 1}),
        ("tabDelimited", ["a\tb"]),
        ("deepObject", {"a][b": 1}),
        ("form", float("nan")),
        ("form", [float("inf")]),
        ("form", {"a": {"b": float("nan")}}),
        ("form", "\ud800"),
        ("form", ["\udfff"]),
        ("form", {"\ud800": 1}),
        ("deepObject", {"\ud800": 1}),
    ],
)
def test_values_that_a_style_cannot_carry_are_refused(style: Style, value: Json) -> None:
    with pytest.raises(ArgumentError, match="'a'") as caught:
        query(style, style == "deepObject", value)
    assert caught.value.argument == "a"


@pytest.mark.parametrize("name", ["filter[status]", "ids[]", "first name", "größe", "a&b=c#d", "%41"])
def test_names_are_percent_encoded(name: str) -> None:
    raw, _, value = query("form", True, "x", name).partition("=")
    assert (unquote(raw), value) == (name, "x")
    assert "&" not in raw


# A reader of its own: what it gives back is what was put in.

# What would be a step of a path is refused.
texts = st.text(max_size=8).filter(lambda text: text not in (".", ".."))
lists = st.lists(texts, min_size=1, max_size=4)
objects = st.dictionaries(texts, texts, min_size=1, max_size=4)
# Nor what an encoded slash could make one of.
without_dots = texts.filter(lambda text: not {*text} & {".", "/", "\\"})
without_brackets = texts.filter(lambda text: "[" not in text and "]" not in text)


def decoded(items: list[str]) -> list[str]:
    return [unquote(item) for item in items]


def members(items: list[str]) -> dict[str, str]:
    return {unquote(name): unquote(value) for name, _, value in (item.partition("=") for item in items)}


def alternating(items: list[str]) -> dict[str, str]:
    flat = decoded(items)
    return dict(zip(flat[::2], flat[1::2], strict=True))


@given(text=texts, items=lists, fields=objects)
def test_simple_and_matrix_paths_can_be_read_back(text: str, items: list[str], fields: dict[str, str]) -> None:
    assert unquote(path("simple", False, text)) == text
    assert decoded(path("simple", False, [*items]).split(",")) == items
    assert alternating(path("simple", False, {**fields}).split(",")) == fields
    assert members(path("simple", True, {**fields}).split(",")) == fields
    assert unquote(path("matrix", False, text).removeprefix(";v").removeprefix("=")) == text
    assert decoded(
        [item.removeprefix("v").removeprefix("=") for item in path("matrix", True, [*items]).split(";")[1:]]
    ) == (items)
    assert members(path("matrix", True, {**fields}).split(";")[1:]) == fields


@given(
    items=st.lists(without_dots, min_size=1, max_size=4).filter(any),
    fields=st.dictionaries(without_dots, without_dots, min_size=1),
)
def test_label_paths_can_be_read_back(items: list[str], fields: dict[str, str]) -> None:
    assert decoded(path("label", False, [*items]).removeprefix(".").split(",")) == items
    assert decoded(path("label", True, [*items]).split(".")[1:]) == items
    assert members(path("label", True, {**fields}).split(".")[1:]) == fields


@given(text=texts, items=lists, fields=objects, reserved=st.booleans())
def test_queries_can_be_read_back(text: str, items: list[str], fields: dict[str, str], reserved: bool) -> None:
    assume(not reserved or "%" not in text + "".join(items) + "".join(fields.values()) + "".join(fields))
    assert unquote(query("form", True, text, reserved=reserved).removeprefix("v=")) == text
    exploded = query("form", True, [*items], reserved=reserved).split("&")
    assert decoded([item.removeprefix("v=") for item in exploded]) == items
    assert decoded(query("form", False, [*items], reserved=reserved).removeprefix("v=").split(",")) == items
    assert alternating(query("form", False, {**fields}, reserved=reserved).removeprefix("v=").split(",")) == fields
    assert members(query("form", True, {**fields}, reserved=reserved).split("&")) == fields


@pytest.mark.parametrize(("style", "mark"), [("spaceDelimited", " "), ("pipeDelimited", "|"), ("tabDelimited", "\t")])
@given(items=lists)
def test_delimited_lists_can_be_read_back_or_are_refused(style: Style, mark: str, items: list[str]) -> None:
    if any(mark in item for item in items):
        with pytest.raises(ArgumentError):
            query(style, False, [*items])
    else:
        assert unquote(query(style, False, [*items]).removeprefix("v=")).split(mark) == items


@given(
    tree=st.recursive(
        texts, lambda inner: st.dictionaries(without_brackets, inner, min_size=1, max_size=3), max_leaves=6
    )
)
def test_deep_objects_can_be_read_back(tree: Json) -> None:
    assume(isinstance(tree, dict))
    built: dict[str, Json] = {}
    for pair in query("deepObject", True, tree).split("&"):
        name, _, value = pair.partition("=")
        *parents, last = [step.removesuffix("]") for step in unquote(name).split("[")[1:]]
        place = built
        for parent in parents:
            inner = place.setdefault(parent, {})
            assert isinstance(inner, dict)
            place = inner
        place[last] = unquote(value)
    assert built == tree
