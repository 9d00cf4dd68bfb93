"""Changes of a contract in words."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Final

from toolcast.model.contract import Change
from toolcast.model.json import Json

_VALUE: Final = 60  # characters of a value
_VALUES: Final = 5


class Named(str):
    """A name or a value of somebody's document, which is shown as such; what does not print shows that it is there."""

    __slots__ = ()

    def __new__(cls, text: str) -> Named:
        """The text on one line, without what a terminal or a page would obey."""
        return super().__new__(cls, "".join(sign if sign.isprintable() else "�" for sign in text))


def sentence(change: Change) -> str:
    """What has changed, in a few words, with names and values in backquotes."""
    return "".join(f"`{piece}`" if isinstance(piece, Named) else piece for piece in pieces(change))


def pieces(change: Change) -> Iterator[str]:
    """What has changed, in words, names and values."""
    before, after, place = change.before, change.after, _place(change)
    match change.kind:
        case "tool-added":
            yield "the tool is new"
        case "tool-removed":
            yield "the tool is gone"
        case "tool-renamed":
            yield from ("the tool was called ", _value(before))
        case "operation":
            yield from ("it sends ", _value(after), ", and sent ", _value(before))
        case "text":
            yield from (*place, " is worded differently")
        case "argument-added" | "field-added":
            required = change.kind == "argument-added" and change.verdict == "breaking"
            yield from (*place, " is new, and required" if required else " is new")
        case "argument-removed" | "field-removed":
            yield from (*place, " is gone")
        case "argument-moved":
            now = isinstance(after, str)
            yield from (*place, " is now " if now else " was ", _value(after if now else before))
        case "argument-required" | "field-required":
            yield from (*place, " is required")
        case "argument-optional" | "field-optional":
            yield from (*place, " is optional")
        case "fields-told":
            yield from (*place, " tells its fields")
        case "fields-untold":
            yield from (*place, " does not tell its fields any more")
        case "more-fields":
            yield from (*place, " takes no further fields" if after is False else " takes other further fields")
        case "values":
            yield from (*place, *_values(before, after))
        case "branch-added":
            yield from (*place, " may also be ", _value(after))
        case "branch-removed":
            yield from (*place, " cannot be ", _value(before), " any more")
        case "bound":
            yield from (*place, *_bound(before, after))
        case "type":
            yield from (*place, " is ", *_types(after), ", was ", *_types(before))
        case "hint" | "format" | "pattern" | "default" | "scheme":
            noun = "" if change.kind in ("hint", "scheme") else f": {change.kind}"
            yield from (*place, f"{noun} is ", _value(after, "none"), ", was ", _value(before, "none"))
        case "schema":
            yield from (*place, " is described differently")
        case "result-added":
            yield "it has a structured result"
        case "result-removed":
            yield "it has no structured result any more"
        case "origin-added":
            yield from ("requests go to ", _value(after))
        case "origin-removed":
            yield from ("requests do not go to ", _value(before), " any more")
        case "scheme-added":
            yield from ("new credential ", *place)
        case "scheme-removed":
            yield from ("credential ", *place, " is gone")
        case "token-url":
            yield from (*place, " is ", _value(after, "none"), ", was ", _value(before, "none"))
        case "scope-added":
            yield from (*place, " asks for the scope ", _value(after))
        case "scope-removed":
            yield from (*place, " does not ask for the scope ", _value(before), " any more")
        case "size":
            yield f"{_number(after)} tokens, {_number(before)} before"


def _place(change: Change) -> tuple[str, ...]:
    """The place of a change in words and names."""
    kind, _, rest = change.where.partition(".")
    match kind:
        case "arguments" if rest:
            return ("" if set(rest) & {".", "["} else "argument ", Named(rest))
        case "arguments":
            return ("the arguments together",)
        case "result" if rest:
            return ("result ", Named(rest))
        case "annotations" | "credentials":
            return (Named(rest.removesuffix(".scopes")),)
        case "result":
            return ("the result",)
        case _:
            return (Named(change.where),)


def _value(value: Json, nothing: str = "null") -> str:
    if value is None:
        return nothing
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return Named(text if len(text) <= _VALUE else f"{text[: _VALUE - 1]}…")


def _types(declared: Json) -> Iterator[str]:
    texts = [declared] if isinstance(declared, str) else _texts(declared)
    yield from _listed(texts, " or ") if texts else ("of any type",)


def _number(value: Json) -> str:
    return f"{value:,}" if isinstance(value, int) else "?"


def _values(before: Json, after: Json) -> Iterator[str]:
    """Which values have gone and come."""
    if not isinstance(before, list) or not isinstance(after, list):
        yield from (" takes any value", "") if after is None else (" takes only ", *_listed(_texts(after)))
        return
    old, new = _texts(before), _texts(after)
    gone, come = [text for text in old if text not in new], [text for text in new if text not in old]
    if gone:
        yield from (" takes no ", *_listed(gone, " or "), " any more")
    if come:
        yield from (", and" if gone else "", " takes ", *_listed(come))


def _texts(value: Json) -> list[str]:
    return [text if isinstance(text, str) else json.dumps(text) for text in (value if isinstance(value, list) else [])]


def _listed(texts: Sequence[str], last: str = " and ") -> Iterator[str]:
    shown = texts[:_VALUES]
    for at, text in enumerate(shown):
        yield "" if at == 0 else last if at == len(texts) - 1 else ", "
        yield _value(text)
    if len(texts) > len(shown):
        yield f" and {len(texts) - len(shown):,} more"


def _bound(before: Json, after: Json) -> Iterator[str]:
    old, new = (value if isinstance(value, dict) else {} for value in (before, after))
    (key,) = {**old, **new}
    yield from (": ", Named(key), " is ", _value(new.get(key), "none"), ", was ", _value(old.get(key), "none"))
