"""What an API may answer: mostly what it promised, sometimes anything that a socket can carry."""

# Values of any shape are what this is about.
# pyright: basic

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .arguments import anything, value
from .choices import Choices, rarely
from .texts import text

_TYPES = (
    "application/json",
    "application/json; charset=utf-16",
    "text/plain",
    "text/html; charset=nonsense",
    "image/png",
    "application/xml",
    "application/octet-stream",
    "application/x-ndjson",
    "text/event-stream",
    "application/problem+json",
    "application/json-seq",
    "",
    "json",
    "*/*",
    "text/csv",
    "audio/mpeg",
    "a/b; charset=\x1b[31m",
    "multipart/mixed; boundary=x",
)
_BODIES = (
    b"",
    b"null",
    b"{",
    b'{"a": NaN}',
    b"\xff\xfe{\x00}\x00",
    b"\xef\xbb\xbf{}",
    b"[" * 100_000,
    b'{"a":' * 5_000,
    b"1" * 5_000,
    b'"\\ud800"',
    b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>',
    b"\x89PNG\r\n\x1a\n",
    b"\x1f\x8b\x08\x00",
    b"PK\x03\x04",
    b'{"a": 1}\n{"a": 2}\nnot json\n',
    b'data: {"a": 1}\n\nevent: x\nid: 1\n\n',
    b"\x1e{}\n",
    b"\x1b[2J\x1b]0;title\x07 \xe2\x80\xae hidden \xf3\xa0\x81\x81",
    b"1e999",
    b'{"a": 1, "a": 2}',
    b"\x00",
    b"true false",
    b"  [1]  ",
    b'{"": {"": ""}}',
    b'{"$ref": "#"}',
    b'{"_truncated": 1, "_unmatched": 2}',
    b"a,b\r\n1,2\r\n",
    b"-----x\r\n\r\n-----x--",
)
_STATUSES = (
    200,
    200,
    200,
    200,
    201,
    202,
    204,
    206,
    304,
    301,
    302,
    400,
    401,
    403,
    404,
    409,
    412,
    422,
    429,
    500,
    503,
    599,
    100,
    999,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A status, headers in lower case, a body, and whether that is all of it."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    complete: bool


def answer(choices: Choices, schema: Mapping[str, Any] | None) -> Answer:
    """An answer to a tool whose results have this schema."""
    headers = {"content-type": "application/json" if choices.number(0, 2) else choices.one(_TYPES)}
    for name in ("location", "retry-after", "content-disposition", "link", "etag", "www-authenticate", "x-request-id"):
        if rarely(choices, 15):
            headers[name] = text(choices)
    return Answer(
        status=choices.one(_STATUSES), headers=headers, body=body(choices, schema), complete=not rarely(choices, 30)
    )


def body(choices: Choices, schema: Mapping[str, Any] | None) -> bytes:
    """The bytes of an answer."""
    match choices.number(0, 9):
        case 0:
            return choices.one(_BODIES)
        case 1:
            made = json.dumps(anything(choices, 3)).encode()
            at = choices.number(0, len(made))
            return (
                made[:at] + choices.one((b"", b"\x00", b"}", b"\xff", b",", b'"')) + made[at + choices.number(0, 2) :]
            )
        case 2:
            problem = {
                "type": "about:blank",
                "title": text(choices),
                "detail": text(choices),
                "errors": anything(choices, 2),
            }
            return json.dumps(problem).encode()
        case 3:
            return text(choices).encode("utf-8", "surrogatepass")
        case 4:
            return json.dumps(anything(choices, 4), ensure_ascii=False).encode("utf-8", "surrogatepass")
        case _:
            wanted = value(choices, dict(schema or {}), schema or {}, 0)
            wanted = wanted.get("result", wanted) if isinstance(wanted, dict) and choices.number(0, 1) else wanted
            return json.dumps(wanted).encode()
