"""Replicas of an emitted server behind the proxy that its package brings, all on loopback.

Run as a script, this file is the API behind them.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import socket
import socketserver
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Generator, Iterable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from pathlib import Path
from typing import Any, Final

import anyio
from mcp import Client
from mcp.types import TextContent

DOCUMENT: Final = """\
openapi: 3.1.0
info: {title: Weather stations, version: "1"}
servers: [{url: "http://127.0.0.1"}]
tags: [{name: stations}]
paths:
  /stations/{n}:
    parameters: [{name: n, in: path, required: true, schema: {type: integer}}]
    get:
      operationId: getStation
      tags: [stations]
      responses: {"200": {description: OK, content: {application/json: {schema: {type: object}}}}}
    delete: {operationId: removeStation, tags: [stations], responses: {"204": {description: Gone}}}
  /stations/{n}/readings:
    parameters: [{name: n, in: path, required: true, schema: {type: integer}}]
    post: {operationId: addReading, tags: [stations], responses: {"201": {description: Created}}}
  /archive:
    get:
      operationId: getArchive
      tags: [stations]
      responses: {"200": {description: OK, content: {application/json: {schema: {type: array, items: {type: object}}}}}}
"""
ROWS: Final = 20_000  # of the archive, which is larger than any result
HOSTS: Final = ("127.0.0.1", "127.0.0.2", "127.0.0.3")
KEY: Final = "a-key-of-many-characters-that-all-replicas-share"


class Api(BaseHTTPRequestHandler):
    """The API: it answers what it was asked for, and writes down what it has carried out."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    archive: bytes = json.dumps([{"row": row, "sky": "grey " * 20} for row in range(ROWS)]).encode()

    def do_GET(self) -> None:
        if self.path == "/archive":
            self._answer(200, self.archive)
        else:
            self._answer(200, json.dumps({"station": int(self.path.rpartition("/")[2])}).encode())

    def do_POST(self) -> None:
        sys.stdout.write(f"POST {self.path}\n")
        sys.stdout.flush()
        self._answer(201, b"")

    def do_DELETE(self) -> None:
        sys.stdout.write(f"DELETE {self.path}\n")
        sys.stdout.flush()
        self._answer(204, b"")

    def _answer(self, status: int, body: bytes) -> None:
        self.rfile.read(int(self.headers.get("content-length", 0)))
        self.send_response(status)
        if body:
            self.send_header("Content-Type", "application/json")
        if status != 204:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        pass


@dataclass(slots=True)
class Site:
    """The API, its log, and replicas of a package's server in front of it."""

    package: Path
    module: str
    folder: Path
    api: str
    port: int
    processes: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict[str, "subprocess.Popen[bytes]"])

    @property
    def carried_out(self) -> list[str]:
        """What the API has done, by method and path."""
        return (self.folder / "api.log").read_text("utf-8").splitlines()[1:]

    def url(self, host: str) -> str:
        """Where one replica is."""
        return f"http://{host}:{self.port}/mcp"

    def start(self, host: str, **settings: str) -> None:
        """Start a replica, and wait until it listens."""
        self.begin(host, **settings)
        listening(host, self.port)

    def begin(self, host: str, **settings: str) -> None:
        """Start a replica."""
        prefix = self.module.removesuffix("_mcp").upper()
        environment = {
            **os.environ,
            "PYTHONPATH": str(self.package / "src"),
            "NO_PROXY": "127.0.0.1",
            f"{prefix}_BASE_URL": self.api,
            f"{prefix}_STATE_KEYS": KEY,
            **settings,
        }
        command = [sys.executable, "-m", self.module, "--http", "--host", host, "--port", str(self.port)]
        self.processes[host] = subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL)

    def kill(self, host: str) -> None:
        """End a replica as a crash does."""
        process = self.processes.pop(host)
        process.send_signal(signal.SIGKILL)
        process.wait()


