"""Types: the schemas from which the Python types of arguments and answers are made.

Unlike the published schemas these keep their references, so that a component is one type with its own name. Every
name is unique PascalCase and independent of order: dropping an operation changes only the types of its own.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection

from toolcast.mapping import portable
from toolcast.mapping.directions import COMPONENTS, HIDDEN, Direction, affected
from toolcast.mapping.inputs import Inputs
from toolcast.mapping.merge import merged
from toolcast.mapping.names import digest, words
from toolcast.mapping.schemas import Schemas
from toolcast.mapping.texts import sentence
from toolcast.mapping.variants import branches, named
from toolcast.model.json import Json, JsonObject, Schema
from toolcast.model.pointer import Missing, child, resolve

# What the module of types imports or builds on.
_PYTHON = frozenset(
    ["Any", "Literal", "NotRequired", "TypeAlias", "TypedDict", "Union", "Optional", "None", "True", "False", "Json"]
)
_DEEPEST = 24
_DEEPEST_UNION = 4  # levels of unions in unions that share properties; with more, a type would have too many forms


def pascal(name: str) -> str:
    """A name as a class's: ``pet-store_item`` → ``PetStoreItem``."""
    name = "".join(word[:1].upper() + word[1:] for word in words(name)) or "Schema"
    return name if name[0].isalpha() else f"Schema{name}"


