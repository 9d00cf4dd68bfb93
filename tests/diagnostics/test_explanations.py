"""Every code is explained, every explanation is of a code, and every code comes up in a test."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from tests.diagnostics import pages
from tests.diagnostics.sources import ROOT, codes
from toolcast import explaining
from toolcast.__main__ import app  # with its commands
from toolcast.lint.rules import RULES
from toolcast.model.explanation import Explanation

TESTS = ROOT / "tests"
EXPLAINED = [one for stage in explaining.explanations() for one in stage.explanations]


def explain(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["explain", *arguments], env={"COLUMNS": "200", "FORCE_COLOR": None})


def test_every_code_is_explained_and_every_explanation_is_of_a_code() -> None:
    assert len(EXPLAINED) > 150
    assert {one.code for one in EXPLAINED} == codes()


def test_every_code_comes_up_in_a_test() -> None:
    """Some test names it, or the document that a test reads is expected to have it."""
    here = Path(__file__).parent
    named = "\n".join(
        path.read_text("utf-8")
        for path in TESTS.rglob("*")
        if path.suffix in (".py", ".yaml", ".json", ".txt") and (path.parent != here or path.name == "test_reached.py")
    )
    assert not [code for code in sorted(codes()) if code not in named]


@pytest.mark.parametrize("one", EXPLAINED, ids=lambda one: one.code)
def test_an_explanation_is_whole_sentences(one: Explanation) -> None:
    assert not one.title.endswith(".")
    for text in (one.means, one.cause, one.cure):
        assert text.endswith("."), text
        assert "\n" not in text


def test_rules_of_lint_have_one_title() -> None:
    assert {one.code: one.title for one in EXPLAINED if one.finds} == {rule.code: rule.name for rule in RULES}


def test_the_pages_are_as_the_code_has_them() -> None:
    """After a change: ``python tests/diagnostics/pages.py``."""
    assert pages.ALL.read_text("utf-8") == pages.diagnostics()
    assert pages.LINT.read_text("utf-8") == pages.lint()


@pytest.mark.parametrize("written", ["TC112", "tc112", "112", " 112 "])
def test_a_code_is_explained_however_it_is_written(written: str) -> None:
    done = explain(written)
    assert done.exit_code == 0
    first, _, means, _, cause, _, cure = done.stdout.splitlines()
    assert first == "TC112  A reference leads nowhere"
    assert means.startswith("Nothing is at the place")
    assert cause.startswith("Cause: A misspelt")
    assert cure.startswith("Cure: Correct the name")


def test_an_example_is_shown_as_it_would_be_written() -> None:
    assert explain("TC620").exit_code == 0
    lines = explain("515").stdout.splitlines()
    assert lines[-3:] == ["    /deploy/", "    *.md", "    !README.md"]


def test_a_rule_of_lint_says_what_it_looks_for_and_puts_right() -> None:
    told = explain("411").stdout
    assert "`toolcast lint` looks for operations without an operationId" in told
    assert "`--overlay` writes a fix: operationId, for the name that the tool has." in told


def test_without_a_code_all_are_listed_by_stage() -> None:
    lines = explain().stdout.splitlines()
    listed = [line.split()[0] for line in lines if line.startswith("  TC")]
    assert listed == sorted(codes())
    assert "Lint: what will hurt an agent" in lines
    assert "  TC405  A text instructs the model" in lines


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("TC214", "There is no code 'TC214'; the nearest are"),
        ("214", "TC211"),
        ("TC9999", "`toolcast explain` lists all"),
        ("pets", "`toolcast explain` lists all"),
        ("TC٢١٤", "`toolcast explain` lists all"),
    ],
)
def test_a_code_that_is_none(written: str, told: str) -> None:
    done = explain(written)
    assert done.exit_code == 2
    assert done.stdout == ""
    assert told in " ".join(done.stderr.split())


def test_the_wheel_has_the_texts() -> None:
    """They lie inside of the import package, all of which is in the wheel."""
    from toolcast.model import explanation

    assert explanation.FILE.is_file()
    assert explanation.FILE.is_relative_to(ROOT / "generator" / "toolcast")
