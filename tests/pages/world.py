"""A folder as the pages' commands find it: a document, its package in a repository, and no way to a network."""

from __future__ import annotations

import http.client
import json
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Final

import toolcast
from tests.pages.blocks import ROOT
from tests.pages.standins import COMMANDS, command

DOCUMENT: Final = Path(__file__).with_name("petstore") / "openapi.yaml"
SHOP: Final = ROOT / "samples" / "bookshop"
STANDINS: Final = Path(__file__).with_name("standins.py")
_PET: Final = {"id": 7, "name": "Rex", "kind": "dog"}
_OVERLAY: Final = """\
overlay: 1.1.0
info: {title: Names, version: "1"}
actions:
- target: $.paths['/pets'].get
  update: {summary: Find pets}
"""
_FAULTS: Final = {  # what the document of `rough/` has wrong
    "      operationId: listPets\n": "",
    "description: Whose pets., ": "",
    "summary: Create a pet": "summary: createPet",
    '"An id, as list_pets has it."': '""',
    "schemas/Pet": "schemas/Pett",
}
_MISTAKE: Final = """\
{% extends "builtin:README.md.jinja" %}

{% block heading %}
# {{ package.titel|markdown }}
{% endblock %}
"""
# The generator, for which the host of the examples is on loopback, and the port of a server a free one.
_TOOLCAST: Final = """\
#!/bin/bash
words=("${{@//https:\\/\\/api.example.com/$PAGES_SITE}}")
[[ $1 == serve && " $* " == *" --http "* ]] && words+=(--port "$PETSTORE_PORT")
exec "{python}" -m toolcast "${{words[@]}}"
"""
_READY: Final = 20  # seconds that a server may take until it answers


