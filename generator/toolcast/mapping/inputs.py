"""Inputs: the arguments of a tool, the schema that they are checked against, and where each goes in the request."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from toolcast.mapping import media
from toolcast.mapping.argument_wishes import ArgumentWishes, Secret, Slot
from toolcast.mapping.arguments import Argument, FileKind
from toolcast.mapping.bodies import Body, body, content, whole_schema, written_from
from toolcast.mapping.budget import Fitted, Room, fitted
from toolcast.mapping.drafts import notes_of, text_of, told
from toolcast.mapping.names import argument_names
from toolcast.mapping.parts import file, is_structured, parts
from toolcast.mapping.places import below
from toolcast.mapping.schemas import Schemas
from toolcast.mapping.taken import Taken
from toolcast.mapping.texts import argument_text
from toolcast.model.catalog import (
    Binding,
    BodyField,
    Content,
    CookieArg,
    HeaderArg,
    MoreArg,
    PathArg,
    QueryArg,
    QuerystringArg,
    WholeBody,
)
from toolcast.model.json import Json, JsonObject, Schema
from toolcast.model.openapi import Operation, Parameter
from toolcast.model.wishes import ArgumentWish, BodyForm

_BINDINGS: Final[Mapping[str, Callable[..., Binding]]] = {
    "path": PathArg,
    "query": QueryArg,
    "querystring": QuerystringArg,
    "header": HeaderArg,
    "cookie": CookieArg,
}
_FILES: Final = "Files in it: their bytes as base64, or data: URIs."


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    """What a tool takes; ``names`` maps "place name" to the argument, for the lock.

    ``sources`` holds each argument's schema in the document, for the types, ``files`` the arguments that are files;
    those that ``fit`` has moved are among them. ``fixed`` is what is always sent, ``defaults`` what is sent when a call
    does not give it, ``secrets`` what the server's environment gives.
    """

    bindings: tuple[Binding, ...]
    body: Content | None
    schema: Schema
    names: Mapping[str, str]
    sources: Mapping[str, Json]
    files: Mapping[str, FileKind]
    examples: Mapping[str, Json]
    fit: Fitted
    fixed: Mapping[str, Json]
    defaults: Mapping[str, Json]
    secrets: tuple[Secret, ...]


def inputs(
    operation: Operation,
    schemas: Schemas,
    locked: Mapping[str, str],
    room: Room,
    *,
    asked: ArgumentWishes | None = None,
    form: BodyForm | None = None,
    was: str = "",
) -> Inputs:
    """The arguments of an operation: its parameters, and the body's fields or the body as a whole.

    ``room`` is what the input schema may cost. ``asked`` says what is wanted of arguments, ``form`` of the body:
    without it, it stays as it ``was``.
    """
    sent = body(operation, schemas, form=_form(form, was))
    asked = asked or ArgumentWishes(None, None)
    own = _own_wishes(operation, sent, schemas, asked)
    names = argument_names([*own], {**locked, **asked.meet(own, locked)})
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
    taken = Taken(asked, schemas)
    for slot, argument, binding in zip(own, arguments, bindings, strict=True):
        taken.add(slot, argument, binding)
    arguments = taken.arguments
    fit = fitted(arguments, schemas, room)
    return Inputs(
        bindings=_packed(taken.bindings, fit),
        body=content(sent, schemas) if sent is not None else None,
        schema=fit.schema,
        names={f"{place} {name}": argument for (place, name), argument in names.items()},
        sources={a.name: a.source for a in arguments},
        files={a.name: a.file for a in arguments if a.file is not None},
        examples={a.name: a.example for a in arguments if a.example is not None},
        fit=fit,
        fixed=taken.fixed,
        defaults=taken.defaults,
        secrets=tuple(taken.secrets),
    )


def _form(wanted: BodyForm | None, was: str) -> str:
    """The form that a body has to have: a flat one keeps the fields that are arguments already."""
    if wanted is None or (wanted == "flat" and was == "fields"):
        return was
    return "whole" if wanted == "whole" else ""


def _own_wishes(
    operation: Operation, sent: Body | None, schemas: Schemas, asked: ArgumentWishes
) -> dict[Slot, ArgumentWish]:
    """Everything that is to be an argument, in order, with what it says itself."""
    own: dict[Slot, ArgumentWish] = {
        (parameter.location, parameter.name): asked.of_parameter(parameter, schemas.flat(parameter.schema))
        for parameter in operation.parameters
    }
    if sent is not None:
        for name, source in sent.fields.items():
            required = name in sent.required
            own["body", name] = asked.of_field(schemas.flat(source), sent.chosen.at, required=required)
        if sent.whole:
            own["body", ""] = ArgumentWish()
    return own


def _packed(bindings: Sequence[Binding], fit: Fitted) -> tuple[Binding, ...]:
    """The bindings, those of moved arguments inside of the one that holds them."""
    if not fit.moved:
        return tuple(bindings)
    staying = [binding for binding in bindings if binding.argument not in fit.moved]
    members = tuple(b for b in bindings if b.argument in fit.moved and not isinstance(b, MoreArg))
    return (*staying, MoreArg(argument=fit.more, members=members))


def _draft(source: Json, schemas: Schemas) -> tuple[str, JsonObject]:
    """What the document says of a schema, and the rest of its draft."""
    draft = schemas.draft(source, "input")
    return text_of(draft), schemas.without_text(draft)


def _of_parameter(parameter: Parameter, name: str, schemas: Schemas) -> Argument:
    schemas.places.begin(below(parameter.at, "schema"), name)
    text = argument_text(parameter.description)
    source: Json = parameter.schema
    kind = parameter.media_type
    if kind is not None and media.is_text(kind) and not media.is_yaml(kind) and is_structured(source, schemas):
        # Outside of a body nothing but JSON and forms is written from a value.
        text = f"{text}\nWritten as {media.essence(kind)}.".strip()
        source = {"type": "string"}
    words, draft = _draft(source, schemas)
    return Argument(
        name=name,
        place=parameter.location,
        source=source,
        draft=draft,
        text=text or words,
        required=parameter.required,
        deprecated=parameter.deprecated,
        example=parameter.example if source is parameter.schema else None,
    )


def _of_field(argument: str, name: str, source: Json, sent: Body, schemas: Schemas) -> Argument:
    chosen = sent.chosen
    whole = chosen.schema
    reference = whole.get("$ref") if isinstance(whole, dict) else None
    if isinstance(reference, str):
        schemas.places.begin(below(chosen.at, "schema"), argument)
        schemas.places.enter(reference)
        schemas.places.enter(("properties", name))
    else:
        schemas.places.begin(below(chosen.at, "schema", "properties", name), argument)
    encoding = chosen.encoding.get(name)
    declared = encoding.media_type if encoding is not None else None
    bytes_ = file(source, schemas, declared) if media.is_multipart(chosen.media_type) else None
    text, draft = _draft(source, schemas)
    given = chosen.example
    return Argument(
        name=argument,
        place="body",
        source=source if bytes_ is None else bytes_.schema,
        draft=draft if bytes_ is None else bytes_.schema,
        text=text,
        required=name in sent.required and sent.request.required,
        file=None if bytes_ is None else "many" if bytes_.many else "one",
        example=given.get(name) if isinstance(given, dict) and bytes_ is None else None,
    )


def _of_body(argument: str, sent: Body, schemas: Schemas) -> Argument:
    chosen = sent.chosen
    schemas.places.begin(below(chosen.at, "schema"), argument)
    of = written_from(chosen, schemas)
    binary, text = of == "bytes", of == "text"
    described = argument_text(sent.request.description)
    described = described or (f"The body, as {media.essence(chosen.media_type)}." if text else "")
    source: Json = {"type": "string"} if binary else whole_schema(chosen, schemas)
    words, draft = _draft(source, schemas)
    if any(part.file for part in content(sent, schemas).parts):
        draft = told(draft, "", [*notes_of(draft), _FILES])
    return Argument(
        name=argument,
        place="whole",
        source=source,
        draft=draft,
        text=described or words,
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
