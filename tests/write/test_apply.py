"""Carrying out a plan: wholly or not at all, whatever the disk does."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from toolcast.diagnostics import Failure
from toolcast.model.files import File
from toolcast.write.apply import apply, put
from toolcast.write.plan import plan

ONE = [File(path="src/p/a.py", text="1\n", owner="generated"), File(path="b.md", text="1\n", owner="generated")]
TWO = [File(path="b.md", text="2\n", owner="generated"), File(path="new/c.py", text="2\n", owner="generated")]


def tree(folder: Path) -> dict[str, str]:
    """Every file below a folder."""
    return {path.relative_to(folder).as_posix(): path.read_text() for path in folder.rglob("*") if path.is_file()}


def folders(folder: Path) -> set[str]:
    """Every folder below a folder."""
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_dir()}


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Let the disk be full when a file of this name is written; the rest of the disk works."""
    write = Path.write_bytes

    def fail(name: str) -> None:
        def full(path: Path, content: bytes) -> int:
            if path.name.startswith(f".{name}."):
                write(path, content[:1])
                raise OSError(28, "No space left on device", str(path))
            return write(path, content)

        monkeypatch.setattr(Path, "write_bytes", full)

    return fail


def test_a_new_package_has_its_files_and_its_lock(tmp_path: Path) -> None:
    folder = tmp_path / "some" / "where" / "p"
    apply(plan(folder, ONE, None), "lock\n")
    assert tree(tmp_path / "some") == {
        "where/p/src/p/a.py": "1\n",
        "where/p/b.md": "1\n",
        "where/p/toolcast.lock": "lock\n",
    }


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
def test_a_new_package_is_as_readable_as_any_other_folder(tmp_path: Path) -> None:
    (tmp_path / "plain").mkdir()
    apply(plan(tmp_path / "p", ONE, None), "lock\n")
    assert (tmp_path / "p").stat().st_mode == (tmp_path / "plain").stat().st_mode


@pytest.mark.parametrize("failing_name", ["a.py", "b.md", "toolcast.lock"])
def test_a_new_package_appears_not_at_all_when_the_disk_fails(
    tmp_path: Path, failing: Callable[[str], None], failing_name: str
) -> None:
    failing(failing_name)
    with pytest.raises(Failure, match="No space left") as failure:
        apply(plan(tmp_path / "some" / "p", ONE, None), "lock\n")
    assert failure.value.diagnostic.code == "TC503"
    assert list(tmp_path.iterdir()) == []


def test_an_empty_folder_that_is_the_current_one_is_filled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    apply(plan(Path(), ONE, None), "lock\n")
    assert tree(Path.cwd()) == tree(tmp_path) != {}


@pytest.mark.parametrize("failing_name", ["b.md", "toolcast.lock"])
def test_a_folder_with_a_repository_is_as_before_when_the_disk_fails(
    tmp_path: Path, failing: Callable[[str], None], failing_name: str
) -> None:
    (tmp_path / ".git").mkdir()
    failing(failing_name)
    with pytest.raises(Failure):
        apply(plan(tmp_path, ONE, None), "lock\n")
    assert folders(tmp_path) == {".git"}
    assert tree(tmp_path) == {}


def test_a_change_writes_what_is_new_and_removes_what_is_gone(tmp_path: Path) -> None:
    first = plan(tmp_path / "p", ONE, None)
    apply(first, "one\n")
    (tmp_path / "p" / "src" / "p" / "__pycache__").mkdir()
    (tmp_path / "p" / "src" / "p" / "__pycache__" / "a.pyc").write_bytes(b"")
    apply(plan(tmp_path / "p", TWO, first.renditions), "two\n")
    assert tree(tmp_path / "p") == {"b.md": "2\n", "new/c.py": "2\n", "toolcast.lock": "two\n"}
    assert folders(tmp_path / "p") == {"new"}


def test_folders_with_files_of_the_owner_stay(tmp_path: Path) -> None:
    first = plan(tmp_path / "p", ONE, None)
    apply(first, "one\n")
    (tmp_path / "p" / "src" / "mine.py").write_text("mine")
    apply(plan(tmp_path / "p", TWO, first.renditions), "two\n")
    assert tree(tmp_path / "p")["src/mine.py"] == "mine"


@pytest.mark.parametrize("failing_name", ["b.md", "c.py", "toolcast.lock"])
def test_a_change_is_undone_when_the_disk_fails(
    tmp_path: Path, failing: Callable[[str], None], failing_name: str
) -> None:
    first = plan(tmp_path / "p", ONE, None)
    apply(first, "one\n")
    before = tree(tmp_path / "p"), folders(tmp_path / "p")
    failing(failing_name)
    with pytest.raises(Failure, match="No space left"):
        apply(plan(tmp_path / "p", TWO, first.renditions), "two\n")
    assert (tree(tmp_path / "p"), folders(tmp_path / "p")) == before


def test_what_is_as_it_shall_be_is_not_written(tmp_path: Path) -> None:
    first = plan(tmp_path / "p", ONE, None)
    apply(first, "one\n")
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "p").rglob("*")}
    apply(plan(tmp_path / "p", ONE, first.renditions), "one\n")
    assert {path: path.stat().st_mtime_ns for path in (tmp_path / "p").rglob("*")} == before


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
def test_a_replaced_file_keeps_its_permissions(tmp_path: Path) -> None:
    first = plan(tmp_path / "p", ONE, None)
    apply(first, "one\n")
    (tmp_path / "p" / "b.md").chmod(0o755)
    apply(plan(tmp_path / "p", TWO, first.renditions), "two\n")
    assert (tmp_path / "p" / "b.md").stat().st_mode & 0o777 == 0o755


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="the superuser writes everywhere")
def test_a_read_only_place_is_told_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / "closed").mkdir(mode=0o500)
    with pytest.raises(Failure, match="cannot write"):
        apply(plan(tmp_path / "closed" / "p", ONE, None), "lock\n")
    assert list((tmp_path / "closed").iterdir()) == []


def test_a_file_in_the_way_of_the_folder_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(Failure) as failure:
        apply(plan(tmp_path / "file" / "p", ONE, None), "lock\n")
    assert failure.value.diagnostic.code in ("TC502", "TC503", "TC504")
    assert (tmp_path / "file").read_text() == "in the way"


def test_put_leaves_nothing_beside(tmp_path: Path) -> None:
    put(tmp_path / "a" / "b.txt", "1\r\n2\n")
    assert [path.name for path in (tmp_path / "a").iterdir()] == ["b.txt"]
    assert (tmp_path / "a" / "b.txt").read_bytes() == b"1\r\n2\n"
