"""``toolcast inspect``: for people and for machines."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .conftest import SHELTER, Run


def test_for_people(run: Run, shelter: Path) -> None:
    done = run("inspect", shelter.name)
    assert done.returncode == 0
    assert "list_pets" in done.stdout
    assert "GET /pets" in done.stdout
    assert "2 tools: 1 read, 1 write, 0 may destroy" in done.stdout


@pytest.mark.parametrize("columns", ["60", "80", "120"])
def test_no_line_is_wider_than_the_terminal(run: Run, shelter: Path, columns: str) -> None:
    done = run("inspect", shelter.name, COLUMNS=columns)
    assert all(len(line) <= int(columns) for line in done.stdout.splitlines())


def test_names_are_whole_where_nobody_looks(run: Run, shelter: Path) -> None:
    long = "aVeryLongNameOfAnOperationThatTakesItsRoom"
    shelter.write_text(SHELTER.replace("listPets", long), "utf-8")
    line = next(line for line in run("inspect", shelter.name).stdout.splitlines() if "a_very" in line)
    assert line.split()[-2:] == ["GET", "/pets"]
    assert len(line.split()) == 5


def test_a_full_disk_is_said(run: Run, shelter: Path) -> None:
    with Path("/dev/full").open("w") as full:
        done = run("inspect", shelter.name, stdout=full)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert "No space left on device" in done.stderr


def test_for_machines(run: Run, shelter: Path) -> None:
    shelter.write_text(SHELTER + '  /lost: {get: {parameters: [{$ref: "#/nowhere"}]}}\n', "utf-8")
    done = run("inspect", shelter.name, "--json")
    assert done.returncode == 0
    found = json.loads(done.stdout)
    assert [tool["name"] for tool in found["tools"]] == ["list_pets", "create_pet"]
    assert found["tools"][0]["hints"]["readOnly"] == {"value": True, "reason": "GET only reads"}
    assert found["tokens"] == sum(tool["tokens"] for tool in found["tools"])
    lost = [entry for entry in found["diagnostics"] if entry.get("operation")]
    assert [entry["operation"] for entry in lost] == ["GET /lost"]
    assert lost[0]["location"].startswith("shelter.yaml:2")
    assert {"code", "severity", "message", "location", "help"} <= lost[0].keys()


def test_failures_are_for_people_too(run: Run) -> None:
    done = run("inspect", "nowhere.yaml", "--json")
    assert done.returncode == 1
    assert done.stdout == ""
    assert "TC001" in done.stderr
