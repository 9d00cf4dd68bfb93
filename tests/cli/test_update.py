"""``toolcast update``, ``check`` and ``resolve``: what they print, and how they exit."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from toolcast.__main__ import main
from toolcast.cli.app import app

from .conftest import Run

CONTRACT = "out/src/shelter_mcp/api/tools.json"
PETS = "out/src/shelter_mcp/api/groups/pets.py"


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run ``toolcast`` in an empty folder, without another process: many runs are needed here."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))

    def call(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        done = CliRunner().invoke(app, arguments, env=environment)
        return subprocess.CompletedProcess(arguments, done.exit_code, done.stdout, done.stderr)

    assert main  # which has added the commands
    return call


@pytest.fixture
def package(run: Run, shelter: Path, tmp_path: Path) -> Path:
    """A package that is up to date."""
    assert run("generate", shelter.name, "--output", "out", "--name", "shelter").returncode == 0
    return tmp_path / "out"


def edited(shelter: Path, old: str, new: str) -> None:
    """Change the document."""
    text = shelter.read_text("utf-8")
    assert old in text
    shelter.write_text(text.replace(old, new), "utf-8")


def test_nothing_to_do(run: Run, package: Path) -> None:
    done = run("update", "out")
    assert (done.returncode, done.stdout, done.stderr) == (0, "shelter-mcp: up to date, nothing to write\n", "")
    checked = run("check", "out")
    assert (checked.returncode, checked.stdout, checked.stderr) == (0, "shelter-mcp is up to date\n", "")


def test_in_the_folder_itself(run: Run, package: Path, shelter: Path, tmp_path: Path) -> None:
    edited(shelter, "List the pets", "List all pets")
    done = subprocess.run(
        [sys.executable, "-m", "toolcast", "update"], cwd=package, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "List all pets" in (tmp_path / CONTRACT).read_text("utf-8")


def test_an_update_says_what_it_does(run: Run, package: Path, shelter: Path, tmp_path: Path) -> None:
    module = tmp_path / PETS
    module.write_text(module.read_text("utf-8").replace("annotations\n", "annotations\n\nMINE = 1\n", 1), "utf-8")
    edited(shelter, "List the pets", "List all pets")
    before = run("check", "out")
    assert before.returncode == 10
    assert "is not up to date; what changes is compatible" in before.stdout
    assert "the document has changed" in before.stdout
    assert before.stdout.endswith("toolcast update out\n")
    dry = run("update", "out", "--dry-run")
    assert dry.returncode == 0
    assert "+++ b/src/shelter_mcp/api/groups/pets.py\n@@" in dry.stdout
    assert '-"""List the pets"""\n+"""List all pets"""\n' in dry.stdout
    assert "a dry run: 2 tools; 4 files written" in dry.stderr
    assert "List the pets" in module.read_text("utf-8")
    done = run("update", "out")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("shelter-mcp: 2 tools; 4 files written\n")
    assert f"  merge     {PETS.removeprefix('out/')}\n            your edits stay\n" in done.stdout
    assert "MINE = 1" in module.read_text("utf-8")
    assert "List all pets" in module.read_text("utf-8")


def test_the_diff_can_be_applied(run: Run, package: Path, shelter: Path, tmp_path: Path) -> None:
    edited(shelter, "  /pets:", "  /toys: {get: {operationId: listToys, responses: {}}}\n  /pets:")
    dry = run("update", "out", "--dry-run")
    for path in ("src/shelter_mcp/api/groups/toys.py", "tests/test_toys.py"):
        assert f"--- /dev/null\n+++ b/{path}\n" in dry.stdout
    applied = subprocess.run(["git", "apply", "-"], cwd=package, input=dry.stdout, text=True, check=False)
    assert applied.returncode == 0
    by_hand = {path: path.read_bytes() for path in package.rglob("*.py")}
    assert run("update", "out").returncode == 0
    assert {path: path.read_bytes() for path in package.rglob("*.py")} == by_hand


def test_a_breaking_change(run: Run, package: Path, shelter: Path) -> None:
    edited(shelter, "{name: limit, in: query, schema: {type: integer}}", "")
    done = run("check", "out", "--json")
    assert done.returncode == 20
    found = json.loads(done.stdout)
    assert (found["status"], found["verdict"]) == (20, "breaking")
    assert [change["tool"] for change in found["changes"] if change["verdict"] == "breaking"] == ["list_pets"]
    assert {"path": "src/shelter_mcp/api/tools.json", "action": "replace", "note": ""} in found["files"]
    assert found["reasons"] == ["the document has changed"]


def test_annotations_for_github(run: Run, package: Path, shelter: Path, tmp_path: Path) -> None:
    edited(shelter, "{name: limit, in: query, schema: {type: integer}}", "")
    (package / "README.md").write_text("mine\n", "utf-8")
    done = run("check", "out", "--format", "github", GITHUB_WORKSPACE=str(tmp_path))
    assert done.returncode == 20
    lines = done.stdout.splitlines()
    assert lines[0].startswith("::error file=out/src/shelter_mcp/api/tools.json,title=breaking::list_pets: ")
    assert "::notice file=out/README.md,title=toolcast update%3A keep::edited by you" in lines
    assert all(line.startswith("::") for line in lines[:-1])
    assert lines[-1].endswith("breaks agents or is a risk: run toolcast update out")
    inside = run("check", "out", "--format", "github", GITHUB_WORKSPACE=str(package))
    assert "file=src/shelter_mcp" in inside.stdout


def test_a_conflict(run: Run, package: Path, shelter: Path, tmp_path: Path) -> None:
    module = tmp_path / PETS
    module.write_text(module.read_text("utf-8").replace("List the pets", "My pets"), "utf-8")
    edited(shelter, "List the pets", "List all pets")
    for command in (["update", "out"], ["generate", shelter.name, "--output", "out"]):
        done = run(*command)
        assert done.returncode == 3
        assert "Nothing was changed: 1 file is in conflict." in done.stderr
        assert f"  toolcast resolve {PETS} --mine\n" in done.stderr
        assert "List the pets" in (tmp_path / CONTRACT).read_text("utf-8")
    assert run("update", "out", "--dry-run").returncode == 3
    unmade = run("resolve", PETS)
    assert unmade.returncode == 1
    assert "TC512" in unmade.stderr
    assert run("resolve", PETS, "--mine", "--new").returncode == 2
    decided = run("resolve", PETS, "--mine")
    assert (decided.returncode, decided.stdout.splitlines()[-1]) == (0, "  toolcast update out")
    assert run("update", "out").returncode == 0
    assert "My pets" in module.read_text("utf-8")
    assert "List all pets" in (tmp_path / CONTRACT).read_text("utf-8")


def test_a_folder_that_is_no_package(run: Run, tmp_path: Path) -> None:
    for command in ("update", "check", "watch"):
        done = run(command, "nowhere")
        assert done.returncode == 1
        assert "TC606" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_new_origins(run: Run, package: Path, shelter: Path, tmp_path: Path) -> None:
    edited(shelter, "https://shelter.example", "https://shelter.example.net")
    refused = run("update", "out")
    assert refused.returncode == 1
    assert "TC514" in refused.stderr
    assert "https://shelter.example.net" in refused.stderr
    assert run("check", "out").returncode == 20
    assert "--accept-origins" in run("update", "out", "--dry-run").stderr
    assert run("update", "out", "--accept-origins").returncode == 0
    assert run("check", "out").returncode == 0


@pytest.mark.skipif(os.name != "posix", reason="a terminal of POSIX")
@pytest.mark.parametrize(("answer", "status"), [("y\n", 0), ("n\n", 1)])
def test_new_origins_are_asked_for_at_a_terminal(
    package: Path, shelter: Path, tmp_path: Path, answer: str, status: int
) -> None:
    import pty

    edited(shelter, "https://shelter.example", "https://shelter.example.net")
    master, slave = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "XDG_STATE_HOME": str(tmp_path / "state")}
    with subprocess.Popen(
        [sys.executable, "-m", "toolcast", "update", "out"],
        cwd=tmp_path, env=environment, stdin=slave, stdout=slave, stderr=slave,
    ) as process:  # fmt: skip
        os.close(slave)
        told = b""
        try:
            while b"[y/N]" not in told:
                told += os.read(master, 1024)
            os.write(master, answer.encode())
            while process.poll() is None:
                told += os.read(master, 1024)
        except OSError:  # the other end is closed
            pass
        process.wait(60)
    os.close(master)
    assert process.returncode == status, told
    assert b"shelter.example.net" in told
