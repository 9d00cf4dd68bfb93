"""Projections: the argument of a tool that says which part of the answer is wanted, where the owner wants one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from typing import Final

from toolcast.mapping.inputs import Inputs
from toolcast.mapping.objections import Objections
from toolcast.mapping.outputs import Outputs
from toolcast.mapping.wanted import is_of_rule, is_resource
from toolcast.model.json import JsonObject
from toolcast.model.openapi import Operation
from toolcast.model.wishes import ToolWish

_LONGEST: Final = 1_000  # characters, as the runtime has it
ARGUMENT: Final[JsonObject] = {
    "type": "string",
    "maxLength": _LONGEST,
    "description": (
        "A JMESPath expression for the part of the answer that you need, such as items[].{id: id, name: name} or "
        "length(items). Without it the whole answer comes."
    ),
}


def projected(
    operation: Operation, taken: Inputs, given: Outputs, wish: ToolWish, objections: Objections
) -> tuple[Inputs, str]:
    """The inputs of a tool with an argument for its projection, and that argument's name; "" where there is none."""
    said = wish.projection
    if said is None or not said.value or is_resource(wish):
        return taken, ""
    if not given.documented:
        if not is_of_rule(said):
            message = f"{operation.key} documents no JSON answer, so that there is nothing to project"
            objections.object(said, "TC621", message, "Remove `projection`.")
        return taken, ""
    name = next(name for name in _names() if name not in taken.sources and name != taken.fit.more)
    properties = taken.schema.get("properties")
    known = properties if isinstance(properties, dict) else {}
    schema: JsonObject = {**taken.schema, "properties": {**known, name: ARGUMENT}}
    return replace(taken, schema=schema, sources={**taken.sources, name: ARGUMENT}), name


def _names() -> Iterator[str]:
    yield "projection"
    yield "answer_projection"
    yield from (f"projection{number}" for number in count(2))
