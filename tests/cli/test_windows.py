"""Paths and line ends of Windows, as far as they can be tried elsewhere."""

from __future__ import annotations

from pathlib import Path, PurePosixPath, PureWindowsPath

import pytest

import toolcast
from toolcast.cli.generate import installable
from toolcast.load.revision import checked_out
from toolcast.view.findings import batches

DOCUMENT = """\
openapi: 3.1.0
info: {title: Ferry, version: "1", description: "Boats.\\nAnd piers."}
servers: [{url: "https://ferry.example"}]
paths:
  /boats:
    get:
      operationId: listBoats
      summary: List boats
      description: |
        Those afloat.
        And those not.
      responses: {"200": {description: OK, content: {application/json: {schema: {$ref: "#/gone"}}}}}
"""


@pytest.mark.parametrize(
    ("folder", "word"),
    [
        (PureWindowsPath(r"out\my-server"), "./out/my-server"),
        (PureWindowsPath(r"C:\Users\ann\my-server"), "C:/Users/ann/my-server"),
        (PureWindowsPath(r"..\my-server"), "../my-server"),
        (PurePosixPath("my server"), "'./my server'"),
    ],
)
def test_what_to_type_next_is_a_word_of_every_shell(folder: PurePosixPath | PureWindowsPath, word: str) -> None:
    assert installable(folder) == word


@pytest.mark.parametrize("address", [r"C:\gone\openapi.yaml", "d:/gone/openapi.yaml"])
def test_a_drive_is_no_revision_of_git(address: str) -> None:
    with checked_out(address) as found:
        assert (found.path, found.tree) == (address, None)


def test_line_ends_change_nothing(tmp_path: Path) -> None:
    packages: list[dict[str, bytes]] = []
    places: list[list[str]] = []
    for name, end in (("unix", "\n"), ("windows", "\r\n")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "openapi.yaml").write_bytes(DOCUMENT.replace("\n", end).encode())
        made = toolcast.generate(tmp_path / name / "openapi.yaml", tmp_path / name / "out")
        assert made.applied
        files = (path for path in (tmp_path / name / "out").rglob("*") if path.is_file())
        packages.append({path.relative_to(tmp_path / name).as_posix(): path.read_bytes() for path in files})
        report = made.inspection.report
        assert report.diagnostics
        found = [place for batch in batches(report.diagnostics) for place in batch.places(report.lines)]
        places.append([place.rpartition(":")[2] for place in found])
    assert packages[0] == packages[1]
    assert not [path for path, content in packages[1].items() if b"\r" in content]
    assert places[0] == places[1]
