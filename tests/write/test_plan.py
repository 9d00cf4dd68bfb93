"""The plan: what is the owner's stays, what is generated follows, and nothing is touched outside of the package."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from toolcast.diagnostics import Failure
from toolcast.model.files import File, Owner
from toolcast.write.apply import apply
from toolcast.write.plan import Plan, plan


def files(owner: Owner = "generated", **texts: str) -> list[File]:
    """Files by path; two underscores stand for a slash, and each ends in ``.py``."""
    return [File(path=f"{path.replace('__', '/')}.py", text=text, owner=owner) for path, text in texts.items()]


def made(folder: Path, wanted: list[File]) -> Mapping[str, str]:
    """A package with these files, and its renditions."""
    first = plan(folder, wanted, None)
    apply(first, "lock\n")
    return first.renditions


def actions(of: Plan) -> dict[str, str]:
    """What happens to each path."""
    return {step.path: step.action for step in of.steps}


def test_a_new_folder_is_created(tmp_path: Path) -> None:
    assert actions(plan(tmp_path / "new", files(a="1"), None)) == {"a.py": "create"}


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_an_untouched_file_follows(tmp_path: Path, line_end: str) -> None:
    """A checkout with other line ends counts as untouched."""
    renditions = made(tmp_path / "p", files(a="1\n2\n", b="1\n2\n"))
    for name in ("a.py", "b.py"):
        (tmp_path / "p" / name).write_bytes(f"1{line_end}2{line_end}".encode())
    again = plan(tmp_path / "p", files(a="1\n2\n", b="3\n"), renditions)
    assert actions(again) == {"a.py": "same", "b.py": "replace"}


def test_an_edited_generated_file_is_kept_and_conflicts_when_it_would_change(tmp_path: Path) -> None:
    renditions = made(tmp_path / "p", files(a="1"))
    (tmp_path / "p" / "a.py").write_text("mine")
    assert actions(plan(tmp_path / "p", files(a="1"), renditions)) == {"a.py": "keep"}
    assert actions(plan(tmp_path / "p", files(a="2"), renditions)) == {"a.py": "conflict"}


def test_an_edit_that_equals_the_new_rendition_is_no_conflict(tmp_path: Path) -> None:
    renditions = made(tmp_path / "p", files(a="1"))
    (tmp_path / "p" / "a.py").write_text("2")
    assert actions(plan(tmp_path / "p", files(a="2"), renditions)) == {"a.py": "same"}


def test_the_owners_file_is_written_once(tmp_path: Path) -> None:
    renditions = made(tmp_path / "p", files("yours", a="1"))
    assert renditions == {}
    assert actions(plan(tmp_path / "p", files("yours", a="2"), renditions)) == {"a.py": "keep"}


def test_an_edited_shared_file_waits_with_its_new_rendition_and_stays_based_on_the_old(tmp_path: Path) -> None:
    renditions = made(tmp_path / "p", files("shared", a="1"))
    (tmp_path / "p" / "a.py").write_text("mine")
    for _ in range(2):  # and is told again, as long as it has not taken the new rendition in
        later = plan(tmp_path / "p", files("shared", a="2"), renditions)
        assert [(step.action, step.text) for step in later.steps] == [("pending", "2")]
        assert later.renditions == renditions
        renditions = later.renditions
    (tmp_path / "p" / "a.py").write_text("2")
    assert actions(plan(tmp_path / "p", files("shared", a="2"), renditions)) == {"a.py": "same"}


def test_an_untouched_shared_file_follows(tmp_path: Path) -> None:
    renditions = made(tmp_path / "p", files("shared", a="1"))
    assert actions(plan(tmp_path / "p", files("shared", a="2"), renditions)) == {"a.py": "replace"}


def test_a_file_of_the_owner_where_a_new_one_is_generated_is_a_conflict(tmp_path: Path) -> None:
    renditions = made(tmp_path / "p", files(a="1"))
    (tmp_path / "p" / "b.py").write_text("mine")
    assert actions(plan(tmp_path / "p", files(a="1", b="2"), renditions))["b.py"] == "conflict"


def test_files_whose_cause_is_gone_are_deleted_unless_they_were_edited(tmp_path: Path) -> None:
    renditions = made(tmp_path / "p", files(a="1", b="1", c="1"))
    (tmp_path / "p" / "b.py").write_text("mine")
    (tmp_path / "p" / "c.py").unlink()
    assert actions(plan(tmp_path / "p", [], renditions)) == {"a.py": "delete", "b.py": "keep", "c.py": "same"}


@pytest.mark.parametrize(
    ("content", "code"), [("foreign.txt", "TC501"), (None, "TC502")], ids=["not empty", "not a folder"]
)
def test_a_foreign_folder_is_refused(tmp_path: Path, content: str | None, code: str) -> None:
    folder = tmp_path / "p"
    if content is None:
        folder.write_text("a file")
    else:
        folder.mkdir()
        (folder / content).write_text("theirs")
    with pytest.raises(Failure) as failure:
        plan(folder, files(a="1"), None)
    assert failure.value.diagnostic.code == code


def test_a_folder_with_a_repository_alone_is_as_good_as_empty(tmp_path: Path) -> None:
    (tmp_path / "p" / ".git").mkdir(parents=True)
    assert actions(plan(tmp_path / "p", files(a="1"), None)) == {"a.py": "create"}


def test_a_file_where_a_folder_belongs_is_told(tmp_path: Path) -> None:
    renditions = made(tmp_path / "p", files(a="1"))
    (tmp_path / "p" / "sub").write_text("in the way")
    (tmp_path / "p" / "dir.py").mkdir()
    for path in ("sub/b.py", "dir.py"):
        with pytest.raises(Failure) as failure:
            plan(tmp_path / "p", [File(path=path, text="2", owner="generated")], renditions)
        assert failure.value.diagnostic.code == "TC504"


@pytest.mark.parametrize("link", ["a.py", "sub", "toolcast.lock"])
def test_links_that_lead_out_are_refused(tmp_path: Path, link: str) -> None:
    renditions = made(tmp_path / "p", files(other="1"))
    (tmp_path / "outside").mkdir()
    path = tmp_path / "p" / link
    path.unlink(missing_ok=True)
    path.symlink_to(tmp_path / "outside")
    with pytest.raises(Failure) as failure:
        plan(tmp_path / "p", files(a="1", sub__b="1"), renditions)
    assert failure.value.diagnostic.code == "TC505"


@pytest.mark.parametrize("path", ["../victim.py", "sub/../../victim.py", "ABSOLUTE"])
def test_a_lock_that_names_files_elsewhere_is_refused(tmp_path: Path, path: str) -> None:
    made(tmp_path / "p", files(a="1"))
    victim = tmp_path / "victim.py"
    victim.write_text("1")
    renditions = plan(tmp_path / "other", files(a="1"), None).renditions
    with pytest.raises(Failure) as failure:
        plan(tmp_path / "p", [], {path.replace("ABSOLUTE", str(victim)): renditions["a.py"]})
    assert failure.value.diagnostic.code == "TC505"
    assert victim.read_text() == "1"


def test_a_package_behind_a_link_is_a_package(tmp_path: Path) -> None:
    renditions = made(tmp_path / "p", files(a="1"))
    (tmp_path / "link").symlink_to(tmp_path / "p")
    assert actions(plan(tmp_path / "link", files(a="2"), renditions)) == {"a.py": "replace"}


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="the superuser reads everything")
def test_a_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    renditions = made(tmp_path / "p", files(a="1"))
    (tmp_path / "p" / "a.py").chmod(0)
    with pytest.raises(Failure, match="cannot be read"):
        plan(tmp_path / "p", files(a="2"), renditions)
