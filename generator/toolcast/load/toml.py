"""TOML text → its values, and the line of each key."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from typing import Any, Final

from toolcast.model.shape import Path

_BLANK: Final = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_SPACE: Final = re.compile(r"[ \t]*")
_BARE: Final = re.compile(r"[A-Za-z0-9_-]+")
_QUOTED: Final = re.compile(
    r'"""(?:\\.|[^\\])*?"{3,5}|' r"'''.*?'{3,5}|" r'"(?:\\.|[^"\\\n])*"|' r"'[^'\n]*'", re.DOTALL
)
_SCALAR: Final = re.compile(r"[^,\]}\n#]*")


def values(text: str) -> dict[str, Any]:
    """The values of a text; raises ``tomllib.TOMLDecodeError``, or ``RecursionError`` for what is nested too deeply."""
    return tomllib.loads(text)


def lines(text: str) -> Mapping[Path, int]:
    """The line (from 1) of each key, table and item of a text that ``values`` takes, by path."""
    return _Scanner(text).scan()


class _Scanner:
    """Walks through a text that is known to be TOML; of a value it looks only at what keys it holds."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._line = 1
        self._counts: dict[Path, int] = {}  # of arrays of tables: the index of the last one
        self._lines: dict[Path, int] = {}

    def scan(self) -> Mapping[Path, int]:
        table: Path = ()
        while True:
            self._skip(_BLANK)
            if self._at >= len(self._text):
                return self._lines
            if self._text.startswith("[[", self._at):
                self._at += 2
                *around, last = self._keys()
                name = (*self._last(around), last)
                self._counts[name] = self._counts.get(name, -1) + 1
                self._record(name)
                table = (*name, self._counts[name])
                self._record(table)
                self._at += 2
            elif self._text[self._at] == "[":
                self._at += 1
                table = self._last(self._keys())
                self._record(table)
                self._at += 1
            else:
                self._pair(table)

    def _pair(self, table: Path) -> None:
        """A key with its value."""
        path = table
        for key in self._keys():
            path = (*path, key)
            self._record(path)
        self._at += 1  # the sign of equality
        self._value(path)

    def _value(self, path: Path) -> None:
        self._skip(_SPACE)
        match self._text[self._at]:
            case "[":
                self._at += 1
                index = 0
                while not self._closes("]"):
                    self._record((*path, index))
                    self._value((*path, index))
                    index += 1
            case "{":
                self._at += 1
                while not self._closes("}"):
                    self._pair(path)
            case '"' | "'":
                self._skip(_QUOTED)
            case _:
                self._skip(_SCALAR)

    def _closes(self, bracket: str) -> bool:
        """Go to the next item, or behind the bracket."""
        self._skip(_BLANK)
        if self._text[self._at] == ",":
            self._at += 1
            self._skip(_BLANK)
        if self._text[self._at] != bracket:
            return False
        self._at += 1
        return True

    def _keys(self) -> list[str]:
        """The parts of a dotted key."""
        found: list[str] = []
        while True:
            self._skip(_SPACE)
            if self._text[self._at] in "\"'":
                found.append(tomllib.loads(f"key = {self._skip(_QUOTED)}")["key"])
            else:
                found.append(self._skip(_BARE))
            self._skip(_SPACE)
            if self._text[self._at] != ".":
                return found
            self._at += 1

    def _last(self, keys: list[str]) -> Path:
        """The table that a header means: in an array of tables, it is in the last one."""
        path: Path = ()
        for key in keys:
            path = (*path, key)
            if path in self._counts:
                path = (*path, self._counts[path])
        return path

    def _record(self, path: Path) -> None:
        for length in range(1, len(path) + 1):
            self._lines.setdefault(path[:length], self._line)

    def _skip(self, pattern: re.Pattern[str]) -> str:
        found = pattern.match(self._text, self._at)
        text = found[0] if found is not None else ""
        self._at += len(text)
        self._line += text.count("\n")
        return text
