"""Manners: tries and pauses, turns, redirects, and operations that are only accepted."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from typing import Any

import anyio
import pytest
from runtime.credentials import Proof
from runtime.errors import CallError, SettingsError
from runtime.manners import Manners, asked_pause
from runtime.request import Request
from runtime.response import Response
from runtime.settings import Settings
from runtime.upstream import Upstream as Sender

from runtime import elsewhere

from .conftest import Upstream, api_at

PROOF = Proof((("Authorization", "Bearer secret-token"),), (("api_key", "secret-key"),), (("sid", "secret-sid"),))
BUSY: Mapping[str, Any] = {"status": 503, "headers": {"Retry-After": "0"}}


def send(url: str, method: str = "GET", *, headers: tuple[tuple[str, str], ...] = (), **environ: str) -> Response:
    [response] = send_all([url], method, headers=headers, **environ)
    assert isinstance(response, Response), response
    return response


def send_all(
    urls: list[str], method: str = "GET", *, headers: tuple[tuple[str, str], ...] = (), **environ: str
) -> list[Response | CallError]:
    """The outcomes of requests that are sent at once."""
    settings = Settings.read(api_at(urls[0]), {f"PETSTORE_{name}": value for name, value in environ.items()})
    outcomes: dict[int, Response | CallError] = {}

    async def one(sender: Sender, index: int) -> None:
        try:
            outcomes[index] = await sender.send(Request(method, urls[index], headers, None), PROOF, tool="a_tool")
        except CallError as error:
            outcomes[index] = error

    async def go() -> None:
        sender = Sender(settings, "petstore-mcp/1")
        async with anyio.create_task_group() as group:
            for index in range(len(urls)):
                group.start_soon(one, sender, index)
        await sender.aclose()

    anyio.run(go)
    return [outcomes[index] for index in range(len(urls))]


# Tries


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE", "QUERY"])
def test_what_can_be_repeated_is_tried_again(upstream: Upstream, method: str) -> None:
    upstream.script("/x", BUSY, BUSY)
    assert send(f"{upstream.url}/x", method).status == 200
    assert len(upstream.received) == 3


def test_a_write_is_sent_once_unless_it_was_refused_unread(upstream: Upstream) -> None:
    upstream.script("/x", BUSY)
    assert send(f"{upstream.url}/x", "POST").status == 503
    upstream.script("/y", {"status": 429, "headers": {"Retry-After": "0"}})
    assert send(f"{upstream.url}/y", "POST").status == 200
    assert [got.target.partition("?")[0] for got in upstream.received] == ["/x", "/y", "/y"]


@pytest.mark.parametrize("status", [400, 401, 404, 409, 500, 501])
def test_other_failures_are_answers(upstream: Upstream, status: int) -> None:
    upstream.reply("/x", status=status)
    assert send(f"{upstream.url}/x").status == status
    assert len(upstream.received) == 1


def test_tries_end(upstream: Upstream) -> None:
    upstream.reply("/x", **BUSY)
    assert send(f"{upstream.url}/x", RETRIES="3").status == 503
    assert len(upstream.received) == 4
    assert send(f"{upstream.url}/x", RETRIES="0").status == 503
    assert len(upstream.received) == 5


def test_the_api_says_how_long_to_wait(upstream: Upstream) -> None:
    upstream.script("/x", {"status": 429, "headers": {"Retry-After": "1"}})
    begin = time.monotonic()
    assert send(f"{upstream.url}/x").status == 200
    assert time.monotonic() - begin >= 1


def test_a_pause_that_the_call_has_no_time_for_is_told_instead(upstream: Upstream) -> None:
    upstream.reply("/x", status=429, headers={"Retry-After": "60"})
    begin = time.monotonic()
    assert send(f"{upstream.url}/x", TIMEOUT="5").headers["retry-after"] == "60"
    assert time.monotonic() - begin < 4


@pytest.mark.parametrize(
    ("said", "seconds"),
    [("5", 5.0), ("0", 0.0), ("", None), ("soon", None), ("-1", None), ("Wed, 21 Oct 2015 07:28:00 GMT", 0.0)],
)
def test_retry_after(said: str, seconds: float | None) -> None:
    assert asked_pause(said) == seconds


@contextmanager
def breaking() -> Generator[tuple[str, list[bytes]]]:
    """An API that reads a request and closes the connection."""
    seen: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.settimeout(0.05)
        done = threading.Event()

        def serve() -> None:
            while not done.is_set():
                try:
                    connection, _ = listening.accept()
                except TimeoutError:
                    continue
                with connection:
                    seen.append(connection.recv(65536))

        thread = threading.Thread(target=serve)
        thread.start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/x", seen
        done.set()
        thread.join()


def test_a_broken_connection_is_tried_again_where_that_is_safe() -> None:
    with breaking() as (url, seen):
        [failure] = send_all([url])
        assert isinstance(failure, CallError)
        assert "broke" in str(failure) and "tried 3 times" in str(failure)
        assert len(seen) == 3
        [failure] = send_all([url], "POST")
        assert "may have been carried out" in str(failure)
        assert len(seen) == 4


def test_a_connection_that_cannot_be_made_is_tried_again_for_any_method() -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    [failure] = send_all([f"http://127.0.0.1:{port}/x"], "POST")
    assert "cannot be reached" in str(failure) and "tried 3 times" in str(failure)


def test_a_silent_api_is_told_from_a_slow_one(upstream: Upstream) -> None:
    upstream.reply("/x", body=slowly(0.6))
    [failure] = send_all([f"{upstream.url}/x"], READ_TIMEOUT="0.2", RETRIES="0")
    assert "sent nothing for 0.2 s (PETSTORE_READ_TIMEOUT)" in str(failure)


def test_a_tool_can_have_more_time_than_others(upstream: Upstream) -> None:
    upstream.reply("/x", body=slowly(0.4))
    [failure] = send_all([f"{upstream.url}/x"], TIMEOUT="0.1")
    assert "within 0.1 s" in str(failure)
    assert send(f"{upstream.url}/x", TIMEOUT="0.1", TIMEOUTS='{"a_tool": 5}').body == b"1"


def slowly(seconds: float) -> Callable[[Callable[[bytes], object]], None]:
    """A body that comes late."""

    def write_late(write: Callable[[bytes], object]) -> None:
        time.sleep(seconds)
        write(b"1")

    return write_late


# Turns


def test_so_many_calls_at_once(upstream: Upstream) -> None:
    lock, now, most = threading.Lock(), 0, 0

    def body(write: Any) -> None:
        nonlocal now, most
        with lock:
            now += 1
            most = max(most, now)
        time.sleep(0.03)
        with lock:
            now -= 1
        write(b"1")

    upstream.reply("/x", body=body)
    outcomes = send_all([f"{upstream.url}/x"] * 12, CONCURRENCY="3")
    assert all(isinstance(outcome, Response) for outcome in outcomes)
    assert most == 3


def test_a_turn_that_does_not_come_in_time_is_told(upstream: Upstream) -> None:
    upstream.reply("/x", body=slowly(0.5))
    outcomes = send_all([f"{upstream.url}/x"] * 3, CONCURRENCY="1", TIMEOUT="0.8")
    told = [str(outcome) for outcome in outcomes if isinstance(outcome, CallError)]
    assert any("PETSTORE_CONCURRENCY" in text and "nothing was sent" in text for text in told)


def test_so_many_calls_a_second(upstream: Upstream) -> None:
    begin = time.monotonic()
    outcomes = send_all([f"{upstream.url}/x"] * 30, RATE="20")
    assert all(isinstance(outcome, Response) for outcome in outcomes)
    assert time.monotonic() - begin >= 0.45, "twenty at once, and the rest at their rate"


def test_a_queue_that_is_too_long_is_told(upstream: Upstream) -> None:
    outcomes = send_all([f"{upstream.url}/x"] * 5, RATE="1", TIMEOUT="1.5")
    told = [str(outcome) for outcome in outcomes if isinstance(outcome, CallError)]
    assert len(told) == 3
    assert all("PETSTORE_RATE" in text and "nothing was sent" in text for text in told)
    assert len(upstream.received) == 2


def test_each_caller_has_a_rate_of_its_own(upstream: Upstream) -> None:
    settings = Settings.read(api_at(upstream.url), {"PETSTORE_RATE_PER_CALLER": "1", "PETSTORE_TIMEOUT": "0.5"})
    refused: list[str] = []

    async def go() -> None:
        sender = Sender(settings, "petstore-mcp/1")
        for caller in ("ann", "bob", "ann", "bob", "cy"):
            try:
                await sender.send(Request("GET", f"{upstream.url}/x", (), None), Proof(), caller=caller)
            except CallError:
                refused.append(caller)
        await sender.aclose()

    anyio.run(go)
    assert refused == ["ann", "bob"]


# Elsewhere


def test_redirects_of_the_same_origin_keep_the_credentials(upstream: Upstream) -> None:
    upstream.reply("/x", status=302, headers={"Location": "/y?page=2"})
    answered = send(f"{upstream.url}/x", headers=(("Accept", "application/json"),), REDIRECTS="3")
    assert (answered.status, answered.url) == (200, f"{upstream.url}/y")
    assert upstream.received[1].target == "/y?page=2&api_key=secret-key"
    assert upstream.received[1].headers["authorization"] == "Bearer secret-token"


def test_redirects_to_another_origin_carry_nothing(upstream: Upstream) -> None:
    other = upstream.url.replace("127.0.0.1", "localhost")
    upstream.reply("/x", status=307, headers={"Location": f"{other}/y?signature=1"})
    environ = {"REDIRECTS": "3", "HEADERS": '{"X-Tenant": "secret-tenant"}'}
    headers = (("Accept", "application/json"), ("X-Token", "secret-argument"))
    assert send(f"{upstream.url}/x", headers=headers, **environ).status == 200
    got = upstream.received[1]
    assert got.target == "/y?signature=1"
    assert "secret" not in str(got.headers)
    assert got.headers["accept"] == "application/json"


@pytest.mark.parametrize("where", ["/x", "ftp://127.0.0.1/y", "http://user:password@127.0.0.1/y", "http://[::1"])
def test_redirects_that_are_not_followed_are_answers(upstream: Upstream, where: str) -> None:
    upstream.reply("/x", status=302, headers={"Location": where})
    assert send(f"{upstream.url}/x", REDIRECTS="5").status == 302
    assert len(upstream.received) == 1


def test_redirects_without_end_are_an_answer(upstream: Upstream) -> None:
    for number in range(9):
        upstream.reply(f"/{number}", status=302, headers={"Location": f"/{number + 1}"})
    assert send(f"{upstream.url}/0", REDIRECTS="4").status == 302
    assert len(upstream.received) == 5


def test_a_write_is_not_redirected(upstream: Upstream) -> None:
    upstream.reply("/x", status=307, headers={"Location": "/y"})
    assert send(f"{upstream.url}/x", "POST", REDIRECTS="5").status == 307


@pytest.mark.parametrize(
    ("start", "target", "reachable"),
    [
        ("https://93.184.216.34/", "http://93.184.216.34/", False),
        ("https://93.184.216.34/", "https://127.0.0.1/", False),
        ("https://93.184.216.34/", "https://169.254.169.254/", False),
        ("https://93.184.216.34/", "https://[::1]/", False),
        ("https://93.184.216.34/", "https://10.0.0.7/", False),
        ("https://93.184.216.34/", "https://8.8.8.8/", True),
        ("http://10.0.0.7/", "http://10.0.0.8/", True),
    ],
)
def test_where_a_redirect_may_lead(start: str, target: str, reachable: bool) -> None:
    assert anyio.run(elsewhere.reachable, start, target) is reachable


def test_an_accepted_operation_is_followed_to_its_end(upstream: Upstream) -> None:
    upstream.reply("/jobs", status=202, headers={"Operation-Location": "/jobs/1", "Retry-After": "0"})
    busy = {"body": b'{"status": "InProgress"}', "headers": {"Retry-After": "0"}}
    upstream.script("/jobs/1", {"status": 202, "headers": {"Retry-After": "0"}}, busy)
    upstream.reply("/jobs/1", body=b'{"status": "Succeeded"}')
    assert send(f"{upstream.url}/jobs", "POST", POLL="20").body == b'{"status": "Succeeded"}'
    assert [got.method for got in upstream.received] == ["POST", "GET", "GET", "GET"]
    assert upstream.received[-1].headers["authorization"] == "Bearer secret-token"


def test_an_operation_that_takes_too_long_answers_with_its_state(upstream: Upstream) -> None:
    upstream.reply("/jobs", status=202, headers={"Location": "/jobs/1"})
    upstream.reply("/jobs/1", status=202, headers={"Location": "/jobs/1"})
    answered = send(f"{upstream.url}/jobs", "POST", POLL="1")
    assert answered.status == 202


@pytest.mark.parametrize("where", ["http://localhost:{port}/jobs/1", "", "gopher://x/"])
def test_an_operation_of_another_origin_is_not_followed(upstream: Upstream, where: str) -> None:
    location = where.format(port=upstream.url.rpartition(":")[2])
    upstream.reply("/jobs", status=202, headers={"Location": location} if location else {})
    assert send(f"{upstream.url}/jobs", "POST", POLL="5").status == 202
    assert len(upstream.received) == 1


# Settings


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("P_RETRIES", "-1"),
        ("P_RATE", "fast"),
        ("P_CONCURRENCY", "nan"),
        ("P_TIMEOUTS", "[1]"),
        ("P_TIMEOUTS", '{"a": "x"}'),
        ("P_TIMEOUTS", '{"a": 0}'),
    ],
)
def test_limits_that_cannot_be_used_are_named(variable: str, value: str) -> None:
    with pytest.raises(SettingsError, match=variable):
        Manners.read("P", {variable: value})
