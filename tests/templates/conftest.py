"""A small catalog, and folders of templates to render it with."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from toolcast import pipeline
from toolcast.diagnostics import Diagnostic, Failure, Report
from toolcast.emit import render
from toolcast.emit.sources import sources
from toolcast.model.catalog import Catalog

DOCUMENT = """\
openapi: 3.1.0
info: {title: Ferry lines, version: "3", description: Boats and where they go.}
servers: [{url: "https://ferry.example"}]
security: [{key: []}]
tags: [{name: boats, description: What floats.}, {name: piers}]
paths:
  /boats:
    get:
      operationId: listBoats
      tags: [boats]
      summary: List the boats
      parameters: [{name: limit, in: query, description: How many., schema: {type: integer}}]
      responses: {"200": {description: OK}}
    post:
      operationId: launchBoat
      tags: [boats]
      summary: Launch a boat
      responses: {"201": {description: Created}}
  /piers:
    get: {operationId: listPiers, tags: [piers], summary: List the piers, responses: {"200": {description: OK}}}
components:
  securitySchemes: {key: {type: apiKey, in: header, name: X-Key, description: The key of the harbour.}}
"""

# Writes files by their paths below a folder of templates, and gives it.
Folder = Callable[[Mapping[str, str]], Path]


@pytest.fixture(scope="session")
def catalog(tmp_path_factory: pytest.TempPathFactory) -> Catalog:
    """What the document becomes."""
    path = tmp_path_factory.mktemp("ferry") / "ferry.yaml"
    path.write_text(DOCUMENT, "utf-8")
    return pipeline.inspect(str(path), report=Report()).catalog


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    """Write a folder of templates."""

    def write(files: Mapping[str, str]) -> Path:
        for name, text in files.items():
            path = tmp_path / "mine" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
        return tmp_path / "mine"

    return write


def made(catalog: Catalog, templates: Path | None) -> dict[str, str]:
    """The files of a package by path, as they are before formatting."""
    return {
        file.path: file.text for file in render.files(catalog, "x.yaml", sources=sources(templates), with_types=False)
    }


def refusal(catalog: Catalog, templates: Path) -> Diagnostic:
    """What is said when nothing is made."""
    with pytest.raises(Failure) as failure:
        made(catalog, templates)
    return failure.value.diagnostic
