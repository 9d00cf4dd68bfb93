"""Bases: the rendition that an edited file was edited from, wherever it is kept.

``.toolcast/base`` holds those of the files that the last update found edited, and is committed. Others are in git's
object store; for a package in no repository, in the user's state folder.
"""

from __future__ import annotations

import time
import zlib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cached_property
from pathlib import Path

from toolcast.model.lock import Rendition
from toolcast.write import git, state
from toolcast.write.files import contents, inside, put
from toolcast.write.ids import lf, rendition, same

FOLDER = ".toolcast/base"
_KEPT = 180 * 24 * 3600  # seconds that a rendition stays in the state folder after it was generated last


class Bases:
    """Finds bases, and says why there is none."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @cached_property
    def _repository(self) -> git.Repository | str:
        return git.repository(self._folder)

    def find(self, path: str, known: Rendition | None) -> bytes | None:
        """The text of a file's last rendition, if it is anywhere."""
        if known is None:
            return None
        kept = contents(self._folder / FOLDER / path)
        if kept is not None and same(lf(kept), known):
            return lf(kept)
        found = self._repository.text(known) if isinstance(self._repository, git.Repository) else None
        return found if found is not None else _stored(known)

    @property
    def missing(self) -> str:
        """Why a base was not found, and what may bring it."""
        match self._repository:
            case git.Repository(shallow=True):
                return "what it was generated as is not in this shallow clone: run `git fetch --unshallow`"
            case git.Repository():
                return "what it was generated as is not in this repository"
            case why:
                return f"what it was generated as is not known here, as {why}"


def keep(folder: Path, texts: Iterable[bytes]) -> None:
    """Keep renditions, as far as that can be: in git's object store, or in the state folder."""
    found = git.repository(folder)
    if isinstance(found, git.Repository):
        found.keep(texts)
        return
    with suppress(OSError, RuntimeError):  # no home, or none to write to
        for text in texts:
            place = _place(rendition(text).digest)
            if place.exists():
                place.touch()
            else:
                put(place, zlib.compress(text))
        for place in _store().glob("*/*"):
            if place.stat().st_mtime < time.time() - _KEPT:
                place.unlink()


def kept(folder: Path) -> Iterator[str]:
    """The paths of edited files whose base is kept in the package."""
    root = folder / FOLDER
    for path in sorted(root.rglob("*")) if root.is_dir() else ():
        if path.is_file() and inside(root, str(path.relative_to(root))):
            yield path.relative_to(root).as_posix()


def _stored(known: Rendition) -> bytes | None:
    try:
        text = zlib.decompress(_place(known.digest).read_bytes())
    except (OSError, RuntimeError, zlib.error):
        return None
    return text if same(text, known) else None


def _place(digest: str) -> Path:
    return _store() / digest[:2] / digest[2:]


def _store() -> Path:
    return state.root() / "renditions"
