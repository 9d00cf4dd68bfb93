"""Single files and folders: written whole or not at all, and gone when they are empty."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path


def put(path: Path, content: bytes) -> None:
    """Write a file, with its folders, so that it is there whole or as it was."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        beside.write_bytes(content)
        if path.exists():
            shutil.copymode(path, beside)
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


def contents(path: Path) -> bytes | None:
    """What is in a file, None where there is none."""
    try:
        return path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None


def missing(folder: Path) -> list[Path]:
    """The folder and those above it that do not exist, the innermost first."""
    found: list[Path] = []
    while not folder.exists():
        found.append(folder)
        folder = folder.parent
    return found


def remove_empty(folders: Iterable[Path]) -> None:
    """Remove those of the folders that are empty, the innermost first."""
    for folder in sorted(set(folders), key=lambda path: -len(path.parts)):
        with suppress(OSError):  # not made, or somebody else has put something into it
            folder.rmdir()


def prune(folder: Path, root: Path) -> None:
    """Remove a folder and those above it, below ``root``, that have become empty, byte-compiled leftovers aside."""
    while folder != root:
        if folder.is_dir():
            if any(entry.name != "__pycache__" for entry in folder.iterdir()):
                return
            shutil.rmtree(folder)
        folder = folder.parent


def inside(folder: Path, path: str) -> bool:
    """Whether a path is in a folder: it may lead out by a link, or because somebody has written it so."""
    root = os.path.realpath(folder)
    return Path(os.path.realpath(Path(root) / path)).is_relative_to(root)
