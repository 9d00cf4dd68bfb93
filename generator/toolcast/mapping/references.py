"""References: a schema with ``$ref`` and ``allOf`` resolved at its top, and how deep it is in cycles of references."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import Final, TypeAlias

from toolcast.diagnostics import Diagnostic, Location, Report
from toolcast.mapping.cycles import Cycles
from toolcast.mapping.merge import merged
from toolcast.mapping.portable import types
from toolcast.mapping.variants import Variants, branches
from toolcast.model.document import Document
from toolcast.model.json import Json, JsonObject
from toolcast.model.pointer import Missing, resolve

Levels: TypeAlias = tuple[tuple[int, int], ...]  # how many references deep, by cycle
CUT: Final = "$cut"  # in a flat schema: it stands for a reference that is not followed, to an object with these fields
_DEEPEST_LEVEL: Final = 2
_MOST_PARTS: Final = 1_000
_MOST_PROPERTIES: Final = 5_000  # of one object
_LONGEST_CHAIN: Final = 64
ANNOTATIONS: Final = frozenset(["description", "title", "deprecated", "summary"])
# Keywords that make a schema more than itself; the others hold for its top as they stand.
_COMPOSING: Final = frozenset(["$ref", "allOf", "then", "else", "dependentSchemas", "discriminator"])


class References:
    """Resolves the references of one document; each schema is flattened once for each level of its cycle."""

    def __init__(self, document: Document, report: Report) -> None:
        self.document = document
        self.variants = Variants(document)
        self.at = Location(file=document.file)  # the operation that is being mapped, for diagnostics
        self.report = report
        self._cycles = Cycles(document, self.variants)
        self._obeys_siblings = not document.version.startswith(("2", "3.0"))
        # The schema that a key's identity belongs to is held with the result, so that no other takes its identity.
        self._flat: dict[tuple[int, Levels], tuple[Json, JsonObject, Levels]] = {}
        # What is in no cycle is the same wherever it is referred to; else references that double would take for ever.
        self._targets: dict[str, tuple[JsonObject, Levels]] = {}
        self._bare: dict[str, JsonObject] = {}
        self._parts = 0  # of the schema that is being flattened
        self._cut: dict[int, tuple[JsonObject, JsonObject]] = {}  # by the identity of the properties, which are held
        self._within: set[int] = set()  # the branches whose fields are being collected

    def same(self, schema: Json) -> Json:
        """The schema; of bare references to one target the first that was met, so that all of them are one schema."""
        if isinstance(schema, dict) and len(schema) == 1 and isinstance(reference := schema.get("$ref"), str):
            return self._bare.setdefault(reference, schema)
        return schema

    def flat(self, schema: Json, levels: Levels = ()) -> tuple[JsonObject, Levels]:
        """The schema with ``$ref`` and ``allOf`` resolved at its top, and the levels of the cycles it is in.

        ``{"$cut": [...]}`` with the names of the fields stands for a reference that goes too deep into its cycle.
        """
        schema = self.same(schema)
        key = (id(schema), levels)
        known = self._flat.get(key)
        if known is None:
            outermost = self._parts
            self._parts = 0
            known = self._flat[key] = (schema, *self._flatten(schema, levels, levels, frozenset()))
            self._parts = outermost
        return known[1], known[2]

    def _flatten(self, schema: Json, outer: Levels, levels: Levels, seen: frozenset[str]) -> tuple[JsonObject, Levels]:
        """``outer`` are the levels where the whole schema stands: its own parts are no deeper than itself."""
        if not isinstance(schema, dict):
            return ({"not": {}} if schema is False else {}), levels
        if not (_COMPOSING & schema.keys()):
            return self._bounded(schema), levels
        told = self.variants.told(schema)
        reference, parts = schema.get("$ref"), schema.get("allOf")
        beside = {key: value for key, value in told.items() if key not in ("$ref", "allOf")}
        result: JsonObject = {}
        if isinstance(reference, str):
            result, levels = self._target(reference, outer, levels, seen)
            seen = seen | {reference}
            if not self._obeys_siblings:  # OpenAPI 3.0.4 section 4.7.23: they are ignored; a text does no harm
                beside = {key: value for key, value in beside.items() if key in ANNOTATIONS}
        for part in parts if isinstance(parts, list) and (self._obeys_siblings or reference is None) else ():
            flat, inner = self._flatten(part, outer, levels, seen)
            result = merged(result, _without_children(flat, seen))
            levels = _joined(levels, inner)
        result = merged(result, beside) if result else beside
        return self._bounded(self._settled(result, outer, seen)), levels

    def _bounded(self, schema: JsonObject) -> JsonObject:
        """The schema with no more properties than anybody has written."""
        properties = schema.get("properties")
        if not isinstance(properties, dict) or len(properties) <= _MOST_PROPERTIES:
            return schema
        if id(properties) not in self._cut:
            self._cut[id(properties)] = properties, dict(islice(properties.items(), _MOST_PROPERTIES))
            self.report.add(
                Diagnostic(
                    code="TC252",
                    severity="warning",
                    message=f"An object has {len(properties):,} properties; {_MOST_PROPERTIES:,} of them are looked at",
                    location=self.at,
                    help="Describe what their names have in common with `additionalProperties` or `patternProperties`.",
                )
            )
        kept = self._cut[id(properties)][1]  # others of the schema may differ, as beside a reference
        required = schema.get("required")
        needed: list[Json] = (
            [name for name in required if isinstance(name, str) and name in kept] if isinstance(required, list) else []
        )
        rest = {key: value for key, value in schema.items() if key not in ("required", "additionalProperties")}
        return {**rest, "properties": kept, "required": needed}

    def _settled(self, schema: JsonObject, outer: Levels, seen: frozenset[str]) -> JsonObject:
        """One union at most: what a second one and conditions say becomes optional properties, told and reachable."""
        if self._chooses_a_type(schema, outer, seen):
            rest = {key: value for key, value in schema.items() if key not in ("if", "then", "else")}
            return {**rest, "anyOf": [schema["then"], schema["else"]]}
        more: list[Json] = []
        for key in ("then", "else"):
            more += [schema[key]] if key in schema else []
        dependent = schema.get("dependentSchemas")
        more += dependent.values() if isinstance(dependent, dict) else ()
        left = schema.get("allOf")
        for part in left if isinstance(left, list) else ():
            more += branches(part) if isinstance(part, dict) else ()
        if schema.get("oneOf") and schema.get("anyOf"):
            second = schema["anyOf"]
            more += second if isinstance(second, list) else ()
            schema = {key: value for key, value in schema.items() if key != "anyOf"}
        if "allOf" in schema:
            schema = {key: value for key, value in schema.items() if key != "allOf"}
        fields = self._properties(more, outer, seen) if more else {}
        declared = schema.get("properties")
        known = declared if isinstance(declared, dict) else {}
        new = {name: value for name, value in fields.items() if name not in known}
        return {**schema, "properties": {**known, **new}} if new else schema

    def _chooses_a_type(self, schema: JsonObject, outer: Levels, seen: frozenset[str]) -> bool:
        """Whether a condition is all that says of which type a value is, and not an object in either case."""
        if "then" not in schema or "else" not in schema or types(schema) or branches(schema):
            return False
        cases = [self._flatten(schema[key], outer, outer, seen)[0] for key in ("then", "else")]
        return any({*types(case)} - {"object"} for case in cases)

    def _properties(self, schemas: Iterable[Json], outer: Levels, seen: frozenset[str]) -> JsonObject:
        found: JsonObject = {}
        for schema in schemas:
            if id(schema) in self._within:  # a branch that its own parts lead back to has nothing to add
                continue
            self._within.add(id(schema))
            flat, _ = self._flatten(schema, outer, outer, seen)
            self._within.discard(id(schema))
            properties = flat.get("properties")
            for name, value in (properties if isinstance(properties, dict) else {}).items():
                found[name] = value if name not in found or found[name] == value else {}
        return found

    def _target(self, reference: str, outer: Levels, levels: Levels, seen: frozenset[str]) -> tuple[JsonObject, Levels]:
        known = self._targets.get(reference)
        if known is not None:
            return known
        if reference in seen or len(seen) >= _LONGEST_CHAIN or self._is_too_much():
            return {}, levels
        try:
            target = resolve(self.document, reference)
        except Missing:
            self._warn(reference)
            return {"description": f"Described by {reference}, which the API's document does not have."}, levels
        inner = self._entered(reference, outer)
        if inner is None:
            fields = target.get("properties") if isinstance(target, dict) else None
            cut: JsonObject = {CUT: [*fields] if isinstance(fields, dict) else []}
            if isinstance(target, dict):
                cut |= {key: target[key] for key in ("readOnly", "writeOnly") if key in target}
            return cut, levels
        found = self._flatten(target, outer, inner, seen | {reference})
        if inner == () and self._cycles.component(reference) is None:
            self._targets[reference] = found
        return found

    def _is_too_much(self) -> bool:
        """Whether a schema refers, as parts of itself, to more than anybody has written."""
        self._parts += 1
        if self._parts == _MOST_PARTS:
            self.report.add(
                Diagnostic(
                    code="TC251",
                    severity="warning",
                    message=f"A schema is made of more than {_MOST_PARTS:,} others; the rest is left out of it",
                    location=self.at,
                    help="Let schemas that are parts of one another (`allOf`) refer to fewer others.",
                )
            )
        return self._parts >= _MOST_PARTS

    def leads_back(self, reference: str, levels: Levels) -> bool:
        """Does a reference lead into a cycle that these levels are of already?"""
        return self._cycles.component(reference) in dict(levels)

    def _entered(self, reference: str, levels: Levels) -> Levels | None:
        """The levels behind a reference; None when it is not to be followed."""
        cycle = self._cycles.component(reference)
        if cycle is None:
            return ()
        level = dict(levels).get(cycle, -1) + 1
        return None if level >= _DEEPEST_LEVEL else ((cycle, level),)

    def _warn(self, reference: str) -> None:
        self.report.add(
            Diagnostic(
                code="TC250",
                severity="warning",
                message=f"A schema refers to {reference!r}, and nothing is there; anything is accepted in its place",
                location=self.at,
                help="Correct the reference, or add what it refers to.",
            )
        )


def _without_children(schema: JsonObject, seen: frozenset[str]) -> JsonObject:
    """A base as a part of its child: its discriminator, and a union that leads back to the child, are not repeated."""
    if "discriminator" not in schema and not ({"oneOf", "anyOf"} & schema.keys()):
        return schema
    children = [branch.get("$ref") for branch in branches(schema) if isinstance(branch, dict)]
    own = any(isinstance(reference, str) and reference in seen for reference in children)
    drop = {"discriminator", *(("oneOf", "anyOf") if own else ())}
    return {key: value for key, value in schema.items() if key not in drop}


def _joined(one: Levels, other: Levels) -> Levels:
    if one == other or not other:
        return one
    levels = dict(one)
    for cycle, level in other:
        levels[cycle] = max(level, levels.get(cycle, 0))
    return tuple(sorted(levels.items()))
