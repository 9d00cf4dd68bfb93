"""Scalars of YAML → JSON values, by the core schema of YAML 1.2 with JSON's rule on leading zeros."""

from __future__ import annotations

import math
import re
from typing import Any

from toolcast.model.json import Json

_CONSTANTS: dict[str, Json] = {
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
    **dict.fromkeys(("null", "Null", "NULL", "~", ""), None),
}
# The core schema, but with JSON's rule on leading zeros: `012` is a code of some kind, not twelve.
_INTEGER = re.compile(r"[-+]?(?:0|[1-9][0-9]*)\Z")
_BASED = re.compile(r"0o[0-7]+\Z|0x[0-9a-fA-F]+\Z")
_FLOAT = re.compile(r"[-+]?(?:(?:0|[1-9][0-9]*)(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?\Z")
# With these tags a plain scalar is the text that it is.
_TEXTS = frozenset(("!", *(f"tag:yaml.org,2002:{name}" for name in ("str", "binary", "timestamp"))))
# With these a quoted scalar is what it would be without quotes.
_VALUES = frozenset(f"tag:yaml.org,2002:{name}" for name in ("int", "float", "bool", "null"))


class Plain(dict[str, Json]):
    """Plain scalars and their values, found as they are asked for: the same few words make up most of a document."""

    def __missing__(self, text: str) -> Json:
        value = _CONSTANTS[text] if text in _CONSTANTS else number(text)
        self[text] = value
        return value


def number(text: str) -> Json:
    """The number that a plain scalar stands for, or the text itself.

    Numbers without a place in JSON (``.inf``, ``.nan``, ``1e999``) stay text, integers beyond 64 bits become
    floats, as JSON readers make them.
    """
    if text[0] not in "0123456789+-.":
        return text
    if _INTEGER.match(text):
        # Python refuses to read integers of some thousand digits.
        value = int(text) if len(text) < 30 else float(text)
    elif _BASED.match(text):
        value = int(text, 0)
    elif _FLOAT.match(text):
        value = float(text)
    else:
        return text
    if isinstance(value, int) and not -(2**63) <= value < 2**64:
        value = float(value) if value.bit_length() < 1024 else math.inf
    return value if isinstance(value, int) or math.isfinite(value) else text


def tagged(event: Any, plain: Plain) -> Json:
    """The value of a scalar event that has a tag; an unknown tag changes nothing."""
    text: str = event.value
    if event.style:
        return plain[text] if event.tag in _VALUES else text
    return text if event.tag in _TEXTS else plain[text]
