"""Which other files the references of a document may lead to."""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urljoin, urlsplit
from urllib.request import url2pathname

from toolcast.load.source import Source
from toolcast.load.web import Refused
from toolcast.model.urls import PORTS, origin

_DOCUMENTS = (".yaml", ".yml", ".json")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """What a document may refer to: the files of its tree, or what has its own origin, or more where that is allowed.

    ``base`` is the URI of the entry file, "" where it has none.
    """

    base: str
    folder: Path | None
    tree: Path | None
    peer: str | None
    remote: bool

    @classmethod
    def of(cls, entry: Source, *, tree: Path | None, remote: bool) -> Reach:
        """What is in reach from a document; ``tree`` is the folder that its references to files may not leave."""
        if entry.url is not None:
            return cls(base=entry.url, folder=None, tree=None, peer=entry.peer, remote=remote)
        if entry.address == "-":
            base = (Path(os.path.abspath(tree)) / "-").as_uri() if tree is not None else ""  # noqa: PTH100
            return cls(base=base, folder=tree, tree=tree, peer=None, remote=remote)
        # Symbolic links are not resolved: what is beside the link is what its author sees there.
        path = Path(os.path.abspath(entry.address))  # noqa: PTH100
        return cls(
            base=path.as_uri(), folder=path.parent, tree=tree or default_tree(path.parent), peer=None, remote=remote
        )

    def file(self, uri: str) -> Path:
        """The path of a ``file:`` URI; raises Refused where it is out of reach."""
        if self.tree is None or self.folder is None:
            raise Refused("a document from the network may not refer to local files")
        try:
            path = Path(url2pathname(urlsplit(uri).path))
            if not path.exists() and "%" in uri:
                path = Path(urlsplit(uri).path)  # a name with a percent sign that nobody encoded
            real, folder = path.resolve(), self.folder.resolve()
            inside = real.relative_to(self.tree.resolve())
        except ValueError:
            raise Refused(f"it is outside of {self.tree}, the folder tree of the document") from None
        except (OSError, RuntimeError):
            raise Refused("its path cannot be followed") from None
        if not real.is_relative_to(folder):
            if any(part.startswith(".") for part in inside.parts):
                raise Refused("it is hidden, and not in the folder of the document")
            if real.suffix.lower() not in _DOCUMENTS:
                raise Refused("it is neither YAML nor JSON, and not in the folder of the document")
        return path

    def address(self, url: str) -> str | None:
        """The IP address that a request for a URL has to go to, None for any; raises Refused.

        The document's own origin (RFC 6454) is where it came from, and the same machine: a name that leads to a
        public address first and into a private network later brings no secrets into a document.
        """
        parts = urlsplit(url)
        if parts.scheme not in PORTS or not parts.hostname:
            raise Refused("only http and https addresses can be fetched")
        if origin(parts) == origin(urlsplit(self.base)):
            return self.peer
        if not self.remote:
            kind = "another server" if self.base.startswith("http") else "the network"
            raise Refused(f"it is on {kind}, which has to be allowed first")
        from toolcast.load.pinning import public_address

        return public_address(parts.hostname, parts.port or PORTS[parts.scheme])


def absolute(base: str, relative: str) -> str:
    """The URI that a relative one means (RFC 3986 section 5), in the one spelling that its file has here.

    What is no URI stays as it is.
    """
    try:
        uri = urljoin(base, relative)
        parts = urlsplit(uri)
        if parts.scheme != "file":
            return uri
        return Path(os.path.normpath(url2pathname(parts.path) or os.sep)).as_uri()
    except ValueError:
        return relative


def default_tree(folder: Path) -> Path:
    """The folder that references from a document in ``folder`` may not leave.

    It is the working tree of git around it; without one the parent, since documents in parts stand beside each other,
    but for a parent that holds more than one's projects.
    """
    for candidate in (folder, *folder.parents):
        if (candidate / ".git").exists():
            return candidate if candidate not in _shared() else folder
    return folder.parent if folder.parent not in _shared() else folder


def _shared() -> set[Path]:
    found = {Path(tempfile.gettempdir()), Path("/tmp")}  # noqa: S108 - nothing is written there
    try:
        home = Path.home()
    except RuntimeError:
        return found | {Path(folder) for folder in ("/", "/home", "/root")}
    return found | {home, *home.parents}
