"""The plan: what is the owner's stays, what is generated follows, and nothing is touched outside of the package."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path

import pytest

from toolcast.diagnostics import Failure
from toolcast.model.files import File, Owner
from toolcast.model.lock import Lock, Rendition
from toolcast.model.plan import Plan
from toolcast.write import conflicts
from toolcast.write import lock as lock_file
from toolcast.write.apply import apply
from toolcast.write.folder import opened
from toolcast.write.plan import plan


def files(owner: Owner = "generated", **texts: str) -> list[File]:
    """Files by path; two underscores stand for a slash, and each ends in ``.py``."""
    return [File(path=f"{path.replace('__', '/')}.py", text=text, owner=owner) for path, text in texts.items()]


def known(of: Plan) -> Lock:
    """The lock that says what a plan has written."""
    return Lock(files=of.renditions, given=of.given)


def made(folder: Path, wanted: list[File], lock: Lock | None = None) -> Lock:
    """A package with these files, or brought up to date with them, and its lock."""
    done = plan(folder, wanted, lock)
    apply(done, lock_file.text(known(done)))
    return known(done)


def actions(of: Plan) -> dict[str, str]:
    """What happens to each path."""
    return {step.path: step.action for step in of.steps}


def test_a_new_folder_is_created(tmp_path: Path) -> None:
    assert actions(plan(tmp_path / "new", files(a="1"), None)) == {"a.py": "create"}


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_an_untouched_file_follows(tmp_path: Path, line_end: str) -> None:
    """A checkout with other line ends counts as untouched."""
    lock = made(tmp_path / "p", files(a="1\n2\n", b="1\n2\n"))
    for name in ("a.py", "b.py"):
        (tmp_path / "p" / name).write_bytes(f"1{line_end}2{line_end}".encode())
    again = plan(tmp_path / "p", files(a="1\n2\n", b="3\n"), lock)
    assert actions(again) == {"a.py": "same", "b.py": "replace"}


def test_an_edited_file_is_kept_while_its_rendition_stays(tmp_path: Path) -> None:
    lock = made(tmp_path / "p", files(a="1\n2\n3\n4\n"))
    (tmp_path / "p" / "a.py").write_text("1\n2\n3\n4\n5\n")
    kept = plan(tmp_path / "p", files(a="1\n2\n3\n4\n"), lock)
    assert actions(kept) == {"a.py": "keep"}
    assert [step.changes for step in kept.steps] == [False]


@pytest.mark.parametrize("owner", ["generated", "runtime", "shared"])
def test_an_edited_file_is_merged_when_its_rendition_changes(tmp_path: Path, owner: Owner) -> None:
    lock = made(tmp_path / "p", files(owner, a="1\n2\n3\n4\n"))
    (tmp_path / "p" / "a.py").write_text("1\n2\n3\n4\n5\n")
    merged = plan(tmp_path / "p", files(owner, a="0\n2\n3\n4\n"), lock)
    assert [(step.action, step.after) for step in merged.steps] == [("merge", b"0\n2\n3\n4\n5\n")]
    assert merged.bases == {"a.py": b"0\n2\n3\n4\n"}


def test_two_changes_of_one_line_are_a_conflict_with_markers(tmp_path: Path) -> None:
    lock = made(tmp_path / "p", files(a="1\n"))
    (tmp_path / "p" / "a.py").write_text("2\n")
    (step,) = plan(tmp_path / "p", files(a="3\n"), lock).steps
    assert step.action == "conflict"
    assert step.after == (b"<<<<<<< yours\n2\n||||||| generated before\n1\n=======\n3\n>>>>>>> generated now\n")


def test_an_owners_line_ends_and_odd_bytes_survive_a_merge(tmp_path: Path) -> None:
    lock = made(tmp_path / "p", [File(path="a.md", text="1\n2\n3\n4\n", owner="generated")])
    place = tmp_path / "p" / "a.md"
    place.write_bytes(b"1\r\n2\r\n3\r\n4\r\nmine \xe9\r\n")
    made(tmp_path / "p", [File(path="a.md", text="0\n2\n3\n4\n", owner="generated")], lock)
    assert place.read_bytes() == b"0\r\n2\r\n3\r\n4\r\nmine \xe9\r\n"


def test_a_file_that_is_no_text_is_kept_and_cannot_be_merged(tmp_path: Path) -> None:
    lock = made(tmp_path / "p", files(a="1\n"))
    (tmp_path / "p" / "a.py").write_bytes(b"\0\1\2")
    assert actions(plan(tmp_path / "p", files(a="1\n"), lock)) == {"a.py": "keep"}
    (step,) = plan(tmp_path / "p", files(a="2\n"), lock).steps
    assert (step.action, step.note) == ("conflict", "it is no text that can be merged")


def test_a_clean_merge_that_breaks_the_file_is_a_conflict(tmp_path: Path) -> None:
    before = "def f():\n    if True:\n        a = 1\n        b = 2\n        c = 3\n    return 1\n"
    lock = made(tmp_path / "p", files(a=before))
    (tmp_path / "p" / "a.py").write_text(before.replace("    return 1\n", "        d = 4\n    return 1\n"))
    after = before.replace("    if True:\n        a = 1\n", "    a = 1\n")
    (step,) = plan(
        tmp_path / "p", files(a=after.replace("        b", "    b").replace("        c = 3\n", "")), lock
    ).steps
    assert step.action == "conflict"


def test_the_contract_is_never_merged(tmp_path: Path) -> None:
    def contract(text: str) -> list[File]:
        return [File(path="src/p/api/tools.json", text=text, owner="generated")]

    lock = made(tmp_path / "p", contract("[\n1,\n2,\n3\n]\n"))
    (tmp_path / "p/src/p/api/tools.json").write_text("[\n1,\n2,\n4\n]\n")
    for text in ("[\n1,\n2,\n3\n]\n", "[\n0,\n2,\n3\n]\n"):
        (step,) = plan(tmp_path / "p", contract(text), lock).steps
        assert (step.action, "toolcast.toml" in step.note) == ("conflict", True)


def test_an_edit_that_equals_the_new_rendition_is_no_conflict(tmp_path: Path) -> None:
    lock = made(tmp_path / "p", files(a="1"))
    (tmp_path / "p" / "a.py").write_text("2")
    assert actions(plan(tmp_path / "p", files(a="2"), lock)) == {"a.py": "same"}


def test_the_owners_file_is_written_once(tmp_path: Path) -> None:
    lock = made(tmp_path / "p", files("yours", a="1"))
    assert (lock.files, lock.given) == ({}, ("a.py",))
    assert actions(plan(tmp_path / "p", files("yours", a="2"), lock)) == {"a.py": "keep"}
    (tmp_path / "p" / "a.py").unlink()
    gone = plan(tmp_path / "p", files("yours", a="2"), lock)
    assert [(step.action, step.changes) for step in gone.steps] == [("keep", False)]


def test_a_generated_file_that_is_gone_comes_back(tmp_path: Path) -> None:
    lock = made(tmp_path / "p", files(a="1", b="1"))
    (tmp_path / "p" / "a.py").unlink()
    assert actions(plan(tmp_path / "p", files(a="1", b="1"), lock)) == {"a.py": "create", "b.py": "same"}


def test_an_untouched_shared_file_follows(tmp_path: Path) -> None:
    lock = made(tmp_path / "p", files("shared", a="1"))
    assert actions(plan(tmp_path / "p", files("shared", a="2"), lock)) == {"a.py": "replace"}


def test_a_file_of_the_owner_where_a_new_one_is_generated_is_a_conflict(tmp_path: Path) -> None:
    lock = made(tmp_path / "p", files(a="1"))
    (tmp_path / "p" / "b.py").write_text("mine")
    (step,) = plan(tmp_path / "p", files(a="1", b="2"), lock).of("conflict")
    assert (step.path, "it is yours" in step.note) == ("b.py", True)


def test_files_whose_cause_is_gone_are_deleted_unless_they_were_edited(tmp_path: Path) -> None:
    lock = made(tmp_path / "p", files(a="1", b="1", c="1"))
    (tmp_path / "p" / "b.py").write_text("mine")
    (tmp_path / "p" / "c.py").unlink()
    gone = plan(tmp_path / "p", [], lock)
    assert actions(gone) == {"a.py": "delete", "b.py": "keep"}
    assert set(gone.renditions) == {"b.py"}  # its cause may return: then it is merged
    back = plan(tmp_path / "p", files(b="1"), known(gone))
    assert actions(back) == {"b.py": "keep"}


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
    lock = made(tmp_path / "p", files(a="1"))
    (tmp_path / "p" / "sub").write_text("in the way")
    (tmp_path / "p" / "dir.py").mkdir()
    for path in ("sub/b.py", "dir.py"):
        with pytest.raises(Failure) as failure:
            plan(tmp_path / "p", [File(path=path, text="2", owner="generated")], lock)
        assert failure.value.diagnostic.code == "TC504"


@pytest.mark.parametrize("link", ["a.py", "sub", "toolcast.lock"])
def test_links_that_lead_out_are_refused(tmp_path: Path, link: str) -> None:
    lock = made(tmp_path / "p", files(other="1"))
    (tmp_path / "outside").mkdir()
    path = tmp_path / "p" / link
    path.unlink(missing_ok=True)
    path.symlink_to(tmp_path / "outside")
    with pytest.raises(Failure) as failure:
        plan(tmp_path / "p", files(a="1", sub__b="1"), lock)
    assert failure.value.diagnostic.code == "TC505"


@pytest.mark.parametrize("path", ["../victim.py", "sub/../../victim.py", "ABSOLUTE"])
def test_a_lock_that_names_files_elsewhere_is_refused(tmp_path: Path, path: str) -> None:
    made(tmp_path / "p", files(a="1"))
    victim = tmp_path / "victim.py"
    victim.write_text("1")
    (rendition,) = plan(tmp_path / "other", files(a="1"), None).renditions.values()
    with pytest.raises(Failure) as failure:
        plan(tmp_path / "p", [], Lock(files={path.replace("ABSOLUTE", str(victim)): rendition}))
    assert failure.value.diagnostic.code == "TC505"
    assert victim.read_text() == "1"


def test_a_package_behind_a_link_is_a_package(tmp_path: Path) -> None:
    lock = made(tmp_path / "p", files(a="1"))
    (tmp_path / "link").symlink_to(tmp_path / "p")
    assert actions(plan(tmp_path / "link", files(a="2"), lock)) == {"a.py": "replace"}


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="the superuser reads everything")
def test_a_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    lock = made(tmp_path / "p", files(a="1"))
    (tmp_path / "p" / "a.py").chmod(0)
    with pytest.raises(Failure, match="cannot be read"):
        plan(tmp_path / "p", files(a="2"), lock)


def test_a_lock_of_the_first_format_knows_its_files(tmp_path: Path) -> None:
    made(tmp_path / "p", files(a="1\n", b="1\n"))
    plain = Rendition(digest=hashlib.sha256(b"1\n").hexdigest())
    (tmp_path / "p" / "b.py").write_text("mine\n")
    later = plan(tmp_path / "p", files(a="2\n", b="1\n"), Lock(files={"a.py": plain, "b.py": plain}))
    assert actions(later) == {"a.py": "replace", "b.py": "keep"}


def test_what_the_owner_does_not_want_is_left_alone(tmp_path: Path) -> None:
    lock = made(tmp_path / "p", files(a="1", docs__b="1", docs__c="1"))
    (tmp_path / "p" / ".toolcastignore").write_text("# none of these\n/docs/*\n!/docs/c.py\n")
    (tmp_path / "p" / "docs" / "b.py").write_text("mine")
    later = plan(tmp_path / "p", files(a="1", docs__b="2", docs__c="2", docs__d="2"), lock)
    assert actions(later) == {"a.py": "same", "docs/c.py": "replace"}
    assert set(later.renditions) == {"a.py", "docs/c.py"}
    apply(later, "lock\n")
    assert (tmp_path / "p" / "docs" / "b.py").read_text() == "mine"
    assert not (tmp_path / "p" / "docs" / "d.py").exists()


def test_a_pattern_that_is_none_is_told_with_its_line(tmp_path: Path) -> None:
    lock = made(tmp_path / "p", files(a="1"))
    (tmp_path / "p" / ".toolcastignore").write_text("*.md\n!\n")
    with pytest.raises(Failure) as failure:
        plan(tmp_path / "p", files(a="1"), lock)
    location = failure.value.diagnostic.location
    assert (failure.value.diagnostic.code, location and location.line) == ("TC515", 2)


@pytest.mark.parametrize("kept", [".toolcast", ".toolcast/journal", ".toolcast/conflicts", ".toolcast/base/sub"])
def test_what_is_kept_beside_the_files_does_not_lead_out(tmp_path: Path, kept: str) -> None:
    lock = made(tmp_path / "p", files(sub__a="1\n"))
    (tmp_path / "outside").mkdir()
    place = tmp_path / "p" / kept
    place.parent.mkdir(parents=True, exist_ok=True)
    place.symlink_to(tmp_path / "outside")
    with pytest.raises(Failure) as failure, opened(tmp_path / "p"):
        plan(tmp_path / "p", files(sub__a="2\n"), lock)
    assert failure.value.diagnostic.code == "TC505"
    assert list((tmp_path / "outside").iterdir()) == []


def test_conflicts_that_somebody_has_made_up_are_none(tmp_path: Path) -> None:
    made(tmp_path / "p", files(a="1\n"))
    (tmp_path / "victim.py").write_text("theirs\n")
    index = tmp_path / "p" / conflicts.FOLDER / ".index.json"
    index.parent.mkdir(parents=True)
    entry = {"mine": "", "rendition": "evil\n", "decided": None}
    index.write_text(json.dumps({"../../../victim.py": entry, str(tmp_path / "victim.py"): entry}))
    assert conflicts.read(tmp_path / "p") == {}
    conflicts.record(tmp_path / "p", ())
    assert (tmp_path / "victim.py").read_text() == "theirs\n"
