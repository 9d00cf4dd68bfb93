"""Conditional requests: a server that says that nothing has changed need not say it all again."""

from __future__ import annotations

import os
import stat
import threading
from collections.abc import Generator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from toolcast.diagnostics import Failure
from toolcast.load.source import read


@dataclass(slots=True)
class Host:
    """A host of one document: its text, what the answer says of it, and what was asked."""

    url: str = ""
    text: bytes = b"openapi: 3.1.0\n"
    headers: dict[str, str] = field(default_factory=dict[str, str])
    asked: list[dict[str, str]] = field(default_factory=list[dict[str, str]])
    answered: list[int] = field(default_factory=list[int])
    always: int | None = None


@pytest.fixture
def host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Generator[Host]:
    """A running host, and an empty cache."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    host = Host()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked = {name.lower(): value for name, value in self.headers.items()}
            host.asked.append({name: asked[name] for name in ("if-none-match", "if-modified-since") if name in asked})
            told = {name.lower(): value for name, value in host.headers.items()}
            known = "etag" in told and asked.get("if-none-match") == told["etag"]
            known |= "last-modified" in told and asked.get("if-modified-since") == told["last-modified"]
            status = host.always or (304 if known else 200)
            host.answered.append(status)
            self.send_response(status)
            for name, value in host.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", "0" if status == 304 else str(len(host.text)))
            self.end_headers()
            if status != 304:
                self.wfile.write(host.text)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        host.url = f"http://127.0.0.1:{server.server_port}/openapi.yaml"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield host
        finally:
            server.shutdown()
            thread.join()


@pytest.mark.parametrize(
    ("told", "asked"),
    [
        ({"ETag": '"one"'}, {"if-none-match": '"one"'}),
        (
            {"Last-Modified": "Tue, 01 Dec 2026 00:00:00 GMT"},
            {"if-modified-since": "Tue, 01 Dec 2026 00:00:00 GMT"},
        ),
    ],
)
def test_what_has_not_changed_is_not_sent_again(host: Host, told: dict[str, str], asked: dict[str, str]) -> None:
    host.headers = told
    first, second = read(host.url), read(host.url)
    assert (first.data, second) == (host.text, first)
    assert host.answered == [200, 304]
    assert host.asked == [{}, asked]


def test_what_has_changed_is(host: Host) -> None:
    host.headers = {"ETag": '"one"'}
    read(host.url)
    host.text, host.headers = b"openapi: 3.2.0\n", {"ETag": '"two"'}
    assert read(host.url).data == host.text
    assert read(host.url).data == host.text
    assert host.answered == [200, 200, 304]


@pytest.mark.parametrize("told", [{}, {"ETag": '"one"', "Cache-Control": "private, no-store"}])
def test_what_cannot_or_may_not_be_kept_is_asked_for_whole(host: Host, told: dict[str, str]) -> None:
    host.headers = told
    read(host.url)
    read(host.url)
    assert host.answered == [200, 200]


def test_a_damaged_cache_is_none(host: Host, tmp_path: Path) -> None:
    host.headers = {"ETag": '"one"'}
    read(host.url)
    (entry,) = (path for path in (tmp_path / "cache").rglob("*") if path.is_file())
    for damage in (b"", b"{}\n", entry.read_bytes()[:-3], b"[1]\nx"):
        entry.write_bytes(damage)
        assert read(host.url).data == host.text
    assert host.answered == [200] * 5


def test_nothing_has_changed_since_never(host: Host) -> None:
    host.always = 304
    with pytest.raises(Failure) as failure:
        read(host.url)
    assert failure.value.diagnostic.code == "TC005"


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
def test_the_cache_is_private_and_does_not_name_addresses(host: Host, tmp_path: Path) -> None:
    host.headers = {"ETag": '"one"'}
    read(f"{host.url}?token=secret")
    (entry,) = (path for path in (tmp_path / "cache").rglob("*") if path.is_file())
    assert stat.S_IMODE(entry.stat().st_mode) == 0o600
    assert stat.S_IMODE(entry.parent.stat().st_mode) == 0o700
    assert b"secret" not in entry.read_bytes() + entry.name.encode()


def test_without_a_place_for_a_cache_documents_are_read(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "/dev/null/nowhere")
    host.headers = {"ETag": '"one"'}
    assert read(host.url).data == read(host.url).data == host.text
    assert host.answered == [200, 200]
