"""Sizes: an estimate of the tokens that a value costs in a model's context, deterministic and offline."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from toolcast.model.json import Json, JsonObject

# What is one token: up to eight letters of a word, where a capital begins a new one (``pageToken`` has two); up to four
# capitals; up to three digits; up to two signs of punctuation (JSON's ``":`` and ``",`` are one token each); each
# character of any other script. Spaces cost nothing. docs/mapping.md has its error against real tokenizers.
_PIECES: Final = re.compile(
    r"[A-Z]?[a-z]{1,8}|[A-Z]{1,4}|[0-9]{1,3}|[^\sA-Za-z0-9\u0080-\U0010ffff]{1,2}|[\u0080-\U0010ffff]"
)
_LARGEST_COMPARED: Final = 2_000


@lru_cache(maxsize=65_536)
def text_tokens(text: str) -> int:
    """The tokens of a text."""
    return len(_PIECES.findall(text))


class Sizes:
    """Sizes of values that share parts; each shared part is measured once."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Json, int]] = {}  # the value is held, so that its identity stays its own

    def tokens(self, value: Json) -> int:
        """The tokens of a value as compact JSON: its texts, and one more for each key, text, number and list.

        The braces of an object are part of the tokens around them, but for an empty one.
        """
        if isinstance(value, str):
            return text_tokens(value) + 1
        if isinstance(value, (dict, list)):
            known = self._known.get(id(value))
            if known is None:
                total = 1
                if isinstance(value, dict):
                    total = 0 if value else 1
                    for key, member in value.items():
                        total += text_tokens(key) + 1
                        total += text_tokens(member) + 1 if isinstance(member, str) else self.tokens(member)
                else:
                    for member in value:
                        total += text_tokens(member) + 1 if isinstance(member, str) else self.tokens(member)
                known = self._known[id(value)] = (value, total)
            return known[1]
        return 1 if value is None or isinstance(value, bool) else text_tokens(str(value)) + 1

    def alike(self, one: Json, other: Json) -> bool:
        """Are two values equal? Large ones count as different: shared parts make them larger than they look."""
        size = self.tokens(one)
        return one is other or (size <= _LARGEST_COMPARED and size == self.tokens(other) and one == other)

    def distinct(self, values: Iterable[JsonObject]) -> list[JsonObject]:
        """The values without those that are alike."""
        by_size: dict[int, list[JsonObject]] = defaultdict(list)
        found: list[JsonObject] = []
        for value in values:
            rivals = by_size[self.tokens(value)]
            if not any(self.alike(value, other) for other in rivals):
                rivals.append(value)
                found.append(value)
        return found
