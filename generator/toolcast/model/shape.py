"""Shapes: what a table of the owner's may hold, for the check of what was written and for the schema that editors read.

One description serves both, so they cannot disagree.
"""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias, cast

from toolcast.model.json import Json, JsonObject

Path: TypeAlias = tuple[str | int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """A text; of one line unless ``lines``, and of a ``pattern``, which ``like`` shows by an example."""

    pattern: str = ""
    like: str = ""
    lines: bool = False


@dataclass(frozen=True, slots=True)
class Flag:
    """True or false."""


@dataclass(frozen=True, slots=True)
class Whole:
    """A whole number of at least ``least``."""

    least: int = 0


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several words."""

    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Anything:
    """Any value that JSON has."""


@dataclass(frozen=True, slots=True)
class Listed:
    """A list."""

    of: Shape


@dataclass(frozen=True, slots=True)
class Named:
    """A table whose keys the owner chooses."""

    of: Shape


@dataclass(frozen=True, slots=True)
class Table:
    """A table with keys that are known, each with its shape and what it means; some have to be there."""

    keys: Mapping[str, tuple[Shape, str]]
    required: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Either:
    """One of two shapes, which values of different types have."""

    one: Shape
    other: Shape


Shape: TypeAlias = Text | Flag | Whole | Choice | Anything | Listed | Named | Table | Either


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """What is wrong with a part of a table: where, what, and what to do."""

    path: Path
    message: str
    help: str


def dotted(path: Path) -> str:
    """A path as TOML writes it: ``tools."GET /pets".name``; an item of a list by its number from 1."""
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part + 1}]"
        else:
            word = part if re.fullmatch(r"[A-Za-z0-9_-]+", part) else f'"{part}"'
            text += f".{word}" if text else word
    return text


def nearest(word: str, known: list[str]) -> str:
    """A sentence that names the known word that was meant, or the known ones."""
    near = difflib.get_close_matches(word, known, n=1, cutoff=0.5)
    if near:
        return f"Did you mean `{near[0]}`?"
    listed = ", ".join(f"`{name}`" for name in known[:20])
    return f"There is {listed}{' …' if len(known) > 20 else ''}." if known else "There is none."


def problems(value: object, shape: Shape, path: Path = ()) -> Iterator[Problem]:
    """What of a value does not have the shape."""
    match shape:
        case Text() if isinstance(value, str):
            if shape.pattern and not re.fullmatch(shape.pattern, value):
                yield Problem(
                    path=path,
                    message=f"`{dotted(path)}` cannot be {value[:80]!r}",
                    help=f"Write one like {shape.like}.",
                )
            elif "\n" in value and not shape.lines:
                yield Problem(path=path, message=f"`{dotted(path)}` has several lines", help="Write one line.")
        case Flag() if isinstance(value, bool):
            pass
        case Whole() if isinstance(value, int) and not isinstance(value, bool):
            if value < shape.least:
                help_ = f"Write at least {shape.least}."
                yield Problem(path=path, message=f"`{dotted(path)}` cannot be {value}", help=help_)
        case Choice() if isinstance(value, str):
            if value not in shape.words:
                message = f"`{dotted(path)}` cannot be {value[:80]!r}"
                yield Problem(path=path, message=message, help=nearest(value, list(shape.words)))
        case Anything():
            yield from _json_problems(value, path)
        case Listed() if isinstance(value, list):
            for index, item in enumerate(cast("list[object]", value)):
                yield from problems(item, shape.of, (*path, index))
        case Named() if isinstance(value, dict):
            for name, member in cast("dict[str, object]", value).items():
                yield from problems(member, shape.of, (*path, name))
        case Table() if isinstance(value, dict):
            yield from _table_problems(cast("dict[str, object]", value), shape, path)
        case Either():
            kinds = (shape.one, shape.other)
            chosen = next((kind for kind in kinds if isinstance(value, _types(kind))), None)
            if chosen is not None:
                yield from problems(value, chosen, path)
            else:
                yield _misfit(shape, path)
        case _:
            yield _misfit(shape, path)


def _misfit(shape: Shape, path: Path) -> Problem:
    return Problem(path=path, message=f"`{dotted(path)}` should be {_wanted(shape)}", help=_example(path, shape))


def _types(shape: Shape) -> type | tuple[type, ...]:
    match shape:
        case Text() | Choice():
            return str
        case Flag():
            return bool
        case Whole():
            return int
        case Listed():
            return list
        case Named() | Table():
            return dict
        case Anything() | Either():
            return object


def _table_problems(value: Mapping[str, object], shape: Table, path: Path) -> Iterator[Problem]:
    for key, member in value.items():
        known = shape.keys.get(key)
        if known is None:
            message = f"`{dotted((*path, key))}` is an unknown key"
            yield Problem(path=(*path, key), message=message, help=nearest(key, list(shape.keys)))
        else:
            yield from problems(member, known[0], (*path, key))
    for key in shape.required:
        if key not in value:
            where = f"`{dotted(path)}`" if path else "It"
            yield Problem(
                path=path, message=f"{where} has no `{key}`", help=f"Write {_example((key,), shape.keys[key][0])}"
            )


def _json_problems(value: object, path: Path) -> Iterator[Problem]:
    match value:
        case None | bool() | int() | str():
            pass
        case float():
            if not math.isfinite(value):
                message = f"`{dotted(path)}` is no number that JSON has"
                yield Problem(path=path, message=message, help="Write a finite number.")
        case list():
            for index, item in enumerate(cast("list[object]", value)):
                yield from _json_problems(item, (*path, index))
        case dict():
            for name, member in cast("dict[str, object]", value).items():
                yield from _json_problems(member, (*path, name))
        case _:
            message = f"`{dotted(path)}` is a date or a time, which JSON has not"
            yield Problem(path=path, message=message, help=f'Write it as a text: "{value}".')


def _wanted(shape: Shape) -> str:
    match shape:
        case Text():
            return "a text"
        case Flag():
            return "true or false"
        case Whole():
            return "a whole number"
        case Choice():
            return f"one of {', '.join(shape.words)}"
        case Listed():
            return "a list"
        case Named() | Table():
            return "a table"
        case Either():
            return f"{_wanted(shape.one)}, or {_wanted(shape.other)}"
        case Anything():
            return "a value"


def _example(path: Path, shape: Shape) -> str:
    key = next((part for part in reversed(path) if isinstance(part, str)), "key")
    match shape:
        case Text():
            return f'Write {key} = "{shape.like or "…"}".'
        case Flag():
            return f"Write {key} = true, without quotes."
        case Whole():
            return f"Write {key} = {max(shape.least, 1)}, without quotes."
        case Choice():
            return f'Write {key} = "{shape.words[0]}".'
        case Listed():
            return f"Write {key} = [ … ]."
        case Named() | Table():
            return f"Write a table [{dotted(path)}]."
        case Either():
            return _example(path, shape.one)
        case Anything():
            return f"Write {key} = …"


def json_schema(shape: Shape) -> JsonObject:
    """The JSON Schema (2020-12) that says the same of a value."""
    match shape:
        case Text():
            pattern = f"^(?:{shape.pattern})$" if shape.pattern else "" if shape.lines else r"^[^\n]*$"
            return {"type": "string", **({"pattern": pattern} if pattern else {})}
        case Flag():
            return {"type": "boolean"}
        case Whole():
            return {"type": "integer", "minimum": shape.least}
        case Choice():
            words: list[Json] = [*shape.words]
            return {"enum": words}
        case Anything():
            return {}
        case Listed():
            return {"type": "array", "items": json_schema(shape.of)}
        case Named():
            return {"type": "object", "additionalProperties": json_schema(shape.of)}
        case Table():
            keys: JsonObject = {
                key: {"description": about, **json_schema(of)} for key, (of, about) in shape.keys.items()
            }
            required: list[Json] = [*shape.required]
            table: JsonObject = {"type": "object", "properties": keys, "additionalProperties": False}
            return {**table, "required": required} if required else table
        case Either():
            return {"anyOf": [json_schema(shape.one), json_schema(shape.other)]}
