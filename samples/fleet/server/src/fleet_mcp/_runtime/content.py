"""Bodies: how a value becomes bytes of a media type (OpenAPI Media Type and Encoding Objects)."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .files import as_base64, read
from .operation import Content, Json, Part, Xml
from .style import PLAIN, RESERVED_QUERY, STRICT, Unfit, json_text, member, pairs, percent, plain, scalar_text

FORM = "application/x-www-form-urlencoded"
_FORM_DATA = "multipart/form-data"
_JSON = "application/json"
_TEXT = "text/plain"
_BYTES = "application/octet-stream"
_EVENTS = "text/event-stream"
_EVENT_FIELDS = frozenset({"event", "id", "retry", "data"})
_LINES = frozenset(
    f"application/{name}"
    for name in ("jsonl", "x-jsonl", "jsonlines", "x-jsonlines", "json-lines", "ndjson", "x-ndjson", "stream+json")
)
_CHARSET = re.compile(r";\s*charset\s*=\s*\"?([^\s;\"]+)", re.IGNORECASE)
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_ESCAPES = {'"': "%22", "\r": "%0D", "\n": "%0A"}
# What a part says of itself is ours to say; the last is deprecated (RFC 7578 §4.7).
_OWN_HEADERS = frozenset({"content-type", "content-disposition", "content-transfer-encoding"})


def encode(content: Content, value: Json) -> tuple[str, bytes]:
    """The Content-Type and the bytes of a body; raises ``Unfit`` when the value does not suit the media type."""
    kind = essence(content.media_type)
    if kind.startswith("multipart/"):
        return _multipart(content, value)
    if kind == FORM:
        return content.media_type, form(value, content.parts).encode()
    if content.file or _is_binary(kind):
        file = read(value)
        return _chosen(content.media_type, file.media_type, _BYTES), file.data
    return _entity(content.media_type, value, content.xml)


def written(media_type: str, value: Json, xml: Xml | None = None) -> str:
    """A value as text of a media type, not yet escaped for the place it goes to (a form escapes itself)."""
    kind = essence(media_type)
    if kind == FORM:
        return form(value, ())
    if xml is not None and kind.endswith("xml"):
        from .xml import document  # which few APIs need

        charset = _CHARSET.search(media_type)
        return document(xml, value, "UTF-8" if charset is None else charset[1])
    if isinstance(value, (dict, list)):
        items = value if isinstance(value, list) else [value]
        if kind in _LINES:
            return "".join(json_text(item) + "\n" for item in items)
        if kind.endswith("json-seq"):
            return "".join(f"\x1e{json_text(item)}\n" for item in items)  # RFC 7464
        if kind == _EVENTS:
            return "".join(map(_event, items))
    if is_json(kind):
        return _json(value)
    if isinstance(value, (dict, list)):
        if kind.endswith("xml"):
            raise Unfit("must be a string of XML")
        if kind.endswith("yaml") or not kind.startswith("text/"):
            return _json(value)  # which is YAML, too; and a format of the API's own has no other form here
        raise Unfit(f"must be a string of {kind}")
    return plain(scalar_text(value))


def essence(media_type: str) -> str:
    """A media type without parameters, in lower case (RFC 9110 §8.3.1)."""
    return media_type.partition(";")[0].strip().lower()


def is_json(kind: str) -> bool:
    """Whether a media type (its essence) is JSON, by name or by suffix (RFC 6839)."""
    return kind in (_JSON, "text/json", "application/x-json") or kind.endswith("+json")


def form(value: Json, parts: Iterable[Part]) -> str:
    """An object as ``application/x-www-form-urlencoded`` text.

    A part with a style is written like a query parameter (OpenAPI Encoding Object, RFC 6570-style serialisation); any
    other by its media type, by default text for scalars and JSON for objects, one pair for each item of a list.
    """
    if not isinstance(value, dict):
        raise Unfit("must be an object: its properties are the fields of a form")
    known = {part.name: part for part in parts}
    fields: list[str] = []
    for name, item in value.items():
        part = known.get(name, Part(name))
        with member(name):
            if part.style is not None or part.reserved:
                encoding = RESERVED_QUERY if part.reserved else STRICT
                styled = pairs(name, item, part.style or "form", part.explode, encoding)
                fields += [f"{label}={text}" for label, text in styled]
            else:
                fields += [f"{_form_text(name)}={_form_text(_field(part, one))}" for one in _each(part, item)]
    return "&".join(fields)


def _form_text(text: str) -> str:
    """Text escaped as WHATWG-URL §5 has it: ``+`` for a space, and ``~`` encoded too."""
    return percent(text, keep=" ").replace(" ", "+").replace("~", "%7E")


def _field(part: Part, value: Json) -> str:
    if part.file:
        return as_base64(value)
    return written(_chosen(part.media_type, None, _default(value)), value, part.xml)


def _each(part: Part, value: Json) -> Sequence[Json]:
    """The values of a property, one for each pair or part (OpenAPI 3.2 "Encoding By Name"); ``null`` is none.

    A list of what makes up one nested multipart part is one value.
    """
    kind = "" if part.media_type is None else essence(part.media_type)
    values = value if isinstance(value, list) else [value]
    if kind.startswith("multipart/") and not all(isinstance(item, list) for item in values):
        values = [value]
    if is_json(kind):
        return values
    return [item for item in values if item is not None]


@dataclass(frozen=True, slots=True)
class _Section:
    """One part of a multipart body."""

    headers: tuple[tuple[str, str], ...]
    data: bytes

    def __bytes__(self) -> bytes:
        head = "".join(f"{name}: {text}\r\n" for name, text in self.headers)
        return head.encode() + b"\r\n" + self.data


def _multipart(content: Content, value: Json) -> tuple[str, bytes]:
    """Named parts of an object (RFC 7578), or the parts of a list in order (OpenAPI 3.2 "Encoding By Position").

    The n-th part of a list is encoded as the ``Part`` named ``"n"`` says, counted from 0; whatever has none of its own
    as the one without a name says.
    """
    known = {part.name: part for part in content.parts}
    others = known.get(None, Part(None))
    sections: list[_Section] = []
    if isinstance(value, dict):
        for name, item in value.items():
            with member(name):
                sections += _sections(known.get(name, others), item, name)
    elif isinstance(value, list):
        named = essence(content.media_type) == _FORM_DATA
        for at, item in enumerate(value):
            with member(str(at)):
                # A form whose order counts is a list of objects with one member each.
                pairs_ = item.items() if named and isinstance(item, dict) and len(item) == 1 else [(None, item)]
                sections += [_section(known.get(str(at), others), one, name) for name, one in pairs_]
    else:
        raise Unfit("must be an object or a list: its members are the parts of the body")
    chunks = [bytes(section) for section in sections]
    boundary = _boundary(chunks)
    mark = b"--" + boundary.encode()
    body = b"".join(mark + b"\r\n" + chunk + b"\r\n" for chunk in chunks) + mark + b"--\r\n"
    declared = essence(content.media_type)
    media_type = _FORM_DATA if "*" in declared else content.media_type
    return f"{media_type}; boundary={boundary}", body


def _boundary(chunks: Sequence[bytes]) -> str:
    """A boundary that depends on the parts only, and that none of them contains (RFC 2046 §5.1.1)."""
    digest = hashlib.sha256()
    for chunk in chunks:
        digest.update(len(chunk).to_bytes(8) + chunk)
    while True:
        boundary = digest.hexdigest()[:32]
        if not any(boundary.encode() in chunk for chunk in chunks):
            return boundary
        digest.update(b"again")


def _sections(part: Part, value: Json, name: str) -> list[_Section]:
    """The parts that one property makes; with a style its text is not percent-encoded (OpenAPI Appendix C)."""
    if part.style is None or part.file:  # files have no text to style
        return [_section(part, item, name) for item in _each(part, value)]
    styled = pairs(name, value, part.style, part.explode, PLAIN)
    return [_Section(_headers(part, label, None, None), text.encode()) for label, text in styled]


def _section(part: Part, value: Json, name: str | None) -> _Section:
    if part.encoded:
        return _Section(_headers(part, name, None, _chosen(part.media_type, None, _BYTES)), scalar_text(value).encode())
    if part.media_type is not None and essence(part.media_type).startswith("multipart/"):
        media_type, data = _multipart(Content(part.media_type, part.parts), value)
        return _Section(_headers(part, name, None, media_type), data)
    if part.file or (part.media_type is not None and _is_binary(essence(part.media_type))):
        file = read(value)
        media_type = _chosen(part.media_type, file.media_type, _BYTES)
        # A part without a file name is a text field to most servers, so a file always has one.
        return _Section(_headers(part, name, file.name or name or "file", media_type), file.data)
    media_type, data = _entity(_chosen(part.media_type, None, _default(value)), value, part.xml)
    unsaid = part.media_type is None and name is not None and not isinstance(value, (dict, list))
    return _Section(_headers(part, name, None, None if unsaid else media_type), data)


def _headers(part: Part, name: str | None, filename: str | None, media_type: str | None) -> tuple[tuple[str, str], ...]:
    """The headers of a part; a text field has no Content-Type, as browsers have it (RFC 7578 §4.4)."""
    headers: list[tuple[str, str]] = []
    if name is not None or filename is not None:
        disposition = "attachment" if name is None else f'form-data; name="{_quoted(name)}"'
        suffix = "" if filename is None else f'; filename="{_quoted(filename)}"'
        headers.append(("Content-Disposition", disposition + suffix))
    if media_type is not None:
        headers.append(("Content-Type", media_type))
    return (*headers, *((key, text) for key, text in part.headers if key.lower() not in _OWN_HEADERS))


def _quoted(text: str) -> str:
    """A name in a part's header: UTF-8 with the three escapes of WHATWG-HTML §4.10.21.8 (and so of browsers)."""
    escaped = "".join(_ESCAPES.get(character, character) for character in plain(text))
    if _CONTROL.search(escaped):
        raise Unfit("must not have control characters in its name")
    return escaped


