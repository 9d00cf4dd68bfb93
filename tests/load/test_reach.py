from __future__ import annotations

import socket
from pathlib import Path
from typing import Any

import pytest

from toolcast.diagnostics import Diagnostic, Report
from toolcast.load import pinning, reach
from toolcast.load.document import load
from toolcast.load.pinning import public_address
from toolcast.load.reach import default_tree
from toolcast.load.web import Refused
from toolcast.model.document import Document

from .conftest import Web

PART = b"type: string\n"


def text(reference: str) -> str:
    head = "openapi: 3.1.0\ninfo: {title: A, version: '1'}\npaths: {}\n"
    return f"{head}components: {{schemas: {{It: {{properties: {{a: {{$ref: '{reference}'}}}}}}}}}}\n"


def found(path: Path, reference: str, **options: Any) -> tuple[Document, list[Diagnostic]]:
    """A document at a path that refers to one file, and what there is to say about it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text(reference), "utf-8")
    report = Report()
    return load(str(path), report, **options), report.diagnostics


def served(web: Web, reference: str, path: str = "/v1/api.yaml", **options: Any) -> tuple[Document, list[Diagnostic]]:
    report = Report()
    return load(web.serves(path, text(reference).encode()), report, **options), report.diagnostics


def refused(result: tuple[Document, list[Diagnostic]], words: str) -> None:
    document, diagnostics = result
    assert document.files == {}
    assert [diagnostic.code for diagnostic in diagnostics] == ["TC121"]
    assert words in diagnostics[0].message
    assert diagnostics[0].help


def write(path: Path, data: bytes = PART) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def test_files_beside_the_document_and_below(tmp_path: Path) -> None:
    write(tmp_path / "work/api/parts/.hidden/a.txt")
    document, diagnostics = found(tmp_path / "work/api/api.yaml", "parts/.hidden/a.txt")
    assert diagnostics == []
    assert list(document.files) == ["parts/.hidden/a.txt"]


def test_documents_beside_its_folder(tmp_path: Path) -> None:
    write(tmp_path / "work/common/a.yaml")
    write(tmp_path / "work/common/a.txt")
    write(tmp_path / "work/.aws/a.json", b'{"type": "string"}')
    write(tmp_path / "a.yaml")
    entry = tmp_path / "work/api/api.yaml"
    document, diagnostics = found(entry, "../common/a.yaml")
    assert diagnostics == []
    assert list(document.files) == ["../common/a.yaml"]
    refused(found(entry, "../common/a.txt"), "neither YAML nor JSON")
    refused(found(entry, "../.aws/a.json"), "hidden")
    refused(found(entry, "../../a.yaml"), "outside of")
    for absolute in (str(tmp_path / "a.yaml"), (tmp_path / "a.yaml").as_uri(), "/etc/passwd", "file:///etc/passwd"):
        refused(found(entry, absolute), "outside of")


def test_the_tree_can_be_named(tmp_path: Path) -> None:
    write(tmp_path / "a.yaml")
    write(tmp_path / "work/common/a.yaml")
    entry = tmp_path / "work/api/api.yaml"
    assert found(entry, "../../a.yaml", tree=tmp_path)[1] == []
    refused(found(entry, "../common/a.yaml", tree=tmp_path / "work/api"), "outside of")


def test_the_tree_is_the_working_tree_of_git(tmp_path: Path) -> None:
    write(tmp_path / "a.yaml")
    (tmp_path / "work/.git").mkdir(parents=True)
    write(tmp_path / "work/a.yaml")
    entry = tmp_path / "work/specs/v1/api.yaml"
    assert found(entry, "../../a.yaml")[1] == []
    refused(found(entry, "../../../a.yaml"), "outside of")


def test_a_link_out_of_the_tree_is_not_followed(tmp_path: Path) -> None:
    write(tmp_path / "secret.yaml")
    write(tmp_path / "work/api/api.yaml")
    (tmp_path / "work/api/link.yaml").symlink_to(tmp_path / "secret.yaml")
    (tmp_path / "work/api/folder").symlink_to(tmp_path)
    refused(found(tmp_path / "work/api/api.yaml", "link.yaml"), "outside of")
    refused(found(tmp_path / "work/api/api.yaml", "folder/secret.yaml"), "outside of")


def test_a_document_behind_a_link_has_its_neighbours(tmp_path: Path) -> None:
    write(tmp_path / "real/work/parts/a.yaml")
    (tmp_path / "linked").symlink_to(tmp_path / "real")
    document, diagnostics = found(tmp_path / "linked/work/api.yaml", "parts/a.yaml")
    assert (diagnostics, list(document.files)) == ([], ["parts/a.yaml"])


def test_what_is_shared_is_no_tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "home", lambda: tmp_path / "home/me")
    monkeypatch.setattr(reach.tempfile, "gettempdir", lambda: str(tmp_path / "tmp"))
    home, temporary = tmp_path / "home/me", tmp_path / "tmp"
    for folder in (home, home / "downloads", temporary, temporary / "x", Path("/"), tmp_path / "home"):
        assert default_tree(folder) == folder
    assert default_tree(home / "work/api") == home / "work"
    (home / ".git").mkdir(parents=True)
    assert default_tree(home / "work/api") == home / "work/api"


def test_a_document_from_standard_input_has_no_neighbours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import io
    import sys

    write(tmp_path / "a.yaml")
    monkeypatch.chdir(tmp_path)

    def piped(**options: Any) -> tuple[Document, list[Diagnostic]]:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text("a.yaml").encode())))
        report = Report()
        return load("-", report, **options), report.diagnostics

    refused(piped(), "standard input")
    document, diagnostics = piped(tree=tmp_path)
    assert (diagnostics, list(document.files)) == ([], ["a.yaml"])


def test_neighbours_of_a_url(web: Web) -> None:
    web.serves("/v1/parts/a.yaml", b"properties: {b: {$ref: '../../b.json'}}")
    web.serves("/b.json", b'{"type": "string"}')
    document, diagnostics = served(web, "parts/a.yaml")
    assert diagnostics == []
    assert list(document.files) == [f"{web.url}/v1/parts/a.yaml", f"{web.url}/b.json"]


def test_a_redirect_is_where_relative_references_start(web: Web) -> None:
    web.serves("/latest", b"", 302, Location="/v2/api.yaml")
    web.serves("/v2/api.yaml", text("a.yaml").encode())
    web.serves("/v2/a.yaml", b"", 301, Location="/v3/a.yaml")
    web.serves("/v3/a.yaml", b"properties: {b: {$ref: b.yaml}, a: {$ref: a.yaml}}")
    web.serves("/v3/b.yaml", PART)
    report = Report()
    document = load(f"{web.url}/latest", report)
    assert report.diagnostics == []
    assert list(document.files) == [f"{web.url}/v2/a.yaml", f"{web.url}/v3/b.yaml"]
    assert web.hits.count("/v3/a.yaml") == 1


def test_credentials_go_to_their_own_origin_only(web: Web) -> None:
    seen: list[str | None] = []

    def answer(request: Any) -> None:
        seen.append(request.headers["Authorization"])
        request.send_response(200)
        request.end_headers()
        request.wfile.write(PART)

    web.answers["/v1/a.yaml"] = answer
    web.serves("/v1/api.yaml", text("a.yaml").encode())
    document = load(f"http://me:hunter2@127.0.0.1:{web.port}/v1/api.yaml", Report())
    assert list(document.files) == [f"{web.url}/v1/a.yaml"]
    assert seen == ["Basic bWU6aHVudGVyMg=="]


def test_a_missing_neighbour_of_a_url(web: Web) -> None:
    _, diagnostics = served(web, "gone.yaml")
    assert [diagnostic.code for diagnostic in diagnostics] == ["TC120"]
    assert "status 404" in diagnostics[0].message


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1"])
def test_another_origin_is_refused(web: Web, host: str) -> None:
    port = web.port if host == "localhost" else 9
    refused(served(web, f"http://{host}:{port}/a.yaml"), "on another server")
    refused(served(web, f"https://127.0.0.1:{web.port}/a.yaml"), "on another server")
    assert "/a.yaml" not in web.hits


def test_a_redirect_to_another_origin_is_refused(web: Web) -> None:
    web.serves("/v1/a.yaml", b"", 302, Location=f"http://localhost:{web.port}/b.yaml")
    web.serves("/b.yaml", PART)
    refused(served(web, "a.yaml"), "on another server")
    assert "/b.yaml" not in web.hits


@pytest.mark.parametrize("reference", ["file:///etc/hostname", "file:/etc/hostname", "file:api.yaml"])
def test_a_document_from_the_network_reads_no_files(web: Web, reference: str) -> None:
    refused(served(web, reference, allow_remote_refs=True), "may not refer to local files")


def test_a_file_does_not_ask_the_network(web: Web, tmp_path: Path) -> None:
    refused(found(tmp_path / "api.yaml", web.serves("/a.yaml", PART)), "has to be allowed first")
    assert web.hits == []


def test_private_addresses_are_refused_even_where_the_network_is_allowed(web: Web, tmp_path: Path) -> None:
    for reference in (
        f"http://127.0.0.1:{web.port}/a.yaml",
        f"http://localhost:{web.port}/a.yaml",
        "http://169.254.169.254/latest/meta-data/",
        "http://[::1]/a.yaml",
        "http://10.0.0.1/a.yaml",
    ):
        refused(found(tmp_path / "api.yaml", reference, allow_remote_refs=True), "inside of a private network")
    assert web.hits == []


class Resolver:
    """Names that lead where a test says."""

    def __init__(self, names: dict[str, list[str]]) -> None:
        self.names = names
        self.real = socket.getaddrinfo

    def __call__(self, host: Any, port: Any, *arguments: Any, **options: Any) -> Any:
        name = host.decode() if isinstance(host, bytes) else str(host)
        if name in self.names:
            found = self.names[name]
            if not found:
                raise socket.gaierror(-2, "Name or service not known")
            return [
                (socket.AF_INET6 if ":" in address else socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port))
                for address in found
            ]
        return self.real(host, port, *arguments, **options)


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> dict[str, list[str]]:
    known: dict[str, list[str]] = {}
    monkeypatch.setattr(socket, "getaddrinfo", Resolver(known))
    return known


@pytest.mark.parametrize(
    ("addresses", "public"),
    [
        (["93.184.215.14"], True),
        (["2606:2800:21f:cb07:6820:80da:af6b:8b2c"], True),
        (["64:ff9b::5db8:d70e"], True),
        (["93.184.215.14", "10.1.2.3"], False),
        (["127.0.0.1"], False),
        (["0.0.0.0"], False),
        (["169.254.169.254"], False),
        (["100.64.0.1"], False),
        (["192.168.1.1"], False),
        (["172.16.0.1"], False),
        (["224.0.0.1"], False),
        (["::1"], False),
        (["::"], False),
        (["fe80::1%eth0"], False),
        (["fd00::1"], False),
        (["::ffff:10.0.0.1"], False),
        (["64:ff9b::7f00:1"], False),
        (["2002:7f00:1::"], False),
        ([], False),
    ],
)
def test_public_addresses(names: dict[str, list[str]], addresses: list[str], public: bool) -> None:
    names["a.test"] = addresses
    if public:
        assert public_address("a.test", 443) == addresses[0]
    else:
        with pytest.raises(Refused):
            public_address("a.test", 443)


def test_a_name_for_a_private_address_is_refused(web: Web, names: dict[str, list[str]]) -> None:
    names["docs.example.test"] = ["127.0.0.1"]
    names["inside.example.test"] = ["127.0.0.1"]
    web.serves("/a.yaml", PART)
    reference = f"http://inside.example.test:{web.port}/a.yaml"
    web.serves("/api.yaml", text(reference).encode())
    report = Report()
    document = load(f"http://docs.example.test:{web.port}/api.yaml", report, allow_remote_refs=True)
    refused((document, report.diagnostics), "inside of a private network")
    assert web.hits == ["/api.yaml"]


def test_a_name_that_changes_its_mind_is_not_asked_again(web: Web, names: dict[str, list[str]]) -> None:
    names["docs.example.test"] = ["127.0.0.1"]

    def answer(request: Any) -> None:
        names["docs.example.test"] = ["192.0.2.1"]  # nothing answers there
        request.send_response(200)
        request.end_headers()
        request.wfile.write(text("a.yaml").encode())

    web.answers["/api.yaml"] = answer
    hosts: list[str] = []

    def part(request: Any) -> None:
        hosts.append(request.headers["Host"])
        request.send_response(200)
        request.end_headers()
        request.wfile.write(PART)

    web.answers["/a.yaml"] = part
    report = Report()
    document = load(f"http://docs.example.test:{web.port}/api.yaml", report, timeout=2)
    assert report.diagnostics == []
    assert list(document.files) == [f"http://docs.example.test:{web.port}/a.yaml"]
    assert hosts == [f"docs.example.test:{web.port}"]


def test_another_origin_that_is_allowed(
    web: Web, names: dict[str, list[str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names["parts.example.test"] = ["203.0.113.7"]

    def pretend(host: str, port: int) -> str:
        assert (host, port) == ("parts.example.test", web.port)
        return "127.0.0.1"

    monkeypatch.setattr(pinning, "public_address", pretend)
    url = f"http://parts.example.test:{web.port}"
    web.serves("/a.yaml", b"properties: {b: {$ref: 'b.yaml'}}")
    web.serves("/b.yaml", b"", 302, Location="/c.yaml")
    web.serves("/c.yaml", PART)
    document, diagnostics = found(tmp_path / "api.yaml", f"{url}/a.yaml", allow_remote_refs=True)
    assert diagnostics == []
    assert list(document.files) == [f"{url}/a.yaml", f"{url}/b.yaml"]


def test_behind_a_proxy_the_rules_are_the_same(web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    web.serves("/v1/a.yaml", b"", 302, Location=f"http://localhost:{web.port}/b.yaml")
    refused(served(web, "a.yaml"), "on another server")
    refused(served(web, "http://10.0.0.1/x", "/v2/api.yaml", allow_remote_refs=True), "inside of a private network")
    document, diagnostics = served(web, "c.yaml", "/v3/api.yaml")
    assert [diagnostic.code for diagnostic in diagnostics] == ["TC120"]
    assert document.files == {}


def test_neighbours_that_take_too_long_together(web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("toolcast.load.neighbours._PATIENCE", 0)
    web.serves("/v1/a.yaml", PART)
    _, diagnostics = served(web, "a.yaml")
    assert [diagnostic.code for diagnostic in diagnostics] == ["TC123"]
    assert "/v1/a.yaml" not in web.hits
