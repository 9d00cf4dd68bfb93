"""Where an answer points to: redirects, and operations that the API has only accepted."""

from __future__ import annotations

import ipaddress
import socket
from typing import Final
from urllib.parse import urljoin, urlsplit

import anyio

from .decode import Document, decode
from .request import Request
from .response import Response

_MOVED: Final = frozenset({301, 302, 303, 307, 308})
_PORTS: Final = {"http": 80, "https": 443}
# What long-running operations say while they run, in any case.
_RUNNING: Final = frozenset({"accepted", "inprogress", "notstarted", "pending", "processing", "queued", "running"})


def moved(request: Request, response: Response) -> str | None:
    """The URL that a reading request is redirected to; None where it is not."""
    where = response.headers.get("location")
    if response.status not in _MOVED or request.method not in ("GET", "HEAD") or not where:
        return None
    return _absolute(request.url, where)


def accepted(request: Request, response: Response) -> str | None:
    """The URL, of the API's own origin, that tells what became of an operation that was only accepted (202)."""
    where = response.headers.get("operation-location") or response.headers.get("location")
    if response.status != 202 or not where:
        return None
    url = _absolute(request.url, where)
    return url if url is not None and same_origin(request.url, url) else None


def running(response: Response) -> bool:
    """Whether an operation that was accepted still goes on."""
    if response.status == 202:
        return True
    match decode(response, json_expected=True):
        case Document(dict() as value):
            said = value.get("status") or value.get("state")
        case _:
            return False
    word = "".join(sign for sign in said.lower() if sign.isalpha()) if isinstance(said, str) else ""
    return word in _RUNNING


def same_origin(one: str, other: str) -> bool:
    """Whether two URLs have scheme, host and port in common (RFC 6454)."""
    return _origin(one) == _origin(other)


async def reachable(start: str, target: str) -> bool:
    """Whether a redirect may be followed: not from https to http, nor from a public host to one of a private network.

    A name is looked up here and again when it is connected to; whoever can change it between the two is not stopped.
    """
    if urlsplit(start).scheme == "https" and urlsplit(target).scheme != "https":
        return False
    if same_origin(start, target) or not await _public(start):
        return True
    return await _public(target)


async def _public(url: str) -> bool:
    try:
        found = await anyio.getaddrinfo(urlsplit(url).hostname or "", None, type=socket.SOCK_STREAM)
    except OSError:
        return False
    addresses = [entry[4][0].partition("%")[0] for entry in found]
    return bool(addresses) and all(ipaddress.ip_address(address).is_global for address in addresses)


def _origin(url: str) -> tuple[str, str, int | None]:
    parts = urlsplit(url)
    return parts.scheme, (parts.hostname or "").lower(), parts.port or _PORTS.get(parts.scheme)


def _absolute(base: str, where: str) -> str | None:
    try:
        url = urljoin(base, where)
        parts = urlsplit(url)
        usable = parts.scheme in _PORTS and bool(parts.hostname) and parts.port != 0 and parts.username is None
    except ValueError:
        return None
    return url.partition("#")[0] if usable else None
