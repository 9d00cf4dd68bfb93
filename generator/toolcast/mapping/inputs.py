"""Inputs: the arguments of a tool, the schema that they are checked against, and where each goes in the request."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from toolcast.mapping import media
from toolcast.mapping.bodies import Body, body, content, file, is_binary, is_text, whole_schema
from toolcast.mapping.drafts import TEXT
from toolcast.mapping.names import argument_names
from toolcast.mapping.portable import types
from toolcast.mapping.schemas import Schemas
from toolcast.mapping.texts import argument_text, shorten
from toolcast.mapping.trimming import Aim, first_within
from toolcast.model.catalog import (
    Binding,
    BodyField,
    Content,
    CookieArg,
    HeaderArg,
    PathArg,
    QueryArg,
    QuerystringArg,
    WholeBody,
)
from toolcast.model.json import Json, JsonObject, Schema
from toolcast.model.limits import TOOL_TOKENS
from toolcast.model.openapi import Operation, Parameter

_BINDINGS: Final[Mapping[str, Callable[..., Binding]]] = {
    "path": PathArg,
    "query": QueryArg,
    "querystring": QuerystringArg,
    "header": HeaderArg,
    "cookie": CookieArg,
}
_FILE: Final = "A file: its bytes as base64, or a data: URI."
_LEVELS: Final = (6, 5, 4, 3, 2, 1, 0)
# What a tool gives up until it is within its budget: each aim, less than the one before it.
_AIMS: Final = (
    Aim(),
    Aim(examples=False),
    Aim(examples=False, text=120),
    *(Aim(examples=False, text=120, optional=level) for level in _LEVELS),
    *(Aim(examples=False, text=120, optional=0, depth=level) for level in _LEVELS),
    Aim(examples=False, text=60, optional=0, depth=0),
)
_SHORT: Final = _AIMS[-1]  # here the arguments' own texts become short as well
_SHORT_TEXT: Final = 120
FileKind = Literal["one", "many"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    """What a tool takes; ``names`` maps "place name" to the argument, for the lock.

    ``sources`` holds each argument's schema in the document, for the types, ``files`` the arguments that are files;
    ``cut`` says that deep objects are told by their fields' names only.
    """

    bindings: tuple[Binding, ...]
    body: Content | None
    schema: Schema
    names: Mapping[str, str]
    sources: Mapping[str, Json]
    files: Mapping[str, FileKind]
    examples: Mapping[str, Json]
    within_budget: bool
    cut: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class _Argument:
    """One argument before it has its schema."""

    name: str
    source: Json
    draft: JsonObject
    text: str  # what is told beside the draft's own text and notes
    required: bool
    nullable: bool
    deprecated: bool = False
    file: FileKind | None = None
    example: Json = None


def inputs(
    operation: Operation, schemas: Schemas, locked: Mapping[str, str], spent: int = 0, *, form: str = ""
) -> Inputs:
    """The arguments of an operation: its parameters, and the body's fields or the body as a whole.

    ``spent`` are the tokens that the tool costs beside its input schema; ``form`` is the body's form so far.
    """
    sent = body(operation, schemas, form=form)
    wanted = [(parameter.location, parameter.name) for parameter in operation.parameters]
    if sent is not None:
        wanted += [("body", name) for name in sent.fields] or ([("body", "")] if sent.whole else [])
    names = argument_names(wanted, locked)
    arguments = [_of_parameter(p, names[p.location, p.name], schemas) for p in operation.parameters]
    bindings = [_binding(p, names[p.location, p.name]) for p in operation.parameters]
    if sent is not None:
        for name, source in sent.fields.items():
            argument = names["body", name]
            arguments.append(_of_field(argument, name, source, sent, schemas))
            bindings.append(BodyField(argument=argument, name=name))
        if sent.whole:
            arguments.append(_of_body(names["body", ""], sent, schemas))
            bindings.append(WholeBody(argument=names["body", ""]))
    schema, aim, within = _budgeted(arguments, schemas, TOOL_TOKENS - spent)
    return Inputs(
        bindings=tuple(bindings),
        body=content(sent, schemas) if sent is not None else None,
        schema=schema,
        names={f"{place} {name}": argument for (place, name), argument in names.items()},
        sources={a.name: a.source for a in arguments},
        files={a.name: a.file for a in arguments if a.file is not None},
        examples={a.name: a.example for a in arguments if a.example is not None},
        within_budget=within,
        cut=aim.optional < _AIMS[0].optional,
    )


def _budgeted(arguments: Sequence[_Argument], schemas: Schemas, budget: int) -> tuple[Schema, Aim, bool]:
    """The schema at the first aim that is within the budget, and whether there was one."""
    aim = first_within(_AIMS, lambda aim: _root(arguments, schemas, aim), schemas.sizes, budget)
    schema = _root(arguments, schemas, aim)
    return schema, aim, schemas.sizes.tokens(schema) <= budget


def _root(arguments: Sequence[_Argument], schemas: Schemas, aim: Aim) -> JsonObject:
    properties: JsonObject = {argument.name: _published(argument, schemas, aim) for argument in arguments}
    required: list[Json] = [argument.name for argument in arguments if argument.required]
    root: JsonObject = {"type": "object", "properties": properties, "additionalProperties": False}
    return {**root, "required": required} if required else root


def _published(argument: _Argument, schemas: Schemas, aim: Aim) -> JsonObject:
    words = shorten(argument.text, _SHORT_TEXT) if aim is _SHORT else argument.text
    if argument.file is not None:
        one: JsonObject = {"type": "string", "description": f"{words}\n{_FILE}".strip()}
        return one if argument.file == "one" else {**one, "type": "array", "items": {"type": "string"}}
    schema = schemas.trimmed(argument.draft, aim, required=argument.required)
    if not argument.nullable:
        schema = _without_null(schema)
    own = schema.get("description")
    text = "\n".join(part for part in (words, own) if isinstance(part, str) and part)
    if argument.deprecated and not text.startswith("Deprecated."):
        text = f"Deprecated. {text}".strip()
    return {**schema, "description": text} if text and text != own else schema


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


def _draft(source: Json, text: str, schemas: Schemas) -> JsonObject:
    """The draft of an argument; a text of its own takes the place of its schema's."""
    draft = schemas.draft(source, "input")
    return {key: value for key, value in draft.items() if key != TEXT} if text and TEXT in draft else draft