@contextlib.contextmanager
def site(package: Path, module: str) -> Generator[Site]:
    """The API and three replicas in front of it."""
    with contextlib.ExitStack() as open_:
        folder = Path(open_.enter_context(tempfile.TemporaryDirectory(prefix="replicas-")))
        with (folder / "api.log").open("wb") as log:
            api = subprocess.Popen([sys.executable, __file__], stdout=log, stderr=subprocess.DEVNULL)
        open_.callback(_end, api)
        deadline = time.monotonic() + 30
        while not (first := (folder / "api.log").read_text("utf-8").partition("\n")[0]):
            assert time.monotonic() < deadline
            time.sleep(0.02)
        made = Site(package, module, folder, first, free_port(HOSTS))
        open_.callback(lambda: [_end(process) for process in made.processes.values()])
        for host in HOSTS:
            made.begin(host)
        for host in HOSTS:
            listening(host, made.port)
        yield made


@contextlib.contextmanager
def proxied(site: Site) -> Generator[str]:
    """The proxy in front of a site's replicas: nginx with the package's configuration where it is installed.

    Gives the URL; elsewhere connections are handed out in turn by a few lines of our own.
    """
    port = free_port(("127.0.0.1",))
    found = shutil.which("nginx")
    with contextlib.ExitStack() as open_:
        if found is None:
            open_.enter_context(_Turns.serving(port, site.port))
        else:
            names = open_.enter_context(_Names.serving())
            text = (site.package / "deploy/nginx.conf").read_text("utf-8")
            for told, here in (
                ("resolver 127.0.0.11 valid=2s", f"resolver 127.0.0.1:{names} valid=2s"),
                ("server:8000", f"server:{site.port}"),
                ("listen 8080", f"listen 127.0.0.1:{port}"),
                ("/tmp/nginx.pid", str(site.folder / "nginx.pid")),
            ):
                assert told in text, told
                text = text.replace(told, here)
            (site.folder / "nginx.conf").write_text(text, "utf-8")
            command = [found, "-e", "stderr", "-c", str(site.folder / "nginx.conf"), "-g", "daemon off;"]
            with (site.folder / "nginx.log").open("wb") as log:
                process = subprocess.Popen(command, stderr=log)
            open_.callback(_end, process)
        listening("127.0.0.1", port)
        yield f"http://127.0.0.1:{port}/mcp"


class _Names(socketserver.BaseRequestHandler):
    """A name server by which every name stands for all replicas (RFC 1035)."""

    @classmethod
    @contextlib.contextmanager
    def serving(cls) -> Generator[int]:
        with socketserver.ThreadingUDPServer(("127.0.0.1", 0), cls) as server:
            thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
            thread.start()
            yield server.server_address[1]
            server.shutdown()
            thread.join()

    def handle(self) -> None:
        asked, answering = self.request
        end = asked.index(b"\0", 12) + 5
        known = HOSTS if asked[end - 4 : end - 2] == b"\0\1" else ()
        head = asked[:2] + b"\x81\x80\0\1" + len(known).to_bytes(2, "big") + b"\0\0\0\0"
        answers = b"".join(b"\xc0\x0c\0\1\0\1\0\0\0\1\0\4" + socket.inet_aton(host) for host in known)
        answering.sendto(head + asked[12:end] + answers, self.client_address)


