"""Serving: how soon an emitted server answers, what a list and a call cost, over every transport."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

import orjson

import documents
import generation
from measuring import Measure, ran

HERE = Path(__file__).parent
_HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "speed", "version": "1"},
    },
}
_READY = {"jsonrpc": "2.0", "method": "notifications/initialized"}
_LEVELS = (1, 16, 64)


def package(folder: Path, name: str, document: Path) -> Path:
    """The source folder of a document's package; it is made once."""
    output = folder / f"package-{name}"
    if not output.exists():
        ran(sys.executable, "-m", "toolcast", "generate", document, "--output", output, "--name", name)
    return output / "src"


def _family(folder: Path, count: int) -> Path:
    path = folder / f"operations{count}.json"
    if not path.exists():
        path.write_bytes(orjson.dumps(documents.family(count)))
    return path


class Conversation:
    """A raw client over stdio: it reads lines, and parses each once."""

    def __init__(self, command: Sequence[str], environment: Mapping[str, str]) -> None:
        inherited = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        self.begin = time.perf_counter()
        self.process = subprocess.Popen(
            command, env={**inherited, **environment}, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )  # fmt: skip

    def __enter__(self) -> Conversation:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.communicate()

    def say(self, message: Mapping[str, Any]) -> None:
        """Send a message."""
        assert self.process.stdin is not None
        self.process.stdin.write(orjson.dumps(message) + b"\n")
        self.process.stdin.flush()

    def answer(self, id_: int) -> dict[str, Any]:
        """What answers a request."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            message: dict[str, Any] = orjson.loads(line)
            if message.get("id") == id_:
                return message
        raise RuntimeError(f"{self.process.args!r} has ended")

    def listed(self) -> tuple[float, float, int]:
        """Milliseconds to the first complete list and for the second one, and how many tools there are."""
        self.say(_HELLO)
        self.answer(1)
        self.say(_READY)
        tools = self._list(2)
        first = (time.perf_counter() - self.begin) * 1000
        again = time.perf_counter()
        self.say({"jsonrpc": "2.0", "id": 900, "method": "tools/list", "params": {}})
        assert self.process.stdout is not None
        self.process.stdout.readline()
        return first, (time.perf_counter() - again) * 1000, tools

    def _list(self, id_: int) -> int:
        cursor: str | None = None
        count = 0
        while True:
            parameters = {"cursor": cursor} if cursor else {}
            self.say({"jsonrpc": "2.0", "id": id_, "method": "tools/list", "params": parameters})
            result = self.answer(id_)["result"]
            count += len(result["tools"])
            cursor, id_ = result.get("nextCursor"), id_ + 1
            if not cursor:
                return count

    def memory(self) -> float:
        """Megabytes that the server has now."""
        for line in Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) / 1024
        raise RuntimeError("this system does not tell")


def _emitted(source: Path, name: str) -> Callable[[], Conversation]:
    environment = {"PYTHONPATH": str(source), f"{name.upper()}_BASE_URL": "http://127.0.0.1:9"}
    return lambda: Conversation([sys.executable, "-m", f"{name}_mcp"], environment)


def _servers(folder: Path, fastmcp: Path | None) -> dict[str, Callable[[], Conversation]]:
    large = generation.large(folder)
    found = {
        "smallest": lambda: Conversation([sys.executable, str(HERE / "peers" / "smallest.py")], {}),
        "19 tools": _emitted(package(folder, "small", _family(folder, 19)), "small"),
        "1,000 tools": _emitted(package(folder, "thousand", _family(folder, 1_000)), "thousand"),
        "large": _emitted(package(folder, "large", large), "large"),
    }
    if fastmcp is not None:
        found["FastMCP"] = lambda: Conversation(
            [str(fastmcp), str(HERE / "peers" / "fastmcp_server.py"), str(large)], {}
        )
    return found


def starting(folder: Path, rounds: int, fastmcp: Path | None) -> Iterator[Measure]:
    """From the start of the process to the first complete list."""
    servers = _servers(folder, fastmcp)
    first: dict[str, list[float]] = {name: [] for name in servers}
    memory: dict[str, list[float]] = {name: [] for name in servers}
    for _ in range(rounds):
        for name, start in servers.items():
            with start() as conversation:
                taken, _, _ = conversation.listed()
                first[name].append(taken)
                memory[name].append(conversation.memory())
    time_, size = ({name: median(found) for name, found in kind.items()} for kind in (first, memory))
    yield Measure(
        what="first list of 1,000 tools", figure=time_["1,000 tools"], unit="ms",
        against="the same server with 19", limit=time_["19 tools"], bound=1.15,
    )  # fmt: skip
    yield Measure(
        what="first list of 1,000 tools", figure=time_["1,000 tools"], unit="ms",
        against="the SDK's smallest server", limit=time_["smallest"], bound=1.15,
    )  # fmt: skip
    more = size["1,000 tools"] - size["19 tools"]
    yield Measure(what="memory for 1,000 tools more", figure=more, unit="MB", bound=25)
    if "FastMCP" in time_:
        yield Measure(
            what="first list of the large document, FastMCP's", figure=time_["FastMCP"], unit="ms",
            against="ours", limit=time_["large"], bound=5, least=True,
        )  # fmt: skip
        yield Measure(
            what="memory with the large document, FastMCP's", figure=size["FastMCP"], unit="MB",
            against="ours", limit=size["large"],
        )  # fmt: skip


def listing(folder: Path, rounds: int) -> Iterator[Measure]:
    """The second list, as a client gets it that only reads bytes."""
    start = _emitted(package(folder, "thousand", _family(folder, 1_000)), "thousand")
    taken: list[float] = []
    for _ in range(rounds):
        with start() as conversation:
            taken.append(conversation.listed()[1])
    yield Measure(what="second list, first page of 1,000 tools", figure=median(taken), unit="ms", bound=12)


@contextmanager
def echo() -> Generator[str]:
    """An API that answers every request with the same JSON, in a process of its own."""
    command = [sys.executable, str(HERE / "peers" / "echo.py")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.kill()


def calling(folder: Path, rounds: int, fastmcp: Path | None) -> Iterator[Measure]:
    """A call in process, beside the same request by httpx2 alone."""
    source = package(folder, "thousand", _family(folder, 1_000))
    with echo() as url:
        command = [sys.executable, str(HERE / "peers" / "calls.py"), str(source), url, str(rounds)]
        found = json.loads(subprocess.run(command, capture_output=True, text=True, check=True, cwd=HERE).stdout)
        theirs: dict[str, dict[str, float]] = {}
        if fastmcp is not None:
            document = _family(folder, 1_000)
            peer = [str(fastmcp), str(HERE / "peers" / "fastmcp_calls.py"), str(document), url, str(rounds)]
            theirs = json.loads(subprocess.run(peer, capture_output=True, text=True, check=True).stdout)
    bounds = {"handler": {1: 1.15}, "SDK": {1: 1.6}}
    for level in _LEVELS:
        for kind in ("handler", "SDK"):
            yield Measure(
                what=f"call by the {kind}, {level} at once",
                figure=found[kind][str(level)],
                unit="ms",
                against="httpx2",
                limit=found["httpx2"][str(level)],
                bound=bounds[kind].get(level),
            )
        if theirs:
            ratio = theirs["FastMCP"][str(level)] / theirs["httpx2"][str(level)]
            own = found["SDK"][str(level)] / found["httpx2"][str(level)]
            yield Measure(
                what=f"call by FastMCP's client, {level} at once, beside httpx2", figure=ratio, unit="x",
                against="ours", limit=own, bound=1, least=True,
            )  # fmt: skip


def transporting(folder: Path, rounds: int) -> Iterator[Measure]:
    """Calls over streamable HTTP, with one worker and with two."""
    source = package(folder, "thousand", _family(folder, 1_000))
    with echo() as url:
        figures: dict[str, float] = {}
        for workers in (1, 2):
            with socket.socket() as free:
                free.bind(("127.0.0.1", 0))
                port = free.getsockname()[1]
            environment = {**os.environ, "PYTHONPATH": str(source), "THOUSAND_BASE_URL": url, "NO_PROXY": "127.0.0.1"}
            command = [sys.executable, "-m", "thousand_mcp", "--http", "--port", str(port), "--workers", str(workers)]
            with subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL) as server:
                try:
                    _wait(port)
                    for level in _LEVELS:
                        figures[f"{workers} {level}"] = asyncio.run(_throughput(port, level, 150 * rounds))
                finally:
                    server.terminate()
                    server.wait(20)
    for level in _LEVELS:
        one, two = figures[f"1 {level}"], figures[f"2 {level}"]
        yield Measure(what=f"calls a second over HTTP, {level} at once, 1 worker", figure=one, unit="")
        yield Measure(
            what=f"calls a second over HTTP, {level} at once, 2 workers",
            figure=two,
            unit="",
            against="1 worker",
            limit=one,
        )


def _wait(port: int) -> None:
    end = time.monotonic() + 30
    while time.monotonic() < end:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise RuntimeError("the server does not listen")


_HEADERS = (
    "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\n"
    "Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2026-07-28\r\n"
    "Mcp-Method: tools/call\r\nMcp-Name: get_kind0\r\nContent-Length: {length}\r\n\r\n"
)
_CALL = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "tools/call",
    "params": {
        "name": "get_kind0",
        "arguments": {"id": 7},
        "_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": {"name": "speed", "version": "1"},
            "io.modelcontextprotocol/clientCapabilities": {},
        },
    },
}


async def _throughput(port: int, level: int, count: int) -> float:
    """Calls a second over so many connections that are kept open."""
    body = orjson.dumps(_CALL)
    request = _HEADERS.format(port=port, length=len(body)).encode() + body

    async def connection(calls: int) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        for _ in range(calls):
            writer.write(request)
            head = await reader.readuntil(b"\r\n\r\n")
            if not head.startswith(b"HTTP/1.1 200"):
                raise RuntimeError(head.decode())
            lower = head.lower()
            if b"content-length:" in lower:
                length = int(lower.partition(b"content-length:")[2].partition(b"\r\n")[0])
                answer = await reader.readexactly(length)
            else:
                answer = await reader.readuntil(b"\r\n0\r\n\r\n")
            if b'"isError":true' in answer or b'"error"' in answer:
                raise RuntimeError(answer.decode())
        writer.close()

    await asyncio.gather(*(connection(5) for _ in range(level)))
    begin = time.perf_counter()
    await asyncio.gather(*(connection(count // level) for _ in range(level)))
    return (count // level) * level / (time.perf_counter() - begin)
