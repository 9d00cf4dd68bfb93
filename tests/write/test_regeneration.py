"""Regeneration of a whole package: what the owner has done meets what the document has become."""

from __future__ import annotations

from pathlib import Path

import pytest

from toolcast import pipeline
from toolcast.diagnostics import Report

DOCUMENT = """\
openapi: 3.1.0
info: {title: Pets, version: "1"}
servers: [{url: "https://pets.example"}]
paths:
  /pets: {get: {operationId: listPets, responses: {"200": {description: OK.}}}}
  /toys: {get: {operationId: listToys, responses: {"200": {description: OK.}}}}
"""
GROWN = DOCUMENT.replace("paths:\n", "paths:\n  /pets/{id}: {delete: {operationId: removePet, "
    "parameters: [{name: id, in: path, required: true, schema: {type: string}}], "
    "responses: {'204': {description: Gone.}}}}\n")  # fmt: skip
SHRUNK = "\n".join(line for line in DOCUMENT.splitlines() if "/toys" not in line)


def generate(tmp_path: Path, text: str) -> pipeline.Generation:
    """The package of a document, made or brought up to date."""
    (tmp_path / "pets.yaml").write_text(text, "utf-8")
    return pipeline.generate(str(tmp_path / "pets.yaml"), tmp_path / "pets", report=Report())


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """The package as it was first made."""
    assert generate(tmp_path, DOCUMENT).applied
    return tmp_path / "pets"


def times(package: Path) -> dict[Path, int]:
    """When each file and folder was last written."""
    return {path: path.stat().st_mtime_ns for path in package.rglob("*")}


def test_the_same_document_writes_nothing(package: Path, tmp_path: Path) -> None:
    before = times(package)
    again = generate(tmp_path, DOCUMENT)
    assert again.applied
    assert {step.action for step in again.plan.steps} == {"same", "keep"}
    assert times(package) == before


def test_a_checkout_with_other_line_ends_is_untouched(package: Path, tmp_path: Path) -> None:
    for path in package.rglob("*.py"):
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert not generate(tmp_path, DOCUMENT).plan.of("create", "replace", "delete", "conflict", "pending")
    assert generate(tmp_path, GROWN).applied


def test_what_the_document_gains_and_loses_is_gained_and_lost(package: Path, tmp_path: Path) -> None:
    assert generate(tmp_path, GROWN).applied
    assert "REMOVE_PET" in (package / "src/pets_mcp/api/groups/pets.py").read_text("utf-8")
    assert generate(tmp_path, SHRUNK).applied
    assert not (package / "src/pets_mcp/api/groups/toys.py").exists()
    assert not (package / "tests/test_toys.py").exists()


def test_the_owners_files_stay_and_an_edited_shared_file_never_blocks(package: Path, tmp_path: Path) -> None:
    edits = {
        name: f"# mine: {name}\n" for name in ("README.md", ".gitignore", ".env.example", "src/pets_mcp/server.py")
    }
    settings = (package / "toolcast.toml").read_text("utf-8")
    edits["toolcast.toml"] = f"# mine\n{settings}"
    edits["pyproject.toml"] = (package / "pyproject.toml").read_text("utf-8").replace("[project]", "# mine\n[project]")
    for name, text in edits.items():
        (package / name).write_text(text, "utf-8")
    for _ in range(2):
        again = generate(tmp_path, GROWN)
        assert again.applied
        assert {name: (package / name).read_text("utf-8") for name in edits} == edits
        # Only the README would say something new; it is told until it does.
        (waiting,) = again.plan.of("pending")
        assert (waiting.path, "3 tools" in (waiting.text or "")) == ("README.md", True)


def test_an_edited_generated_file_that_would_change_stops_everything(package: Path, tmp_path: Path) -> None:
    module = package / "src/pets_mcp/api/groups/pets.py"
    module.write_text(module.read_text("utf-8") + "# mine\n", "utf-8")
    assert generate(tmp_path, DOCUMENT).applied  # its rendition is the same
    before = times(package)
    again = generate(tmp_path, GROWN)
    assert not again.applied
    assert [step.path for step in again.plan.of("conflict")] == ["src/pets_mcp/api/groups/pets.py"]
    assert times(package) == before
