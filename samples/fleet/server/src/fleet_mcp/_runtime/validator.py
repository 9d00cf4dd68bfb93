"""Validation of values against JSON Schema 2020-12; the one module that knows which library does it.

Both libraries would fetch a remote reference, over HTTP and from the disk; here neither may.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NoReturn, TypeAlias, cast

Schema: TypeAlias = Mapping[str, Any]
Path: TypeAlias = tuple[str | int, ...]

_BOUNDS = {
    "minimum": "at least",
    "maximum": "at most",
    "exclusiveMinimum": "greater than",
    "exclusiveMaximum": "less than",
    "multipleOf": "a multiple of",
}
_SIZES = {
    "minLength": ("at least", "characters"),
    "maxLength": ("at most", "characters"),
    "minItems": ("at least", "items"),
    "maxItems": ("at most", "items"),
    "minProperties": ("at least", "properties"),
    "maxProperties": ("at most", "properties"),
}

# Of a pattern with look-around, for which no engine is linear; a text that takes more does not match.
_MOST_STEPS: Final = 10_000


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing about a value that its schema does not allow: where, which keyword says so, and what it wants.

    ``wanted`` is what the keyword says: the types, the options, the limit; for ``required`` the name that is
    missing, for ``additionalProperties`` the names that are too many.
    """

    path: Path
    keyword: str
    wanted: Any

    @property
    def surplus(self) -> list[str]:
        """The names of the members that the schema does not have, where that is the problem."""
        named = self.keyword in ("additionalProperties", "unevaluatedProperties") and isinstance(self.wanted, list)
        return cast("list[str]", self.wanted) if named else []

    @property
    def expectation(self) -> str:
        """What is expected, as the end of a sentence: ``must be an integer``."""
        match self.keyword, self.wanted:
            case "type", types:
                return "must be " + " or ".join(_article(name) for name in types)
            case "enum", options:
                return f"must be one of {_listed(options)}"
            case "const", value:
                return f"must be {_shown(value)}"
            case "pattern", pattern:
                return f"must match the pattern {pattern}"
            case "required", name:
                return f"needs {_shown(name)}"
            case "additionalProperties" | "unevaluatedProperties", _:
                return f"has no property {_listed(self.surplus)}"
            case "uniqueItems", _:
                return "must not hold the same item twice"
            case "format", name:
                return f"must have the format {name}"
            case (("anyOf" | "oneOf"), str() as alternatives):
                return f"must be {alternatives}"
            case keyword, limit if keyword in _BOUNDS:
                return f"must be {_BOUNDS[keyword]} {limit}"
            case keyword, limit if keyword in _SIZES:
                bound, unit = _SIZES[keyword]
                return f"must have {bound} {limit} {unit}"
            case "unusable", str() as reason:
                return reason
            case keyword, _:
                return f"does not satisfy {keyword!r} of its schema"


class Validator:
    """A schema that is ready to check values; it is compiled when the first value comes."""

    __slots__ = ("_errors", "_schema")

    def __init__(self, schema: Schema) -> None:
        self._schema = schema
        self._errors: Callable[[Any], Iterable[_Error]] | None = None

    def problems(self, value: object) -> Iterator[Problem]:
        """The problems of a value, the innermost that explain the others; never raises.

        A schema or a value that the validator itself cannot take is a problem of the keyword ``unusable``.
        """
        try:
            if self._errors is None:
                self._errors = _compiled(self._schema)
            for error in self._errors(value):
                yield from _innermost(error)
        except Exception as error:  # noqa: BLE001 - validators raise what they like on odd schemas and values
            yield Problem((), "unusable", f"cannot be checked ({type(error).__name__})")

    def accepts(self, value: object) -> bool:
        """Whether the schema allows a value."""
        return next(self.problems(value), None) is None


@dataclass(frozen=True, slots=True)
class _Error:
    """An error of either library; ``branches`` are the errors of each alternative of ``anyOf`` and ``oneOf``."""

    path: Path
    keyword: str
    wanted: Any
    branches: tuple[tuple[_Error, ...], ...] = ()


