"""Unions: the drafts of several branches become one schema in its shortest form."""

from __future__ import annotations

from collections import defaultdict

from toolcast.mapping.drafts import EXAMPLE, NOTES, TEXT, text_of
from toolcast.mapping.merge import both
from toolcast.mapping.references import References
from toolcast.mapping.tokens import Sizes
from toolcast.mapping.variants import named
from toolcast.model.json import Json, JsonObject

_TEXTS = frozenset([TEXT, NOTES, EXAMPLE])


def folded(branches: list[JsonObject], nullable: bool, sizes: Sizes) -> JsonObject:
    """One branch as it is, enums of one type as one enum, null as a type; else an ``anyOf``."""
    branches = sizes.distinct(_spread(branches))
    if not branches:
        return {"type": "null"} if nullable else {}
    if len(branches) > 1 and any(not (branch.keys() - _TEXTS) for branch in branches):
        return {}  # one branch takes anything
    if len(branches) > 1 and _are_enums_of_one_type(branches):
        branches = [_one_enum(branches)]
    if len(branches) == 1:
        return _with_null(branches[0]) if nullable else dict(branches[0])
    return {"anyOf": [*branches, *([{"type": "null"}] if nullable else [])]}


def _spread(branches: list[JsonObject]) -> list[JsonObject]:
    """The branches, those of a union inside the union among them."""
    found: list[JsonObject] = []
    for branch in branches:
        inner = branch.get("anyOf")
        if isinstance(inner, list) and branch.keys() == {"anyOf"}:
            found += [one for one in inner if isinstance(one, dict)]
        else:
            found.append(branch)
    return found


def _are_enums_of_one_type(branches: list[JsonObject]) -> bool:
    kinds = [branch.get("type") for branch in branches]
    are_enums = all(isinstance(branch.get("enum"), list) for branch in branches)
    plain = all(not (branch.keys() - {"type", "enum", TEXT}) for branch in branches)
    return are_enums and plain and isinstance(kinds[0], str) and all(kind == kinds[0] for kind in kinds)


def _one_enum(branches: list[JsonObject]) -> JsonObject:
    values: list[Json] = []
    told: list[str] = []
    for branch in branches:
        listed = branch.get("enum")
        new = [value for value in listed if value not in values] if isinstance(listed, list) else []
        values += new
        told += [f"{value}: {text_of(branch)}" for value in new if text_of(branch)]
    merged: JsonObject = {"type": branches[0]["type"], "enum": values}
    return merged | ({TEXT: "\n".join(told)} if told else {})


def _with_null(schema: JsonObject) -> JsonObject:
    declared, values = schema.get("type"), schema.get("enum")
    if declared is None:
        inner = schema.get("anyOf")
        return {**schema, "anyOf": [*inner, {"type": "null"}]} if isinstance(inner, list) else dict(schema)
    listed = declared if isinstance(declared, list) else [declared]
    result: JsonObject = {**schema, "type": [*listed, *([] if "null" in listed else ["null"])]}
    if isinstance(values, list) and None not in values:
        result["enum"] = [*values, None]
    return result


def needs(branch: Json) -> list[str] | None:
    """The names that a branch requires, when that is all it says."""
    if isinstance(branch, dict) and not (branch.keys() - {"required", "description", "title"}):
        required = branch.get("required")
        return [name for name in required if isinstance(name, str)] if isinstance(required, list) else None
    return None


def tagged(branches: list[Json], schema: JsonObject, references: References) -> list[Json]:
    """The branches, each with the values of the discriminator that mean it (OpenAPI 3.1.1 section 4.8.25).

    A value that the document's mapping gives is the rule; one that only a schema's name implies is an example.
    """
    discriminator = schema.get("discriminator")
    tag = discriminator.get("propertyName") if isinstance(discriminator, dict) else None
    if not isinstance(tag, str) or not isinstance(discriminator, dict):
        return branches
    mapped: dict[str, list[Json]] = defaultdict(list)
    for value, target in named(schema).items() if isinstance(discriminator.get("mapping"), dict) else ():
        mapped[target].append(value)
    found: list[Json] = []
    for branch in branches:
        reference = branch.get("$ref") if isinstance(branch, dict) else None
        if not isinstance(reference, str):
            found.append(branch)
            continue
        properties = references.flat(branch)[0].get("properties")
        own = references.flat(properties[tag])[0] if isinstance(properties, dict) and tag in properties else {}
        rule: JsonObject = {"required": [tag]}
        if "const" not in own and not isinstance(own.get("enum"), list):  # else the branch says it itself, and better
            values = mapped.get(reference)
            implied: list[Json] = [reference.rsplit("/", 1)[-1]]
            rule["properties"] = {tag: {"type": "string", **({"enum": values} if values else {"examples": implied})}}
        found.append(both(branch, rule))
    return found
