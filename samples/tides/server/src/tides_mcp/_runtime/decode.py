"""What the body of a response is, whatever its headers call it: JSON, records, text, bytes or nothing."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias, cast

from .operation import Json
from .response import Response

_RECORDS: Final = frozenset(
    {
        "application/x-ndjson",
        "application/ndjson",
        "application/jsonl",
        "application/x-jsonl",
        "application/jsonlines",
        "application/x-jsonlines",
        "application/json-lines",
        "application/json-seq",
        "application/stream+json",
    }
)
_TEXTUAL: Final = re.compile(
    r"text/.*|.*\+(xml|yaml|json)|application/(xml|yaml|x-yaml|toml|javascript|ecmascript|sql|graphql"
    r"|x-www-form-urlencoded|xml-dtd|x-sh|pem-certificate-chain)"
)
_UNSAID: Final = frozenset({"", "application/octet-stream", "binary/octet-stream", "application/unknown"})
_MAX_DEPTH: Final = 200  # of levels; what is deeper stays text
_SIGNATURES: Final = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"%PDF-", "application/pdf"),
    (b"PK\x03\x04", "application/zip"),
    (b"\x1f\x8b", "application/gzip"),
)


@dataclass(frozen=True, slots=True)
class Document:
    """A JSON document, and its compact text."""

    value: Json
    text: str


@dataclass(frozen=True, slots=True)
class Records:
    """A sequence of JSON documents (NDJSON, server-sent events), and how they came."""

    items: list[Json]
    text: str
    complete: bool


@dataclass(frozen=True, slots=True)
class Text:
    """Any other text; ``note`` says what is odd about it."""

    text: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Binary:
    """Bytes."""

    data: bytes
    media_type: str


@dataclass(frozen=True, slots=True)
class Nothing:
    """No content."""


@dataclass(frozen=True, slots=True)
class Excess:
    """More than the server reads, in a form of which a part is of no use."""


_COMPACT: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))

Content: TypeAlias = Document | Records | Text | Binary | Nothing | Excess


def decode(response: Response, *, json_expected: bool = False) -> Content:
    """The content of a response; ``json_expected`` says that bare JSON scalars count as JSON in any text."""
    body = response.body
    declared, charset = _content_type(response)
    if not body:
        return Nothing()
    if declared in _RECORDS or declared == "text/event-stream":
        return _records(_text(body, charset), declared, complete=response.complete)
    is_json = declared.endswith(("/json", "+json"))
    textual = _TEXTUAL.fullmatch(declared) is not None
    unsaid = declared in _UNSAID
    if is_json or textual or unsaid:
        looks_json = body.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (b"{", b"[")
        if not response.complete and (is_json or looks_json):
            return Excess()
        if (is_json or looks_json or json_expected) and (document := _document(body, charset)):
            return document
        if (is_json or looks_json) and (records := _lines(_text(body, charset))):
            return records
    signature = next((kind for start, kind in _SIGNATURES if body.startswith(start)), None) if unsaid else None
    if signature is None and (textual or is_json or (unsaid and _is_text(body))):
        note = f"declared as {declared}, but not JSON that can be read" if is_json else ""
        return Text(_text(body, charset), note if response.complete else "the beginning of a longer answer")
    if not response.complete:
        return Excess()
    return Binary(body, signature or declared or "application/octet-stream")


def dump(value: Json) -> str:
    """A value as compact JSON."""
    return _COMPACT.encode(value)


def parse(text: str | bytes) -> Json:
    """The JSON value of a text; raises ``ValueError``.

    Numbers that JSON cannot carry on (1e999, NaN) become strings.
    """
    try:
        return cast("Json", json.loads(text, parse_float=_number, parse_constant=str))
    except RecursionError:
        raise ValueError("nested too deeply") from None


def _number(text: str) -> float | str:
    value = float(text)
    return value if math.isfinite(value) else text


def _content_type(response: Response) -> tuple[str, str]:
    """The media type in lower case, and the charset."""
    header = response.headers.get("content-type", "")
    charset = re.search(r"""charset\s*=\s*["']?([\w.:+-]+)""", header, re.IGNORECASE)
    return header.partition(";")[0].strip().lower(), charset[1] if charset else "utf-8"


def _document(body: bytes, charset: str) -> Document | None:
    for source in (body, _text(body, charset)):
        try:
            value = parse(source)
            text = dump(value)
            try:
                text.encode()
            except UnicodeEncodeError:  # half of a surrogate pair, which no transport carries
                value = parse(text.encode(errors="replace"))
                text = dump(value)
        except (ValueError, RecursionError):
            continue
        return Document(value, text) if depth(value) <= _MAX_DEPTH else None
    return None


def depth(value: Json) -> int:
    """How many levels a value has."""
    levels, level = 0, [value]
    while level:
        levels += 1
        level = [
            child
            for node in level
            if isinstance(node, dict | list)
            for child in (node.values() if isinstance(node, dict) else node)
        ]
    return levels


def _lines(text: str) -> Records | None:
    """JSON documents on lines of their own, where one document was announced."""
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) < 2:
        return None
    try:
        return Records([parse(line) for line in lines], text, complete=True)
    except ValueError:
        return None


def _records(text: str, media_type: str, *, complete: bool) -> Records:
    if media_type == "text/event-stream":
        entries = list(_events(text if not complete else f"{text}\n\n"))
    else:
        entries = re.split(r"[\n\x1e]", text)
        del entries[len(entries) - (not complete) :]  # the last one may be cut off
    items: list[Json] = []
    for entry in entries:
        if not entry.strip():
            continue
        document = _document(entry.encode(), "utf-8")
        items.append(entry if document is None else document.value)
    return Records(items, text, complete)


def _events(text: str) -> Iterator[str]:
    """The data of each server-sent event (HTML standard, section 9.2.6)."""
    data: list[str] = []
    for line in re.split(r"\r\n|\n|\r", text):
        name, _, value = line.partition(":")
        if name == "data":
            data.append(value.removeprefix(" "))
        elif not line and data:
            yield "\n".join(data)
            data = []


def _text(body: bytes, charset: str) -> str:
    try:
        return body.decode(charset, errors="replace").removeprefix("\ufeff")
    except (LookupError, UnicodeError):
        return body.decode("utf-8", errors="replace").removeprefix("\ufeff")


def _is_text(body: bytes) -> bool:
    sample = body[:4096]
    try:
        text = sample.decode()
    except UnicodeDecodeError as error:
        # The sample may end in the middle of a character.
        if len(body) <= len(sample) or error.start < len(sample) - 3:
            return False
        text = sample[: error.start].decode()
    return not re.search(r"[\x00-\x08\x0e-\x1a\x1c-\x1f]", text)
