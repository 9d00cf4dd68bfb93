"""Shortening: a name's words in less room, so that what tells siblings apart survives."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from toolcast.mapping.verbs import CHANGING, READING

# Words that tell an agent nothing; they go first.
FILLERS: Final = frozenset(("a an the of for to and or by in on with from api using").split())
# How people shorten these anyway.
_ABBREVIATIONS: Final = {
    "administrator": "admin",
    "administrators": "admins",
    "application": "app",
    "applications": "apps",
    "authentication": "auth",
    "authenticated": "auth",
    "authorization": "auth",
    "configuration": "config",
    "configurations": "configs",
    "database": "db",
    "databases": "dbs",
    "document": "doc",
    "documents": "docs",
    "environment": "env",
    "environments": "envs",
    "identifier": "id",
    "identifiers": "ids",
    "information": "info",
    "organization": "org",
    "organizations": "orgs",
    "organisation": "org",
    "organisations": "orgs",
    "parameter": "param",
    "parameters": "params",
    "reference": "ref",
    "references": "refs",
    "repository": "repo",
    "repositories": "repos",
    "specification": "spec",
    "specifications": "specs",
    "statistics": "stats",
    "temporary": "temp",
}
_LEAST: Final = 8  # letters that are left of a word


def shortened(parts: Sequence[str], room: int) -> str:
    """The words as a name of at most ``room`` characters.

    First go words that are there twice, then long ones are written as people abbreviate them; then the longest are cut,
    and only when that is not enough words are left out: from the middle, and no verb, nor the first or the last word.
    """
    kept = [_ABBREVIATIONS.get(part, part) for part in _once(parts)]
    name = "_".join(kept)
    while True:
        for longest in range(max(_LEAST, *map(len, kept)), _LEAST - 1, -1):
            name = "_".join(part[:longest] if at < len(kept) - 1 else part for at, part in enumerate(kept))
            if len(name) <= room:
                return name
        spare = [at for at in range(1, len(kept) - 1) if not (at <= 2 and kept[at] in READING | CHANGING)]
        if not spare:
            return name[:room].rstrip("_")
        del kept[spare[len(spare) // 2]]


def _once(parts: Sequence[str]) -> list[str]:
    """The words without those that repeat an earlier one; the last one may be its singular (``pets``, ``pet``)."""
    return [part for at, part in enumerate(parts) if not _is_repeated(part, parts[:at], last=at == len(parts) - 1)]


def _is_repeated(part: str, before: Sequence[str], *, last: bool) -> bool:
    return part in before or (not last and any(form in before for form in _plurals(part)))


def _plurals(part: str) -> Iterator[str]:
    yield f"{part}s"
    yield f"{part}es"
    if part.endswith("y"):
        yield f"{part[:-1]}ies"
