"""Arguments for any tool: mostly what its schema asks for, sometimes anything else."""

# Values of any shape are what this is about.
# pyright: basic

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from .choices import Choices, rarely
from .texts import ODD, name, text

Schema = Mapping[str, Any]


def arguments(choices: Choices, schema: Schema) -> Any:
    """The arguments of one call."""
    if rarely(choices, 200):
        return choices.one((None, [], "x", 5))
    made = value(choices, schema, schema, 0)
    if isinstance(made, dict):
        if rarely(choices, 12):
            made[name(choices)] = anything(choices, 2)
        if made and rarely(choices, 12):
            made.pop(choices.one(list(made)))
    return made


def value(choices: Choices, schema: Any, root: Schema, depth: int) -> Any:
    """A value of a schema, nearly always."""
    if not isinstance(schema, dict) or rarely(choices, 25):
        return anything(choices, 2)
    known: dict[str, Any] = schema
    for _ in range(8):
        if "$ref" not in known:
            break
        known = _target(root, known["$ref"])
    for keyword in ("anyOf", "oneOf"):
        if known.get(keyword):
            rest = {key: item for key, item in known.items() if key != keyword}
            chosen = choices.one(known[keyword])
            return value(choices, {**rest, **chosen} if isinstance(chosen, dict) else rest, root, depth + 1)
    if "const" in known:
        return known["const"]
    if known.get("enum"):
        return choices.one(known["enum"])
    kind = known.get("type", "string")
    kind = choices.one(kind) if isinstance(kind, list) else kind
    made = _of_kind(choices, kind, known, root, depth)
    if not isinstance(made, str) and rarely(choices, 15):
        return json.dumps(made)
    return made


def _of_kind(choices: Choices, kind: Any, schema: Schema, root: Schema, depth: int) -> Any:
    match kind:
        case "object":
            members: Mapping[str, Any] = schema.get("properties", {})
            required = schema.get("required", [])
            wanted = [key for key in members if key in required or (depth < 5 and choices.number(0, 2) == 0)]
            made = {key: value(choices, members[key], root, depth + 1) for key in wanted}
            if schema.get("additionalProperties", True) is not False and depth and rarely(choices, 3):
                made[name(choices)] = value(choices, schema.get("additionalProperties", {}), root, depth + 1)
            return made
        case "array":
            least = min(int(schema.get("minItems", 0) or 0), 3)
            count = choices.number(least, least + 2) if depth < 6 else least
            return [value(choices, schema.get("items", {}), root, depth + 1) for _ in range(count)]
        case "integer":
            return choices.one((0, 1, 2, 7, 50, -1, 2**53, 10**25))
        case "number":
            return choices.one((0, 1.5, -2.25, 1e21, 5e-324, 3))
        case "boolean":
            return choices.number(0, 1) == 1
        case "null":
            return None
        case _:
            return text(choices)


def anything(choices: Choices, depth: int) -> Any:
    """Any value at all."""
    match choices.number(0, 5 if depth else 3):
        case 0:
            return choices.one(ODD)
        case 1:
            return choices.one((None, True, False))
        case 2:
            return choices.one((0, -1, 1.5, 10**400, 1e308, float("inf"), float("nan"), -0.0))
        case 3:
            return text(choices)
        case 4:
            return [anything(choices, depth - 1) for _ in range(choices.number(0, 3))]
        case _:
            return {text(choices): anything(choices, depth - 1) for _ in range(choices.number(0, 3))}


def _target(root: Any, reference: str) -> dict[str, Any]:
    node = root
    for part in reference.removeprefix("#").split("/")[1:]:
        node = node.get(part.replace("~1", "/").replace("~0", "~"), {}) if isinstance(node, dict) else {}
    return node if isinstance(node, dict) else {}
