"""Each rule finds what it is for in a tiny document, and nothing in one that does better."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from toolcast.lint.rules import RULES

from .conftest import Lint

CASES: list[dict[str, Any]] = yaml.safe_load((Path(__file__).parent / "cases.yaml").read_text("utf-8"))


def field(**schema: Any) -> dict[str, Any]:
    """An operation whose body has one field."""
    body = {"type": "object", "properties": {"genre": {"description": "As on the door", **schema}}}
    content = {"application/json": {"schema": body}}
    return {"operationId": "addShelf", "summary": "Add a shelf", "requestBody": {"content": content}}


def told(description: str) -> dict[str, Any]:
    """An operation with a description."""
    return {"operationId": "listShelves", "summary": "List the shelves", "description": description}


def shelves(number: int) -> dict[str, Any]:
    """A field of so many objects, of which each has twenty fields of its own."""

    def parts(of: str) -> dict[str, Any]:
        return {f"{of}-{n}": {"type": "string", "description": f"What stands in {of}-{n}, by title"} for n in range(20)}

    return field(
        type="object", properties={f"s{n}": {"type": "object", "properties": parts(f"s{n}")} for n in range(number)}
    )


LARGE = [  # rule, what it says, an operation in which it finds something, and one in which it does not
    ("TC403", "1,256 characters", told("The shelves stand in the hall. " * 40), told("They stand in the hall. " * 20)),
    (
        "TC425",
        "genre lists 80 values",
        field(enum=[f"genre-{n}" for n in range(80)]),
        field(enum=[f"genre-{n}" for n in range(8)]),
    ),
    (
        "TC429",
        "The arguments of add_shelf are cut to keep its budget; genre alone",
        shelves(40),
        shelves(2),
    ),
]


def test_every_rule_is_tried() -> None:
    codes = [rule.code for rule in RULES]
    assert codes == sorted(set(codes))
    assert {*codes} == {case["rule"] for case in CASES} | {rule for rule, *_ in LARGE} | {"TC444"}


@pytest.mark.parametrize("case", [pytest.param(case, id=f"{case['rule']} {case['says']}") for case in CASES])
def test_a_rule(lint: Lint, case: dict[str, Any]) -> None:
    found = [d for d in lint(**case["bad"]).verdict.diagnostics if d.code == case["rule"]]
    assert any(case["says"].lower() in finding.message.lower() for finding in found), found
    assert all(finding.help.endswith(".") and not finding.message.endswith(".") for finding in found)
    assert case["rule"] not in [finding.code for finding in lint(**case["good"]).verdict.diagnostics]


@pytest.mark.parametrize(("rule", "says", "bad", "good"), LARGE)
def test_a_rule_about_sizes(lint: Lint, rule: str, says: str, bad: dict[str, Any], good: dict[str, Any]) -> None:
    found = [d.message for d in lint(paths={"/shelves": {"post": bad}}).verdict.diagnostics if d.code == rule]
    assert len(found) == 1 and says in found[0]
    assert rule not in [d.code for d in lint(paths={"/shelves": {"post": good}}).verdict.diagnostics]


def test_too_many_tools(lint: Lint) -> None:
    many = {f"/s{n}": {"get": {"operationId": f"listShelf{n}s", "summary": f"List shelf {n}"}} for n in range(129)}
    assert [d.code for d in lint(paths=many).verdict.diagnostics] == ["TC444"]


def test_a_good_document_has_the_highest_score(lint: Lint) -> None:
    found = lint(paths={"/shelves": {"get": told("All of them.")}}).verdict
    assert (found.score, found.findings, found.lost) == (100, (), {})


def test_findings_have_lines(lint: Lint, tmp_path: Path) -> None:
    found = lint(paths={"/shelves": {"get": {"operationId": "listShelves"}}})
    lines = (tmp_path / "openapi.yaml").read_text("utf-8").splitlines()
    for finding in found.verdict.diagnostics:
        assert finding.location is not None
        line = found.inspection.document.lines(finding.location)
        assert line is not None and "get:" in lines[line - 1]


def test_a_shared_schema_is_found_once(lint: Lint) -> None:
    shelf = {"type": "object", "properties": {"kind": {"enum": [1, 2]}, "next": {"$ref": "#/components/schemas/Shelf"}}}
    body = {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Shelf"}}}}
    one = {"operationId": "addOldShelf", "summary": "Add an old shelf", "requestBody": body}
    other = {"operationId": "addNewShelf", "summary": "Add a new shelf", "requestBody": body}
    paths = {"/a": {"post": one}, "/b": {"post": other}}
    found = lint(paths=paths, components={"schemas": {"Shelf": shelf}}, security=[]).verdict
    assert [(d.code, d.location and d.location.pointer) for d in found.diagnostics if d.code == "TC426"] == [
        ("TC426", "/components/schemas/Shelf/properties/kind")
    ]
    assert found.lost["TC426"] == 20  # a warning in every operation


def test_read_only_fields_are_no_input(lint: Lint) -> None:
    assert lint(paths={"/shelves": {"post": field(enum=[1, 2], description="", readOnly=True)}}).verdict.findings == ()


def test_the_page_lists_every_rule() -> None:
    page = (Path(__file__).parents[2] / "docs" / "lint.md").read_text("utf-8")
    assert re.findall(r"^\| (TC4\d\d) \| (\w+) \|", page, re.MULTILINE) == [(r.code, r.severity) for r in RULES]
