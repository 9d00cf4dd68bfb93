"""The state folder of ``serve``: packages by document and version, and for each address what was last good."""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from toolcast.model.lock import Lock
from toolcast.write import lock as lock_file
from toolcast.write.files import put


def root() -> Path:
    """Where programs of this user keep their state (XDG Base Directory Specification), or Windows' counterpart."""
    base = os.environ.get("XDG_STATE_HOME") or (os.environ.get("LOCALAPPDATA") if os.name == "nt" else None)
    return Path(base or Path.home() / ".local" / "state") / "toolcast"


@dataclass(frozen=True, slots=True)
class Address:
    """What is kept for one document's address: the lock, so that names stay, and the package that was last served."""

    folder: Path

    @classmethod
    def of(cls, address: str, name: str) -> Address:
        """The entry of a document's address (a path counts as an absolute one) and base name."""
        whole = address if "://" in address or address == "-" else str(Path(address).resolve())
        key = hashlib.sha256(f"{whole}\n{name}".encode()).hexdigest()[:16]
        return cls(root() / "serve" / key)

    def package(self, digest: str, version: str) -> Path:
        """The folder of the package for one state of the document."""
        return self.folder / hashlib.sha256(f"{digest}\n{version}".encode()).hexdigest()[:16]

    def lock(self) -> Lock | None:
        """The decisions of the last package; None when there is none that can be read."""
        last = self.last()
        return lock_file.read(self.folder / last[0]) if last is not None else None

    def last(self) -> tuple[str, str] | None:
        """The folder's name and the import name of the package that was last served."""
        try:
            entry = json.loads((self.folder / "last.json").read_text("utf-8"))
        except (OSError, ValueError):
            return None
        values = cast("dict[str, Any]", entry) if isinstance(entry, dict) else {}
        folder, module = str(values.get("folder", "")), str(values.get("module", ""))
        return (folder, module) if folder and (self.folder / folder / lock_file.FILE).is_file() else None

    def remember(self, package: Path, module: str) -> None:
        """Keep a package as the last one that was served."""
        put(self.folder / "last.json", json.dumps({"folder": package.name, "module": module}).encode())
