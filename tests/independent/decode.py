"""A decoder of requests: from what arrived, and what the parameters are called, to their values.

Sources: OpenAPI 3.2.0 "Style Values", "Style Examples", Appendices C, D and E; RFC 6570 §3.2; RFC 6265 §4.2.1. Text
has no types: numbers and booleans come back as they are spelled.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal
from urllib.parse import unquote, urlsplit

Value = Any
Place = Literal["path", "query", "header", "cookie"]
DELIMITER = {"spaceDelimited": "%20", "pipeDelimited": "%7C", "tabDelimited": "%09"}


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter as a document describes it; ``kind`` is what its schema allows, "json" that it has content."""

    place: Place
    name: str
    kind: Literal["text", "list", "object", "json"]
    style: str
    explode: bool


def decoded(
    parameters: Sequence[Parameter], template: str, url: str, headers: Mapping[str, str]
) -> dict[tuple[str, str], Value]:
    """The values of all parameters that are there, by place and name; names of headers are in lower case."""
    split = urlsplit(url)
    pattern = re.sub(r"\\\{[^{}]*\\\}", "([^/]*)", re.escape(template))
    match = re.fullmatch(pattern, split.path)
    assert match is not None, url
    segments = dict(zip(re.findall(r"\{([^{}]*)\}", template), match.groups(), strict=True))
    query = [named(pair) for pair in split.query.split("&") if pair]
    cookies = [named(pair) for pair in headers.get("cookie", "").split("; ") if pair]
    found: dict[tuple[str, str], Value] = {}
    for parameter in parameters:
        key = (parameter.place, parameter.name)
        match parameter.place:
            case "path":
                found[key] = segment(parameter, segments[parameter.name])
            case "header":
                if parameter.name.lower() in headers:
                    found[key] = joined(parameter, headers[parameter.name.lower()], ",", str)
            case "query":
                found |= {key: value} if (value := of_pairs(parameter, query, unquote)) is not None else {}
            case "cookie":
                read = str if parameter.style == "cookie" else unquote
                found |= {key: value} if (value := of_pairs(parameter, cookies, read)) is not None else {}
    return found | spread(parameters, "query", query) | spread(parameters, "cookie", cookies)


def spread(
    parameters: Sequence[Parameter], place: str, pairs: Sequence[tuple[str, str]]
) -> dict[tuple[str, str], Value]:
    """The one object whose members stand in a place by themselves: what no parameter there is called."""
    names = [other.name for other in parameters if other.place == place]
    deep = tuple(f"{other.name}[" for other in parameters if other.place == place and other.style == "deepObject")
    rest = [(name, text) for name, text in pairs if name not in names and not name.startswith(deep)]
    for parameter in parameters:
        is_spread = parameter.kind == "object" and parameter.explode and parameter.style != "deepObject"
        if parameter.place == place and is_spread and rest:
            read = str if parameter.style == "cookie" else unquote
            return {(place, parameter.name): {name: read(text) for name, text in rest}}
    return {}


def named(pair: str) -> tuple[str, str]:
    """The name of a pair, and its value as it travels."""
    name, _, text = pair.partition("=")
    return unquote(name), text


def segment(parameter: Parameter, raw: str) -> Value:
    """The value that a part of a path holds."""
    read: Callable[[str], str] = unquote
    if parameter.style == "matrix":
        pairs = [named(pair) for pair in raw.split(";")[1:]]
        if parameter.kind == "object" and parameter.explode:
            return {name: read(text) for name, text in pairs}
        return of_pairs(parameter, pairs, read)
    if parameter.style == "label":
        return joined(parameter, raw.removeprefix("."), "." if parameter.explode else ",", read)
    return joined(parameter, raw, ",", read)


def joined(parameter: Parameter, raw: str, delimiter: str, read: Callable[[str], str]) -> Value:
    """A value that stands alone, without the parameter's name."""
    if parameter.kind == "json":
        return json.loads(read(raw))
    if parameter.kind == "text":
        return read(raw)
    pieces = raw.split(delimiter)
    if parameter.kind == "list":
        return [read(piece) for piece in pieces]
    if parameter.explode:
        return {read(name): read(text) for name, _, text in (piece.partition("=") for piece in pieces)}
    flat = [read(piece) for piece in pieces]
    return dict(zip(flat[::2], flat[1::2], strict=True))


def of_pairs(parameter: Parameter, pairs: Sequence[tuple[str, str]], read: Callable[[str], str]) -> Value:
    """The value of a parameter that is called by name; None when it is not there, or has given up its name."""
    if parameter.style == "deepObject":
        return nested(parameter.name, pairs)
    own = [text for name, text in pairs if name == parameter.name]
    if not own or (parameter.kind == "object" and parameter.explode):
        return None
    if parameter.kind == "list" and parameter.explode:
        return [read(text) for text in own]
    [text] = own
    return joined(parameter, text, DELIMITER.get(parameter.style, ","), read)


def nested(name: str, pairs: Sequence[tuple[str, str]]) -> Value:
    """An object from names in brackets; ``[]`` is the next item of a list, a number one at its place."""
    found: dict[str, Value] = {}
    for label, text in pairs:
        if not label.startswith(f"{name}["):
            continue
        *parents, last = label[len(name) + 1 : -1].split("][")
        place: Value = found
        for at, step in enumerate(parents):
            following = [*parents, last][at + 1]
            place = place.setdefault(step, [] if following == "" else {})
        if last == "":
            place.append(unquote(text))
        else:
            place[last] = unquote(text)
    return found or None
