"""Where things stand in a text: the lines behind JSON pointers."""

from __future__ import annotations

import gc
import re
import sys
from array import array
from collections.abc import Mapping
from dataclasses import replace
from typing import TypeAlias

from toolcast.diagnostics import Location
from toolcast.model.pointer import split

Moved: TypeAlias = Mapping[tuple[str, str], tuple[str, str]]  # places: a file, and a pointer in it

# libyaml refuses the halves of a surrogate pair as escapes; JSON writes every emoji so.
_HALF = re.compile(r"\\u[dD][89a-fA-F][0-9a-fA-F]{2}")


class TextLines:
    """The lines of one file, found on the first question: nothing is read for a document without findings."""

    def __init__(self, file: str, text: str) -> None:
        self._file = file
        self._text = text
        self._index: _Index | None = None

    def __call__(self, location: Location, /) -> int | None:
        """The line (from 1) of a location, or of its nearest ancestor that is in the file."""
        if location.line is not None or location.file != self._file:
            return location.line
        if self._index is None:
            self._index = _Index(self._text)
            self._text = ""
        return self._index.line(split(location.pointer))


class Lines:
    """The lines of several files, in which some things have come to stand elsewhere than their authors wrote them.

    ``moved`` has the places that changed, by file and new pointer; what is below such a place moved with it.
    ``overlaid`` has those that overlays have changed before.
    """

    def __init__(self, texts: Mapping[str, str], moved: Moved, overlaid: Moved | None = None) -> None:
        self._files = {file: TextLines(file, text) for file, text in texts.items()}
        self._moved = (moved, overlaid or {})

    def __call__(self, location: Location, /) -> int | None:
        """The line (from 1) of a location, or of its nearest ancestor that is in its file."""
        lines = self._files.get(location.file)
        if lines is None or location.line is not None:
            return location.line
        file, pointer = self._written(location)
        return lines(replace(location, pointer=pointer) if file == location.file else location)

    def place(self, location: Location) -> Location:
        """Where the author wrote what is at a location now, with the line; it may be in another file."""
        if location.line is not None or location.file not in self._files:
            return location
        file, pointer = self._written(location)
        found = replace(location, file=file, pointer=pointer)
        return replace(found, line=self._files[file](found)) if file in self._files else found

    def _written(self, location: Location) -> tuple[str, str]:
        place = (location.file, location.pointer.removeprefix("#"))
        for moved in self._moved:
            place = _written(place, moved) if moved else place
        return place


def _written(place: tuple[str, str], moved: Moved) -> tuple[str, str]:
    file, pointer = place
    start = pointer
    while (file, start) not in moved:
        start, slash, _ = start.rpartition("/")
        if not slash:
            return place
    before = moved[file, start]
    return before[0], before[1] + pointer[len(start) :]


class _Index:
    """Every key and element in the order of the text: its name, its line, and where the next sibling is.

    Parallel arrays instead of a mapping of pointers: 16 bytes an entry, for a million entries.
    """

    def __init__(self, text: str) -> None:
        self._names: list[str | None] = [None]  # None: an element of a list
        self._lines = array("I", [1])
        self._next = array("I", [0])
        if text.lstrip("\ufeff \t\r\n").startswith("{"):
            text = _HALF.sub(r"\\u0078", text)
        collecting = gc.isenabled()
        gc.disable()
        try:
            self._read(text)
        finally:
            if collecting:
                gc.enable()

    def _read(self, text: str) -> None:
        import yaml
        from yaml.events import (
            AliasEvent,
            MappingEndEvent,
            MappingStartEvent,
            ScalarEvent,
            SequenceEndEvent,
            SequenceStartEvent,
        )

        from toolcast.load.yaml import events

        names, lines, following = self._names, self._lines, self._next
        open_entries: list[tuple[int, bool]] = []  # entries whose container is being read; is it a mapping?
        entry = 0
        mapping = wants_key = False
        try:
            next_event = events(text)
            while (event := next_event()) is not None:
                kind = event.__class__
                if kind is ScalarEvent or kind is AliasEvent:
                    if wants_key:
                        entry = len(names)
                        names.append(sys.intern(event.value) if kind is ScalarEvent else "")
                        lines.append(event.start_mark.line + 1)
                        following.append(0)
                        wants_key = False
                        continue
                    if not open_entries:
                        continue
                    if not mapping:
                        entry = len(names)
                        names.append(None)
                        lines.append(event.start_mark.line + 1)
                        following.append(0)
                elif kind is MappingStartEvent or kind is SequenceStartEvent:
                    if open_entries and not mapping:
                        entry = len(names)
                        names.append(None)
                        lines.append(event.start_mark.line + 1)
                        following.append(0)
                    elif not open_entries:
                        lines[0] = event.start_mark.line + 1
                    open_entries.append((entry, mapping))
                    mapping = wants_key = kind is MappingStartEvent
                    continue
                elif kind is MappingEndEvent or kind is SequenceEndEvent:
                    entry, mapping = open_entries.pop()
                    if not open_entries:
                        break
                else:
                    continue
                following[entry] = len(names)
                wants_key = mapping
        except (yaml.YAMLError, ValueError, OverflowError):
            pass  # a JSON text that is no YAML: what was read so far still has its lines
        for left, _ in open_entries:
            following[left] = len(names)
        following[0] = len(names)

    def line(self, path: list[str]) -> int:
        """The line of the entry at this path, or of the last one on the way."""
        names, following = self._names, self._next
        entry = 0
        for name in path:
            child, end, index, found = entry + 1, following[entry], 0, 0
            while child < end:
                if names[child] == name or (names[child] is None and name == str(index)):
                    found = child  # the last of equal keys is the one that counts
                index += 1
                child = max(following[child], child + 1)
            if not found:
                break
            entry = found
        return self._lines[entry]
