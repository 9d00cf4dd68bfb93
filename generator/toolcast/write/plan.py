"""The plan: what has to happen on disk so that it is what it shall be, and nothing of the owner's is lost."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from toolcast.diagnostics import Diagnostic, Failure, Location
from toolcast.model.files import File
from toolcast.model.lock import Lock
from toolcast.model.plan import Plan, Step
from toolcast.write import bases, conflicts
from toolcast.write.bases import Bases
from toolcast.write.files import inside
from toolcast.write.folder import check_ours
from toolcast.write.ids import digest, lf, rendition, same
from toolcast.write.ignore import unwanted
from toolcast.write.lock import FILE as LOCK
from toolcast.write.merge import both, merged

_EDITED = "edited by you"
_KEPT = (bases.FOLDER, conflicts.FOLDER)  # where something is kept for a file, under its path


@dataclass(frozen=True, slots=True, kw_only=True)
class _Package:
    """What is known of a package before it changes."""

    folder: Path
    lock: Lock
    bases: Bases
    decided: dict[str, conflicts.Conflict]
    unwanted: Callable[[str], bool]

    def text(self, path: str) -> bytes | None:
        """What is on disk, with LF."""
        try:
            return lf((self.folder / path).read_bytes())
        except FileNotFoundError:
            return None
        except OSError as error:
            message = f"{self.folder / path} cannot be read: {error.strerror}"
            raise _failure("TC504", self.folder, message, "Move what is in the way, or give access.") from None


def plan(folder: Path, files: Iterable[File], lock: Lock | None) -> Plan:
    """The plan for a folder; ``lock`` is its own, None when toolcast has not written there yet.

    A file that differs from its last rendition is the owner's edit, and is merged. Raises ``Failure`` for a folder
    with contents that toolcast did not write, and for what cannot be read or leads out of the folder.
    """
    if lock is None:
        check_ours(folder)
    known = lock or Lock()
    package = _Package(
        folder=folder,
        lock=known,
        bases=Bases(folder),
        decided={path: found for path, found in conflicts.read(folder).items() if found.decided is not None},
        unwanted=unwanted(folder),
    )
    wanted = {file.path: file for file in files if not package.unwanted(file.path)}
    gone = [path for path in known.files if path not in wanted and not package.unwanted(path)]
    _refuse_links(
        folder, (*wanted, *known.files, *(f"{kept}/{path}" for path in (*wanted, *known.files) for kept in _KEPT), LOCK)
    )
    steps = [_step(package, file) for file in wanted.values()]
    orphans = [step for step in (_removal(package, path) for path in gone) if step is not None]
    edited = [
        step for step in (*steps, *orphans) if step.rendition is not None and step.after not in (None, step.rendition)
    ]
    return Plan(
        folder=folder,
        steps=tuple(sorted((*steps, *orphans), key=lambda step: step.path)),
        # An edited file whose cause is gone stays known: when the cause returns, it is merged.
        renditions={step.path: known.files[step.path] for step in orphans if step.action == "keep"}
        | {path: rendition(file.text.encode()) for path, file in wanted.items() if file.owner != "yours"},
        given=tuple(sorted({*known.given, *(path for path, file in wanted.items() if file.owner == "yours")})),
        bases={step.path: step.rendition for step in edited if step.rendition is not None},
    )


def _step(package: _Package, file: File) -> Step:
    text, mine = file.text.encode(), package.text(file.path)
    if file.owner == "yours":
        if mine is None and file.path not in package.lock.given:
            return Step(path=file.path, action="create", before=None, after=text)
        return Step(path=file.path, action="keep", before=mine, after=mine, note="yours")
    known = package.lock.files.get(file.path)
    if mine is None:
        return Step(path=file.path, action="create", before=None, after=text, rendition=text)
    if mine == text:
        return Step(path=file.path, action="same", before=mine, after=mine, rendition=text)
    if known is not None and same(mine, known):
        return Step(path=file.path, action="replace", before=mine, after=text, rendition=text)
    decision = package.decided.get(file.path)
    if decision is not None and decision.decided is not None and decision.mine == digest(mine):
        return _merge(file.path, mine, decision.decided, decision.rendition, text)
    if file.path.endswith("/api/tools.json"):
        note = "the contract is never merged: say what you want in toolcast.toml"
        return Step(path=file.path, action="conflict", before=mine, after=text, rendition=text, note=note)
    if known is not None and same(text, known):
        return Step(path=file.path, action="keep", before=mine, after=mine, rendition=text, note=_EDITED)
    base = package.bases.find(file.path, known)
    if base is None:
        note = package.bases.missing if known is not None else "it is yours, and one is generated in its place"
        proposal = both(mine, text)
        return Step(path=file.path, action="conflict", before=mine, after=proposal, rendition=text, note=note)
    return _merge(file.path, mine, mine, base, text)


def _merge(path: str, mine: bytes, edited: bytes, base: bytes, text: bytes) -> Step:
    """The step of an owner's file: ``edited``, which was made from ``base``, takes the place of ``mine``."""
    found = merged(path, edited, base, text)
    if found.problem:
        return Step(path=path, action="conflict", before=mine, after=found.text, rendition=text, note=found.problem)
    action = "keep" if found.text == mine else "replace" if found.text == text else "merge"
    note = "your edits stay" if action == "merge" else _EDITED if action == "keep" else ""
    return Step(path=path, action=action, before=mine, after=found.text, rendition=text, note=note)


def _removal(package: _Package, path: str) -> Step | None:
    """What happens to a file whose cause is gone."""
    mine, known = package.text(path), package.lock.files[path]
    if mine is None:
        return None
    if same(mine, known):
        return Step(path=path, action="delete", before=mine, after=None)
    note = f"{_EDITED}; nothing in the document asks for it any more"
    base = package.bases.find(path, known)
    return Step(path=path, action="keep", before=mine, after=mine, rendition=base, note=note)


def _refuse_links(folder: Path, paths: Iterable[str]) -> None:
    """Refuse paths that are elsewhere: by a link, or by a lock that somebody has written."""
    for path in paths:
        if not inside(folder, path):
            cure = "Replace the link by what it leads to, or restore the lock."
            raise _failure("TC505", folder, f"{path} leads out of the package", cure)


def _failure(code: str, folder: Path, message: str, cure: str) -> Failure:
    return Failure(
        Diagnostic(code=code, severity="error", message=message, location=Location(file=str(folder)), help=cure)
    )
