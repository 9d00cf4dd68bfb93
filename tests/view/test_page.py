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

from .conftest import BOOKSHOP, Look

FOLDER = Path(pipeline.__file__).parent / "view" / "page"


@pytest.fixture(scope="module")
def bookshop() -> str:
    """The page of the bookshop."""
    return page(pipeline.survey(pipeline.inspect(str(BOOKSHOP), report=Report())))


def told(text: str) -> str:
    """A page's text without markup."""
    body = re.sub(r"<(script|style).*?</\1>", "", text, flags=re.DOTALL)
    return " ".join(re.sub(r"<[^>]+>", "", body).split())


def test_it_is_whole_without_a_script(bookshop: str) -> None:
    text = told(bookshop)
    for part in ("Bookshop 1.4.0", "Tools23", "list_books", "GET /books/{bookId}", "GET /search", "TC261"):
        assert part in text


def test_it_is_the_same_each_time(bookshop: str) -> None:
    assert page(pipeline.survey(pipeline.inspect(str(BOOKSHOP), report=Report()))) == bookshop


def test_a_browser_may_apply_our_style_and_run_our_script_and_nothing_else(bookshop: str) -> None:
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', bookshop)
    assert policy is not None
    rules = dict(rule.strip().split(" ", 1) for rule in policy[1].replace("&#x27;", "'").split(";"))
    for kind in ("style", "script"):
        text = (FOLDER / f"page.{'css' if kind == 'style' else 'js'}").read_text("utf-8")
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert rules[f"{kind}-src"] == f"'sha256-{digest}'"
        assert f"</{kind}" not in text
    assert rules["default-src"] == rules["base-uri"] == rules["form-action"] == "'none'"
    assert len(re.findall(r"<script", bookshop)) == 2
    assert "http://" not in re.sub(r'<script type="application/json".*?</script>', "", bookshop, flags=re.DOTALL)
    assert not re.search(r"\son\w+=|style=|javascript:", bookshop.split('<script type="application/json"')[0])


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


def test_what_the_script_is_given(bookshop: str) -> None:
    tools = data(bookshop)["tools"]
    assert len(tools) == 23
    order = tools["create_order"]
    assert order["sent"]["Idempotency-Key"] == ["header", ""] and order["sent"]["customerId"] == ["body", ""]
    assert order["request"]["method"] == "POST" and order["request"]["target"] == "/orders"
    assert json.loads(order["request"]["body"])["customerId"] == order["example"]["customerId"]
    assert order["listed"]["inputSchema"]["required"] == ["customerId", "lines", "payment"]


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
