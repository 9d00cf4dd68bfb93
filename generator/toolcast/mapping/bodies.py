"""Bodies: whether a body's fields are arguments of their own, and how the body is sent."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from toolcast.mapping import media
from toolcast.mapping.names import WHOLE_BODY
from toolcast.mapping.portable import types
from toolcast.mapping.schemas import Schemas
from toolcast.mapping.variants import branches, named
from toolcast.mapping.xml import xml
from toolcast.model.catalog import Content, Part
from toolcast.model.json import Json, JsonObject
from toolcast.model.openapi import Encoding, MediaType, Operation, RequestBody

_TOKEN: Final = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_HEADER_TEXT: Final = re.compile(r"[\x20-\x7e]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Body:
    """A body in the representation that is sent: its fields when they are arguments, else whether it is one itself."""

    request: RequestBody
    chosen: MediaType
    fields: Mapping[str, Json]
    required: frozenset[str]
    whole: bool


def form(arguments: Mapping[str, str]) -> str:
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
    chosen = media.chosen(request.content)
    flat = None if form == "whole" else _fields(chosen, request, schemas, kept=form == "fields")
    fields, required = flat or ({}, frozenset[str]())
    return Body(
        request=request,
        chosen=chosen,
        fields=fields,
        required=required,
        whole=not fields and not _is_empty(chosen, schemas),
    )


def field_names(operation: Operation, schemas: Schemas) -> frozenset[str]:
    """The names of the properties that the body may have, those of a union's branches among them."""
    if operation.body is None:
        return frozenset()
    flat, levels = schemas.references.flat(media.chosen(operation.body.content).schema)
    parts = [flat, *(schemas.flat(branch, levels) for branch in branches(flat))]
    parts += [schemas.flat(items, levels) for part in parts if (items := part.get("items")) is not None]
    listed = [part.get("properties") for part in parts]
    return frozenset(name for properties in listed if isinstance(properties, dict) for name in properties)


def _fields(
    chosen: MediaType, request: RequestBody, schemas: Schemas, *, kept: bool
) -> tuple[Mapping[str, Json], frozenset[str]] | None:
    """The fields that become arguments, and those that are required; None when the body stays whole.

    A JSON, form or XML body whose schema is an object with properties, without a union and without declared free keys,
    unless it is optional and has required properties: then they would have to be required or not, together. Fields
    that are arguments already (``kept``) stay so with free keys, and where the body has become optional.
    """
    kind = chosen.media_type
    if not (media.is_json(kind) or media.is_form(kind) or _is_xml_of(kind, chosen.schema, schemas)):
        return None
    if media.is_stream(kind):
        return None
    schema, levels = schemas.references.flat(chosen.schema)
    properties, required = schema.get("properties"), schema.get("required")
    if not isinstance(properties, dict) or not properties or types(schema) != ["object"]:
        return None
    if branches(schema) or named(schema):
        return None
    if not kept and ("patternProperties" in schema or schema.get("additionalProperties", False) is not False):
        return None
    needed = {name for name in required if isinstance(name, str)} if isinstance(required, list) else set[str]()
    fields = {
        name: value
        for name, value in properties.items()
        if value is not False and schemas.flat(value, levels).get("readOnly") is not True
    }
    if not kept and not request.required and needed & fields.keys():
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


def is_text(chosen: MediaType, schemas: Schemas) -> bool:
    """Is the whole body text that the caller writes? XML is, and a stream of events, when nothing describes it."""
    kind = chosen.media_type
    if media.is_stream(kind):
        return media.is_text(kind) and chosen.item_schema is None and not _is_structured(chosen.schema, schemas)
    return media.is_text(kind) and not _is_xml_of(kind, chosen.schema, schemas)


def whole_schema(chosen: MediaType, schemas: Schemas) -> Json:
    """The schema of a body that is one argument."""
    if is_text(chosen, schemas):
        return {"type": "string"}
    schema, items = chosen.schema, chosen.item_schema
    if schema is None:
        return {} if items is None else {"type": "array", "items": items}
    # Before there was ``itemSchema`` (3.2) the schema of one item was written as that of the stream.
    if media.is_stream(chosen.media_type) and _is_structured(schema, schemas):
        return schema if "array" in types(schemas.flat(schema)) else {"type": "array", "items": schema}
    return schema


def _is_xml_of(media_type: str, source: Json, schemas: Schemas) -> bool:
    """Is it XML that is written from a value?"""
    return media.is_xml(media_type) and _is_structured(source, schemas)


def _is_structured(source: Json, schemas: Schemas) -> bool:
    """Does a schema describe more than a text?"""
    schema = schemas.flat(source)
    return not set(types(schema)) <= {"string", "null"} or bool(branches(schema) or named(schema))


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
        for name, source in (body.fields or _properties(chosen, schemas) or _positions(chosen, schemas)).items():
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
        xml=xml(chosen.schema, schemas) if _is_xml_of(chosen.media_type, chosen.schema, schemas) else None,
    )


def _part(name: str, source: Json, chosen: MediaType, schemas: Schemas) -> Part:
    part = Part(name=name, file=media.is_multipart(chosen.media_type) and any(file(source, schemas)))
    encoding = chosen.encoding.get(name)
    if encoding is None:
        return part
    items = schemas.flat(source).get("items") if types(schemas.flat(source)) == ["array"] else source
    explode = encoding.style in (None, "form", "deepObject") if encoding.explode is None else encoding.explode
    return replace(
        part,
        media_type=encoding.media_type,
        style=encoding.style,
        explode=explode,
        reserved=encoding.allow_reserved,
        headers=_headers(encoding, schemas) if media.is_multipart(chosen.media_type) else (),
        xml=xml(items, schemas, name) if _is_xml_of(encoding.media_type or "", items, schemas) else None,
    )


def _headers(encoding: Encoding, schemas: Schemas) -> tuple[tuple[str, str], ...]:
    """The headers of a part whose values the document itself gives."""
    found: list[tuple[str, str]] = []
    for header in encoding.headers:
        schema = schemas.flat(header.schema)
        listed = schema.get("enum")
        only = listed[0] if isinstance(listed, list) and len(listed) == 1 else schema.get("default")
        value = schema.get("const", only)
        if isinstance(value, (str, int, float)):
            text = str(value).lower() if isinstance(value, bool) else str(value)
            if _TOKEN.fullmatch(header.name) and _HEADER_TEXT.fullmatch(text):
                found.append((header.name, text))
    return tuple(found)


def _positions(chosen: MediaType, schemas: Schemas) -> dict[str, Json]:
    """The parts of a body that is a list (OpenAPI 3.2 "Encoding By Position")."""
    schema = schemas.flat(chosen.schema)
    first, items = schema.get("prefixItems"), schema.get("items", chosen.item_schema)
    found: dict[str, Json] = {str(at): source for at, source in enumerate(first if isinstance(first, list) else ())}
    return {**dict.fromkeys(chosen.encoding), **found, "*": items}


def _properties(chosen: MediaType, schemas: Schemas) -> Mapping[str, Json]:
    properties = schemas.flat(chosen.schema).get("properties")
    return properties if isinstance(properties, dict) else {}
