"""Once: that a confirmation counts a single time, in this process and in all that share a folder with it."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from .errors import CallError, SettingsError

_MOST: Final = 100_000  # that are remembered in memory
_KEPT: Final = 3_600.0  # seconds that a shared note stays, whatever the clocks of the machines say
_SUFFIX: Final = ".used"


class Used:
    """The names that were used, for as long as each could be used again.

    Processes that share ``folder`` share what they know: making a note there succeeds once, whoever tries (POSIX
    ``open`` with O_CREAT and O_EXCL, which file systems that are shared by network keep as well, NFS from version 3).
    """

    def __init__(self, seconds: float, folder: Path | None = None) -> None:
        self._seconds = seconds
        self._folder = folder
        self._until: dict[str, float] = {}
        self._swept = -_KEPT

    @classmethod
    def read(cls, prefix: str, environ: Mapping[str, str], seconds: float) -> Used:
        """What is used, in the folder of ``PREFIX_STATE_FOLDER`` if there is one; raises ``SettingsError``."""
        variable = f"{prefix}_STATE_FOLDER"
        text = (environ.get(variable) or "").strip()
        folder = Path(text).expanduser() if text else None
        if folder is not None and not (folder.is_dir() and os.access(folder, os.W_OK | os.X_OK)):
            raise SettingsError(f"{variable} must be a folder that this server can write to")
        return cls(seconds, folder)

    async def take(self, name: str) -> bool:
        """Use a name; false when it has been used before. Raises ``CallError`` where that cannot be noted."""
        now = time.monotonic()
        if len(self._until) >= _MOST:
            self._until = {known: until for known, until in self._until.items() if until > now}
        if self._until.get(name, 0) > now or len(self._until) >= _MOST:
            return False
        self._until[name] = now + self._seconds
        if self._folder is None:
            return True
        from anyio import to_thread  # not to print something, such as --list

        try:
            return await to_thread.run_sync(self._note, self._folder, name, now)
        except OSError as error:
            raise CallError(
                "This server could not note that the confirmation is used, so nothing was sent. The operator of this "
                f"server has to look at its state folder: {error.strerror}."
            ) from None

    def _note(self, folder: Path, name: str, now: float) -> bool:
        if now - self._swept > _KEPT:
            self._swept = now
            _sweep(folder)
        note = folder / f"{hashlib.sha256(name.encode()).hexdigest()}{_SUFFIX}"
        try:
            os.close(os.open(note, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        except FileExistsError:
            return False
        return True


def _sweep(folder: Path) -> None:
    """Remove the notes of what can no longer be used."""
    oldest = time.time() - _KEPT
    for note in folder.glob(f"*{_SUFFIX}"):
        try:
            if note.stat().st_mtime < oldest:
                note.unlink()
        except FileNotFoundError:  # another process was faster
            continue
