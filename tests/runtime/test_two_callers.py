"""Two callers, 1,000 interleaved calls, 16 at once: nothing of one reaches the other."""

from __future__ import annotations

import json
import threading
from collections import Counter
from collections.abc import Generator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

import anyio
import httpx2
import pytest
from runtime.operation import Api

from .conftest import Upstream
from .test_callers import headers, message, provide, serving, token

CALLS, AT_ONCE = 1_000, 16
KEYS = {"ann": "key-of-ann-5d1c", "bob": "key-of-bob-77e0"}


@pytest.fixture
def mirror() -> Generator[Upstream]:
    """An API that answers with what it saw."""
    state = Upstream()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_GET(self) -> None:
            query = {name: values[0] for name, values in parse_qs(urlsplit(self.path).query).items()}
            names = {key: name for name, key in KEYS.items()}
            who = names.get(query["api_key"], "the server")
            said = json.dumps(
                [{"id": int(query["limit"]), "name": who, "owner": {"email": str(self.headers)}}]
            ).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Cache-Control", "max-age=600")
            self.send_header("Content-Length", str(len(said)))
            self.end_headers()
            self.wfile.write(said)

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    state.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield state
    server.shutdown()
    server.server_close()
    thread.join()


def interleaved(url: str, sent: dict[str, dict[str, str]]) -> dict[int, tuple[str, str]]:
    """By the number of each call: who made it, and the answer."""
    answers: dict[int, tuple[str, str]] = {}

    async def go() -> None:
        numbers = iter(range(1, CALLS + 1))

        async def one_of_many(client: httpx2.AsyncClient) -> None:
            for number in numbers:
                who = "ann" if number % 2 else "bob"
                fixed = headers("tools/call", "list_pets", **sent[who])
                body = message("tools/call", "list_pets", {"limit": number})
                answers[number] = who, (await client.post(url, json=body, headers=fixed)).text

        async with httpx2.AsyncClient(timeout=60) as client, anyio.create_task_group() as group:
            for _ in range(AT_ONCE):
                group.start_soon(one_of_many, client)

    anyio.run(go)
    return answers


def audited(output: str) -> Counter[str]:
    """How many lines of the audit name each caller."""
    return Counter(json.loads(line)["caller"] for line in output.splitlines() if line.startswith("{"))


def test_handed_over_credentials_stay_apart(api: Api, mirror: Upstream, capsys: pytest.CaptureFixture[str]) -> None:
    rules = {"CALLER_CREDENTIALS": "X-Pet-Key=PETSTORE_API_KEY", "AUDIT": "stderr", "LOG": "debug"}
    with serving(api, mirror, rules) as url:
        answers = interleaved(url, {who: {"X-Pet-Key": key} for who, key in KEYS.items()})
    output = capsys.readouterr().err
    assert len(answers) == CALLS
    for number, (who, text) in answers.items():
        [pet] = json.loads(text)["result"]["structuredContent"]["result"]
        assert (pet["id"], pet["name"]) == (number, who)
        assert not any(key in text for key in KEYS.values())
    lines = audited(output)
    assert sorted(lines.values()) == [CALLS // 2, CALLS // 2], lines
    assert not any(key in output for key in KEYS.values())


def test_verified_callers_stay_apart(
    api: Api, mirror: Upstream, upstream: Upstream, capsys: pytest.CaptureFixture[str]
) -> None:
    rules = {"ISSUER": provide(upstream), "RESOURCE_URL": "https://mcp.example/mcp", "AUDIT": "stderr"}
    tokens = {who: token(upstream, "api", who) for who in KEYS}
    with serving(api, mirror, rules) as url:
        answers = interleaved(url, {who: {"Authorization": f"Bearer {tokens[who]}"} for who in KEYS})
    output = capsys.readouterr().err
    assert len(answers) == CALLS
    for number, (_, text) in answers.items():
        [pet] = json.loads(text)["result"]["structuredContent"]["result"]
        assert (pet["id"], pet["name"]) == (number, "the server")
        assert not any(value in text for value in tokens.values()), "a caller's token reached the API"
    lines = audited(output)
    assert sorted(lines.values()) == [CALLS // 2, CALLS // 2], lines
    assert {who for who in KEYS if any(who in name for name in lines)} == set(KEYS), lines
    assert not any(value in output for value in tokens.values())
