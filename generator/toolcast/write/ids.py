"""The ids of texts: what git calls them, whatever line ends they have on disk."""

from __future__ import annotations

import hashlib

from toolcast.model.lock import Rendition


def lf(data: bytes) -> bytes:
    """A text with LF."""
    return data.replace(b"\r\n", b"\n")


def rendition(text: bytes) -> Rendition:
    """The ids of a text with LF (git-hash-object: a header, then the content)."""
    blob = b"blob %d\0" % len(text) + text
    return Rendition(
        digest=hashlib.sha256(blob).hexdigest(), blob=hashlib.sha1(blob, usedforsecurity=False).hexdigest()
    )


def digest(text: bytes | None) -> str:
    """The id by which a text is known again; "" for none."""
    return rendition(lf(text)).digest if text is not None else ""


def same(text: bytes, known: Rendition) -> bool:
    """Whether a text with LF is a rendition; a lock of format 1 has the SHA-256 of the text without a header."""
    return known.digest == (digest(text) if known.blob else hashlib.sha256(text).hexdigest())


def as_on_disk(text: bytes, old: bytes | None) -> bytes:
    """A text with LF as it takes the place of an old one: with CRLF where most lines of that have it."""
    windows = old is not None and 2 * old.count(b"\r\n") > old.count(b"\n")
    return text.replace(b"\n", b"\r\n") if windows else text
