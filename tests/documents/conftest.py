"""An API on loopback that stands for every host that a document names."""

from __future__ import annotations

import threading
from collections.abc import Generator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

pytest.register_assert_rewrite("tests.documents.expected")

from .expected import Answer, Request  # noqa: E402 - once its assertions tell what they compare


@dataclass(slots=True)
class Upstream:
    """An HTTP proxy that answers itself, whatever the host: requests to it have absolute targets (RFC 9112 §3.2.2)."""

    url: str = ""
    answer: Answer = field(default_factory=Answer)
    received: list[Request] = field(default_factory=list[Request])


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    state: Upstream

    def handle_one_request(self) -> None:
        """Record a request of any method, and answer it."""
        self.raw_requestline = self.rfile.readline(65537)
        if not self.raw_requestline or not self.parse_request():
            self.close_connection = True
            return
        headers = {name.lower(): value for name, value in self.headers.items()}
        body = self.rfile.read(int(headers.get("content-length", 0)))
        self.state.received.append(Request(f"{self.command} {self.path}", headers, body))
        answer = self.state.answer
        self.send_response(answer.status)
        for name, value in answer.headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(answer.body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(answer.body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Say nothing: the tests compare what was recorded."""


@pytest.fixture(scope="module")
def upstream() -> Generator[Upstream]:
    """Every host of every document."""
    state = Upstream()
    handler = type("Handler", (_Handler,), {"state": state})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        server.daemon_threads = True
        state.url = f"http://127.0.0.1:{server.server_port}"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        with pytest.MonkeyPatch.context() as patch:
            for name in ("http_proxy", "HTTP_PROXY"):
                patch.setenv(name, state.url)
            for name in ("no_proxy", "NO_PROXY", "all_proxy", "ALL_PROXY"):
                patch.delenv(name, raising=False)
            yield state
        server.shutdown()
        thread.join()
