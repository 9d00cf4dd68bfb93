"""The upstream: what is sent, how much is read, and what is said when there is no answer."""

from __future__ import annotations

import socket
import time
import zlib
from collections.abc import Callable
from typing import Any

import anyio
import pytest
from runtime.credentials import Proof
from runtime.errors import CallError
from runtime.request import Request
from runtime.response import Response
from runtime.settings import Settings
from runtime.upstream import Upstream as Sender

from .conftest import CREDENTIALS, KEY, Upstream, api_at


def send(
    url: str,
    proof: Proof | None = None,
    *,
    method: str = "GET",
    headers: tuple[tuple[str, str], ...] = (),
    body: bytes | None = None,
    times: int = 1,
    **environ: str,
) -> Response:
    settings = Settings.read(api_at(url), {**CREDENTIALS, **environ})

    async def go() -> Response:
        sender = Sender(settings, "petstore-mcp/1.2")
        try:
            for _ in range(times - 1):
                await sender.send(Request(method, url, headers, body), proof or Proof())
            return await sender.send(Request(method, url, headers, body), proof or Proof())
        finally:
            await sender.aclose()

    return anyio.run(go)


@pytest.mark.parametrize("method", ["QUERY", "COPY", "Link"])
def test_any_method_is_sent_as_it_is_spelled(upstream: Upstream, method: str) -> None:
    send(f"{upstream.url}/x", method=method, body=b"{}")
    assert [(got.method, got.body) for got in upstream.received] == [(method, b"{}")]


def test_what_is_sent(upstream: Upstream) -> None:
    proof = Proof((("Authorization", "Bearer t"),), (("api key", "a&b"),), (("sid", "1"),))
    headers = (("X-A", "ä"), ("Cookie", "a=b"), ("Authorization", "model's"))
    fixed = '{"x-a": "fixed", "Cookie": "c=d"}'
    answered = send(f"{upstream.url}/x%2Fy?q=a,b", proof, headers=headers, PETSTORE_HEADERS=fixed)
    [got] = upstream.received
    assert got.target == "/x%2Fy?q=a,b&api%20key=a%26b"
    assert got.headers["x-a"] == "fixed"
    assert got.headers["authorization"] == "Bearer t"
    assert got.headers["cookie"] == "a=b; c=d; sid=1"
    assert got.headers["user-agent"] == "petstore-mcp/1.2"
    assert set(got.headers) == {"host", "x-a", "authorization", "cookie", "user-agent", "accept-encoding"}
    assert (answered.status, answered.body, answered.url) == (200, b"{}", f"{upstream.url}/x%2Fy")


def test_a_body(upstream: Upstream) -> None:
    send(f"{upstream.url}/x", method="POST", body=b"abc", headers=(("Content-Type", "text/plain"),))
    [got] = upstream.received
    assert (got.method, got.body, got.headers["content-length"]) == ("POST", b"abc", "3")


def test_cookies_of_earlier_answers_are_not_sent(upstream: Upstream) -> None:
    upstream.reply("/x", headers={"Set-Cookie": "session=of-another-caller"})
    send(f"{upstream.url}/x", times=2)
    assert [("cookie" in got.headers) for got in upstream.received] == [False, False]


def test_redirects_are_answers(upstream: Upstream) -> None:
    upstream.reply("/x", status=302, headers={"Location": "/y"})
    assert send(f"{upstream.url}/x").status == 302
    assert len(upstream.received) == 1


def flood(write: Callable[[bytes], object]) -> None:
    for _ in range(50):
        write(b"x" * 1024 * 1024)


def test_reading_is_bounded(upstream: Upstream) -> None:
    upstream.reply("/x", body=flood)
    answered = send(f"{upstream.url}/x", PETSTORE_MAX_RESPONSE_BYTES="100000")
    assert (len(answered.body), answered.complete) == (100_000, False)


def test_reading_is_bounded_after_decompression(upstream: Upstream) -> None:
    packed = zlib.compress(b"x" * 50_000_000)
    assert len(packed) < 100_000
    upstream.reply("/x", body=packed, headers={"Content-Encoding": "deflate"})
    answered = send(f"{upstream.url}/x", PETSTORE_MAX_RESPONSE_BYTES="100000")
    assert (len(answered.body), answered.complete) == (100_000, False)


def test_an_answer_of_just_the_limit_is_complete(upstream: Upstream) -> None:
    upstream.reply("/x", body=b"12345")
    assert send(f"{upstream.url}/x", PETSTORE_MAX_RESPONSE_BYTES="5").complete


def trickle(write: Callable[[bytes], object]) -> None:
    for _ in range(40):
        write(b"data: 1\n\n")
        time.sleep(0.05)


def test_a_slow_answer_is_not_waited_for(upstream: Upstream) -> None:
    upstream.reply("/x", body=trickle, content_type="application/json")
    with pytest.raises(CallError, match=r"within 0\.3 s \(PETSTORE_TIMEOUT\)\. Try again later"):
        send(f"{upstream.url}/x", PETSTORE_TIMEOUT="0.3")
    with pytest.raises(CallError, match="may have been carried out"):
        send(f"{upstream.url}/x", method="POST", PETSTORE_TIMEOUT="0.3")


def test_an_endless_event_stream_answers_with_what_came(upstream: Upstream) -> None:
    upstream.reply("/x", body=trickle, content_type="text/event-stream")
    answered = send(f"{upstream.url}/x", PETSTORE_TIMEOUT="0.5")
    assert answered.body.startswith(b"data: 1\n\n")
    assert not answered.complete


def closed_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.mark.parametrize("url", ["http://127.0.0.1:{port}/x", "https://no-such-host.invalid/x"])
def test_no_connection(url: str) -> None:
    with pytest.raises(CallError) as caught:
        send(url.format(port=closed_port()), Proof(query=(("api_key", KEY),)), PETSTORE_TIMEOUT="5")
    assert "cannot be reached" in str(caught.value)
    assert ("127.0.0.1:" in str(caught.value)) or ("no-such-host.invalid" in str(caught.value))
    assert KEY not in str(caught.value)
    assert caught.value.__cause__ is None


@pytest.mark.parametrize(
    "reply",
    [
        {"body": b"not gzip", "headers": {"Content-Encoding": "gzip"}},
        {"headers": {"Transfer-Encoding": "chunked"}},
    ],
)
def test_broken_answers(reply: dict[str, Any], upstream: Upstream) -> None:
    upstream.reply("/x", **reply)
    with pytest.raises(CallError, match=r"127\.0\.0\.1"):
        send(f"{upstream.url}/x", Proof(query=(("api_key", KEY),)), PETSTORE_TIMEOUT="0.5")


@pytest.mark.parametrize("url", ["http://[::1", "http://a b/", "gopher://x/"])
def test_an_address_that_is_none(url: str) -> None:
    with pytest.raises(CallError, match="PETSTORE_BASE_URL"):
        send(url)


def test_cancellation_passes_through(upstream: Upstream) -> None:
    upstream.reply("/x", body=trickle)
    settings = Settings.read(api_at(upstream.url), {})

    async def go() -> bool:
        sender = Sender(settings, "a")
        with anyio.move_on_after(0.2) as scope:
            await sender.send(Request("GET", f"{upstream.url}/x", (), None), Proof())
        await sender.aclose()
        return scope.cancelled_caught

    assert anyio.run(go)
