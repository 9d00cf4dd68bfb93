"""What git does for us: it keeps renditions, and merges."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from toolcast.model.lock import Rendition

# By these a hook tells git which repository it runs for (git rev-parse --local-env-vars); it need not be the package's.
_FOREIGN = frozenset(
    """GIT_ALTERNATE_OBJECT_DIRECTORIES GIT_COMMON_DIR GIT_DIR GIT_GRAFT_FILE GIT_IMPLICIT_WORK_TREE GIT_INDEX_FILE
    GIT_OBJECT_DIRECTORY GIT_PREFIX GIT_SHALLOW_FILE GIT_WORK_TREE""".split()
)
_PATIENCE = 60  # seconds for one command; a partial clone may fetch meanwhile


def installed() -> bool:
    """Whether there is a git."""
    return shutil.which("git") is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Repository:
    """The repository around a folder: how it names its objects, and whether it lacks the older ones."""

    folder: Path
    object_format: Literal["sha1", "sha256"]
    shallow: bool

    def keep(self, texts: Iterable[bytes]) -> None:
        """Put texts into the object store, as they are, by one process; what is refused is not kept."""
        with tempfile.TemporaryDirectory(prefix="toolcast-") as folder:
            names: list[str] = []
            for number, text in enumerate(texts):
                path = Path(folder) / str(number)
                path.write_bytes(text)
                names.append(str(path))
            listed = "".join(f"{name}\n" for name in names).encode()
            _git(["hash-object", "-w", "--no-filters", "--stdin-paths"], self.folder, listed)

    def text(self, known: Rendition) -> bytes | None:
        """The text of a rendition, if the object store has it."""
        name = known.digest if self.object_format == "sha256" else known.blob
        if not known.blob:  # a lock of format 1: its digest is no name of git's
            return None
        done = _git(["cat-file", "blob", name], self.folder)
        return done.stdout if done.returncode == 0 else None


def repository(folder: Path) -> Repository | str:
    """The repository whose working tree a folder is in, or why there is none."""
    if not installed():
        return "git is not installed"
    while not folder.is_dir():
        folder = folder.parent
    asked = ["--is-inside-work-tree", "--show-object-format", "--is-shallow-repository"]
    done = _git(["rev-parse", *asked], folder)
    told = done.stdout.decode("utf-8", "replace").split()
    if done.returncode != 0 or len(told) != len(asked):
        reason = done.stderr.decode("utf-8", "replace").strip().partition("\n")[0]
        return "it is in no git repository" if "not a git repository" in reason else reason or "git does not answer"
    inside, object_format, shallow = told
    if inside != "true":
        return "it is in no working tree of git"
    return Repository(
        folder=folder,
        object_format="sha256" if object_format == "sha256" else "sha1",
        shallow=shallow == "true",
    )


def merge(mine: bytes, base: bytes | None, new: bytes, labels: Sequence[str]) -> tuple[bytes, bool] | None:
    """Three texts with LF merged, and whether no conflict is left; None where they cannot be merged.

    ``labels`` name mine, base and new beside the markers. Without a base, what both have is no conflict.
    """
    with tempfile.TemporaryDirectory(prefix="toolcast-") as folder:
        for name, text in (("mine", mine), ("base", base or b""), ("new", new)):
            (Path(folder) / name).write_bytes(text)
        style = ["--diff3"] if base is not None else []
        named = [word for label in labels for word in ("-L", label)]
        done = _git(["merge-file", "-p", *style, *named, "mine", "base", "new"], Path(folder), settings=False)
    # The status is the number of conflicts, 127 for more; above, it failed.
    return (done.stdout, done.returncode == 0) if 0 <= done.returncode < 128 else None


def _git(
    arguments: Sequence[str], folder: Path, stdin: bytes = b"", *, settings: bool = True
) -> subprocess.CompletedProcess[bytes]:
    """Run git where nothing but the folder says which repository is meant, and nobody is asked anything."""
    environment = {name: value for name, value in os.environ.items() if name not in _FOREIGN}
    environment |= {"LC_ALL": "C", "GIT_TERMINAL_PROMPT": "0"}
    if not settings:
        above = os.path.realpath(folder.parent)
        environment |= {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CEILING_DIRECTORIES": above}
    command = ["git", *arguments]
    try:
        return subprocess.run(  # noqa: S603
            command, cwd=folder, env=environment, input=stdin, capture_output=True, check=False, timeout=_PATIENCE
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return subprocess.CompletedProcess(command, 128, b"", str(error).encode())
