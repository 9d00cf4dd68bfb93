"""Schemas: a document's schema becomes one that stands alone and that every client takes.

References are inlined, ``allOf`` is merged, unions become ``anyOf``, keywords go through ``portable.py``. A cycle of
references is cut at the second level inside it, and deep objects where a tool would grow over its budget; what is cut
becomes a free-form object that names its fields, so that nothing becomes unreachable.
"""

from __future__ import annotations

import json
from typing import Final

from toolcast.diagnostics import Severity
from toolcast.mapping import portable
from toolcast.mapping.directions import HIDDEN, Direction
from toolcast.mapping.drafts import EXAMPLE, TEXT, fields_note, notes_of, text, text_of, told, typed
from toolcast.mapping.foreign import is_hidden, meanings
from toolcast.mapping.kept import Kept
from toolcast.mapping.merge import merged
from toolcast.mapping.places import Places
from toolcast.mapping.references import ANNOTATIONS, CUT, Levels, References
from toolcast.mapping.texts import clean, shorten
from toolcast.mapping.tokens import Sizes
from toolcast.mapping.trimming import Aim, Trimmer
from toolcast.mapping.unions import folded, needs, tagged
from toolcast.mapping.variants import branches, named
from toolcast.model.json import Json, JsonObject
from toolcast.model.limits import PROPERTY_KEY

_DEEPEST_NESTING: Final = 100
_COMPLETE: Final = -1  # in place of the nesting at which a draft began, when it does not depend on it
_LARGEST_CHECKED: Final = 4_000  # tokens of a schema whose default is checked against it
# Keywords that have no portable form; the fields that they speak of stay.
_UNTOLD: Final = frozenset(
    ["not", "if", "contains", "dependentSchemas", "dependentRequired", "patternProperties", "unevaluatedProperties"]
)
_STILL_SENT: Final = "Whatever is given there is sent as it is."
_STILL_CHECKED: Final = "The API checks it."
_OF_UNIONS: Final = frozenset(
    ["anyOf", "oneOf", "discriminator", "default", "description", "title", "examples", "example"]
)


