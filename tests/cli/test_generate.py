"""``toolcast generate``: what it makes, what it says, and what it leaves behind when it fails."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .conftest import SHELTER, Run


def test_a_package_is_made(run: Run, shelter: Path, tmp_path: Path) -> None:
    done = run("generate", shelter.name, "--output", "out", "--name", "shelter")
    assert done.returncode == 0, done.stderr
    assert "shelter-mcp: 2 tools, 1 of which only read" in done.stdout
    assert done.stderr == ""  # silent when it is no terminal
    listed = json.loads((tmp_path / "out/src/shelter_mcp/api/tools.json").read_text("utf-8"))
    assert [tool["name"] for tool in listed["tools"]] == ["list_pets", "create_pet"]


def test_the_name_comes_from_the_title(run: Run, shelter: Path, tmp_path: Path) -> None:
    assert run("generate", shelter.name, "--output", "out").returncode == 0
    assert (tmp_path / "out/src/pet_shelter_mcp/server.py").is_file()
    assert 'document = "../shelter.yaml"' in (tmp_path / "out/toolcast.toml").read_text("utf-8")


def test_a_second_run_writes_nothing(run: Run, shelter: Path, tmp_path: Path) -> None:
    run("generate", shelter.name, "--output", "out")
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "out").rglob("*.py")}
    done = run("generate", shelter.name, "--output", "out")
    assert "nothing to write" in done.stdout
    assert {path: path.stat().st_mtime_ns for path in (tmp_path / "out").rglob("*.py")} == before


def test_names_stay_when_the_document_changes(run: Run, shelter: Path, tmp_path: Path) -> None:
    run("generate", shelter.name, "--output", "out")
    shelter.write_text(SHELTER.replace("operationId: listPets", "operationId: findThePets"), "utf-8")
    assert run("generate", shelter.name, "--output", "out").returncode == 0
    listed = json.loads((tmp_path / "out/src/pet_shelter_mcp/api/tools.json").read_text("utf-8"))
    assert [tool["name"] for tool in listed["tools"]] == ["list_pets", "create_pet"]


def test_a_name_moves_with_its_operation(run: Run, shelter: Path, tmp_path: Path) -> None:
    run("generate", shelter.name, "--output", "out")
    lock = tmp_path / "out/toolcast.lock"
    lock.write_text(lock.read_text("utf-8").replace('"list_pets"', '"show_pets"'), "utf-8")
    shelter.write_text(SHELTER.replace("/pets:", "/animals:"), "utf-8")
    assert run("generate", shelter.name, "--output", "out").returncode == 0
    listed = json.loads((tmp_path / "out/src/pet_shelter_mcp/api/tools.json").read_text("utf-8"))
    assert "show_pets" in [tool["name"] for tool in listed["tools"]]


def test_a_package_knows_its_document(run: Run, shelter: Path, tmp_path: Path) -> None:
    run("generate", shelter.name, "--output", "out", "--name", "shelter")
    shelter.write_text(SHELTER.replace("List the pets", "List all pets"), "utf-8")
    assert run("generate", "--output", "out").returncode == 0
    assert "List all pets" in (tmp_path / "out/src/shelter_mcp/api/tools.json").read_text("utf-8")
    (tmp_path / "out/toolcast.toml").unlink()
    lost = run("generate", shelter.name, "--output", "out")
    assert lost.returncode == 1
    assert "TC605" in lost.stderr


def test_no_document_at_all(run: Run) -> None:
    done = run("generate", "--output", "out")
    assert done.returncode == 1
    assert "TC604" in done.stderr


def test_the_next_command_can_be_pasted(run: Run, shelter: Path) -> None:
    assert "pip install ./out &&" in run("generate", shelter.name, "--output", "out").stdout
    assert "pip install './my $out' &&" in run("generate", shelter.name, "--output", "my $out").stdout


def test_an_edited_file_is_merged(run: Run, shelter: Path, tmp_path: Path) -> None:
    run("generate", shelter.name, "--output", "out")
    group = tmp_path / "out/src/pet_shelter_mcp/api/groups/pets.py"
    group.write_text(group.read_text("utf-8") + "\n# mine\n", "utf-8")
    shelter.write_text(SHELTER.replace("name: limit", "name: page"), "utf-8")
    done = run("generate", shelter.name, "--output", "out")
    assert done.returncode == 0, done.stderr
    assert "merge     src/pet_shelter_mcp/api/groups/pets.py" in done.stdout
    assert group.read_text("utf-8").endswith("# mine\n")
    assert 'Query("page")' in group.read_text("utf-8")


def test_a_document_from_standard_input(run: Run, tmp_path: Path) -> None:
    assert run("generate", "-", "--output", "out", stdin=SHELTER).returncode == 0
    assert (tmp_path / "out/toolcast.lock").is_file()


@pytest.mark.parametrize(
    ("document", "code", "told"),
    [
        ("openapi: 3.1.0\ninfo: {title: x, version: '1'\npaths: {}\n", "TC020", "document.yaml:3"),
        ("- just\n- a list\n", "TC030", "document.yaml"),
        ('swagger: "1.2"\ninfo: {title: x, version: "1"}\npaths: {}\n', "TC033", "Swagger 1.2 is not supported"),
        ("asyncapi: 3.0.0\n", "TC032", "AsyncAPI"),
    ],
)
def test_a_document_that_is_none(run: Run, tmp_path: Path, document: str, code: str, told: str) -> None:
    (tmp_path / "document.yaml").write_text(document, "utf-8")
    done = run("generate", "document.yaml", "--output", "out")
    assert done.returncode == 1
    assert code in done.stderr
    assert told in done.stderr
    assert "Traceback" not in done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["document.yaml"]


def test_a_missing_file(run: Run, tmp_path: Path) -> None:
    done = run("generate", "nowhere.yaml", "--output", "out")
    assert done.returncode == 1
    assert "error TC001 There is no file nowhere.yaml" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_an_unreachable_address(run: Run, tmp_path: Path) -> None:
    done = run("generate", "http://127.0.0.1:9/openapi.json", "--output", "out")
    assert done.returncode == 1
    assert "TC004" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_foreign_folder_is_refused(run: Run, shelter: Path, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out/notes.txt").write_text("mine", "utf-8")
    done = run("generate", shelter.name, "--output", "out")
    assert done.returncode == 1
    assert "TC501" in done.stderr
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["notes.txt"]


def test_strict_allows_no_warnings(run: Run, shelter: Path, tmp_path: Path) -> None:
    shelter.write_text(SHELTER.replace("/pets:", "/pets/{id}:"), "utf-8")
    refused = run("generate", shelter.name, "--output", "out", "--strict")
    assert refused.returncode == 1
    assert "warning TC233 shelter.yaml:6: The placeholder {id}" in refused.stderr
    assert not (tmp_path / "out").exists()
    loose = run("generate", shelter.name, "--output", "out")
    assert loose.returncode == 0
    assert "TC233" in loose.stderr


@pytest.mark.parametrize("name", ["Pet Store", "3scale", "x" * 41, "a--b", "über"])
def test_a_name_that_is_none(run: Run, shelter: Path, tmp_path: Path, name: str) -> None:
    done = run("generate", shelter.name, "--output", "out", "--name", name)
    assert done.returncode == 1
    assert "TC601" in done.stderr
    assert not (tmp_path / "out").exists()


def test_another_name_than_before_is_refused(run: Run, shelter: Path) -> None:
    run("generate", shelter.name, "--output", "out", "--name", "shelter")
    done = run("generate", shelter.name, "--output", "out", "--name", "asylum")
    assert done.returncode == 1
    assert "TC603" in done.stderr


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('nmae = "x"', "Did you mean `name`?"),
        ("version = 3", "`version` should be a text"),
        ('version = "one"', "no version"),
        ("name =", "no TOML"),
    ],
)
def test_a_configuration_that_cannot_be_meant(run: Run, shelter: Path, tmp_path: Path, line: str, told: str) -> None:
    run("generate", shelter.name, "--output", "out", "--name", "shelter")
    (tmp_path / "out/toolcast.toml").write_text(f'document = "../shelter.yaml"\n{line}\n', "utf-8")
    done = run("generate", shelter.name, "--output", "out")
    assert done.returncode == 1
    assert told in done.stderr
    assert "toolcast.toml:2" in done.stderr


def test_usage(run: Run) -> None:
    assert run("generate").returncode == 2
    assert run("--version").stdout.startswith("toolcast ")
    assert "generate" in run("--help").stdout
