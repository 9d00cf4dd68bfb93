"""Watching: what a package is made from, and when any of it has changed."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from toolcast.diagnostics import Failure
from toolcast.emit.environment import templates_root
from toolcast.load import configuration
from toolcast.model.config import Config
from toolcast.model.document import Document
from toolcast.write import ignore

ASK_EVERY = 30.0  # seconds between two requests for a document that has a URL
_LOOK_EVERY = 1.0  # seconds: file systems that tell nothing are looked at
_SETTLED = 0.15  # seconds of silence after which a file that is being saved has been saved

State: TypeAlias = Mapping[Path, "tuple[int, int, int] | None"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sources:
    """The files that a package is made from, as they were at some moment, and whether the network has another."""

    state: State
    remote: bool

    @classmethod
    def of(cls, folder: Path, document: Document | None) -> Sources:
        """The sources of a package; without a document that was read, the file that the configuration names."""
        config = _configured(folder)
        named = config.document if config.document != "-" else ""
        remote = "://" in named
        files = {folder / configuration.FILE, folder / ignore.FILE}
        files |= {folder / overlay for overlay in config.overlays if "://" not in overlay}
        for templates in (templates_root(), *((folder / config.templates,) if config.templates else ())):
            # With the folders, which change when a file is added.
            files |= {path for path in (templates, *templates.rglob("*")) if "__pycache__" not in path.parts}
        if named and not remote:
            files |= {folder / named}
            around = (folder / named).parent
            names = document.files if document is not None else ()
            files |= {around / _unquoted(name) for name in names if "://" not in name}
        return cls(state=_state(files), remote=remote)

    def changed(self) -> list[Path]:
        """The files that are no longer as they were."""
        now = _state(self.state)
        return sorted(path for path, was in self.state.items() if now[path] != was)

    def wait(self, every: float = ASK_EVERY) -> list[Path]:
        """Wait until files have changed, and give them; none when it is time to ask the network again."""
        from watchfiles import watch

        end = time.monotonic() + every
        folders = {path.parent for path in self.state if path.parent.is_dir()}
        for _ in watch(
            *folders,
            watch_filter=None,
            step=int(_SETTLED * 1000),
            rust_timeout=int(min(_LOOK_EVERY, every) * 1000),
            yield_on_timeout=True,
            recursive=False,
        ):
            found = self.changed()
            if found:
                return self._settled(found)
            if self.remote and time.monotonic() >= end:
                return []
        raise KeyboardInterrupt  # the watcher was asked to stop

    def _settled(self, found: list[Path]) -> list[Path]:
        """The files that have changed when nothing changes any more: a file that is being saved is not half of one."""
        before = _state(self.state)
        while True:
            time.sleep(_SETTLED)
            now = _state(self.state)
            if now == before:
                return self.changed() or found
            before = now


def _configured(folder: Path) -> Config:
    """The configuration; one that says nothing as long as it cannot be read."""
    try:
        return configuration.read(folder) or Config()
    except Failure:
        return Config()


def _state(files: Iterable[Path]) -> State:
    return {path: _stamp(path) for path in files}


def _stamp(path: Path) -> tuple[int, int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino


def _unquoted(name: str) -> str:
    """The path that the name of a document's file means."""
    return name.replace("%23", "#").replace("%25", "%")
