"""Twins of a view: the same with other texts, to show that no text is read as anything but a text."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar, cast

from toolcast.emit.literals import Call
from toolcast.emit.views import PackageView

V = TypeVar("V")


class _Letters(dict[int, str]):
    """Which letter stands for a sign, by code point; white space stands for itself where that is wanted."""

    def __init__(self, *, keep_space: bool) -> None:
        super().__init__()
        self._keep_space = keep_space

    def __missing__(self, code: int) -> str:
        if self._keep_space and chr(code).isspace():
            return self.setdefault(code, chr(code))
        # As 7c + 3 = c has no solution modulo 26, no small letter stands for itself.
        return self.setdefault(code, chr(ord("a") + ((code - ord("a")) * 7 + 3) % 26))


_WORDS, _ONE_WORD = _Letters(keep_space=True), _Letters(keep_space=False)


def harmless(text: str) -> str:
    """A text of the same length with a letter in the place of everything but white space.

    No sign stays what it was, and different short texts stay different: words, lines and lengths are as before, and
    nothing that some language reads can be.
    """
    return text.translate(_WORDS)


def on_one_line(text: str) -> str:
    """A text of the same length that is one word of letters."""
    return text.translate(_ONE_WORD)


def twin(view: PackageView, change: Callable[[str], str], *, only: tuple[str, str] | None = None) -> PackageView:
    """The view with each of its texts changed; with ``only``, those of one class and member."""
    return _changed(view, change, only)


def texts(view: PackageView) -> list[tuple[str, str]]:
    """The classes and members of a view that hold texts or values."""
    found: dict[tuple[str, str], None] = {}

    def collect(value: object) -> None:
        if isinstance(value, tuple):
            for item in cast("tuple[object, ...]", value):
                collect(item)
        elif is_dataclass(value) and not isinstance(value, (type, Call)):
            for field in fields(value):
                if _holds_text(str(field.type)):
                    found[type(value).__name__, field.name] = None
                collect(getattr(value, field.name))

    collect(view)
    return list(found)


def _holds_text(annotation: str) -> bool:
    return re.search(r"\b(?:Text|Literal|Call)\b", annotation) is not None


def _changed(value: V, change: Callable[[str], str], only: tuple[str, str] | None) -> V:
    assert is_dataclass(value) and not isinstance(value, type)
    changed: dict[str, Any] = {}
    for field in fields(value):
        member = getattr(value, field.name)
        if _holds_text(str(field.type)):
            if only is None or only == (type(value).__name__, field.name):
                changed[field.name] = _literal(member, change, keys="Mapping[Name" not in str(field.type))
        elif isinstance(member, tuple):
            items = cast("tuple[object, ...]", member)
            changed[field.name] = tuple(
                item if isinstance(item, str) else _changed(item, change, only) for item in items
            )
    return cast("V", replace(cast("Any", value), **changed))


def _literal(value: Any, change: Callable[[str], str], *, keys: bool = True) -> Any:
    """A text, or a value of emitted code with its texts changed; names of classes and of their arguments stay."""
    match value:
        case str():
            return change(value) if value else value
        case bytes():
            return change(value.decode("latin-1")).encode("utf-8")
        case tuple():
            return tuple(_literal(item, change) for item in cast("tuple[Any, ...]", value))
        case list():
            return [_literal(item, change) for item in cast("list[Any]", value)]
        case Call(name, positional, keywords):
            given = {key: _literal(item, change) for key, item in (keywords or {}).items()}
            return Call(name, tuple(_literal(item, change) for item in positional), given)
        case Mapping():
            members = cast("Mapping[str, Any]", value).items()
            return {(change(key) if keys else key): _literal(item, change) for key, item in members}
        case _:
            return value
