"""A package made with a configuration, called for real: what reaches the API, and what an agent sees."""

from __future__ import annotations

import importlib
import json
import os
import socket
import subprocess
import sys
import threading
import time
import tomllib
from collections.abc import AsyncGenerator, Callable, Generator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, cast

import anyio
import pytest
import runtime.contract
from mcp import Client
from mcp.shared.exceptions import MCPError
from mcp.types import CallToolResult, ElicitResult, TextContent

from toolcast import pipeline
from toolcast.diagnostics import Report

from .conftest import HARBOUR

TOML = """\
name = "quay"

[server]
icons = "https://quay.example/icon.png"
toolsets = ["boats"]

[tools.listBoats.arguments]
port.fixed = "north & south"
limit = { default = 20, x-mcp-header = "Limit" }

[tools.addBoat.arguments]
pin.credential = true
name.default = "Nameless"

[tools.getBoat]
as = "resource"
_meta = { "quay.example/kind" = "boat" }
icons = "https://quay.example/boat.png"

[tools.tides]
as = "resource"

[tools.sinkBoat.arguments]
id.slashes = "keep"

[tools.getPlan.arguments]
dock.credential = "dockKey"

[tools.foretell]
tool = false

[package]
description = "Boats for agents"
authors = ["Ann Chor <ann@quay.example>", "Bo", "crew@quay.example"]
license = "Apache-2.0"
dependencies = ["rich>=14"]
registry_name = "io.github.quay/boats"

[files]
"TOOLS.md" = false
".gitattributes" = false
"""
SECRETS = {"QUAY_PIN": "pin-4711-secret", "QUAY_DOCK_KEY": "dock/../key?secret"}


@dataclass
class Upstream:
    """What the API was asked, and what it answers by path."""

    requests: list[tuple[str, str, bytes]] = field(default_factory=list[tuple[str, str, bytes]])
    answers: dict[str, tuple[int, str, bytes]] = field(default_factory=dict[str, tuple[int, str, bytes]])
    url: str = ""


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Generator[Path]:
    """The package, importable."""
    folder = tmp_path_factory.mktemp("calls")
    document: Any = json.loads(json.dumps(HARBOUR))
    document["paths"]["/boats/{id}"]["delete"]["parameters"][0]["schema"] = {"type": "string"}
    document["paths"]["/tides"]["get"]["responses"]["200"]["content"] = {"text/plain": {}}
    (folder / "openapi.json").write_text(json.dumps(document), "utf-8")
    (folder / "quay").mkdir()
    (folder / "quay/toolcast.toml").write_text(TOML, "utf-8")
    made = pipeline.generate(str(folder / "openapi.json"), folder / "quay", report=Report())
    assert made.applied
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "path", [str(folder / "quay/src"), *sys.path])
        patch.setenv("NO_PROXY", "127.0.0.1")
        yield folder / "quay"


