"""The bookshop: its package made from the sample, its API and its server running, and clients of each kind."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import AsyncGenerator, Generator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Literal

import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters

from toolcast import pipeline
from toolcast.diagnostics import Report

SAMPLE = Path(__file__).parents[2] / "samples" / "bookshop"
CREDENTIALS = {"BOOKSHOP_API_KEY": "demo-key", "BOOKSHOP_STAFF_TOKEN": "demo-staff-token"}

Transport = Literal["in process", "stdio", "http"]
MODERN, LEGACY = "2026-07-28", "legacy"


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """The event loop of asynchronous tests."""
    return "asyncio"


@pytest.fixture(scope="session")
def package(tmp_path_factory: pytest.TempPathFactory) -> Generator[Path]:
    """The package that is made from the sample, importable while the tests run."""
    folder = tmp_path_factory.mktemp("wire") / "bookshop-mcp"
    made = pipeline.generate(str(SAMPLE / "openapi.yaml"), folder, report=Report(), name="bookshop")
    assert made.applied
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "path", [str(folder / "src"), *sys.path])
        yield folder


@dataclass(frozen=True, slots=True)
class Shop:
    """The running API: where it is, and the file with a line for each request that it got."""

    url: str
    log: Path

    def requests(self) -> list[str]:
        """The requests so far, as "METHOD /target status"; each is there before its answer is."""
        return self.log.read_text("utf-8").splitlines()


@contextmanager
def ended(process: subprocess.Popen[Any]) -> Generator[subprocess.Popen[Any]]:
    """A process that does not outlive the block."""
    with process:
        try:
            yield process
        finally:
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()


@pytest.fixture(scope="session")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Generator[Shop]:
    """The API of the sample, on loopback."""
    with running_shop(tmp_path_factory.mktemp("shop") / "requests.log") as running:
        yield running


@contextmanager
def running_shop(log: Path) -> Generator[Shop]:
    """The API of the sample, on loopback, which writes each request into a file."""
    command = [sys.executable, str(SAMPLE / "upstream.py"), "--port", "0", "--log"]
    with log.open("wb") as errors:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True)
        with ended(process):
            assert process.stdout is not None
            yield Shop(process.stdout.readline().removeprefix("listening on ").strip(), log)


@dataclass(frozen=True, slots=True)
class Servers:
    """Starts servers of the package as clients would, and connects to them."""

    package: Path
    shop: Shop

    @asynccontextmanager
    async def connect(
        self, transport: Transport, mode: str, credentials: Mapping[str, str] = CREDENTIALS
    ) -> AsyncGenerator[Client]:
        """A client of a new server."""
        settings = {"BOOKSHOP_BASE_URL": self.shop.url, "NO_PROXY": "127.0.0.1", **credentials}
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("BOOKSHOP_")}
        environment = {**inherited, "PYTHONPATH": str(self.package / "src"), **settings}
        command = [sys.executable, "-m", "bookshop_mcp"]
        match transport:
            case "in process":
                runtime, api = import_module("bookshop_mcp._runtime.server"), import_module("bookshop_mcp.api")
                async with Client(runtime.Server(api.API, environ=settings).lowlevel(), mode=mode) as client:
                    yield client
            case "stdio":
                parameters = StdioServerParameters(command=command[0], args=command[1:], env=environment)
                async with Client(parameters, mode=mode) as client:
                    yield client
            case "http":
                port = free_port()
                with ended(subprocess.Popen([*command, "--http", "--port", str(port)], env=environment, stderr=-3)):
                    wait_for(port)
                    async with Client(f"http://127.0.0.1:{port}/mcp", mode=mode) as client:
                        yield client


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def wait_for(port: int) -> None:
    """Return when somebody listens on a port."""
    deadline = time.monotonic() + 30
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=5).close()
        except ConnectionRefusedError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.05)
        else:
            return


@pytest.fixture(scope="session")
def servers(package: Path, shop: Shop) -> Servers:
    """Servers of the package for the API."""
    return Servers(package, shop)
