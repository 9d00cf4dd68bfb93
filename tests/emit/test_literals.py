"""Literals: each reads back as what was written, in the language that it is written in."""

from __future__ import annotations

import ast
import json
import math
import shlex
import tomllib
import unicodedata
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from toolcast.emit import literals
from toolcast.emit.hostile import HOSTILE
from toolcast.emit.literals import FILTERS, Call, Code

# What a document can hold: every character but halves of surrogate pairs, with more of those that mean something.
TEXTS = st.one_of(
    st.sampled_from([*HOSTILE.values()]), st.text(st.characters(codec="utf-8")), st.text("\\\"'`#\n\r{}%$")
)
VALUES: Any = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS | st.binary(),
    lambda inner: st.lists(inner) | st.dictionaries(TEXTS, inner) | st.lists(inner).map(tuple),
    max_leaves=8,
)


def visible(text: str) -> bool:
    """Does a text hold nothing that is unseen, or moves other characters about?"""
    return not any(unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp") or 0x202A <= ord(c) <= 0x202E for c in text)


@given(VALUES)
def test_python_reads_what_was_written(value: Any) -> None:
    code = literals.py(value)
    assert ast.literal_eval(code) == value
    assert visible(code)


def test_numbers_that_json_does_not_have_are_still_python() -> None:
    found = eval(literals.py((math.inf, -math.inf, math.nan)))
    assert found[:2] == (math.inf, -math.inf)
    assert math.isnan(found[2])


def test_calls_are_written_with_their_names() -> None:
    code = literals.py(Call("Query", ("a",), {"explode": False, "names": ("b",)}))
    assert code == 'Query("a", explode=False, names=("b",))'


@pytest.mark.parametrize("name", ["", "1a", "a b", "a.b", "class", "é", "a\n", "x);import os", "__import__('os')"])
def test_what_is_no_identifier_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="is no identifier"):
        literals.identifier(name)
    for value in (Call(name), Call("f", (), {name: 1})):
        with pytest.raises(ValueError, match="is no identifier"):
            literals.py(value)
    with pytest.raises(ValueError, match="is no identifier"):
        literals.names(("ok", f"ok as {name}"))


@pytest.mark.parametrize("text", ["", "x()", "x; import os", "x\ny", "'x'", "x.y", "x=1", "[x]"])
def test_what_is_no_type_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is no type"):
        literals.annotation(text)


@given(TEXTS, TEXTS)
def test_a_docstring_ends_where_it_ends(one: str, two: str) -> None:
    code = f'"""{literals.docstring(one)}: {literals.docstring(two)}"""\n'
    (statement,) = ast.parse(code).body
    assert isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    read = str(statement.value.value)
    assert all(c in read for c in one + two if c.isalnum())


@given(TEXTS)
def test_a_comment_is_one_line(text: str) -> None:
    assert ast.dump(ast.parse(f"# {literals.comment(text)}\nx = 1\n")) == ast.dump(ast.parse("x = 1"))
    assert visible(literals.comment(text))


@given(TEXTS)
def test_toml_reads_what_was_written(text: str) -> None:
    code = literals.toml([text, "x"])
    assert tomllib.loads(f"a = {literals.toml(text)}\nb = {code}\n") == {"a": text, "b": [text, "x"]}
    assert visible(code)


def test_toml_takes_numbers_and_switches() -> None:
    assert tomllib.loads(f"a = {literals.toml(1)}\nb = {literals.toml(True)}") == {"a": 1, "b": True}


@given(TEXTS)
def test_yaml_reads_what_was_written(text: str) -> None:
    code = literals.yaml(text)
    assert yaml.safe_load(f"a: {code}\n") == {"a": text}
    assert visible(code)


@pytest.mark.parametrize("code", [literals.toml("\ud800x"), literals.yaml("\ud800x")])
def test_half_of_a_surrogate_pair_becomes_the_replacement_character(code: Code) -> None:
    assert yaml.safe_load(code) == "\ufffdx"
    assert code.isascii()


@given(st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS)
def test_json_reads_what_was_written(value: Any) -> None:
    code = literals.json({"a": [value]})
    assert json.loads(code) == {"a": [value]}
    assert visible(code)


@given(TEXTS)
def test_a_shell_reads_one_word(text: str) -> None:
    code = literals.shell(text)
    assert shlex.split(f"x {code} # y", comments=True) == ["x", shlex.split(code)[0]]
    assert visible(code)


@given(TEXTS)
def test_html_has_no_markup(text: str) -> None:
    assert not set(literals.html(text)) & set("<>\"'")


@given(TEXTS)
def test_markdown_is_text_and_code(text: str) -> None:
    code = literals.markdown(text)
    (row,) = [
        t
        for t in MarkdownIt("gfm-like", {"linkify": False}).parse(f"| a |\n|---|\n| x {code} |\n")
        if t.map == [2, 3] and t.type == "inline"
    ] or [None]
    inline = MarkdownIt("commonmark").enable(["strikethrough", "table"]).parse(str(code))
    assert [t.type for t in inline] in ([], ["paragraph_open", "inline", "paragraph_close"])
    for token in (row, *inline):
        children = (token.children or []) if token is not None else []
        assert {child.type for child in children} <= {"text", "text_special", "code_inline"}
    shown = "".join(child.content for t in inline for child in t.children or [])
    assert "".join(c for c in text if c.isalnum()) == "".join(c for c in shown if c.isalnum())


@given(TEXTS)
def test_a_code_span_is_one(text: str) -> None:
    code = literals.code_span(text)
    children = [c for t in MarkdownIt("commonmark").parse(f"x {code} y") for c in t.children or []]
    if not code:
        assert not any(c.isprintable() and not c.isspace() for c in literals.comment(text))
        return
    assert [child.type for child in children] == ["text", "code_inline", "text"]


def test_prose_reads_as_prose() -> None:
    assert literals.markdown("Uses `filter[status]`, price_cents (v1.4) & more.") == (
        "Uses `filter[status]`, price_cents (v1.4) &amp; more."
    )


@pytest.mark.parametrize("name", sorted(FILTERS))
def test_every_filter_gives_code_and_every_operation_on_code_gives_plain_text(name: str) -> None:
    code = FILTERS[name](("x",) if name == "names" else "x")
    assert type(code) is Code
    for plain in (
        code + "y",
        code.upper(),
        code[:1],
        f"{code}",
        code.replace("x", code),
        "".join([code] * 2),
    ):
        assert type(plain) is str


def test_code_is_made_in_one_module_only() -> None:
    root = Path(literals.__file__).parents[1]
    makers = {path.name for path in root.rglob("*.py") if "Code(" in path.read_text("utf-8")}
    assert makers == {"literals.py"}
