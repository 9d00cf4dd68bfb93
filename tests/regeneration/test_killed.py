"""A run that is killed at any moment, and then repeated, ends where an undisturbed one does."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest

from toolcast import pipeline
from toolcast.diagnostics import Failure, Report
from toolcast.model.files import File
from toolcast.model.lock import Lock
from toolcast.write import journal
from toolcast.write import lock as lock_file
from toolcast.write.apply import apply
from toolcast.write.folder import opened
from toolcast.write.plan import plan

from .conftest import DOCUMENT, PETS, Owner, tree

pytestmark = pytest.mark.skipif(os.name != "posix", reason="processes are forked and killed as POSIX has it")

_EVENTS = ("os.rename", "os.remove", "os.rmdir", "os.mkdir", "os.link")
_LINES = "".join(f"line {number}\n" for number in range(9))


def files(version: int) -> list[File]:
    """The files of a version: some stay, some change, some come and some go."""
    head = f"# version {version}\n"
    found = [
        File(path="stays.md", text=_LINES, owner="generated"),
        File(path="src/changes.py", text=head, owner="generated"),
        File(path="src/merges.md", text=head + _LINES, owner="shared"),
        File(path="src/merged/before.md", text=head + _LINES, owner="generated"),
        File(path="server.py", text=head, owner="yours"),
        File(path=f"new/in/{version}.md", text=head, owner="generated"),
        File(path=f"yours/{version}.py", text=head, owner="yours"),
    ]
    return found if version != 3 else [file for file in found if file.path != "src/changes.py"]


def run(folder: Path, version: int) -> None:
    """Bring a folder to a version, as ``generate`` and ``update`` do it."""
    with opened(folder):
        made = plan(folder, files(version), lock_file.read(folder))
        assert not made.of("conflict"), made.of("conflict")
        lock = Lock(files=made.renditions, given=made.given, digest=str(version))
        apply(made, lock_file.text(lock))


def killed(nth: int, root: Path, call: Callable[[], object], of: str = "") -> bool:
    """Whether a process that makes a call was killed before its nth operation on files below a folder.

    ``of`` counts only the operations on files whose path ends so.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of forks beside the threads of a test runner
        child = os.fork()
    if child == 0:
        left = nth

        def count(event: str, arguments: tuple[object, ...]) -> None:
            nonlocal left
            if event == "open":
                writes = isinstance(arguments[2], int) and arguments[2] & (os.O_WRONLY | os.O_RDWR)
                if not writes:
                    return
            elif event not in _EVENTS:
                return
            paths = [str(argument) for argument in arguments]
            if not paths[0].startswith(str(root)) or not any(path.endswith(of) for path in paths):
                return
            left -= 1
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)

        sys.addaudithook(count)
        try:
            call()
        except BaseException:  # noqa: BLE001 - nothing may go on in a copy of the test runner
            os._exit(1)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    assert status in (0, signal.SIGKILL), "the run failed by itself"
    return status == signal.SIGKILL


def copied(source: Path, target: Path) -> Path:
    """A fresh copy of a folder, with the times of its files."""
    shutil.rmtree(target, ignore_errors=True)
    if source.exists():
        shutil.copytree(source, target)
    else:
        target.mkdir()
    return target


def everything(folder: Path) -> tuple[dict[str, bytes], set[str]]:
    """Every file and every folder."""
    return tree(folder), {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_dir()}


def edited(folder: Path) -> None:
    """A package of version 1, with edits of which one was merged before."""
    run(folder, 0)
    (folder / "src/merged/before.md").write_text(f"# version 0\n{_LINES}mine\n")
    run(folder, 1)
    (folder / "src/merges.md").write_bytes(f"# version 1\n{_LINES}mine\n".replace("\n", "\r\n").encode())
    (folder / "server.py").write_text("mine\n")


def started(kind: str, place: Path) -> None:
    """What is there before the run that is killed."""
    place.mkdir()
    if kind == "a repository alone":
        (place / "p/.git").mkdir(parents=True)
    elif kind != "nothing":
        edited(place / "p")


