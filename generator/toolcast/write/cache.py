"""The cache on disk, in the user's cache folder: results of slow stages, which can be made again at any time."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path

_MOST = 256 * 1024 * 1024  # bytes of all that is kept
_ROOM = _MOST // 2  # what is left when it has become too much


class DiskCache:
    """Files by key in a folder; what cannot be read or written is as if it were not there."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @classmethod
    def of_user(cls) -> DiskCache:
        """The cache of this user (XDG Base Directory Specification), or Windows' counterpart."""
        base = os.environ.get("XDG_CACHE_HOME") or (os.environ.get("LOCALAPPDATA") if os.name == "nt" else None)
        return cls(Path(base or Path.home() / ".cache") / "toolcast")

    def get(self, key: str) -> bytes | None:
        """What is kept under a key."""
        path = self._folder / key
        try:
            content = path.read_bytes()
            os.utime(path)  # what is used stays longest
        except OSError:
            return None
        return content

    def put(self, key: str, content: bytes) -> None:
        """Keep a result; the least used ones go when there is too much."""
        with suppress(OSError):
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            handle, beside = tempfile.mkstemp(dir=self._folder)
            with os.fdopen(handle, "wb") as file:
                file.write(content)
            Path(beside).replace(self._folder / key)
            self._prune()

    def _prune(self) -> None:
        kept = sorted((entry.stat().st_mtime, entry.stat().st_size, entry.path) for entry in os.scandir(self._folder))
        total = sum(size for _, size, _ in kept)
        if total <= _MOST:
            return
        for _, size, path in kept:
            if total <= _ROOM:
                break
            Path(path).unlink(missing_ok=True)
            total -= size
