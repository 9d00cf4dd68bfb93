"""The pages about diagnostics, as the code has them; run as a script, this file writes them."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from toolcast import explaining
from toolcast.lint.rules import RULES
from toolcast.view import explanations

_DOCS: Final = Path(__file__).parents[2] / "docs"
ALL: Final = _DOCS / "diagnostics.md"
LINT: Final = _DOCS / "lint.md"
_MARK: Final = "diagnostics.toml. -->\n"
_TABLE: Final = "\n| code | severity |"


def diagnostics() -> str:
    """The page of all codes: its present words, and a section for each code."""
    words, mark, _ = ALL.read_text("utf-8").partition(_MARK)
    assert mark, "the page has lost the comment before the sections"
    return words + mark + explanations.page(explaining.explanations())


def lint() -> str:
    """The page of lint: its present words around the table of the rules."""
    before, table, rest = LINT.read_text("utf-8").partition(_TABLE)
    assert table, "the page has lost the table of the rules"
    severities: dict[str, str] = {rule.code: rule.severity for rule in RULES}
    rules = explanations.rules(explaining.explanations(), severities)
    return "".join((before, "\n", rules, "\n\n", rest.partition("\n\n")[2]))


if __name__ == "__main__":
    ALL.write_text(diagnostics(), "utf-8", newline="\n")
    LINT.write_text(lint(), "utf-8", newline="\n")
