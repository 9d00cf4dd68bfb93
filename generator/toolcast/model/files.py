"""What shall be on disk."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

Owner: TypeAlias = Literal["generated", "runtime", "shared", "yours"]


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """A file of the package: its path with ``/``, its text with LF, and whose it is once written.

    A ``shared`` file is the owner's to edit; the generator goes on bringing it up to date while it is as generated.
    """

    path: str
    text: str
    owner: Owner


# What a package can do without: by path or folder, whether it is made unless the owner says otherwise, and what it is.
EXTRAS: Final[Mapping[str, tuple[bool, str]]] = {
    "TOOLS.md": (True, "Every tool, with its hints and why."),
    ".env.example": (True, "The environment variables, to be filled in."),
    ".gitignore": (True, "What git leaves alone."),
    ".gitattributes": (True, "What is generated, for git and its hosts."),
    "tests": (True, "Tests of the request that each tool becomes."),
    "answers.json": (True, "Answers for `--mock`: the document's examples, or made from its schemas."),
    "Dockerfile": (True, "The server as a container, with `.dockerignore`."),
    "compose.yaml": (True, "Replicas of the container behind nginx, with `deploy/nginx.conf`."),
    "deploy/kubernetes.yaml": (True, "The container in a cluster."),
    "manifest.json": (True, "The server as a bundle for desktop clients (.mcpb), with `.mcpbignore`."),
    "server.json": (True, "The server in the MCP registry, once `package.registry_name` says as what."),
}

# Files that come and go with an extra.
_WITH: Final[Mapping[str, str]] = {
    ".dockerignore": "Dockerfile",
    "deploy/nginx.conf": "compose.yaml",
    ".mcpbignore": "manifest.json",
}


def is_extra(path: str, extra: str) -> bool:
    """Is a file the extra of this name, in its folder, or of use with it only?"""
    return _WITH.get(path, path) == extra or path.startswith(f"{extra}/")
