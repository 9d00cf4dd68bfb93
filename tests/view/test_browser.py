"""The page in a browser, as people and screen readers meet it."""

from __future__ import annotations

import json
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from toolcast import pipeline
from toolcast.diagnostics import Report
from toolcast.emit.hostile import HOSTILE
from toolcast.view.page.page import page

from .chromium import BINARY, Chromium
from .conftest import LIBRARY

pytestmark = pytest.mark.skipif(BINARY is None, reason="there is no Chromium (Debian: apt-get install chromium)")

ANSWER = {"200": {"description": "OK", "content": {"application/json": {"schema": {"type": "string"}}}}}


@pytest.fixture(scope="module")
def browser() -> Generator[Chromium]:
    """A browser for all tests of this module."""
    with Chromium() as running:
        yield running


def written(address: Path, target: Path) -> Path:
    """The page of a document."""
    survey = pipeline.survey(pipeline.inspect(str(address), report=Report()))
    target.write_text(page(survey), "utf-8")
    return target


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of the library."""
    return written(LIBRARY, tmp_path_factory.mktemp("page") / "library.html")


@pytest.fixture
def opened(browser: Chromium, library: Path) -> Generator[Chromium]:
    """The library's page, just opened; nothing on it may complain, or want anything from elsewhere."""
    browser.console.clear()
    browser.requests.clear()
    browser.screen(1280, 900)
    browser.open(library)
    yield browser
    assert browser.console == []
    assert {url.partition("#")[0] for url in browser.requests} <= {"about:blank", library.as_uri()}


def choose(browser: Chromium, **values: str | bool) -> str:
    """Fill in filters; gives what is said of the number of tools."""
    for name, value in values.items():
        property_ = "checked" if isinstance(value, bool) else "value"
        browser.run(
            f"(() => {{ const field = document.getElementById({json.dumps(name)}); field.{property_} = "
            f"{json.dumps(value)}; field.dispatchEvent(new Event('input', {{ bubbles: true }})); }})()"
        )
    browser.settle()
    return browser.run("document.getElementById('shown').textContent")


def visible(browser: Chromium) -> list[str]:
    """The names of the tools that are shown, in order."""
    return browser.run(
        "[...document.querySelectorAll('.group > details')].filter((row) => row.checkVisibility())"
        ".map((row) => row.id.slice(5))"
    )


@pytest.mark.parametrize(
    ("filters", "shown", "names"),
    [
        ({"search": "lend BOOKS"}, "1 of 7 tools", ["create_loan"]),
        ({"search": "zebra"}, "0 of 7 tools", []),
        ({"search": "idempotency-key"}, "1 of 7 tools", ["create_loan"]),
        ({"search": "/loans/{loan}"}, "1 of 7 tools", ["put_note"]),
        ({"group": "loans"}, "3 of 7 tools", ["list_loans", "create_loan", "put_note"]),
        ({"method": "PUT"}, "1 of 7 tools", ["put_note"]),
        ({"may": "destroys"}, "2 of 7 tools", ["delete_book", "put_note"]),
        ({"may": "reads", "group": "loans"}, "1 of 7 tools", ["list_loans"]),
        ({"may": "repeatable", "method": "DELETE"}, "1 of 7 tools", ["delete_book"]),
        ({"warned": True}, "1 of 7 tools", ["delete_book"]),
    ],
)
def test_filters(opened: Chromium, filters: dict[str, Any], shown: str, names: list[str]) -> None:
    assert choose(opened, **filters) == shown
    assert visible(opened) == names
    opened.run("document.querySelector('#filters button').click()")
    opened.run("new Promise((done) => setTimeout(done, 20))")
    assert opened.run("document.getElementById('shown').textContent") == "7 tools"
    assert len(visible(opened)) == 7


