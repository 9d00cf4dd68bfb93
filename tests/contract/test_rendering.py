"""Comparisons as people and machines read them."""

from __future__ import annotations

import io
import json
import re
from typing import Any, get_args

import pytest
from rich.console import Console

from toolcast.contract import Change, Comparison, Kind
from toolcast.view import changes
from toolcast.view.wording import sentence


def change(kind: Any = "tool-removed", verdict: Any = "breaking", **more: Any) -> Change:
    """A change."""
    parts: dict[str, Any] = {
        "tool": "get_pet",
        "where": "",
        "before": None,
        "after": None,
        "reason": "Calls of it fail.",
    }
    return Change(kind=kind, verdict=verdict, **(parts | more))


def terminal(comparison: Comparison, monkeypatch: pytest.MonkeyPatch, width: int | None = None) -> str:
    """What is printed: to a terminal of a width, or into a file."""
    if width is None:
        monkeypatch.delenv("COLUMNS", raising=False)
    else:
        monkeypatch.setenv("COLUMNS", str(width))
    out = io.StringIO()
    changes.terminal(Console(file=out, width=width or 80, highlight=False), comparison)
    return out.getvalue()


@pytest.mark.parametrize(
    ("told", "words"),
    [
        (change("tool-added"), "the tool is new"),
        (change("tool-renamed", before="old"), "the tool was called `old`"),
        (change("operation", before="GET /a", after="GET /b"), "it sends `GET /b`, and sent `GET /a`"),
        (change("text", where="arguments.a"), "argument `a` is worded differently"),
        (change("text", where="result"), "the result is worded differently"),
        (
            change("hint", where="annotations.readOnlyHint", before=True, after=False),
            "`readOnlyHint` is `false`, was `true`",
        ),
        (change("argument-added", where="arguments.a"), "argument `a` is new, and required"),
        (change("argument-added", "compatible", where="arguments.a"), "argument `a` is new"),
        (change("argument-moved", where="arguments.a", before={}, after="more.a"), "argument `a` is now `more.a`"),
        (change("argument-moved", where="arguments.a", before="more.a", after={}), "argument `a` was `more.a`"),
        (change("field-removed", where="result.a[].b"), "result `a[].b` is gone"),
        (change("field-required", where="arguments.a.b"), "`a.b` is required"),
        (
            change("type", where="arguments.a", before="string", after=["string", "null"]),
            "argument `a` is `string` or `null`, was `string`",
        ),
        (change("type", where="arguments.a", before=None, after="string"), "argument `a` is `string`, was of any type"),
        (
            change("values", where="arguments.a", before=["x", "y"], after=["y", "z"]),
            "argument `a` takes no `x` any more, and takes `z`",
        ),
        (change("values", where="arguments.a", before=None, after=["y", 1]), "argument `a` takes only `y` and `1`"),
        (change("values", where="arguments.a", before=["y"], after=None), "argument `a` takes any value"),
        (
            change("values", where="arguments.a", before=[*"abcdefgh"], after=["a"]),
            "argument `a` takes no `b`, `c`, `d`, `e`, `f` and 2 more any more",
        ),
        (
            change("bound", where="arguments.a", before={"maximum": 3}, after=None),
            "argument `a`: `maximum` is none, was `3`",
        ),
        (change("format", where="arguments.a", before=None, after="date"), "argument `a`: format is `date`, was none"),
        (change("more-fields", where="arguments.a", before=None, after=False), "argument `a` takes no further fields"),
        (
            change("branch-removed", where="arguments.a", before={"type": "null"}),
            'argument `a` cannot be `{"type": "null"}` any more',
        ),
        (change("origin-added", tool="", where="origins", after="https://a"), "requests go to `https://a`"),
        (change("scheme-added", tool="", where="credentials.oauth"), "new credential `oauth`"),
        (
            change("scheme", tool="", where="credentials.key.in", before="header", after="query"),
            "`key.in` is `query`, was `header`",
        ),
        (change("scope-added", tool="", where="credentials.oauth.scopes", after="w"), "`oauth` asks for the scope `w`"),
        (
            change("token-url", tool="", where="credentials.o.metadataUrl", before="https://a"),
            "`o.metadataUrl` is none, was `https://a`",
        ),
        (change("size", tool="", where="size", before=1200, after=1300), "1,300 tokens, 1,200 before"),
    ],
)
def test_changes_in_words(told: Change, words: str) -> None:
    assert sentence(told) == words


