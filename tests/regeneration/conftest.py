"""A package in the hands of its owner: a document that changes, edits, and git around both."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from toolcast import pipeline
from toolcast.diagnostics import Report
from toolcast.pipeline import Generation

DOCUMENT = """\
openapi: 3.1.0
info: {title: Pets, version: "1"}
servers: [{url: "https://pets.example"}]
paths:
  /pets:
    get:
      operationId: listPets
      summary: List the pets
      parameters: [{name: limit, in: query, schema: {type: integer}}]
      responses: {"200": {description: OK.}}
  /pets/{id}:
    get:
      operationId: getPet
      summary: One pet
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      responses: {"200": {description: OK.}}
  /toys:
    get:
      operationId: listToys
      summary: List the toys
      responses: {"200": {description: OK.}}
"""

TOOLS = "src/pets_mcp/api/tools.json"
PETS = "src/pets_mcp/api/groups/pets.py"
TOYS = "src/pets_mcp/api/groups/toys.py"
SERVER = "src/pets_mcp/server.py"


@dataclass(frozen=True, slots=True)
class Owner:
    """Who has a document and a package, in one folder."""

    folder: Path

    @property
    def package(self) -> Path:
        """The package's folder."""
        return self.folder / "pets"

    def write(self, document: str) -> None:
        """Change the document."""
        (self.folder / "pets.yaml").write_text(document, "utf-8")

    def generate(self, document: str = DOCUMENT) -> Generation:
        """Make the package, or bring it up to date, by ``generate``."""
        self.write(document)
        return pipeline.generate(str(self.folder / "pets.yaml"), self.package, report=Report(), name="pets")

    def update(self, document: str | None = None, consent: pipeline.Consent = lambda _: False) -> Generation:
        """Bring the package up to date."""
        if document is not None:
            self.write(document)
        return pipeline.update(self.package, report=Report(), consent=consent)

    def text(self, path: str) -> str:
        """A file of the package."""
        return (self.package / path).read_text("utf-8")

    def edit(self, path: str, *, after: str = "", append: str = "", line: str = "") -> str:
        """Edit a file: a line after another that contains a text, or at the end; gives that line."""
        text = self.text(path)
        if append:
            text += append
        else:
            head, found, tail = text.partition(after)
            assert found, f"{after!r} is not in {path}"
            rest, _, tail = tail.partition("\n")
            text = f"{head}{found}{rest}\n{line}\n{tail}"
        (self.package / path).write_text(text, "utf-8")
        return append or line

    def tree(self) -> dict[str, bytes]:
        """Every file of the package, and of what lies beside it."""
        return tree(self.folder)

    def git(self, *arguments: str, cwd: Path | None = None) -> str:
        """Run git, as somebody with no settings."""
        return git(cwd or self.folder, *arguments)

    def commit(self) -> None:
        """Commit everything."""
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", "A state")


def tree(folder: Path) -> dict[str, bytes]:
    """Every file below a folder but git's, with its contents."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and ".git" not in path.relative_to(folder).parts
    }


def git(folder: Path, *arguments: str, **environment: str) -> str:
    """Run git in a folder, as somebody with no settings."""
    done = subprocess.run(
        ["git", *arguments], cwd=folder, env=GIT | environment, capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


GIT = {
    **{name: value for name, value in os.environ.items() if not name.startswith("GIT_")},
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_AUTHOR_NAME": "Owner",
    "GIT_AUTHOR_EMAIL": "owner@example.org",
    "GIT_COMMITTER_NAME": "Owner",
    "GIT_COMMITTER_EMAIL": "owner@example.org",
}


def actions(made: Generation) -> dict[str, str]:
    """What happens to each path that changes, conflicts, or was edited."""
    return {
        step.path: step.action
        for step in made.plan.steps
        if step.changes or step.action == "conflict" or (step.action == "keep" and step.note != "yours")
    }


@pytest.fixture
def owner(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Owner:
    """An owner in no repository, on a machine that has seen no package before."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    (tmp_path / "work").mkdir()
    return Owner(tmp_path / "work")


@pytest.fixture
def committer(owner: Owner) -> Owner:
    """An owner whose package is committed, as it was generated."""
    owner.git("init", "--quiet", "--initial-branch", "main")
    owner.generate()
    owner.commit()
    return owner
