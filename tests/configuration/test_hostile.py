"""Hostile texts in a configuration reach the package as texts."""

from __future__ import annotations

import ast
import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from toolcast import pipeline
from toolcast.diagnostics import Report
from toolcast.emit import render

from .conftest import HARBOUR

HOSTILE = '"""); __import__("os").system("id") #{{ 7 * 7 }} {% raw %} <script> ]] \\\'\\\' --> `$(id)`'
PLAIN = "plain"


def made(tmp_path: Path, text: str) -> dict[str, str]:
    """The files of a package whose configuration has this text wherever it takes one."""
    quoted, lines = json.dumps(text), json.dumps("\n".join([text, text]))
    toml = f"""
name = "harbour"
[server]
title = {quoted}
instructions = {lines}
[groups.boats]
title = {quoted}
description = {quoted}
[package]
description = {quoted}
authors = [{quoted}]
dependencies = [{quoted}]
[tools.list_boats]
title = {quoted}
description = {quoted}
use_when = {quoted}
_meta = {{ "k" = {quoted} }}
arguments.port.fixed = {quoted}
arguments.limit.description = {quoted}
[tools.add_boat.arguments.name]
default = {quoted}
[tools.get_boat]
as = "resource"
title = {quoted}
"""
    (tmp_path / "api.json").write_text(json.dumps(HARBOUR), "utf-8")
    (tmp_path / "toolcast.toml").write_text(toml, "utf-8")
    settings = tmp_path / "toolcast.toml"
    found = pipeline.inspect(str(tmp_path / "api.json"), report=Report(), settings=settings)
    files = render.files(found.catalog, "api.json", with_types=False)
    return {file.path: file.text for file in files if file.owner != "runtime"}


@pytest.fixture(scope="module")
def trees(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, str], dict[str, str]]:
    return made(tmp_path_factory.mktemp("plain"), PLAIN), made(tmp_path_factory.mktemp("hostile"), HOSTILE)


def test_python_differs_in_its_constants_only(trees: tuple[dict[str, str], dict[str, str]]) -> None:
    plain, hostile = trees
    assert plain.keys() == hostile.keys()
    compared = 0
    for path, text in plain.items():
        if path.endswith(".py"):
            assert _shape(text) == _shape(hostile[path]), path
            compared += hostile[path] != text
    assert compared >= 4


def test_other_files_are_read_as_meant(trees: tuple[dict[str, str], dict[str, str]]) -> None:
    _, hostile = trees
    project: Any = tomllib.loads(hostile["pyproject.toml"])["project"]
    assert project["description"] == HOSTILE and HOSTILE in project["dependencies"]
    contract: Any = json.loads(hostile["src/harbour_mcp/api/tools.json"])
    tool = next(tool for tool in contract["tools"] if tool["name"] == "list_boats")
    assert tool["title"] and tool["_meta"] == {"k": HOSTILE}
    assert "<script>" not in hostile["README.md"] and "<script>" not in hostile["TOOLS.md"]


def _shape(text: str) -> str:
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant):
            node.value = type(node.value).__name__
    return ast.dump(tree)