@pytest.fixture(scope="module")
def api() -> Generator[Upstream]:
    """The API, on loopback."""
    found = Upstream()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def answer(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length") or 0))
            found.requests.append((self.command, self.path, body))
            status, kind, content = found.answers.get(self.path, (200, "application/json", b"[]"))
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        do_GET = do_POST = do_DELETE = answer  # noqa: N815

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name in the base class
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    found.url = f"http://127.0.0.1:{server.server_address[1]}"
    yield found
    server.shutdown()
    thread.join()
    server.server_close()


@asynccontextmanager
async def connected(
    package: Path,
    api: Upstream,
    mode: str,
    secrets: Mapping[str, str] = SECRETS,
    composed: Callable[[Any], Any] | None = None,
) -> AsyncGenerator[Client]:
    """A client of the package's server, of which ``composed`` makes another."""
    assert package.is_dir()
    runtime, values = importlib.import_module("quay_mcp._runtime.server"), importlib.import_module("quay_mcp.api")
    server = runtime.Server(values.API, environ={"QUAY_BASE_URL": api.url, "QUAY_TOOLSETS": "all", **secrets})
    server = server if composed is None else composed(server)
    api.requests.clear()
    async with Client(server.lowlevel(), mode=cast("Any", mode)) as client:
        yield client


def text(result: CallToolResult) -> str:
    return "".join(block.text for block in result.content if isinstance(block, TextContent))


MODES = pytest.mark.parametrize("mode", ["2026-07-28", "legacy"])


@MODES
@pytest.mark.anyio
async def test_fixed_values_and_defaults_are_sent(package: Path, api: Upstream, mode: str) -> None:
    async with connected(package, api, mode) as client:
        await client.call_tool("list_boats", {})
        await client.call_tool("list_boats", {"limit": 5})
        await client.call_tool("add_boat", {})
        refused = await client.call_tool("list_boats", {"port": "south"})
    assert [path for _, path, _ in api.requests[:2]] == [
        "/boats?limit=20&port=north%20%26%20south",
        "/boats?limit=5&port=north%20%26%20south",
    ]
    assert json.loads(api.requests[2][2]) == {"name": "Nameless", "pin": "pin-4711-secret"}
    assert refused.is_error and "unknown: port" in text(refused)
    assert len(api.requests) == 3


@pytest.mark.anyio
async def test_secrets_come_from_the_environment_and_show_nowhere(package: Path, api: Upstream) -> None:
    api.answers["/docks/dock%2F..%2Fkey%3Fsecret/plan"] = (500, "text/plain", b"no dock dock/../key?secret")
    async with connected(package, api, "2026-07-28", {**SECRETS, "QUAY_DOCK_KEY": "dock-key-0815"}) as client:
        await client.call_tool("get_plan", {})
        assert api.requests[-1][1] == "/docks/dock-key-0815/plan"
        api.answers["/docks/dock-key-0815/plan"] = (200, "application/octet-stream", b"\x00\x01")
        shown = await client.call_tool("get_plan", {})
        assert "dock-key-0815" not in shown.model_dump_json()
        api.answers["/docks/dock-key-0815/plan"] = (404, "text/plain", b"no /docks/dock-key-0815/plan")
        shown = await client.call_tool("get_plan", {})
        assert shown.is_error and "dock-key-0815" not in shown.model_dump_json()
    async with connected(package, api, "2026-07-28") as client:  # a value that would leave its place
        shown = await client.call_tool("get_plan", {})
        assert shown.is_error and not api.requests
        assert "dock/../key" not in text(shown)
    async with connected(package, api, "2026-07-28", {}) as client:
        missing = await client.call_tool("get_plan", {})
        assert missing.is_error and "QUAY_DOCK_KEY" in text(missing) and not api.requests
        optional = await client.call_tool("add_boat", {"name": "x"})
        assert not optional.is_error and json.loads(api.requests[-1][2]) == {"name": "x"}


@pytest.mark.parametrize(
    ("value", "path"),
    [
        ("a/b c/d", "/boats/a/b%20c/d"),
        ("/etc", "/boats//etc"),
        ("a?b#c", "/boats/a%3Fb%23c"),
        ("%2e%2e/x", "/boats/%252e%252e/x"),
        ("..", None),
        ("a/../b", None),
        ("a/..", None),
        ("a\\..\\b", None),
        ("./a", None),
    ],
)
@pytest.mark.anyio
async def test_slashes_are_kept_and_nothing_leaves(package: Path, api: Upstream, value: str, path: str | None) -> None:
    async with connected(package, api, "2026-07-28") as client:
        result = await client.call_tool("sink_boat", {"id": value})
    assert result.is_error is (path is None)
    assert [sent for _, sent, _ in api.requests] == ([] if path is None else [path])


@MODES
@pytest.mark.anyio
async def test_resources_are_listed_and_read(package: Path, api: Upstream, mode: str) -> None:
    api.answers["/boats/7"] = (200, "application/json", b'{"id": 7, "name": "Ada"}')
    api.answers["/tides"] = (200, "text/plain; charset=utf-8", b"Ebbe")
    async with connected(package, api, mode) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert set(tools) == {"list_boats", "add_boat", "sink_boat", "get_plan"}
        (tides,) = (await client.list_resources()).resources
        assert (tides.uri, tides.name, tides.mime_type) == ("quay:///tides", "tides", "text/plain")
        (boat,) = (await client.list_resource_templates()).resource_templates
        assert (boat.uri_template, boat.title) == ("quay:///boats/{id}", "One boat")
        assert boat.meta == {"quay.example/kind": "boat"}
        assert boat.icons is not None and boat.icons[0].src == "https://quay.example/boat.png"
        (content,) = (await client.read_resource("quay:///boats/7")).contents
        assert json.loads(cast("Any", content).text) == {"id": 7, "name": "Ada"}
        assert (content.uri, content.mime_type) == ("quay:///boats/7", "application/json")
        (content,) = (await client.read_resource("quay:///tides")).contents
        assert (cast("Any", content).text, content.mime_type) == ("Ebbe", "text/plain")


@pytest.mark.anyio
async def test_what_is_no_resource_or_cannot_be_read(package: Path, api: Upstream) -> None:
    api.answers["/boats/9"] = (404, "application/json", b'{"detail": "no such boat"}')
    async with connected(package, api, "2026-07-28") as client:
        for uri in ("quay:///boats", "quay:///boats/1/2", "quay:///boats/", "quay:///nothing", "other:///tides"):
            with pytest.raises(MCPError) as caught:
                await client.read_resource(uri)
            assert caught.value.error.code == -32602
        assert not api.requests
        with pytest.raises(MCPError) as caught:
            await client.read_resource("quay:///boats/9")
        assert caught.value.error.code == -32603 and "no such boat" in caught.value.error.message
        with pytest.raises(MCPError) as caught:
            await client.read_resource("quay:///boats/seven")
        assert "nothing was sent" in caught.value.error.message
        with pytest.raises(MCPError):
            await client.call_tool("get_boat", {"id": 7})  # it is no tool


@pytest.mark.anyio
async def test_what_is_offered_by_default_and_what_an_operator_chooses(package: Path, api: Upstream) -> None:
    async def seen(**environment: str) -> tuple[set[str], int, int]:
        async with connected(package, api, "2026-07-28", {**SECRETS, "QUAY_TOOLSETS": "", **environment}) as client:
            tools = {tool.name for tool in (await client.list_tools()).tools}
            resources, templates = await client.list_resources(), await client.list_resource_templates()
            return tools, len(resources.resources), len(templates.resource_templates)

    assert await seen() == ({"list_boats", "add_boat", "sink_boat"}, 0, 1)
    assert await seen(QUAY_TOOLSETS="docks,tides") == ({"get_plan"}, 1, 0)
    assert await seen(QUAY_TOOLS="get_plan") == ({"get_plan"}, 0, 0)
    assert await seen(QUAY_EXCLUDE_TOOLS="get_boat,add_boat") == ({"list_boats", "sink_boat"}, 0, 0)
    async with connected(package, api, "2026-07-28", {"QUAY_TOOLSETS": "docks"}) as client:
        with pytest.raises(MCPError):
            await client.read_resource("quay:///boats/7")
    assert not api.requests


@MODES
@pytest.mark.anyio
async def test_what_the_owner_adds_stands_beside_it(package: Path, api: Upstream, mode: str) -> None:
    own = importlib.import_module("quay_mcp._runtime.own")

    async def given(call: Any, arguments: Any) -> str:
        return "at noon"

    def composed(server: Any) -> Any:
        tool = own.OwnTool(name="when", description="When it opens", handler=given, group="clock")
        return server.describe("get_boat", "A boat of ours").add(
            tool, own.Resource(uri="quay:///hours", name="hours", read=given)
        )

    api.answers["/boats/7"] = (200, "application/json", b"{}")
    default = {**SECRETS, "QUAY_TOOLSETS": ""}
    async with connected(package, api, mode, default, composed) as client:
        assert "when" in {tool.name for tool in (await client.list_tools()).tools}
        assert [one.uri for one in (await client.list_resources()).resources] == ["quay:///hours"]
        (boat,) = (await client.list_resource_templates()).resource_templates
        assert boat.description == "A boat of ours"
        for uri, expected in (("quay:///hours", "at noon"), ("quay:///boats/7", "{}")):
            (content,) = (await client.read_resource(uri)).contents
            assert cast("Any", content).text == expected

    def without(server: Any) -> Any:
        return server.without("get_boat")

    def of_docks(tool: Any) -> bool:
        return tool.group == "docks"

    def only(server: Any) -> Any:
        return composed(server).only(of_docks)

    for less in (without, only):
        async with connected(package, api, mode, SECRETS, less) as client:
            assert not (await client.list_resource_templates()).resource_templates
            with pytest.raises(MCPError):
                await client.read_resource("quay:///boats/7")


@pytest.mark.anyio
async def test_a_human_who_is_asked_sees_no_secret(package: Path, api: Upstream) -> None:
    asked: list[str] = []

    async def answer(context: Any, params: Any) -> Any:
        asked.append(params.message)
        return ElicitResult(action="accept", content={})

    runtime_, values = importlib.import_module("quay_mcp._runtime.server"), importlib.import_module("quay_mcp.api")
    secrets = {"QUAY_PIN": "pin-4711-secret", "QUAY_DOCK_KEY": "dock-key-0815"}
    environ = {"QUAY_BASE_URL": api.url, "QUAY_TOOLSETS": "all", "QUAY_GUARD": "add_boat=ask get_plan=ask", **secrets}
    server = runtime_.Server(values.API, environ=environ)
    async with Client(server.lowlevel(), mode="2026-07-28", elicitation_callback=answer) as client:
        await client.call_tool("add_boat", {"name": "Ada"})
        await client.call_tool("get_plan", {})
    assert len(asked) == 2 and "Ada" in asked[0]
    assert not any(secret in text for secret in secrets.values() for text in asked)


@pytest.mark.anyio
async def test_a_uri_cannot_lead_out_of_its_resource(package: Path, api: Upstream) -> None:
    async with connected(package, api, "2026-07-28") as client:
        for uri in ("quay:///boats/%2e%2e", "quay:///boats/..", "quay:///boats/1%2F..%2F2", "quay:///boats/1%3Fx=1"):
            with pytest.raises(MCPError):
                await client.read_resource(uri)
    assert not api.requests


def test_a_contract_without_resources_has_none() -> None:
    assert runtime.contract.Contract.of(b'{"tools": []}').resources == ()


@pytest.mark.anyio
async def test_over_http_an_argument_is_repeated_in_a_header(package: Path, api: Upstream) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environment = {**os.environ, **SECRETS, "PYTHONPATH": str(package / "src"), "QUAY_BASE_URL": api.url}
    environment["QUAY_TOOLSETS"] = "all"
    command = [sys.executable, "-m", "quay_mcp", "--http", "--port", str(port)]
    api.requests.clear()
    with subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL) as process:
        try:
            deadline = time.monotonic() + 30
            while time.monotonic() < deadline:
                try:
                    socket.create_connection(("127.0.0.1", port), timeout=5).close()
                    break
                except ConnectionRefusedError:
                    await anyio.sleep(0.05)
            async with Client(f"http://127.0.0.1:{port}/mcp", mode="2026-07-28") as client:
                tool = next(tool for tool in (await client.list_tools()).tools if tool.name == "list_boats")
                assert cast("Any", tool.input_schema)["properties"]["limit"]["x-mcp-header"] == "Limit"
                result = await client.call_tool("list_boats", {"limit": 7})
                assert not result.is_error
                assert len((await client.list_resource_templates()).resource_templates) == 1
        finally:
            process.terminate()
    assert api.requests[-1][1].startswith("/boats?limit=7")


