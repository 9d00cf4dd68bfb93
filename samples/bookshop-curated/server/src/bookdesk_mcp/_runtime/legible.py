"""Text of others that is shown to a model or a person."""

from __future__ import annotations

import re
from typing import Final

_INVISIBLE: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]")


def clean(text: str, limit: int) -> str:
    """The text without control and invisible characters, at most ``limit`` characters."""
    text = _INVISIBLE.sub(" ", text).strip()
    return text if len(text) <= limit else f"{text[: limit - 3]}..."
