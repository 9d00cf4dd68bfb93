"""From an operation and its arguments to an HTTP request: what goes where, and that it stays there."""

from __future__ import annotations

import re
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from urllib.parse import unquote

from .content import FORM, encode, essence, form, is_json, written
from .more import spread
from .operation import (
    Arguments,
    Body,
    Cookie,
    Field,
    Header,
    Json,
    More,
    Operation,
    Path,
    Query,
    Querystring,
)
from .style import (
    PLAIN,
    RESERVED_COOKIE,
    RESERVED_PATH,
    RESERVED_QUERY,
    SLASHED_PATH,
    STRICT,
    Pair,
    Unfit,
    json_text,
    pairs,
    percent,
)

# An API that documents no answers is asked for JSON, which a server that cannot give it may ignore.
_ANY_ANSWER = "application/json, */*;q=0.5"

# Headers that are not a caller's to set: OpenAPI ignores parameters of the first three names (Parameter Object,
# ``name``), the others frame the message and belong to the HTTP client (RFC 9110 §7, RFC 9112 §6).
_NOT_ARGUMENTS = frozenset(
    {"accept", "authorization", "content-type"}
    | {"connection", "content-length", "host", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade"}
)
_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f-\x9f]")
_COOKIE_BREAK = re.compile(r"[;\x00-\x1f\x7f-\x9f]")
_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")
_TEMPLATE = re.compile(r"((?:\{[^{}]*\}|[^?#])*)(?:\?((?:\{[^{}]*\}|[^#])*))?", re.DOTALL)
_DOT_SEGMENT = re.compile(r"(?:\A|[/\\])\.\.?(?:[/\\;]|\Z)")
_PATH_LITERAL = "!$&'()*+,;=:@"  # pchar of RFC 3986 §3.3
_QUERY_LITERAL = _PATH_LITERAL + "/?"


class ArgumentError(Exception):
    """An argument that cannot be put in its place; ``message`` tells its sender what is expected instead."""

    def __init__(self, argument: str, message: str) -> None:
        super().__init__(message)
        self.argument = argument
        self.message = message


@dataclass(frozen=True, slots=True)
class Request:
    """An HTTP request: ``url`` is fully escaped, to be sent as it is; header values are text, to be sent as UTF-8."""

    method: str
    url: str
    headers: tuple[tuple[str, str], ...]
    body: bytes | None


def build(operation: Operation[Any, Any], arguments: Arguments, base_url: str) -> Request:
    """The request that carries out an operation with these arguments at an absolute base URL.

    What is not given is not sent. Headers stand in a fixed order: Accept, Content-Type, parameters, Cookie. Raises
    ``ArgumentError``.
    """
    if operation.inner:
        with _about(next(iter(operation.inner.values()))):
            operation, arguments = spread(operation, arguments)
    if operation.defaults or operation.fixed:
        arguments = {**dict(operation.defaults), **arguments, **dict(operation.fixed)}
    places: dict[str, str] = {}
    queries: list[str] = []
    headers: list[tuple[str, str]] = []
    cookies: list[str] = []
    fields: dict[str, Json] = {}
    wholes: list[Json] = []
    for binding in operation.bindings:
        given = binding.argument in arguments
        value = arguments.get(binding.argument)
        with _about(binding.argument):
            match binding:
                case Path():
                    places[binding.wire_name] = _path_text(binding, value)
                case Query():
                    queries += _query_texts(binding, value)
                case Querystring() if value is not None:
                    queries += filter(None, [_querystring(binding, value)])
                case Header() if binding.wire_name.lower() not in _NOT_ARGUMENTS:
                    headers += _header(binding, value)
                case Cookie():
                    cookies += _cookie_texts(binding, value)
                case Field() if given:
                    fields[binding.wire_name] = value
                case Body() if given:
                    wholes.append(value)
                case Querystring() | Header() | Field() | Body() | More():
                    pass
    media_type, body = _body(operation, fields, wholes)
    first = [("Accept", ", ".join(operation.accept) or _ANY_ANSWER)]
    if media_type is not None:
        first.append(("Content-Type", media_type))
    last = [("Cookie", "; ".join(cookies))] if cookies else []
    url = _url(base_url, operation, places, queries)
    return Request(operation.method, url, (*first, *headers, *last), body)


