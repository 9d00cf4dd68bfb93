"""Conflicts, and what the owner decides of them: ``.toolcast/conflicts``, which is not committed.

It has, at the path of each file in conflict, what the owner decides from, and an index of what was decided.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, TypeAlias, cast

from toolcast.diagnostics import Diagnostic, Failure, Location
from toolcast.model.plan import Step
from toolcast.write.files import contents, inside, put
from toolcast.write.ids import digest, lf
from toolcast.write.merge import undecided, unreadable

FOLDER = ".toolcast/conflicts"
_INDEX = f"{FOLDER}/.index.json"

Choice: TypeAlias = Literal["mine", "new", "edited"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflict:
    """A file in conflict: the id of the owner's text, what is generated now, and what the owner has decided on."""

    mine: str
    rendition: bytes
    decided: bytes | None = None


def read(folder: Path) -> Mapping[str, Conflict]:
    """The conflicts of the last update by path, decided ones too; none where the index is not there, or damaged."""
    try:
        entries = cast("dict[str, dict[str, Any]]", json.loads((folder / _INDEX).read_text("utf-8")))
        return {
            path: Conflict(
                mine=str(entry["mine"]),
                rendition=_bytes(entry["rendition"]),
                decided=_bytes(entry["decided"]) if entry["decided"] is not None else None,
            )
            for path, entry in entries.items()
            if inside(folder / FOLDER, path)  # somebody may have written it otherwise
        }
    except (OSError, ValueError, AttributeError, KeyError, TypeError):
        return {}


def record(folder: Path, steps: Iterable[Step]) -> None:
    """Lay what the owner decides from beside the package; decisions stay, and so does what the owner has begun."""
    known = read(folder)
    found = {
        step.path: (step.after or b"", Conflict(mine=digest(step.before), rendition=step.rendition or b""))
        for step in steps
    }
    for path, conflict in known.items():
        if path not in found and conflict.decided is None:
            (folder / FOLDER / path).unlink(missing_ok=True)
    for path, (proposal, conflict) in found.items():
        begun = folder / FOLDER / path
        if known.get(path) != conflict or not begun.is_file():
            put(begun, proposal)
    decided = {path: conflict for path, conflict in known.items() if conflict.decided is not None}
    _write(folder, decided | {path: conflict for path, (_, conflict) in found.items()})


def resolve(folder: Path, path: str, choice: Choice) -> None:
    """Decide a conflict: for the owner's text, the generator's, or the edited one in ``.toolcast/conflicts``.

    The next update takes it up. Raises ``Failure`` where there is no such conflict, or nothing was decided.
    """
    known = read(folder)
    conflict = known.get(path)
    place = folder / path
    if conflict is None:
        others = ", ".join(sorted(known))
        cure = f"There are conflicts in: {others}" if others else f"Run: toolcast update {folder}"
        raise _failure("TC511", place, f"There is no conflict in {path}", cure)
    mine = contents(place)
    if mine is None or digest(mine) != conflict.mine:
        raise _failure("TC511", place, f"{path} has changed since the conflict was found", "Run the update again.")
    begun = folder / FOLDER / path
    match choice:
        case "new":
            text = conflict.rendition
        case _ if path.endswith("/api/tools.json"):
            cure = "Take the generated one with --new, and say what you want in toolcast.toml."
            raise _failure("TC513", place, "The contract is never merged", cure)
        case "mine":
            text = lf(mine)
        case "edited":
            text = _decided(path, begun)
    _write(folder, {**known, path: replace(conflict, decided=text)})
    begun.unlink(missing_ok=True)


def clear(folder: Path) -> None:
    """Forget all conflicts: the plan has been carried out."""
    shutil.rmtree(folder / FOLDER, ignore_errors=True)


def _decided(path: str, begun: Path) -> bytes:
    found = contents(begun)
    if found is None:
        raise _failure("TC511", begun, f"The merge of {path} is not there", "Take --mine or --new.")
    text = lf(found)
    if undecided(text):
        cure = "Edit it until no marker is left, or take --mine or --new."
        raise _failure("TC512", begun, f"The merge of {path} still has markers", cure)
    broken = unreadable(path, text)
    if broken:
        raise _failure("TC512", begun, f"The merge of {path} is broken: {broken}", "Correct it there.")
    return text


def _write(folder: Path, conflicts: Mapping[str, Conflict]) -> None:
    entries = {
        path: {
            "mine": conflict.mine,
            "rendition": _text(conflict.rendition),
            "decided": _text(conflict.decided) if conflict.decided is not None else None,
        }
        for path, conflict in conflicts.items()
    }
    put(folder / _INDEX, json.dumps(entries, indent=1, sort_keys=True).encode())


def _text(data: bytes) -> str:
    """Any bytes as a text that JSON can hold."""
    return data.decode("utf-8", "surrogateescape")


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _failure(code: str, path: Path, message: str, cure: str) -> Failure:
    return Failure(
        Diagnostic(code=code, severity="error", message=message, location=Location(file=str(path)), help=cure)
    )
