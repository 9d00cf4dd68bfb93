"""``toolcast init``, and a configuration that is there before its package."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from .conftest import Run


def test_a_starting_point_is_a_configuration_that_generates(run: Run, shelter: Path, tmp_path: Path) -> None:
    done = run("init", shelter.name, "--output", "out", "--name", "shelter")
    assert done.returncode == 0, done.stderr
    text = (tmp_path / "out/toolcast.toml").read_text("utf-8")
    settings = tomllib.loads(text)
    assert settings["document"] == {"address": "../shelter.yaml", "overlays": []}
    assert settings["name"] == "shelter"
    assert "# [tools.list_pets]  # GET /pets" in text
    assert run("generate", "--output", "out").returncode == 0
    assert (tmp_path / "out/toolcast.toml").read_text("utf-8") == text


def test_its_examples_are_true_of_the_document(run: Run, shelter: Path, tmp_path: Path) -> None:
    run("init", shelter.name, "--output", "out", "--name", "shelter")
    path = tmp_path / "out/toolcast.toml"
    text = path.read_text("utf-8")
    head, example = text.split("# For example:\n")
    lines, rest = re.split(r"\n\n", example, maxsplit=1)
    uncommented = "\n".join(line.removeprefix("# ") for line in lines.splitlines())
    head = head.replace("# include.paths", "include.paths")
    path.write_text(f"{head}{uncommented}\n\n{rest}", "utf-8")
    done = run("generate", "--output", "out")
    assert done.returncode == 0, done.stderr


def test_a_configuration_that_is_there_is_left_alone(run: Run, shelter: Path, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out/toolcast.toml").write_text("# mine\n", "utf-8")
    done = run("init", shelter.name, "--output", "out")
    assert done.returncode == 1 and "TC608" in done.stderr
    assert (tmp_path / "out/toolcast.toml").read_text("utf-8") == "# mine\n"


def test_a_configuration_by_hand_gets_what_it_lacks(run: Run, shelter: Path, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    path = tmp_path / "out/toolcast.toml"
    path.write_text("# mine\n\n[tools.list_pets]  # all of them\ntitle = 'All'\n", "utf-8")
    assert run("generate", shelter.name, "--output", "out").returncode == 0
    text = path.read_text("utf-8")
    added = 'document = "../shelter.yaml"\nname = "pet-shelter"\n'
    assert text == f"# mine\n\n{added}\n[tools.list_pets]  # all of them\ntitle = 'All'\n"
    shelter.write_text(shelter.read_text("utf-8").replace("Pet shelter", "Asylum"), "utf-8")
    assert run("generate", "--output", "out").returncode == 0
    assert (tmp_path / "out/src/pet_shelter_mcp").is_dir()


def test_a_file_in_the_way_is_not_written_over(run: Run, shelter: Path, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out/toolcast.toml").write_text("name = 'shelter'\n", "utf-8")
    (tmp_path / "out/TOOLS.md").write_text("mine", "utf-8")
    done = run("generate", shelter.name, "--output", "out")
    assert done.returncode == 3 and "TOOLS.md" in done.stderr
    assert (tmp_path / "out/TOOLS.md").read_text("utf-8") == "mine"


def test_wishes_are_inspected_before_anything_is_written(run: Run, shelter: Path, tmp_path: Path) -> None:
    (tmp_path / "wishes.toml").write_text("[tools.listPets]\nname = 'all_pets'\n", "utf-8")
    assert "all_pets" in run("inspect", shelter.name, "--config", "wishes.toml").stdout
    missing = run("inspect", shelter.name, "--config", "nowhere.toml")
    assert missing.returncode == 1 and "TC607" in missing.stderr
    (tmp_path / "wishes.toml").write_text("[tools.listPet]\nname = 'all_pets'\n", "utf-8")
    wrong = run("inspect", shelter.name, "--config", "wishes.toml")
    assert wrong.returncode == 1 and "wishes.toml:1: No operation is called 'listPet'" in wrong.stderr
