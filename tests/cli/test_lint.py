"""``toolcast lint``: for people, for machines, and in CI."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from .conftest import SHELTER, Run

MORE = """\
  /pets/{petId}:
    get:
      parameters: [{name: petId, in: path, required: true, schema: {type: string}}]
      responses: {"200": {description: OK, content: {application/json: {schema: {type: string}}}}}
"""


def test_for_people(call: Run, shelter: Path) -> None:
    shelter.write_text(SHELTER + MORE, "utf-8")
    done = call("lint", shelter.name)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert "warning TC401 shelter.yaml:21: GET /pets/{petId} has neither summary nor description" in lines
    assert "info TC433 3 times, shelter.yaml:6, :11, :21: … documents no error" in lines
    assert [line[:8].strip() for line in lines[-3:]] == ["Score", "Lost", "Fixes"]
    assert lines[-1] == "Fixes    2 findings can be put right at once: --overlay fixes.yaml writes how"
    each = call("lint", shelter.name, "--all").stdout
    assert each.count("TC433 shelter.yaml:") == 3


def test_for_machines(call: Run, shelter: Path) -> None:
    shelter.write_text(SHELTER + MORE + '  /lost: {get: {parameters: [{$ref: "#/nowhere"}]}}\n', "utf-8")
    found = json.loads(call("lint", shelter.name, "--json").stdout)
    assert found.keys() == {"document", "score", "lost", "diagnostics"}
    assert found["document"] == "shelter.yaml"
    assert 0 < found["score"] < 100 and found["lost"].keys() <= {entry["code"] for entry in found["diagnostics"]}
    assert [entry["operation"] for entry in found["diagnostics"] if "operation" in entry] == ["GET /lost"]
    fixes = {entry["code"]: entry["fix"] for entry in found["diagnostics"] if "fix" in entry}
    assert fixes["TC411"] == {"operationId": "getPetsByPetId"}


def test_a_score_that_is_too_low(call: Run, shelter: Path) -> None:
    score = json.loads(call("lint", shelter.name, "--json").stdout)["score"]
    assert call("lint", shelter.name, "--min-score", str(score)).returncode == 0
    done = call("lint", shelter.name, "--min-score", str(score + 1))
    assert done.returncode == 1
    assert f"Score    {score} of 100" in done.stdout
    assert f"error TC630 The score is {score}, and --min-score wants {score + 1}" in done.stderr
    assert call("lint", shelter.name, "--min-score", "101").returncode == 2


def test_rules_that_are_left_out(call: Run, shelter: Path) -> None:
    found = json.loads(call("lint", shelter.name, "--json").stdout)["diagnostics"]
    codes = {entry["code"] for entry in found}
    done = call("lint", shelter.name, "--json", *(part for code in codes for part in ("--ignore", code)))
    assert json.loads(done.stdout) == {"document": "shelter.yaml", "score": 100, "lost": {}, "diagnostics": []}
    unknown = call("lint", shelter.name, "--ignore", "TC999")
    assert unknown.returncode == 1 and "error TC632 There is no rule 'TC999' to ignore" in unknown.stderr


def test_an_overlay(call: Run, shelter: Path, tmp_path: Path) -> None:
    shelter.write_text(SHELTER + MORE, "utf-8")
    done = call("lint", shelter.name, "--overlay", "fixes.yaml")
    assert done.stdout.splitlines()[-1].startswith("Fixes    2 findings can be put right by fixes.yaml: review it")
    overlay = yaml.safe_load((tmp_path / "fixes.yaml").read_text("utf-8"))
    assert overlay["extends"] == "shelter.yaml"
    assert [action["target"] for action in overlay["actions"]] == ["$.paths['/pets/{petId}'].get"]
    again = call("lint", shelter.name, "--overlay", "fixes.yaml")
    assert again.returncode == 1 and "TC631" in again.stderr


def test_nothing_to_put_right_is_no_file(call: Run, shelter: Path, tmp_path: Path) -> None:
    done = call("lint", shelter.name, "--overlay", "fixes.yaml")
    assert "none that a rule can make; fixes.yaml is not written" in done.stdout
    assert not (tmp_path / "fixes.yaml").exists()


def test_annotations(call: Run, shelter: Path) -> None:
    shelter.write_text(SHELTER.replace("List the pets", "get data"), "utf-8")
    lines = call("lint", shelter.name, "--github").stdout.splitlines()
    assert (
        "::warning file=shelter.yaml,line=6,title=TC402::The text of GET /pets says nothing of it: 'get data'. "
        "Say what it does, to what, and when to use it."
    ) in lines
    assert all(line.startswith(("::warning file=", "::notice file=")) for line in lines)


@pytest.mark.parametrize("columns", ["60", "80"])
def test_no_line_of_the_summary_is_wider_than_the_terminal(run: Run, shelter: Path, columns: str) -> None:
    shelter.write_text(SHELTER + MORE, "utf-8")
    out = run("lint", shelter.name, COLUMNS=columns).stdout
    assert all(len(line) <= int(columns) for line in out[out.index("Score ") :].splitlines())


def test_a_document_that_is_none(call: Run) -> None:
    done = call("lint", "nowhere.yaml")
    assert (done.returncode, done.stdout) == (1, "")
    assert "TC001" in done.stderr
