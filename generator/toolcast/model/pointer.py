"""JSON Pointers (RFC 6901), and what a ``$ref`` of a document leads to."""

from __future__ import annotations

from urllib.parse import unquote

from toolcast.model.document import Document
from toolcast.model.json import Json


class Missing(Exception):
    """A reference that leads nowhere."""


def child(pointer: str, *keys: str | int) -> str:
    """The pointer to a member below ``pointer``."""
    return pointer + "".join("/" + str(key).replace("~", "~0").replace("/", "~1") for key in keys)


def tokens(pointer: str) -> list[str]:
    """The unescaped steps of a pointer."""
    return [token.replace("~1", "/").replace("~0", "~") for token in pointer.split("/")[1:]]


def follow(value: Json, pointer: str) -> Json:
    """The value at a pointer below ``value``; raises ``Missing``."""
    for token in tokens(pointer):
        match value:
            case dict() if token in value:
                value = value[token]
            case list() if token.isascii() and token.isdigit() and int(token) < len(value):
                value = value[int(token)]
            case _:
                raise Missing(pointer)
    return value


def resolve(document: Document, reference: str) -> Json:
    """The value that a ``$ref`` leads to: ``#/pointer``, or ``FILE#/pointer``; raises ``Missing``.

    A fragment is percent-decoded before it is read as a pointer (RFC 6901 section 6).
    """
    file, _, fragment = reference.partition("#")
    if file and file not in document.files:
        raise Missing(reference)
    pointer = unquote(fragment)
    if pointer and not pointer.startswith("/"):
        raise Missing(reference)
    return follow(document.files[file] if file else document.root, pointer)
