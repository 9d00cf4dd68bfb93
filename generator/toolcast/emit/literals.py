"""Literals: the only way for a document's text into emitted files.

Each function writes a value as a literal of one language, and returns ``Code``. Templates accept nothing but ``Code``
and integers, so a template that forgets a filter fails to render instead of emitting an exploit. ``Code`` is made in
this module only.
"""

from __future__ import annotations

import html as entities
import json as json_text
import keyword
import math
import re
import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias, cast

# What nobody sees on a screen, or what moves other characters about: controls, separators, directions, tags, halves of
# surrogate pairs. Joiners stay in prose, where scripts and emoji need them. The list is our own, as what Python's
# repr() escapes differs from one version to the next.
_INVISIBLE = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e007f\ud800-\udfff"
)
_UNPRINTABLE = re.compile(f"[{_INVISIBLE}]")
_ESCAPED = re.compile(f'[{_INVISIBLE}\t\n\xa0\u1680\u2000-\u200d\u202f\u205f\u3000\\\\"]')
_SHORT = {"\t": "\\t", "\n": "\\n", "\r": "\\r", "\\": "\\\\", '"': '\\"'}


class Code(str):
    """Text that is safe where it stands; every operation on it gives a plain ``str`` again."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a class, as a value of emitted code: ``Query("limit", explode=False)``."""

    name: str
    positional: tuple[Literal, ...] = ()
    keywords: Mapping[str, Literal] | None = None


Literal: TypeAlias = (
    "Call | bool | int | float | str | bytes | tuple[Literal, ...] | list[Literal] | Mapping[str, Literal] | None"
)


def joined(parts: list[str]) -> Code:
    """Parts that templates have let through, as one text."""
    return Code("".join(parts))


def identifier(name: str) -> Code:
    """A Python identifier; raises ``ValueError`` for anything else."""
    if not name.isidentifier() or not name.isascii() or keyword.iskeyword(name):
        raise ValueError(f"{name!r} is no identifier")
    return Code(name)


def names(value: tuple[str, ...]) -> Code:
    """What an import lists: identifiers with commas between them, ``NAME as OTHER`` where one is renamed."""
    return Code(", ".join(" as ".join(identifier(part) for part in name.split(" as ")) for name in value))


def annotation(text: str) -> Code:
    """A type as Python writes it: names, brackets, commas and bars; raises ``ValueError`` for anything else."""
    if not re.fullmatch(r"[A-Za-z_][\[\], |A-Za-z0-9_]*", text):
        raise ValueError(f"{text!r} is no type")
    return Code(text)


def py(value: Literal) -> Code:
    """A value as a Python expression."""
    return Code(_expression(value))


def _expression(value: Literal) -> str:
    match value:
        case Call():
            given = [_expression(item) for item in value.positional]
            given += [f"{identifier(key)}={_expression(item)}" for key, item in (value.keywords or {}).items()]
            return f"{identifier(value.name)}({', '.join(given)})"
        case str():
            return f'"{_ESCAPED.sub(_python_escape, value)}"'
        case float() if not math.isfinite(value):
            return f'float("{value!r}")'
        case None | bool() | int() | float() | bytes():
            return repr(value)
        case tuple():
            inner = ", ".join(_expression(item) for item in value)
            return f"({inner},)" if len(value) == 1 else f"({inner})"
        case list():
            return f"[{', '.join(_expression(item) for item in value)}]"
        case _:
            members = cast("Mapping[str, Literal]", value).items()
            return "{" + ", ".join(f"{_expression(str(key))}: {_expression(item)}" for key, item in members) + "}"


def docstring(text: str) -> Code:
    """Text inside a docstring's three double quotes: no backslash is read, no quote ends it."""
    text = _UNPRINTABLE.sub("", text).replace("\\", "\\\\")
    return Code(re.sub(r'"{3,}|"+\Z', lambda quotes: '\\"' * len(quotes[0]), text))


def comment(text: str) -> Code:
    """Text on one line, for after ``# ``."""
    return Code(_line(text))


def json(value: object) -> Code:
    """A value as JSON, on one line; raises ``ValueError`` for what JSON cannot hold."""
    return Code(visible(json_text.dumps(value, ensure_ascii=False, allow_nan=False)))


def visible(text: str) -> str:
    """The same JSON, in which whatever nobody would see in a review is escaped."""
    # Quotes and backslashes are escaped already, and nothing outside of texts can match.
    return _UNPRINTABLE.sub(lambda match: json_text.dumps(match[0])[1:-1], text)


def toml(value: str | int | bool | list[str]) -> Code:
    """A value as TOML 1.0: a basic string, a number, a boolean, or a list of strings."""
    if isinstance(value, list):
        return Code(f"[{', '.join(toml(item) for item in value)}]")
    if isinstance(value, str):
        return Code(f'"{_ESCAPED.sub(_scalar_escape, value)}"')
    return Code(json_text.dumps(value))


def yaml(value: str) -> Code:
    """A text as a double-quoted YAML scalar."""
    return Code(f'"{_ESCAPED.sub(_scalar_escape, value)}"')


def markdown(text: str) -> Code:
    """Text in a paragraph or table cell of Markdown, on one line: code spans stay, and nothing else is markup."""
    parts = re.split(r"(?<!`)`([^`]+)`(?!`)", _line(text))
    return Code("".join(code_span(part) if index % 2 else _escaped_markdown(part) for index, part in enumerate(parts)))


def code_span(text: str) -> Code:
    """Text as a code span of Markdown, in a table cell too; nothing of an empty text."""
    text = _line(text).replace("|", "\\|")
    if not text:
        return Code("")
    ticks = "`" * (max((len(run) for run in re.findall("`+", text)), default=0) + 1)
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return Code(f"{ticks}{pad}{text}{pad}{ticks}")


def html(text: str) -> Code:
    """Text in an element or a quoted attribute of HTML."""
    return Code(entities.escape(_UNPRINTABLE.sub("", text)))


def shell(text: str) -> Code:
    """Text as one word of a POSIX shell, and of the ``KEY=value`` lines of an environment file."""
    return Code(shlex.quote(_line(text)))


def _line(text: str) -> str:
    """Text on one line, without what cannot be seen."""
    return " ".join(_UNPRINTABLE.sub(lambda match: " " if match[0] in "\r\x0b\x0c\u2028\u2029" else "", text).split())


def _escaped_markdown(text: str) -> str:
    # Underscores inside of words are no markup, and names are full of them.
    text = re.sub(r"([\\`*\[\]{}|~$]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9]))", r"\\\1", text)
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return re.sub(r"^([#+=-]|\d{1,9}(?=[.)](?:\s|$)))", _at_line_start, text)


def _at_line_start(match: re.Match[str]) -> str:
    return f"{match[0]}\\" if match[0].isdigit() else f"\\{match[0]}"


def _python_escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    if match[0] in _SHORT:
        return _SHORT[match[0]]
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _scalar_escape(match: re.Match[str]) -> str:
    """An escape that TOML and YAML read; half of a surrogate pair is no character for them."""
    code = ord(match[0]) if not "\ud800" <= match[0] <= "\udfff" else 0xFFFD
    return _SHORT.get(match[0]) or (f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}")


FILTERS: Mapping[str, Callable[..., Code]] = {
    "annotation": annotation,
    "code_span": code_span,
    "comment": comment,
    "docstring": docstring,
    "html": html,
    "identifier": identifier,
    "json": json,
    "markdown": markdown,
    "names": names,
    "py": py,
    "shell": shell,
    "toml": toml,
    "yaml": yaml,
}
