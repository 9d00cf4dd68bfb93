"""What was decided and written before, so that it stays: the contents of ``toolcast.lock``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from toolcast.model.json import Json


def _nothing() -> Mapping[str, str]:
    return MappingProxyType({})


def _no_arguments() -> Mapping[str, Mapping[str, str]]:
    return MappingProxyType({})


def _no_schemes() -> Mapping[str, Mapping[str, Json]]:
    return MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class Rendition:
    """The ids of a generated file as the generator wrote it, with LF: the names that git gives to such a blob.

    ``digest`` is that of a repository with SHA-256, ``blob`` that of one with SHA-1: whatever repository the package
    comes to stand in, the text is found there, and the lock is the same everywhere.
    """

    digest: str
    blob: str = ""  # a lock of format 1 did not know it


def _no_files() -> Mapping[str, Rendition]:
    return MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class Lock:
    """A name once given stays, and is never given to another.

    ``names`` maps an operation's key to its tool's name, ``groups`` to its group, ``arguments`` to a map from "place
    name" of a parameter or body field to its argument, ``bodies`` to whether the fields of its body are arguments
    ("fields") or the body is one ("whole"); ``ids`` maps an operationId to the tool's name, for operations that move.

    ``retired`` maps the name of a tool that is gone to the key of its operation, ``aliases`` maps an earlier name of a
    tool to its present one, which may have retired since.

    ``origins`` are where requests go, ``credentials`` says by scheme where credentials go, never what they are.

    ``variables`` maps a scheme's id to its environment variable without prefix and suffix. ``files`` maps a
    generated path to its last rendition, ``given`` are the owner's files that were written once; ``digest`` is the
    document's, ``generator`` the version that wrote all this.
    """

    names: Mapping[str, str] = field(default_factory=_nothing)
    ids: Mapping[str, str] = field(default_factory=_nothing)
    groups: Mapping[str, str] = field(default_factory=_nothing)
    arguments: Mapping[str, Mapping[str, str]] = field(default_factory=_no_arguments)
    bodies: Mapping[str, str] = field(default_factory=_nothing)
    retired: Mapping[str, str] = field(default_factory=_nothing)
    aliases: Mapping[str, str] = field(default_factory=_nothing)
    origins: tuple[str, ...] = ()
    credentials: Mapping[str, Mapping[str, Json]] = field(default_factory=_no_schemes)
    variables: Mapping[str, str] = field(default_factory=_nothing)
    files: Mapping[str, Rendition] = field(default_factory=_no_files)
    given: tuple[str, ...] = ()
    digest: str = ""
    generator: str = ""
