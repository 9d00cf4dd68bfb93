"""``toolcast inspect``: for people and for machines."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from .conftest import SHELTER, Run

DELETE = """\
  /pets/{petId}:
    parameters: [{name: petId, in: path, required: true, schema: {type: string}}]
    get: {deprecated: true}
    put: {parameters: [{$ref: "#/nowhere"}]}
    delete: {operationId: deletePet, description: "Take it away\\u200b for good"}
"""


def test_for_people(run: Run, shelter: Path) -> None:
    done = run("inspect", shelter.name)
    assert done.returncode == 0
    assert "list_pets" in done.stdout
    assert "GET /pets" in done.stdout
    assert "2 tools: 1 read, 1 write, 0 may destroy" in done.stdout


def test_marks_and_totals(call: Run, shelter: Path) -> None:
    shelter.write_text(SHELTER + DELETE, "utf-8")
    lines = call("inspect", shelter.name).stdout.splitlines()
    assert lines[:2] == ["Pet shelter 1.0.0", "shelter.yaml → pet-shelter-mcp"]
    told = {line.split()[1]: line[2:5] for line in lines if line[:2] == "  " and "/pets" in line}
    assert told == {"list_pets": "r  ", "create_pet": "w  ", "delete_pet": "d=!"}
    totals = {line[:9].strip(): line[9:] for line in lines if line[:1].isupper() and line[8:9] == " "}
    assert totals["Offered"] == "3 tools: 1 read, 1 write, 1 may destroy"
    assert totals["Left out"] == "1 deprecated operation: GET /pets/{petId}"
    assert totals["No tool"] == "1 operation: PUT /pets/{petId}"
    assert totals["Tokens"].startswith("about ") and "the biggest: " in totals["Tokens"]


def test_findings_are_told_by_code(call: Run, shelter: Path) -> None:
    paths = "".join(f'  /lost{n}: {{get: {{parameters: [{{$ref: "#/nowhere"}}]}}}}\n' for n in range(5))
    shelter.write_text(SHELTER + paths, "utf-8")
    told = call("inspect", shelter.name)
    assert told.stderr == ""
    found = [line for line in told.stdout.splitlines() if "TC204" in line]
    assert found == [
        "warning TC204 5 times, shelter.yaml:20, :21, :22 …: GET … is left out: "
        "The parameter refers to '#/nowhere', and nothing is there"
    ]
    each = [line for line in call("inspect", shelter.name, "--all").stdout.splitlines() if "TC204" in line]
    assert len(each) == 5 and each[4].startswith("warning TC204 shelter.yaml:24: GET /lost4 is left out")


def test_limits_of_clients(call: Run, shelter: Path) -> None:
    shelter.write_text(SHELTER + "".join(f"  /p{n}: {{get: {{responses: {{}}}}}}\n" for n in range(101)), "utf-8")
    out = call("inspect", shelter.name).stdout
    assert "Limits   Windsurf: takes 100 tools in all; here 103 tools" in out
    found = json.loads(call("inspect", shelter.name, "--json").stdout)["limits"]
    assert [entry["id"] for entry in found] == ["tools-windsurf", "tools-cursor"]
    assert found[0].keys() == {"id", "client", "what", "value", "source", "tools"}


def test_a_page(call: Run, shelter: Path, tmp_path: Path) -> None:
    done = call("inspect", shelter.name, "--html", "tools.html")
    assert (done.returncode, done.stdout, done.stderr) == (0, "tools.html: 2 tools\n", "")
    assert "list_pets" in (tmp_path / "tools.html").read_text("utf-8")
    both = call("inspect", shelter.name, "--html", "tools.html", "--json")
    assert len(json.loads(both.stdout)["tools"]) == 2
    lost = call("inspect", shelter.name, "--html", "no/such/folder/tools.html")
    assert lost.returncode == 1 and "No such file" in lost.stderr and "Traceback" not in lost.stderr


def test_no_color(run: Run, shelter: Path) -> None:
    assert "\x1b[" in run("inspect", shelter.name, FORCE_COLOR="1").stdout
    plain = run("inspect", shelter.name, FORCE_COLOR="1", NO_COLOR="1").stdout
    assert not re.search(r"\x1b\[[0-9;]*3[0-9]", plain)
    assert "\x1b[" not in run("inspect", shelter.name).stdout


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
    tool = found["tools"][1]
    assert tool["location"] == "shelter.yaml:11"
    assert tool["request"]["method"] == "POST" and tool["request"]["target"] == "/pets"
    assert json.loads(tool["request"]["body"]) == tool["example"]


def test_failures_are_for_people_too(run: Run) -> None:
    done = run("inspect", "nowhere.yaml", "--json")
    assert done.returncode == 1
    assert done.stdout == ""
    assert "TC001" in done.stderr
