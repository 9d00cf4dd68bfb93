"""Carrying out a plan: a new package appears whole or not at all, and an old one is changed wholly or not at all."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

from toolcast.diagnostics import Diagnostic, Failure, Location
from toolcast.model.plan import Plan
from toolcast.write import bases, conflicts, journal
from toolcast.write.exclusive import exclusive
from toolcast.write.files import contents, missing, put, remove_empty
from toolcast.write.folder import beside, cannot_write
from toolcast.write.ids import as_on_disk
from toolcast.write.journal import Change
from toolcast.write.lock import FILE as LOCK


def apply(plan: Plan, lock: str, *, keep: bool = True) -> None:
    """Do what the plan says, then write the lock; raises ``Failure`` when the disk does not take it, and undoes it.

    Renditions are not kept for a package that nobody edits.
    """
    assert not plan.of("conflict"), "a plan with conflicts is not carried out"
    try:
        changes = list(_changes(plan, lock)) if plan.folder.is_dir() else None
        if changes == []:
            conflicts.clear(plan.folder)
            return
        if keep:
            bases.keep(plan.folder, [step.rendition for step in plan.steps if step.rendition is not None])
        if changes is not None:
            journal.carry_out(plan.folder, changes)
        else:
            _create(plan, lock)
    except OSError as error:
        raise cannot_write(plan.folder, error) from None


def _changes(plan: Plan, lock: str) -> Iterator[Change]:
    """What changes in a folder, the lock last, as it says that all the others are there."""
    for step in plan.steps:
        if step.changes:
            change = _change(plan.folder, step.path, step.after)
            if change is None or journal.differ(change.before, step.before):
                raise journal.meddled(plan.folder, step.path)
            yield change
    for path in (*plan.bases, *(path for path in bases.kept(plan.folder) if path not in plan.bases)):
        change = _change(plan.folder, f"{bases.FOLDER}/{path}", plan.bases.get(path))
        if change is not None:
            yield change
    change = _change(plan.folder, LOCK, lock.encode())
    if change is not None:
        yield change


def _change(folder: Path, path: str, after: bytes | None) -> Change | None:
    """How a file comes to have a text with LF, None where it has it."""
    before = contents(folder / path)
    wanted = as_on_disk(after, before) if after is not None else None
    return Change(path=path, before=before, after=wanted) if journal.differ(before, wanted) else None


def _create(plan: Plan, lock: str) -> None:
    """Make the package beside its place, and move it there."""
    folder = plan.folder.absolute()
    made = missing(folder.parent)
    staging, held = beside(folder)
    try:
        with exclusive(held, wait=True):
            shutil.rmtree(staging, ignore_errors=True)  # of a run that was killed
            if folder.exists():
                raise Failure(
                    Diagnostic(
                        code="TC508",
                        severity="error",
                        message=f"{plan.folder} was made by another run meanwhile",
                        location=Location(file=str(plan.folder)),
                        help="Run the command again.",
                    )
                )
            try:
                for step in plan.steps:
                    if step.after is not None:
                        put(staging / step.path, step.after)
                put(staging / LOCK, lock.encode())
                staging.rename(folder)
            except BaseException:
                shutil.rmtree(staging, ignore_errors=True)
                raise
    except BaseException:
        remove_empty(made)
        raise
