"""HTML that cannot be broken out of: only ``Html`` is taken as markup, and any other text is escaped."""

from __future__ import annotations

from html import escape
from typing import Final

import orjson

# Elements that have no end tag (HTML, section 13.1.2).
_VOID: Final = frozenset({"input", "link", "meta"})


class Html(str):
    """Markup; every operation on it gives a plain ``str`` again, which is escaped."""

    __slots__ = ()


def tag(name: str, /, *children: str, **attributes: str | int | bool | None) -> Html:
    """An element with its children; attributes are spelled ``class_`` and ``aria_label``.

    An attribute that is True has no value, and one that is False or None is not there.
    """
    shown = "".join(
        f" {key.rstrip('_').replace('_', '-')}" + ("" if value is True else f'="{escape(str(value))}"')
        for key, value in attributes.items()
        if value is not None and value is not False
    )
    if name in _VOID:
        return Html(f"<{name}{shown}>")
    return Html(f"<{name}{shown}>{joined(*children)}</{name}>")


def joined(*children: str) -> Html:
    """Pieces one after the other."""
    return Html("".join(child if isinstance(child, Html) else escape(child) for child in children))


def data(value: object) -> Html:
    """A value as JSON that can stand in a ``script`` element: it holds no markup."""
    text = orjson.dumps(value).decode()
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return Html(text)