def test_the_packages_own_tests_hold(package: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"],
        cwd=package,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout


def test_the_metadata_of_the_package(package: Path) -> None:
    project = tomllib.loads((package / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["description"] == "Boats for agents"
    assert project["authors"] == [
        {"name": "Ann Chor", "email": "ann@quay.example"},
        {"name": "Bo"},
        {"email": "crew@quay.example"},
    ]
    assert project["license"] == "Apache-2.0" and "rich>=14" in project["dependencies"]
    readme = (package / "README.md").read_text("utf-8")
    assert "<!-- mcp-name: io.github.quay/boats -->" in readme
    assert "TOOLS.md" not in readme
    assert not (package / "TOOLS.md").exists() and not (package / ".gitattributes").exists()
    assert (package / ".env.example").exists()
    values = importlib.import_module("quay_mcp.api")
    assert values.API.toolsets == ("boats",)
    assert values.API.icons == ({"src": "https://quay.example/icon.png"},)


def test_what_was_missing_in_the_configuration_is_there_now(package: Path) -> None:
    text = (package / "toolcast.toml").read_text("utf-8")
    assert text == f'document = "../openapi.json"\n{TOML}'


def test_the_command_lists_resources(package: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(package / "src")}
    done = subprocess.run(
        [sys.executable, "-m", "quay_mcp", "--list"], env=environment, capture_output=True, text=True, check=True
    )
    assert "quay:///boats/{id}  One boat" in done.stdout and "get_boat" not in done.stdout
