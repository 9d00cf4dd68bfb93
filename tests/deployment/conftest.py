"""A package to deploy."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from toolcast import pipeline
from toolcast.diagnostics import Report

DOCUMENT = """\
openapi: 3.1.0
info: {title: "Lighthouses: where they are, and how they are lit", version: "7", description: Towers with lamps.}
servers: [{url: "https://{coast}.example/v1", variables: {coast: {default: north, enum: [north, south]}}}]
security: [{key: []}, {keeper: []}]
paths:
  /towers:
    get:
      operationId: listTowers
      summary: List the "towers" of ${coast} {here}
      responses: {"200": {description: OK}}
  /towers/{id}:
    delete:
      operationId: demolishTower
      parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
      responses: {"204": {description: Gone}}
components:
  securitySchemes:
    key: {type: apiKey, in: header, name: X-Key, description: The "key" of the harbour's office.}
    keeper: {type: http, scheme: basic}
"""
CONFIGURATION = """\
name = "light_house"
version = "1.2.3"

[package]
authors = ["Ann Chor <ann@light.example>"]
license = "Apache-2.0"
registry_name = "io.github.light/houses"
"""

# Makes a package with a configuration, and gives its folder.
Make = Callable[[str], Path]


@pytest.fixture(scope="session")
def make(tmp_path_factory: pytest.TempPathFactory) -> Make:
    """Make a package with a configuration."""

    def made(configuration: str) -> Path:
        folder = tmp_path_factory.mktemp("deployed")
        (folder / "towers.yaml").write_text(DOCUMENT, "utf-8")
        package = folder / "package"
        package.mkdir()
        (package / "toolcast.toml").write_text(configuration, "utf-8")
        assert pipeline.generate(str(folder / "towers.yaml"), package, report=Report()).applied
        return package

    return made


@pytest.fixture(scope="session")
def package(make: Make) -> Path:
    """A package with everything that it can be deployed with."""
    return make(CONFIGURATION)


def program(name: str) -> str:
    """The path of a program; skips the test visibly where there is none."""
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found
