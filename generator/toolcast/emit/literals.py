"""Literals: the only way for a document's text into emitted files.

Each function writes a value as a literal of one language, and returns ``Code``. Templates accept nothing but ``Code``
and integers, so a template that forgets a filter fails to render instead of emitting an exploit. ``Code`` is made in
this module only.
"""

from __future__ import annotations

import html as entities
import json as json_text
import keyword
import re
import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias, cast

_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


class Code(str):
    """Text that is safe where it stands; every operation on it gives a plain ``str`` again."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a class, as a value of emitted code: ``Query("limit", explode=False)``."""

    name: str
    positional: tuple[Literal, ...] = ()
    keywords: Mapping[str, Literal] | None = None


@dataclass(frozen=True, slots=True)
class Name:
    """A name, as a value of emitted code."""

    name: str


Literal: TypeAlias = (
    "Call | Name | None | bool | int | float | str | bytes | tuple[Literal, ...] | list[Literal] | Mapping[str, Literal]"
)


def joined(parts: list[str]) -> Code:
    """Parts that templates have let through, as one text."""
    return Code("".join(parts))


def identifier(name: str) -> Code:
    """A Python identifier, dotted or not; raises ``ValueError`` for anything else."""
    for part in name.split("."):
        if not part.isidentifier() or not part.isascii() or keyword.iskeyword(part):
            raise ValueError(f"{name!r} is no identifier")
    return Code(name)


def names(value: tuple[str, ...]) -> Code:
    """Identifiers, with commas between them."""
    return Code(", ".join(identifier(name) for name in value))


def annotation(text: str) -> Code:
    """A type as Python writes it: names, brackets, commas and bars; raises ``ValueError`` for anything else."""
    if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*(?:[\[\], |A-Za-z0-9_]*)", text):
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
        case Name():
            return identifier(value.name)
        case str():
            return ascii(value) if _CONTROL.search(value) else repr(str(value))
        case None | bool() | int() | float() | bytes():
            return repr(value)
        case tuple():
            inner = ", ".join(_expression(item) for item in value)
            return f"({inner},)" if len(value) == 1 else f"({inner})"
        case list():
            return f"[{', '.join(_expression(item) for item in value)}]"
        case _:
            members = cast("Mapping[str, Literal]", value).items()
            return "{" + ", ".join(f"{str(key)!r}: {_expression(item)}" for key, item in members) + "}"


def docstring(text: str) -> Code:
    """Text inside a docstring's three double quotes: no backslash is read, no quote ends it."""
    text = _CONTROL.sub("", text).replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    return Code(f"{text[:-1]}\\\"" if text.endswith('"') else text)


def comment(text: str) -> Code:
    """Text on one line, for after ``# ``."""
    return Code(" ".join(_CONTROL.sub("", text).split()))


def json(value: object) -> Code:
    """A value as JSON, on one line."""
    return Code(json_text.dumps(value, ensure_ascii=False, allow_nan=False))


def toml(value: str | int | bool | list[str]) -> Code:
    """A value as TOML: a basic string (TOML 1.0), a number, a boolean, or a list of strings."""
    if isinstance(value, list):
        return Code(f"[{', '.join(toml(item) for item in value)}]")
    return Code(json_text.dumps(value).replace("\x7f", "\\u007f"))


def yaml(value: str) -> Code:
    """A text as a double-quoted YAML scalar, which reads JSON's escapes."""
    return Code(json_text.dumps(value).replace("\x7f", "\\u007f"))


def markdown(text: str) -> Code:
    """Text in a paragraph or table cell of Markdown, on one line: nothing in it is markup, HTML or a link."""
    text = " ".join(_CONTROL.sub("", text).split())
    text = re.sub(r"([\\`*_\[\]{}|~$])", r"\\\1", text)
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return Code(re.sub(r"^(\d*)([#+\-=.)])", r"\1\\\2", text))


def code_span(text: str) -> Code:
    """Text as a code span of Markdown, in a table cell too."""
    text = " ".join(_CONTROL.sub("", text).split()).replace("|", "\\|")
    ticks = max((len(run) for run in re.findall("`+", text)), default=0) + 1
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return Code(f"{'`' * ticks}{pad}{text}{pad}{'`' * ticks}")


def html(text: str) -> Code:
    """Text in an element or a quoted attribute of HTML."""
    return Code(entities.escape(_CONTROL.sub("", text)))


def shell(text: str) -> Code:
    """Text as one word of a POSIX shell, and of the ``KEY=value`` lines of an environment file."""
    return Code(shlex.quote(" ".join(_CONTROL.sub("", text).split())))


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
