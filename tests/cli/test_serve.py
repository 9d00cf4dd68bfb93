"""``toolcast serve`` and ``toolcast demo``: a server at once, and the main job shown."""

from __future__ import annotations

import http.server
import os
import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import anyio
from mcp import Client
from mcp.client.stdio import StdioServerParameters

from .conftest import SHELTER, Run


def names(document: str, state: Path) -> list[str]:
    """The tools of a served document, over stdio."""

    async def ask() -> list[str]:
        environment = {**os.environ, "XDG_STATE_HOME": str(state)}
        server = StdioServerParameters(
            command=sys.executable, args=["-m", "toolcast", "serve", document], env=environment
        )
        async with Client(server) as client:
            return [tool.name for tool in (await client.list_tools()).tools]

    return anyio.run(ask)


@contextmanager
def published(text: str) -> Generator[str]:
    """A document on an HTTP server, as long as the block lasts."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            data = text.encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: object) -> None: ...  # noqa: A002 - the name of the standard library

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/openapi.yaml"
        server.shutdown()
        thread.join()


def test_a_document_is_served(shelter: Path, tmp_path: Path) -> None:
    assert names(str(shelter), tmp_path / "state") == ["list_pets", "create_pet"]


def test_names_stay_from_one_start_to_the_next(shelter: Path, tmp_path: Path) -> None:
    names(str(shelter), tmp_path / "state")
    shelter.write_text(SHELTER.replace("operationId: listPets", "operationId: findThePets"), "utf-8")
    assert names(str(shelter), tmp_path / "state") == ["list_pets", "create_pet"]


def test_the_last_good_document_is_served_when_it_cannot_be_had(tmp_path: Path) -> None:
    with published(SHELTER) as address:
        first = names(address, tmp_path / "state")
    assert names(address, tmp_path / "state") == first


def test_a_document_that_was_never_good_is_a_failure(run: Run) -> None:
    done = run("serve", "nowhere.yaml")
    assert done.returncode == 1
    assert "TC001" in done.stderr
    assert done.stdout == ""


def test_standard_input_cannot_be_served(run: Run) -> None:
    assert run("serve", "-", stdin=SHELTER).returncode == 2


def test_two_starts_at_once(shelter: Path, tmp_path: Path) -> None:
    found: list[list[str]] = []
    starts = [threading.Thread(target=lambda: found.append(names(str(shelter), tmp_path / "state"))) for _ in range(2)]
    for start in starts:
        start.start()
    for start in starts:
        start.join()
    assert found == [["list_pets", "create_pet"]] * 2


def test_the_demo(run: Run) -> None:
    done = run("demo", COLUMNS="100")
    assert done.returncode == 0, done.stderr
    for told in (
        "tools/list: 23 tools",
        "GET /v1/books?q=whale&limit=2 200",
        "POST /v1/books/7/reviews 201",
        "(no request)",
        "rating must be at most 5, but 9 came",
        "DELETE /v1/books/2 204",
    ):
        assert told in done.stdout
