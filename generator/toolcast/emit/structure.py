"""The structure of an emitted file: what it says to whoever reads its language, without the texts in it."""

from __future__ import annotations

import ast
import json
import re
import tomllib
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Any, Final, cast

if TYPE_CHECKING:
    import yaml

# Line by line and word by word, as a shell reads it: environment files, Dockerfiles and recipes of make are near to it.
_SHELL = re.compile(r"(?i:.*\.(?:sh|bash|env|mk)|\.env.*|(?:.*\.)?(?:Dockerfile|Containerfile)(?:\..*)?|Makefile)")
_MAKE = re.compile(r"(?i:.*\.mk|Makefile)")
_TOKEN = re.compile(
    r"""(?P<inert>'[^']*'|\\.|[^\s'"\\;&|<>()$`*?~{}!\#\[\]]+|(?<=\S)\#)
    |(?P<quoted>"(?:\\.|[^"\\])*")
    |(?P<comment>\#.*)
    |(?P<blank>\s+)
    |(?P<sign>.)""",
    re.VERBOSE | re.DOTALL,
)


class Broken(Exception):
    """A text that is nothing in its language; ``line`` counts from 1."""

    def __init__(self, language: str, reason: str, line: int | None = None) -> None:
        super().__init__(f"no {language}: {reason}")
        self.line = line


def is_by_lines(path: str) -> bool:
    """Is it the lines of a file, and no syntax within them, that are compared?"""
    return _language(path) in ("shell", "lines")


def structure(path: str, text: str) -> Any:
    """What can be compared of a file: equal when only texts differ. Raises ``Broken``."""
    match _language(path):
        case "Python":
            return _python(text)
        case "TOML":
            try:
                return _shape(tomllib.loads(text))
            except tomllib.TOMLDecodeError as error:
                line = re.search(r"line (\d+)", str(error))
                raise Broken("TOML", str(error), int(line[1]) if line else None) from None
        case "JSON":
            try:
                return _shape(json.loads(text))
            except json.JSONDecodeError as error:
                raise Broken("JSON", error.msg, error.lineno) from None
        case "YAML":
            return _yaml(text)
        case "Markdown":
            return _markdown(text)
        case "HTML":
            tags = _Tags()
            tags.feed(text)
            tags.close()
            return tags.found
        case "shell":
            # Make puts variables in wherever a $ stands, also between quotes.
            made = _MAKE.fullmatch(path.rpartition("/")[2]) is not None
            return [(words, made and line.count("$")) for line in text.split("\n") if (words := list(_words(line)))]
        case "lines":
            return text.count("\n")
        case _:
            return None


_LANGUAGES: Final = {
    "py": "Python",
    "pyi": "Python",
    "toml": "TOML",
    "json": "JSON",
    "yaml": "YAML",
    "yml": "YAML",
    "md": "Markdown",
    "html": "HTML",
    "htm": "HTML",
    "xml": "HTML",
    "svg": "HTML",
    "txt": "text",
}


def _language(path: str) -> str:
    name = path.rpartition("/")[2]
    known = _LANGUAGES.get(name.rpartition(".")[2].lower())
    return known or ("shell" if _SHELL.fullmatch(name) else "lines")


def _python(text: str) -> str:
    """Python's tree without constants; of bytes, so that a line that declares an encoding counts, as in a file."""
    try:
        tree = ast.parse(text.encode())
    except SyntaxError as error:
        raise Broken("Python", error.msg, error.lineno) from None
    except ValueError as error:
        raise Broken("Python", str(error)) from None
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant):
            node.value = type(node.value).__name__
            node.kind = None
    return ast.dump(tree)


def _shape(value: Any) -> Any:
    if isinstance(value, dict):
        return [_shape(item) for item in cast("dict[str, Any]", value).values()]
    if isinstance(value, list):
        return [_shape(item) for item in cast("list[Any]", value)]
    return type(value).__name__


def _yaml(text: str) -> list[Any]:
    """The nodes of YAML with their tags; nothing is made of them."""
    import yaml

    try:
        return [_node(node) for node in cast("Any", yaml).compose_all(text, yaml.SafeLoader)]
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        raise Broken("YAML", str(getattr(error, "problem", error)), mark and mark.line + 1) from None


def _node(node: yaml.Node) -> Any:
    import yaml

    match node:
        case yaml.MappingNode(value=pairs):
            return ["map", [(_node(key), _node(value)) for key, value in pairs]]
        case yaml.SequenceNode(value=items):
            return ["list", [_node(item) for item in items]]
        case _:
            return node.tag


def _markdown(text: str) -> list[Any]:
    """The blocks of Markdown, each with what its text has besides text and code."""
    from markdown_it import MarkdownIt

    found: list[Any] = []
    for token in MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(text):
        inline = [(child.type, child.tag) for child in token.children or [] if child.type not in _PLAIN]
        language = token.info if token.type == "fence" else ""
        found.append((token.type, token.tag, language, inline))
    return found


_PLAIN: Final = ("text", "text_special", "code_inline", "softbreak")


class _Tags(HTMLParser):
    """The tags of HTML with the names of their attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[Any] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, [name for name, _ in attrs]))

    def handle_endtag(self, tag: str) -> None:
        self.found.append(tag)

    def handle_comment(self, data: str) -> None:
        self.found.append("comment")

    def handle_decl(self, decl: str) -> None:
        self.found.append("declaration")


def _words(line: str) -> Iterator[str]:
    """The words and operators of a line; a word tells where the shell would put something into it."""
    word = ""
    for token in _TOKEN.finditer(line):
        match token.lastgroup:
            case "blank":
                if word:
                    yield word
                word = ""
            case "comment":
                break
            case "inert":
                word = word or "word"
            case "quoted":
                word = (word or "word") + ("$" if re.search(r"(?<!\\)[$`]", token[0]) else "")
            case _:
                word += token[0]
    if word:
        yield word
