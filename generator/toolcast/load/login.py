"""The login of a document: headers that its own origin gets, and nobody else."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from toolcast.diagnostics import Diagnostic, Failure
from toolcast.model.urls import origin

if TYPE_CHECKING:
    import httpx2

VARIABLE: Final = "TOOLCAST_DOCUMENT_HEADERS"
_LINE: Final = re.compile(r"\s*([!#$%&'*+.^_`|~0-9A-Za-z-]+)\s*:\s*([\t\x20-\x7e]*?)\s*")  # RFC 9110 section 5


@dataclass(frozen=True, slots=True)
class Login:
    """Header fields for one origin (RFC 6454 section 4)."""

    origin: tuple[str, str, int | None]
    headers: Mapping[str, str] = field(repr=False)

    def sign(self, request: httpx2.Request) -> None:
        """Add the fields to a request for the origin, and take them from any other, as after a redirect."""
        same = origin(urlsplit(str(request.url))) == self.origin
        for name, value in self.headers.items():
            if same:
                request.headers[name] = value
            elif request.headers.get(name) == value:
                del request.headers[name]


def login(address: str, environ: Mapping[str, str] = os.environ) -> Login | None:
    """The login for the document at a URL, from the environment; raises Failure TC010.

    ``TOOLCAST_DOCUMENT_HEADERS`` holds a header field in each line, such as ``Authorization: Bearer …``.
    """
    text = environ.get(VARIABLE, "").strip()
    if not text or not re.match(r"(?i)https?://", address):
        return None
    fields: dict[str, str] = {}
    for line in text.splitlines():
        found = _LINE.fullmatch(line)
        if found is None:
            raise Failure(
                Diagnostic(
                    code="TC010",
                    severity="error",
                    message=f"{VARIABLE} has a line that is no header field",
                    help="Write one in each line, such as `Authorization: Bearer …`, in printable ASCII characters.",
                )
            )
        fields[found[1]] = found[2]
    try:
        return Login(origin(urlsplit(address)), fields)
    except ValueError:
        return None  # no URL that can be read, which is said where it is fetched
