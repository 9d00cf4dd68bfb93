"""Bodies: whether a body's fields are arguments of their own, and how the body is sent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from toolcast.mapping import media
from toolcast.mapping.portable import types
from toolcast.mapping.schemas import Schemas
from toolcast.mapping.variants import branches, named
from toolcast.model.catalog import Content, Part
from toolcast.model.json import Json, JsonObject
from toolcast.model.openapi import MediaType, Operation, RequestBody


@dataclass(frozen=True, slots=True, kw_only=True)
class Body:
    """A body in the representation that is sent: its fields when they are arguments, else whether it is one itself."""

    request: RequestBody
    chosen: MediaType
    fields: Mapping[str, Json]
    required: frozenset[str]
    whole: bool


def body(operation: Operation, schemas: Schemas, *, whole: bool) -> Body | None:
    """The body of an operation, None when it takes none; ``whole`` keeps it one argument even where it could be flat."""
    request = operation.body
    if request is None:
        return None
    chosen = media.chosen(request.content)
    flat = None if whole else _fields(chosen, request, schemas)
    fields, required = flat or ({}, frozenset[str]())
    return Body(
        request=request,
        chosen=chosen,
        fields=fields,
        required=required,
        whole=not fields and not _is_empty(chosen, schemas),
    )


def body_schema(operation: Operation, schemas: Schemas) -> Json:
    """The schema of the body that is sent, flat, or None."""
    return schemas.flat(media.chosen(operation.body.content).schema) if operation.body is not None else None


def _fields(
    chosen: MediaType, request: RequestBody, schemas: Schemas
) -> tuple[Mapping[str, Json], frozenset[str]] | None:
    """The fields that become arguments, and those that are required; None when the body stays whole.

    A JSON or form body whose schema is an object with properties, without a union and without declared free keys,
    unless it is optional and has required properties: then they would have to be required or not, together.
    """
    if not (media.is_json(chosen.media_type) or media.is_form(chosen.media_type)):
        return None
    schema, levels = schemas.references.flat(chosen.schema)
    properties, required = schema.get("properties"), schema.get("required")
    if not isinstance(properties, dict) or not properties or types(schema) != ["object"]:
        return None
    if branches(schema) or named(schema) or "patternProperties" in schema:
        return None
    if schema.get("additionalProperties", False) is not False:
        return None
    needed = {name for name in required if isinstance(name, str)} if isinstance(required, list) else set[str]()
    fields = {
        name: value
        for name, value in properties.items()
        if value is not False and schemas.flat(value, levels).get("readOnly") is not True
    }
    if not request.required and needed & fields.keys():
        return None
    return fields, frozenset(needed & fields.keys())


def _is_empty(chosen: MediaType, schemas: Schemas) -> bool:
    """Is there an object body of which the caller has nothing to say?"""
    fields = _properties(chosen, schemas)
    return bool(fields) and all(schemas.flat(value).get("readOnly") is True for value in fields.values())


def is_binary(chosen: MediaType, schemas: Schemas) -> bool:
    """Is the whole body bytes?"""
    if "*" in chosen.media_type:
        return file(chosen.schema, schemas)[0]
    kind = chosen.media_type
    return not (media.is_json(kind) or media.is_form(kind) or media.is_text(kind) or media.is_stream(kind))


def file(source: Json, schemas: Schemas) -> tuple[bool, bool]:
    """Does a schema describe bytes, or a list of them? (OpenAPI 3.0.4 section 4.7.14.2, 3.1.1 section 4.8.14.2)"""
    schema = schemas.flat(source)
    kinds = types(schema)
    if kinds == ["array"]:
        return False, _is_bytes(schemas.flat(schema.get("items")))
    return _is_bytes(schema), False


def _is_bytes(schema: JsonObject) -> bool:
    kinds = types(schema)
    binary = schema.get("format") == "binary" or schema.get("type") == "file"
    encoded = isinstance(schema.get("contentMediaType"), str) and not schema.get("contentEncoding")
    return set(kinds) <= {"string", "null"} and (binary or encoded)


def content(body: Body, schemas: Schemas) -> Content:
    """How the body is written."""
    chosen = body.chosen
    parts: list[Part] = []
    if media.is_form(chosen.media_type):
        for name, source in (body.fields or _properties(chosen, schemas)).items():
            part = _part(name, source, chosen, schemas)
            if part != Part(name=name):
                parts.append(part)
    binary = is_binary(chosen, schemas)
    plain = chosen.media_type in ("*/*", "application/*") and not binary
    return Content(
        media_type="application/json" if plain else chosen.media_type,
        required=body.request.required,
        parts=tuple(parts),
        file=body.whole and binary,
    )


def _part(name: str, source: Json, chosen: MediaType, schemas: Schemas) -> Part:
    part = Part(name=name, file=media.is_multipart(chosen.media_type) and any(file(source, schemas)))
    encoding = chosen.encoding.get(name)
    if encoding is None:
        return part
    explode = encoding.style in (None, "form", "deepObject") if encoding.explode is None else encoding.explode
    return replace(
        part,
        media_type=encoding.media_type,
        style=encoding.style,
        explode=explode,
        reserved=encoding.allow_reserved,
    )


def _properties(chosen: MediaType, schemas: Schemas) -> Mapping[str, Json]:
    properties = schemas.flat(chosen.schema).get("properties")
    return properties if isinstance(properties, dict) else {}
