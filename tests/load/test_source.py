from __future__ import annotations

import io
import sys
import time
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest

from toolcast.diagnostics import Diagnostic, Failure
from toolcast.load import source
from toolcast.load.login import login
from toolcast.load.source import read, without_credentials

from .conftest import Web


def refusal(address: str, timeout: float = 5) -> Diagnostic:
    with pytest.raises(Failure) as caught:
        read(address, timeout=timeout)
    assert caught.value.diagnostic.severity == "error"
    assert caught.value.diagnostic.help
    return caught.value.diagnostic


def test_a_file_gives_its_bytes(tmp_path: Path) -> None:
    path = tmp_path / "api.yaml"
    path.write_bytes(b"openapi: 3.1.0\n")
    found = read(str(path))
    assert (found.address, found.file, found.url) == (str(path), str(path), None)
    assert found.data == b"openapi: 3.1.0\n"


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"{}")))
    found = read("-")
    assert (found.data, found.file, found.url) == (b"{}", "<stdin>", None)
    monkeypatch.setattr(sys, "stdin", None)
    assert refusal("-").code == "TC003"


def test_a_missing_file_names_the_nearest_one(tmp_path: Path) -> None:
    (tmp_path / "openapi.yaml").touch()
    missing = refusal(str(tmp_path / "openapi.yml"))
    assert missing.code == "TC001"
    assert missing.help == f"Did you mean {tmp_path / 'openapi.yaml'}?"
    assert "There is no directory" in refusal(str(tmp_path / "nowhere" / "api.yaml")).help


def test_a_directory_names_the_document_in_it(tmp_path: Path) -> None:
    assert refusal(str(tmp_path)).code == "TC002"
    (tmp_path / "swagger.json").touch()
    assert "swagger.json" in refusal(str(tmp_path)).help


