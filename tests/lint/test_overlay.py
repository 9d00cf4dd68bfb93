"""The overlay that `lint --overlay` writes: applied to the author's document, what it settles is gone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from toolcast import pipeline
from toolcast.diagnostics import Report
from toolcast.lint.overlay import path
from toolcast.load.document import load
from toolcast.model.pointer import join

from .conftest import document

jsonpath = pytest.importorskip("jsonpath", reason="overlays are applied with python-jsonpath")

SHELVES = """\
/shelves:
  get:
    summary: List the shelves
    responses:
      "200":
        description: All of them
        content:
          application/json:
            schema: {type: array, items: {type: object, properties: {code: {type: string}}}}
      default: {description: Went wrong}
/shelves/{shelf code}:
  parameters:
    - {name: X-Trace, in: header, description: For the log, schema: {type: string}}
    - {name: shelf code, in: path, required: true, schema: {type: string}}
  get: {operationId: get}
  delete: {operationId: removeShelf, summary: "Remove\\u200b it"}
/shelves/{shelf code}/it's "odd"/{board}:
  get:
    operationId: get
    parameters:
      - {name: shelf code, in: path, required: true, schema: {type: string}}
      - {$ref: "#/components/parameters/Board"}
"""
BOARD = {"name": "board", "in": "path", "required": True, "schema": {"type": "string"}, "description": "From above"}
SWAGGER = """\
swagger: "2.0"
info: {title: Library, version: "1"}
host: library.example
parameters:
  shelf: {name: shelf, in: path, required: true, type: string}
paths:
  /shelves:
    get:
      responses:
        "200": {description: All, schema: {type: array, items: {type: object, properties: {a: {type: string}}}}}
  /shelves/{shelf}:
    parameters: [{$ref: "#/parameters/shelf"}]
    put:
      parameters:
        - {name: body, in: body, schema: {type: object, properties: {a: {type: string, description: A thing}}}}
      responses: {"204": {description: Done}}
  /shelves/{shelf}/boards:
    put:
      parameters:
        - {name: body, in: body, schema: {type: object, properties: {a: {type: string, description: A thing}}}}
        - {name: shelf, in: path, required: true, type: string}
      responses: {"204": {description: Done}}
"""


def applied(root: Any, overlay: Any) -> None:
    """Merge the updates of an overlay's actions into what they target (Overlay 1.0, section 4.4.3)."""

    def merge(into: dict[str, Any], update: dict[str, Any]) -> None:
        for key, value in update.items():
            assert isinstance(value, str), "a fix sets texts"
            into[key] = value

    for action in overlay["actions"]:
        targets = [match.obj for match in jsonpath.finditer(action["target"], root)]
        assert len(targets) == 1, action
        merge(targets[0], action["update"])


@pytest.mark.parametrize(
    ("text", "settled"),
    [
        pytest.param(
            yaml.safe_dump(document(paths=yaml.safe_load(SHELVES), components={"parameters": {"Board": BOARD}})),
            {"TC401": 2, "TC404": 1, "TC411": 1, "TC412": 2, "TC413": 2, "TC421": 2},
            id="3.1",
        ),
        pytest.param(SWAGGER, {"TC401": 3, "TC411": 3, "TC421": 2}, id="Swagger 2.0"),
    ],
)
def test_what_it_settles_is_gone(tmp_path: Path, text: str, settled: dict[str, int]) -> None:
    source = tmp_path / "openapi.yaml"
    source.write_text(text, "utf-8")
    before = pipeline.lint(str(source), report=Report())
    overlay, number = pipeline.fixes(before, tmp_path / "fixes" / "overlay.yaml")
    written = yaml.safe_load(overlay)
    assert written["overlay"] == "1.0.0"
    assert written["info"] == {"title": "Fixes for Library", "version": "1.0.0"}
    assert written["extends"] == "../openapi.yaml"
    assert all(action["description"].startswith("TC4") for action in written["actions"])
    fixed = [finding.code for finding, fix in before.verdict.findings if fix is not None]
    assert {code: fixed.count(code) for code in fixed} == settled
    assert number == sum(settled.values())
    root = yaml.safe_load(text)
    applied(root, written)
    source.write_text(yaml.safe_dump(root), "utf-8")
    after = pipeline.lint(str(source), report=Report()).verdict
    left = [finding.code for finding in after.diagnostics]
    assert not {*left} & {*settled}
    assert {*left} <= {finding.code for finding in before.verdict.diagnostics}
    assert after.score > before.verdict.score


def test_without_a_place_of_its_own_it_extends_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Input:
        class buffer:  # noqa: N801
            @staticmethod
            def read(*_: int) -> bytes:
                return yaml.safe_dump(document(paths={"/shelves": {"get": {"summary": "List them"}}})).encode()

        @staticmethod
        def isatty() -> bool:
            return False

    monkeypatch.setattr("sys.stdin", Input())
    found = pipeline.lint("-", report=Report())
    assert "extends" not in yaml.safe_load(pipeline.fixes(found, tmp_path / "fixes.yaml")[0])


def test_places_in_other_files_are_not_in_it(tmp_path: Path) -> None:
    (tmp_path / "shelves.yaml").write_text("get: {responses: {}}\n", "utf-8")
    source = tmp_path / "openapi.yaml"
    keys = document(paths={"/books": {"get": {"summary": "List the books"}}})
    keys["paths"]["/shelves"] = {"$ref": "shelves.yaml"}
    source.write_text(yaml.safe_dump(keys), "utf-8")
    found = pipeline.lint(str(source), report=Report())
    assert [fix is not None for finding, fix in found.verdict.findings if finding.code == "TC411"] == [True, True]
    overlay, number = pipeline.fixes(found, tmp_path / "fixes.yaml")
    assert number == 1
    assert [action["target"] for action in yaml.safe_load(overlay)["actions"]] == ["$.paths['/books'].get"]


@pytest.mark.parametrize(
    ("steps", "told"),
    [
        (("info",), "$.info"),
        (("paths", "/a/{b}", "get"), "$.paths['/a/{b}'].get"),
        (("components", "schemas", "it's \\ \u2028"), "$.components.schemas['it\\'s \\\\ \\u2028']"),
        (
            ("paths", "/a/{b}", "get", "parameters", 0),
            "$.paths['/a/{b}'].get.parameters[?(@.name == 'b' && @.in == 'path')]",
        ),
        (("components", "schemas", "7"), "$.components.schemas['7']"),
        (("tags", 0), "$.tags[0]"),
    ],
)  # fmt: skip
def test_paths(tmp_path: Path, steps: tuple[str | int, ...], told: str) -> None:
    source = tmp_path / "openapi.yaml"
    parameter = {"name": "b", "in": "path", "required": True, "schema": {"type": "string"}}
    keys = document(
        paths={"/a/{b}": {"get": {"parameters": [parameter]}}},
        tags=[{"name": "t"}],
        components={"schemas": {"7": {"type": "string"}, "it's \\ \u2028": {}}},
    )
    source.write_text(yaml.safe_dump(keys), "utf-8")
    read = load(str(source), Report())
    at = pipeline.Location(file=read.file, pointer=join(steps))
    assert path(read, at) == told
    assert len(list(jsonpath.finditer(told, keys))) == 1
