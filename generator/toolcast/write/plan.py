"""The plan: what has to happen on disk so that it is what it shall be, and nothing of the owner's is lost."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from toolcast.diagnostics import Diagnostic, Failure, Location
from toolcast.model.files import File
from toolcast.write.lock import FILE as LOCK

Action: TypeAlias = Literal["create", "replace", "delete", "same", "keep", "pending", "conflict"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """What happens to one path.

    ``same`` is as it shall be, ``keep`` is the owner's and stays. ``pending`` is a shared file that the owner edited:
    it stays, and ``text`` is what the generator would write now. ``conflict`` is a generated file that the owner
    edited and that would change: with one of them, nothing of the plan is carried out.
    """

    path: str
    action: Action
    text: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What happens in a folder, and for the lock the SHA-256 of the rendition that each file is or was edited from."""

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

    A file that differs from its last rendition is the owner's edit. Raises ``Failure`` for a folder with contents that
    toolcast did not write, and for what cannot be read or leads out of the folder.
    """
    if renditions is None:
        _refuse_foreign(folder)
    known = renditions or {}
    wanted = {file.path: file for file in files}
    root = Path(os.path.realpath(folder))
    for path in (*wanted, *known, LOCK):
        _refuse_link(root, path)
    steps = [_step(folder, file, known.get(path)) for path, file in wanted.items()]
    steps += [_removal(folder, path, rendition) for path, rendition in known.items() if path not in wanted]
    pending = {step.path for step in steps if step.action == "pending"}
    based = {path: digest(file.text) for path, file in wanted.items() if file.owner != "yours" and path not in pending}
    return Plan(
        folder=folder,
        steps=tuple(sorted(steps, key=lambda step: step.path)),
        # An edit stays based on what it was made from, until it has taken in what has come since.
        renditions=based | {path: known[path] for path in pending if path in known},
    )


def _step(folder: Path, file: File, rendition: str | None) -> Step:
    current = _current(folder, file.path)
    if current is None:
        return Step(path=file.path, action="create", text=file.text)
    if file.owner == "yours":
        return Step(path=file.path, action="keep")
    if current == file.text:
        return Step(path=file.path, action="same")
    if digest(current) == rendition:
        return Step(path=file.path, action="replace", text=file.text)
    if digest(file.text) == rendition:
        return Step(path=file.path, action="keep")
    return Step(path=file.path, action="pending" if file.owner == "shared" else "conflict", text=file.text)


def _removal(folder: Path, path: str, rendition: str) -> Step:
    """What happens to a file whose cause is gone."""
    current = _current(folder, path)
    if current is None:
        return Step(path=path, action="same")
    return Step(path=path, action="delete" if digest(current) == rendition else "keep")


def _current(folder: Path, path: str) -> str | None:
    """The text on disk; a file that is no text is an edit like any other."""
    try:
        return (folder / path).read_bytes().decode("utf-8", "replace").replace("\r\n", "\n")
    except FileNotFoundError:
        return None
    except OSError as error:
        message = f"{folder / path} cannot be read: {error.strerror}"
        raise _failure("TC504", folder, message, "Move what is in the way, or give access.") from None


def _refuse_foreign(folder: Path) -> None:
    try:
        foreign = any(entry.name != ".git" for entry in folder.iterdir())
    except FileNotFoundError:
        return
    except NotADirectoryError:
        raise _failure("TC502", folder, f"{folder} is a file", "Name a folder for the package.") from None
    except OSError as error:
        raise _failure("TC504", folder, f"{folder} cannot be read: {error.strerror}", "Give access to it.") from None
    if foreign:
        cure = f"Name a new or empty folder. (A folder of toolcast's has a {LOCK}.)"
        raise _failure("TC501", folder, f"{folder} is not empty, and was not made by toolcast", cure)


def _refuse_link(root: Path, path: str) -> None:
    """Refuse a path that is elsewhere: by a link, or by a lock that somebody has written."""
    if not Path(os.path.realpath(root / path)).is_relative_to(root):
        cure = "Replace the link by what it leads to, or restore the lock."
        raise _failure("TC505", root, f"{path} leads out of the package", cure)


def _failure(code: str, folder: Path, message: str, cure: str) -> Failure:
    return Failure(
        Diagnostic(code=code, severity="error", message=message, location=Location(file=str(folder)), help=cure)
    )
