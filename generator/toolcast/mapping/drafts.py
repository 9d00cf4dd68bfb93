"""Drafts: schemas that say everything, with their texts apart from their rules, so that they can be trimmed.

A draft is a portable schema with members of this module's beside the keywords; ``trimming.py`` makes it publishable.
"""

from __future__ import annotations

from typing import Final

from toolcast.mapping.texts import clean, shorten
from toolcast.model.json import Json, JsonObject
from toolcast.model.limits import ARGUMENT_DESCRIPTION

TEXT: Final = "$text"  # what the document says: may be shortened
NOTES: Final = "$notes"  # what was taken from the rules and has to be told: a list of lines that stay whole
EXAMPLE: Final = "$example"


def text(schema: JsonObject) -> str:
    """What the document says of a schema."""
    own = schema.get("x-toolcast")
    wanted = own.get("description") if isinstance(own, dict) else None
    told = wanted or schema.get("description") or schema.get("title") or schema.get("x-ms-summary")
    words = shorten(clean(told), ARGUMENT_DESCRIPTION) if isinstance(told, str) else ""
    return f"Deprecated. {words}".strip() if schema.get("deprecated") is True else words


def told(draft: JsonObject, words: str, notes: list[str]) -> JsonObject:
    """The draft with a text and with notes, where there are any."""
    kept: list[Json] = [*notes]
    made = dict(draft)
    if words:
        made[TEXT] = words
    if kept:
        made[NOTES] = kept
    return made


def text_of(draft: JsonObject) -> str:
    """The text of a draft."""
    words = draft.get(TEXT)
    return words if isinstance(words, str) else ""


def notes_of(draft: JsonObject) -> list[str]:
    """The notes of a draft."""
    notes = draft.get(NOTES)
    return [note for note in notes if isinstance(note, str)] if isinstance(notes, list) else []


def fields_note(names: list[str], limit: int = 300) -> list[str]:
    """The note that names the fields of an object whose schema is not told."""
    listed = [
        name for name in (name if name.isascii() and name.isidentifier() else clean(name) for name in names) if name
    ]
    return [f"Fields: {shorten(', '.join(listed), limit)}."] if listed else []


def values_note(values: list[Json], limit: int) -> str:
    """The note that tells of an enumeration that is too long to be told whole."""
    listed = [clean(value if isinstance(value, str) else str(value)) for value in values if value is not None]
    return f"One of {len(listed):,} values: {shorten(', '.join(listed), limit)}"


def typed(kinds: list[str], schema: JsonObject) -> JsonObject:
    """The schema with its types, which come first."""
    if not kinds:
        return schema
    listed: list[Json] = [*kinds]
    first: JsonObject = {"type": listed[0] if len(listed) == 1 else listed}
    return first | {key: value for key, value in schema.items() if key != "type"}
