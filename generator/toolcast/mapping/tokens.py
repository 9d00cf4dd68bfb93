"""Sizes: an estimate of the tokens that a value costs in a model's context, deterministic and offline."""

from __future__ import annotations

import re
from functools import lru_cache

from toolcast.model.json import Json

# A run of letters costs a token for each six characters begun, digits one for each three, punctuation one for each
# three (JSON's `":{"` is one token), spaces nothing; other scripts a token for each character.
_PIECES = re.compile(r"[A-Za-z]+|[0-9]+|[^\sA-Za-z0-9\u0080-\U0010ffff]+|[\u0080-\U0010ffff]")


@lru_cache(maxsize=65_536)
def text_tokens(text: str) -> int:
    """The tokens of a text."""
    total = 0
    for piece in _PIECES.findall(text):
        first = piece[0]
        total += -(-len(piece) // 6) if first.isascii() and first.isalpha() else -(-len(piece) // 3)
    return total


class Sizes:
    """Sizes of values that share parts; each shared part is measured once."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Json, int]] = {}  # the value is held, so that its identity stays its own

    def tokens(self, value: Json) -> int:
        """The tokens of a value, written as compact JSON."""
        match value:
            case str():
                return text_tokens(value) + 1
            case dict() | list():
                known = self._known.get(id(value))
                if known is None:
                    if isinstance(value, dict):
                        total = 1 + sum(text_tokens(key) + 1 + self.tokens(member) for key, member in value.items())
                    else:
                        total = 1 + sum(self.tokens(member) for member in value)
                    known = self._known[id(value)] = (value, total)
                return known[1]
            case None | bool():
                return 1
            case _:
                return text_tokens(str(value)) + 1
