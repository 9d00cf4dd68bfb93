"""The journal of a change: what makes it whole or undone, though the process is killed at any moment.

``.toolcast/journal`` has the plan (path, old id, new id), the new files, and links to the old ones. It is there before
the first change and goes when the last one, the lock, is made. A file whose id stands there is ours: the next run puts
what was there in its place again, and then does what it is asked for.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, cast

from toolcast.diagnostics import Diagnostic, Failure, Location
from toolcast.write import conflicts
from toolcast.write.files import contents, inside, missing, prune, put, remove_empty
from toolcast.write.ids import digest

FOLDER = ".toolcast/journal"
LOCK = f"{FOLDER}/lock"  # held while a run is at work
_PLAN = f"{FOLDER}/plan.json"
STAGES = (_NEW, _OLD) = (f"{FOLDER}/new", f"{FOLDER}/old")


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """The bytes of a file before and after, None where there is none."""

    path: str
    before: bytes | None
    after: bytes | None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Entry:
    """The ids of a file before and after, "" where there is none."""

    path: str
    before: str
    after: str


def carry_out(folder: Path, changes: Sequence[Change]) -> None:
    """Make all changes, the last of which says that all are made, or none; raises ``OSError`` and ``Failure``."""
    assert all(inside(folder, change.path) for change in changes), "no change leads out of the package"
    entries = [_Entry(path=c.path, before=digest(c.before), after=digest(c.after)) for c in changes]
    made = [new for change in changes for new in missing((folder / change.path).parent)]
    try:
        _stage(folder, changes)
        put(folder / _PLAN, json.dumps([asdict(entry) for entry in entries], indent=1).encode())
        for number, entry in enumerate(entries):
            _make(folder, number, entry)
    except BaseException:
        if (folder / _PLAN).exists():
            _undo(folder, entries)
            (folder / _PLAN).unlink()
        remove_empty(made)
        _sweep(folder)
        raise
    _finish(folder, entries)


def differ(one: bytes | None, other: bytes | None) -> bool:
    """Whether two contents are not the same, line ends aside."""
    return digest(one) != digest(other)


def meddled(folder: Path, path: str) -> Failure:
    """Somebody else has changed a file since it was planned what happens to it."""
    return Failure(
        Diagnostic(
            code="TC508",
            severity="error",
            message=f"{path} was changed by somebody else meanwhile",
            location=Location(file=str(folder / path)),
            help="Nothing was changed: run the command again.",
        )
    )


def interrupted(folder: Path) -> bool:
    """Whether a change was begun, and neither made nor undone."""
    return (folder / _PLAN).is_file()


def recover(folder: Path) -> None:
    """Undo a change that was interrupted, or finish one of which nothing but the end was missing."""
    if interrupted(folder):
        entries = _entries(folder)
        if entries and digest(contents(folder / entries[-1].path)) == entries[-1].after:
            _finish(folder, entries)
            return
        _undo(folder, entries)
        (folder / _PLAN).unlink()
    _sweep(folder)


def _stage(folder: Path, changes: Sequence[Change]) -> None:
    """Write the new files and link the old ones, beside the package: whatever can run out does so here."""
    for part in STAGES:
        (folder / part).mkdir(parents=True, exist_ok=True)
    for number, change in enumerate(changes):
        place, new, old = folder / change.path, folder / _NEW / str(number), folder / _OLD / str(number)
        if change.after is not None:
            new.write_bytes(change.after)
        if change.before is not None:
            if change.after is not None:
                shutil.copymode(place, new)
            try:
                os.link(os.path.realpath(place), old)
            except OSError:  # a file system without links
                shutil.copy2(place, old)


def _make(folder: Path, number: int, entry: _Entry) -> None:
    place = folder / entry.path
    if digest(contents(place)) != entry.before:
        raise meddled(folder, entry.path)
    if not entry.after:
        place.unlink()
        return
    place.parent.mkdir(parents=True, exist_ok=True)
    (folder / _NEW / str(number)).replace(os.path.realpath(place))


def _undo(folder: Path, entries: Sequence[_Entry]) -> None:
    """Put back what was there, where there is what we made of it."""
    for number, entry in enumerate(entries):
        place = folder / entry.path
        found = digest(contents(place))
        if not entry.before and found in ("", entry.after):
            place.unlink(missing_ok=True)
            prune(place.parent, folder)  # which may have been made, and the file not
            continue
        if found != entry.after:
            continue
        place.parent.mkdir(parents=True, exist_ok=True)
        try:
            (folder / _OLD / str(number)).replace(os.path.realpath(place))
        except FileNotFoundError:
            raise _unusable(folder, f"what {entry.path} was before is not there") from None


def _finish(folder: Path, entries: Sequence[_Entry]) -> None:
    """Clear up when all changes are made; what cannot be removed is left to the next run."""
    with suppress(OSError):
        for entry in entries:
            if not entry.after:
                prune((folder / entry.path).parent, folder)
        conflicts.clear(folder)
        (folder / _PLAN).unlink()
        _sweep(folder)


def _sweep(folder: Path) -> None:
    """Remove what is left, but for the lock of the run at work."""
    for part in STAGES:
        shutil.rmtree(folder / part, ignore_errors=True)
    if (folder / FOLDER).is_dir():
        for path in (folder / FOLDER).glob(".plan.json.*"):
            path.unlink(missing_ok=True)
    remove_empty([folder / FOLDER, (folder / FOLDER).parent])


def _entries(folder: Path) -> list[_Entry]:
    try:
        table = cast("list[dict[str, Any]]", json.loads((folder / _PLAN).read_text("utf-8")))
        entries = [_Entry(path=str(e["path"]), before=str(e["before"]), after=str(e["after"])) for e in table]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise _unusable(folder, f"it cannot be read: {error}") from None
    for entry in entries:
        if not inside(folder, entry.path):
            raise _unusable(folder, f"{entry.path} leads out of the package")
    return entries


def _unusable(folder: Path, why: str) -> Failure:
    return Failure(
        Diagnostic(
            code="TC509",
            severity="error",
            message=f"The journal of an interrupted update cannot be used: {why}",
            location=Location(file=str(folder / FOLDER)),
            help="Restore the package from version control, remove this folder, and run the command again.",
        )
    )
