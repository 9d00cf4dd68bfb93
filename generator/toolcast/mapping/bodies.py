"""Bodies: whether a body's fields are arguments of their own, and how the body is sent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from toolcast.mapping import media
from toolcast.mapping.names import WHOLE_BODY
from toolcast.mapping.parts import file, is_structured, parts, properties
from toolcast.mapping.portable import types
from toolcast.mapping.schemas import Schemas
from toolcast.mapping.variants import branches, named
from toolcast.mapping.xml import xml
from toolcast.model.catalog import Content
from toolcast.model.json import Json, JsonObject
from toolcast.model.openapi import MediaType, Operation, RequestBody

Source: TypeAlias = Literal["value", "text", "bytes"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Body:
    """A body in the representation that is sent: its fields when they are arguments, else whether it is one itself."""

    request: RequestBody
    chosen: MediaType
    fields: Mapping[str, Json]
    required: frozenset[str]
    whole: bool


def locked_form(arguments: Mapping[str, str]) -> str:
    """The form of the body to which arguments belong, given by their places: "whole", "fields", or "" without one."""
    if WHOLE_BODY in arguments:
        return "whole"
    return "fields" if any(place.startswith(WHOLE_BODY) for place in arguments) else ""


def body(operation: Operation, schemas: Schemas, *, form: str = "") -> Body | None:
    """The body of an operation, None when it takes none.

    ``form`` is "whole" for one that stays an argument where it could be flat, "fields" for one whose fields stay
    arguments as long as it has fields.
    """
    request = operation.body
    if request is None:
        return None
    chosen = _chosen(request.content, schemas)
    flat = None if form == "whole" else _fields(chosen, request, schemas, kept=form == "fields")
    fields, required = flat or ({}, frozenset[str]())
    return Body(
        request=request,
        chosen=chosen,
        fields=fields,
        required=required,
        whole=not fields and not _is_empty(chosen, schemas),
    )


def field_names(operation: Operation, schemas: Schemas) -> Mapping[str, bool]:
    """The properties that the body may have, those of a union's branches among them: may each hold a text?"""
    if operation.body is None:
        return {}
    flat, levels = schemas.references.flat(_chosen(operation.body.content, schemas).schema)
    parts = [flat, *(schemas.flat(branch, levels) for branch in branches(flat))]
    parts += [schemas.flat(items, levels) for part in parts if (items := part.get("items")) is not None]
    listed = [part.get("properties") for part in parts]
    found = [
        (name, value) for properties in listed if isinstance(properties, dict) for name, value in properties.items()
    ]
    textual = {name for name, value in found if _holds_text(schemas.flat(value, levels), schemas)}
    return {name: name in textual for name, _ in found}


def _holds_text(schema: JsonObject, schemas: Schemas) -> bool:
    """May a value be a text, or a list of them?"""
    several: list[JsonObject] = [schema, *(schemas.flat(branch) for branch in branches(schema))]
    several += [schemas.flat(items) for one in several if (items := one.get("items")) is not None]
    return any("string" in types(one) for one in several) or not any(types(one) for one in several)


def _chosen(content: Sequence[MediaType], schemas: Schemas) -> MediaType:
    """The representation that is sent: one that can carry every field, files among them."""
    able = [one for one in content if media.is_multipart(one.media_type) or not _has_files(one, schemas)]
    return media.chosen(able or content)


def _has_files(chosen: MediaType, schemas: Schemas) -> bool:
    if not (media.is_json(chosen.media_type) or media.is_form(chosen.media_type)):
        return False
    found = [schemas.flat(value) for value in properties(chosen.schema, schemas).values()]
    found += [schemas.flat(value.get("items")) for value in found]
    return any(value.get("format") == "binary" for value in found)


def _fields(
    chosen: MediaType, request: RequestBody, schemas: Schemas, *, kept: bool
) -> tuple[Mapping[str, Json], frozenset[str]] | None:
    """The fields that become arguments, and those that are required; None when the body stays whole.

    A body that is written from a value whose schema is an object with properties, without a union and without declared
    free keys, unless it is optional and has required properties: then they would have to be required or not, together.
    Fields that are arguments already (``kept``) stay so with free keys, and where the body has become optional.
    """
    if written_from(chosen, schemas) != "value" or media.is_stream(chosen.media_type):
        return None
    schema, levels = schemas.references.flat(chosen.schema)
    declared, required = schema.get("properties"), schema.get("required")
    if not isinstance(declared, dict) or not declared or types(schema) != ["object"]:
        return None
    if branches(schema) or named(schema):
        return None
    if not kept and ("patternProperties" in schema or schema.get("additionalProperties", False) is not False):
        return None
    needed = {name for name in required if isinstance(name, str)} if isinstance(required, list) else set[str]()
    fields = {
        name: value
        for name, value in declared.items()
        if value is not False and schemas.flat(value, levels).get("readOnly") is not True
    }
    if not kept and not request.required and needed & fields.keys():
        return None
    return fields, frozenset(needed & fields.keys())


def _is_empty(chosen: MediaType, schemas: Schemas) -> bool:
    """Is there an object body of which the caller has nothing to say?"""
    fields = properties(chosen.schema, schemas)
    return bool(fields) and all(schemas.flat(value).get("readOnly") is True for value in fields.values())


def written_from(chosen: MediaType, schemas: Schemas) -> Source:
    """What a body is written from: a value of its schema, the text itself, or bytes."""
    kind, source = chosen.media_type, chosen.schema
    bytes_ = file(source, schemas)
    if "*" in kind and bytes_ is not None and not bytes_.many:
        return "bytes"
    structured = is_structured(source, schemas)
    if media.is_stream(kind):
        return "value" if chosen.item_schema is not None or structured or not media.is_text(kind) else "text"
    if media.is_json(kind) or media.is_form(kind):
        return "value"
    if media.is_text(kind):
        return "value" if structured and (media.is_xml(kind) or media.is_yaml(kind)) else "text"
    if media.is_binary(kind) or not (structured or types(schemas.flat(source))):
        return "bytes"
    # A format of the API's own: what its schema says is all that is known of it.
    return "value" if structured else "bytes" if bytes_ is not None else "text"


def whole_schema(chosen: MediaType, schemas: Schemas) -> Json:
    """The schema of a body that is one argument."""
    if written_from(chosen, schemas) == "text":
        return {"type": "string"}
    schema, items = chosen.schema, chosen.item_schema
    if schema is None:
        return {} if items is None else {"type": "array", "items": items}
    # Before there was ``itemSchema`` (3.2) the schema of one item was written as that of the stream.
    if media.is_stream(chosen.media_type) and is_structured(schema, schemas):
        return schema if "array" in types(schemas.flat(schema)) else {"type": "array", "items": schema}
    return schema


def content(body: Body, schemas: Schemas) -> Content:
    """How the body is written."""
    chosen = body.chosen
    kind = chosen.media_type
    binary = written_from(chosen, schemas) == "bytes"
    plain = kind in ("*/*", "application/*") and not binary
    return Content(
        media_type="application/json" if plain else kind,
        required=body.request.required,
        parts=parts(kind, chosen.schema, chosen.encoding, schemas, chosen.item_schema) if media.is_form(kind) else (),
        file=body.whole and binary,
        xml=xml(chosen.schema, schemas) if media.is_xml(kind) and is_structured(chosen.schema, schemas) else None,
    )
