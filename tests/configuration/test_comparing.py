"""A package with wishes and overlays is compared with a document as it would become by them, also as git has it."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from toolcast import comparing, pipeline
from toolcast.contract import Comparison
from toolcast.diagnostics import Report

from .conftest import HARBOUR

OVERLAY: dict[str, Any] = {
    "overlay": "1.0.0",
    "info": {"title": "Ours", "version": "1"},
    "actions": [{"target": "$.paths['/boats'].get", "update": {"summary": "What floats"}}],
}
WISHES = """\
document.address = "../api.json"
document.overlays = ["../ours.json"]
name = "harbour"

[tools.addBoat]
arguments.pin.fixed = "1"
"""


@pytest.fixture(autouse=True)
def there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A repository with a document, an overlay, and the package that they become."""
    monkeypatch.chdir(tmp_path)
    Path("api.json").write_text(json.dumps(HARBOUR), "utf-8")
    Path("ours.json").write_text(json.dumps(OVERLAY), "utf-8")
    Path("out").mkdir()
    Path("out/toolcast.toml").write_text(WISHES, "utf-8")
    assert pipeline.generate(None, Path("out"), report=Report()).applied


def compared(old: str, new: str) -> Comparison:
    """How two of them differ."""
    return comparing.diff(old, new, report=Report())


def test_wishes_and_overlays_count_on_both_sides() -> None:
    assert not compared("out", "api.json").changes
    assert not compared("api.json", "out").changes
    fewer = {**HARBOUR, "paths": {key: item for key, item in HARBOUR["paths"].items() if key != "/boats/{id}"}}
    Path("new.json").write_text(json.dumps(fewer), "utf-8")
    assert {change.tool for change in compared("out", "new.json").changes if change.tool} == {"get_boat", "sink_boat"}


def test_what_git_has_of_a_package_comes_with_its_overlays() -> None:
    for command in ("init -q", "add .", "-c user.name=a -c user.email=a@a.example commit -q -m all"):
        subprocess.run(["git", *command.split()], check=True)
    Path("ours.json").unlink()
    assert not compared("HEAD:out", "api.json").changes
    assert not compared("api.json", "HEAD:out/src/harbour_mcp/api/tools.json").changes