def _of_parameter(parameter: Parameter, name: str, schemas: Schemas) -> _Argument:
    text = argument_text(parameter.description)
    return _Argument(
        name=name,
        source=parameter.schema,
        draft=_draft(parameter.schema, text, schemas),
        text=text,
        required=parameter.required,
        nullable=parameter.media_type is not None and media.is_json(parameter.media_type),
        deprecated=parameter.deprecated,
        example=parameter.example,
    )


def _of_field(argument: str, name: str, source: Json, sent: Body, schemas: Schemas) -> _Argument:
    one, many = file(source, schemas) if media.is_multipart(sent.chosen.media_type) else (False, False)
    flat = schemas.flat(source)
    text, given = flat.get("description"), sent.chosen.example
    return _Argument(
        name=argument,
        source=source,
        draft={} if one or many else schemas.draft(source, "input"),
        text=argument_text(text) if isinstance(text, str) and (one or many) else "",
        required=name in sent.required and sent.request.required,
        nullable=not media.is_form(sent.chosen.media_type) or "null" in types(flat),
        file="one" if one else "many" if many else None,
        example=given.get(name) if isinstance(given, dict) and not (one or many) else None,
    )


def _of_body(argument: str, sent: Body, schemas: Schemas) -> _Argument:
    chosen = sent.chosen
    binary = is_binary(chosen, schemas)
    text = is_text(chosen, schemas)
    described = argument_text(sent.request.description)
    described = described or (f"The body, as {media.essence(chosen.media_type)}." if text else "")
    source = whole_schema(chosen, schemas)
    return _Argument(
        name=argument,
        source=source,
        draft={} if binary else _draft(source, described, schemas),
        text=described,
        required=sent.request.required,
        nullable=True,
        file="one" if binary else None,
        example=None if binary or text else chosen.example,
    )


def _binding(parameter: Parameter, argument: str) -> Binding:
    return _BINDINGS[parameter.location](
        argument=argument,
        name=parameter.name,
        style=parameter.style,
        explode=parameter.explode,
        reserved=parameter.allow_reserved,
        media_type=parameter.media_type,
    )
