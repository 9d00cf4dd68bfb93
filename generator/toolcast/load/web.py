"""URLs → the bytes that are there, over one pool of connections."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, TypeAlias
from urllib.parse import urlsplit
from urllib.request import getproxies

from toolcast.diagnostics import Diagnostic, Failure
from toolcast.load import source
from toolcast.load.login import VARIABLE, Login
from toolcast.load.remembered import recall, remember
from toolcast.load.source import Source, bounded, without_credentials

if TYPE_CHECKING:
    import httpx2

_HEADERS = {"Accept": "application/json, application/yaml, text/yaml, */*;q=0.5", "User-Agent": "toolcast"}
# Says for each request, those after redirects too, which IP address it may go to; None: any. Raises Refused.
Permit: TypeAlias = Callable[[str], "str | None"]


class Refused(Exception):
    """A request that must not be made; the text says why."""


class Web:
    """Fetches URLs; with a ``permit`` only those that it allows, from the very address that it names.

    Requests to the origin of ``login`` carry its header fields.
    """

    def __init__(self, timeout: float, permit: Permit | None = None, login: Login | None = None) -> None:
        self._timeout = timeout
        self._login = login
        self._permit = permit
        self._client: httpx2.Client | None = None
        self._open = ExitStack()

    def __enter__(self) -> Web:
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    def fetch(self, address: str) -> Source:
        """The bytes at an http(s) URL, those of the last time when they are the same; raises Failure TC004 to TC008,
        and Refused.
        """
        import httpx2

        try:
            name = without_credentials(address)
            httpx2.URL(address)
        except (httpx2.InvalidURL, ValueError):
            raise _failure("TC008", "This is no URL that can be read", "Check its host, port and spelling.") from None
        try:
            known = recall(address)
            asked = known.headers if known is not None else {}
            with self._connected().stream("GET", address, headers=asked) as response:
                peer = _peer(response)
                if known is not None and response.status_code == 304:
                    data = known.data
                elif response.status_code == 200:
                    deadline = time.monotonic() + self._timeout
                    data = bounded(b"".join(_until(response.iter_bytes(), deadline)), name)
                    remember(address, response, data)
                else:
                    raise _status(response, name)
                url = without_credentials(str(response.url))
                return Source(address=name, file=name, url=url, data=data, peer=peer)
        except httpx2.TimeoutException:
            advice = "Try again, or download the document and give its path."
            raise _failure("TC006", f"{name} did not answer within {self._timeout:g} seconds", advice) from None
        except httpx2.TooManyRedirects:
            advice = "Open it in a browser, and give the address where it ends."
            raise _failure("TC004", f"{name} redirects in a circle", advice) from None
        except (httpx2.HTTPError, httpx2.InvalidURL, ValueError, OSError, ImportError) as error:
            # The latter four come from redirects to odd places and from settings of proxies and certificates.
            raise _failure(
                "TC004",
                f"{name} cannot be reached: {_reason(error, address)}",
                "Check the host name, the network and the proxy settings, or download the document and give its path.",
            ) from None

    def _connected(self) -> httpx2.Client:
        """The client, made for the first request."""
        import httpx2

        if self._client is None:
            options: dict[str, Any] = {}
            hooks: list[Callable[[httpx2.Request], None]] = [self._login.sign] if self._login is not None else []
            permit = self._permit
            if permit is not None:
                if set(getproxies()) - {"no"}:  # a proxy looks names up itself: there is no address to hold on to

                    def ask(request: httpx2.Request) -> None:
                        permit(str(request.url))

                    hooks.append(ask)
                else:
                    from toolcast.load.pinning import Pinned

                    options["transport"] = Pinned(permit)
            client = httpx2.Client(
                follow_redirects=True,
                timeout=self._timeout,
                headers=_HEADERS,
                event_hooks={"request": hooks},
                **options,
            )
            self._client = self._open.enter_context(client)
        return self._client


def _peer(response: httpx2.Response) -> str | None:
    """The IP address that answered, which may be a proxy's."""
    stream: Any = response.extensions.get("network_stream")
    found: Any = stream.get_extra_info("server_addr") if stream is not None else None
    return str(found[0]) if found else None


def _until(chunks: Iterable[bytes], deadline: float) -> Iterable[bytes]:
    """The chunks of an answer up to the size bound; an answer that trickles on and on is a timeout."""
    import httpx2

    size = 0
    for chunk in chunks:
        size += len(chunk)
        yield chunk
        if size > source.MAX_BYTES:
            return
        if time.monotonic() > deadline:
            raise httpx2.ReadTimeout("the whole answer took too long")


def _status(response: httpx2.Response, name: str) -> Failure:
    status = response.status_code
    advice = "Open the address in a browser, or download the document and give its path."
    if status in (401, 403, 407):
        advice = f"It needs a login: set {VARIABLE}='Authorization: …', or download the document and give its path."
    elif status in (404, 410):
        advice = "Check the address; for a file on a code host give the link to the raw file."
    phrase = f" {response.reason_phrase}" if response.reason_phrase else ""
    return _failure("TC005", f"{name} answered with status {status}{phrase}", advice)


def _reason(error: Exception, address: str) -> str:
    """The cause of a failed request in a few words; never one that repeats the address, which may hold secrets."""
    text = " ".join(str(error).split())[:200]
    parts = urlsplit(address)
    secrets = [parts.query, parts.username or "", parts.password or "", address]
    return type(error).__name__ if not text or any(s and s in text for s in secrets) else text


def _failure(code: str, message: str, advice: str) -> Failure:
    return Failure(Diagnostic(code=code, severity="error", message=message, help=advice))
