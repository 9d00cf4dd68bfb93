"""Inputs: the arguments of a tool, the schema that they are checked against, and where each goes in the request."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from toolcast.mapping import media
from toolcast.mapping.names import argument_names
from toolcast.mapping.portable import types
from toolcast.mapping.schemas import Aim, Schemas
from toolcast.mapping.texts import argument_text
from toolcast.mapping.tokens import Sizes
from toolcast.model.catalog import (
    Binding,
    BodyField,
    Content,
    CookieArg,
    HeaderArg,
    ParameterBinding,
    Part,
    PathArg,
    QueryArg,
    QuerystringArg,
    WholeBody,
)
from toolcast.model.json import Json, JsonObject, Schema
from toolcast.model.limits import TOOL_TOKENS
from toolcast.model.openapi import MediaType, Operation, Parameter, RequestBody

_BINDINGS: Mapping[str, type[ParameterBinding]] = {
    "path": PathArg,
    "query": QueryArg,
    "querystring": QuerystringArg,
    "header": HeaderArg,
    "cookie": CookieArg,
}
_FILE = "A file: its bytes as base64, or a data: URI."
# What a tool gives up, in this order, until it is within its budget.
_AIMS = (
    Aim(direction="input"),
    Aim(direction="input", examples=False),
    Aim(direction="input", examples=False, text=120),
    *(Aim(direction="input", examples=False, text=120, depth=depth) for depth in (6, 5, 4, 3, 2, 1, 0)),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    """What a tool takes; ``names`` maps "place name" to the argument, for the lock.

    ``sources`` holds each argument's schema in the document, with what is laid over it, for the types.
    """

    bindings: tuple[Binding, ...]
    body: Content | None
    schema: Schema
    names: Mapping[str, str]
    sources: Mapping[str, Json]
    examples: Mapping[str, Json]
    within_budget: bool
    cut: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class _Argument:
    """One argument before it has its schema."""

    name: str
    source: Json
    text: str
    required: bool
    nullable: bool
    deprecated: bool = False
    file: bool = False
    files: bool = False
    example: Json = None


def inputs(operation: Operation, schemas: Schemas, sizes: Sizes, locked: Mapping[str, str]) -> Inputs:
    """The arguments of an operation: its parameters, and the body's fields or the body as a whole."""
    body, chosen = operation.body, None
    fields: Mapping[str, Json] = {}
    needed: frozenset[str] = frozenset()
    if body is not None:
        chosen = media.chosen(body.content)
        flattened = _fields(chosen, body, schemas)
        if flattened is not None:
            fields, needed = flattened
    whole = body is not None and not fields and not _is_empty(chosen, schemas)
    wanted = [(p.location, p.name) for p in operation.parameters] + [("body", name) for name in fields]
    names = argument_names(wanted, locked)
    arguments: list[_Argument] = [_of_parameter(p, names[p.location, p.name], schemas) for p in operation.parameters]
    bindings: list[Binding] = [_binding(p, names[p.location, p.name]) for p in operation.parameters]
    if body is not None and chosen is not None:
        for name, source in fields.items():
            argument = names["body", name]
            arguments.append(_of_field(argument, name, source, name in needed and body.required, chosen, schemas))
            bindings.append(BodyField(argument=argument, name=name))
        if whole:
            argument = "body" if "body" not in names.values() else "request_body"
            arguments.append(_of_body(argument, body, chosen, schemas))
            bindings.append(WholeBody(argument=argument))
    schema, aim, within = _budgeted(arguments, schemas, sizes)
    return Inputs(
        bindings=tuple(bindings),
        body=_content(body, chosen, fields, whole, schemas) if body is not None and chosen is not None else None,
        schema=schema,
        names={f"{place} {name}": argument for (place, name), argument in names.items()},
        sources={a.name: a.source for a in arguments},
        examples={a.name: a.example for a in arguments if a.example is not None},
        within_budget=within,
        cut=aim.depth < _AIMS[0].depth,
    )


def _budgeted(arguments: Iterable[_Argument], schemas: Schemas, sizes: Sizes) -> tuple[Schema, Aim, bool]:
    arguments = list(arguments)
    smallest: tuple[int, Schema, Aim] | None = None
    for aim in _AIMS:
        schema = _root(arguments, schemas, aim)
        size = sizes.tokens(dict(schema))
        if size <= TOOL_TOKENS:
            return schema, aim, True
        if smallest is None or size < smallest[0]:
            smallest = size, schema, aim
    assert smallest is not None
    return smallest[1], smallest[2], False