class _Turns(socketserver.BaseRequestHandler):
    """Connections are handed to one replica after the other; one that is gone is passed over."""

    port = 0
    turns = count()

    @classmethod
    @contextlib.contextmanager
    def serving(cls, port: int, replicas: int) -> Generator[None]:
        handler = type("Turns", (cls,), {"port": replicas})
        with socketserver.ThreadingTCPServer(("127.0.0.1", port), handler) as server:
            server.daemon_threads = True
            thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
            thread.start()
            yield
            server.shutdown()
            thread.join()

    def handle(self) -> None:
        turn = next(self.turns)
        for at in range(len(HOSTS)):
            with contextlib.suppress(OSError):
                replica = socket.create_connection((HOSTS[(turn + at) % len(HOSTS)], self.port), timeout=5)
                break
        else:
            return
        with replica:
            back = threading.Thread(target=self._pass, args=(replica, self.request))
            back.start()
            self._pass(self.request, replica)
            back.join()

    @staticmethod
    def _pass(source: socket.socket, target: socket.socket) -> None:
        with contextlib.suppress(OSError):
            source.settimeout(None)
            while part := source.recv(65536):
                target.sendall(part)
        for one in (source, target):
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)


@dataclass(slots=True)
class Tally:
    """What became of calls: ``right`` answers, failures that were ``told``, and connections that broke under one."""

    right: int = 0
    again: int = 0
    told: int = 0
    wrong: int = 0
    broken: dict[str, int] = field(default_factory=dict[str, int])
    slowest: float = 0.0

    @property
    def calls(self) -> int:
        """How many calls came to an end, one way or the other."""
        return self.right + self.told + self.wrong


async def load(url: str, numbers: Iterable[int], modes: tuple[str, ...], clients: int, tally: Tally) -> None:
    """Read and write by number, by several clients of each kind at once; what breaks is done again by a new client."""
    left = list(numbers)[::-1]
    async with anyio.create_task_group() as group:
        for mode in modes:
            for _ in range(clients):
                group.start_soon(_client, url, mode, left, tally)


async def _client(url: str, mode: str, left: list[int], tally: Tally) -> None:
    pending: list[tuple[int, int]] = []
    while left or pending:
        try:
            async with Client(url, mode=mode) as client:
                while left or pending:
                    number, tries = pending.pop() if pending else (left.pop(), 0)
                    pending.append((number, tries + 1))
                    await _one(client, number, tries, tally)
                    pending.pop()
        except Exception as error:
            name = _named(error)
            tally.broken[name] = tally.broken.get(name, 0) + 1
            if pending and pending[-1][1] > 20:
                raise
            await anyio.sleep(0.1)


async def _one(client: Client, number: int, tries: int, tally: Tally) -> None:
    begin = time.monotonic()
    writes = number % 5 == 0
    with anyio.fail_after(60):
        if writes:
            result = await client.call_tool("add_reading", {"n": number})
        else:
            result = await client.call_tool("get_station", {"n": number})
    tally.slowest = max(tally.slowest, time.monotonic() - begin)
    text = " ".join(block.text for block in result.content if isinstance(block, TextContent))
    if result.is_error:
        tally.told += 1
    elif writes or json.loads(text) == {"station": number} == result.structured_content:
        tally.right += 1
        tally.again += tries > 0
    else:
        tally.wrong += 1


def _named(error: Exception) -> str:
    """The class of an error; of a group of them, of its first."""
    match error:
        case ExceptionGroup(exceptions=(Exception() as first, *_)):
            return _named(first)
        case _:
            return type(error).__name__


def listening(host: str, port: int) -> None:
    """Return when somebody listens there."""
    deadline = time.monotonic() + 60
    while True:
        try:
            socket.create_connection((host, port), timeout=5).close()
        except OSError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.05)
        else:
            return


def free_port(hosts: Iterable[str]) -> int:
    """A port on which nobody listens at any of these addresses."""
    with contextlib.ExitStack() as open_:
        first, *others = hosts
        held = open_.enter_context(socket.create_server((first, 0)))
        port: int = held.getsockname()[1]
        for host in others:
            open_.enter_context(socket.create_server((host, port)))
        return port


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(15)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


if __name__ == "__main__":
    served = ThreadingHTTPServer(("127.0.0.1", 0), Api)
    served.daemon_threads = True
    sys.stdout.write(f"http://127.0.0.1:{served.server_address[1]}\n")
    sys.stdout.flush()
    served.serve_forever()
