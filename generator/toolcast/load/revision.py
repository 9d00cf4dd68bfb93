"""Files as they were at a revision of git: ``HEAD~1:openapi.yaml``, with what they refer to."""

from __future__ import annotations

import os
import posixpath
import re
import subprocess
import tempfile
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Final
from urllib.parse import unquote

from toolcast.diagnostics import Diagnostic, Failure

# What of a package's folder tells its contract.
_OF_PACKAGES: Final = re.compile(r"toolcast\.(lock|toml)|src/[^/]+/api/tools\.json")
_WISHES: Final = "toolcast.toml"  # which may name overlays
_CONTRACT: Final = re.compile(r"(.*?/?)src/[^/]+/api/tools\.json")
# What a document may refer to: the values of ``$ref``, and names that end like those of documents.
_REFERENCE: Final = re.compile(
    r"""\$ref["']?\s*:\s*(?:"([^"\n#]+)|'([^'\n#]+)|([^\s"'#,}]+))|([^\s"'#,\[\]{}()<>]+\.(?:ya?ml|json))""",
    re.IGNORECASE,
)
_PATIENCE: Final = 60.0  # seconds for one command; a partial clone may fetch meanwhile
_LINKS: Final = 8  # symbolic links that lead to one another
_MOST: Final = 2_000  # files


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkout:
    """Where something is on disk; ``tree`` holds everything that was taken out of a revision, None when nothing was.

    ``address`` is what it is called.
    """

    address: str
    path: str
    tree: Path | None = None

    def called(self, file: str) -> str:
        """What a file is called by those who do not know where it was put."""
        revision = self.address.partition(":")[0]
        inside = file.removeprefix(f"{self.tree}{os.sep}") if self.tree is not None else file
        return file if inside == file else f"{revision}:{Path(inside).as_posix()}"


@contextmanager
def checked_out(address: str) -> Generator[Checkout]:
    """A path, a URL or ``-`` as it is; what a revision of git has, in a temporary folder.

    Raises ``Failure`` TC802 to TC804.
    """
    revision, colon, path = address.partition(":")
    drive = bool(PureWindowsPath(address).drive) and path.startswith(("/", "\\"))  # C:\openapi.yaml, there or not
    if not colon or not revision or drive or path.startswith("//") or os.path.lexists(address):
        yield Checkout(address=address, path=address)
        return
    with tempfile.TemporaryDirectory(prefix="toolcast-") as folder:
        tree = Path(os.path.realpath(folder))
        found = _Tree(revision, address).put(path, tree, address)
        yield Checkout(address=address, path=str(tree / found), tree=tree)


class _Tree:
    """The files of a revision by path, each with its mode and its object's name; ``prefix`` is where we are in it."""

    def __init__(self, revision: str, address: str) -> None:
        asked = _git("rev-parse", "--show-prefix", "--is-shallow-repository")
        if asked is None:
            message = f"There is no {address}, and no git repository here that could have it"
            raise _failure("TC804", message, "Give the path of a file, or run this inside of the repository.")
        self.prefix, shallow = asked.decode("utf-8", "surrogateescape").rstrip("\n").split("\n")
        name = None if revision.startswith("-") else _git("rev-parse", "--verify", "--quiet", f"{revision}^{{tree}}")
        if name is None:
            cure = "Run `git fetch --unshallow`: this clone has the newest commits only."
            cure = cure if shallow == "true" else "Give a branch, a tag or a commit: `main:openapi.yaml`."
            raise _failure("TC802", f"{address}: git knows no revision {revision!r}", cure)
        listed = _git("ls-tree", "-r", "-z", "--full-tree", name.decode().strip()) or b""
        self.entries: dict[str, tuple[str, str]] = {}
        for line in listed.decode("utf-8", "surrogateescape").split("\0")[:-1]:
            told, _, path = line.partition("\t")
            mode, _, object_name = told.split(" ")
            if ".." not in path.split("/"):
                self.entries[path] = (mode, object_name)
        self._contents: dict[str, bytes] = {}

    def put(self, path: str, folder: Path, address: str) -> str:
        """Write a file with what it refers to, or a package's contract, into a folder; its path there."""
        for start in ("", self.prefix):
            found = posixpath.normpath(posixpath.join(start if not path.startswith("./") else self.prefix, path or "."))
            found = "" if found == "." else found
            if found in self.entries:
                self._write([*self._referred(found), *self._beside(found)], folder)
                return found
            inside = [name for name in self.entries if not found or name.startswith(f"{found}/")]
            if inside:
                kept = [name for name in inside if _OF_PACKAGES.fullmatch(posixpath.relpath(name, found or "."))]
                kept += [name for told in kept if told.endswith(_WISHES) for name in self._referred(told)]
                (folder / found).mkdir(parents=True, exist_ok=True)
                self._write(kept, folder)
                return found
        same = [name for name in self.entries if PurePosixPath(name).name == PurePosixPath(path).name]
        cure = f"Did you mean {address.partition(':')[0]}:{same[0]}?" if same else "Give its path from the top."
        raise _failure("TC803", f"{address}: there is no {path} in that revision", cure)

    def _beside(self, path: str) -> Iterator[str]:
        """What a package knows of its contract."""
        found = _CONTRACT.fullmatch(path)
        for name in ("toolcast.lock", _WISHES) if found else ():
            if found and f"{found[1]}{name}" in self.entries:
                yield from self._referred(f"{found[1]}{name}")

    def _referred(self, path: str) -> list[str]:
        """A file, and all that it and they refer to."""
        known = [path]
        for name in known:
            if len(known) >= _MOST:
                break
            text = self._content(name).decode("utf-8", "replace")
            folder = posixpath.dirname(name)
            words = dict.fromkeys(word for match in _REFERENCE.findall(text) for word in match if word)
            for word in words:
                for spelled in (word, unquote(word)):
                    other = posixpath.normpath(posixpath.join(folder, spelled.strip()))
                    if other in self.entries and other not in known:
                        known.append(other)
        return known

    def _content(self, path: str) -> bytes:
        """What is in a file, or in the one that a link leads to."""
        if path not in self._contents:
            self._contents[path] = self._read(path, _LINKS)
        return self._contents[path]

    def _read(self, path: str, links: int) -> bytes:
        mode, name = self.entries[path]
        content = _git("cat-file", "blob", name) or b""
        if mode != "120000":
            return content
        target = posixpath.normpath(posixpath.join(posixpath.dirname(path), content.decode("utf-8", "surrogateescape")))
        return self._read(target, links - 1) if target in self.entries and links else b""

    def _write(self, paths: Iterable[str], folder: Path) -> None:
        for path in paths:
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(self._content(path))


def _git(*arguments: str) -> bytes | None:
    """What git prints; None when it fails, or is not there."""
    environment = {**os.environ, "LC_ALL": "C", "GIT_TERMINAL_PROMPT": "0", "GIT_OPTIONAL_LOCKS": "0"}
    command: Sequence[str] = ("git", *arguments)
    try:
        done = subprocess.run(command, env=environment, capture_output=True, check=False, timeout=_PATIENCE)  # noqa: S603
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None


def _failure(code: str, message: str, advice: str) -> Failure:
    return Failure(Diagnostic(code=code, severity="error", message=message, help=advice))
