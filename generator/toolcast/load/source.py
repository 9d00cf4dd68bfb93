"""An address → the bytes that are there."""

from __future__ import annotations

import difflib
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, quote, urlencode, urlsplit, urlunsplit

from toolcast.diagnostics import Diagnostic, Failure

if TYPE_CHECKING:
    from toolcast.load.login import Login

MAX_BYTES = 64 * 1024 * 1024
TIMEOUT = 30.0
_SECRET = re.compile(r"(?i)token|secret|passw|signature|credential|api.?key|^(key|sig|auth|code|jwt|pat)$|^x-amz-")
_DOCUMENTS = ("openapi.yaml", "openapi.yml", "openapi.json", "swagger.yaml", "swagger.yml", "swagger.json")


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Bytes, and where they were found.

    ``file`` is the name for messages. A URL has lost its credentials in all three texts, and ``url`` is the one
    after redirects. ``peer`` is the IP address that answered, where it is known.
    """

    address: str
    file: str
    url: str | None
    data: bytes
    peer: str | None = None


def read(address: str, *, timeout: float = TIMEOUT, login: Login | None = None) -> Source:
    """The bytes at a file path, an http(s) URL, or ``-`` for standard input; ``timeout`` is for URLs, in seconds.

    ``login`` is for URLs of its origin. Raises Failure TC001 to TC009.
    """
    if address == "-":
        return Source(address="-", file="<stdin>", url=None, data=_standard_input())
    scheme = address.partition("://")[0].lower() if "://" in address else ""
    if scheme in ("http", "https"):
        from toolcast.load.web import Web

        with Web(timeout, login=login) as web:
            return web.fetch(address)
    if re.fullmatch(r"[a-z][a-z0-9+.-]*", scheme):
        raise _failure(
            "TC008",
            f"Addresses that begin with {scheme}:// cannot be read",
            "Give the path of a file, an http(s) URL, or - for standard input.",
        )
    return Source(address=address, file=address, url=None, data=_file(address))


def without_credentials(url: str) -> str:
    """A URL without user, password, fragment, and query parameters that look like secrets."""
    parts = urlsplit(url)
    query = parts.query
    if query and any(_SECRET.search(name) for name, _ in parse_qsl(query, keep_blank_values=True)):
        pairs = parse_qsl(query, keep_blank_values=True)
        query = urlencode([pair for pair in pairs if not _SECRET.search(pair[0])], quote_via=quote)
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, query, ""))


def _file(address: str) -> bytes:
    path = Path(address)
    try:
        with path.open("rb") as stream:
            return bounded(stream.read(MAX_BYTES + 1), address)
    except FileNotFoundError:
        raise _failure("TC001", f"There is no file {address}", _near(path)) from None
    except IsADirectoryError:
        inside = [name for name in _DOCUMENTS if (path / name).is_file()]
        advice = f"Did you mean {path / inside[0]}?" if inside else "Give the path of the document in it."
        raise _failure("TC002", f"{address} is a directory", advice) from None
    except PermissionError:
        raise _failure("TC003", f"{address} may not be read", "Check its permissions.") from None
    except (OSError, ValueError) as error:  # a name that is too long, a NUL in the name, a broken disk
        reason = getattr(error, "strerror", None) or str(error)
        raise _failure("TC003", f"{address} cannot be read: {reason}", "Check the path.") from None


def _near(path: Path) -> str:
    try:
        names = [entry.name for entry in path.parent.iterdir() if entry.is_file()]
    except (OSError, ValueError):
        return f"There is no directory {path.parent} either: check the path."
    close = difflib.get_close_matches(path.name, names, n=1)
    return f"Did you mean {path.with_name(close[0])}?" if close else "Check the path, or give a URL."


def _standard_input() -> bytes:
    stream = getattr(sys.stdin, "buffer", None)
    if stream is None:
        raise _failure("TC003", "There is no standard input", "Give the path of a file or a URL.")
    return bounded(stream.read(MAX_BYTES + 1), "<stdin>")


def bounded(data: bytes, name: str) -> bytes:
    """The bytes of a file, unless they are too many; raises Failure TC007."""
    if len(data) > MAX_BYTES:
        raise _failure(
            "TC007",
            f"{name} is larger than {MAX_BYTES // 2**20} MiB",
            "Check that this is the document; if so, cut it into the parts that you need.",
        )
    return data


def _failure(code: str, message: str, advice: str) -> Failure:
    return Failure(Diagnostic(code=code, severity="error", message=message, help=advice))
