"""The check of a tool's arguments, before anything is sent."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from difflib import get_close_matches
from itertools import islice
from types import MappingProxyType
from typing import Any, Final, cast

from .contract import Tool
from .errors import ArgumentProblem
from .operation import Arguments, Json
from .validator import Problem, Schema

_SHOWN_PROBLEMS: Final = 5
_REFERENCE_DEPTH: Final = 32  # a chain of references longer than this is a circle


def check(
    tool: Tool,
    arguments: Arguments,
    parameters: Collection[str] = (),
    inner: Mapping[str, str] = MappingProxyType({}),
) -> Arguments:
    """The arguments as the tool's schema has them: values that came as JSON text are decoded.

    ``parameters`` are the arguments that do not belong to the body: there many clients send null for what they have
    no value for, and a query, a path, a header or a cookie has no other null. ``inner`` are the arguments that are
    given inside of another one, each with that one. Raises ``ArgumentProblem`` that names each bad argument, what is
    expected and what came.
    """
    if not isinstance(cast("object", arguments), Mapping):
        raise ArgumentProblem(f"Invalid arguments for {tool.name}; nothing was sent: they must be an object")
    given = dict(arguments)
    if tool.arguments.accepts(given):
        return given
    coercion = _Coercion(tool.input_schema)
    given = {
        name: value for name, value in given.items() if name not in parameters or not coercion.is_absent(name, value)
    }
    coerced = cast("Arguments", coercion.value(given, [tool.input_schema]))
    problems = list(islice(tool.arguments.problems(coerced), _SHOWN_PROBLEMS + 1))
    if not problems:
        return coerced
    lines = [f"- {_told(problem, tool.input_schema, coerced, inner)}" for problem in problems[:_SHOWN_PROBLEMS]]
    if len(problems) > _SHOWN_PROBLEMS:
        lines.append("- and more")
    raise ArgumentProblem("\n".join([f"Invalid arguments for {tool.name}; nothing was sent:", *lines]))


class _Coercion:
    """The reading of values that a client sent as JSON text where the schema has no place for a string."""

    def __init__(self, root: Schema) -> None:
        self._root = root

    def is_absent(self, name: str, value: Json) -> bool:
        """Whether an argument that is known is null and its schema has no place for that."""
        schemas = self._at([self._root], name)
        return value is None and bool(schemas) and not self._any(schemas, "null")

    def value(self, value: Json, schemas: list[Any], *, decode: bool = True) -> Json:
        """The value as these alternative schemas may have it; ``decode`` is off inside of what was decoded."""
        if decode and isinstance(value, str) and schemas and not self._any(schemas, "string"):
            decoded = _decoded(value)
            if any(self._any(schemas, kind) for kind in _kinds(decoded)):
                value, decode = decoded, False
        if not decode:
            return value
        if isinstance(value, dict):
            return {name: self.value(item, self._at(schemas, name)) for name, item in value.items()}
        if isinstance(value, list):
            return [self.value(item, self._at(schemas, index)) for index, item in enumerate(value)]
        return value

    def _any(self, schemas: list[Any], kind: str) -> bool:
        return any(self._allows(schema, kind) for schema in schemas)

    def _allows(self, schema: Any, kind: str, depth: int = 0) -> bool:
        """Whether a schema may have a value of this JSON type."""
        if not isinstance(schema, Mapping) or depth > _REFERENCE_DEPTH:
            return schema is not False
        schema = cast("Schema", schema)
        types = schema.get("type")
        if types is not None and kind not in ([types] if isinstance(types, str) else types):
            return False
        if "enum" in schema and not any(kind in _kinds(option) for option in schema["enum"]):
            return False
        if "const" in schema and kind not in _kinds(schema["const"]):
            return False
        if "$ref" in schema and not self._allows(self._target(schema["$ref"]), kind, depth + 1):
            return False
        for keyword in ("anyOf", "oneOf"):
            if keyword in schema and not any(self._allows(one, kind, depth + 1) for one in schema[keyword]):
                return False
        return all(self._allows(one, kind, depth + 1) for one in schema.get("allOf", ()))

    def _at(self, schemas: list[Any], key: str | int) -> list[Any]:
        return [found for schema in schemas for found in self._children(schema, key)]

    def _children(self, schema: Any, key: str | int, depth: int = 0) -> Iterator[Any]:
        """The schemas that speak of one member of an object or array."""
        if not isinstance(schema, Mapping) or depth > _REFERENCE_DEPTH:
            return
        schema = cast("Schema", schema)
        if isinstance(key, int):
            prefix = schema.get("prefixItems", [])
            child = prefix[key] if key < len(prefix) else schema.get("items")
        else:
            child = schema.get("properties", {}).get(key, schema.get("additionalProperties"))
        if child is not None:
            yield child
        if "$ref" in schema:
            yield from self._children(self._target(schema["$ref"]), key, depth + 1)
        for keyword in ("anyOf", "oneOf", "allOf"):
            for one in schema.get(keyword, ()):
                yield from self._children(one, key, depth + 1)

    def _target(self, reference: str) -> Any:
        """What a reference into the schema itself means; anything else says nothing."""
        node: Any = self._root
        if not reference.startswith("#"):
            return True
        for part in reference[1:].split("/")[1:]:
            part = part.replace("~1", "/").replace("~0", "~")
            if not isinstance(node, Mapping) or part not in node:
                return True
            node = cast("Schema", node)[part]
        return node


def _decoded(text: str) -> Json:
    """The value that a text is in JSON; the text itself when it is none."""
    if text.strip().lower() in ("true", "false"):  # as Python writes them, too
        return text.strip().lower() == "true"
    try:
        return cast("Json", json.loads(text, parse_constant=_no_constant))
    except (ValueError, RecursionError):
        return text


def _no_constant(name: str) -> Json:
    raise ValueError(name)


def _kinds(value: Json) -> tuple[str, ...]:
    """The JSON Schema types of a value."""
    match value:
        case None:
            return ("null",)
        case bool():
            return ("boolean",)
        case int():
            return ("integer", "number")
        case float():
            return ("number", "integer") if value.is_integer() else ("number",)
        case str():
            return ("string",)
        case list():
            return ("array",)
        case _:
            return ("object",)


def _told(problem: Problem, schema: Schema, arguments: Arguments, inner: Mapping[str, str]) -> str:
    """A problem in words: the argument, what is expected, what came."""
    where = _place(problem.path)
    match problem.keyword, problem.wanted:
        case "required", str() as name if not problem.path:
            return f"{name} is required"
        case _ if problem.surplus and not problem.path:
            return _unknown(problem.surplus, list(schema.get("properties", {})), inner)
        case (("required" | "additionalProperties" | "unevaluatedProperties"), _):
            return f"{where} {problem.expectation}"
        case _:
            return f"{where} {problem.expectation}, but {_came(problem, arguments)} came"


def _unknown(names: list[str], known: list[str], inner: Mapping[str, str]) -> str:
    told: list[str] = []
    for name in names[:_SHOWN_PROBLEMS]:
        near = [name] if name in inner else get_close_matches(name, [*known, *inner], n=1)
        if near and near[0] in inner:
            told.append(f"{name[:100]} (give {near[0]} inside of {inner[near[0]]})")
        else:
            told.append(f"{name[:100]}" + (f" (did you mean {near[0]}?)" if near else ""))
    return f"unknown: {', '.join(told)}; the arguments are {', '.join(known) or 'none'}"


def _place(path: tuple[str | int, ...]) -> str:
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
    return text[:200] or "the arguments object"


def _came(problem: Problem, arguments: Arguments) -> str:
    value: Any = arguments
    for part in problem.path:
        value = value[part]
    if value is None:
        return "null (leave an argument out to omit it)"
    if problem.keyword == "unusable":
        return "a value that JSON cannot carry"
    text = json.dumps(value, default=str)
    return text if len(text) <= 80 else f"{text[:60]}... ({len(text)} characters)"
