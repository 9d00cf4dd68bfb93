"""Schemas: a document's schema becomes one that stands alone and that every client takes.

References are inlined, ``allOf`` is merged, unions become ``anyOf``, and keywords go through ``portable.py``. A cycle of
references is cut at the second level inside it, and deep objects where a tool would grow over its budget; what is cut
becomes a free-form object that names its fields, so that nothing becomes unreachable.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from toolcast.diagnostics import Diagnostic, Location, Report
from toolcast.mapping import portable
from toolcast.mapping.cycles import Cycles, component, mapping_targets
from toolcast.mapping.merge import both, merged
from toolcast.mapping.texts import clean, shorten
from toolcast.model.document import Document
from toolcast.model.json import Json, JsonObject
from toolcast.model.limits import PROPERTY_KEY
from toolcast.model.pointer import Missing, resolve

Levels: TypeAlias = tuple[tuple[int, int], ...]  # how many references deep, by cycle
_DEEPEST_LEVEL = 2
_DEEPEST_NESTING = 100
_CUT = "$cut"  # marks, inside this module, a schema that stands for a reference that is not followed
_ANNOTATIONS = frozenset(["description", "title", "deprecated", "summary"])


@dataclass(frozen=True, slots=True)
class Aim:
    """What a schema is expanded for: direction, levels of objects, and how much text its parts may have."""

    direction: Literal["input", "output"]
    depth: int = 16
    text: int = 700
    examples: bool = True

    @property
    def hidden(self) -> str:
        """The keyword of properties that do not travel in this direction."""
        return "readOnly" if self.direction == "input" else "writeOnly"

    def deeper(self) -> Aim:
        """The aim one object further down."""
        return replace(self, depth=self.depth - 1)


class Schemas:
    """Expands the schemas of one document; what schemas share is expanded once and shared by the results."""

    def __init__(self, document: Document, report: Report) -> None:
        self.document = document
        self.report = report
        self.at: Location | None = None  # the operation that is being mapped, for diagnostics
        self._cycles = Cycles(document)
        self._obeys_siblings = not document.version.startswith(("2", "3.0"))
        self._flat: dict[tuple[int, Levels], tuple[JsonObject, Levels]] = {}
        self._known: dict[tuple[int, Aim, Levels], JsonObject] = {}
        self._held: list[Json] = []  # schemas made here, held so that their identity stays their own
        self._nesting = 0

    def flat(self, schema: Json, levels: Levels = ()) -> tuple[JsonObject, Levels]:
        """The schema with ``$ref`` and ``allOf`` resolved at its top, and the levels of the cycles it is in."""
        key = (id(schema), levels)
        known = self._flat.get(key)
        if known is None:
            known = self._flatten(schema, levels, frozenset())
            self._held.append(schema)
            self._flat[key] = known
        return known

    def _flatten(self, schema: Json, levels: Levels, seen: frozenset[str]) -> tuple[JsonObject, Levels]:
        if not isinstance(schema, dict):
            return ({"not": {}} if schema is False else {}), levels
        reference, parts = schema.get("$ref"), schema.get("allOf")
        if not isinstance(reference, str) and not isinstance(parts, list):
            return schema, levels
        beside = {key: value for key, value in schema.items() if key not in ("$ref", "allOf")}
        result: JsonObject = {}
        if isinstance(reference, str):
            result, levels = self._target(reference, levels, seen)
            seen = seen | {reference}
            if not self._obeys_siblings:  # OpenAPI 3.0.4 section 4.7.23: they are ignored; a text does no harm
                beside = {key: value for key, value in beside.items() if key in _ANNOTATIONS}
        for part in parts if isinstance(parts, list) and (self._obeys_siblings or reference is None) else ():
            flat, inner = self._flatten(part, levels, seen)
            result = merged(result, self._without_children(flat, seen))
            levels = _joined(levels, inner)
        result = merged(result, beside)
        if "allOf" in result:  # what merging could not say in one schema
            left = result.pop("allOf")
            for part in left if isinstance(left, list) else ():
                if isinstance(part, dict) and not ({"anyOf", "oneOf"} & set(result)):
                    result = merged(result, part)
        return result, levels

    def _without_children(self, schema: JsonObject, seen: frozenset[str]) -> JsonObject:
        """A base as a part of its child: its discriminator, and a union that leads back to the child, are not repeated."""
        if "discriminator" not in schema and not ({"oneOf", "anyOf"} & schema.keys()):
            return schema
        children = {branch.get("$ref") for branch in _branches(schema) if isinstance(branch, dict)}
        drop = {"discriminator", *(("oneOf", "anyOf") if children & seen else ())}
        return {key: value for key, value in schema.items() if key not in drop}

    def _target(self, reference: str, levels: Levels, seen: frozenset[str]) -> tuple[JsonObject, Levels]:
        if reference in seen:
            return {}, levels
        try:
            target = resolve(self.document, reference)
        except Missing:
            self._warn("TC250", f"A schema refers to {reference!r}, and nothing is there; anything is accepted in its place",
                       "Correct the reference, or add what it refers to.")  # fmt: skip
            return {"description": f"Described by {reference}, which the API's document does not have."}, levels
        inner = self.entered(reference, levels)
        if inner is None:
            fields = target.get("properties") if isinstance(target, dict) else None
            return {_CUT: list(fields) if isinstance(fields, dict) else []}, levels
        return self._flatten(target, inner, seen | {reference})

    def entered(self, reference: str, levels: Levels) -> Levels | None:
        """The levels behind a reference; None when it is not to be followed."""
        cycle = self._cycles.component(reference)
        if cycle is None:
            return ()
        level = dict(levels).get(cycle, -1) + 1
        return None if level >= _DEEPEST_LEVEL else ((cycle, level),)

    def expand(self, schema: Json, aim: Aim, levels: Levels = ()) -> JsonObject:
        """The schema on its own: no references, no combinators but ``anyOf``, portable keywords. Do not change it."""
        key = (id(schema), aim, levels)
        known = self._known.get(key)
        if known is not None:
            return known
        if self._nesting >= _DEEPEST_NESTING:
            return {}
        self._nesting += 1
        try:
            flat, inner = self.flat(schema, levels)
            result = self._built(flat, aim, inner)
        finally:
            self._nesting -= 1
        self._held.append(schema)
        self._known[key] = result
        return result

    def _built(self, schema: JsonObject, aim: Aim, levels: Levels) -> JsonObject:
        text = _text(schema, aim)
        if _CUT in schema:
            return _free_form(text, schema[_CUT])
        if mapping_targets(schema) and not _branches(schema):
            return self._union([{"$ref": t} for t in dict.fromkeys(mapping_targets(schema))], schema, aim, levels)
        branches = _branches(schema)
        if branches:
            return self._union(branches, schema, aim, levels)
        kinds = portable.types(schema)
        notes = [text] if text else []
        result: JsonObject = {}
        values = schema.get("enum") if "const" not in schema else [schema["const"]]
        empty = False
        if isinstance(values, list) and values != [None]:
            found, empty, kinds = portable.enum(values, kinds)
            if found:
                result["enum"] = found
        if "string" in kinds and "enum" not in result:
            result |= self._string(schema, notes)
        if "array" in kinds:
            result |= self._array(schema, aim, levels)
        if "object" in kinds:
            fields = self._object(schema, aim, levels, notes)
            if fields is None:
                free = _free_form(text, [*_names(schema)])
                return _typed(kinds, free)
            result |= fields
        result |= portable.bounds(schema, kinds)
        result = _typed(kinds, result)
        if empty:  # Gemini refuses "" in an enum (mongodb-js/mongodb-mcp-server#715)
            clears: JsonObject = {"type": "string", "maxLength": 0, "description": "empty: clears the value"}
            result = {"anyOf": [result, clears]} if "enum" in result else clears
        if notes:
            result["description"] = "\n".join(notes)
        if aim.direction == "input":
            result |= _annotations(schema, result, aim)
        return result

    def _string(self, schema: JsonObject, notes: list[str]) -> JsonObject:
        result: JsonObject = {}
        format_, pattern = schema.get("format"), schema.get("pattern")
        if isinstance(format_, str) and format_ not in ("binary", ""):
            result["format"] = format_
        if isinstance(pattern, str):
            if portable.pattern_is_portable(pattern):
                result["pattern"] = pattern
            else:
                notes.append(f"Pattern: {shorten(clean(pattern), 200)}")
        return result

    def _array(self, schema: JsonObject, aim: Aim, levels: Levels) -> JsonObject:
        result: JsonObject = {}
        items, first = schema.get("items"), schema.get("prefixItems")
        if isinstance(first, list) and first:
            result["prefixItems"] = [self.expand(item, aim, levels) for item in first]
            if items is False and not isinstance(schema.get("maxItems"), int):
                result["maxItems"] = len(first)
        result["items"] = self.expand(items, aim, levels) if isinstance(items, dict) else {}
        if schema.get("uniqueItems") is True:
            result["uniqueItems"] = True
        return result

    def _object(self, schema: JsonObject, aim: Aim, levels: Levels, notes: list[str]) -> JsonObject | None:
        properties = schema.get("properties")
        declared = properties if isinstance(properties, dict) else {}
        if declared and aim.depth <= 0:
            return None
        fields: JsonObject = {}
        hidden: set[str] = set()
        odd: list[str] = []
        for name, value in declared.items():
            if value is False or self.flat(value, levels)[0].get(aim.hidden) is True:
                hidden.add(name)
            elif not PROPERTY_KEY.fullmatch(name):
                odd.append(name)
            else:
                fields[name] = self.expand(value, aim.deeper(), levels)
        rest, patterns = schema.get("additionalProperties"), schema.get("patternProperties")
        required = schema.get("required")
        needed = list(dict.fromkeys(n for n in required if isinstance(n, str))) if isinstance(required, list) else []
        if rest is not False:
            fields |= {n: {} for n in needed if n not in declared and n not in fields and PROPERTY_KEY.fullmatch(n)}
        result: JsonObject = {"properties": fields} if fields else {}
        listed: list[Json] = [name for name in needed if name in fields and name not in hidden]
        if listed:
            result["required"] = listed
        if odd:  # Claude refuses such keys (anthropics/claude-code#92648); the object stays open for them
            notes.append(f"Also takes {', '.join(f'`{clean(name)}`' for name in odd)}.")
        if isinstance(rest, dict) and rest:
            inner = self.expand(rest, aim.deeper(), levels)
            result |= {"additionalProperties": inner} if inner else {}
        elif rest is False and not odd and not isinstance(patterns, dict):
            result["additionalProperties"] = False
        names = schema.get("propertyNames")
        if isinstance(names, dict) and aim.direction == "input":
            result["propertyNames"] = self.expand(names, aim.deeper(), levels)
        return result

    def _union(self, branches: list[Json], schema: JsonObject, aim: Aim, levels: Levels) -> JsonObject:
        """A union of branches, beside what the schema says of all of them."""
        text = _text(schema, aim)
        base: JsonObject = {
            key: value
            for key, value in schema.items()
            if key not in ("anyOf", "oneOf", "discriminator", "default", "description", "title", "examples", "example")
        }
        choices = [b for b in self._tagged(branches, schema)]
        alternatives = [_needs(branch) for branch in choices]
        if base.get("properties") and all(alternatives):
            told = " or ".join(" and ".join(f"`{name}`" for name in names or ()) for names in alternatives)
            notes = "\n".join(note for note in (text, f"Needs {told}.") if note)
            return self._built({**base, "description": notes}, aim, levels)
        expanded: list[JsonObject] = []
        nullable = False
        for branch in choices:
            flat, inner = self.flat(branch, levels)
            if portable.types(flat) == ["null"] or flat.get("enum") == [None]:
                nullable = True
                continue
            whole = merged(base, flat) if base else flat
            self._held.append(whole)
            one = dict(self._built(whole, aim, inner))
            one.pop("default", None)  # Gemini refuses a default under anyOf
            if one not in expanded:
                expanded.append(one)
        result = _folded(expanded, nullable)
        if text:
            own = result.get("description")
            result["description"] = f"{text}\n{own}" if isinstance(own, str) and own not in text else text
        if aim.direction == "input" and "anyOf" not in result:
            result |= _annotations(schema, result, aim)
        return result

    def _tagged(self, branches: list[Json], schema: JsonObject) -> Iterator[Json]:
        """The branches, each with the values of the discriminator that mean it (OpenAPI 3.1.1 section 4.8.25)."""
        discriminator = schema.get("discriminator")
        tag = discriminator.get("propertyName") if isinstance(discriminator, dict) else None
        mapping = discriminator.get("mapping") if isinstance(discriminator, dict) else None
        named = mapping if isinstance(mapping, dict) else {}
        for branch in branches:
            reference = branch.get("$ref") if isinstance(branch, dict) else None
            if not isinstance(tag, str) or not isinstance(reference, str):
                yield branch
                continue
            values: list[Json] = [v for v, t in named.items() if isinstance(t, str) and component(t) == reference]
            flat, _ = self.flat(branch)
            properties = flat.get("properties")
            own = self.flat(properties[tag])[0] if isinstance(properties, dict) and tag in properties else {}
            if "const" in own or isinstance(own.get("enum"), list):
                values = []  # the branch says it itself, and better
            rule: JsonObject = {"required": [tag]}
            if values or not own:
                rule["properties"] = {tag: {"type": "string", "enum": values or [reference.rsplit("/", 1)[-1]]}}
            tagged: Json = both(branch, rule)
            self._held.append(tagged)
            yield tagged

    def _warn(self, code: str, message: str, cure: str) -> None:
        self.report.add(Diagnostic(code=code, severity="warning", message=message, location=self.at, help=cure))


def _joined(one: Levels, other: Levels) -> Levels:
    if one == other or not other:
        return one
    levels = dict(one)
    for cycle, level in other:
        levels[cycle] = max(level, levels.get(cycle, 0))
    return tuple(sorted(levels.items()))


def _branches(schema: JsonObject) -> list[Json]:
    for key in ("oneOf", "anyOf"):
        branches = schema.get(key)
        if isinstance(branches, list) and branches:
            return branches
    return []


def _needs(branch: Json) -> list[str] | None:
    """The names that a branch requires, when that is all it says."""
    if isinstance(branch, dict) and not (branch.keys() - {"required", "description", "title"}):
        required = branch.get("required")
        return [name for name in required if isinstance(name, str)] if isinstance(required, list) else None
    return None


def _names(schema: JsonObject) -> list[str]:
    properties = schema.get("properties")
    return list(properties) if isinstance(properties, dict) else []


def _text(schema: JsonObject, aim: Aim) -> str:
    if not aim.text:
        return ""
    words = schema.get("description") or schema.get("title")
    text = shorten(clean(words), aim.text) if isinstance(words, str) else ""
    return f"Deprecated. {text}".strip() if schema.get("deprecated") is True else text


def _free_form(text: str, fields: Json) -> JsonObject:
    """An object that takes anything, and names the fields that it is known to have."""
    names = [clean(name) for name in fields if isinstance(name, str)] if isinstance(fields, list) else []
    told = f"Fields: {shorten(', '.join(names), 300)}." if names else ""
    description = "\n".join(part for part in (text, told) if part)
    return {"type": "object", "description": description} if description else {"type": "object"}


def _typed(kinds: list[str], schema: JsonObject) -> JsonObject:
    if not kinds:
        return schema
    listed: list[Json] = [*kinds]
    return {**schema, "type": listed[0] if len(listed) == 1 else listed} if "type" in schema else {
        "type": listed[0] if len(listed) == 1 else listed, **schema}  # fmt: skip


def _folded(branches: list[JsonObject], nullable: bool) -> JsonObject:
    """A union in its shortest form: one branch as it is, enums of one type as one enum, null as a type."""
    if not branches:
        return {"type": "null"} if nullable else {}
    if len(branches) > 1 and any(not (branch.keys() - {"description"}) for branch in branches):
        return {}  # one branch takes anything
    enums = [branch.get("enum") for branch in branches]
    if len(branches) > 1 and all(isinstance(e, list) for e in enums) and _same_shape(branches):
        values = list(
            dict.fromkeys(v for e in enums if isinstance(e, list) for v in e if isinstance(v, (str, int, float)))
        )
        told = [
            f"{v}: {branch['description']}"
            for branch in branches
            for v in (branch["enum"] if isinstance(branch["enum"], list) else ())
            if isinstance(branch.get("description"), str)
        ]
        branches = [
            {"type": branches[0]["type"], "enum": [*values]} | ({"description": "\n".join(told)} if told else {})
        ]
    if len(branches) == 1:
        return _with_null(branches[0]) if nullable else dict(branches[0])
    return {"anyOf": [*branches, *([{"type": "null"}] if nullable else [])]}


def _same_shape(branches: list[JsonObject]) -> bool:
    return all(b.get("type") == branches[0].get("type") and isinstance(b.get("type"), str) for b in branches) and all(
        not (b.keys() - {"type", "enum", "description"}) for b in branches
    )


def _with_null(schema: JsonObject) -> JsonObject:
    declared = schema.get("type")
    if declared is None:
        branches = schema.get("anyOf")
        if isinstance(branches, list):
            return {**schema, "anyOf": [*branches, {"type": "null"}]}
        return dict(schema)
    listed = declared if isinstance(declared, list) else [declared]
    result = {**schema, "type": [*listed, *([] if "null" in listed else ["null"])]}
    values = schema.get("enum")
    if isinstance(values, list) and None not in values:
        result["enum"] = [*values, None]
    return result


def _annotations(schema: JsonObject, result: JsonObject, aim: Aim) -> JsonObject:
    """A default that the schema itself accepts, and a short example."""
    found: JsonObject = {}
    if "default" in schema and schema["default"] is not None and "anyOf" not in result:
        if portable.accepts(result, schema["default"]):
            found["default"] = schema["default"]
    if aim.examples and not ({"enum", "anyOf", "default"} & (result.keys() | found.keys())):
        listed = schema.get("examples")
        example = listed[0] if isinstance(listed, list) and listed else schema.get("example")
        if isinstance(example, (str, int, float)) and not isinstance(example, bool) and len(str(example)) <= 60:
            if clean(str(example)) == str(example) and portable.accepts(result, example):
                found["examples"] = [example]
    return found
