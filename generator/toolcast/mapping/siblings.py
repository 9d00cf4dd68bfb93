"""Siblings: tools about one collection, of which each says when to take which.

Only what the document says is told: that a path ends in a parameter, that an operation is called a search, that what a
list answers has the parameter's value, and that PUT replaces where PATCH changes (RFC 9110 section 9.3.4, RFC 5789).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from toolcast.mapping.imperative import of_id, of_path
from toolcast.mapping.names import words
from toolcast.model.openapi import Operation

_PLACEHOLDER: Final = re.compile(r"\{([^{}]*)\}")
_SEARCHES: Final = frozenset("search query find lookup filter autocomplete typeahead".split())
_SEVERAL: Final = frozenset(["batch", "bulk"])
_EACH: Final = 2  # of a kind that are named at most


@dataclass(slots=True)
class _Family:
    """The operations of one collection by what they do with it."""

    lists: list[Operation] = field(default_factory=list[Operation])
    searches: list[Operation] = field(default_factory=list[Operation])
    gets: list[Operation] = field(default_factory=list[Operation])
    creates: list[Operation] = field(default_factory=list[Operation])
    creates_several: list[Operation] = field(default_factory=list[Operation])
    replaces: list[Operation] = field(default_factory=list[Operation])
    updates: list[Operation] = field(default_factory=list[Operation])


def choices(
    operations: Sequence[Operation],
    names: Mapping[str, str],
    groups: Mapping[str, str],
    reads: Callable[[Operation], bool],
    listed: Callable[[Operation], Collection[str]],
) -> Mapping[str, str]:
    """By key, a sentence that says when to take a tool rather than its siblings, where there are such.

    ``reads`` tells what only reads, ``listed`` the properties of the things that an answer lists.
    """
    families: dict[tuple[str, str], _Family] = defaultdict(_Family)
    for operation in sorted(operations, key=lambda one: one.key):
        segments = operation.path.strip("/").split("/")
        _place(operation, segments, groups[operation.key], families, reads)
    told = dict(_scopes(operations, names, groups))
    for family in families.values():
        told |= {one.key: said for one, said in _told(family, names, listed) if said}
    return told


def _scopes(
    operations: Sequence[Operation], names: Mapping[str, str], groups: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    """What two tools say that are described alike, where one asks for more (``/pods``, ``/namespaces/{name}/pods``)."""
    alike: dict[tuple[str, str, str, str], list[Operation]] = defaultdict(list)
    for one in operations:
        text = one.description or one.summary
        alike[groups[one.key], one.method, one.path.rsplit("/", 1)[-1], text].append(one)
    for found in alike.values():
        if len(found) != 2:
            continue
        wide, narrow = sorted(found, key=lambda one: one.path.count("{"))
        more = [key for key in _PLACEHOLDER.findall(narrow.path) if key not in _PLACEHOLDER.findall(wide.path)]
        if len(more) == 1 and set(_PLACEHOLDER.findall(wide.path)) < set(_PLACEHOLDER.findall(narrow.path)):
            yield wide.key, f"For one {more[0]}, take {names[narrow.key]}."
            yield narrow.key, f"Without {more[0]}, take {names[wide.key]}."


def _place(
    operation: Operation,
    segments: list[str],
    group: str,
    families: Mapping[tuple[str, str], _Family],
    reads: Callable[[Operation], bool],
) -> None:
    """Put an operation to its siblings: those of the path without what stands for one, and without a verb."""
    of_one = bool(_PLACEHOLDER.fullmatch(segments[-1]))
    last = words(_PLACEHOLDER.sub("", segments[-1]))
    parent = families[group, "/".join(segments[:-1])]
    own = families[group, "/".join(segments)]
    match operation.method:
        case "GET" | "POST" | "QUERY" if _is_search(operation) and not of_one and reads(operation):
            # /pets/search is about pets, and a POST to /pets that searches, too
            (parent if _SEARCHES.intersection(last) else own).searches.append(operation)
        case "GET" if of_one:
            parent.gets.append(operation)
        case "GET" if last and last[-1].endswith("s"):
            own.lists.append(operation)
        case "POST" if _SEVERAL.intersection(last) and len(segments) > 1:
            parent.creates_several.append(operation)
        case "POST" if not of_one:
            own.creates.append(operation)
        case "PUT" if of_one:
            parent.replaces.append(operation)
        case "PATCH" if of_one:
            parent.updates.append(operation)
        case _:
            pass


def _is_search(operation: Operation) -> bool:
    return any(verb.word in _SEARCHES for verb in (*of_id(operation), *of_path(operation)))


def _told(
    family: _Family, names: Mapping[str, str], listed: Callable[[Operation], Collection[str]]
) -> Iterator[tuple[Operation, str]]:
    def named(operations: Sequence[Operation]) -> str:
        return " or ".join(sorted(names[one.key] for one in operations))

    few = {kind: found if len(found) <= _EACH else [] for kind, found in _kinds(family).items()}
    lists, searches, gets = few["lists"], few["searches"], few["gets"]
    for one in gets:
        key = _PLACEHOLDER.findall(one.path)[-1]
        sources = [list_ for list_ in lists if _has(listed(list_), key, one.path)]
        sources += [search for search in searches if _has(listed(search), key, one.path)]
        if sources:
            yield one, f"{named(sources)} {'give' if len(sources) > 1 else 'gives'} the {key}."
    for mine, other, how in ((lists, searches, "To search"), (searches, lists, "To list all")):
        if other:
            by = f"; by {_PLACEHOLDER.findall(gets[0].path)[-1]}, {names[gets[0].key]}" if len(gets) == 1 else ""
            yield from ((one, f"{how}, take {named(other)}{by}.") for one in mine)
    for mine, other, how in (
        (few["creates"], few["creates_several"], "For several at once"),
        (few["creates_several"], few["creates"], "For one"),
        (few["replaces"], few["updates"], "To change only some fields"),
        (few["updates"], few["replaces"], "To replace the whole"),
    ):
        if other:
            yield from ((one, f"{how}, take {named(other)}.") for one in mine)


def _kinds(family: _Family) -> Mapping[str, list[Operation]]:
    return {
        "lists": family.lists,
        "searches": family.searches,
        "gets": family.gets,
        "creates": family.creates,
        "creates_several": family.creates_several,
        "replaces": family.replaces,
        "updates": family.updates,
    }


def _has(properties: Collection[str], key: str, path: str) -> bool:
    """Do the things that are listed have what a path's last parameter asks for, by its name or as their own id?"""
    parts = words(key)
    thing = words(path.rstrip("/").rsplit("/", 2)[-2]) if path.count("/") > 1 else []
    single = [part.removesuffix("s") for part in thing]
    own = parts[:-1] in ([], thing, single, thing[-1:], single[-1:])  # pet_id of /pets, and id
    return any(words(name) == parts for name in properties) or (own and parts[-1:] != [] and parts[-1] in properties)
