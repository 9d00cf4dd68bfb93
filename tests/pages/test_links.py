"""The pages for people: what they link to is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("samples/*/server/*.md")])
_CODE = re.compile(r"^(```|~~~).*?^\1|`[^`\n]*`", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
_HEADING = re.compile(r"^#{1,6} +(.+?) *#*$", re.MULTILINE)


def anchors(page: Path) -> set[str]:
    """The fragments by which the headings of a page can be reached, as GitHub makes them."""
    text = re.sub(r"^(```|~~~).*?^\1", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    found: set[str] = set()
    for heading in _HEADING.findall(text):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        slug = re.sub(r"[^\w\- ]", "", plain.lower()).replace(" ", "-")
        number = 0
        while (unique := f"{slug}-{number}" if number else slug) in found:
            number += 1
        found.add(unique)
    return found


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(page: Path) -> None:
    for target in _LINK.findall(_CODE.sub("", page.read_text("utf-8"))):
        if "://" in target:
            continue
        path, _, fragment = target.partition("#")
        other = (page.parent / path).resolve() if path else page
        assert other.exists(), f"{page.name} links to {target}"
        if fragment and other.suffix == ".md":
            assert fragment in anchors(other), f"{page.name} links to {target}"


def test_every_page_is_linked_from_the_first() -> None:
    """From README.md, or from the first page of the site."""
    linked = "".join((ROOT / page).read_text("utf-8") for page in ("README.md", "docs/README.md"))
    for page in ROOT.glob("docs/*.md"):
        assert f"({page.name}" in linked or f"(docs/{page.name}" in linked or page.name == "README.md", page.name


def test_every_page_is_in_the_site() -> None:
    contents = (ROOT / "docs" / "index.rst").read_text("utf-8")
    for page in ROOT.glob("docs/*.md"):
        assert f"   {page.stem}\n" in contents or page.name == "README.md", page.name
