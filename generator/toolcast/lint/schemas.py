"""Schemas in pieces: each part that references lead to once, with every schema that stands in it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from toolcast.diagnostics import Location
from toolcast.model.document import Document
from toolcast.model.json import Json, JsonObject
from toolcast.model.pointer import Missing, child, join, resolve, separate

_LONGEST_CHAIN: Final = 16
_BRANCHES: Final = ("allOf", "anyOf", "oneOf")
# A schema that is still to be looked at: whose it is, the schema, its pointer, is it a property, does it refine.
_End: TypeAlias = tuple[str, Json, str, bool, bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """A schema that an operation uses, and what it is a schema of."""

    operation: str
    name: str
    schema: Json
    at: Location


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """A schema in a piece: ``own`` as it is written, ``seen`` with what it refers to.

    ``name`` is that of the property or parameter that it belongs to; ``field`` says that it is that property itself,
    ``refines`` that it stands in an ``allOf``, where others say more of it.
    """

    name: str
    own: JsonObject
    seen: JsonObject
    at: Location
    field: bool
    refines: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A schema as far as no reference leads elsewhere, and the keys of the operations that use it."""

    name: str
    at: Location
    nodes: tuple[Node, ...]
    operations: tuple[str, ...]


@dataclass(slots=True)
class _Part:
    """A piece that is being made."""

    name: str
    at: Location
    nodes: list[Node]
    targets: tuple[str, ...]
    operations: dict[str, None]


def pieces(
    document: Document, starts: Iterable[Start], *, skipped: Literal["readOnly", "writeOnly"]
) -> tuple[Piece, ...]:
    """The pieces of some schemas; properties with ``skipped`` are left out."""
    parts: dict[Location, _Part] = {}
    reached: dict[str, dict[Location, None]] = {}
    for start in starts:
        if not isinstance(start.schema, dict):
            continue
        seen = reached.setdefault(start.operation, {})
        open_ends: list[tuple[str, Json, Location]] = [(start.name, start.schema, start.at)]
        while open_ends:
            name, schema, at = open_ends.pop()
            if at in seen:
                continue
            seen[at] = None
            part = parts.get(at)
            if part is None:
                nodes = list(_nodes(document, name, schema, at, skipped))
                part = parts[at] = _Part(name, at, nodes, _targets(nodes), {})
            part.operations[start.operation] = None
            for target in part.targets:
                found = referred(document, target)
                if found is not None:
                    open_ends.append((target.rpartition("/")[2], *found))
    return tuple(
        Piece(name=part.name, at=part.at, nodes=tuple(part.nodes), operations=tuple(part.operations))
        for part in parts.values()
    )


def referred(document: Document, reference: str) -> tuple[Json, Location] | None:
    """What a reference leads to, and where that is; None where it leads nowhere."""
    place = separate(reference)
    if place is None:
        return None
    try:
        value = resolve(document, reference)
    except Missing:
        return None
    return value, Location(file=place[0] or document.file, pointer=join(place[1]))


def whole(document: Document, schema: Json) -> JsonObject:
    """A schema with what it refers to; what stands beside a reference counts more."""
    seen: JsonObject = {}
    for _ in range(_LONGEST_CHAIN):
        if not isinstance(schema, dict):
            break
        seen = {**schema, **seen}
        reference = schema.get("$ref")
        found = referred(document, reference) if isinstance(reference, str) else None
        if found is None:
            break
        schema = found[0]
    return seen


def text(document: Document, schema: JsonObject) -> str:
    """What a schema says of itself, or one of the schemas that it is put together from."""
    told = schema.get("description") or schema.get("title")
    if isinstance(told, str):
        return told
    parts = schema.get("allOf")
    inner = (whole(document, part) for part in parts) if isinstance(parts, list) else iter(())
    return next((str(part["description"]) for part in inner if part.get("description")), "")


def _targets(nodes: Iterable[Node]) -> tuple[str, ...]:
    found = (node.own.get("$ref") for node in nodes)
    return tuple(dict.fromkeys(target for target in found if isinstance(target, str)))


def _nodes(document: Document, name: str, schema: Json, at: Location, skipped: str) -> Iterator[Node]:
    open_ends: list[_End] = [(name, schema, at.pointer, False, False)]
    while open_ends:
        owner, value, pointer, field, refines = open_ends.pop()
        if not isinstance(value, dict):
            continue
        seen = whole(document, value) if "$ref" in value else value
        if seen.get(skipped) is True:
            continue
        place = Location(file=at.file, pointer=pointer)
        yield Node(name=owner, own=value, seen=seen, at=place, field=field, refines=refines)
        open_ends += reversed([*_below(owner, value, pointer, refines)])


def _below(owner: str, schema: JsonObject, pointer: str, refines: bool) -> Iterator[_End]:
    properties = schema.get("properties")
    if isinstance(properties, dict):
        for name, member in properties.items():
            yield name, member, child(pointer, "properties", name), True, refines
    for key in ("items", "additionalProperties"):
        if isinstance(schema.get(key), dict):
            yield owner, schema[key], child(pointer, key), False, refines
    for key in _BRANCHES:
        branches = schema.get(key)
        if isinstance(branches, list):
            for index, branch in enumerate(branches):
                yield owner, branch, child(pointer, key, index), False, refines or key == "allOf"
