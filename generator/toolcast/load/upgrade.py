"""The dialects of OpenAPI 3.0 and 3.1 → that of 3.2, with JSON Schema 2020-12, in place."""

from __future__ import annotations

from collections.abc import Mapping

from toolcast.load.places import PLACES, walk
from toolcast.model.json import Json, JsonObject
from toolcast.model.pointer import follow, lookup, reference, separate

# What says something about a schema, or is found by its place, stays when the rest moves into a branch.
_OUTSIDE = frozenset(
    (
        *("title", "description", "default", "example", "examples", "deprecated", "readOnly", "writeOnly"),
        *("externalDocs", "xml", "$comment", "$schema", "$id", "$anchor", "$dynamicAnchor", "$defs"),
    )
)
_APPLICATORS = ("$ref", "allOf", "anyOf", "oneOf")
_NULL: JsonObject = {"type": "null"}


_NO_FILES: Mapping[str, Json] = {}


def upgrade(root: JsonObject, files: Mapping[str, Json] = _NO_FILES) -> None:
    """Rewrite the schemas of a document and its files to JSON Schema 2020-12, each where it stands.

    Authors use the words of 3.0 in documents of 3.1 as well, and mean the same: the version makes no difference.
    A second run changes nothing. Examples, defaults, enums and extensions are data and stay untouched.
    """
    later: list[tuple[JsonObject, list[Json]]] = []  # a boolean `required` stays until every parent has seen it
    references: list[JsonObject] = []
    wrapped: set[int] = set()
    for kind, node, _ in walk(root, files):
        if kind == "pathItem" and "$ref" in node and PLACES[kind].keys() & node.keys():
            _join(root, files, node)
        if "$ref" in node:
            references.append(node)
        if kind != "schema":
            continue
        names = _required_names(node)
        if isinstance(node.get("required"), bool):
            later.append((node, names))
        elif names:
            stated = _listed(node.get("required"))
            node["required"] = [*stated, *(name for name in names if name not in stated)]
        if "definitions" in node:
            _definitions(node)
        if "nullable" in node:
            _nullable(node, wrapped)
        if "exclusiveMinimum" in node:
            _exclusive(node, "exclusiveMinimum", "minimum")
        if "exclusiveMaximum" in node:
            _exclusive(node, "exclusiveMaximum", "maximum")
        if "example" in node:
            _example(node)
        if "items" in node and isinstance(node["items"], list):
            _tuple(node)
    for node, names in later:
        if names:
            node["required"] = names
        else:
            del node["required"]
    for node in references:
        _redirect(root, files, node, wrapped)


def _join(root: JsonObject, files: Mapping[str, Json], node: JsonObject) -> None:
    """A path item that refers to another one and has operations too: both (OpenAPI 3.2 section 4.9)."""
    found = lookup(root, files, str(node["$ref"]))
    if found is not None and isinstance(found[0], dict) and found[0] is not node:
        own = {key: value for key, value in node.items() if key != "$ref"}
        node.clear()
        node |= {**found[0], **own}


def _required_names(node: JsonObject) -> list[Json]:
    """The properties that say `required: true`, which the list of their parent should say."""
    properties = node.get("properties")
    if not isinstance(properties, dict):
        return []
    return [name for name, schema in properties.items() if isinstance(schema, dict) and schema.get("required") is True]


def _listed(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []


def _nullable(node: JsonObject, wrapped: set[int]) -> None:
    if node.pop("nullable") is not True:
        return
    present = [word for word in _APPLICATORS if word in node]
    if present:
        if "type" not in node and "enum" not in node and present in (["anyOf"], ["oneOf"]):
            branches = node[present[0]]
            if isinstance(branches, list) and "discriminator" not in node:
                if not any(_takes_null(branch) for branch in branches):
                    node[present[0]] = [*branches, dict(_NULL)]
                return
        _wrap(node, wrapped)
        return
    kind = node.get("type")
    if isinstance(kind, str) and kind != "null":
        node["type"] = [kind, "null"]
    elif isinstance(kind, list) and "null" not in kind:
        node["type"] = [*kind, "null"]
    values = node.get("enum")
    if isinstance(values, list) and None not in values:
        node["enum"] = [*values, None]
    if "const" in node and node["const"] is not None:
        node["enum"] = [node.pop("const"), None]


def _takes_null(branch: Json) -> bool:
    if not isinstance(branch, dict):
        return False
    kind, values = branch.get("type"), branch.get("enum")
    return (
        kind == "null"
        or branch.get("nullable") is True
        or (isinstance(kind, list) and "null" in kind)
        or (isinstance(values, list) and None in values)
    )


def _wrap(node: JsonObject, wrapped: set[int]) -> None:
    """`nullable` beside a reference or composition: what they say, or null."""
    outside = [key for key in node if key in _OUTSIDE or key.startswith("x-")]
    if isinstance(node.get("required"), bool):
        outside.append("required")  # it speaks of the place of this schema, not of its value
    inner: JsonObject = {key: node.pop(key) for key in [key for key in node if key not in outside]}
    node["anyOf"] = [inner, dict(_NULL)]
    wrapped.add(id(node))


def _exclusive(node: JsonObject, word: str, bound: str) -> None:
    flag = node[word]
    if not isinstance(flag, bool):
        return
    del node[word]
    if flag and bound in node:
        node[word] = node.pop(bound)


def _example(node: JsonObject) -> None:
    example = node.pop("example")
    examples = _listed(node.get("examples"))
    node["examples"] = examples if example in examples else [example, *examples]


def _tuple(node: JsonObject) -> None:
    items = node.pop("items")
    if items and "prefixItems" not in node:
        node["prefixItems"] = items
    if "additionalItems" in node:
        node["items"] = node.pop("additionalItems")


def _definitions(node: JsonObject) -> None:
    old, new = node["definitions"], node.get("$defs")
    if isinstance(old, dict) and (new is None or isinstance(new, dict)):
        del node["definitions"]
        node["$defs"] = {**old, **(new or {})}


def _redirect(root: JsonObject, files: Mapping[str, Json], node: JsonObject, wrapped: set[int]) -> None:
    """Let a reference that led into something that was moved lead to its new place."""
    ref = node.get("$ref")
    target = separate(ref) if isinstance(ref, str) else None
    if target is None or (target[0] and target[0] not in files):
        return
    file, names = target
    # Nothing that was moved in the document itself stands higher than in a component.
    if len(names) < (1 if file else 4) or lookup(root, files, str(ref)) is not None:
        return
    here: Json = files[file] if file else root
    path: list[str] = []
    for name, after in zip(names, [*names[1:], ""], strict=True):
        options = [[name]]
        if name == "definitions":
            options.append(["$defs"])
        if name == "items" and after.isdecimal():
            options.append(["prefixItems"])
        if id(here) in wrapped:
            options += [["anyOf", "0", *option] for option in options]
        for option in options:
            found = follow(here, option)
            if found is not None:
                here = found[0]
                path.extend(option)
                break
        else:
            return  # it led nowhere before, too
    node["$ref"] = reference(file, path)
