"""The reference in ``docs/templates.md``, as the code has it; run as a script, this file writes it there."""

from __future__ import annotations

from pathlib import Path

from toolcast.emit.interface import interface
from toolcast.view.templates import reference

PAGE = Path(__file__).parents[2] / "docs" / "templates.md"
_MARK = "code. -->\n\n"


def page() -> str:
    """The page with its present words and the reference as it should be."""
    words, mark, _ = PAGE.read_text("utf-8").partition(_MARK)
    assert mark, "the page has lost the comment before the reference"
    return words + mark + reference(interface())


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8", newline="\n")