def _compiled(schema: Schema) -> Callable[[Any], Iterable[_Error]]:
    try:
        import jsonschema_rs
    except ImportError:  # no wheel for this platform
        return _compiled_in_python(schema)

    bounds = jsonschema_rs.FancyRegexOptions(backtrack_limit=_MOST_STEPS)
    validator = jsonschema_rs.Draft202012Validator(
        cast("dict[str, Any]", schema), retriever=_refuse, pattern_options=bounds
    )

    def adapt(error: jsonschema_rs.ValidationError, value: Any) -> _Error:
        branches: list[list[jsonschema_rs.ValidationError]] = getattr(error.kind, "context", [])
        return _Error(
            _named(error.instance_path, value),
            error.kind.name,
            error.kind.value,
            tuple(tuple(adapt(inner, value) for inner in branch) for branch in branches),
        )

    return lambda value: (adapt(error, value) for error in validator.iter_errors(value))


def _named(path: Iterable[str | int], value: Any) -> Path:
    """A path into a value, with the names of members as they are.

    The library tells ``"18"`` as the number 18, and leaves out a name that is empty.
    """
    found: list[str | int] = []
    inside: Any = value
    for part in path:
        name = _member(inside, part)
        while name is None and isinstance(inside, Mapping) and "" in inside:
            found.append("")
            inside = cast("Any", inside)[""]
            name = _member(inside, part)
        if name is None:  # no part of the value: what is told ends where it can still be followed
            break
        found.append(name)
        inside = cast("Any", inside)[name]
    return tuple(found)


def _member(inside: Any, part: str | int) -> str | int | None:
    """What an element or a member is called, None where there is none."""
    if isinstance(inside, Mapping):
        members = cast("Mapping[str, Any]", inside)
        if isinstance(part, str):
            return part if part in members else None
        numbers = (name for name in members if name.removeprefix("+").isdecimal() and int(name) == part)
        return next(numbers, None)
    return (
        part if isinstance(inside, list) and isinstance(part, int) and part < len(cast("list[Any]", inside)) else None
    )


def _compiled_in_python(schema: Schema) -> Callable[[Any], Iterable[_Error]]:
    import jsonschema
    from referencing import Registry

    validator: Any = jsonschema.Draft202012Validator(schema, registry=Registry())

    def adapt(error: Any) -> Iterator[_Error]:
        path, keyword, wanted = tuple(error.absolute_path), str(error.validator), error.validator_value
        match keyword:
            case "required":
                for name in wanted:
                    if name not in error.instance:
                        yield _Error(path, keyword, name)
            case "additionalProperties":
                known = error.schema.get("properties", {})
                yield _Error(path, keyword, [name for name in error.instance if name not in known])
            case "type":
                yield _Error(path, keyword, [wanted] if isinstance(wanted, str) else list(wanted))
            case "anyOf" | "oneOf":
                branches: dict[int, list[_Error]] = {}
                for inner in error.context:
                    branches.setdefault(inner.schema_path[0], []).extend(adapt(inner))
                yield _Error(path, keyword, wanted, tuple(tuple(branch) for branch in branches.values()))
            case _:
                yield _Error(path, keyword, wanted)

    def errors(value: Any) -> Iterator[_Error]:
        # It reports one missing name at a time, and ``adapt`` all of them each time.
        seen: list[_Error] = []
        for found in validator.iter_errors(value):
            for error in adapt(found):
                if error not in seen:
                    seen.append(error)
                    yield error

    return errors


def _refuse(uri: str) -> NoReturn:
    raise LookupError(uri)


def _innermost(error: _Error) -> Iterator[Problem]:
    """The problems behind an error: of the alternatives, those of the one that the value comes closest to."""
    if error.keyword not in ("anyOf", "oneOf") or not error.branches:
        yield Problem(error.path, error.keyword, error.wanted)
        return
    fitting = [
        branch
        for branch in error.branches
        if not any(inner.path == error.path and inner.keyword in ("type", "enum", "const") for inner in branch)
    ]
    if fitting:
        for inner in min(fitting, key=len):
            yield from _innermost(inner)
        return
    wishes: dict[str, None] = {}
    for branch in error.branches:
        for inner in branch:
            if inner.path == error.path:
                for problem in _innermost(inner):
                    wishes[problem.expectation.removeprefix("must be ")] = None
    yield Problem(error.path, error.keyword, " or ".join(wishes) or "one of the alternatives of its schema")


def _article(name: str) -> str:
    return "null" if name == "null" else f"an {name}" if name[0] in "aeiou" else f"a {name}"


def _listed(values: Sequence[object]) -> str:
    shown = ", ".join(_shown(value) for value in values[:20])
    return f"{shown} and {len(values) - 20} more" if len(values) > 20 else shown


def _shown(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 100 else text[:97] + "..."
