"""Patterns: a text that matches a regular expression, for examples."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from importlib import import_module
from itertools import product
from typing import Any, Final

from toolcast.mapping import expressions
from toolcast.mapping.validator import accepts
from toolcast.model.json import JsonObject

_LONGEST: Final = 200
# What a sample is made of where a pattern leaves the choice, the plainest first.
_PLAIN: Final = "a1A0bB2cC3 -_./:@#+,;=%&*!?~$^()[]{}<>|'\"\\\t\n\u00e9\u4e2d"
_CATEGORIES: Final[dict[str, str]] = {
    "CATEGORY_DIGIT": r"\d",
    "CATEGORY_NOT_DIGIT": r"\D",
    "CATEGORY_SPACE": r"\s",
    "CATEGORY_NOT_SPACE": r"\S",
    "CATEGORY_WORD": r"\w",
    "CATEGORY_NOT_WORD": r"\W",
}


class _NoText(Exception):
    """No short text was made."""


@lru_cache(maxsize=4_096)
def sample(pattern: str, least: int = 0, most: int = _LONGEST) -> str | None:
    """A text of ``least`` to ``most`` characters in which a pattern is found, None where none was made.

    The same text for the same pattern, always.
    """
    if expressions.portable(pattern) != pattern:
        return None
    try:
        # The parser that `re` itself uses; it has no public name.
        tree: Any = import_module("re._parser").parse(pattern)
    except (re.error, RecursionError, OverflowError):
        return None
    rule: JsonObject = {"pattern": pattern}
    for text in _candidates(tree, least):
        for padded in (text, text.ljust(least, "a"), text.rjust(least, "a")):
            # By the validator, whose search has bounds that `re` has not.
            if least <= len(padded) <= most and accepts(rule, padded):
                return padded
    return None


def _candidates(tree: Any, least: int) -> Iterator[str]:
    tried: set[str] = set()
    # Conditions ahead are written out in some attempts: what follows them often takes anything.
    for more, ahead, choice in product((0, 1, 2, 3, 5, 8, 12, 16, 32, least), (False, True), range(3)):
        try:
            text = _Sampler(more=more, ahead=ahead, choice=choice).text(tree)
        except _NoText:
            continue
        if text not in tried:
            tried.add(text)
            yield text


class _Sampler:
    """Writes one text: ``more`` repetitions than needed, and the ``choice``-th branch or character of each kind."""

    def __init__(self, *, more: int, ahead: bool, choice: int) -> None:
        self._more = more
        self._ahead = ahead
        self._choice = choice
        self._groups: dict[int, str] = {}

    def text(self, tree: Any) -> str:
        """The text of a parsed pattern, or of a part of one."""
        made = ""
        for operation, argument in tree:
            made += self._part(str(operation), argument)
            if len(made) > _LONGEST:
                raise _NoText
        return made

    def _part(self, operation: str, argument: Any) -> str:
        match operation:
            case "LITERAL":
                return chr(argument)
            case "NOT_LITERAL":
                return self._one(lambda character: character != chr(argument))
            case "ANY":
                return self._one(lambda character: character != "\n")
            case "IN":
                return self._of_class(argument)
            case "BRANCH":
                return self.text(argument[1][min(self._choice, len(argument[1]) - 1)])
            case "SUBPATTERN":
                group, tree = argument[0], argument[-1]
                made = self.text(tree)
                if group is not None:
                    self._groups[group] = made
                return made
            case "MAX_REPEAT" | "MIN_REPEAT":
                low, high, tree = argument
                return self._repeated(int(low), int(high), tree)
            case "GROUPREF":
                return self._groups.get(argument, "")
            case "ASSERT" if self._ahead:
                return self.text(argument[1])
            case _:  # anchors and conditions: the whole text is checked in the end
                return ""

    def _repeated(self, low: int, high: int, tree: Any) -> str:
        count = min(high, low + self._more)
        if count > _LONGEST:
            raise _NoText
        made = ""
        for _ in range(count):
            made += self.text(tree)
            if len(made) > _LONGEST:
                raise _NoText
        return made

    def _one(self, allowed: Callable[[str], bool]) -> str:
        fitting = [character for character in _PLAIN if allowed(character)]
        return fitting[min(self._choice, len(fitting) - 1)]

    def _of_class(self, members: Any) -> str:
        def holds(character: str) -> bool:
            for operation, argument in members:
                match str(operation):
                    case "LITERAL" if ord(character) == argument:
                        return True
                    case "RANGE" if argument[0] <= ord(character) <= argument[1]:
                        return True
                    case "CATEGORY" if re.match(_CATEGORIES.get(str(argument), r"(?!)"), character):
                        return True
                    case _:
                        pass
            return False

        negated = bool(members) and str(members[0][0]) == "NEGATE"
        fitting = [character for character in _PLAIN if holds(character) != negated]
        if not fitting:
            first = {str(operation): argument for operation, argument in reversed(members)}
            if negated or not (first.keys() & {"LITERAL", "RANGE"}):
                raise _NoText
            return chr(first["LITERAL"] if "LITERAL" in first else first["RANGE"][0])
        return fitting[min(self._choice, len(fitting) - 1)]
