"""Patterns that every client reads alike."""

from __future__ import annotations

import re

import jsonschema_rs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolcast.mapping.expressions import portable

PLAIN = [
    "^[a-z]{2}$",
    "a|b|",
    "(a)(?:b)\\1",
    "^(?=.*\\d).{8,}$",
    "[^\\s]",
    "[-a]",
    "[a-]",
    "[\\w-]",
    "\\u00e9",
    "\\x41",
    "a{2}",
    "a{2,}?",
    "^\\/a",
    "\\.",
    "[\\]\\\\]",
    "(?<!a)b",
    "\\bword\\B",
    "",
    "[a\\-z]",
    "é+",
    "a*?",
    "\\$\\^",
    "x/y",
]
WRITTEN = [
    (r"^https\:\/\/", r"^https:\/\/"),
    (r"[\@\_\-]", r"[@_\-]"),
    (r"a\-b", "a-b"),
    (r"^(?<year>\d{4})-\d\d$", r"^(\d{4})-\d\d$"),
    (r"(?P<a>x)", "(x)"),
    ("/^[a-z]+$/", "^[a-z]+$"),
    ("/^a/g", "^a"),
]
FOREIGN = [
    r"\p{L}",
    r"[\p{L}]",
    "([a-z",
    "a)",
    "*a",
    "a**",
    "a++",
    "a{3,1}",
    "{a}",
    "a{",
    "a}",
    "]",
    "[a",
    r"\A",
    r"\Z",
    r"\z",
    r"\Qa\E",
    "[a[b]",
    "[[:alpha:]]",
    "(?i)a",
    "(?i:a)",
    "(?#x)a",
    "(?>a)",
    "(?|a)",
    r"(?<a>x)\k<a>",
    "[\\w-.]",
    "[z-a]",
    "(?=a)*",
    r"\u{61}",
    r"\cA",
    "/^[a-z]+$/i",
    r"\h",
    "[]",
    "a" * 1_001,
    r"(?P<a>x)(?P=a)",
    r"\e",
]


@pytest.mark.parametrize("pattern", PLAIN)
def test_what_every_client_reads_stays_as_it_is(pattern: str) -> None:
    assert portable(pattern) == pattern


@pytest.mark.parametrize(("pattern", "expected"), WRITTEN)
def test_what_only_looks_foreign_is_written_otherwise(pattern: str, expected: str) -> None:
    assert portable(pattern) == expected


@pytest.mark.parametrize("pattern", FOREIGN)
def test_what_some_client_cannot_read_is_not_published(pattern: str) -> None:
    assert portable(pattern) is None


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet="ab1\\[](){}|^$*+?.-,:/dwpuxk<>=!&~", max_size=12), st.text(alphabet="ab1-:/,.", max_size=5))
def test_what_is_published_compiles_everywhere_and_means_the_same(pattern: str, text: str) -> None:
    made = portable(pattern)
    if made is None:
        return
    compiled = re.compile(made)
    validator = jsonschema_rs.Draft202012Validator({"pattern": made})
    assert portable(made) == made
    assert validator.is_valid(text) is (compiled.search(text) is not None)
