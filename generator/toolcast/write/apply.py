"""Carrying out a plan: a new package appears whole or not at all, and an old one is changed wholly or not at all."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from toolcast.diagnostics import Diagnostic, Failure, Location
from toolcast.write.lock import FILE as LOCK
from toolcast.write.plan import Plan


def apply(plan: Plan, lock: str) -> None:
    """Do what the plan says, then write the lock; raises ``Failure`` when the disk does not take it, and undoes it."""
    assert not plan.of("conflict"), "a plan with conflicts is not carried out"
    try:
        if plan.folder.is_dir():
            _change(plan, lock)
        else:
            _create(plan, lock)
    except OSError as error:
        raise Failure(
            Diagnostic(
                code="TC503",
                severity="error",
                message=f"cannot write {error.filename or plan.folder}: {error.strerror or error}",
                location=Location(file=str(plan.folder)),
                help="Make room or give access, and run the command again.",
            )
        ) from None


def put(path: Path, text: str) -> None:
    """Write a file, with its folders, so that it is there whole or as it was."""
    _put(path, text.encode())


def _create(plan: Plan, lock: str) -> None:
    """Make the package beside its place, and move it there."""
    folder = plan.folder.absolute()
    missing = _missing(folder.parent)
    staging: Path | None = None
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        staging = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
        whole = staging / folder.name  # made anew, as nobody else may enter a temporary folder
        for step in plan.of("create"):
            put(whole / step.path, step.text or "")
        put(whole / LOCK, lock)
        whole.rename(folder)
        staging.rmdir()
    except BaseException:
        if staging is not None:
            shutil.rmtree(staging, ignore_errors=True)
        _remove_empty(missing)
        raise


def _change(plan: Plan, lock: str) -> None:
    """Change a folder file by file; what was there is put back when one of them fails."""
    written = {plan.folder / step.path: step.text or "" for step in plan.of("create", "replace")}
    deleted = [plan.folder / step.path for step in plan.of("delete")]
    if _read(plan.folder / LOCK) != lock.encode():
        written[plan.folder / LOCK] = lock  # the last, as it says that all the others are there
    before: dict[Path, bytes | None] = {}
    missing = [folder for path in written for folder in _missing(path.parent)]
    try:
        for path in deleted:
            before[path] = _read(path)
            path.unlink(missing_ok=True)
        for path, text in written.items():
            before[path] = _read(path)
            put(path, text)
    except BaseException:
        for path, content in before.items():
            with suppress(OSError):  # the failure that is told is the first
                if content is None:
                    path.unlink(missing_ok=True)
                elif _read(path) != content:
                    _put(path, content)
        _remove_empty(missing)
        raise
    for path in deleted:
        _prune(path.parent, plan.folder)


def _put(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        beside.write_bytes(content)
        if path.exists():
            shutil.copymode(path, beside)
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


def _read(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None


def _missing(folder: Path) -> list[Path]:
    """The folder and those above it that do not exist, the innermost first."""
    found: list[Path] = []
    while not folder.exists():
        found.append(folder)
        folder = folder.parent
    return found


def _remove_empty(folders: Iterable[Path]) -> None:
    for folder in sorted(set(folders), key=lambda path: -len(path.parts)):
        with suppress(OSError):  # not made, or somebody else has put something into it
            folder.rmdir()


def _prune(folder: Path, root: Path) -> None:
    """Remove folders that have become empty, byte-compiled leftovers aside."""
    while folder != root and folder.is_dir():
        if any(entry.name != "__pycache__" for entry in folder.iterdir()):
            return
        shutil.rmtree(folder)
        folder = folder.parent
