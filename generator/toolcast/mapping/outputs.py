"""Outputs: what a tool's structured answer looks like, as loosely as APIs keep to their documents."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from toolcast.mapping import media
from toolcast.mapping.drafts import TEXT, text_of
from toolcast.mapping.loosening import Loosener
from toolcast.mapping.schemas import Schemas
from toolcast.mapping.texts import shorten
from toolcast.mapping.trimming import Aim, first
from toolcast.model.json import Json, JsonObject, Schema
from toolcast.model.limits import OUTPUT_TOKENS
from toolcast.model.openapi import Operation

# What an output schema gives up, in this order, until it is within its budget.
_AIMS: Final = (
    Aim(examples=False, text=160, depth=5),
    Aim(examples=False, text=80, depth=4),
    *(Aim(examples=False, text=0, depth=depth) for depth in (4, 3, 2, 1)),
)


# What the runtime adds where an answer does not fit, or is cut; a map has to have a place for it.
_NOTED: Final[JsonObject] = {"_unmatched": {"type": "array", "items": {}}, "_truncated": {"type": "object"}}

Strictness: TypeAlias = Literal["loose", "strict", "off"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Outputs:
    """What a tool answers: its output schema, whether the answer is wrapped in it, and the answer in the document.

    ``documented`` says that there is a JSON answer, of which ``source`` is the schema.
    """

    schema: Schema | None
    wrapped: bool
    source: Json
    documented: bool


def outputs(operation: Operation, schemas: Schemas, loosener: Loosener, strictness: Strictness = "loose") -> Outputs:
    """The output schema of an operation: its documented 2xx JSON answers together; None when it has none.

    A strict one promises what the document does, but for what its root requires and whether that is closed: an answer
    that breaks its description is pruned (runtime, ``fit.py``), and the root has to stay.
    """
    sources: list[Json] = []
    for response in operation.responses:
        if response.status.startswith("2"):
            for answer in response.content:
                if media.is_json(answer.media_type) and not media.is_stream(answer.media_type):
                    sources.append({} if answer.schema is None else answer.schema)  # noqa: PERF401
    distinct = [source for i, source in enumerate(sources) if source not in sources[:i]]
    source: Json = distinct[0] if len(distinct) == 1 else {"anyOf": distinct} if distinct else None
    if not distinct or strictness == "off":
        return Outputs(schema=None, wrapped=False, source=source, documented=bool(distinct))
    draft = schemas.draft(source, "output")
    answer = loosener.loosened(draft) if strictness == "loose" else draft
    members = _members(answer, schemas)
    # An object is the root itself, not one level further down.
    root: JsonObject = {"type": "object", "properties": {"result": answer}} if members is None else members
    deeper = 0 if members is None else -1
    bare: JsonObject = {"type": "object"} if members is not None else {"type": "object", "properties": {"result": {}}}
    whole, *less = _AIMS

    def fits(aim: Aim) -> bool:
        return schemas.sizes.tokens(_fitted(root, aim, deeper, schemas)) <= OUTPUT_TOKENS

    aim = whole if fits(whole) else first(less, fits)
    fitted = bare if aim is None else _fitted(root, aim, deeper, schemas)
    return Outputs(schema=fitted, wrapped=members is None, source=source, documented=True)


def _fitted(root: JsonObject, aim: Aim, deeper: int, schemas: Schemas) -> JsonObject:
    below = aim._replace(depth=aim.depth + deeper)
    result = dict(root)
    properties, rest = root.get("properties"), root.get("additionalProperties")
    if isinstance(properties, dict):
        result["properties"] = {
            name: schemas.trimmed(part, below) for name, part in properties.items() if isinstance(part, dict)
        }
    if isinstance(rest, dict) and rest:
        declared = result.get("properties")
        result["additionalProperties"] = schemas.trimmed(rest, below)
        result["properties"] = {**_NOTED, **(declared if isinstance(declared, dict) else {})}
    own = shorten(text_of(root), aim.text) if aim.text else ""
    return {key: value for key, value in result.items() if key != TEXT} | ({"description": own} if own else {})


def _members(draft: JsonObject, schemas: Schemas) -> JsonObject | None:
    """An object's draft as a root, unions of objects together; None when the answer may be something else."""
    branches = draft.get("anyOf")
    if isinstance(branches, list):
        found = [
            _members(branch, schemas)
            for branch in branches
            if isinstance(branch, dict) and branch.get("type") != "null"
        ]
        properties: JsonObject = {}
        for members in found:
            if members is None:
                return None
            declared = members.get("properties")
            for name, value in (declared if isinstance(declared, dict) else {}).items():
                known = properties.setdefault(name, value)
                if not schemas.sizes.alike(known, value):
                    properties[name] = _common(known, value)
        return {"type": "object", **({"properties": properties} if properties else {})} if found else None
    declared = draft.get("type")
    kinds = declared if isinstance(declared, list) else [declared]
    if "object" not in kinds or any(kind not in ("object", "null") for kind in kinds):
        return None
    kept = {key: value for key, value in draft.items() if key in ("properties", "additionalProperties", TEXT)}
    if kept.get("additionalProperties") is False:
        del kept["additionalProperties"]
    return {"type": "object", **kept}


def _common(one: Json, other: Json) -> JsonObject:
    """What two drafts of one property have in common: their type, if that."""
    kinds = [draft.get("type") if isinstance(draft, dict) else None for draft in (one, other)]
    if kinds[0] is None or kinds[0] != kinds[1]:
        return {}
    is_list = kinds[0] == "array" or (isinstance(kinds[0], list) and "array" in kinds[0])
    return {"type": kinds[0], **({"items": {}} if is_list else {})}