def test_order(opened: Chromium) -> None:
    before = visible(opened)
    choose(opened, sort="size")
    sizes = opened.run(
        "[...document.querySelectorAll('.group > details .size')].map((s) => parseInt(s.textContent.replace(',', '')))"
    )
    assert sizes == sorted(sizes, reverse=True) and len(sizes) == 7
    choose(opened, sort="")
    assert visible(opened) == before


def test_a_tool_is_opened_with_the_keyboard(opened: Chromium) -> None:
    assert opened.run("document.querySelector('#tool-list_books .body')") is None, (
        "details are made when they are needed"
    )
    opened.run("document.querySelector('#tool-list_books summary').focus()")
    opened.press("Enter", 13)
    opened.settle()
    text = opened.run("document.querySelector('#tool-list_books .body').innerText")
    for part in (
        "Only reads",
        "yes – GET only reads",
        "Sent to",
        "GET /books",
        "limit",
        "default",
        "x-key: test-library-key",
    ):
        assert part in text
    opened.press("Enter", 13)
    opened.settle()
    assert not opened.run("document.getElementById('tool-list_books').open")


def test_from_the_first_key_on_one_can_skip_to_the_tools(opened: Chromium) -> None:
    opened.press("Tab", 9)
    assert opened.run("document.activeElement.textContent") == "To the tools"
    opened.press("Enter", 13)
    opened.settle()
    assert opened.run("location.hash") == "#tools"


def test_a_link_opens_a_tool_even_when_it_is_filtered_away(opened: Chromium, library: Path) -> None:
    choose(opened, search="note")
    opened.run("location.hash = '#tool-create_loan'")
    opened.run("new Promise((done) => setTimeout(done, 150))")
    assert opened.run("document.getElementById('tool-create_loan').open")
    top = opened.run("document.getElementById('tool-create_loan').getBoundingClientRect().top")
    assert 0 <= top < 200
    assert opened.run("document.activeElement.parentElement.id") == "tool-create_loan"
    opened.open(library, "#tool-put_note")
    assert opened.run("document.getElementById('tool-put_note').open")


def test_the_picture_leads_to_a_tool(opened: Chromium) -> None:
    opened.run(
        "document.querySelector('figure .wide [data-tool=list_loans]')"
        ".dispatchEvent(new MouseEvent('click', { bubbles: true }))"
    )
    opened.run("new Promise((done) => setTimeout(done, 150))")
    assert opened.run("document.getElementById('tool-list_loans').open")


def test_raw_json_is_what_agents_see(opened: Chromium) -> None:
    opened.run("location.hash = '#tool-get_book'")
    opened.run("new Promise((done) => setTimeout(done, 100))")
    opened.run("document.querySelectorAll('#tool-get_book .raw').forEach((part) => { part.open = true; })")
    opened.settle()
    listed = json.loads(opened.run("document.querySelector('#tool-get_book .raw:last-of-type pre').textContent"))
    assert listed["name"] == "get_book" and listed["annotations"]["readOnlyHint"] is True


@pytest.mark.parametrize("width", [320, 390, 768, 1280])
@pytest.mark.parametrize("dark", [False, True])
def test_nothing_is_wider_than_the_screen(opened: Chromium, width: int, dark: bool) -> None:
    opened.screen(width, 900, dark=dark)
    opened.run("document.querySelectorAll('details').forEach((part) => { part.open = true; })")
    opened.settle()
    opened.run("document.querySelectorAll('details').forEach((part) => { part.open = true; })")
    opened.settle()
    assert opened.run("document.documentElement.scrollWidth") <= width
    paper = opened.run("getComputedStyle(document.body).backgroundColor")
    assert (sum(map(int, paper[4:-1].split(","))) < 200) is dark


