"""Text of others that is shown to a model or a person."""

from __future__ import annotations

import re
from typing import Final

_INVISIBLE: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)


def clean(text: str, limit: int) -> str:
    """The text without control and invisible characters, at most ``limit`` characters."""
    text = readable(text).strip()
    return text if len(text) <= limit else f"{text[: limit - 3]}..."


def readable(text: str) -> str:
    """The text with a space in the place of each control or invisible character but tabs and the ends of lines."""
    return _INVISIBLE.sub(" ", text)
