"""The author's document as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from toolcast.diagnostics import Location
from toolcast.model.json import Json, JsonObject


class Lines(Protocol):
    """Where things stand in the files of a document."""

    def __call__(self, location: Location, /) -> int | None:
        """The line (from 1) of a location, or of its nearest ancestor that is in the file."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A document that was read, with every file that it reaches.

    ``address`` is where it is found again: the path that was given, or the URL where redirects had led to, without
    credentials. ``file`` names the entry file in messages; ``url`` is its absolute URL when it came from one (relative
    server URLs are resolved against it). A ``$ref`` is ``#/…``, into ``root``, or ``FILE#/…``, into ``files[FILE]``;
    schemas that are referred to all stand in ``root``, those of other files as components. ``digest`` is the SHA-256
    of the canonical JSON of all files: a re-indented or converted file is no change.
    """

    address: str
    file: str
    url: str | None
    version: str
    root: JsonObject
    files: Mapping[str, Json]
    digest: str
    lines: Lines