class Types:
    """Collects the types of one catalog."""

    def __init__(self, schemas: Schemas, tools: Collection[str]) -> None:
        self._schemas = schemas
        self._reserved = {f"{pascal(tool)}{end}" for tool in tools for end in ("Arguments", "Result")} | _PYTHON
        self._components = _component_names(schemas, self._reserved)
        self._taken = {name.lower() for name in self._reserved} | {n.lower() for n in self._components.values()}
        self._affected = affected(schemas.references)
        self._made: dict[tuple[str, Direction], str] = {}
        self._open: list[str] = []
        self._merging: list[Json] = []
        self._pending: list[tuple[str, Direction, str]] = []
        self.definitions: dict[str, Schema] = {}

    def arguments(self, tool: str, taken: Inputs) -> JsonObject:
        """The type of a tool's arguments, as a reference to ``<Tool>Arguments``."""
        name = f"{pascal(tool)}Arguments"
        properties: JsonObject = {}
        moved: JsonObject = {}
        for argument, source in taken.sources.items():
            place = moved if argument in taken.fit.moved else properties
            place[argument] = self._typed(source, "input", f"{name}{pascal(argument)}", 0)
        if moved:
            more = self._free(f"{name}{pascal(taken.fit.more)}", name)
            self.definitions[more] = {"type": "object", "properties": moved}
            properties[taken.fit.more] = {"$ref": f"#/$defs/{more}"}
        self._settle()
        required = taken.schema.get("required", [])
        self.definitions[name] = {"type": "object", "properties": properties, "required": required}
        return {"$ref": f"#/$defs/{name}"}

    def result(self, tool: str, source: Json) -> JsonObject:
        """The type of a tool's answer: a reference, a plain type, or a list of either."""
        name = f"{pascal(tool)}Result"
        made = self._typed(source, "output", name, 0)
        self._settle()
        if made.keys() <= {"$ref"} or (made.keys() <= {"type", "items"} and isinstance(made.get("type"), str)):
            inner = made.get("items")
            if not isinstance(inner, dict) or inner.keys() <= {"$ref"} or inner.keys() <= {"type"}:
                return made
        if not made or made == {"type": "object"}:
            return made
        self.definitions[name] = made
        return {"$ref": f"#/$defs/{name}"}

    def _typed(self, schema: Json, direction: Direction, hint: str, depth: int) -> JsonObject:
        """The type of one schema; an object with properties becomes a type of its own, named ``hint``."""
        if not isinstance(schema, dict) or depth > _DEEPEST:
            return {}
        reference = _sole_reference(schema)
        if reference is not None:
            return self._reference(reference, direction, hint, depth)
        flat = self._schemas.flat(schema)
        return self._built(flat, direction, hint, depth)

    def _reference(self, reference: str, direction: Direction, hint: str, depth: int) -> JsonObject:
        name = self._components.get(reference)
        if name is None or reference in self._open:
            if reference in self._open:
                return {} if name is None else self._named(reference, direction)
            return self._inlined(reference, direction, hint, depth)
        flat = self._schemas.flat({"$ref": reference})
        if not _has_name(flat):
            return self._inlined(reference, direction, hint, depth)
        made = self._named(reference, direction)
        return {"anyOf": [made, {"type": "null"}]} if "null" in portable.types(flat) else made

    def _inlined(self, reference: str, direction: Direction, hint: str, depth: int) -> JsonObject:
        try:
            target = resolve(self._schemas.references.document, reference)
        except Missing:
            return {}
        self._open.append(reference)
        try:
            return self._typed(target, direction, hint, depth + 1)
        finally:
            self._open.pop()

    def _named(self, reference: str, direction: Direction) -> JsonObject:
        key = (reference, direction)
        name = self._made.get(key)
        if name is None:
            name = self._components[reference]
            if reference in self._affected[direction]:
                name = self._free(f"{name}{direction.capitalize()}", reference)
            self._made[key] = name
            self._pending.append((reference, direction, name))
        return {"$ref": f"#/$defs/{name}"}

    def _settle(self) -> None:
        """Make the types that were named; one that was named inside another waits, however deep that is."""
        while self._pending:
            reference, direction, name = self._pending.pop()
            if name not in self.definitions:
                self.definitions[name] = {}  # holds the place while it is made: it may contain itself
                self.definitions[name] = self._shape(self._schemas.flat({"$ref": reference}), direction, name, 0)

    def _free(self, name: str, where: str) -> str:
        while name.lower() in self._taken:
            name = f"{name}{digest(where)}"
        self._taken.add(name.lower())
        return name

    def _built(self, schema: JsonObject, direction: Direction, hint: str, depth: int) -> JsonObject:
        if _has_fields(schema) and not _is_union(schema):
            name = hint if hint in self._reserved and hint not in self.definitions else self._free(hint, hint)
            self.definitions[name] = {}
            self.definitions[name] = self._shape(schema, direction, name, depth)
            made: JsonObject = {"$ref": f"#/$defs/{name}"}
            return {"anyOf": [made, {"type": "null"}]} if "null" in portable.types(schema) else made
        return self._shape(schema, direction, hint, depth)

    def _shape(self, schema: JsonObject, direction: Direction, hint: str, depth: int) -> JsonObject:
        if _is_union(schema):
            return self._union(schema, direction, hint, depth)
        kinds = portable.types(schema)
        values = [schema["const"]] if "const" in schema else schema.get("enum")
        if isinstance(values, list) and values and values != [None]:
            found, empty, _ = portable.enum(values, kinds)
            literals = [*found, *([""] if empty else [])]
            if literals and all(value is None or isinstance(value, (str, int, bool)) for value in literals):
                return {"enum": literals}
        if _has_fields(schema):
            return self._fields(schema, direction, hint, depth)
        options = [self._plain(kind, schema, direction, hint, depth) for kind in kinds]
        return options[0] if len(options) == 1 else {"anyOf": [*options]} if options else {}

    def _plain(self, kind: str, schema: JsonObject, direction: Direction, hint: str, depth: int) -> JsonObject:
        match kind:
            case "array":
                items = schema.get("items")
                if "prefixItems" in schema or not isinstance(items, dict):
                    return {"type": "array", "items": {}}
                return {"type": "array", "items": self._typed(items, direction, f"{hint}Item", depth + 1)}
            case "object":
                rest = schema.get("additionalProperties")
                values = self._typed(rest, direction, f"{hint}Value", depth + 1) if isinstance(rest, dict) else {}
                return {"type": "object", "additionalProperties": values or True}
            case _:
                return {"type": kind}

    def _fields(self, schema: JsonObject, direction: Direction, hint: str, depth: int) -> JsonObject:
        hidden = HIDDEN[direction]
        properties, required = schema.get("properties"), schema.get("required")
        fields: JsonObject = {}
        for name, value in (properties if isinstance(properties, dict) else {}).items():
            if value is not False and self._schemas.flat(value).get(hidden) is not True:
                fields[name] = self._typed(value, direction, f"{hint}{pascal(name)}", depth + 1)
        needed: list[Json] = [n for n in required if n in fields] if isinstance(required, list) else []
        made: JsonObject = {"type": "object", "properties": fields, "required": [*dict.fromkeys(map(str, needed))]}
        text = schema.get("description")
        return {**made, "description": sentence(text)} if isinstance(text, str) and sentence(text) else made

    def _union(self, schema: JsonObject, direction: Direction, hint: str, depth: int) -> JsonObject:
        listed = branches(schema)
        if not listed:
            listed = [self._variant(target, schema) for target in dict.fromkeys(named(schema).values())]
            schema = {}
        base: JsonObject = {k: v for k, v in schema.items() if k in ("properties", "required", "type") and v}
        made: list[Json] = []
        for index, branch in enumerate(listed):
            name = f"{hint}{_branch_name(branch, index)}"
            if base.get("properties"):
                reference = branch.get("$ref") if isinstance(branch, dict) else None
                if reference is not None and reference in self._merging:
                    continue  # a union in itself adds nothing to it
                if len(self._merging) == _DEEPEST_UNION:
                    return {}
                self._merging.append(reference)
                one = self._built(merged(base, self._schemas.flat(branch)), direction, name, depth + 1)
                self._merging.pop()
            else:
                one = self._typed(branch, direction, name, depth + 1)
            if not one:
                return {}
            if one not in made:
                made.append(one)
        if isinstance(base.get("type"), list) and "null" in portable.types(base):
            made.append({"type": "null"})
        first = made[0] if made else {}
        return {"anyOf": made} if len(made) > 1 else first if isinstance(first, dict) else {}

    def _variant(self, target: str, base: JsonObject) -> Json:
        """A variant of a base, or the base itself where it is one of its variants, without them."""
        reference: JsonObject = {"$ref": target}
        flat = self._schemas.flat(reference)
        if flat.get("discriminator") != base.get("discriminator"):
            return reference
        return {key: value for key, value in flat.items() if key != "discriminator"}


