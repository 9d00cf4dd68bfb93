"""Inputs: the arguments of a tool, the schema that they are checked against, and where each goes in the request."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from toolcast.mapping import media
from toolcast.mapping.bodies import Body, body, content, whole_schema, written_from
from toolcast.mapping.drafts import TEXT, notes_of, text_of, told
from toolcast.mapping.names import WHOLE_BODY, argument_names
from toolcast.mapping.parts import file, is_structured, parts
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
_FILES: Final = "Files in it: their bytes as base64, or data: URIs."
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
    deprecated: bool = False
    file: FileKind | None = None
    example: Json = None


def inputs(operation: Operation, schemas: Schemas, locked: Mapping[str, str], spent: int = 0) -> Inputs:
    """The arguments of an operation: its parameters, and the body's fields or the body as a whole.

    ``spent`` are the tokens that the tool costs beside its input schema.
    """
    sent = body(operation, schemas, whole=WHOLE_BODY in locked)
    wanted = [(parameter.location, parameter.name) for parameter in operation.parameters]
    if sent is not None:
        wanted += [("body", name) for name in sent.fields] or ([("body", "")] if sent.whole else [])
    names = argument_names(wanted, locked)
    arguments = [_of_parameter(p, names[p.location, p.name], schemas) for p in operation.parameters]
    bindings = [_binding(p, names[p.location, p.name], schemas) for p in operation.parameters]
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
        return {**argument.draft, "description": f"{words}\n{_FILE}".strip()}
    schema = schemas.trimmed(argument.draft, aim, required=argument.required)
    own = schema.get("description")
    text = "\n".join(part for part in (words, own) if isinstance(part, str) and part)
    if argument.deprecated and not text.startswith("Deprecated."):
        text = f"Deprecated. {text}".strip()
    return {**schema, "description": text} if text and text != own else schema


def _draft(source: Json, text: str, schemas: Schemas) -> JsonObject:
    """The draft of an argument; a text of its own takes the place of its schema's."""
    draft = schemas.draft(source, "input")
    return {key: value for key, value in draft.items() if key != TEXT} if text and TEXT in draft else draft


def _of_parameter(parameter: Parameter, name: str, schemas: Schemas) -> _Argument:
    text = argument_text(parameter.description)
    source: Json = parameter.schema
    kind = parameter.media_type
    if kind is not None and media.is_text(kind) and not media.is_yaml(kind) and is_structured(source, schemas):
        # Outside of a body nothing but JSON and forms is written from a value.
        text = f"{text}\nWritten as {media.essence(kind)}.".strip()
        source = {"type": "string"}
    return _Argument(
        name=name,
        source=source,
        draft=_draft(source, text, schemas),
        text=text,
        required=parameter.required,
        deprecated=parameter.deprecated,
        example=parameter.example if source is parameter.schema else None,
    )


def _of_field(argument: str, name: str, source: Json, sent: Body, schemas: Schemas) -> _Argument:
    chosen = sent.chosen
    encoding = chosen.encoding.get(name)
    declared = encoding.media_type if encoding is not None else None
    bytes_ = file(source, schemas, declared) if media.is_multipart(chosen.media_type) else None
    text, given = schemas.flat(source).get("description"), chosen.example
    return _Argument(
        name=argument,
        source=source if bytes_ is None else bytes_.schema,
        draft=schemas.draft(source, "input") if bytes_ is None else bytes_.schema,
        text=argument_text(text) if isinstance(text, str) and bytes_ is not None else "",
        required=name in sent.required and sent.request.required,
        file=None if bytes_ is None else "many" if bytes_.many else "one",
        example=given.get(name) if isinstance(given, dict) and bytes_ is None else None,
    )


def _of_body(argument: str, sent: Body, schemas: Schemas) -> _Argument:
    chosen = sent.chosen
    of = written_from(chosen, schemas)
    binary, text = of == "bytes", of == "text"
    described = argument_text(sent.request.description)
    described = described or (f"The body, as {media.essence(chosen.media_type)}." if text else "")
    source = whole_schema(chosen, schemas)
    draft: JsonObject = {"type": "string"} if binary else _draft(source, described, schemas)
    if any(part.file for part in content(sent, schemas).parts):
        draft = told(draft, text_of(draft), [*notes_of(draft), _FILES])
    return _Argument(
        name=argument,
        source={"type": "string"} if binary else source,
        draft=draft,
        text=described,
        required=sent.request.required,
        file="one" if binary else None,
        example=None if binary or text else chosen.example,
    )


def _binding(parameter: Parameter, argument: str, schemas: Schemas) -> Binding:
    binding = _BINDINGS[parameter.location](
        argument=argument,
        name=parameter.name,
        style=parameter.style,
        explode=parameter.explode,
        reserved=parameter.allow_reserved,
        media_type=parameter.media_type,
    )
    if isinstance(binding, QuerystringArg) and parameter.media_type is not None and media.is_form(parameter.media_type):
        written = parts(parameter.media_type, parameter.schema, parameter.encoding, schemas)
        return replace(binding, parts=written)
    return binding
