"""openapi-spec-validator under our conditions: fast, with places, and without any access to network or files."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, TypeAlias, cast

import jsonschema_rs
from jsonschema.exceptions import ValidationError
from jsonschema_path.paths import SchemaPath
from openapi_schema_validator._specifications import REGISTRY as _REGISTRY
from openapi_spec_validator import schemas
from openapi_spec_validator.validation import keywords
from openapi_spec_validator.validation.exceptions import OpenAPIValidationError
from openapi_spec_validator.validation.validators import (
    OpenAPIV2SpecValidator,
    OpenAPIV30SpecValidator,
    OpenAPIV31SpecValidator,
    OpenAPIV32SpecValidator,
    SpecValidator,
)

from toolcast.model.json import Json, JsonObject
from toolcast.model.pointer import follow, fragment, step

Path: TypeAlias = tuple[str | int, ...]
_SCHEMAS = {"2.0": "schema_v2", "3.0": "schema_v30", "3.1": "schema_v31", "3.2": "schema_v32"}
_PLACED = "toolcast_placed"
_SHORT = 60
_UNIONS = (jsonschema_rs.ValidationErrorKind.AnyOf, jsonschema_rs.ValidationErrorKind.OneOfNotValid)
_MASK = "\ufdd0"  # stands for a value in messages until it is known how long the value is; no text has it


class Unreachable(Exception):
    """A reference into another file or to the network, which the validator must not follow."""


def errors(root: JsonObject, version: str) -> Iterator[tuple[Path, str]]:
    """Path and message of each fault that is found in a document of a version of OpenAPI.

    The validator is made for documents that are nearly right: it raises whatever it likes on others.
    """
    dialect = ".".join(version.split(".")[:2])
    yield from _structure(root, dialect)

    # A path of our own keeps the validator from reading its settings from the environment, and the call of the
    # inner validator from a cache that would hold the document for the rest of the process.
    path = SchemaPath.from_dict(cast(Any, root), handlers=_NoHandlers(), resolved_cache_maxsize=128)
    for error in _VALIDATORS[dialect](cast(Any, path)).root_validator(path):
        yield _real(root, tuple(error.absolute_path)), _message(error)


def _structure(root: JsonObject, dialect: str) -> Iterator[tuple[Path, str]]:
    """The faults that the JSON Schema of OpenAPI finds, by jsonschema-rs; in a union the branch that fits best."""
    known: Any = schemas  # whose values are untyped proxies
    schema: dict[str, Any] = dict(getattr(known, _SCHEMAS[dialect]))
    checker = jsonschema_rs.validator_cls_for(schema)(schema, mask=_MASK, retriever=_refuse)
    for error in checker.iter_errors(root):
        yield _explained(error, root)


def _explained(error: jsonschema_rs.ValidationError, root: Any) -> tuple[Path, str]:
    """Path and message of an error; for a value that fits no branch of a union, those of the branch that is meant."""
    while isinstance(error.kind, _UNIONS):
        branches = [branch for branch in error.kind.context if branch]
        if not branches:
            break
        error = _closest(branches)
    path = tuple(error.instance_path)
    return path, error.message.replace(_MASK, _shown(_at(root, path)))


def _closest(
    branches: list[list[jsonschema_rs.ValidationError]],
) -> jsonschema_rs.ValidationError:
    """The fault of the branch that the author most likely meant: not a reference, and right down to some depth."""

    def rank(faults: list[jsonschema_rs.ValidationError]) -> tuple[bool, int, int]:
        about_reference = any('"$ref"' in fault.message for fault in faults)
        return (about_reference, -max(len(fault.instance_path) for fault in faults), len(faults))

    return max(min(branches, key=rank), key=lambda fault: len(fault.instance_path))


def _refuse(uri: str) -> Any:
    raise Unreachable(uri)


class _NoHandlers(dict[str, Any]):
    """Handlers for every scheme of URL, all of which refuse: what has no handler would be opened by urllib."""

    def __contains__(self, key: object, /) -> bool:
        return True

    def __missing__(self, key: str, /) -> Any:
        return _refuse


class _Ids(set[Any]):
    """Takes the place of lists that the validator searches from end to end for every schema."""

    append = set[Any].add


class _Placed:
    """Puts the place of the object that an error was found in before the path of the error, which begins there."""

    def __call__(self, *arguments: Any, **options: Any) -> Iterator[ValidationError]:
        for error in cast(Any, super()).__call__(*arguments, **options):
            if not hasattr(error, _PLACED):
                setattr(error, _PLACED, True)
                place = next(argument.parts for argument in arguments if isinstance(argument, SchemaPath))
                error.path.extendleft(reversed([*place, *self._inside]))
            yield error

    _inside: tuple[str, ...] = ()


class _Seen:
    def __init__(self, registry: Any) -> None:
        super().__init__(registry)  # type: ignore[call-arg]
        self.visited_schema_ids: Any = _Ids()
        self.meta_checked_schema_ids: Any = _Ids()
        self._properties: dict[int, set[str]] = {}

    def _collect_properties(self, schema: SchemaPath) -> set[str]:
        """The names that a schema knows, looked for once: schemas that refer to one another would take for ever."""
        known = self._properties.get(key := id(schema.read_value()))
        if known is None:
            self._properties[key] = set()  # one that is a part of itself adds nothing
            names: set[str] = cast(Any, super())._collect_properties(schema)
            self._properties[key] = names
            return names
        return known


class _Schema30(_Placed, _Seen, keywords.OpenAPIV30SchemaValidator):
    def _validate_schema_meta(self, schema: SchemaPath, schema_value: Any) -> None:
        """Nothing: the JSON Schema of OpenAPI 3.0 has looked into every schema already."""


class _Schema31(_Placed, _Seen, keywords.OpenAPIV31SchemaValidator):
    def _validate_schema_meta(self, schema: SchemaPath, schema_value: Any) -> Any:
        """The check of a schema against its dialect: the usual one by jsonschema-rs, some hundred times as fast."""
        if self._get_schema_dialect_id(schema, schema_value) != self.default_jsonschema_dialect_id:
            return super()._validate_schema_meta(schema, schema_value)
        checker = _dialect(self.default_jsonschema_dialect_id)
        fault = next(iter(checker.iter_errors(schema_value)), None)
        if fault is None:
            return None
        path, message = _explained(fault, schema_value)
        return OpenAPIValidationError(message, path=path, instance=None)


class _Schema32(_Schema31, keywords.OpenAPIV32SchemaValidator):
    pass


@cache
def _dialect(name: str) -> jsonschema_rs.Validator:
    """The validator for the schemas of one dialect of OpenAPI."""

    def retrieve(uri: str) -> Any:
        return _REGISTRY.contents(uri)

    return jsonschema_rs.Draft202012Validator(
        dict(cast(Mapping[str, Any], _REGISTRY.contents(name))), mask=_MASK, retriever=retrieve, validate_formats=False
    )


class _Default30(_Placed, keywords.OpenAPIV30ValueValidator):
    _inside = ("default",)


class _Default31(_Placed, keywords.OpenAPIV31ValueValidator):
    _inside = ("default",)


class _Default32(_Placed, keywords.OpenAPIV32ValueValidator):
    _inside = ("default",)


class _Operation(_Placed, keywords.OperationValidator):
    def __init__(self, registry: Any) -> None:
        super().__init__(registry)
        self.operation_ids_registry: Any = _Ids()


class _Parameters(_Placed, keywords.ParametersValidator):
    pass


class _Tags(_Placed, keywords.TagsValidator):
    pass


class _Tags32(_Placed, keywords.OpenAPIV32TagsValidator):
    pass


class _Parameter2(_Placed, keywords.OpenAPIV2ParameterValidator):
    pass


_COMMON: dict[str, Any] = {"operation": _Operation, "parameters": _Parameters}


class _V2(OpenAPIV2SpecValidator):
    keyword_validators = {  # noqa: RUF012 - as in the base class
        **OpenAPIV2SpecValidator.keyword_validators,
        **_COMMON,
        "parameter": _Parameter2,
        "schema": _Schema30,
        "default": _Default30,
        "tags": _Tags,
    }


class _V30(OpenAPIV30SpecValidator):
    keyword_validators = {  # noqa: RUF012 - as in the base class
        **OpenAPIV30SpecValidator.keyword_validators,
        **_COMMON,
        "schema": _Schema30,
        "default": _Default30,
        "tags": _Tags,
    }


class _V31(OpenAPIV31SpecValidator):
    keyword_validators = {  # noqa: RUF012
        **OpenAPIV31SpecValidator.keyword_validators,
        **_COMMON,
        "schema": _Schema31,
        "default": _Default31,
        "tags": _Tags,
    }


class _V32(OpenAPIV32SpecValidator):
    keyword_validators = {  # noqa: RUF012
        **OpenAPIV32SpecValidator.keyword_validators,
        **_COMMON,
        "schema": _Schema32,
        "default": _Default32,
        "tags": _Tags32,
    }


_VALIDATORS: dict[str, type[SpecValidator]] = {"2.0": _V2, "3.0": _V30, "3.1": _V31, "3.2": _V32}


def _message(error: ValidationError) -> str:
    """The message of an error, with a short form of the object or list that it may repeat in full."""
    value: Any = error.instance
    if len(error.message) > _SHORT and isinstance(value, dict | list):
        return error.message.replace(repr(cast(object, value)), _shown(cast(object, value)))
    return error.message


def _shown(value: Any) -> str:
    if isinstance(value, dict):
        return "this object"
    if isinstance(value, list):
        return "this list"
    text = repr(value) if isinstance(value, str) else json.dumps(value)
    return text if len(text) <= _SHORT else text[: _SHORT - 1] + "…"


def _at(root: Json, path: Path) -> Json:
    found = follow(root, [str(part) for part in path])
    return found[0] if found is not None else None


def _real(root: JsonObject, path: Path) -> Path:
    """The place in the file of a path that leads through references."""
    node: Json = root
    real: list[str | int] = []
    for part in path:
        for _ in range(8):  # a reference to a reference to …
            if not isinstance(node, dict) or str(part) in node or not isinstance(node.get("$ref"), str):
                break
            names = fragment(str(node["$ref"]))
            found = None if names is None else follow(root, names)
            if names is None or found is None:
                break
            node, real = found[0], [*names]
        real.append(part)
        found = step(node, str(part))
        node = None if found is None else found[0]
    return tuple(real)
