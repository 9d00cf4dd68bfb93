"""The command line, as a user calls it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import IO

import pytest
from typer.testing import CliRunner

from toolcast.__main__ import app  # with its commands

Run = Callable[..., "subprocess.CompletedProcess[str]"]

SHELTER = """\
openapi: 3.1.0
info: {title: Pet shelter, version: 1.0.0}
servers: [{url: "https://shelter.example/v1"}]
paths:
  /pets:
    get:
      operationId: listPets
      summary: List the pets
      parameters: [{name: limit, in: query, schema: {type: integer}}]
      responses: {"200": {description: OK}}
    post:
      operationId: createPet
      summary: Register a pet
      requestBody:
        required: true
        content:
          application/json:
            schema: {type: object, required: [name], properties: {name: {type: string}}}
      responses: {"201": {description: Created}}
"""


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Run ``toolcast`` in an empty folder, with a state folder of its own."""

    def call(
        *arguments: str, stdin: str = "", stdout: IO[str] | int = subprocess.PIPE, **environment: str
    ) -> subprocess.CompletedProcess[str]:
        inherited = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "FORCE_COLOR", "TOOLCAST_DEBUG")}
        return subprocess.run(
            [sys.executable, "-m", "toolcast", *arguments],
            cwd=tmp_path,
            env={**inherited, "XDG_STATE_HOME": str(tmp_path / "state"), **environment},
            input=stdin,
            stdout=stdout,
            stderr=subprocess.PIPE,
            text=True,
            timeout=120,
            check=False,
        )

    return call


@pytest.fixture
def call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run ``toolcast`` in an empty folder, within this process: ten times as fast, without a terminal's environment."""
    monkeypatch.chdir(tmp_path)

    def called(*arguments: str) -> subprocess.CompletedProcess[str]:
        done = CliRunner().invoke(app, arguments)
        return subprocess.CompletedProcess(arguments, done.exit_code, done.stdout, done.stderr)

    return called


@pytest.fixture
def shelter(tmp_path: Path) -> Path:
    """A small document."""
    path = tmp_path / "shelter.yaml"
    path.write_text(SHELTER, "utf-8")
    return path
