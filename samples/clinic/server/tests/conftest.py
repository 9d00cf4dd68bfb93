"""A recording upstream: an HTTP server on loopback that keeps the last request and answers `{}`."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from anyio.from_thread import start_blocking_portal

from clinic_mcp._runtime.operation import Json
from clinic_mcp._runtime.server import Server
from clinic_mcp.api import API

Sent = Callable[[str, Mapping[str, Json]], dict[str, Any]]

# What the HTTP client adds by itself, and what differs from run to run.
_TRANSPORT = frozenset(["host", "connection", "accept-encoding", "user-agent", "content-length", "transfer-encoding"])


class Recorder(ThreadingHTTPServer):
    """Keeps the last request that arrived."""

    daemon_threads = True
    last: dict[str, Any] | None = None


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # head and body are two writes, and the client waits for both

    def handle_one_request(self) -> None:
        """Record a request of any method."""
        self.raw_requestline = self.rfile.readline(65537)
        if not self.raw_requestline or not self.parse_request():
            self.close_connection = True
            return
        path, _, query = self.path.partition("?")
        assert isinstance(self.server, Recorder)
        self.server.last = {
            "method": self.command,
            "path": path,
            "query": query,
            "headers": {k.lower(): v for k, v in self.headers.items() if k.lower() not in _TRANSPORT},
            "body": self.rfile.read(int(self.headers.get("content-length") or 0)),
        }
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"" if self.command == "HEAD" else b"{}")

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing: the tests compare what was recorded."""


@pytest.fixture(scope="session")
def recorder() -> Iterator[Recorder]:
    """The recording upstream, for the whole run."""
    with Recorder(("127.0.0.1", 0), _Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture(scope="session")
def sent(recorder: Recorder) -> Iterator[Sent]:
    """Call a tool, and get the request that arrived."""
    environment = {
        "CLINIC_BASE_URL": f"http://127.0.0.1:{recorder.server_port}",
        "CLINIC_BASE_URL_ALL": "1",
        "CLINIC_STAFF_USERNAME": "test-clinic-staff-username",
        "CLINIC_STAFF_PASSWORD": "test-clinic-staff-password",
    }
    server = Server(API, environ=environment)

    def send(tool: str, arguments: Mapping[str, Json]) -> dict[str, Any]:
        recorder.last = None
        result = portal.call(server.call, tool, arguments)
        assert recorder.last is not None, result.content
        return recorder.last

    with pytest.MonkeyPatch.context() as patch, start_blocking_portal() as portal:
        patch.setenv("NO_PROXY", "127.0.0.1")
        yield send
        portal.call(server.aclose)
