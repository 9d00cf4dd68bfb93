"""Schemas of other files → components of the document, so that each has a name."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath
from typing import TypeGuard
from urllib.parse import urlsplit

from toolcast.load.places import tags, walk
from toolcast.model.json import Json, JsonObject
from toolcast.model.pointer import lookup, reference, separate

_LONGEST_CHAIN = 32
_PLACE = ("components", "schemas")
_ODD = re.compile(r"[^A-Za-z0-9._-]+")  # what a component's name may not hold (OpenAPI 3.2 section 4.7)


def adopt(root: JsonObject, files: Mapping[str, Json]) -> None:
    """Let every reference to a schema in another file lead to a component of the document that is this very schema.

    A component that was a reference to it and nothing more becomes it. The others are called as they are where they
    stand: after the last name of the pointer, or the file; where two would be called the same, both after file and
    name. What is no schema stays a reference into its file. A schema that is a reference and nothing more is passed
    over.
    """
    if not files:
        return
    used: dict[str, list[tuple[JsonObject, str]]] = {}
    for kind, node, _ in walk(root, files):
        if kind == "schema":
            for owner, key in ((node, "$ref"), *tags(node)):
                target = owner.get(key)
                if isinstance(target, str) and "#" in target and not target.startswith("#"):
                    used.setdefault(target, []).append((owner, key))
    schemas = _schemas(root) if used else None
    if schemas is None:
        return
    ends = {target: end for target in used if (end := _end(root, files, target)) is not None}
    names: dict[str, str] = {}
    for name, schema in schemas.items():
        target = schema.get("$ref") if _is_alias(schema) else None
        if isinstance(target, str) and not ends.get(target, "#").startswith("#"):
            names.setdefault(ends[target], name)
    names |= _named({end for end in ends.values() if end not in names and not end.startswith("#")}, schemas)
    found = {end: lookup(root, files, end) for end in names}
    for target, end in ends.items():
        for owner, key in used[target]:
            owner[key] = reference("", [*_PLACE, names[end]]) if end in names else end
    for end, name in names.items():
        value = found[end]
        if value is not None:
            schemas[name] = value[0]


def _is_alias(schema: Json) -> TypeGuard[JsonObject]:
    return isinstance(schema, dict) and len(schema) == 1 and isinstance(schema.get("$ref"), str)


def _end(root: JsonObject, files: Mapping[str, Json], target: str) -> str | None:
    """Where a reference leads in the end; None where it leads nowhere, or in a circle."""
    for _ in range(_LONGEST_CHAIN):
        found = lookup(root, files, target)
        if found is None or not _is_alias(found[0]):
            return target if found is not None else None
        target = str(found[0]["$ref"])
    return None


def _schemas(root: JsonObject) -> JsonObject | None:
    """The components that are schemas, made where there are none; None where something else is in their place."""
    here = root
    for name in _PLACE:
        inner = here.setdefault(name, {})
        if not isinstance(inner, dict):
            return None
        here = inner
    return here


def _named(targets: Iterable[str], taken: Mapping[str, Json]) -> dict[str, str]:
    """A name for each target, which depends on no order."""
    names: dict[str, str] = {}
    used = {name.lower() for name in taken}
    left = sorted(targets)
    for level in range(3):
        wanted: dict[str, list[str]] = defaultdict(list)
        for target in left:
            wanted[_name(target, level).lower()].append(target)
        alone = {owners[0] for name, owners in wanted.items() if len(owners) == 1 and name not in used}
        names |= {target: _name(target, level) for target in left if target in alone}
        used |= wanted.keys()
        left = [target for target in left if target not in alone]
    for target in left:
        name, n = _name(target, 2), 2
        while f"{name}_{n}".lower() in used:
            n += 1
        names[target] = f"{name}_{n}"
        used.add(names[target].lower())
    return names


def _name(target: str, level: int) -> str:
    """What a schema is called after its place, with more of it at each level."""
    file, path = separate(target) or (target, [])
    whole = PurePosixPath(urlsplit(file).path if "://" in file else file)
    stem = whole.stem
    match level:
        case 0 if len(path) < 2 or path[-2] in ("schemas", "definitions", "$defs"):
            parts = path[-1:] or [stem]
        case 0 | 1:
            parts = [stem, *path[-1:]]
        case _:
            parts = [*whole.with_suffix("").parts, *path]
    return _ODD.sub("_", ".".join(parts)).strip("._") or "schema"