def _branch_name(branch: Json, index: int) -> str:
    title = branch.get("title") if isinstance(branch, dict) else None
    return pascal(title) if isinstance(title, str) and words(title) else f"Option{index + 1}"


def _sole_reference(schema: JsonObject) -> str | None:
    """The reference that a schema is, beside annotations."""
    structure = {key for key in schema if key not in _BESIDE and not key.startswith("x-")}
    reference, parts = schema.get("$ref"), schema.get("allOf")
    if structure == {"$ref"}:
        return reference if isinstance(reference, str) else None
    if structure == {"allOf"} and isinstance(parts, list) and len(parts) == 1 and isinstance(parts[0], dict):
        return _sole_reference(parts[0])
    return None


_BESIDE = frozenset(
    ["description", "title", "default", "example", "examples", "deprecated", "readOnly", "writeOnly", "xml"]
)


def _is_union(schema: JsonObject) -> bool:
    return bool(branches(schema) or named(schema))


def _has_fields(schema: JsonObject) -> bool:
    return bool(schema.get("properties")) and "object" in portable.types(schema)


def _has_name(schema: JsonObject) -> bool:
    return _is_union(schema) or (_has_fields(schema) and set(portable.types(schema)) <= {"object", "null"})


def _component_names(schemas: Schemas, reserved: Collection[str]) -> dict[str, str]:
    components = schemas.references.document.root.get("components")
    declared = components.get("schemas") if isinstance(components, dict) else None
    wanted: dict[str, list[str]] = defaultdict(list)
    for name in declared if isinstance(declared, dict) else ():
        wanted[pascal(name).lower()].append(name)
    unsafe = {name.lower() for name in reserved}
    names: dict[str, str] = {}
    for folded, owners in wanted.items():
        exact = [name for name in owners if name == pascal(name)]
        for name in owners:
            plain = (len(owners) == 1 or exact == [name]) and folded not in unsafe
            reference = child(COMPONENTS, name)
            names[reference] = pascal(name) if plain else f"{pascal(name)}{digest(name).capitalize()}"
    return names
