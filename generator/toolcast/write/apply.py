"""Carrying out a plan: a new package appears whole or not at all, an old one is changed file by file, its lock last."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

from toolcast.diagnostics import Diagnostic, Failure, Location
from toolcast.write.lock import FILE as LOCK
from toolcast.write.plan import Plan


def apply(plan: Plan, lock: str) -> None:
    """Do what the plan says, then write the lock; raises ``Failure`` when the disk does not take it."""
    try:
        if plan.folder.is_dir() and any(plan.folder.iterdir()):
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


def _create(plan: Plan, lock: str) -> None:
    plan.folder.parent.mkdir(parents=True, exist_ok=True)
    staging = Path(tempfile.mkdtemp(prefix=f".{plan.folder.name}-", dir=plan.folder.parent))
    try:
        staging.chmod(0o755)
        for step in plan.steps:
            if step.text is not None:
                put(staging / step.path, step.text)
        put(staging / LOCK, lock)
        if plan.folder.is_dir():
            plan.folder.rmdir()
        staging.rename(plan.folder)
    except BaseException:
        shutil.rmtree(staging, ignore_errors=True)
        raise


def _change(plan: Plan, lock: str) -> None:
    root = plan.folder.resolve()
    for step in plan.steps:
        path = plan.folder / step.path
        if not path.parent.resolve().is_relative_to(root):  # a link that leads out of the package
            raise OSError(0, "a folder in the package is a link that leads out of it", str(path.parent))
        if step.action == "delete":
            path.unlink(missing_ok=True)
            _prune(path.parent, plan.folder)
        elif step.action in ("create", "replace") and step.text is not None:
            put(path, step.text)
    put(plan.folder / LOCK, lock)


def put(path: Path, text: str) -> None:
    """Write a file so that it is there whole or as it was."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        beside.write_text(text, "utf-8", newline="\n")
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


def _prune(folder: Path, root: Path) -> None:
    """Remove folders that have become empty, byte-compiled leftovers aside."""
    while folder != root and folder.is_relative_to(root):
        cache = folder / "__pycache__"
        if {entry.name for entry in folder.iterdir()} <= {"__pycache__"}:
            shutil.rmtree(cache, ignore_errors=True)
        if any(folder.iterdir()):
            return
        folder.rmdir()
        folder = folder.parent
