"""A package depends on document, configuration and generator: on no folder, locale, hash seed or notation."""

from __future__ import annotations

import functools
import threading
from collections.abc import Generator
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from toolcast import pipeline
from toolcast.diagnostics import Report

from .conftest import DOCUMENT, git
from .generations import as_json, generate, in_surroundings, package

ACCEPTED = sorted((Path(__file__).parents[1] / "documents" / "accepted").glob("*.yaml"))
CORPUS = Path(__file__).parents[3] / "shared" / "corpus"
_SMALL = 40 * 1024
_SOME = 4


def _small() -> list[Path]:
    """A few small documents that others have written."""
    found = sorted(CORPUS.glob("*/openapi.yaml")) + sorted(CORPUS.glob("*/swagger.json"))
    return [path for path in found if 2_000 < path.stat().st_size < _SMALL][:_SOME]


def compare(documents: list[Path], others: list[str], scratch: Path) -> None:
    """Compare the packages of documents with those of their other forms, made elsewhere."""
    (scratch / "another").mkdir()
    git(scratch / "another", "init", "--quiet")
    in_surroundings(0, scratch / "one", [str(path) for path in documents])
    in_surroundings(1, scratch / "another/deeper/below", others)
    for number, document in enumerate(documents):
        made = package(scratch / "one" / str(number))
        assert "failure.txt" not in made, document
        assert made == package(scratch / "another/deeper/below" / str(number)), document
        assert str(scratch).encode() not in b"".join(made.values())


def test_neither_folder_nor_time_zone_nor_locale_nor_hash_seed_nor_notation_counts(tmp_path: Path) -> None:
    compare(ACCEPTED, [as_json(path, tmp_path / f"{path.stem}.json") for path in ACCEPTED], tmp_path)


@pytest.mark.skipif(not _small(), reason=f"{CORPUS} is not here")
def test_documents_of_others(tmp_path: Path) -> None:
    compare(_small(), [str(path) for path in _small()], tmp_path)


@contextmanager
def served(folder: Path) -> Generator[str]:
    """A folder over HTTP."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder))) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


def test_neither_path_nor_url_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    (tmp_path / "documents").mkdir()
    (tmp_path / "documents/pets.yaml").write_text(DOCUMENT, "utf-8")
    monkeypatch.chdir(tmp_path / "documents")
    with served(tmp_path / "documents") as url:
        generate(tmp_path, ["pets.yaml", str(tmp_path / "documents/pets.yaml"), f"{url}/pets.yaml"])
        named = (tmp_path / "2/toolcast.toml").read_text("utf-8")
        assert f'document = "{url}/pets.yaml"' in named
        assert pipeline.update(tmp_path / "2", report=Report()).applied
    assert package(tmp_path / "0") == package(tmp_path / "1") == package(tmp_path / "2")


def test_a_package_that_grew_is_the_package_that_was_made_at_once(tmp_path: Path) -> None:
    """But for the lock, which remembers what was there."""
    document = tmp_path / "pets.yaml"
    document.write_text(DOCUMENT[: DOCUMENT.index("  /toys:")], "utf-8")
    generate(tmp_path / "grown", [str(document)])
    document.write_text(DOCUMENT, "utf-8")
    generate(tmp_path / "grown", [str(document)])
    generate(tmp_path / "new", [str(document)])
    assert package(tmp_path / "grown/0") == package(tmp_path / "new/0")
