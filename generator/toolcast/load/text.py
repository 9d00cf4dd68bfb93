"""Bytes of a document → its text."""

from __future__ import annotations

import codecs

from toolcast.diagnostics import Diagnostic, Failure, Location

# UTF-32 stands first: its little-endian mark begins with the one of UTF-16.
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_OTHER = (
    (b"\x1f\x8b", "a gzip archive"),
    (b"PK\x03\x04", "a ZIP archive"),
    (b"%PDF-", "a PDF file"),
    (b"\x89PNG", "an image"),
)


def decode(data: bytes, file: str) -> str:
    """The text of a file: UTF-8, or what its byte order mark says.

    Raises Failure TC011 where the bytes are no such text.
    """
    encoding = next((name for mark, name in _MARKS if data.startswith(mark)), "utf-8")
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        kind = next((name for start, name in _OTHER if data.startswith(start)), None)
        name = encoding.removesuffix("-sig").upper()
        message = f"This is {kind}, not an OpenAPI document" if kind else f"Byte {error.start} is not {name}"
        raise Failure(
            Diagnostic(
                code="TC011",
                severity="error",
                message=message,
                location=Location(file=file, line=data.count(b"\n", 0, error.start) + 1),
                help="Unpack it first." if kind and "archive" in kind else "Save the document as UTF-8.",
            )
        ) from None
