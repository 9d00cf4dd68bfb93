"""The code blocks of the pages for people, each with what the comment before it says of its test.

A comment right before a block, which no reader sees, tells what the test cannot know::

    <!-- test: status=0,10 before=document -->   words for the test of the block's language
    <!-- test: story=shop before=document -->    it goes on where the block of that story before it ended
    <!-- test: by tests/wire/test_owner.py -->   another test has it
    <!-- test: shown: the reason why -->         it is only shown
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from markdown_it import MarkdownIt

ROOT: Final = Path(__file__).parents[2]
PAGES: Final = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")])
_COMMENT: Final = re.compile(r"<!-- test: (.+?) -->\s*\Z", re.DOTALL)
_MARKDOWN: Final = MarkdownIt()


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A code block: where it stands, its language ("" without one; "indented" without a fence) and its text."""

    page: str
    line: int
    language: str
    text: str
    about: Mapping[str, str]

    def __str__(self) -> str:
        return f"{self.page}:{self.line}"


def blocks() -> list[Block]:
    """Every code block of every page."""
    return [block for page in PAGES for block in of(page.relative_to(ROOT).as_posix(), page.read_text("utf-8"))]


def stories(found: Iterable[Block]) -> list[tuple[Block, ...]]:
    """The blocks that are tested together, in order: those of a page's story, and every other block by itself."""
    together: dict[tuple[str, str | int], list[Block]] = {}
    for block in found:
        together.setdefault((block.page, block.about.get("story", block.line)), []).append(block)
    return [tuple(parts) for parts in together.values()]


def of(page: str, text: str) -> Iterator[Block]:
    """The code blocks of a page's text."""
    comment = ""
    for token in _MARKDOWN.parse(text):
        if token.type in ("fence", "code_block"):
            assert token.map is not None
            language = token.info.strip() if token.type == "fence" else "indented"
            yield Block(page=page, line=token.map[0] + 1, language=language, text=token.content, about=_about(comment))
        comment = token.content if token.type == "html_block" else ""


def _about(comment: str) -> dict[str, str]:
    found = _COMMENT.search(comment)
    if found is None:
        return {}
    said = found[1]
    for word in ("shown: ", "by "):
        if said.startswith(word):
            return {word.strip(": "): said.removeprefix(word).strip()}
    return dict(word.split("=", 1) for word in shlex.split(said))
