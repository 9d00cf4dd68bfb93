"""Arguments: each as it stands in an input schema, and as it is told where it has moved into another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from toolcast.mapping.schemas import Schemas
from toolcast.mapping.texts import clean, shorten
from toolcast.mapping.trimming import Aim
from toolcast.model.json import Json, JsonObject

FileKind: TypeAlias = Literal["one", "many"]

_FILE: Final = "A file: its bytes as base64, or a data: URI."
_MORE: Final = "Further arguments, by name; any number of them:"
_NAMES: Final = 12_000  # characters of the names of arguments that have moved
_FEW: Final = 40  # characters of values that are told beside a name


@dataclass(frozen=True, slots=True, kw_only=True)
class Argument:
    """One argument before it has its schema; ``place`` is where it goes: a parameter's, "body" or "whole" (body).

    ``text`` is its own text; the draft has none, but may have notes. ``told`` are keywords that its schema has besides.
    """

    name: str
    place: str
    source: Json
    draft: JsonObject
    text: str
    required: bool
    deprecated: bool = False
    file: FileKind | None = None
    example: Json = None
    told: Mapping[str, Json] = field(default_factory=dict[str, Json])

    @property
    def words(self) -> str:
        """Its text, with what has to be said before all else."""
        if self.deprecated and not self.text.startswith("Deprecated."):
            return f"Deprecated. {self.text}".strip()
        return self.text


def published(argument: Argument, schemas: Schemas, aim: Aim, own: int) -> JsonObject:
    """The schema of an argument, with so many characters of its own text."""
    words = shorten(argument.words, own)
    if argument.file is not None:
        return {**argument.draft, "description": f"{words}\n{_FILE}".strip(), **argument.told}
    schema = schemas.trimmed(argument.draft, aim, required=argument.required)
    notes = schema.get("description")
    text = "\n".join(part for part in (words, notes) if isinstance(part, str) and part)
    schema = {**schema, "description": text} if text and text != notes else schema
    return {**schema, **argument.told} if argument.told else schema


def moved_text(arguments: Sequence[Argument], limit: int) -> str:
    """What is told of arguments that have moved: the name of each, and ``limit`` characters of its text."""
    if not limit:
        return f"{_MORE} {shorten(', '.join(argument.name for argument in arguments), _NAMES)}"
    return "\n".join([_MORE, *(_line(argument, limit) for argument in arguments)])


def _line(argument: Argument, limit: int) -> str:
    words = shorten(argument.words.replace("\n", " "), limit)
    kind = _kind(argument)
    return f"{argument.name}{f' ({kind})' if kind else ''}{f': {words}' if words else ''}"


def _kind(argument: Argument) -> str:
    """A few words on what an argument takes: its values, or its type where that is not just text."""
    if argument.file is not None:
        return "file as base64" if argument.file == "one" else "files as base64"
    values = argument.draft.get("enum")
    if isinstance(values, list):
        listed = clean(", ".join(str(value) for value in values if value is not None))
        if len(listed) <= _FEW:
            return listed
    declared = argument.draft.get("type")
    kinds = declared if isinstance(declared, list) else [declared]
    return " or ".join(str(kind) for kind in kinds if kind not in (None, "null", "string"))
