"""The page, as text: whole without a script, and deaf to what a document says."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from toolcast import pipeline
from toolcast.diagnostics import Report
from toolcast.emit.hostile import HOSTILE
from toolcast.view.page.page import page

from .conftest import LIBRARY, Look

FOLDER = Path(pipeline.__file__).parent / "view" / "page"


@pytest.fixture(scope="module")
def library() -> str:
    """The page of the library."""
    return page(pipeline.survey(pipeline.inspect(str(LIBRARY), report=Report())))


def told(text: str) -> str:
    """A page's text without markup."""
    body = re.sub(r"<(script|style).*?</\1>", "", text, flags=re.DOTALL)
    return " ".join(re.sub(r"<[^>]+>", "", body).split())


def test_it_is_whole_without_a_script(library: str) -> None:
    text = told(library)
    for part in ("Library 2.1.0", "Tools7", "list_books", "GET /books/{isbn}", "GET /search", "TC261"):
        assert part in text


def test_it_is_the_same_each_time(library: str) -> None:
    assert page(pipeline.survey(pipeline.inspect(str(LIBRARY), report=Report()))) == library


def test_a_browser_may_apply_our_style_and_run_our_script_and_nothing_else(library: str) -> None:
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', library)
    assert policy is not None
    rules = dict(rule.strip().split(" ", 1) for rule in policy[1].replace("&#x27;", "'").split(";"))
    for kind in ("style", "script"):
        text = (FOLDER / f"page.{'css' if kind == 'style' else 'js'}").read_text("utf-8")
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert rules[f"{kind}-src"] == f"'sha256-{digest}'"
        assert f"</{kind}" not in text
    assert rules["default-src"] == rules["base-uri"] == rules["form-action"] == "'none'"
    assert len(re.findall(r"<script", library)) == 2
    assert "http://" not in re.sub(r'<script type="application/json".*?</script>', "", library, flags=re.DOTALL)
    assert not re.search(r"\son\w+=|style=|javascript:", library.split('<script type="application/json"')[0])


def test_the_script_makes_no_markup_of_texts() -> None:
    script = (FOLDER / "page.js").read_text("utf-8")
    assert not re.search(
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|eval|Function\(|\.src|\.href", script
    )


def data(text: str) -> Any:
    """What the script is given."""
    found = re.search(r'<script type="application/json" id="survey">(.*?)</script>', text, re.DOTALL)
    assert found is not None
    return json.loads(found[1])


def test_what_the_script_is_given(library: str) -> None:
    tools = data(library)["tools"]
    assert len(tools) == 7
    loan = tools["create_loan"]
    assert loan["sent"]["Idempotency-Key"] == ["header", ""] and loan["sent"]["books"] == ["body", ""]
    assert tools["list_books"]["sent"]["filter_genre"] == ["query", "filter[genre]"]
    assert tools["put_note"]["sent"]["body"] == ["the body", ""]
    assert loan["request"]["method"] == "POST" and loan["request"]["target"] == "/loans"
    assert json.loads(loan["request"]["body"])["books"] == loan["example"]["books"]
    assert loan["listed"]["inputSchema"]["required"] == ["books", "deposit"]


ELEMENTS = set(
    """
    a b body button code dd details div dl dt figcaption figure form g h1 h2 h3 head header html input label li main
    meta nav option output p rect script section select small span style summary svg text title ul
    """.split()
)
ATTRIBUTES = set(
    """
    aria-hidden aria-label aria-labelledby autocomplete charset class content data-tool for height hidden href
    http-equiv id lang name placeholder preserveaspectratio role type value viewbox width x y
    """.split()
)


class Written(HTMLParser):
    """The elements and attributes of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: set[str] = set()
        self.attributes: set[tuple[str, str | None]] = set()
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.add(tag)
        self.attributes.update(attrs)


@pytest.mark.parametrize("text", [pytest.param(text, id=name) for name, text in HOSTILE.items()])
def test_no_text_of_a_document_becomes_markup(look: Look, text: str) -> None:
    written = Written(page(look(*hostile(text))))
    assert written.elements <= ELEMENTS
    assert {name for name, _ in written.attributes} <= ATTRIBUTES
    assert all(str(value).startswith("#") for name, value in written.attributes if name == "href")


def hostile(text: str) -> tuple[dict[str, Any], ...]:
    """The paths of a document that says a text wherever it can."""
    operation = {
        "operationId": "addShelf",
        "summary": f"Add {text}",
        "description": f"Adds {text}",
        "tags": ["shelves"],
        "parameters": [{"name": f"a{text}", "in": "query", "description": text, "schema": {"enum": [f"x{text}", "y"]}}],
        "requestBody": {"content": {"application/json": {"schema": {"description": text, "default": text}}}},
        "responses": {"200": {"description": text, "content": {"application/json": {"schema": {"title": text}}}}},
    }
    return ({f"/shelves/{text.replace('/', '')}": {"post": operation}},)


def test_nothing_to_show(look: Look) -> None:
    text = told(page(look({})))
    assert "There are no tools" in text and "TC263" in text


def test_what_is_left_out(look: Look) -> None:
    text = told(
        page(look({"/a": {"get": {"deprecated": True}, "put": {"parameters": [{"$ref": "#/x"}]}}, "/b": {"get": {}}}))
    )
    assert "1 deprecated operation, which a first generation does not offer:GET /a" in text
    assert "1 operation could not be understood:PUT /a" in text
