"""The pages on security name tests that exist, and every promise names one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def known() -> set[str]:
    """The names of all tests."""
    texts = [path.read_text("utf-8") for path in (ROOT / "tests").rglob("test_*.py")]
    return {name for text in texts for name in re.findall(r"^(?:async )?def (test_\w+)", text, re.MULTILINE)}


@pytest.mark.parametrize("page", ["SECURITY.md", "docs/security.md"])
def test_the_tests_of_a_page_exist(page: str, known: set[str]) -> None:
    named = set(re.findall(r"`(test_\w+)`", (ROOT / page).read_text("utf-8")))
    assert len(named) > 10
    assert named - known == set()


def test_every_promise_names_its_test() -> None:
    promised = (ROOT / "SECURITY.md").read_text("utf-8").partition("## What is promised")[2].partition("\n## ")[0]
    lines = [line for line in promised.splitlines() if line.startswith("- ")]
    assert len(lines) > 10
    assert [line for line in lines if "`test_" not in line] == []
