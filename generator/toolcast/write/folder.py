"""The folder of a package: ours alone while we work on it, and whole before we do."""

from __future__ import annotations

import shutil
from collections.abc import Generator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from toolcast.diagnostics import Diagnostic, Failure, Location
from toolcast.write import bases, conflicts, journal
from toolcast.write.exclusive import exclusive
from toolcast.write.files import inside, remove_empty
from toolcast.write.ignore import FILE as IGNORE
from toolcast.write.lock import FILE as LOCK

# What an owner may have put into a folder before the package is made there.
_OWN = frozenset([".git", ".toolcast", IGNORE])

# Where toolcast writes beside the package's files.
_KEPT = (journal.LOCK, *journal.STAGES, conflicts.FOLDER, bases.FOLDER)


@contextmanager
def opened(folder: Path) -> Generator[None]:
    """Hold a folder alone, as the last whole update left it.

    Raises ``Failure`` for one whose contents toolcast did not write, and when another run is at work there.
    """
    check_ours(folder)
    if not folder.is_dir():
        yield
        return
    try:
        with ExitStack() as held:
            try:
                held.enter_context(exclusive(folder / journal.LOCK))
                journal.recover(folder)
                sweep_beside(folder)
            except OSError as error:
                raise cannot_write(folder, error) from None
            yield
    finally:
        remove_empty([folder / journal.FOLDER, (folder / journal.FOLDER).parent])


def beside(folder: Path) -> tuple[Path, Path]:
    """Where a new package is made before it is moved to its place, and the lock of the run that does so."""
    whole = folder.absolute()
    return whole.with_name(f".{whole.name}.new"), whole.with_name(f".{whole.name}.lock")


def sweep_beside(folder: Path) -> None:
    """Remove what a run has left that was killed when it had made a new package."""
    staging, lock = beside(folder)
    if staging.exists() or lock.exists():
        with suppress(Failure), exclusive(lock):
            shutil.rmtree(staging, ignore_errors=True)


def check_ours(folder: Path) -> None:
    """Refuse a folder with contents that toolcast did not write, and one that is elsewhere in part."""
    for path in (LOCK, *_KEPT):
        if not inside(folder, path):
            raise _failure("TC505", folder, f"{path} leads out of the package", "Replace the link by what it leads to.")
    # Whoever writes a configuration into a folder wants the package there; what is in its way is a conflict.
    if (folder / LOCK).is_file() or (folder / "toolcast.toml").is_file() or journal.interrupted(folder):
        return
    try:
        foreign = any(entry.name not in _OWN for entry in folder.iterdir())
    except FileNotFoundError:
        return
    except NotADirectoryError:
        raise _failure("TC502", folder, f"{folder} is a file", "Name a folder for the package.") from None
    except OSError as error:
        raise _failure("TC504", folder, f"{folder} cannot be read: {error.strerror}", "Give access to it.") from None
    if foreign:
        cure = f"Name a new or empty folder. (A folder of toolcast's has a {LOCK}.)"
        raise _failure("TC501", folder, f"{folder} is not empty, and was not made by toolcast", cure)


def check_whole(folder: Path) -> None:
    """Refuse a package in which an update is at work, or was interrupted."""
    if journal.interrupted(folder):
        cure = f"Run: toolcast update {folder}"
        raise _failure("TC507", folder, "An update is at work here, or was interrupted", cure)


def cannot_write(folder: Path, error: OSError) -> Failure:
    """What the disk does not take, as something to tell."""
    message = f"Cannot write {error.filename or folder}: {error.strerror or error}"
    return _failure("TC503", folder, message, "Make room or give access, and run the command again.")


def _failure(code: str, folder: Path, message: str, cure: str) -> Failure:
    return Failure(
        Diagnostic(code=code, severity="error", message=message, location=Location(file=str(folder)), help=cure)
    )
