"""The HTTP API behind the server: sends requests, and reads answers up to a limit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import anyio

from .credentials import Proof, proven
from .errors import CallError
from .settings import Settings

if TYPE_CHECKING:
    import httpx2

    from .request import Request


@dataclass(frozen=True, slots=True)
class Response:
    """An answer of the API; header names are in lower case.

    ``complete`` is false when the body was longer than the server reads, or its end did not come in time;
    ``url`` has neither query nor user, so that it can be shown.
    """

    status: int
    reason: str
    headers: Mapping[str, str] = field(repr=False)
    body: bytes = field(repr=False)
    complete: bool
    url: str


class Upstream:
    """The connection to an API: one HTTP client, made when the first request goes out."""

    def __init__(self, settings: Settings, agent: str) -> None:
        self._settings = settings
        self._agent = agent
        self._client: httpx2.AsyncClient | None = None

    async def send(self, request: Request, proof: Proof) -> Response:
        """The answer to one request, whatever its status; redirects are answers, too.

        Raises ``CallError`` when there is no answer.
        """
        import httpx2

        settings = self._settings
        unusable = CallError(f"The API's address cannot be used; the operator has to check {settings.prefix}_BASE_URL.")
        try:
            host = urlsplit(request.url).netloc.rpartition("@")[2]
        except ValueError:
            raise unusable from None
        try:
            return await self._exchange(request, proof)
        except TimeoutError:
            reason = f"{host} did not answer within {settings.timeout:g} s ({settings.prefix}_TIMEOUT)"
        except (httpx2.InvalidURL, httpx2.UnsupportedProtocol):
            raise unusable from None
        except (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.ProxyError) as error:
            raise CallError(
                f"The API at {host} cannot be reached ({settings.redact(str(error)) or type(error).__name__}), so "
                f"nothing was sent. Try again later; if it stays so, the operator has to check the network "
                f"and {settings.prefix}_BASE_URL."
            ) from None
        except httpx2.DecodingError:
            reason = f"The answer of {host} is not encoded as it says"
        except httpx2.TransportError as error:
            reason = f"The connection to {host} broke ({type(error).__name__})"
        raise CallError(f"{reason}. {_afterwards(request)}")

    async def aclose(self) -> None:
        """Close the connections; a later request opens new ones."""
        client, self._client = self._client, None
        if client is not None:
            await client.aclose()

    async def _exchange(self, request: Request, proof: Proof) -> Response:
        """One request and its answer; raises ``TimeoutError`` and what httpx2 raises."""
        client = self._open()
        body = bytearray()
        message = self._message(client, request, proof)
        response: httpx2.Response | None = None
        complete = False
        try:
            with anyio.move_on_after(self._settings.timeout) as time:
                response = await client.send(message, stream=True, auth=None)
                complete = await self._read(response, body)
        finally:
            if response is not None:
                with anyio.CancelScope(shield=True):
                    await response.aclose()
        # A stream of events need not end; what came of it in time is the answer.
        if response is None or (time.cancelled_caught and not (body and _is_stream(response))):
            raise TimeoutError
        parts = urlsplit(request.url)
        return Response(
            status=response.status_code,
            reason=response.reason_phrase,
            headers={name.lower(): value for name, value in response.headers.items()},
            body=bytes(body),
            complete=complete,
            url=f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}",
        )

    def _open(self) -> httpx2.AsyncClient:
        if self._client is None:
            import httpx2

            # The time for the whole call is limited in ``_exchange``.
            timeout = httpx2.Timeout(None, connect=min(10.0, self._settings.timeout / 2))
            self._client = httpx2.AsyncClient(timeout=timeout, follow_redirects=False)
        return self._client

    def _message(self, client: httpx2.AsyncClient, request: Request, proof: Proof) -> httpx2.Request:
        import httpx2

        whole = proven(request, proof, self._settings.headers)
        own = (("User-Agent", self._agent), ("Accept-Encoding", client.headers["accept-encoding"]))
        given = {name.lower() for name, _ in whole.headers}
        headers = [pair for pair in own if pair[0].lower() not in given] + list(whole.headers)
        # Not built by the client, which would add the cookies that earlier answers have set.
        message = httpx2.Request(
            whole.method,
            whole.url,
            headers=[(name.encode("ascii"), value.encode()) for name, value in headers],
            content=whole.body,
        )
        message.method = whole.method  # methods mind case (RFC 9110 §9.1), and the class writes them in capitals
        return message

    async def _read(self, response: httpx2.Response, body: bytearray) -> bool:
        """Read into ``body`` and say whether that is all of it."""
        limit = self._settings.max_response_bytes
        async for chunk in response.aiter_bytes():
            room = limit - len(body)
            body += chunk[:room]
            if len(chunk) > room:
                return False
        return True


def _is_stream(response: httpx2.Response) -> bool:
    names = ("x-ndjson", "ndjson", "jsonl", "json-seq")
    kinds = ("text/event-stream", *(f"application/{name}" for name in names))
    return response.headers.get("content-type", "").lower().startswith(kinds)


def _afterwards(request: Request) -> str:
    if request.method in ("GET", "HEAD", "OPTIONS", "QUERY"):
        return "Try again later."
    return "The request may have been carried out; look before you send it again."