@contextmanager
def _about(argument: str, fields: Mapping[str, str] | None = None) -> Generator[None]:
    """Whatever does not fit inside is this argument's fault, or that of the argument that gave the body's field."""
    try:
        yield
    except Unfit as error:
        path = list(error.path)
        owner = fields.get(path[0]) if fields and path else None
        if owner is not None:
            argument = owner
            del path[0]
        within = "".join(f", property {_short(name)}" for name in path)
        raise ArgumentError(argument, f"Argument {_short(argument)}{within} {error.problem}.") from None
    except RecursionError:
        message = f"Argument {_short(argument)} must not be nested so deeply."
        raise ArgumentError(argument, message) from None


def _short(text: str) -> str:
    return repr(text if len(text) <= 60 else text[:59] + "…")


def _joined(pair: Pair) -> str:
    name, text = pair
    return text if name is None else f"{name}={text}"


def _path_text(binding: Path, value: Json) -> str:
    if value is None:
        raise Unfit("is required: it is a part of the URL's path")
    if binding.media_type is not None:
        return percent(written(binding.media_type, value))
    encoding = SLASHED_PATH if binding.slashes else RESERVED_PATH if binding.reserved else STRICT
    match binding.style:
        case "matrix":
            found = pairs(binding.wire_name, value, "matrix", binding.explode, encoding)
            # RFC 6570 §3.2.7: an empty value has no "=".
            return "".join(f";{_joined(pair)}" if pair[1] else f";{pair[0]}" for pair in found)
        case "label":
            found = pairs(None, value, "label", binding.explode, encoding)
            return "".join(f".{_joined(pair)}" for pair in found)
        case style:
            return ",".join(_joined(pair) for pair in pairs(None, value, style, binding.explode, encoding))


def _query_texts(binding: Query, value: Json) -> list[str]:
    if binding.media_type is not None:
        return [] if value is None else [f"{percent(binding.wire_name)}={percent(written(binding.media_type, value))}"]
    encoding = RESERVED_QUERY if binding.reserved else STRICT
    return [_joined(pair) for pair in pairs(binding.wire_name, value, binding.style, binding.explode, encoding)]


def _querystring(binding: Querystring, value: Json) -> str:
    """The whole query string (OpenAPI 3.2 ``in: querystring``): a form is one already, anything else is encoded."""
    media_type = binding.media_type or FORM
    if essence(media_type) == FORM:
        return form(value, binding.parts)
    text = written(media_type, value)
    # JSON as in the specification's example; text is a query of the author's own syntax and keeps its delimiters.
    return percent(text, keep="" if is_json(essence(media_type)) else "!$&'()*,;=:@/?")


def _header(binding: Header, value: Json) -> list[tuple[str, str]]:
    """A header, never percent-encoded (OpenAPI 3.2 "Fixed Fields for use with schema").

    Text beyond ASCII travels as UTF-8, opaque octets to RFC 9110 §5.5; white space around a value is not a part of it.
    """
    if not _TOKEN.fullmatch(binding.wire_name):
        raise Unfit("cannot be sent: the API's document gives it a name that no header can have")
    if binding.media_type is None:
        found = pairs(None, value, binding.style, binding.explode, PLAIN)
        if not found:
            return []
        text = ",".join(_joined(pair) for pair in found)
    elif value is None:
        return []
    elif is_json(essence(binding.media_type)):
        text = json_text(value, ascii_only=True)
    else:
        text = written(binding.media_type, value)
    if _CONTROL.search(text):
        raise Unfit("must not contain line breaks or other control characters, as it is sent as a header")
    return [(binding.wire_name, text.strip(" \t"))]


