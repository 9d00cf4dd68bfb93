"""Files among the arguments of a call, where JSON has no bytes."""

from __future__ import annotations

import base64
import binascii
import re
from dataclasses import dataclass
from urllib.parse import unquote, unquote_to_bytes

from .operation import Json
from .style import Unfit

_MEDIA_TYPE = re.compile(r"[\w.+-]+/[\w.+-]+(;[\w.+-]+=[\w.+-]+)*", re.ASCII)
_EXPECTED = "must be a file as base64, or as a data: URI such as data:image/png;name=cover.png;base64,iVBORw0K…"


@dataclass(frozen=True, slots=True)
class File:
    """The bytes of a file, with its name and media type where the argument told them."""

    data: bytes
    name: str | None = None
    media_type: str | None = None


def read(value: Json) -> File:
    """The file that an argument holds: a string of base64, or a ``data:`` URI (RFC 2397).

    A ``name`` parameter of the URI is the file's name: ``data:image/png;name=cover.png;base64,…``. Base64 may be of
    the URL-safe alphabet and broken into lines, but must be padded: ordinary words would pass for base64 else.
    Raises ``Unfit`` for anything else.
    """
    if not isinstance(value, str):
        raise Unfit(_EXPECTED)
    if value[:5].lower() != "data:":
        return File(_decoded(value))
    head, comma, tail = value[5:].partition(",")
    if not comma:
        raise Unfit(_EXPECTED)
    media_type, *parameters = (part.strip() for part in head.split(";"))
    name = None
    encoded = False
    for parameter in parameters:
        key, _, text = parameter.partition("=")
        if key.lower() in ("name", "filename"):
            name = _base_name(unquote(text))
        elif parameter.lower() == "base64":
            encoded = True
        elif media_type:
            media_type += f";{parameter}"
    if media_type and not _MEDIA_TYPE.fullmatch(media_type):
        raise Unfit(_EXPECTED)
    data = _decoded(unquote(tail)) if encoded else unquote_to_bytes(tail.encode("utf-8", "replace"))
    return File(data, name, media_type or None)


def as_base64(value: Json) -> str:
    """The file of an argument as base64 text, in the alphabet it came in; raises ``Unfit`` as ``read`` does."""
    file = read(value)
    if isinstance(value, str) and value[:5].lower() != "data:":
        return value
    return base64.b64encode(file.data).decode("ascii")


def _decoded(text: str) -> bytes:
    try:
        ordinary = "".join(text.splitlines()).encode("ascii").translate(bytes.maketrans(b"-_", b"+/"))
        return base64.b64decode(ordinary, validate=True)
    except (UnicodeEncodeError, binascii.Error):
        raise Unfit(_EXPECTED) from None


def _base_name(path: str) -> str | None:
    """The last step of a path: a file's name must not say where to put it (RFC 7578 §4.2)."""
    name = re.split(r"[/\\]", path)[-1]
    return name if name not in ("", ".", "..") else None
