"""Invented answers: what an operation might answer, from the document's own examples, or made from its schemas."""

from __future__ import annotations

from typing import Final, Literal

import orjson

from toolcast.mapping import media
from toolcast.mapping.examples import value
from toolcast.mapping.names import words
from toolcast.mapping.outputs import Outputs
from toolcast.mapping.schemas import Schemas
from toolcast.mapping.trimming import Aim
from toolcast.model.catalog import InventedAnswer
from toolcast.model.json import Json, JsonObject, Schema
from toolcast.model.openapi import MediaType, Operation, Response

_AIM: Final = Aim(text=0, depth=4)
_DEEPEST: Final = 4
_MEMBERS: Final = 40
_ITEMS: Final = 2
_KEPT: Final = 3  # elements of a list in the document's own example
_LARGEST: Final = 16_000  # bytes of one answer
# A picture of one pixel, and some bytes.
_PIXEL: Final = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
_BYTES: Final = "SW52ZW50ZWQu"
_PLAIN: Final = frozenset(
    {"type", "description", "title", "minLength", "maxLength"}
)  # what a text says that may be any text


def invented(operation: Operation, given: Outputs, schemas: Schemas) -> InventedAnswer:
    """The first documented success of an operation, with a body that fits it."""
    response = min(
        (one for one in operation.responses if one.status.startswith("2")), key=lambda one: one.status, default=None
    )
    status = int(response.status) if response is not None and response.status.isdecimal() else 200
    content = _chosen(response)
    if content is None or operation.method == "HEAD":
        return InventedAnswer(status=status if response is not None and not response.content else 204)
    kind = content.media_type
    if "*" in kind:
        kind = "text/plain" if kind in ("*/*", "text/*") else "application/octet-stream"
    form, body = _body(content, kind, given, schemas)
    return InventedAnswer(status=status, media_type=kind, form=form, body=body)


def _chosen(response: Response | None) -> MediaType | None:
    """The representation of a response that says most: JSON, where there is any."""
    content = response.content if response is not None else ()
    return min(content, key=lambda one: (not media.is_json(one.media_type), not one.example), default=None)


def _body(
    content: MediaType, kind: str, given: Outputs, schemas: Schemas
) -> tuple[Literal["json", "text", "base64"], Json]:
    if media.is_stream(kind):
        line = orjson.dumps(_made(schemas, content.item_schema)).decode()
        return "text", (f"data: {line}\n\n" if kind == "text/event-stream" else f"{line}\n") * _ITEMS
    if media.is_json(kind):
        told = _shortened(content.example)
        if told is None or not _fits(told):
            told = _made(schemas, given.source if given.documented else content.schema)
        return "json", told if _fits(told) else [] if isinstance(told, list) else {}
    if isinstance(content.example, str) and not media.is_binary(kind):
        return "text", content.example[:_LARGEST]
    if kind.startswith("image/"):
        return "base64", _PIXEL
    if media.is_binary(kind):
        return "base64", _BYTES
    return "text", "<answer/>" if kind.endswith(("/xml", "+xml")) else "Invented."


def _fits(body: Json) -> bool:
    return len(orjson.dumps(body)) <= _LARGEST


def _shortened(told: Json) -> Json:
    """An example with a few elements of each list."""
    match told:
        case list():
            return [_shortened(item) for item in told[:_KEPT]]
        case dict():
            return {name: _shortened(member) for name, member in told.items()}
        case _:
            return told


def _made(schemas: Schemas, source: Json) -> Json:
    """A value for a schema of the document."""
    return _value(schemas.trimmed(schemas.draft(source, "output"), _AIM), 0) if source is not None else {}


def _value(schema: Schema, depth: int) -> Json:
    """A value with all that the schema names, as far as it is not too much."""
    examples, values, branches = schema.get("examples"), schema.get("enum"), schema.get("anyOf")
    if (isinstance(examples, list) and examples) or isinstance(values, list) or "const" in schema:
        return value(schema)
    if isinstance(branches, list) and branches and "properties" not in schema:
        told = [branch for branch in branches if isinstance(branch, dict) and branch != {"type": "null"}]
        chosen = told[0] if told else {"type": "null"}
        return _value({**{key: part for key, part in schema.items() if key != "anyOf"}, **chosen}, depth)
    declared = schema.get("type")
    kinds = declared if isinstance(declared, list) else [declared]
    if "array" in kinds:
        first, items = schema.get("prefixItems"), schema.get("items")
        if depth > _DEEPEST:
            return []
        if isinstance(first, list):
            return [_value(item, depth + 1) for item in first[:_MEMBERS] if isinstance(item, dict)]
        if not isinstance(items, dict):
            return []
        one = _value(items, depth + 1)
        return [one, _other(one)] if depth <= 1 and not schema.get("maxItems") else [one]
    if "object" in kinds or "properties" in schema:
        return _object(schema, depth)
    return value(schema)


def _object(schema: Schema, depth: int) -> JsonObject:
    properties, needed = schema.get("properties"), schema.get("required")
    known = properties if isinstance(properties, dict) else {}
    required = needed if isinstance(needed, list) else []
    names = [name for name in known if name in required] if depth > _DEEPEST else [*known][:_MEMBERS]
    made: JsonObject = {}
    for name in names:
        inner = known[name]
        if isinstance(inner, dict):
            made[name] = _text(name, inner) or _value(inner, depth + 1)
    return made


def _text(name: str, schema: Schema) -> str:
    """A text that says what it stands for, where a schema takes it; "" where it does not."""
    text = f"some {' '.join(words(name))}"
    least, most = schema.get("minLength"), schema.get("maxLength")
    fits = (least if isinstance(least, int) else 0) <= len(text) <= (most if isinstance(most, int) else len(text))
    plain = schema.get("type") in ("string", ["string", "null"]) and not (schema.keys() - _PLAIN)
    return text if plain and fits else ""


def _other(one: Json) -> Json:
    """A second element that is not quite the first: its numbers that identify are one higher."""
    if not isinstance(one, dict):
        return one
    ids = {name: member + 1 for name, member in one.items() if name.lower() == "id" and type(member) is int}
    return {**one, **ids}
