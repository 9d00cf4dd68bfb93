from __future__ import annotations

import gc
import json
import time
from typing import Any

import pytest
import yaml as pyyaml
from hypothesis import given
from hypothesis import strategies as st

from toolcast.diagnostics import Diagnostic, Failure
from toolcast.load import yaml
from toolcast.load.scalars import number


def value(text: str) -> Any:
    return yaml.read(text, "api.yaml").value


def refusal(text: str) -> Diagnostic:
    with pytest.raises(Failure) as caught:
        yaml.read(text, "api.yaml")
    return caught.value.diagnostic


def line(diagnostic: Diagnostic) -> int | None:
    assert diagnostic.location is not None
    return diagnostic.location.line


@pytest.fixture(params=["libyaml", "python"])
def parser(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both parsers: libyaml, and the one in Python for where it is missing."""
    monkeypatch.setattr(pyyaml, "__with_libyaml__", request.param == "libyaml")


@pytest.mark.parametrize(
    "text",
    [
        "no",
        "on",
        "yes",
        "off",
        "y",
        "N",
        "2024-01-31",
        "2001-12-14t21:59:43.10-05:00",
        "12:30:45",
        "190:20:30",
        "012",
        "0755",
        "-012",
        "00",
        "1_000",
        "0b101",
        "0o8",
        "0xg",
        "1.2.3",
        "1e",
        "e1",
        "+",
        ".",
        "=",
        "NULL?",
        ".inf",
        "-.INF",
        ".nan",
        "1e999",
        "-1e999",
        "9" * 5000,
        "09.5",
        "1__0",
        "٣",
        "0x" + "f" * 400,
    ],
)
def test_what_is_text(text: str) -> None:
    assert value(f"a: {text}") == {"a": text}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0", 0),
        ("-0", 0),
        ("12", 12),
        ("-7", -7),
        ("+5", 5),
        ("0x1F", 31),
        ("0o17", 15),
        ("1.5", 1.5),
        ("1.", 1.0),
        (".5", 0.5),
        ("1e3", 1000.0),
        ("1E-2", 0.01),
        ("-1.25e+2", -125.0),
        ("9223372036854775807", 2**63 - 1),
        ("18446744073709551615", 2**64 - 1),
        ("18446744073709551616", 2.0**64),
        ("1" + "0" * 40, 1e40),
        ("true", True),
        ("False", False),
        ("null", None),
        ("~", None),
        ("", None),
    ],
)
def test_what_is_a_value(text: str, expected: object) -> None:
    found = value(f"a: {text}")["a"]
    assert (found, type(found)) == (expected, type(expected))


def test_quoted_and_block_scalars_are_text() -> None:
    assert value("a: '1'\nb: \"true\"\nc: |\n  2\nd: >-\n  null\n") == {"a": "1", "b": "true", "c": "2\n", "d": "null"}


def test_keys_are_what_the_author_wrote() -> None:
    text = "200: a\n0x10: b\n1.10: c\ntrue: d\nnull: e\n~: f\n2024-01-01: g\n'': h\non: i\n"
    assert list(value(text)) == ["200", "0x10", "1.10", "true", "null", "~", "2024-01-01", "", "on"]


def test_the_version_of_an_api_keeps_its_spelling() -> None:
    text = "info: {version: 1.10, title: 5}\nversion: 1.10\nx: {info: {version: 1.10}}\n"
    assert value(text) == {
        "info": {"version": "1.10", "title": 5},
        "version": 1.1,
        "x": {"info": {"version": 1.1}},
    }


@pytest.mark.usefixtures("parser")
def test_tags() -> None:
    text = "a: !!str 1\nb: ! 2\nc: !foo 3\nd: !foo '4'\ne: !!int '5'\nf: !!binary aGk=\ng: !bar [1]\nh: !!float 6\n"
    assert value(text) == {"a": "1", "b": "2", "c": 3, "d": "4", "e": 5, "f": "aGk=", "g": [1], "h": 6}
    assert value("!!set {a, b}") == {"a": None, "b": None}


@pytest.mark.usefixtures("parser")
def test_aliases_share_what_they_stand_for() -> None:
    found = value("a: &x {b: [1]}\nc: *x\nd: &y 5\ne: [*y, *x]\n&k key: 1\nf: {*k : 2}\n")
    assert found["c"] is found["a"]
    assert found["e"] == [5, {"b": [1]}]
    assert found["f"] == {"key": 2}
    # An anchor may be given again; from there on it is the new one.
    assert value("[&a 1, *a, &a 2, *a]") == [1, 1, 2, 2]


@pytest.mark.usefixtures("parser")
def test_merge_keys() -> None:
    text = """
    base: &base {a: 1, b: 2}
    more: &more {b: 3, c: 4}
    one: {<<: *base, b: 9, d: 5}
    two: {d: 5, <<: [*base, *more]}
    here: {<<: {x: 1}, y: 2}
    twice: {<<: *base, <<: *more}
    text: {'<<': 1}
    odd: {<<: plain}
    """
    found = value(text)
    assert found["one"] == {"a": 1, "b": 9, "d": 5}
    assert list(found["one"]) == ["a", "b", "d"]
    assert found["two"] == {"a": 1, "b": 2, "c": 4, "d": 5}
    assert found["here"] == {"x": 1, "y": 2}
    assert found["twice"] == {"a": 1, "b": 2, "c": 4}
    assert found["text"] == {"<<": 1}
    assert found["odd"] == {"<<": "plain"}
    assert found["base"] == {"a": 1, "b": 2}


def test_of_equal_keys_the_last_wins_and_it_is_said() -> None:
    reading = yaml.read("a: 1\npaths:\n  /x/y: [{b: 1, c: 2,\n    b: 3}]\na: 2\n", "api.yaml")
    assert reading.value == {"a": 2, "paths": {"/x/y": [{"b": 3, "c": 2}]}}
    places = [(w.location.pointer, w.location.line) for w in reading.warnings if w.location]
    assert places == [("/paths/~1x~1y/0/b", 4), ("/a", 5)]
    assert {(w.code, w.severity) for w in reading.warnings} == {("TC100", "warning")}


def test_thousands_of_equal_keys_are_not_thousands_of_warnings() -> None:
    assert len(yaml.read("a: 1\n" * 5000, "api.yaml").warnings) == 50


@pytest.mark.usefixtures("parser")
@pytest.mark.parametrize(
    ("text", "code", "where"),
    [
        ("a: 1\nb: [1\nc: 2\n", "TC020", 3),
        ("a: 1\n\tb: 2\n", "TC020", 2),
        ("a: b: c\n", "TC020", 1),
        ("a: 1\n  b: 2\n", "TC020", 2),
        ("a: 'b\n", "TC020", 2),
        ("a: @b\n", "TC020", 1),
        ("a: \x07\n", "TC020", 1),
        ("a: 1\nb: x\x00y\n", "TC020", 2),
        ("a: 1\n---\nb: 2\n", "TC021", 2),
        ("a: 1\n? [b, c]\n: 2\n", "TC022", 2),
        ("a: 1\n{b: 1}: 2\n", "TC022", 2),
        ("a: &x [1]\n*x : 2\n", "TC022", 2),
        ("a: 1\nb: *x\n", "TC025", 2),
        ("a: &x\n  - *x\n", "TC025", 2),
        ("a: &x {b: {c: [*x]}}\n", "TC025", 1),
    ],
)
def test_refused_with_its_line(text: str, code: str, where: int) -> None:
    found = refusal(text)
    assert (found.code, line(found)) == (code, where)
    assert found.help


def test_a_syntax_error_names_the_column() -> None:
    assert "(column 5)" in refusal("a: b: c\n").message


def test_no_document_is_null() -> None:
    assert value("") is value("# nothing\n") is value("---\n") is None


@pytest.mark.parametrize("opening", ["[", "{a: ", "- ", "? "])
@pytest.mark.parametrize("depth", [300, 900, 100_000])
def test_deep_nesting_is_refused_at_once(opening: str, depth: int) -> None:
    began = time.monotonic()
    found = refusal("openapi: 3\nx:\n " + opening * depth)
    assert found.code in {"TC023", "TC022"}
    assert line(found) == 3
    assert time.monotonic() - began < 1


def test_nesting_through_aliases_counts_too() -> None:
    text = "a0: &a0 []\n" + "".join(f"a{n}: &a{n} [[[*a{n - 1}]]]\n" for n in range(1, 100))
    found = refusal(text)
    assert (found.code, line(found)) == ("TC023", 86)


@pytest.mark.parametrize(
    "text",
    [
        "a0: &a0 [x,x,x,x,x,x,x,x,x]\n"
        + "".join(f"a{n}: &a{n} [{','.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 30)),
        f"a: &a '{'x' * 100_000}'\nb: [{','.join(['*a'] * 1000)}]\n",
        "a: &a {" + ",".join(f"k{n}: v" for n in range(10_000)) + "}\n" + "b: {<<: *a}\n" * 1000,
    ],
    ids=["laughs", "long text", "merges"],
)
def test_alias_bombs_are_refused_early(text: str) -> None:
    began = time.monotonic()
    assert refusal(text).code == "TC024"
    assert time.monotonic() - began < 1


def test_the_collector_is_as_it_was() -> None:
    gc.disable()
    try:
        value("a: 1")
        assert not gc.isenabled()
    finally:
        gc.enable()
    refusal("a: [")
    assert gc.isenabled()


# YAML cannot hold control characters, surrogates and non-characters plainly; the writers escape or refuse them.
TEXTS = st.text(st.characters(exclude_categories=("Cs", "Cc"), exclude_characters="\ufffe\uffff\ufeff"), max_size=12)
# Beyond 64 bits integers become floats, as in JSON readers.
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXTS
)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4), max_leaves=12
)


def same(left: Any, right: Any) -> bool:
    return json.dumps(left) == json.dumps(right)


@given(VALUES)
def test_what_json_writes_is_read(data: Any) -> None:
    assert same(value(json.dumps(data, ensure_ascii=False)), data)


def differs_between_versions(data: Any) -> bool:
    """Is there a text that YAML 1.1 writes without quotes, and that is a number by YAML 1.2?"""
    if isinstance(data, dict):
        return any(differs_between_versions(inner) for inner in data.values())  # pyright: ignore[reportUnknownVariableType]
    if isinstance(data, list):
        return any(differs_between_versions(inner) for inner in data)  # pyright: ignore[reportUnknownVariableType]
    return isinstance(data, str) and data != "" and number(data) != data


@given(VALUES.filter(lambda data: not differs_between_versions(data)), st.sampled_from([None, False, True]))
def test_what_yaml_writes_is_read(data: Any, flow: bool | None) -> None:
    text = pyyaml.safe_dump(data, default_flow_style=flow, allow_unicode=True, sort_keys=False)
    # A key such as `1:` is a text for us, as in JSON.
    assert same(value(text), data)
