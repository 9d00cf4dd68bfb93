"""One run at a time in a folder, by a lock of the operating system that ends with its process."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

from toolcast.diagnostics import Diagnostic, Failure, Location

_PATIENCE = 60.0  # seconds for a run that only writes


@contextmanager
def exclusive(path: Path, *, wait: bool = False) -> Generator[None]:
    """Hold a lock file, which is there only meanwhile; raises ``Failure`` when another run holds it, or still does."""
    end = time.monotonic() + (_PATIENCE if wait else 0)
    while (held := _taken(path)) is None:
        if time.monotonic() >= end and path.exists():
            raise Failure(
                Diagnostic(
                    code="TC506",
                    severity="error",
                    message="Another run of toolcast is at work here",
                    location=Location(file=str(path.parent)),
                    help="Wait until it is done, and run the command again.",
                )
            )
        time.sleep(0.05)
    try:
        yield
    finally:
        if os.name != "posix":  # an open file cannot be removed there
            os.close(held)
        with suppress(OSError):  # the next run has it already, or may not remove it: a lock file alone locks nothing
            path.unlink(missing_ok=True)
        if os.name == "posix":
            os.close(held)


def _taken(path: Path) -> int | None:
    """The descriptor of the locked file, or None where another has it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        held = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    except FileNotFoundError:  # the folder went with the run before
        return None
    try:
        if _lock(held) and os.path.samestat(os.fstat(held), path.stat()):
            return held
    except FileNotFoundError:  # it was removed by the run that held it before
        pass
    except BaseException:
        os.close(held)
        raise
    os.close(held)
    return None


if sys.platform == "win32":
    import msvcrt

    def _lock(held: int) -> bool:
        try:
            msvcrt.locking(held, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _lock(held: int) -> bool:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
