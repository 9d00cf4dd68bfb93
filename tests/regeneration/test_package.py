"""What an update writes, what it leaves alone, and which folders it refuses."""

from __future__ import annotations

from pathlib import Path

import pytest

from toolcast import pipeline
from toolcast.diagnostics import Failure, Report

from .conftest import DOCUMENT, PETS, SERVER, TOOLS, TOYS, Owner, actions, tree

SHRUNK = DOCUMENT[: DOCUMENT.index("  /toys:")]


def times(package: Path) -> dict[Path, int]:
    """When each file and folder was last written."""
    return {path: path.stat().st_mtime_ns for path in package.rglob("*")}


def test_the_same_document_writes_nothing(owner: Owner) -> None:
    owner.generate()
    before = times(owner.package)
    for again in (owner.generate(), owner.update()):
        assert again.applied
        assert actions(again) == {}
        assert times(owner.package) == before


def test_what_the_document_gains_and_loses_is_gained_and_lost(owner: Owner) -> None:
    owner.generate(SHRUNK)
    assert not (owner.package / TOYS).exists()
    assert actions(owner.update(DOCUMENT))[TOYS] == "create"
    assert actions(owner.update(SHRUNK))[TOYS] == "delete"
    assert not (owner.package / TOYS).exists()
    assert not (owner.package / "tests/test_toys.py").exists()


def test_generate_into_a_package_is_an_update_with_that_document(owner: Owner) -> None:
    owner.generate()
    owner.edit("README.md", append="\nThese words are mine.\n")
    (owner.package / "mine.py").write_text("mine = 1\n")
    other = owner.folder / "other.yaml"
    other.write_text(SHRUNK, "utf-8")
    assert pipeline.generate(str(other), owner.package, report=Report()).applied
    assert not (owner.package / TOYS).exists()
    assert "These words are mine." in owner.text("README.md")
    assert owner.text("mine.py") == "mine = 1\n"
    assert 'document = "../pets.yaml"' in owner.text("toolcast.toml")  # the owner's


def test_what_is_not_wanted_stays_away(owner: Owner) -> None:
    owner.generate()
    (owner.package / ".toolcastignore").write_text("TOOLS.md\n/tests/\n")
    (owner.package / "TOOLS.md").unlink()
    made = owner.update(SHRUNK)
    assert made.applied
    assert not (owner.package / "TOOLS.md").exists()
    assert (owner.package / "tests/test_toys.py").exists()  # left alone, as it is the owner's now
    assert not [path for path in made.lock.files if path.startswith(("tests/", "TOOLS"))]


def test_a_server_that_the_owner_removed_does_not_come_back(owner: Owner) -> None:
    owner.generate()
    (owner.package / SERVER).unlink()
    assert owner.update(SHRUNK).applied
    assert not (owner.package / SERVER).exists()


def test_a_lock_of_the_first_format_is_followed(owner: Owner) -> None:
    made = owner.generate()
    lock = owner.package / "toolcast.lock"
    first = first_format(
        lock.read_text("utf-8"), {path: (owner.package / path).read_bytes() for path in made.lock.files}
    )
    lock.write_text(first, "utf-8")
    owner.edit("README.md", append="\nThese words are mine.\n")
    again = owner.update(SHRUNK)
    assert again.applied
    assert actions(again)[TOYS] == "delete"
    assert "These words are mine." in owner.text("README.md")
    assert '"format": 2' in owner.text("toolcast.lock")


def first_format(text: str, files: dict[str, bytes]) -> str:
    """A lock as it was written when it held nothing but the SHA-256 of each file."""
    import hashlib
    import json

    table = json.loads(text) | {"format": 1}
    table["files"] = {path: hashlib.sha256(data).hexdigest() for path, data in files.items()}
    return json.dumps({key: value for key, value in table.items() if key not in ("given", "origins")})


@pytest.mark.parametrize(("content", "code"), [(None, "TC606"), ("notes.txt", "TC501"), ("file", "TC502")])
def test_a_folder_that_is_no_package(owner: Owner, content: str | None, code: str) -> None:
    if content == "file":
        owner.package.write_text("")
    else:
        owner.package.mkdir()
        if content:
            (owner.package / content).write_text("mine")
    before = tree(owner.folder)
    for verb in (pipeline.update, pipeline.preview):
        with pytest.raises(Failure) as failure:
            verb(owner.package, report=Report())
        assert failure.value.diagnostic.code == code
    assert tree(owner.folder) == before


def test_a_configuration_alone_is_enough_to_begin(owner: Owner) -> None:
    owner.write(DOCUMENT)
    owner.package.mkdir()
    settings = '# mine\ndocument = "../pets.yaml"\nname = "pets"\n'
    (owner.package / "toolcast.toml").write_text(settings)
    assert owner.update().applied
    assert owner.text("toolcast.toml") == settings
    assert (owner.package / TOOLS).is_file()


def test_a_document_that_cannot_be_read_changes_nothing(owner: Owner) -> None:
    owner.generate()
    before = tree(owner.package)
    for broken in ("{", "info: {}\n", ""):
        with pytest.raises(Failure):
            owner.update(broken)
        assert tree(owner.package) == before


def test_two_runs_at_once(owner: Owner) -> None:
    from toolcast.write.folder import opened

    owner.generate()
    with opened(owner.package):
        before = tree(owner.package)
        with pytest.raises(Failure) as failure:
            owner.update(SHRUNK)
        assert failure.value.diagnostic.code == "TC506"
        assert tree(owner.package) == before
    assert owner.update().applied
    assert PETS in tree(owner.package)
    assert ".toolcast" not in {path.name for path in owner.package.iterdir()}