def test_every_control_has_a_name(opened: Chromium) -> None:
    opened.run("document.querySelectorAll('details').forEach((part) => { part.open = true; })")
    opened.settle()
    opened.send("Accessibility.enable")
    nodes = opened.send("Accessibility.getFullAXTree")["nodes"]
    opened.send("Accessibility.disable")
    seen: dict[str, list[str]] = {}
    for node in nodes:
        if not node.get("ignored") and "role" in node:
            seen.setdefault(node["role"]["value"], []).append(node.get("name", {}).get("value", ""))
    for role in (
        "link",
        "button",
        "searchbox",
        "combobox",
        "checkbox",
        "image",
        "DisclosureTriangle",
        "region",
        "search",
    ):
        assert all(seen.get(role, [])), role
    assert {"searchbox", "combobox", "checkbox", "image", "DisclosureTriangle", "main", "navigation"} <= seen.keys()
    assert seen["searchbox"] == ["Search"] and len(seen["image"]) == 1


def test_it_can_be_read_without_a_script(browser: Chromium, library: Path) -> None:
    browser.send("Emulation.setScriptExecutionDisabled", value=True)
    try:
        browser.open(library)
        found = browser.send("Page.captureSnapshot", format="mhtml")["data"]
    finally:
        browser.send("Emulation.setScriptExecutionDisabled", value=False)
    assert "list_books" in found and "tool-create_loan" in found


def test_hostile_texts_stay_texts(browser: Chromium, tmp_path: Path) -> None:
    attack = "</script><script>pwned=1</script><img src=x onerror=pwned=1><svg onload=pwned=1> javascript:pwned=1"
    texts = [attack, *HOSTILE.values()]
    paths: dict[str, Any] = {}
    for number, text in enumerate(texts):
        field = {"description": text, "default": text, "example": text}
        schema = {"description": text, "properties": {f"p{text}": field}}
        paths[f"/s{number}/{text.replace('/', '')}"] = {
            "post": {
                "operationId": f"addShelf{number}",
                "summary": text,
                "description": f"Adds {text}",
                "tags": [text],
                "parameters": [
                    {"name": f"a{text}", "in": "query", "description": text, "schema": {"enum": [text, "x"]}}
                ],
                "requestBody": {"content": {"application/json": {"schema": schema}}},
                "responses": ANSWER,
            }
        }
    info = {"title": f"Library {attack}", "version": attack}
    root = {"openapi": "3.1.0", "info": info, "paths": paths, "tags": [{"name": attack, "description": attack}]}
    source = tmp_path / "openapi.json"
    source.write_text(json.dumps(root))
    target = written(source, tmp_path / "hostile.html")
    browser.console.clear()
    browser.requests.clear()
    browser.open(target)
    for _ in range(2):
        browser.run("document.querySelectorAll('details').forEach((part) => { part.open = true; })")
        browser.settle()
    assert browser.run("typeof pwned") == "undefined"
    assert browser.run("document.querySelectorAll('img, iframe, object, script:not(#survey)').length") == 1
    assert attack in browser.run("document.querySelector('#tool-add_shelf0 .body').textContent")
    assert browser.console == []
    assert {url.partition("#")[0] for url in browser.requests} <= {"about:blank", target.as_uri()}


def test_a_thousand_tools(browser: Chromium, tmp_path: Path) -> None:
    operation = {"summary": "Get a shelf", "description": "As it stands in the hall. " * 10, "responses": ANSWER}
    paths = {
        f"/halls/{n % 40}/shelves/{n}": {
            "get": {**operation, "operationId": f"getShelf{n}", "tags": [f"hall {n % 40}"]}
        }
        for n in range(1200)
    }
    source = tmp_path / "openapi.json"
    source.write_text(json.dumps({"openapi": "3.1.0", "info": {"title": "Halls", "version": "1"}, "paths": paths}))
    target = written(source, tmp_path / "halls.html")
    assert target.stat().st_size < 3_000_000
    browser.screen(1280, 900)
    browser.open(target)
    assert browser.run("document.querySelectorAll('.body').length") == 0
    assert choose(browser, search="shelf7777") == "0 of 1,200 tools"
    assert choose(browser, search="shelves/777") == "1 of 1,200 tools"
    assert visible(browser) == ["get_shelf777"]
