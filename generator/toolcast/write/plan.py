"""The plan: what has to happen on disk so that it is what it shall be, and nothing of the owner's is lost."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from toolcast.diagnostics import Diagnostic, Failure, Location
from toolcast.model.files import File
from toolcast.write.lock import FILE as LOCK

Action: TypeAlias = Literal["create", "replace", "delete", "keep", "same", "conflict"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """What happens to one path; ``text`` is what is written, if anything is."""

    path: str
    action: Action
    text: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What happens in a folder, and the SHA-256 of every rendition for the lock."""

    folder: Path
    steps: tuple[Step, ...]
    renditions: Mapping[str, str]

    def of(self, *actions: Action) -> list[Step]:
        """The steps of some kinds."""
        return [step for step in self.steps if step.action in actions]


def digest(text: str) -> str:
    """The SHA-256 of a text with LF."""
    return hashlib.sha256(text.replace("\r\n", "\n").encode()).hexdigest()


def plan(folder: Path, files: Iterable[File], renditions: Mapping[str, str] | None) -> Plan:
    """The plan for a folder; ``renditions`` are those of its lock, None when toolcast has not written there yet.

    A file that differs from its last rendition is the owner's edit: it is kept while the rendition stays the same, and
    a conflict when it changes. Raises ``Failure`` for a folder with contents that toolcast did not write.
    """
    files = list(files)
    if renditions is None:
        _refuse_foreign(folder)
    known = renditions or {}
    steps = [_step(folder, file, known.get(file.path)) for file in files]
    wanted = {file.path for file in files}
    steps += [_removal(folder, path, known[path]) for path in sorted(known) if path not in wanted]
    generated = {file.path: digest(file.text) for file in files if file.owner != "yours"}
    return Plan(
        folder=folder,
        steps=tuple(sorted((step for step in steps if step is not None), key=lambda step: step.path)),
        renditions=generated,
    )


def _refuse_foreign(folder: Path) -> None:
    if folder.is_dir() and any(entry.name != ".git" for entry in folder.iterdir()):
        raise Failure(
            Diagnostic(
                code="TC501",
                severity="error",
                message=f"{folder} is not empty, and was not made by toolcast",
                location=Location(file=str(folder)),
                help=f"Name a new or empty folder. (A folder of toolcast's has a {LOCK}.)",
            )
        )
    if folder.exists() and not folder.is_dir():
        raise Failure(
            Diagnostic(
                code="TC502",
                severity="error",
                message=f"{folder} is a file",
                location=Location(file=str(folder)),
                help="Name a folder for the package.",
            )
        )


def _step(folder: Path, file: File, rendition: str | None) -> Step:
    current = _current(folder, file.path)
    if current is None:
        return Step(path=file.path, action="create", text=file.text)
    if file.owner == "yours":
        return Step(path=file.path, action="keep")
    if current == file.text:
        return Step(path=file.path, action="same")
    if rendition is not None and digest(current) == rendition:
        return Step(path=file.path, action="replace", text=file.text)
    if rendition == digest(file.text):
        return Step(path=file.path, action="keep")
    return Step(path=file.path, action="conflict", text=file.text)


def _removal(folder: Path, path: str, rendition: str) -> Step | None:
    current = _current(folder, path)
    if current is None:
        return None
    return Step(path=path, action="delete" if digest(current) == rendition else "keep")


def _current(folder: Path, path: str) -> str | None:
    """The text on disk; a file that is no text is an edit like any other."""
    try:
        return (folder / path).read_bytes().decode("utf-8", "replace").replace("\r\n", "\n")
    except FileNotFoundError:
        return None
