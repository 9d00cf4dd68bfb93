"""Many findings on few lines."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from toolcast.diagnostics import Diagnostic, Location, Severity
from toolcast.view import terminal
from toolcast.view.findings import batches, common, listed


def finding(
    number: int, code: str = "TC301", severity: Severity = "warning", message: str = "", help_: str = "Shorten it."
) -> Diagnostic:
    """A finding about one of many tools."""
    return Diagnostic(
        code=code,
        severity=severity,
        message=message or f"The text of tool_{number} is too long",
        location=Location(file="openapi.yaml", line=number),
        help=help_,
    )


def test_common_words() -> None:
    assert common(["The text of a has 2 characters", "The text of b has 3 characters"]) == (
        "The text of … has … characters"
    )
    assert common(["GET /a is here", "POST /b is here", "is here"]) == "… is here"
    assert common(["The text of a is cut"] * 3) == "The text of a is cut"
    assert common(["alpha beta gamma", "delta epsilon zeta"]) == "alpha beta gamma"
    assert common(["One word more", "One more"]) == "One … more"


@given(st.lists(st.lists(st.sampled_from("a b c d e".split()), min_size=1, max_size=6), min_size=2, max_size=5))
def test_what_is_common_stands_in_each_in_its_order(texts: list[list[str]]) -> None:
    shared = common([" ".join(text) for text in texts])
    if shared == " ".join(texts[0]):
        return
    for text in texts:
        rest = iter(text)
        assert all(word in rest for word in shared.split() if word != "…")
    assert "… …" not in shared


def test_batches_are_by_code_the_grave_ones_first() -> None:
    found = batches([finding(1, "TC305", "info"), finding(2), finding(3, "TC204", "error"), finding(4)])
    assert [(batch.code, len(batch.findings)) for batch in found] == [("TC204", 1), ("TC301", 2), ("TC305", 1)]
    assert found[1].message == "The text of … is too long"


def test_findings_that_share_nothing_are_an_example_and_others() -> None:
    found = batches([finding(1, message="'a' is no number"), finding(2, message="Nothing is there")])
    assert found[0].message == "'a' is no number; and others"


def test_places_say_the_file_once() -> None:
    assert listed(["a.yaml:1", "a.yaml:22", "b.yaml:3", "b.yaml:4"]) == "a.yaml:1, :22, b.yaml:3 …"
    assert listed(["a.yaml", "b.yaml"]) == "a.yaml, b.yaml"
    assert listed(["C:\\a.yaml:7", "C:\\a.yaml:8"]) == "C:\\a.yaml:7, :8"


def printed(*found: Diagnostic, all_: bool = False) -> list[str]:
    """The lines that a log gets."""
    console = Console(file=io.StringIO(), width=40)
    terminal.diagnostics(console, found, None, all_=all_)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue().splitlines()


def test_a_code_is_one_line_of_a_log() -> None:
    assert printed(*map(finding, range(1, 301))) == [
        "warning TC301 300 times, openapi.yaml:1, :2, :3 …: The text of … is too long",
        "  Shorten it.",
    ]
    assert len(printed(*map(finding, range(1, 301)), all_=True)) == 600
    assert printed(finding(7))[0] == "warning TC301 openapi.yaml:7: The text of tool_7 is too long"


def test_in_a_file_of_one_line_there_is_an_example() -> None:
    same = [finding(1, message=f"The text of tool_{number} is too long") for number in range(1, 5)]
    assert printed(*same)[0] == (
        "warning TC301 4 times, openapi.yaml:1: The text of tool_1 is too long; and more alike"
    )


def test_a_few_warnings_are_told_one_by_one() -> None:
    heads = [f"warning TC301 openapi.yaml:{number}: The text of tool_{number} is too long" for number in range(1, 4)]
    assert printed(*map(finding, range(1, 4)))[::2] == heads
    assert len(printed(*(finding(number, "TC305", "info") for number in range(1, 4)))) == 2


def test_what_a_generation_tells() -> None:
    console = Console(file=io.StringIO(), width=200)
    notes = [finding(n, "TC305", "info") for n in range(1, 4)]
    terminal.gravest(console, [*notes, *map(finding, range(1, 100))], None)
    assert isinstance(console.file, io.StringIO)
    lines = console.file.getvalue().splitlines()
    assert lines[0].startswith("warning TC301 99 times")
    assert lines[-1] == "… and 3 more findings: `toolcast inspect --all` shows them"
    assert len(lines) == 3


@pytest.mark.parametrize("width", [60, 80])
def test_a_terminal_is_not_left(width: int) -> None:
    console = Console(file=io.StringIO(), width=width, force_terminal=True, color_system=None)
    terminal.diagnostics(console, [finding(n, message=f"{'A long text ' * 20}{n}") for n in range(9)], None)
    assert isinstance(console.file, io.StringIO)
    assert all(len(line) <= width for line in console.file.getvalue().splitlines())
