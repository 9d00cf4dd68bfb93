"""Texts as documents, agents and APIs have them, and texts that break out of something."""

from __future__ import annotations

from toolcast.emit.hostile import HOSTILE

from .choices import Choices, rarely

PLAIN = (
    "",
    "a",
    "pet",
    "Pet name",
    "café",
    "名前",
    "2fast",
    "find pets by status",
    "x-y_z",
    "UPPER",
    "a.b.c",
    "𝒳",
    "-1",
)
ODD = (
    *HOSTILE.values(),
    "../../etc/passwd",
    "..",
    ".",
    "a/b",
    "a?b=c#d",
    "%2e%2e%2f",
    "a\r\nX-Admin: 1",
    "a\nb",
    "\x00",
    "\ud800",
    "\u202eabc",
    "{{7*7}}",
    "${x}",
    "`id`",
    "'; drop",
    '"',
    "\\",
    "]]>",
    "&a;",
    "<!DOCTYPE a>",
    "class",
    "None",
    "__proto__",
    "self",
    "con",
    "true",
    "null",
    "5",
    "[1,2]",
    '{"a": 1}',
    "NaN",
    "1e999",
    "💥" * 40,
    "a" * 300,
    " lead",
    "trail ",
    "\t",
    "data:text/plain;base64,YQ==",
    "YQ==",
    "file:///etc/passwd",
    "http://127.0.0.1/",
    "2020-01-01",
    "(a+)+$",
    "ß",
    "İ",
    "\u200b",
    "a\u0301",
    "ª",
    "ﬁ",
    "١٢",
    "constructor",
    "search_tools",
    "body",
    "_",
    "__",
    "-",
    "$",
    "<",
    "@type",
    "a b",
)
LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFG0123456789_-. /\\'\"{}[]<>&%#?=;:,|\n\t\r\x00\x1b\u2028é名💥\ud800"


def text(choices: Choices) -> str:
    """A text: mostly a plain one, sometimes one that breaks out, sometimes any letters."""
    match choices.number(0, 9):
        case 8:
            return choices.one(ODD)
        case 9:
            return "".join(choices.one(LETTERS) for _ in range(choices.number(0, 12)))
        case _:
            return choices.one(PLAIN)


def name(choices: Choices) -> str:
    """What is most often a name."""
    return text(choices) if rarely(choices, 5) else choices.one(NAMES)


NAMES = (
    "id",
    "name",
    "petId",
    "pet_id",
    "limit",
    "filter[status]",
    "X-Request-ID",
    "tags",
    "owner",
    "status",
    "created-at",
    "page",
    "class",
    "type",
    "body",
    "query",
    "value",
    "values",
    "Name",
    "ID",
    "a",
    "b",
    "items",
    "data",
    "$expand",
)