def test_a_file_without_permission(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    # The tests may run as root, who may read everything.
    monkeypatch.setattr(Path, "open", refuse)
    assert refusal(str(tmp_path / "api.yaml")).code == "TC003"


@pytest.mark.parametrize("address", ["a\0b", "x" * 5000, ""])
def test_names_that_no_file_can_have(address: str) -> None:
    assert refusal(address).code in {"TC002", "TC003"}


@pytest.mark.parametrize("address", ["ftp://host/api.yaml", "file:///etc/passwd", "s3://bucket/key"])
def test_other_schemes_are_refused(address: str) -> None:
    assert refusal(address).code == "TC008"


@pytest.mark.parametrize("address", ["http://[::1/api", "https://host:port/"])
def test_malformed_urls_are_refused(address: str) -> None:
    assert refusal(address).code == "TC008"


def test_a_url_gives_its_bytes_and_where_it_ended(web: Web) -> None:
    web.serves("/v2/api.json", b'{"openapi": "3.1.0"}')
    web.serves("/api", b"", 302, Location="/v2/api.json?lang=en#top")
    found = read(f"http://user:hunter2@127.0.0.1:{web.port}/api?token=s3cret&lang=en")
    assert found.data == b'{"openapi": "3.1.0"}'
    assert found.url == f"{web.url}/v2/api.json?lang=en"
    assert found.file == found.address == f"{web.url}/api?lang=en"
    assert "token=s3cret" in web.hits[0]


def test_the_documents_own_origin_gets_the_login_and_nobody_else(web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOOLCAST_DOCUMENT_HEADERS", "Authorization: Bearer s3cret\nPrivate-Token: other-s3cret\n")
    web.serves("/here", b"", 302, Location=f"http://localhost:{web.port}/there")
    web.serves("/there", b"openapi: 3.1.0")
    web.serves("/open", b"openapi: 3.1.0")
    own = login(f"{web.url}/open")
    assert own is not None and "s3cret" not in repr(own)
    read(f"{web.url}/open", login=own)
    read(f"{web.url}/here", login=own)
    read(f"http://localhost:{web.port}/there", login=own)
    sent = [("s3cret" in hit, "other-s3cret" in hit) for hit in web.headers]
    assert sent == [(True, True), (True, True), (False, False), (False, False)]


def test_a_login_that_cannot_be_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOOLCAST_DOCUMENT_HEADERS", "Bearer s3cret")
    with pytest.raises(Failure) as caught:
        login("https://api.example/openapi.json")
    assert caught.value.diagnostic.code == "TC010" and "s3cret" not in str(caught.value.diagnostic)
    assert login("openapi.json") is None


@pytest.mark.parametrize(("status", "word"), [(404, "raw file"), (401, "login"), (500, "browser"), (204, "browser")])
def test_a_status_that_is_not_200(web: Web, status: int, word: str) -> None:
    found = refusal(web.serves("/api", b"", status))
    assert found.code == "TC005"
    assert str(status) in found.message
    assert word in found.help


def test_redirects_in_a_circle(web: Web) -> None:
    found = refusal(web.serves("/api", b"", 302, Location="/api"))
    assert (found.code, "circle" in found.message) == ("TC004", True)


@pytest.mark.parametrize("target", ["file:///etc/hostname", "ftp://127.0.0.1/x", "http://[bad/"])
def test_a_redirect_to_something_else_than_http(web: Web, target: str) -> None:
    assert refusal(web.serves("/api", b"", 302, Location=target)).code == "TC004"


def test_an_unreachable_host_and_no_credentials_in_what_is_said(web: Web) -> None:
    closed = f"http://user:hunter2@127.0.0.1:1/{'x'}?api_key=s3cret"
    found = refusal(closed)
    assert found.code == "TC004"
    for url in (closed, f"http://user:hunter2@127.0.0.1:{web.port}/gone?sig=s3cret"):
        said = refusal(url)
        assert "hunter2" not in said.message + said.help
        assert "s3cret" not in said.message + said.help


def test_a_server_that_does_not_answer(web: Web) -> None:
    def silent(request: BaseHTTPRequestHandler) -> None:
        time.sleep(0.6)

    web.answers["/api"] = silent
    assert refusal(web.url + "/api", timeout=0.2).code == "TC006"


def test_a_server_that_answers_drop_by_drop(web: Web) -> None:
    def drip(request: BaseHTTPRequestHandler) -> None:
        request.send_response(200)
        request.end_headers()
        for _ in range(40):
            request.wfile.write(b" ")
            request.wfile.flush()
            time.sleep(0.03)

    web.answers["/api"] = drip
    began = time.monotonic()
    assert refusal(web.url + "/api", timeout=0.2).code == "TC006"
    assert time.monotonic() - began < 1


def test_an_answer_that_ends_too_early(web: Web) -> None:
    def short(request: BaseHTTPRequestHandler) -> None:
        request.send_response(200)
        request.send_header("Content-Length", "100")
        request.end_headers()
        request.wfile.write(b"openapi: ")

    web.answers["/api"] = short
    assert refusal(web.url + "/api").code == "TC004"


def test_too_much_is_refused(web: Web, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source, "MAX_BYTES", 1000)
    path = tmp_path / "api.yaml"
    path.write_bytes(b" " * 1001)
    assert refusal(str(path)).code == "TC007"
    assert refusal(web.serves("/api", b" " * 100_000)).code == "TC007"


@pytest.mark.parametrize(
    ("url", "clean"),
    [
        ("https://u:p@host/a", "https://host/a"),
        ("https://u@host:8443/a?ref=main", "https://host:8443/a?ref=main"),
        ("https://host/a?private_token=x&ref=a%20b", "https://host/a?ref=a%20b"),
        ("https://host/a?X-Amz-Signature=x&X-Amz-Date=y", "https://host/a"),
        ("https://u:p@[::1]:80/a#frag", "https://[::1]:80/a"),
    ],
)
def test_urls_lose_their_credentials(url: str, clean: str) -> None:
    assert without_credentials(url) == clean
