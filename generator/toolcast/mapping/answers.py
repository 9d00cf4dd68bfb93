"""Answers in words: what a tool gives back, on a line for those that are not shown its output schema."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from toolcast.mapping import media
from toolcast.mapping.names import words
from toolcast.mapping.portable import types
from toolcast.mapping.schemas import Schemas
from toolcast.mapping.texts import clean, sentence
from toolcast.mapping.variants import branches
from toolcast.model.json import Json, JsonObject
from toolcast.model.openapi import Operation

_NAMES: Final = 6  # that are told of what an object has
_ENVELOPE: Final = 5  # properties of an object that only holds a list, at most
_NAME: Final = re.compile(r"[\w.$@-]{1,40}")
_DONE: Final = re.compile(
    r"\b(?:accepted|added|cancell?ed|changed|completed|created|deleted|edited|enqueued|executed|inserted|modified|placed|"
    r"queued|registered|removed|replaced|saved|scheduled|sent|set|started|stopped|stored|submitted|succeeded|successfully|"
    r"updated|uploaded|no content|empty)\b",
    re.IGNORECASE,
)
# Words of descriptions that say no more than that it went well.
_EMPTY: Final = frozenset(
    """
    a an and are as been body by call completed contains content default details expected for found from get has have in
    is it json message no object of ok okay on operation or payload processed request requested resource response result
    results retrieved return returned returns server status success successful successfully succeeded succeeds that the
    this to valid was were will with 200 2xx
    """.split()
)


def answer(operation: Operation, schemas: Schemas) -> str:
    """What a call gives back, from the first documented answer of success; empty where the document does not say."""
    found = [response for response in operation.responses if response.status.startswith("2")]
    content = [answer for response in found for answer in response.content]
    kinds = [media.essence(one.media_type) for one in content]
    json = next((one.schema for one in content if media.is_json(one.media_type) and one.schema is not None), None)
    shape = _shape(json, schemas) if json is not None else ""
    if not shape and kinds and not any(media.is_json(kind) for kind in kinds):
        shape = f"{'text' if media.is_text(kinds[0]) else 'a file'}, as {kinds[0]}" if "*" not in kinds[0] else ""
    said = next((clean(response.description) for response in found if response.description), "")
    said = sentence(said, 100).rstrip(".")
    told = said if set(words(said)) - _EMPTY - _known(operation) and not _DONE.search(said) else ""
    told = told if len(words(told)) > 1 else ""
    if not told or not shape:
        return told or shape
    names = shape[shape.find("{") :] if "{" in shape else ""
    return f"{told}: {names}" if names and not told.endswith("…") else told


def listed(operation: Operation, schemas: Schemas) -> frozenset[str]:
    """The properties that each of the things has which an answer lists; empty where it lists none."""
    for response in operation.responses:
        for content in response.content if response.status.startswith("2") else ():
            if media.is_json(content.media_type) and content.schema is not None:
                flat = schemas.flat(content.schema)
                within = [value for value in _properties(flat).values() if "items" in schemas.flat(value)]
                lists = [flat] if "items" in flat else [schemas.flat(value) for value in within]
                return frozenset(name for one in lists for name in _properties(_object(one.get("items"), schemas)))
    return frozenset()


def _shape(source: Json, schemas: Schemas) -> str:
    flat = schemas.flat(source)
    if "items" in flat:
        names = _names(_object(flat["items"], schemas), schemas, deeper=False)
        inner = types(schemas.flat(flat["items"]))
        return f"a list of {names or (f'{inner[0]}s' if len(inner) == 1 else 'anything')}"
    names = _names(_object(source, schemas), schemas)
    if names:
        return names
    kinds = types(flat)
    return (
        f"a{'n' if kinds[0][0] in 'aio' else ''} {kinds[0]}"
        if len(kinds) == 1 and kinds[0] not in ("object", "array")
        else ""
    )


def _marked(name: str, value: Json, schemas: Schemas, *, opened: bool, alone: bool) -> str:
    flat = schemas.flat(value)
    if "items" not in flat:
        inner = _names(_object(value, schemas), schemas, deeper=False) if alone else ""
        return f"{name} {inner}" if inner else name
    inner = _names(_object(flat["items"], schemas), schemas, deeper=False) if opened else ""
    return f"{name}[]{f' {inner}' if inner else ''}"


def _names(schema: JsonObject, schemas: Schemas, *, deeper: bool = True) -> str:
    """The names of an object's properties in braces, lists marked; empty where there are none."""
    properties = [(name, value) for name, value in _properties(schema).items() if _NAME.fullmatch(name)]
    # A list in an envelope is what the answer is about.
    opened, alone = deeper and len(properties) <= _ENVELOPE, deeper and len(properties) == 1
    told = [_marked(name, value, schemas, opened=opened, alone=alone) for name, value in properties[:_NAMES]]
    return "{" + ", ".join([*told, *(["…"] if len(properties) > _NAMES else [])]) + "}" if told else ""


def _object(source: Json, schemas: Schemas) -> JsonObject:
    """The schema, or the first branch of a union, that has properties."""
    flat = schemas.flat(source)
    none: JsonObject = {}
    return next((one for one in (flat, *_branches(flat, schemas)) if _properties(one)), none)


def _branches(flat: JsonObject, schemas: Schemas) -> Iterator[JsonObject]:
    yield from (schemas.flat(branch) for branch in branches(flat))


def _properties(schema: JsonObject) -> JsonObject:
    found = schema.get("properties")
    return found if isinstance(found, dict) else {}


def _known(operation: Operation) -> frozenset[str]:
    """The words that the operation's own text has already."""
    return frozenset(words(f"{operation.summary} {operation.description}"[:2_000]))
