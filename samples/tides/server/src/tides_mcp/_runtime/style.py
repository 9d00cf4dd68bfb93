"""How values become text in a URL, a header, a cookie or a form: OpenAPI's styles, which are RFC 6570's.

A style turns a value into pairs of name and text; ``request.py`` and ``content.py`` join them. Where OpenAPI leaves
a case open, it is decided here: nested values are compact JSON, except in ``deepObject``, which nests brackets.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from typing import TypeAlias
from urllib.parse import quote

from .operation import Json, Style

Pair: TypeAlias = tuple[str | None, str]

_TRIPLE = re.compile(r"(%[0-9A-Fa-f]{2})")
_DELIMITERS = {"spaceDelimited": (" ", "spaces"), "tabDelimited": ("\t", "tabs"), "pipeDelimited": ("|", "'|'")}
_EXACT = 2**53  # integers below it are exact in a float, and so in every JSON reader


class Unfit(ValueError):
    """A value that cannot be written where it belongs; ``path`` leads to it, through members of the body."""

    def __init__(self, problem: str, path: tuple[str, ...] = ()) -> None:
        super().__init__(problem)
        self.problem = problem
        self.path = path


@contextmanager
def member(name: str) -> Generator[None]:
    """Errors inside say that they are about the member of this name."""
    try:
        yield
    except Unfit as error:
        raise Unfit(error.problem, (name, *error.path)) from None


def plain(text: str) -> str:
    """The text itself; raises ``Unfit`` when it has no UTF-8 form (half a surrogate pair)."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise Unfit("must be valid Unicode text, without half a surrogate pair") from None
    return text


def percent(text: str, keep: str = "", triples: bool = False) -> str:
    """The text percent-encoded as UTF-8, except unreserved characters and those of ``keep`` (RFC 3986 §2).

    With ``triples``, percent-encoded triples pass as they are (RFC 6570 §3.2.3).
    """
    plain(text)
    if not triples:
        return quote(text, safe=keep)
    pieces = _TRIPLE.split(text)  # every second one is a triple
    return "".join(piece if at % 2 else quote(piece, safe=keep) for at, piece in enumerate(pieces))


@dataclass(frozen=True, slots=True)
class Encoding:
    """How names, values, and the items within one value are escaped at one place of a request."""

    name: Callable[[str], str]
    value: Callable[[str], str]
    item: Callable[[str], str]


def _reserved(keep: str, delimiters: str) -> Encoding:
    """Reserved expansion; ``delimiters`` would split a value that is an item of a list, and are encoded there."""
    inner = keep.translate({ord(character): None for character in delimiters})
    return Encoding(
        name=percent,
        value=partial(percent, keep=keep, triples=True),
        item=partial(percent, keep=inner, triples=True),
    )


PLAIN = Encoding(plain, plain, plain)
STRICT = Encoding(percent, percent, percent)

# Of the reserved characters of RFC 3986 those may pass that neither end nor split the place they stand in:
# OpenAPI 3.2 "URL Percent-Encoding" and Appendix E; for cookies RFC 6265 §4.1.1.
RESERVED_PATH = _reserved("!$&'()*+,;=:@", delimiters=",;=")
SLASHED_PATH = Encoding(percent, partial(percent, keep="/"), percent)
RESERVED_QUERY = _reserved("!$'()*,;:@/?", delimiters=",")
RESERVED_COOKIE = _reserved("!#$&'()*+/:=?@[]", delimiters="")


def json_text(value: Json, ascii_only: bool = False) -> str:
    """Compact JSON; a float without a fraction is written as an integer, as JavaScript does."""
    try:
        text = json.dumps(_tidy(value), ensure_ascii=ascii_only, allow_nan=False, separators=(",", ":"))
    except ValueError:
        raise Unfit("must not contain NaN or infinite numbers") from None
    return plain(text)


def _tidy(value: Json) -> Json:
    match value:
        case float() if value.is_integer() and abs(value) < _EXACT:
            return int(value)
        case dict():
            return {name: _tidy(item) for name, item in value.items()}
        case list():
            return [_tidy(item) for item in value]
        case _:
            return value


def scalar_text(value: Json) -> str:
    """A value as text without quotes: ``true``, ``5``, ``0.00001``; lists and objects as JSON (OpenAPI Appendix B)."""
    match value:
        case str():
            return value
        case float() if not math.isfinite(value):
            raise Unfit("must be a finite number")
        case float():
            return str(int(value)) if value.is_integer() else format(Decimal(repr(value)), "f")
        case _:
            return json_text(value)


def pairs(name: str | None, value: Json, style: Style, explode: bool, encoding: Encoding) -> list[Pair]:
    """The pairs of (name, text) that a value expands to, both escaped; none when it is undefined (RFC 6570 §2.3).

    Without a ``name`` (simple and label style) only the members of an exploded object have one. ``null``, empty lists
    and empty objects are undefined; ``""`` is not. The delimited styles, exploded, are like ``form``.
    """
    if style == "deepObject" and name is not None:
        return _nested(name, value, encoding)
    key = None if name is None else encoding.name(name)
    # Exploded query and cookie pairs stand alone; anything else shares its text with delimiters.
    inner = encoding.value if explode and style in ("form", "cookie") else encoding.item
    match value:
        case None:
            return []
        case list():
            items = [scalar_text(item) for item in value if item is not None]
            if explode:
                return [(key, inner(item)) for item in items]
            return [(key, _joined(items, style, inner))] if items else []
        case dict():
            members = [(label, scalar_text(item)) for label, item in value.items() if item is not None]
            if explode:
                return [(encoding.name(label), inner(item)) for label, item in members]
            flat = [text for pair in members for text in pair]
            return [(key, _joined(flat, style, inner))] if flat else []
        case _:
            whole = inner if style == "matrix" else encoding.value  # reserved ";" would begin another parameter
            return [(key, whole(scalar_text(value)))]


def _joined(items: list[str], style: Style, escape: Callable[[str], str]) -> str:
    if style not in _DELIMITERS:
        return ",".join(escape(item) for item in items)
    character, spoken = _DELIMITERS[style]
    # These delimiters travel percent-encoded, so an item's own could not be told apart (OpenAPI Appendix E).
    if any(character in item for item in items):
        raise Unfit(f"must be a list of items without {spoken}, as these separate the items")
    return escape(character).join(escape(item) for item in items)


def _nested(name: str, value: Json, encoding: Encoding) -> list[Pair]:
    """``deepObject``: ``name[member]=…``, nested at will; scalars of a list as ``name[]``, others as ``name[0]``.

    OpenAPI defines one level of scalars only; beyond it, this is what Rack, PHP and qs read.
    """
    match value:
        case None:
            return []
        case dict():
            if any("[" in label or "]" in label for label in value):
                raise Unfit("must not have brackets in its property names")
            return [pair for label, item in value.items() for pair in _nested(f"{name}[{label}]", item, encoding)]
        case list():
            deep = any(isinstance(item, (dict, list)) for item in value)
            labels = [f"{name}[{at}]" if deep else f"{name}[]" for at in range(len(value))]
            return [pair for label, item in zip(labels, value, strict=True) for pair in _nested(label, item, encoding)]
        case _:
            return [(encoding.name(name), encoding.value(scalar_text(value)))]
