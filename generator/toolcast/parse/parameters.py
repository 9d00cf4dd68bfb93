"""Parameters: of a path and of an operation, each once."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import cast, get_args

from toolcast.model.json import Json
from toolcast.model.openapi import Encoding, Parameter, ParameterLocation, Style
from toolcast.parse.encodings import encodings
from toolcast.parse.reader import Node, Reader, Unusable

_LOCATIONS: frozenset[str] = frozenset(get_args(ParameterLocation))
_STYLES: frozenset[str] = frozenset(get_args(Style))
_DEFAULT_STYLE: dict[str, Style] = {
    "path": "simple",
    "header": "simple",
    "query": "form",
    "cookie": "form",
    "querystring": "form",
}
# Headers that are not parameters: a body and an answer have media types, and a scheme has the credential
# (OpenAPI 3.1.1 section 4.8.12.1, `name`).
_IGNORED_HEADERS = frozenset({"accept", "content-type", "authorization"})
_PLACEHOLDER = re.compile(r"\{([^{}/]+)\}")


def parameters(reader: Reader, path: str, item: Node, operation: Node) -> tuple[Parameter, ...]:
    """The parameters of an operation; those of its path item come first, unless it declares them again.

    Every placeholder of the path has one; every parameter is required in the path. Raises ``Unusable``.
    """
    found: dict[tuple[str, str], Parameter] = {}
    for owner in (item, operation):
        seen: set[tuple[str, str]] = set()
        for index, value in owner.items("parameters"):
            at = owner.below("parameters", index)
            parameter = _parameter(reader, reader.node(value, at, "The parameter"))
            if parameter is None:
                continue
            key = (parameter.location, parameter.name)
            if key in seen:
                reader.warn(
                    "TC231",
                    f"The {parameter.location} parameter {parameter.name!r} is declared twice",
                    at,
                    "Remove one; the first counts.",
                )
                continue
            seen.add(key)
            found[key] = parameter
    return _matched(reader, path, operation, found)


def _matched(
    reader: Reader, path: str, operation: Node, found: dict[tuple[str, str], Parameter]
) -> tuple[Parameter, ...]:
    """The parameters, made to agree with the placeholders of the path (OpenAPI 3.1.1 section 4.8.8.2)."""
    names = list(dict.fromkeys(_PLACEHOLDER.findall(path)))
    for key in [key for key in found if key[0] == "path" and key[1] not in names]:
        del found[key]
        reader.warn(
            "TC232",
            f"The path {path} has no placeholder for the path parameter {key[1]!r}; it is not sent",
            operation.at,
            f"Put {{{key[1]}}} into the path, or remove the parameter.",
        )
    for name in names:
        if ("path", name) not in found:
            reader.warn(
                "TC233",
                f"The placeholder {{{name}}} of {path} is not declared; a required string is assumed",
                operation.at,
                f"Declare a path parameter {name!r} with a schema.",
            )
            found["path", name] = Parameter(
                name=name, location="path", required=True, schema={"type": "string"}, description="",
                style="simple", explode=False, allow_reserved=False, media_type=None, deprecated=False,
                example=None, extensions={}, at=reader.location(operation.at),
            )  # fmt: skip
    order = {"path": 0, "query": 1, "querystring": 1, "header": 2, "cookie": 3}
    place = {name: index for index, name in enumerate(names)}
    return tuple(
        sorted(
            found.values(),
            key=lambda p: (order[p.location], place.get(p.name, 0) if p.location == "path" else 0),
        )
    )


def _parameter(reader: Reader, node: Node) -> Parameter | None:
    name, location = node.text("name"), node.text("in")
    if not name or location not in _LOCATIONS:
        reader.warn(
            "TC230",
            f"A parameter has {'no name' if not name else f'the place {location!r}'} and is left out",
            node.at,
            "Give it a name, and `in` as path, query, querystring, header or cookie.",
        )
        return None
    if location == "header" and name.lower() in _IGNORED_HEADERS:
        return None
    media_type, schema, encoding = _schema(reader, node)
    declared = node.text("style")
    style = cast("Style", declared) if declared in _STYLES else _DEFAULT_STYLE[location]
    required = node.flag("required")
    if location == "path" and not required:
        reader.warn(
            "TC234",
            f"The path parameter {name!r} is not marked as required",
            node.at,
            "Add `required: true`.",
        )
    return Parameter(
        name=name,
        location=cast("ParameterLocation", location),
        required=required or location == "path",
        schema=schema,
        description=node.text("description"),
        style=style,
        explode=node.flag("explode", style in ("form", "cookie", "deepObject")),
        allow_reserved=node.flag("allowReserved"),
        media_type=media_type,
        deprecated=node.flag("deprecated"),
        example=example(reader, node),
        extensions=node.extensions,
        at=reader.location(node.at),
        encoding=encoding,
    )


def _schema(reader: Reader, node: Node) -> tuple[str | None, Json, Mapping[str, Encoding]]:
    """The media type and the encoding when there is ``content``, and the schema; a string when there is none."""
    for media_type, value in node.members("content"):
        described = reader.node({} if value is None else value, node.below("content", media_type), "The content")
        schema = described.value.get("schema")
        return media_type, {} if schema is None else schema, encodings(reader, described)
    schema = node.value.get("schema")
    if isinstance(schema, (dict, bool)):
        return None, schema, {}
    # Some documents write the schema's keywords into the parameter, as Swagger 2.0 does.
    if isinstance(node.value.get("type"), (str, list)):
        words = (
            "type",
            "format",
            "enum",
            "items",
            "default",
            "minimum",
            "maximum",
            "pattern",
            "minLength",
            "maxLength",
        )
        return None, {word: node.value[word] for word in words if word in node.value}, {}
    return None, {"type": "string"}, {}


def example(reader: Reader, node: Node) -> Json:
    """The first example of a parameter or media type (OpenAPI 3.1.1 section 4.8.19), None when there is none."""
    if "example" in node.value:
        return node.value["example"]
    for name, value in node.members("examples"):
        try:
            given = reader.node(value, node.below("examples", name), "The example").value
        except Unusable:  # nothing is lost that an operation needs
            continue
        return given.get("value", given.get("dataValue"))
    return None
