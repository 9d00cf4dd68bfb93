"""Merging an owner's edit with what is generated now."""

from __future__ import annotations

import ast
import json
import tomllib
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

import yaml

from toolcast.write import git

MINE, BASE, NEW = "yours", "generated before", "generated now"
_MARKERS = tuple(f"{mark} {label}".encode() for mark, label in (("<<<<<<<", MINE), (">>>>>>>", NEW)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Merged:
    """A text, and why it needs its owner's decision; the text then has markers where the two differ, if it can."""

    text: bytes
    problem: str = ""


def merged(path: str, mine: bytes, base: bytes, new: bytes) -> Merged:
    """An owner's text with what has changed from ``base`` to ``new``, all with LF."""
    if base in (mine, new):
        return Merged(text=new if mine == base else mine)
    if not git.installed():
        return Merged(text=both(mine, new), problem="git is not installed, and merges need it")
    found = git.merge(mine, base, new, (MINE, BASE, NEW))
    if found is None:
        return Merged(text=both(mine, new), problem="it is no text that can be merged")
    text, clean = found
    if not clean:
        return Merged(text=text, problem="you and the generator changed the same lines")
    broken = unreadable(path, text)
    if broken and not unreadable(path, mine):
        return Merged(text=text, problem=f"the lines merge, but the result is broken: {broken}")
    return Merged(text=text)


def both(mine: bytes, new: bytes) -> bytes:
    """Two texts in one, with markers where they differ; without git, one after the other."""
    found = git.merge(mine, None, new, (MINE, BASE, NEW)) if git.installed() else None
    if found is not None:
        return found[0]
    start, end = _MARKERS
    parts = (start, mine.removesuffix(b"\n"), b"=======", new.removesuffix(b"\n"), end)
    return b"\n".join(parts) + b"\n"


def undecided(text: bytes) -> bool:
    """Whether markers of a merge are left."""
    return any(line.startswith(_MARKERS) for line in text.split(b"\n"))


def unreadable(path: str, text: bytes) -> str:
    """Why a text is none of the kind that its file's name says; "" where it is."""
    parse = _PARSERS.get(PurePosixPath(path).suffix)
    if parse is None:
        return ""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # such as for escapes in strings: the owner's business
            parse(text)
    except (SyntaxError, ValueError, yaml.YAMLError, RecursionError, MemoryError) as error:
        return " ".join(str(error).split())
    return ""


def _toml(text: bytes) -> object:
    return tomllib.loads(text.decode())


def _yaml(text: bytes) -> object:
    loader: Any = yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader
    events = loader(text)
    while events.check_event():
        events.get_event()
    return None


_PARSERS: Mapping[str, Callable[[bytes], object]] = {
    ".json": json.loads,
    ".py": ast.parse,
    ".toml": _toml,
    ".yaml": _yaml,
}