@pytest.mark.parametrize("kind", get_args(Kind))
@pytest.mark.parametrize("values", [(None, None), ({"a": 1}, {"a": 2}), ([1], ["x" * 200]), ("a", "b"), (True, 3)])
def test_every_kind_has_words(kind: Any, values: tuple[Any, Any]) -> None:
    if kind == "bound" and not all(value is None or isinstance(value, dict) for value in values):
        pytest.skip("a bound has a name")
    if kind == "bound" and values == (None, None):
        pytest.skip("a bound is there before or after")
    told = sentence(change(kind, where="arguments.a", before=values[0], after=values[1]))
    assert re.search("[a-z]", told) and len(told) < 400


def test_grave_changes_come_first_and_the_advice_last(monkeypatch: pytest.MonkeyPatch) -> None:
    comparison = Comparison(
        changes=(
            change("text", "cosmetic", where="title"),
            change("origin-added", "risk", tool="", after="https://a", reason="Requests go there."),
            change("tool-added", "compatible", tool="b"),
            change(),
        )
    )
    lines = terminal(comparison, monkeypatch).splitlines()
    assert [line for line in lines if line and not line.startswith(" ")] == [
        "Breaking",
        "Risk",
        "Compatible",
        "Cosmetic",
        "1 breaking, 1 risk, 1 compatible, 1 cosmetic: a major version.",
    ]
    assert "    - the tool is gone. Calls of it fail." in lines


def test_no_change_in_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    assert terminal(Comparison(changes=()), monkeypatch) == "Nothing changes for agents.\n"
    assert changes.markdown(Comparison(changes=())) == "### What agents see: Nothing changes for agents\n"


@pytest.mark.parametrize("width", [40, 60, 80])
def test_lines_fit_the_terminal(width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    long = change("field-removed", where="result." + "field." * 30, reason="Whoever reads it finds nothing told of it.")
    assert all(len(line) <= width for line in terminal(Comparison(changes=(long,)), monkeypatch, width).splitlines())


def test_a_log_has_a_line_for_each_change(monkeypatch: pytest.MonkeyPatch) -> None:
    long = change("field-removed", where="result." + "field." * 30)
    (line,) = [x for x in terminal(Comparison(changes=(long,)), monkeypatch).splitlines() if x.startswith("    -")]
    assert line.endswith("is gone. Calls of it fail.")


HOSTILE = "x\x1b[31m\n| <img src=x> `@everyone` \u202e"


def test_a_document_s_text_gives_no_orders(monkeypatch: pytest.MonkeyPatch) -> None:
    parts: dict[str, Any] = {"where": f"arguments.{HOSTILE}", "before": HOSTILE, "after": [HOSTILE], "tool": HOSTILE}
    comparison = Comparison(changes=tuple(change(kind, **parts) for kind in ("type", "default", "argument-added")))
    printed = terminal(comparison, monkeypatch)
    assert "\x1b" not in printed and "\u202e" not in printed
    for line in changes.markdown(comparison).splitlines()[4:]:
        if line:
            cells = re.sub(r"(`+) ?.*?[^`]\1(?!`)", "CODE", line.replace("\\|", "!"))
            assert cells.count("|") == 5 and "<" not in cells and "@" not in cells, line


def test_markdown_is_a_table_with_the_cosmetic_folded_away() -> None:
    text = changes.markdown(Comparison(changes=(change(), change("text", "cosmetic", where="title"))))
    assert text.splitlines()[0] == "### What agents see: 1 breaking, 1 cosmetic: a major version"
    assert "| breaking | `get_pet` | the tool is gone | Calls of it fail. |" in text
    assert text.index("<details>") < text.index("| cosmetic |") < text.index("</details>")


def test_markdown_fits_a_comment() -> None:
    many = [change(kind, verdict, tool=f"tool_{n}", where="arguments." + "x" * 60, after="y" * 100)
            for n in range(2_000) for kind, verdict in (("type", "breaking"), ("text", "cosmetic"))]  # fmt: skip
    text = changes.markdown(Comparison(changes=tuple(many)))
    assert len(text) < 65_536
    assert "1,850 more" in text


def test_machines_get_everything() -> None:
    value = json.loads(changes.machine(Comparison(changes=(change("type", where="arguments.a", after="string"),))))
    assert value == {
        "verdict": "breaking",
        "advice": "major",
        "counts": {"breaking": 1, "risk": 0, "compatible": 0, "cosmetic": 0},
        "changes": [
            {
                "verdict": "breaking",
                "kind": "type",
                "tool": "get_pet",
                "where": "arguments.a",
                "before": None,
                "after": "string",
                "what": "argument `a` is `string`, was of any type",
                "reason": "Calls of it fail.",
            }
        ],
    }