class Schemas:
    """Expands the schemas of one document; what schemas share is expanded once and shared by the results."""

    def __init__(self, references: References, sizes: Sizes, *, keeps_cycles: bool = False) -> None:
        self.kept = Kept() if keeps_cycles else None
        self.references = references
        self.sizes = sizes
        self.places = Places(references.document.file, references.report)
        self._trimmer = Trimmer()
        # The schema that a key's identity belongs to is held with the draft, so that no other takes its identity.
        self._drafts: dict[tuple[int, Direction, Levels, int], tuple[Json, JsonObject]] = {}
        self._flats: dict[tuple[int, Direction, Levels], tuple[JsonObject, JsonObject]] = {}
        self._without_text: dict[int, tuple[JsonObject, JsonObject]] = {}
        self._nesting = 0
        self._too_deep = False

    def flat(self, schema: Json, levels: Levels = ()) -> JsonObject:
        """The schema with ``$ref`` and ``allOf`` resolved at its top."""
        return self.references.flat(schema, levels)[0]

    def trimmed(self, draft: JsonObject, aim: Aim, *, required: bool = True) -> JsonObject:
        """What of a draft an aim lets be published: a schema without references. Do not change it."""
        return self._trimmer.trimmed(draft, aim, required=required)

    def name_of(self, schema: JsonObject) -> str | None:
        """The name in the document of what a part of a published schema was made of, if it has one."""
        return self._trimmer.names.get(id(schema))

    def without_text(self, draft: JsonObject) -> JsonObject:
        """A draft without what the document says of it. Do not change it."""
        if TEXT not in draft:
            return draft
        known = self._without_text.get(id(draft))
        if known is None:
            rest = {key: value for key, value in draft.items() if key != TEXT}
            known = self._without_text[id(draft)] = (draft, rest)
            self._trimmer.named_as(rest, draft)
        return known[1]

    def draft(self, schema: Json, direction: Direction, levels: Levels = (), *step: str | int) -> JsonObject:
        """Everything that is to say of a schema, which is ``step`` further in than the one before it. Do not change it.

        What of it no client takes is reported, at its place.
        """
        schema = self.references.same(schema)
        key = (id(schema), direction, levels)
        # A draft that reached the deepest nesting depends on how deep it began.
        known = self._drafts.get((*key, _COMPLETE))
        if known is not None:
            return known[1]
        known = self._drafts.get((*key, self._nesting))
        if known is not None:
            self._too_deep = True
            return known[1]
        if self._nesting >= _DEEPEST_NESTING:
            self._too_deep = True
            return {}
        before, self._too_deep = self._too_deep, False
        reference = schema.get("$ref") if isinstance(schema, dict) else None
        if self.kept is not None and isinstance(schema, dict) and self._is_kept(schema, direction, levels):
            return self._reference(schema, self.kept, direction)
        self._nesting += 1
        self.places.enter(reference if isinstance(reference, str) else step)
        try:
            flat, inner = self.references.flat(schema, levels)
            made = self._made(flat, direction, inner)
        finally:
            self.places.leave()
            self._nesting -= 1
        self._drafts[*key, self._nesting if self._too_deep else _COMPLETE] = (schema, made)
        if isinstance(reference, str):
            self._trimmer.name(made, reference.rsplit("/", 1)[-1])
        self._too_deep = self._nesting > 0 and (self._too_deep or before)
        return made

    def _is_kept(self, schema: JsonObject, direction: Direction, levels: Levels) -> bool:
        """Is it a reference back into a cycle, and nothing more?"""
        reference = schema.get("$ref")
        return (
            direction == "input"
            and isinstance(reference, str)
            and schema.keys() <= {"$ref", *ANNOTATIONS}
            and self.references.leads_back(reference, levels)
        )

    def _reference(self, schema: JsonObject, kept: Kept, direction: Direction) -> JsonObject:
        """A reference that stays, to the definition of what it refers to."""
        target: Json = {"$ref": schema["$ref"]}
        name, is_new = kept.name(str(schema["$ref"]))
        if is_new:
            kept.drafts[name] = self.draft(target, direction)
        kinds = portable.types(self.flat(target))
        return told(typed(kinds, {"$ref": f"#/$defs/{name}"}), text(schema), [])

    def with_definitions(self, root: JsonObject, aim: Aim) -> JsonObject:
        """A published schema with the definitions of what it refers to, where cycles are kept."""
        if self.kept is None:
            return root
        definitions = self.kept.definitions(root, lambda draft: self.trimmed(draft, aim))
        return {**root, "$defs": definitions} if definitions else root

    def _made(self, schema: JsonObject, direction: Direction, levels: Levels) -> JsonObject:
        if CUT in schema:
            known = schema[CUT]
            names = [name for name in known if isinstance(name, str)] if isinstance(known, list) else []
            self._say(direction, "TC326", "{} contains itself; in its second level it takes any object", _STILL_SENT)
            return told({"type": "object"}, text(schema), fields_note([*names, *_properties(schema)]))
        choices = branches(schema) or [{"$ref": target} for target in dict.fromkeys(named(schema).values())]
        return self._union(choices, schema, direction, levels) if choices else self._plain(schema, direction, levels)

    def _plain(self, schema: JsonObject, direction: Direction, levels: Levels) -> JsonObject:
        kinds = portable.types(schema)
        notes: list[str] = []
        result: JsonObject = {}
        values = [schema["const"]] if "const" in schema else schema.get("enum")
        empty = False
        if isinstance(values, list) and values:
            found, empty, kinds = portable.enum(values, kinds)
            written = {repr(value) for value in values}
            if len(found) + empty < len(values) or any(repr(value) not in written for value in found):
                message = "The values of {} are told once each, and in one type"
                self._say(direction, "TC323", message, "Write each value once, in the type that is declared.")
            if found and found != [None]:
                result["enum"] = found
                notes += meanings(schema, found)
        if "string" in kinds and "enum" not in result:
            found, notes = portable.string(schema)
            result |= found
            if "pattern" in schema and "pattern" not in found:
                message = "Not every client can read the pattern of {}; it is told in words"
                self._say(direction, "TC320", message, "Write it as ECMAScript does, without features of one language.")
        if "array" in kinds:
            result |= self._array(schema, direction, levels)
        if "object" in kinds:
            result |= self._object(schema, direction, levels, notes)
        result |= portable.bounds(schema, kinds)
        result = typed(kinds, result)
        if empty:  # Gemini refuses "" in an enum (mongodb-js/mongodb-mcp-server#715)
            clears = told({"type": "string", "maxLength": 0}, "", ["empty: clears the value"])
            result = {"anyOf": [result, clears]} if "enum" in result else clears
            notes = [*notes_of(result), *notes]
        untold = sorted(_UNTOLD & schema.keys())
        if untold:
            message = f"What {', '.join(untold)} says of {{}} is not told, as not every client can read it"
            self._say(direction, "TC325", message, _STILL_CHECKED)
        result = told(result, text(schema), notes)
        return result | self._annotations(schema, result) if direction == "input" else result

    def _say(self, direction: Direction, code: str, message: str, help_: str, severity: Severity = "info") -> None:
        if direction == "input":  # of answers it is no rule that is lost: they are loose
            self.places.say(code, severity, message, help_)

    def _array(self, schema: JsonObject, direction: Direction, levels: Levels) -> JsonObject:
        result: JsonObject = {}
        items, first = schema.get("items"), schema.get("prefixItems")
        if isinstance(first, list) and first:
            result["prefixItems"] = [
                self.draft(item, direction, levels, "prefixItems", at) for at, item in enumerate(first)
            ]
            if items is False and not isinstance(schema.get("maxItems"), int):
                result["maxItems"] = len(first)
        result["items"] = self.draft(items, direction, levels, "items") if isinstance(items, dict) else {}
        if schema.get("uniqueItems") is True:
            result["uniqueItems"] = True
        return result

    def _object(self, schema: JsonObject, direction: Direction, levels: Levels, notes: list[str]) -> JsonObject:
        fields: JsonObject = {}
        hidden: set[str] = set()
        odd: list[str] = []
        declared = _properties(schema)
        required = schema.get("required")
        needed = list(dict.fromkeys(n for n in required if isinstance(n, str))) if isinstance(required, list) else []
        for name, value in declared.items():
            flat = {} if value is False else self.flat(value, levels)
            unwanted = direction == "input" and name not in needed and is_hidden(flat)
            if value is False or flat.get(HIDDEN[direction]) is True or unwanted:
                hidden.add(name)
            elif not PROPERTY_KEY.fullmatch(name):
                odd.append(name)
            else:
                fields[name] = self.draft(value, direction, levels, "properties", name)
        rest, patterns = schema.get("additionalProperties"), schema.get("patternProperties")
        if rest is not False:
            fields |= {n: {} for n in needed if n not in declared and PROPERTY_KEY.fullmatch(n)}
        result: JsonObject = {"properties": fields} if fields else {}
        listed: list[Json] = [name for name in needed if name in fields and name not in hidden]
        if listed:
            result["required"] = listed
        if odd:  # Claude refuses such keys (anthropics/claude-code#92648); the object stays open for them
            notes.append(f"Also takes {', '.join(f'`{clean(name)}`' for name in odd)}.")
            message = "{} has fields that no client takes as keys; its description names them"
            self._say(direction, "TC324", message, _STILL_SENT)
        if isinstance(rest, dict) and rest:
            inner = self.draft(rest, direction, levels, "additionalProperties")
            # Beside declared fields whose keys cannot be told, it would be a rule for those too.
            result |= {"additionalProperties": inner} if inner and not odd else {}
        elif rest is False and not odd and not isinstance(patterns, dict):
            result["additionalProperties"] = False
        names = schema.get("propertyNames")
        if isinstance(names, dict) and direction == "input":
            result["propertyNames"] = self.draft(names, direction, levels, "propertyNames")
        return result

    def _union(self, choices: list[Json], schema: JsonObject, direction: Direction, levels: Levels) -> JsonObject:
        """A union of branches, beside what the schema says of all of them."""
        base: JsonObject = {key: value for key, value in schema.items() if key not in _OF_UNIONS}
        wanted = [needs(choice) for choice in choices]
        if base.get("properties") and all(wanted):
            named_together = [" and ".join(f"`{clean(name)}`" for name in names or ()) for names in wanted]
            one = self._plain(base, direction, levels)
            return told(one, text(schema), [*notes_of(one), f"Needs {' or '.join(dict.fromkeys(named_together))}."])
        drafts: list[JsonObject] = []
        nullable = False
        keyword = "oneOf" if schema.get("oneOf") else "anyOf"
        for at, choice in enumerate(tagged(choices, schema, self.references)):
            flat, inner = self.references.flat(choice, levels)
            if portable.types(flat) == ["null"] or flat.get("enum") == [None]:
                nullable = True
                continue
            whole = merged(base, flat) if base else flat
            if "discriminator" in flat and flat["discriminator"] == schema.get("discriminator"):
                whole = {key: value for key, value in whole.items() if key != "discriminator"}
            reference = choice.get("$ref") if isinstance(choice, dict) else None
            self.places.enter(reference if isinstance(reference, str) else (keyword, at))
            one = self._nested(whole, direction, inner, kept=whole is flat)
            self.places.leave()
            drafts.append({key: value for key, value in one.items() if key != "default"})  # Gemini refuses it there
        result = folded(drafts, nullable, self.sizes)
        words, own = text(schema), text_of(result)
        if words:
            result = told(result, f"{words}\n{own}" if own and own not in words else words, [])
        return result | self._annotations(schema, result) if direction == "input" else result

    def _nested(self, schema: JsonObject, direction: Direction, levels: Levels, *, kept: bool) -> JsonObject:
        """A schema that was made here, one level further in; ``kept`` says that it is met again."""
        if self._nesting >= _DEEPEST_NESTING:
            self._too_deep = True
            return {}
        key = (id(schema), direction, levels)
        known = self._flats.get(key) if kept else None
        if known is not None:
            return known[1]
        before, self._too_deep = self._too_deep, False
        self._nesting += 1
        try:
            made = self._made(schema, direction, levels)
        finally:
            self._nesting -= 1
        if kept and not self._too_deep:
            self._flats[key] = (schema, made)
        self._too_deep = self._too_deep or before
        return made

    def _annotations(self, schema: JsonObject, result: JsonObject) -> JsonObject:
        """A default that the schema itself accepts, and a short example."""
        found: JsonObject = {}
        if "anyOf" in result or self.sizes.tokens(result) > _LARGEST_CHECKED:
            if schema.get("default") is not None:
                message = "The default of {} is not told, as it stands beside alternatives"
                self._say("input", "TC322", message, "Tell it in the description: some providers refuse it there.")
            return found
        default = portable.default(schema, result)
        if default is not None:
            found["default"] = default
        elif schema.get("default") is not None:
            message = f"The default of {{}} is none of the values that it takes: {_shown(schema['default'])}"
            self._say("input", "TC321", message, "Correct it; until then it is not told.", "warning")
        if "enum" not in result and not found:
            example = portable.example(schema, result)
            if example is not None:
                found[EXAMPLE] = example
        return found


def _shown(value: Json) -> str:
    return shorten(clean(json.dumps(value, ensure_ascii=False)), 60)


def _properties(schema: JsonObject) -> JsonObject:
    properties = schema.get("properties")
    return properties if isinstance(properties, dict) else {}