@pytest.mark.parametrize("kind", ["nothing", "a repository alone", "a package"])
def test_killed_before_every_operation_in_turn(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    before, root = tmp_path / "before", tmp_path / "now"
    started(kind, before)
    undisturbed, later = {}, {}
    for version in (1, 2, 3):
        run(copied(before, root) / "p", version)
        undisturbed[version] = everything(root)
        run(copied(before, root) / "p", 2)
        run(root / "p", version)
        later[version] = everything(root)
    nth = 0
    while True:
        nth += 1
        copied(before, root)
        if not killed(nth, root, lambda: run(root / "p", 2)):
            break
        again = copied(root, tmp_path / "again")
        # The lock is the last: when it is there, the run was complete, and only clearing up was left.
        complete = (again / "p/toolcast.lock").is_file() and '"document": "2"' in (
            again / "p/toolcast.lock"
        ).read_text()
        version = (2, 3, 2, 1)[nth % 4]
        if nth % 3 == 0:
            killed(nth // 2 + 1, copied(again, root), lambda: run(root / "p", 2))  # and again, at another operation
            version = 2
        run(root / "p", version)
        assert everything(root) == (later if complete else undisturbed)[version], (nth, version)
    assert nth > 10
    assert everything(root) == undisturbed[2]


def test_an_interrupted_package_is_told_and_an_edit_made_since_stays(owner: Owner) -> None:
    owner.generate()
    owner.write(DOCUMENT.replace("List the pets", "List all pets"))
    contract = owner.package / "src/pets_mcp/api/tools.json"

    # Before the last change, that of the lock, which was linked before.
    assert killed(2, owner.folder, owner.update, of="/toolcast.lock")
    assert "List all pets" in contract.read_text("utf-8")
    with pytest.raises(Failure) as failure:
        pipeline.preview(owner.package, report=Report())
    assert failure.value.diagnostic.code == "TC507"
    owner.edit(PETS, after="from __future__", line="MINE = 1")
    assert owner.update().applied
    assert "MINE = 1" in owner.text(PETS)
    assert "List all pets" in owner.text(PETS)
    assert ".toolcast/journal" not in {path.relative_to(owner.package).as_posix() for path in owner.package.rglob("*")}


@pytest.mark.parametrize(
    "plan_text",
    [
        "{",
        "[1]",
        '[{"path": "../victim.txt", "before": "", "after": ""}]',
        '[{"path": "/etc/x", "before": "", "after": ""}]',
    ],
)
def test_a_journal_that_somebody_has_made_up_is_refused(owner: Owner, plan_text: str) -> None:
    owner.generate()
    (owner.folder / "victim.txt").write_text("theirs")
    (owner.package / journal.FOLDER).mkdir(parents=True)
    (owner.package / journal.FOLDER / "plan.json").write_text(plan_text)
    with pytest.raises(Failure) as failure:
        owner.update()
    assert failure.value.diagnostic.code == "TC509"
    assert (owner.folder / "victim.txt").read_text() == "theirs"


_KILLED_COMMAND = """\
import os, signal, sys
left = int(sys.argv.pop(1))
root = sys.argv.pop(1)
def count(event, arguments):
    global left
    if event == "open" and not (isinstance(arguments[2], int) and arguments[2] & (os.O_WRONLY | os.O_RDWR)):
        return
    if event not in ("open", "os.rename", "os.remove", "os.rmdir", "os.mkdir", "os.link"):
        return
    if str(arguments[0]).startswith(root):
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
sys.addaudithook(count)
from toolcast.__main__ import main
main()
"""


def command(owner: Owner, *arguments: str, nth: int | None = None) -> int:
    """Run the command line, killed before an operation if it gets there."""
    start = ["-m", "toolcast"] if nth is None else ["-c", _KILLED_COMMAND, str(nth), str(owner.folder)]
    done = subprocess.run([sys.executable, *start, *arguments], capture_output=True, check=False, timeout=120)
    return done.returncode


def test_the_command_is_killed_and_repeated(owner: Owner, tmp_path: Path) -> None:
    owner.generate()
    owner.edit(PETS, after="from __future__", line="MINE = 1")
    owner.write(DOCUMENT.replace("List the pets", "List all pets"))
    shutil.copytree(owner.folder, tmp_path / "undisturbed")
    assert command(Owner(tmp_path / "undisturbed"), "update", str(tmp_path / "undisturbed/pets")) == 0
    for nth in (6, 14, 22, 30):
        assert command(owner, "update", str(owner.package), nth=nth) == -signal.SIGKILL
        assert command(owner, "update", str(owner.package)) == 0
        assert owner.tree() == tree(tmp_path / "undisturbed")
        shutil.rmtree(owner.package / ".toolcast")
        owner.write(DOCUMENT)
        (owner.package / PETS).unlink()
        owner.update()
        owner.edit(PETS, after="from __future__", line="MINE = 1")
        owner.write(DOCUMENT.replace("List the pets", "List all pets"))
