"""``toolcast watch``: it follows what a package is made from, survives errors, and stops when it is told to."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Generator
from pathlib import Path

import pytest

from toolcast.diagnostics import Report
from toolcast.load.document import load
from toolcast.watching import Sources

from .conftest import SHELTER, Run

CONTRACT = "out/src/shelter_mcp/api/tools.json"


class Watcher:
    """A running watch, and the lines that it has printed."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self.lines: list[str] = []
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.append(line)

    def until(self, told: Callable[[str], bool]) -> str:
        """The next line of a kind; those before it are forgotten."""
        end = time.monotonic() + 60
        while time.monotonic() < end:
            while self.lines:
                line = self.lines.pop(0)
                if told(line):
                    return line
            time.sleep(0.02)
        raise AssertionError("it was not told in time")

    def stop(self) -> int:
        """The exit status after Ctrl-C."""
        self.process.send_signal(signal.SIGINT)
        status = self.process.wait(30)
        self._reader.join()
        return status


@pytest.fixture
def watcher(run: Run, shelter: Path, tmp_path: Path) -> Generator[Watcher]:
    """A watch of a package, which has begun."""
    assert run("generate", shelter.name, "--output", "out", "--name", "shelter").returncode == 0
    with subprocess.Popen(
        [sys.executable, "-u", "-m", "toolcast", "watch", "out"],
        cwd=tmp_path, env={**os.environ, "XDG_STATE_HOME": str(tmp_path / "state")},
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    ) as process:  # fmt: skip
        found = Watcher(process)
        found.until(lambda line: "watching: up to date" in line)
        yield found
        if process.poll() is None:
            process.kill()


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_it_follows_survives_and_stops(watcher: Watcher, shelter: Path, tmp_path: Path) -> None:
    shelter.write_text(SHELTER.replace("List the pets", "List all pets"), "utf-8")
    line = watcher.until(lambda line: "files written" in line)
    assert "shelter.yaml: 2 tools; 4 files written; for agents " in line
    assert "cosmetic: a patch version (list_pets)" in line
    assert "List all pets" in (tmp_path / CONTRACT).read_text("utf-8")

    shelter.write_text("openapi: [", "utf-8")
    assert "shelter.yaml: not updated" in watcher.until(lambda line: "shelter.yaml" in line)
    assert "error TC" in watcher.until(lambda line: "error" in line)

    # Saved as editors do it: another file takes the place.
    (tmp_path / "new").write_text(SHELTER, "utf-8")
    (tmp_path / "new").replace(shelter)
    assert "shelter.yaml: 2 tools" in watcher.until(lambda line: "files written" in line)

    settings = tmp_path / "out/toolcast.toml"
    settings.write_text(settings.read_text("utf-8").replace("0.1.0", "0.2.0"), "utf-8")
    assert "toolcast.toml: 2 tools" in watcher.until(lambda line: "files written" in line)
    assert watcher.stop() == 0
    assert not (tmp_path / "out/.toolcast").exists()


def test_a_document_and_its_parts_are_sources(tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts/a#1.yaml").write_text("type: string\n", "utf-8")
    document = tmp_path / "shelter.yaml"
    document.write_text(SHELTER.replace("schema: {type: integer}", 'schema: {$ref: "parts/a%231.yaml"}'), "utf-8")
    (tmp_path / "out").mkdir()
    (tmp_path / "out/toolcast.toml").write_text('document = "../shelter.yaml"\n', "utf-8")
    sources = Sources.of(tmp_path / "out", load(str(document), Report()))
    assert not sources.changed()
    for path in ("parts/a#1.yaml", "shelter.yaml", "out/toolcast.toml"):
        was = (tmp_path / path).read_text("utf-8")
        (tmp_path / path).write_text(f"{was}\n# more\n", "utf-8")
        assert [found.resolve() for found in sources.changed()] == [tmp_path / path]
        assert [found.resolve() for found in sources.wait()] == [tmp_path / path]
        sources = Sources.of(tmp_path / "out", load(str(document), Report()))
    (tmp_path / "out/.toolcastignore").write_text("*.md\n", "utf-8")
    assert [path.name for path in sources.changed()] == [".toolcastignore"]


def test_templates_of_the_owners_are_sources(tmp_path: Path) -> None:
    mine = tmp_path / "mine" / "docs"
    mine.mkdir(parents=True)
    (mine / "GROUP.md.jinja").write_text("{{ group.title|markdown }}\n")
    (tmp_path / "toolcast.toml").write_text('document = "pets.yaml"\ntemplates.directory = "mine"\n')
    seen = Sources.of(tmp_path, None)
    (mine / "GROUP.md.jinja").write_text("# {{ group.title|markdown }}\n")
    assert seen.changed() == [mine / "GROUP.md.jinja"]
    seen = Sources.of(tmp_path, None)
    (mine / "notice.jinja").write_text("")
    assert seen.changed() == [mine]


def test_a_document_with_a_url_is_asked_for_again(tmp_path: Path) -> None:
    (tmp_path / "toolcast.toml").write_text('document = "https://shelter.example/openapi.yaml"\n', "utf-8")
    sources = Sources.of(tmp_path, None)
    assert sources.remote
    assert sources.wait(every=0.1) == []
