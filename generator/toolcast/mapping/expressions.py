"""Regular expressions that every client reads alike.

Vertex, OpenAI and validators in JavaScript refuse a whole list for one pattern (langfuse/langfuse#14770), and JSON
Schema's own dialect is ECMAScript's with the flag ``u`` (JSON Schema 2020-12 Core section 6.4), which is strict about
escapes. What only looks foreign is written otherwise; what is foreign cannot be published.
"""

from __future__ import annotations

import re
import warnings
from functools import lru_cache
from typing import Final

from toolcast.mapping.validator import is_valid_schema

_LONGEST: Final = 1_000
_SYNTAX: Final = frozenset("^$\\.*+?()[]{}|/")
_QUANTIFIER: Final = re.compile(r"(?:[*+?]|\{(\d+)(?:,(\d*))?\})\??")
_HEXADECIMAL: Final = re.compile(r"x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|0(?!\d)|[bBdDsSwWfnrtv]")
_LITERAL: Final = re.compile(r"/(\^.*|.*\$)/([a-z]*)", re.DOTALL)  # as JavaScript writes a pattern in its source
_NEVER: Final = re.compile(r"\A/\^|\$/[a-z]*\Z")  # the rest of such a literal, which matches nothing
_PYTHON_GROUP: Final = re.compile(r"\(\?P?<([A-Za-z_]\w*)>")


@lru_cache(maxsize=4096)
def portable(pattern: str) -> str | None:
    """The pattern as Python, ECMAScript and the validator all take it; None when they do not, or it is too long."""
    if len(pattern) > _LONGEST:
        return None
    literal = _LITERAL.fullmatch(pattern)
    if literal is not None:
        if literal[2].strip("gu"):
            return None
        pattern = literal[1]
    elif _NEVER.search(pattern):
        return None
    if "\\k" not in pattern and "(?P=" not in pattern:  # names of groups that nothing refers to
        pattern = _PYTHON_GROUP.sub("(", pattern)
    pattern = _tidied(pattern)
    return pattern if _is_ecmascript(pattern) and _compiles(pattern) else None


def _compiles(pattern: str) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # of sets that will mean something else: [a--b]
            re.compile(pattern)
    except (re.error, RecursionError, OverflowError, Warning):
        return False
    return is_valid_schema({"pattern": pattern})


def _tidied(pattern: str) -> str:
    r"""The pattern without backslashes before punctuation that means itself: ``\:`` is an error with the flag ``u``."""
    made: list[str] = []
    inside, at = False, 0
    while at < len(pattern):
        character = pattern[at]
        if character == "\\" and at + 1 < len(pattern):
            escaped = pattern[at + 1]
            plain = escaped.isascii() and not escaped.isalnum() and escaped not in _SYNTAX
            kept = not plain or (escaped == "-" and inside)
            made.append(f"\\{escaped}" if kept else escaped)
            at += 2
            continue
        inside = character == "[" or (inside and character != "]")
        made.append(character)
        at += 1
    return "".join(made)


class _Foreign(Exception):
    """Not of the grammar."""


def _is_ecmascript(pattern: str) -> bool:
    try:
        return _Pattern(pattern).read()
    except (_Foreign, RecursionError):
        return False


class _Pattern:
    """A reader of patterns by the grammar of ECMA-262 section 22.2.1, with the flag ``u``, less what Python lacks."""

    def __init__(self, pattern: str) -> None:
        self._text = pattern
        self._at = 0

    def read(self) -> bool:
        """Is the whole text one pattern?"""
        self._disjunction()
        return self._at == len(self._text)

    def _peek(self) -> str:
        return self._text[self._at : self._at + 1]

    def _take(self, text: str) -> bool:
        if self._text.startswith(text, self._at):
            self._at += len(text)
            return True
        return False

    def _need(self, text: str) -> None:
        if not self._take(text):
            raise _Foreign

    def _disjunction(self) -> None:
        while True:
            while self._peek() not in ("", "|", ")"):
                self._term()
            if not self._take("|"):
                return

    def _term(self) -> None:
        if self._take("^") or self._take("$") or self._take("\\b") or self._take("\\B"):
            return
        for opening in ("(?=", "(?!", "(?<=", "(?<!"):
            if self._take(opening):
                self._disjunction()
                self._need(")")
                return  # no quantifier may follow
        if self._take("(?:") or self._take("("):
            if self._peek() == "?":
                raise _Foreign
            self._disjunction()
            self._need(")")
        elif self._take("["):
            self._class()
        elif self._take("\\"):
            self._escape("")
        elif self._peek() in "*+?{}])":
            raise _Foreign
        else:
            self._at += 1
        self._quantifier()

    def _quantifier(self) -> None:
        found = _QUANTIFIER.match(self._text, self._at)
        if found is not None:
            if found[1] and found[2] and int(found[1]) > int(found[2]):
                raise _Foreign
            self._at = found.end()

    def _escape(self, more: str) -> bool:
        """What follows a backslash; is it one character?"""
        found = _HEXADECIMAL.match(self._text, self._at)
        character = self._peek()
        if found is not None:
            self._at = found.end()
            return character not in "dDsSwW"
        if character and (character in _SYNTAX or character in more or (character in "123456789" and not more)):
            self._at += 1
            return True
        raise _Foreign

    def _class(self) -> None:
        self._take("^")
        while not self._take("]"):
            first = self._member()
            if self._peek() == "-" and self._text[self._at + 1 : self._at + 2] not in ("]", ""):
                self._at += 1
                if not (self._member() and first):
                    raise _Foreign  # a range needs two characters

    def _member(self) -> bool:
        """A member of a class; is it one character? An opening bracket is read differently by different engines."""
        if self._take("\\"):
            return self._escape("-")
        if self._peek() in ("", "["):
            raise _Foreign
        self._at += 1
        return True
