"""The packages of all accepted documents, and an API on loopback that stands for every host that they name."""

from __future__ import annotations

import threading
from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from toolcast import pipeline
from toolcast.diagnostics import Report

from .expected import Answer, Request

HERE = Path(__file__).parent
# A document on its own, or a folder with `openapi.*` and what else it refers to.
ACCEPTED = sorted([*HERE.glob("accepted/*.yaml"), *HERE.glob("accepted/*/openapi*.*")])


@dataclass(frozen=True, slots=True)
class Made:
    """A document's package: its folder, its import name, what was said of the document, and its number of tools."""

    document: Path
    folder: Path
    module: str
    environment: str
    report: Report
    tools: int


def label(document: Path) -> str:
    """What a document is called: its file, or its folder and what tells it from the others there."""
    if not document.stem.startswith("openapi") or document.parent.name == "accepted":
        return document.stem
    form = f"{document.stem.removeprefix('openapi')}{document.suffix.replace('.yaml', '')}"
    return f"{document.parent.name}{form.replace('.', '_').replace('-', '_')}"


@pytest.fixture(scope="session")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder in which the packages are made."""
    return tmp_path_factory.mktemp("documents")


@pytest.fixture(scope="session")
def made(root: Path) -> Mapping[Path, Made]:
    """The package of each accepted document."""
    found: dict[Path, Made] = {}
    for document in ACCEPTED:
        name, report = label(document).replace("_", ""), Report()
        result = pipeline.generate(str(document), root / name, report=report, name=name)
        assert result.applied
        catalog = result.inspection.catalog
        found[document] = Made(
            document, root / name, catalog.package, catalog.environment, report, len(catalog.tools)
        )
    return found


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

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing: the tests compare what was recorded."""


@pytest.fixture(scope="session")
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