class _Site(BaseHTTPRequestHandler):
    """The API of the pets, which has its document beside it."""

    def do_GET(self) -> None:
        if self.path == "/openapi.json":
            self._answer(DOCUMENT.read_bytes())
        else:
            self._answer(json.dumps([_PET] if self.path.startswith("/pets?") else _PET).encode())

    def _answer(self, body: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        pass


@contextmanager
def site() -> Generator[str]:
    """The running API: its address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Site)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@dataclass(frozen=True, slots=True)
class World:
    """A folder in which commands run, and the environment that they run in."""

    folder: Path
    environment: dict[str, str]
    running: list[subprocess.Popen[Any]] = field(default_factory=list[subprocess.Popen[Any]])

    @property
    def package(self) -> Path:
        """The package that was made of the document."""
        return self.folder / "petstore-mcp"

    def copied(self, folder: Path, *, before: str) -> World:
        """The same elsewhere, for one test; before ``document`` there is no package yet, and before ``all`` nothing."""
        shutil.copytree(self.folder, folder, symlinks=True, dirs_exist_ok=True)
        commands = folder / "bin"
        if before in ("document", "all"):
            shutil.rmtree(folder / "petstore-mcp")
            (commands / "petstore-mcp").unlink(missing_ok=True)
        if before == "all":
            (folder / "openapi.yaml").unlink()
        environment = {
            **self.environment,
            "PAGES_BIN": str(commands),
            "HOME": str(folder),
            "PATH": f"{commands}:/usr/bin:/bin",
            "PETSTORE_PORT": str(_free_port()),
            "BOOKSHOP_SERVER_PORT": str(_free_port()),
        }
        world = World(folder, environment)
        if before == "":
            command(commands, "petstore-mcp", "petstore_mcp", world.package / "src")
        return world

    def run(self, script: str, where: Path, statuses: tuple[int, ...] = (0,), **more: str) -> str:
        """What a script for bash prints; it ends with one of these statuses."""
        done = subprocess.run(
            ["/bin/bash", "-e", "-o", "pipefail", "-c", script],
            cwd=where,
            env={**self.environment, **more},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
        assert done.returncode in statuses, f"{script}\nstatus {done.returncode}\n{done.stdout}\n{done.stderr}"
        return done.stdout

    def export(self, line: str) -> None:
        """Set what a line ``export NAME=value …`` sets, for the rest of a story."""
        for word in shlex.split(line, comments=True)[1:]:
            name, _, value = word.partition("=")
            self.environment[name] = value

    def start(self, line: str, where: Path) -> None:
        """Start what the rest of a story needs, and wait for its first line."""
        process = subprocess.Popen(
            ["/bin/bash", "-c", f"exec {line}"],
            cwd=where,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        self.running.append(process)
        assert process.stdout is not None
        assert process.stdout.readline(), f"{line} ended with {process.wait()}"

    def end(self) -> None:
        """End what was started."""
        for process in self.running:
            process.terminate()
            process.communicate(timeout=15)

    def conflict(self, path: str, *, openly: bool) -> None:
        """Bring a file's heading into conflict once more; ``openly``: nobody has decided it by hand."""
        document, file = self.folder / "openapi.yaml", self.folder / path
        words = re.search(r"title: (.+)", document.read_text("utf-8"))
        assert words is not None
        document.write_text(document.read_text("utf-8").replace(words[0], f"{words[0]} again"), "utf-8")
        text = re.sub(r"^An MCP server for .+$", f"Ours, not {words[1]}.", file.read_text("utf-8"), flags=re.MULTILINE)
        file.write_text(re.sub(r"^Ours, .+$", f"Ours, not {words[1]}.", text, flags=re.MULTILINE), "utf-8")
        self.run("toolcast update petstore-mcp", self.folder, (3,))
        merged = self.package / ".toolcast" / "conflicts" / file.relative_to(self.package)
        assert "<<<<<<<" in merged.read_text("utf-8")
        if not openly:
            merged.write_text(file.read_text("utf-8"), "utf-8")

    def stays(self, line: str, where: Path) -> None:
        """Start what runs until it is told to end, wait until it is ready, and end it."""
        serves = "--http" in line
        process = subprocess.Popen(
            ["/bin/bash", "-c", line],
            cwd=where,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL if serves else subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            if serves:
                answered = self._answers(process)
            else:
                assert process.stdout is not None
                answered = bool(process.stdout.readline())
            assert answered and process.poll() is None, f"{line}\nstatus {process.poll()}"
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGTERM)
            process.communicate(timeout=15)

    def _answers(self, process: subprocess.Popen[Any]) -> bool:
        until = time.monotonic() + _READY
        while time.monotonic() < until and process.poll() is None:
            connection = http.client.HTTPConnection("127.0.0.1", int(self.environment["PETSTORE_PORT"]), timeout=5)
            try:
                connection.request("GET", "/healthz")
                return connection.getresponse().status == 200
            except OSError:
                time.sleep(0.1)
            finally:
                connection.close()
        return False


def made(folder: Path, address: str) -> World:
    """The world, in an empty folder: everything that pages speak of, with the API at an address."""
    commands = folder / "bin"
    commands.mkdir()
    for name in COMMANDS:
        (commands / name).write_text(f'#!/bin/sh\nexec "{sys.executable}" "{STANDINS}" {name} "$@"\n', "utf-8")
        (commands / name).chmod(0o755)
    (commands / "toolcast").write_text(_TOOLCAST.format(python=sys.executable), "utf-8")
    (commands / "toolcast").chmod(0o755)
    kept = {name: os.environ[name] for name in ("XDG_CACHE_HOME", "XDG_STATE_HOME") if name in os.environ}
    environment = {
        **kept,
        "HOME": str(folder),
        "PATH": f"{commands}:/usr/bin:/bin",
        "PAGES_BIN": str(commands),
        "PAGES_SITE": address,
        "PETSTORE_BASE_URL": address,
        "PETSTORE_API_KEY": "example-key",
        "PETSTORE_STATE_KEYS": "0123456789abcdef" * 2,
        "NO_COLOR": "1",
        "COLUMNS": "100",
        "LC_ALL": "C.UTF-8",
        **{
            f"GIT_{who}_{what}": f"pages@{'example.com'}"
            for who in ("AUTHOR", "COMMITTER")
            for what in ("NAME", "EMAIL")
        },
    }
    world = World(folder, environment)
    text = DOCUMENT.read_text("utf-8")
    document = folder / "openapi.yaml"
    document.write_text(text.replace("1.3.0", "1.2.0").replace("maximum: 100", "maximum: 50"), "utf-8")
    assert toolcast.generate(document, world.package, name="petstore").applied
    old, new = folder / "old", folder / "new"
    old.mkdir()
    shutil.copy(world.package / "src/petstore_mcp/api/tools.json", old / "tools.json")
    (world.package / ".env").write_text(f"PETSTORE_STATE_KEYS={environment['PETSTORE_STATE_KEYS']}\n", "utf-8")
    (folder / ".gitignore").write_text("/bin/\n/remote.git/\n/.cache/\n", "utf-8")
    world.run(
        "git init -q -b main . && git add --all && git commit -q -m 'The first' && git tag v1.2"
        " && git init -q --bare remote.git && git remote add origin ./remote.git",
        folder,
    )
    document.write_text(text, "utf-8")
    new.mkdir()
    shutil.copy(old / "tools.json", new / "tools.json")
    (folder / "names.overlay.yaml").write_text(_OVERLAY, "utf-8")
    (folder / "toolcast.toml").write_text('document = "openapi.yaml"\nname = "petstore"\n', "utf-8")
    rough = folder / "rough"
    (rough / "templates").mkdir(parents=True)
    for good, bad in _FAULTS.items():
        assert good in text
        text = text.replace(good, bad, 1)
    (rough / "openapi.yaml").write_text(text, "utf-8")
    (rough / "templates" / "README.md.jinja").write_text(_MISTAKE, "utf-8")
    (folder / "api").mkdir()
    shutil.copy(document, folder / "api" / "openapi.yaml")
    shutil.copytree(SHOP, folder / "bookshop", ignore=shutil.ignore_patterns("server", "__pycache__"))
    return world


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]