def _entity(media_type: str, value: Json, xml: Xml | None) -> tuple[str, bytes]:
    """The Content-Type and bytes of a value that is no file: text is UTF-8 unless the media type says otherwise."""
    media_type = _chosen(media_type, None, _default(value))
    text = written(media_type, value, xml)
    charset = _CHARSET.search(media_type)
    if charset is None or is_json(essence(media_type)):
        suffix = "; charset=utf-8" if charset is None and essence(media_type).startswith("text/") else ""
        return media_type + suffix, text.encode()
    try:
        return media_type, text.encode(charset[1])
    except (UnicodeEncodeError, LookupError):
        raise Unfit(f"must be text that {charset[1]} can hold") from None


def _json(value: Json) -> str:
    try:
        return json_text(value)
    except Unfit:
        if isinstance(value, dict):
            for name, item in value.items():
                with member(name):
                    json_text({name: item})
        raise


def _event(value: Json) -> str:
    """A server-sent event (HTML §9.2.6): its fields as an object (OpenAPI 3.2), or anything else as its data."""
    fields = value if isinstance(value, dict) and value.keys() <= _EVENT_FIELDS else {"data": value}
    lines: list[str] = []
    for name, item in fields.items():
        with member(name):
            texts = re.split(r"\r\n|\n|\r", plain(scalar_text(item))) if item is not None else []
            if name != "data" and len(texts) > 1:
                raise Unfit("must be text on one line")
            lines += [f"{name}: {text}\n" for text in texts]
    return "".join(lines) + "\n"


def _default(value: Json) -> str:
    """The media type of a value for which none is declared (OpenAPI Encoding Object, ``contentType``)."""
    return _JSON if isinstance(value, (dict, list)) else _TEXT


def _chosen(declared: str | None, actual: str | None, default: str) -> str:
    """One media type out of a declared list of media ranges: what the value itself says, where it may choose."""
    ranges = [] if declared is None else [one.strip() for one in declared.split(",")]
    concrete = [one for one in ranges if "*" not in one]
    if actual is None or (concrete == ranges and len(concrete) == 1):
        fitting = [default] if any(_matches(default, one) for one in ranges) else []
        return next(iter(concrete or fitting), default)
    if not ranges or any(_matches(actual, one) for one in ranges):
        return actual
    return next(iter(concrete), default)


def _matches(media_type: str, media_range: str) -> bool:
    kind, wanted = essence(media_type), essence(media_range)
    return wanted in (kind, "*/*", f"{kind.partition('/')[0]}/*")


def _is_binary(kind: str) -> bool:
    """Whether a media type cannot be written as text (SVG, an image, can)."""
    return kind == _BYTES or (kind.startswith(("image/", "audio/", "video/", "font/")) and not kind.endswith("+xml"))
