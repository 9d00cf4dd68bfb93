"""Codes that come up rarely: small documents and configurations that provoke them, at the command line."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from toolcast import pipeline
from toolcast.__main__ import app  # with its commands

WELL = """\
openapi: 3.1.0
info: {title: Wells, version: "1"}
servers: [{url: "https://wells.example"}]
paths:
  /wells:
    get:
      operationId: listWells
      tags: [wells]
      parameters:
      - {name: depth, in: query, required: true, schema: {type: integer}}
      responses: {"200": {description: OK}}
    post:
      operationId: digWell
      requestBody:
        content: {application/json: {schema: {type: object, properties: {depth: {type: integer}}}}}
      responses: {"201": {description: Dug}}
"""


def inspect(folder: Path, document: str, configuration: str = "") -> Result:
    (folder / "openapi.yaml").write_text(document, "utf-8", newline="\n")
    (folder / "toolcast.toml").write_text(configuration, "utf-8", newline="\n")
    arguments = ["inspect", "--all", str(folder / "openapi.yaml"), "--config", str(folder / "toolcast.toml")]
    return CliRunner().invoke(app, arguments, env={"COLUMNS": "400", "FORCE_COLOR": None})


@pytest.mark.parametrize(
    ("code", "document"),
    [
        ("TC203", WELL.replace("- {name: depth", "- {$ref: '#/components/parameters/Depth'}\n      - {name: depth")
         + "components: {parameters: {Depth: {$ref: '#/components/parameters/Depth'}}}\n"),
        ("TC234", WELL.replace("/wells:", "/wells/{well}:").replace("- {name: depth", "- {name: well, in: path, "
         "schema: {type: string}}\n      - {name: depth")),
        ("TC260", WELL + "  wells:\n    get: {responses: {'200': {description: OK}}}\n"),
    ],
)  # fmt: skip
def test_a_document_with_a_fault_is_read_with_a_warning(tmp_path: Path, code: str, document: str) -> None:
    done = inspect(tmp_path, document)
    assert done.exit_code == 0, done.stderr
    assert f"warning {code} " in done.output


def test_half_of_a_character_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """libyaml refuses the escape itself; the parser in Python, which takes its place where it is missing, does not."""
    monkeypatch.setattr("yaml.__with_libyaml__", False)
    done = inspect(tmp_path, WELL.replace("title: Wells", 'title: "We\\uD83Dlls"'))
    assert done.exit_code == 1
    assert "error TC026 " in done.stderr
    assert "lone surrogate" in done.stderr


@pytest.mark.parametrize(
    ("code", "configuration"),
    [
        ("TC611", "[tools.listWels]\ntool = false\n"),
        ("TC612", '[tools.listWells]\ntool = true\n[tools."GET /wells"]\ntitle = "Wells"\n'),
        ("TC614", "[tools.listWells.arguments]\ndept.hidden = true\n"),
        ("TC615", "[tools.listWells.arguments]\ndepth.hidden = true\n"),
        ("TC617", '[tools.digWell]\nmedia_type = "application/xml"\n'),
        ("TC620", '[groups.wels]\ntitle = "Wells"\n'),
    ],
)
def test_a_wish_that_cannot_be_fulfilled_stops_with_its_line(tmp_path: Path, code: str, configuration: str) -> None:
    done = inspect(tmp_path, WELL, configuration)
    assert done.exit_code == 1
    assert f"error {code} {tmp_path / 'toolcast.toml'}:" in done.stderr


def test_a_mistake_of_ours_is_told_as_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object, **__: object) -> None:
        raise ZeroDivisionError("the well is empty")

    monkeypatch.setattr(pipeline, "inspect", fails)
    monkeypatch.delenv("TOOLCAST_DEBUG", raising=False)
    done = inspect(tmp_path, WELL)
    assert done.exit_code == 1
    assert "error TC900 Toolcast made a mistake: ZeroDivisionError: the well is empty" in done.stderr
    assert "Traceback" not in done.stderr
