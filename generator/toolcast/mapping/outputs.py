"""Outputs: what a tool's structured answer looks like, as loosely as APIs keep to their documents."""

from __future__ import annotations

from dataclasses import dataclass

from toolcast.mapping import media
from toolcast.mapping.schemas import Aim, Schemas
from toolcast.mapping.tokens import Sizes
from toolcast.model.json import Json, JsonObject, Schema
from toolcast.model.limits import OUTPUT_TOKENS
from toolcast.model.openapi import Operation

_AIMS = (
    Aim(direction="output", examples=False, text=160, depth=5),
    Aim(direction="output", examples=False, text=80, depth=4),
    *(Aim(direction="output", examples=False, text=0, depth=depth) for depth in (4, 3, 2, 1)),
)
# What APIs send where their document promises a type.
_SENT: dict[str, tuple[str, ...]] = {
    "integer": ("integer", "string", "null"),
    "number": ("number", "string", "null"),
    "boolean": ("boolean", "string", "null"),
    "string": ("string", "null"),
    "array": ("array", "null"),
    "object": ("object", "null"),
    "null": ("null",),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Outputs:
    """What a tool answers: its output schema, whether the answer is wrapped in it, and the answer in the document."""

    schema: Schema | None
    wrapped: bool
    source: Json


def outputs(operation: Operation, schemas: Schemas, loosener: Loosener, sizes: Sizes) -> Outputs:
    """The output schema of an operation: its documented 2xx JSON answers together; None when it has none."""
    sources: list[Json] = []
    for response in operation.responses:
        if response.status.startswith("2"):
            for answer in response.content:
                if media.is_json(answer.media_type) and not media.is_stream(answer.media_type):
                    sources.append({} if answer.schema is None else answer.schema)
                    break
    if not sources:
        return Outputs(schema=None, wrapped=False, source=None)
    distinct = [s for i, s in enumerate(sources) if s not in sources[:i]]
    source: Json = distinct[0] if len(distinct) == 1 else {"anyOf": distinct}
    for aim in _AIMS:
        whole = schemas.expand(source, aim)
        if sizes.tokens(whole) > 2 * OUTPUT_TOKENS:  # loosening drops keywords, but no more than half of a schema
            continue
        loose = loosener.loosened(whole)
        members = _members(loose)
        wrapped = members is None
        root: JsonObject = _root(members) if members is not None else _wrapped(loose)
        if sizes.tokens(root) <= OUTPUT_TOKENS:
            return Outputs(schema=root, wrapped=wrapped, source=source)
    wrapped = _members(schemas.expand(source, _AIMS[-1])) is None
    return Outputs(schema=_wrapped({}) if wrapped else {"type": "object"}, wrapped=wrapped, source=source)


def _wrapped(schema: JsonObject) -> JsonObject:
    return {"type": "object", "properties": {"result": schema}}


def _root(members: JsonObject) -> JsonObject:
    return {"type": "object", **members}


def _members(schema: JsonObject) -> JsonObject | None:
    """What an object schema says of its members, unions of objects together; None when it may be something else."""
    branches = schema.get("anyOf")
    if isinstance(branches, list):
        found = [_members(branch) for branch in branches if isinstance(branch, dict) and branch.get("type") != "null"]
        properties: JsonObject = {}
        for members in found:
            if members is None:
                return None
            declared = members.get("properties")
            for name, value in (declared if isinstance(declared, dict) else {}).items():
                properties[name] = value if name not in properties or properties[name] == value else {}
        return ({"properties": properties} if properties else {}) if found else None
    declared = schema.get("type")
    if declared == "object" or (
        isinstance(declared, list) and set(declared) <= {"object", "null"} and "object" in declared
    ):
        return {
            key: value for key, value in schema.items() if key in ("properties", "additionalProperties", "description")
        }
    return None


class Loosener:
    """Loosens schemas that share parts; each shared part is loosened once."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[JsonObject, JsonObject]] = {}  # the schema is held, so that its identity stays

    def loosened(self, schema: JsonObject) -> JsonObject:
        """Types, properties and descriptions, but nothing that upstreams habitually break."""
        known = self._known.get(id(schema))
        if known is None:
            known = self._known[id(schema)] = (schema, self._made(schema))
        return known[1]

    def _made(self, schema: JsonObject) -> JsonObject:
        result: JsonObject = {}
        declared = schema.get("type")
        kinds = [kind for kind in (declared if isinstance(declared, list) else [declared]) if isinstance(kind, str)]
        if kinds:
            sent = list(dict.fromkeys(kind for declared_kind in kinds for kind in _SENT[declared_kind]))
            result["type"] = [*sent] if len(sent) > 1 else sent[0]
        if isinstance(schema.get("description"), str):
            result["description"] = schema["description"]
        branches = schema.get("anyOf")
        if isinstance(branches, list):
            loose = [self.loosened(branch) for branch in branches if isinstance(branch, dict)]
            distinct = [branch for i, branch in enumerate(loose) if branch not in loose[:i]]
            if len(distinct) == 1:
                return {**distinct[0], **result}
            result["anyOf"] = [*distinct]
        properties, items, rest = schema.get("properties"), schema.get("items"), schema.get("additionalProperties")
        if isinstance(properties, dict):
            result["properties"] = {name: self.loosened(v) for name, v in properties.items() if isinstance(v, dict)}
        if isinstance(items, dict) and "prefixItems" not in schema:
            result["items"] = self.loosened(items)
        elif "array" in kinds:
            result["items"] = {}
        if isinstance(rest, dict):
            result["additionalProperties"] = self.loosened(rest)
        return result