def _cookie_texts(binding: Cookie, value: Json) -> list[str]:
    """Cookies: ``form`` style and JSON are percent-encoded, ``cookie`` style and text are not (OpenAPI Appendix D).

    Exploded pairs are joined by ``; ``, not by the ``&`` of the form style, which no cookie header has.
    """
    found: list[Pair]
    if binding.media_type is None:
        encoding = PLAIN if binding.style == "cookie" else RESERVED_COOKIE if binding.reserved else STRICT
        found = pairs(binding.wire_name, value, binding.style, binding.explode, encoding)
    elif value is None:
        found = []
    else:
        text = written(binding.media_type, value)
        structured = is_json(essence(binding.media_type))
        found = [(binding.wire_name, percent(text) if structured else text)]
    for name, text in found:
        if not _TOKEN.fullmatch(name or ""):
            raise Unfit("must have a name that a cookie can have: letters, digits, '-' and '_'")
        if _COOKIE_BREAK.search(text):
            raise Unfit("must not contain ';', line breaks or other control characters, as it is sent as a cookie")
    return [_joined((name, text.strip(" "))) for name, text in found]


def _body(
    operation: Operation[Any, Any], fields: dict[str, Json], wholes: list[Json]
) -> tuple[str | None, bytes | None]:
    content = operation.body
    if content is None:
        return None, None
    owners = {binding.wire_name: binding.argument for binding in operation.bindings if isinstance(binding, Field)}
    whole = next((binding.argument for binding in operation.bindings if isinstance(binding, Body)), None)
    with _about(whole or "body", owners if whole is None else None):
        value = wholes[0] if wholes else fields
        absent = not wholes and not fields
        # Only JSON has a null to send; to any other media type it is an argument that was not given.
        if value is None and not is_json(essence(content.media_type)):
            absent = True
        if not absent:
            return encode(content, value)
        if not content.required:
            return None, None
        if whole is not None:
            raise Unfit("is required: it is the body of the request")
        return encode(content, {})


def _url(base_url: str, operation: Operation[Any, Any], places: Mapping[str, str], queries: list[str]) -> str:
    """The base URL with the filled path appended, not resolved (OpenAPI Paths Object), and all queries joined."""
    base, _, base_query = base_url.partition("#")[0].partition("?")
    found = _TEMPLATE.match(operation.path)
    path, query = ("", None) if found is None else found.groups()
    owners = {binding.wire_name: binding.argument for binding in operation.bindings if isinstance(binding, Path)}
    filled = "/".join([_segment(segment, places, owners) for segment in path.split("/")])
    if filled:
        base = base.removesuffix("/") + "/" + filled.removeprefix("/")
    own_query = _filled(query, _QUERY_LITERAL, places) if query else ""
    joined = "&".join(filter(None, [base_query, own_query, *queries]))
    return f"{base}?{joined}" if joined else base


def _segment(template: str, places: Mapping[str, str], owners: Mapping[str, str]) -> str:
    """A segment of the path, filled; its values can neither empty it nor make a step up (RFC 3986 §5.2.4)."""
    pieces = _pieces(template, _PATH_LITERAL)
    filled = _filled(template, _PATH_LITERAL, places)
    if len(pieces) == 1:
        return filled
    with _about(owners.get(pieces[1], pieces[1])):
        if not filled:
            raise Unfit("must not be empty, as it is a part of the URL's path")
        if _DOT_SEGMENT.search(unquote(filled)):
            raise Unfit("must not have '.' or '..' as a step of a path")
    return filled


def _filled(template: str, keep: str, places: Mapping[str, str]) -> str:
    """The template's placeholders filled in, and what its author wrote between them made legal."""
    pieces = _pieces(template, keep)
    if len(pieces) == 1:
        return pieces[0]
    for name in pieces[1::2]:
        if name not in places:
            raise ArgumentError(name, f"Argument {_short(name)} is required: it is a part of the URL's path.")
    return "".join([places[piece] if at % 2 else piece for at, piece in enumerate(pieces)])


@lru_cache(4096)
def _pieces(template: str, keep: str) -> tuple[str, ...]:
    """What stands in a template: every second one is a placeholder's name, the others are legal as they are."""
    pieces = _PLACEHOLDER.split(template)
    return tuple(piece if at % 2 else percent(piece, keep, triples=True) for at, piece in enumerate(pieces))
