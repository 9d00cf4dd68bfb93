from __future__ import annotations

import codecs

import pytest

from toolcast.diagnostics import Failure
from toolcast.load.text import decode

TEXT = "title: Pêche 🐟\n"


@pytest.mark.parametrize(
    "data",
    [
        TEXT.encode(),
        codecs.BOM_UTF8 + TEXT.encode(),
        codecs.BOM_UTF16_LE + TEXT.encode("utf-16-le"),
        codecs.BOM_UTF16_BE + TEXT.encode("utf-16-be"),
        codecs.BOM_UTF32_LE + TEXT.encode("utf-32-le"),
        codecs.BOM_UTF32_BE + TEXT.encode("utf-32-be"),
    ],
)
def test_the_byte_order_mark_tells_the_encoding(data: bytes) -> None:
    assert decode(data, "api.yaml") == TEXT


@pytest.mark.parametrize(
    ("data", "line", "word"),
    [
        (b"a: 1\nb: caf\xe9\n", 2, "UTF-8"),
        (b"\xff\xfea", 1, "UTF-16"),
        (b"\x1f\x8b\x08\x00", 1, "gzip"),
        (b"%PDF-1.7\n\xe2\xe3", 2, "PDF"),
    ],
)
def test_other_bytes_are_refused_with_their_line(data: bytes, line: int, word: str) -> None:
    with pytest.raises(Failure) as caught:
        decode(data, "api.yaml")
    found = caught.value.diagnostic
    assert (found.code, word in found.message) == ("TC011", True)
    assert found.location is not None
    assert found.location.line == line
