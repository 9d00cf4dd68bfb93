"""Markup that no text can break out of."""

from __future__ import annotations

import json
from html.parser import HTMLParser

from hypothesis import given
from hypothesis import strategies as st

from toolcast.view.page.html import Html, data, joined, tag

# What HTML cannot hold, or reads as something else: no text of a document has it after it was cleaned.
TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r\0"))


class Read(HTMLParser):
    """What a browser reads."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[str] = []
        self.attributes: dict[str, str | None] = {}
        self.text = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes |= dict(attrs)

    def handle_data(self, data: str) -> None:
        self.text += data


@given(TEXTS, TEXTS)
def test_a_text_stays_a_text(child: str, attribute: str) -> None:
    read = Read(tag("p", child, class_="x", aria_label=attribute))
    assert read.tags == ["p"]
    assert read.text == child
    assert read.attributes == {"class": "x", "aria-label": attribute}


@given(TEXTS)
def test_data_holds_no_markup(text: str) -> None:
    written = data({"text": text, text: [text]})
    assert not {"<", ">", "&", "\u2028", "\u2029"} & {*written}
    assert json.loads(written) == {"text": text, text: [text]}


def test_markup() -> None:
    inner = tag("b", "<i>")
    assert tag("p", inner, " & ", hidden=True, title=None, open=False) == "<p hidden><b>&lt;i&gt;</b> &amp; </p>"
    assert tag("input", type="search") == '<input type="search">'
    assert joined("<", Html("<br>")) == "&lt;<br>"
    assert not isinstance(Html("<b>") + "x", Html), "what is put together by hand is text again"
