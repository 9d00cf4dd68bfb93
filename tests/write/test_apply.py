"""Carrying out a plan: wholly or not at all, whatever the disk does."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from toolcast.diagnostics import Failure
from toolcast.model.files import File
from toolcast.model.lock import Lock
from toolcast.write.apply import apply
from toolcast.write.files import put
from toolcast.write.folder import opened
from toolcast.write.plan import plan

ONE = [File(path="src/p/a.py", text="1\n", owner="generated"), File(path="b.md", text="1\n", owner="generated")]
TWO = [File(path="b.md", text="2\n", owner="generated"), File(path="new/c.py", text="2\n", owner="generated")]


def tree(folder: Path) -> dict[str, str]:
    """Every file below a folder."""
    return {path.relative_to(folder).as_posix(): path.read_text() for path in folder.rglob("*") if path.is_file()}


def folders(folder: Path) -> set[str]:
    """Every folder below a folder."""
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_dir()}


_OPERATIONS = ("write_bytes", "replace", "rename", "unlink", "mkdir")


@contextmanager
def failing(nth: int) -> Generator[None]:
    """Let the nth operation that writes, moves or removes a file fail, but no other."""
    originals = {name: getattr(Path, name) for name in _OPERATIONS}
    left = [nth]

    def wrapped(name: str) -> Callable[..., object]:
        def call(path: Path, *arguments: object, **options: object) -> object:
            left[0] -= 1
            if left[0] == 0:
                raise OSError(28, "No space left on device", str(path))
            return originals[name](path, *arguments, **options)

        return call

    with pytest.MonkeyPatch.context() as patch:
        for name in _OPERATIONS:
            patch.setattr(Path, name, wrapped(name))
        yield


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


@pytest.mark.parametrize("nth", range(1, 30))
def test_a_new_package_appears_wholly_or_not_at_all(tmp_path: Path, nth: int) -> None:
    made = plan(tmp_path / "some" / "p", ONE, None)
    try:
        with failing(nth):
            apply(made, "lock\n")
    except Failure as failure:
        assert failure.diagnostic.code == "TC503"
        assert "No space left" in failure.diagnostic.message
        assert list(tmp_path.iterdir()) == []
    else:
        (tmp_path / "some" / ".p.lock").unlink(missing_ok=True)  # where removing it is what failed
        assert tree(tmp_path) == {"some/p/src/p/a.py": "1\n", "some/p/b.md": "1\n", "some/p/toolcast.lock": "lock\n"}


def test_an_empty_folder_that_is_the_current_one_is_filled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    apply(plan(Path(), ONE, None), "lock\n")
    assert tree(Path.cwd()) == tree(tmp_path) != {}


@pytest.mark.parametrize("nth", range(1, 40))
def test_a_folder_with_a_repository_is_as_before_when_the_disk_fails(tmp_path: Path, nth: int) -> None:
    (tmp_path / ".git").mkdir()
    made = plan(tmp_path, ONE, None)
    try:
        with failing(nth):
            apply(made, "lock\n")
    except Failure:
        assert folders(tmp_path) == {".git"}
        assert tree(tmp_path) == {}
    else:
        with opened(tmp_path):  # what could not be cleared up is cleared up by the next run
            pass
        assert set(tree(tmp_path)) == {"src/p/a.py", "b.md", "toolcast.lock"}


def test_a_change_writes_what_is_new_and_removes_what_is_gone(tmp_path: Path) -> None:
    first = plan(tmp_path / "p", ONE, None)
    apply(first, "one\n")
    (tmp_path / "p" / "src" / "p" / "__pycache__").mkdir()
    (tmp_path / "p" / "src" / "p" / "__pycache__" / "a.pyc").write_bytes(b"")
    apply(plan(tmp_path / "p", TWO, Lock(files=first.renditions)), "two\n")
    assert tree(tmp_path / "p") == {"b.md": "2\n", "new/c.py": "2\n", "toolcast.lock": "two\n"}
    assert folders(tmp_path / "p") == {"new"}


def test_folders_with_files_of_the_owner_stay(tmp_path: Path) -> None:
    first = plan(tmp_path / "p", ONE, None)
    apply(first, "one\n")
    (tmp_path / "p" / "src" / "mine.py").write_text("mine")
    apply(plan(tmp_path / "p", TWO, Lock(files=first.renditions)), "two\n")
    assert tree(tmp_path / "p")["src/mine.py"] == "mine"


@pytest.mark.parametrize("nth", range(1, 50))
def test_a_change_is_undone_when_the_disk_fails(tmp_path: Path, nth: int) -> None:
    first = plan(tmp_path / "p", ONE, None)
    apply(first, "one\n")
    before = tree(tmp_path / "p"), folders(tmp_path / "p")
    made = plan(tmp_path / "p", TWO, Lock(files=first.renditions))
    try:
        with failing(nth):
            apply(made, "two\n")
    except Failure as failure:
        assert "No space left" in failure.diagnostic.message
        assert (tree(tmp_path / "p"), folders(tmp_path / "p")) == before
    else:
        with opened(tmp_path / "p"):
            pass
        assert tree(tmp_path / "p") == {"b.md": "2\n", "new/c.py": "2\n", "toolcast.lock": "two\n"}


def test_a_file_that_somebody_changes_meanwhile_is_not_overwritten(tmp_path: Path) -> None:
    first = plan(tmp_path / "p", ONE, None)
    apply(first, "one\n")
    made = plan(tmp_path / "p", TWO, Lock(files=first.renditions))
    (tmp_path / "p" / "b.md").write_text("just saved\n")
    before = tree(tmp_path / "p")
    with pytest.raises(Failure) as failure:
        apply(made, "two\n")
    assert failure.value.diagnostic.code == "TC508"
    assert tree(tmp_path / "p") == before


def test_what_is_as_it_shall_be_is_not_written(tmp_path: Path) -> None:
    first = plan(tmp_path / "p", ONE, None)
    apply(first, "one\n")
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "p").rglob("*")}
    apply(plan(tmp_path / "p", ONE, Lock(files=first.renditions)), "one\n")
    assert {path: path.stat().st_mtime_ns for path in (tmp_path / "p").rglob("*")} == before


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
def test_a_replaced_file_keeps_its_permissions(tmp_path: Path) -> None:
    first = plan(tmp_path / "p", ONE, None)
    apply(first, "one\n")
    (tmp_path / "p" / "b.md").chmod(0o755)
    apply(plan(tmp_path / "p", TWO, Lock(files=first.renditions)), "two\n")
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
    put(tmp_path / "a" / "b.txt", b"1\r\n2\n")
    assert [path.name for path in (tmp_path / "a").iterdir()] == ["b.txt"]
    assert (tmp_path / "a" / "b.txt").read_bytes() == b"1\r\n2\n"