def _root(arguments: Iterable[_Argument], schemas: Schemas, aim: Aim) -> JsonObject:
    properties: JsonObject = {}
    required: list[Json] = []
    for argument in arguments:
        properties[argument.name] = _published(argument, schemas, aim)
        if argument.required:
            required.append(argument.name)
    root: JsonObject = {"type": "object", "properties": properties, "additionalProperties": False}
    return {**root, "required": required} if required else root


def _published(argument: _Argument, schemas: Schemas, aim: Aim) -> JsonObject:
    if argument.file or argument.files:
        text = f"{argument.text}\n{_FILE}".strip()
        one: JsonObject = {"type": "string", "description": text}
        return {"type": "array", "description": text, "items": {"type": "string"}} if argument.files else one
    schema = schemas.expand(argument.source, aim)
    if not argument.nullable:
        schema = _without_null(schema)
    own = schema.get("description")
    text = argument.text or (own if isinstance(own, str) else "")
    if argument.deprecated and not text.startswith("Deprecated."):
        text = f"Deprecated. {text}".strip()
    if text and text != own:
        schema = {**schema, "description": text}
    return schema


def _without_null(schema: JsonObject) -> JsonObject:
    """A query, path, header or cookie argument cannot be null: leaving it out says the same."""
    declared, values, branches = schema.get("type"), schema.get("enum"), schema.get("anyOf")
    if isinstance(declared, list) and "null" in declared and len(declared) > 1:
        left = [kind for kind in declared if kind != "null"]
        schema = {**schema, "type": left[0] if len(left) == 1 else left}
        if isinstance(values, list) and None in values:
            schema["enum"] = [value for value in values if value is not None]
    if isinstance(branches, list) and {"type": "null"} in branches:
        kept = [branch for branch in branches if branch != {"type": "null"}]
        rest = {key: value for key, value in schema.items() if key != "anyOf"}
        if len(kept) == 1 and isinstance(kept[0], dict):
            return {**kept[0], **rest}
        schema = {**schema, "anyOf": kept}
    return schema


def _of_parameter(parameter: Parameter, name: str, schemas: Schemas) -> _Argument:
    return _Argument(
        name=name,
        source=parameter.schema,
        text=argument_text(parameter.description),
        required=parameter.required,
        nullable=parameter.media_type is not None and media.is_json(parameter.media_type),
        deprecated=parameter.deprecated,
        example=parameter.example,
    )


def _of_field(argument: str, name: str, source: Json, required: bool, chosen: MediaType, schemas: Schemas) -> _Argument:
    file, files = _file(source, schemas) if media.is_multipart(chosen.media_type) else (False, False)
    flat, _ = schemas.flat(source)
    example = chosen.example.get(name) if isinstance(chosen.example, dict) else None
    text = flat.get("description")
    return _Argument(
        name=argument,
        source=source,
        text=argument_text(text) if isinstance(text, str) and (file or files) else "",
        required=required,
        nullable=not media.is_form(chosen.media_type) or _is_nullable(flat),
        file=file,
        files=files,
        example=None if file or files else example,
    )


def _is_nullable(flat: JsonObject) -> bool:
    return "null" in types(flat)


def _of_body(argument: str, body: RequestBody, chosen: MediaType, schemas: Schemas) -> _Argument:
    binary = _is_binary(chosen, schemas)
    text = media.is_text(chosen.media_type)
    source = _stream_items(chosen) if chosen.schema is None else chosen.schema
    described = argument_text(body.description) or (
        "" if not text else f"The body, as {media.essence(chosen.media_type)}."
    )
    return _Argument(
        name=argument,
        source={"type": "string"} if text else source,
        text=described,
        required=body.required,
        nullable=True,
        file=binary,
        example=None if binary or text else chosen.example,
    )


def _stream_items(chosen: MediaType) -> Json:
    return {} if chosen.item_schema is None else {"type": "array", "items": chosen.item_schema}


def _binding(parameter: Parameter, argument: str) -> Binding:
    kind = _BINDINGS[parameter.location]
    binding = kind(
        argument=argument,
        name=parameter.name,
        style=parameter.style,
        explode=parameter.explode,
        reserved=parameter.allow_reserved,
        media_type=parameter.media_type,
    )
    assert isinstance(binding, (PathArg, QueryArg, HeaderArg, CookieArg, QuerystringArg))
    return binding


