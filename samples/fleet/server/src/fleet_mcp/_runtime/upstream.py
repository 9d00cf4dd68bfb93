"""The HTTP API behind the server: sends requests, and reads answers up to a limit."""

from __future__ import annotations

import ssl
from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

import anyio

from . import elsewhere
from .credentials import Proof, proven
from .errors import CallError
from .log import LOGGER
from .manners import asked_pause, passing, repeatable
from .request import Request
from .response import Response
from .settings import Settings
from .telemetry import observed
from .turns import Turns

if TYPE_CHECKING:
    import httpx2

_SHORTEST_POLL: Final = 0.1  # seconds between two looks
_LONGEST_POLL: Final = 10.0


class Upstream:
    """The connection to an API: one HTTP client, made when the first request goes out."""

    def __init__(self, settings: Settings, agent: str) -> None:
        self._settings = settings
        self._agent = agent
        # By whether it shows the operator's certificate.
        self._clients: dict[bool, httpx2.AsyncClient] = {}
        self._turns: Turns | None = None

    async def send(self, request: Request, proof: Proof, *, tool: str = "", caller: str = "") -> Response:
        """The answer to one request, whatever its status; ``caller`` is whoever shares a rate.

        Raises ``CallError`` when there is no answer in the time that calls of the tool have.
        """
        manners = self._settings.manners
        if self._turns is None:
            self._turns = Turns(manners)
        time = manners.time(tool)
        deadline = anyio.current_time() + time
        async with self._turns.turn(caller, time):
            response = await self._answered(request, proof, deadline, time)
            if manners.redirects:
                response = await self._redirected(request, proof, response, deadline, time)
            if manners.polling:
                response = await self._completed(request, proof, response)
        return response

    async def plain(self, request: Request) -> Response:
        """The answer to a request that carries nothing but itself, such as one for a token; raises ``CallError``."""
        time = self._settings.manners.timeout
        return await self._answered(request, None, anyio.current_time() + time, time)

    async def aclose(self) -> None:
        """Close the connections; a later request opens new ones."""
        clients, self._clients = self._clients, {}
        for client in clients.values():
            await client.aclose()

    async def _answered(self, request: Request, proof: Proof | None, deadline: float, time: float) -> Response:
        """The answer to a request that is sent again when that may help."""
        manners = self._settings.manners
        for attempt in count():
            left = deadline - anyio.current_time()
            try:
                response = await self._tried(request, proof, left, time)
            except _Failed as failed:
                pause = manners.pause(attempt)
                if not failed.again or attempt >= manners.retries or pause >= deadline - anyio.current_time():
                    tries = f" It was tried {attempt + 1} times." if attempt else ""
                    raise CallError(f"{failed.reason}.{tries} {failed.advice}") from None
            else:
                if not passing(request.method, response.status) or attempt >= manners.retries:
                    return response
                asked = asked_pause(response.headers.get("retry-after", ""))
                pause = manners.pause(attempt) if asked is None else asked
                if pause >= deadline - anyio.current_time():
                    return response
            LOGGER.info("%s %s is sent again in %.1f s", request.method, shown(request.url), pause)
            await anyio.sleep(pause)
        raise AssertionError("the last attempt has returned")

    async def _tried(self, request: Request, proof: Proof | None, left: float, time: float) -> Response:
        """The answer to one request; raises ``_Failed``."""
        import httpx2

        prefix = self._settings.prefix
        unusable = f"The API's address cannot be used; the operator has to check {prefix}_BASE_URL"
        try:
            host = urlsplit(request.url).netloc.rpartition("@")[2]
        except ValueError:
            raise _Failed(unusable, "Nothing was sent.") from None
        again = repeatable(request.method)
        afterwards = _afterwards(request)
        try:
            with observed(request.method, shown(request.url)) as exchange:
                response = await self._exchange(request, proof, left)
                exchange.answered(response.status)
                return response
        except TimeoutError:
            reason = f"{host} did not answer within {time:g} s ({prefix}_TIMEOUT)"
            again = False
        except (httpx2.InvalidURL, httpx2.UnsupportedProtocol):
            raise _Failed(unusable, "Nothing was sent.") from None
        except (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.ProxyError) as error:
            said = self._settings.redact(str(error)) or type(error).__name__
            reason = f"The API at {host} cannot be reached ({said}), so nothing was sent"
            afterwards = (
                f"Try again later; if it stays so, the operator has to check the network and {prefix}_BASE_URL."
            )
            again = True
        except httpx2.DecodingError:
            reason = f"The answer of {host} is not encoded as it says"
            again = False
        except httpx2.ReadTimeout:
            reason = f"{host} sent nothing for {self._settings.manners.read_timeout:g} s ({prefix}_READ_TIMEOUT)"
        except (httpx2.TransportError, ssl.SSLError) as error:  # the last one comes from an established connection
            reason = f"The connection to {host} broke ({type(error).__name__})"
            if _is_about_certificates(error):
                reason = f"{host} takes no request without a client certificate that it knows"
                afterwards, again = f"The operator has to check {prefix}_CLIENT_CERTIFICATE.", False
        raise _Failed(reason, afterwards, again=again)

    async def _redirected(
        self, request: Request, proof: Proof | None, response: Response, deadline: float, time: float
    ) -> Response:
        """Where redirects lead; what leads in circles, too far or to where it must not is the answer itself."""
        seen = {request.url}
        for _ in range(self._settings.manners.redirects):
            target = elsewhere.moved(request, response)
            if target is None or target in seen or not await elsewhere.reachable(request.url, target):
                break
            seen.add(target)
            if elsewhere.same_origin(request.url, target):
                request = replace(request, url=target)
            else:  # nothing of the caller's or the operator's goes to another origin
                accept = tuple(pair for pair in request.headers if pair[0].lower() == "accept")
                request, proof = replace(request, url=target, headers=accept), None
            response = await self._answered(request, proof, deadline, time)
        return response

    async def _completed(self, request: Request, proof: Proof, response: Response) -> Response:
        """What became of an operation that was only accepted; the last state of one that takes too long."""
        url = elsewhere.accepted(request, response)
        if url is None:
            return response
        manners = self._settings.manners
        accept = tuple(pair for pair in request.headers if pair[0].lower() == "accept")
        state = Request("GET", url, accept, None)
        deadline = anyio.current_time() + manners.polling
        for attempt in count():
            asked = asked_pause(response.headers.get("retry-after", ""))
            pause = min(_LONGEST_POLL, 0.5 * 2**attempt) if asked is None else max(_SHORTEST_POLL, asked)
            if anyio.current_time() + pause >= deadline:
                break
            await anyio.sleep(pause)
            response = await self._answered(state, proof, deadline, manners.polling)
            if not elsewhere.running(response):
                break
        return response

    async def _exchange(self, request: Request, proof: Proof | None, left: float) -> Response:
        """One request and its answer; raises ``TimeoutError`` and what httpx2 raises."""
        client = self._open(known=proof is not None)
        body = bytearray()
        message = self._message(client, request, proof)
        response: httpx2.Response | None = None
        complete = False
        try:
            with anyio.move_on_after(left) as time:
                response = await client.send(message, stream=True, auth=None)
                complete = await self._read(response, body)
        finally:
            if response is not None and not response.is_closed:  # which it is when it was read to its end
                with anyio.CancelScope(shield=True):
                    await response.aclose()
        # A stream of events need not end; what came of it in time is the answer.
        if response is None or (time.cancelled_caught and not (body and _is_stream(response))):
            raise TimeoutError
        return Response(
            status=response.status_code,
            reason=response.reason_phrase,
            headers={name.lower(): value for name, value in response.headers.items()},
            body=bytes(body),
            complete=complete,
            url=shown(request.url),
        )

    def _open(self, *, known: bool) -> httpx2.AsyncClient:
        """The client for the API itself, to which the server is ``known``, or for others, to which it is not."""
        certificate = self._settings.certificate if known else None
        client = self._clients.get(certificate is not None)
        if client is None:
            import httpx2

            manners = self._settings.manners
            # The time for the whole call is limited in ``_exchange``.
            timeout = httpx2.Timeout(
                None, connect=min(manners.connect_timeout, manners.timeout / 2), read=manners.read_timeout or None
            )
            limits = httpx2.Limits(max_connections=None, max_keepalive_connections=manners.concurrency or None)
            context = httpx2.create_ssl_context()
            if certificate is not None:
                certificate.shown_in(context)
            client = httpx2.AsyncClient(verify=context, timeout=timeout, limits=limits, follow_redirects=False)
            self._clients[certificate is not None] = client
        return client

    def _message(self, client: httpx2.AsyncClient, request: Request, proof: Proof | None) -> httpx2.Request:
        import httpx2

        whole = request if proof is None else proven(request, proof, self._settings.headers)
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


class _Failed(Exception):
    """A request without an answer: why, what to do, and whether it can be sent again."""

    def __init__(self, reason: str, advice: str, *, again: bool = False) -> None:
        super().__init__(reason)
        self.reason, self.advice, self.again = reason, advice, again


def _is_about_certificates(error: BaseException | None) -> bool:
    """Does the other side not know who connects? TLS 1.3 says so when the connection stands already."""
    while error is not None:
        if isinstance(error, ssl.SSLError) and "CERTIFICATE" in (error.reason or ""):
            return True
        error = error.__cause__ or error.__context__
    return False


def shown(url: str) -> str:
    """A URL without query and user, which may hold secrets."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"


def _is_stream(response: httpx2.Response) -> bool:
    names = ("x-ndjson", "ndjson", "jsonl", "json-seq")
    kinds = ("text/event-stream", *(f"application/{name}" for name in names))
    return response.headers.get("content-type", "").lower().startswith(kinds)


def _afterwards(request: Request) -> str:
    if request.method in ("GET", "HEAD", "OPTIONS", "QUERY"):
        return "Try again later."
    return "The request may have been carried out; look before you send it again."