def _fields(chosen: MediaType, body: RequestBody, schemas: Schemas) -> tuple[Mapping[str, Json], frozenset[str]] | None:
    """The fields that become arguments, and those that are required; None when the body stays whole.

    A JSON or form body whose schema is an object with properties, without a union and without declared free keys,
    unless it is optional and has required properties: then they would have to be required or not, together.
    """
    if not (media.is_json(chosen.media_type) or media.is_form(chosen.media_type)):
        return None
    schema, levels = schemas.flat(chosen.schema)
    properties, required = schema.get("properties"), schema.get("required")
    if not isinstance(properties, dict) or not properties or types(schema) != ["object"]:
        return None
    if {"anyOf", "oneOf", "patternProperties"} & schema.keys() or isinstance(schema.get("discriminator"), dict):
        return None
    if schema.get("additionalProperties", False) is not False:
        return None
    needed = (
        frozenset(name for name in required if isinstance(name, str)) if isinstance(required, list) else frozenset()
    )
    fields = {
        name: value
        for name, value in properties.items()
        if value is not False and schemas.flat(value, levels)[0].get("readOnly") is not True
    }
    if not body.required and needed & fields.keys():
        return None
    return fields, needed & fields.keys()


def _is_empty(chosen: MediaType | None, schemas: Schemas) -> bool:
    """Is there an object body of which the caller has nothing to say?"""
    schema = schemas.flat(chosen.schema)[0] if chosen is not None else {}
    properties = schema.get("properties")
    return (
        isinstance(properties, dict)
        and bool(properties)
        and all(schemas.flat(value)[0].get("readOnly") is True for value in properties.values())
    )


def _is_binary(chosen: MediaType, schemas: Schemas) -> bool:
    if media.is_json(chosen.media_type) and "*" not in chosen.media_type:
        return False
    if media.is_form(chosen.media_type) or media.is_text(chosen.media_type) or media.is_stream(chosen.media_type):
        return False
    if "*" in chosen.media_type:
        return _file(chosen.schema, schemas)[0]
    return True


def _file(source: Json, schemas: Schemas) -> tuple[bool, bool]:
    """Does a schema describe bytes, or a list of them? (OpenAPI 3.0.4 section 4.7.14.2, 3.1.1 section 4.8.14.2)"""
    schema, _ = schemas.flat(source)
    if "array" in types(schema):
        return False, _file(schema.get("items"), schemas)[0]
    text = schema.get("type") in ("string", "file", None, ["string", "null"])
    binary = schema.get("format") == "binary" or schema.get("type") == "file"
    encoded = isinstance(schema.get("contentMediaType"), str) and not schema.get("contentEncoding")
    return text and (binary or encoded), False


def _content(
    body: RequestBody, chosen: MediaType, fields: Mapping[str, Json], whole: bool, schemas: Schemas
) -> Content:
    parts: list[Part] = []
    if media.is_form(chosen.media_type):
        named = fields or _properties(chosen, schemas)
        for name, source in named.items():
            file = media.is_multipart(chosen.media_type) and any(_file(source, schemas))
            encoding = chosen.encoding.get(name)
            part = Part(name=name, file=file)
            if encoding is not None:
                part = replace(
                    part,
                    media_type=encoding.media_type,
                    style=encoding.style,
                    explode=encoding.explode
                    if encoding.explode is not None
                    else encoding.style in (None, "form", "deepObject"),
                    reserved=encoding.allow_reserved,
                )
            if part != Part(name=name):
                parts.append(part)
    media_type = (
        "application/json"
        if chosen.media_type in ("*/*", "application/*") and not _is_binary(chosen, schemas)
        else chosen.media_type
    )
    return Content(
        media_type=media_type,
        required=body.required,
        parts=tuple(parts),
        file=whole and _is_binary(chosen, schemas),
    )


def _properties(chosen: MediaType, schemas: Schemas) -> Mapping[str, Json]:
    properties = schemas.flat(chosen.schema)[0].get("properties")
    return properties if isinstance(properties, dict) else {}


def body_schema(operation: Operation, schemas: Schemas) -> Json:
    """The schema of the body that is sent, flat, or None."""
    if operation.body is None:
        return None
    return schemas.flat(media.chosen(operation.body.content).schema)[0]
