"""The command: the emitted package as a process of its own, over stdio and over HTTP."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import tomllib
import urllib.error
import urllib.request
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp.shared.exceptions import MCPError
from mcp.types import ElicitResult

from runtime import http

from .conftest import CREDENTIALS, TOOLS, Upstream, text

ERAS = ["legacy", "2026-07-28"]
META: dict[str, Any] = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}
COMMAND = [sys.executable, "-m", "petstore_mcp"]


def environment(folder: Path, **more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PETSTORE_")}
    return {**kept, "PYTHONPATH": str(folder), **more}


def run(folder: Path, *arguments: str, **environ: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *arguments],
        env=environment(folder, **environ),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )


@contextmanager
def serving(folder: Path, *arguments: str, **environ: str) -> Generator[tuple[str, subprocess.Popen[str]]]:
    """A process that serves HTTP; gives its address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [*COMMAND, "--http", "--port", str(port), *arguments]
    with subprocess.Popen(
        command, env=environment(folder, **environ), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            deadline = anyio.run(_connect, port)
            assert deadline, process.poll()
            yield f"http://127.0.0.1:{port}/mcp", process
        finally:
            process.terminate()
            process.wait(10)


async def _connect(port: int) -> bool:
    with anyio.move_on_after(20):
        while True:
            try:
                stream = await anyio.connect_tcp("127.0.0.1", port)
            except OSError:
                await anyio.sleep(0.02)
            else:
                await stream.aclose()
                return True
    return False


async def exercise(target: Any, mode: str) -> dict[str, Any]:
    async with Client(target, mode=mode) as client:
        listed = await client.list_tools()
        good = await client.call_tool("list_pets", {"limit": "3"})
        bad = await client.call_tool("list_pets", {"limit": "x"})
        with pytest.raises(MCPError) as unknown:
            await client.call_tool("nothing", {})
        broken = await client.call_tool("broken", {})
        return {
            "tools": [tool.name for tool in listed.tools],
            "good": good.structured_content,
            "bad": text(bad),
            "unknown": unknown.value.code,
            "broken": broken.is_error,
            "version": client.protocol_version,
        }


def check(found: dict[str, Any], mode: str, upstream: Upstream) -> None:
    assert found["tools"] == [tool["name"] for tool in TOOLS]
    assert found["good"] == {"result": [{"id": 1}]}
    assert "limit must be an integer" in found["bad"]
    assert (found["unknown"], found["broken"]) == (-32602, True)
    assert found["version"] == ("2025-11-25" if mode == "legacy" else mode)
    [got] = upstream.received
    assert set(got.headers) == {"host", "user-agent", "accept", "accept-encoding"}  # nothing of the client's


@pytest.mark.parametrize("mode", ERAS)
def test_stdio(mode: str, emitted: Path, upstream: Upstream) -> None:
    upstream.reply_json("/pets", [{"id": 1}])
    environ = environment(emitted, PETSTORE_BASE_URL=upstream.url, **CREDENTIALS)
    target = StdioServerParameters(command=COMMAND[0], args=COMMAND[1:], env=environ)
    check(anyio.run(exercise, target, mode), mode, upstream)


def test_http(emitted: Path, upstream: Upstream) -> None:
    upstream.reply_json("/pets", [{"id": 1}])
    with serving(emitted, PETSTORE_BASE_URL=upstream.url, **CREDENTIALS) as (url, process):
        for mode in ERAS:
            upstream.received.clear()
            check(anyio.run(exercise, url, mode), mode, upstream)
        assert post(url) == 200
        assert post(url, host="evil.example") == 421
        assert post(url, origin="https://evil.example") == 403
        assert post(url, origin="http://localhost:3000") == 200
        process.send_signal(signal.SIGINT)
        assert process.wait(10) == 0
        out, err = process.communicate()
    assert out == ""
    assert "Traceback" not in err.partition("broken failed")[0]


def test_the_largest_answers_arrive_over_http(emitted: Path, upstream: Upstream) -> None:
    upstream.reply_json("/pets", [{"id": number, "name": "\U0001f415" * 20} for number in range(20_000)])

    async def shown(url: str, mode: str) -> dict[str, Any]:
        async with Client(url, mode=mode) as client:
            return (await client.call_tool("list_pets", {})).structured_content

    with serving(emitted, PETSTORE_BASE_URL=upstream.url, **CREDENTIALS) as (url, _):
        for mode in ERAS:
            content = anyio.run(shown, url, mode)
            assert content["_truncated"]["arrays"] == {"/result": {"shown": len(content["result"]), "total": 20_000}}


def post(url: str, host: str | None = None, origin: str | None = None) -> int:
    """The status of a request that lists tools."""
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": META}}
    headers = {
        "content-type": "application/json",
        "accept": "application/json, text/event-stream",
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": "tools/list",
    }
    headers |= {"host": host} if host else {}
    headers |= {"origin": origin} if origin else {}
    try:
        with urllib.request.urlopen(urllib.request.Request(url, json.dumps(body).encode(), headers), timeout=10) as got:
            return got.status
    except urllib.error.HTTPError as error:
        with error:
            return error.code


def test_http_for_other_hosts(emitted: Path) -> None:
    with serving(emitted, "--host", "0.0.0.0", PETSTORE_ALLOWED_HOSTS="mcp.example, other.example:81") as (
        url,
        process,
    ):
        assert post(url, host="mcp.example") == 200
        assert post(url, host="mcp.example:8443", origin="https://mcp.example:8443") == 200
        assert post(url, host="other.example:81") == 200
        assert post(url, host="other.example:82") == 421
        assert post(url, host="mcp.example", origin="https://evil.example") == 403
        process.terminate()
        assert "warning: whoever reaches 0.0.0.0 can call these tools" in process.communicate()[1]


def test_http_for_any_host(emitted: Path) -> None:
    with serving(emitted, "--host", "0.0.0.0", PETSTORE_ALLOWED_HOSTS="*") as (url, process):
        assert post(url, host="10.1.2.3:8000") == 200
        assert post(url, host="10.1.2.3:8000", origin="https://evil.example") == 403
        process.terminate()
        assert "PETSTORE_ALLOWED_HOSTS=*" in process.communicate()[1]


def test_http_without_allowed_hosts(emitted: Path) -> None:
    with serving(emitted, "--host", "0.0.0.0") as (url, process):
        assert post(url) == 200
        assert post(url, host="mcp.example") == 421
        process.terminate()
        assert "name others in PETSTORE_ALLOWED_HOSTS" in process.communicate()[1]


def test_two_thousand_tools_arrive_over_http(crowded: Path) -> None:
    async def every(url: str, mode: str) -> tuple[list[str], int]:
        names: list[str] = []
        cursor, pages = None, 0
        async with Client(url, mode=mode) as client:
            while True:
                page = await client.list_tools(cursor=cursor)
                names += [tool.name for tool in page.tools]
                cursor, pages = page.next_cursor, pages + 1
                if cursor is None:
                    return names, pages

    with serving(crowded) as (url, _):
        for mode in ERAS:
            names, pages = anyio.run(every, url, mode)
            assert names == [f"tool_{number}" for number in range(2_000)]
            assert pages > 2


def test_a_list_that_clients_do_not_take_is_said_when_the_server_begins(crowded: Path, emitted: Path) -> None:
    assert "2,000 tools are listed" in run(crowded).stderr
    for folder, arguments in ((crowded, ["--mode", "search"]), (crowded, ["--tools", "tool_1"]), (emitted, [])):
        assert "tools are listed" not in run(folder, *arguments).stderr


def test_list_and_version(emitted: Path) -> None:
    listed = run(emitted, "--list")
    assert listed.stdout.splitlines()[1] == "get_pet     GET /pets/{petId}  get_pet"
    assert json.loads(run(emitted, "--list", "--json").stdout) == {"tools": TOOLS}
    assert run(emitted, "--version").stdout == "petstore 1.2\n"
    assert "usage: python -m petstore_mcp" in run(emitted, "--help").stdout


def test_the_sdk_is_not_loaded_to_print_something(emitted: Path) -> None:
    code = (
        "import sys; from petstore_mcp._runtime.command import run; from petstore_mcp.server import build;"
        "run(build, ['--list']); run(build, ['--version']);"
        "print([name for name in ('mcp', 'httpx2', 'jsonschema_rs', 'anyio', 'uvicorn') if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment(emitted), capture_output=True, text=True, check=True
    )
    assert done.stdout.endswith("[]\n")


@pytest.mark.parametrize(
    ("arguments", "environ", "told"),
    [
        ((), {"PETSTORE_TIMEOUT": "Zaphod"}, "error: PETSTORE_TIMEOUT must be"),
        ((), {"PETSTORE_API_KEY": "Zaphod\n"}, "error: PETSTORE_API_KEY holds a control character"),
        ((), {"PETSTORE_LOG": "Zaphod"}, "error: PETSTORE_LOG must be one of"),
        ((), {"PETSTORE_LOG_FORMAT": "Zaphod"}, "error: PETSTORE_LOG_FORMAT must be text or json"),
        (("--htpp",), {}, "unrecognized arguments"),
    ],
)
def test_mistakes_of_the_operator(
    arguments: tuple[str, ...], environ: dict[str, str], told: str, emitted: Path
) -> None:
    done = run(emitted, *arguments, **environ)
    assert done.returncode == 2
    assert told in done.stderr
    assert "Zaphod" not in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_a_port_in_use(emitted: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        done = run(emitted, "--http", "--port", str(taken.getsockname()[1]))
    assert done.returncode not in (0, 2)
    assert "Address already in use" in done.stderr
    assert "Traceback" not in done.stderr


def test_stdin_ends(emitted: Path) -> None:
    done = run(emitted)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signals_end_a_stdio_server_that_waits_for_input(number: signal.Signals, emitted: Path) -> None:
    request: dict[str, Any] = {"jsonrpc": "2.0", "id": 1, "method": "initialize"}
    request["params"] = {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "t", "version": "1"},
    }
    with subprocess.Popen(
        COMMAND,
        env=environment(emitted),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin and process.stdout and process.stderr
        process.stdin.write(json.dumps(request) + "\n")
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["result"]["serverInfo"]["name"] == "petstore"
        process.send_signal(number)
        assert process.wait(5) == 0
        assert process.stderr.read() == ""


def test_debugging_shows_no_secret(emitted: Path, upstream: Upstream) -> None:
    upstream.reply_json("/pets", [])
    environ = environment(emitted, PETSTORE_BASE_URL=upstream.url, PETSTORE_LOG="debug", **CREDENTIALS)
    calls: list[tuple[str, dict[str, Any]]]
    calls = [
        ("list_pets", {}),
        ("get_pet", {"petId": 1}),
        ("create_pet", {"name": "x"}),
        ("broken", {}),
    ]
    with subprocess.Popen(
        COMMAND, env=environ, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin and process.stdout and process.stderr
        for number, (name, arguments) in enumerate(calls):
            params = {"name": name, "arguments": arguments, "_meta": META}
            request = {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}
            process.stdin.write(json.dumps(request) + "\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["id"] == number
        process.stdin.close()
        told = process.stderr.read()
    assert "broken failed" in told
    assert not re.search("|".join(re.escape(value) for value in CREDENTIALS.values()), told)
    assert len(upstream.received) == 3


# Instead of serving


def test_a_tool_is_called_from_the_shell(emitted: Path, upstream: Upstream) -> None:
    upstream.reply_json("/pets/7", {"id": 7, "name": "Rex"})
    environ = {"PETSTORE_BASE_URL": upstream.url, **CREDENTIALS}
    done = run(emitted, "call", "get_pet", '{"petId": 7}', **environ)
    assert (done.returncode, json.loads(done.stdout)) == (0, {"id": 7, "name": "Rex"})
    assert run(emitted, "call", "get_pet", **environ).returncode == 1
    assert "petId is required" in run(emitted, "call", "get_pet", **environ).stdout
    for arguments, told in ((("get_pets",), "Did you mean get_pet?"), (("get_pet", "{"), "are no JSON")):
        wrong = run(emitted, "call", *arguments, **environ)
        assert wrong.returncode == 2 and told in wrong.stderr


def test_the_doctor_says_what_is_left_to_do(emitted: Path, upstream: Upstream) -> None:
    ill = run(emitted, "doctor", PETSTORE_BASE_URL=upstream.url)
    assert ill.returncode == 1
    assert "TODO  credential bearer: set PETSTORE_BEARER_AUTH" in ill.stdout
    assert "TODO  without credentials that they need: list_pets, create_pet" in ill.stdout
    rules = {"PETSTORE_GUARD": "create_pet=required", "PETSTORE_EXCLUDE_TOOLS": "broken"}
    well = run(emitted, "doctor", PETSTORE_BASE_URL=upstream.url, **CREDENTIALS, **rules)
    assert well.returncode == 0, well.stdout
    assert "offers 4 of 5 tools" in well.stdout
    assert "1 tools need a human's confirmation: create_pet" in well.stdout
    assert f"the API at {upstream.url} answers list_pets" in well.stdout
    assert not any(secret in well.stdout + well.stderr for secret in CREDENTIALS.values())


@pytest.mark.parametrize("client", ["claude-code", "claude-desktop", "codex", "cursor", "gemini", "vscode", "windsurf"])
@pytest.mark.parametrize("url", ["", "https://mcp.example/mcp"])
def test_each_client_is_told_in_its_own_words(emitted: Path, client: str, url: str) -> None:
    done = run(emitted, "config", "--client", client, *(["--url", url] if url else []), **CREDENTIALS)
    assert done.returncode == 0
    found = tomllib.loads(done.stdout) if client == "codex" else json.loads(done.stdout)
    [servers] = [found[key] for key in ("mcpServers", "servers", "mcp_servers") if key in found]
    assert list(servers) == ["petstore"]
    assert ("https://mcp.example/mcp" if url else "petstore-mcp") in servers["petstore"].values()
    assert bool(url) is ("PETSTORE_API_KEY" not in done.stdout)
    assert not any(secret in done.stdout for secret in CREDENTIALS.values())


def test_a_server_without_such_a_scheme_has_no_login(emitted: Path) -> None:
    done = run(emitted, "login")
    assert done.returncode == 2 and "this server has none" in done.stderr


def test_what_is_offered_can_be_narrowed_by_the_command_line(emitted: Path) -> None:
    def listed(*options: str) -> list[str]:
        done = run(emitted, "--list", *options)
        assert done.returncode == 0, done.stderr
        return [line.split()[0] for line in done.stdout.splitlines()]

    assert listed("--tools", "get_pet,fetch") == ["get_pet", "fetch"]
    assert listed("--exclude-tools", "broken", "--toolsets", "pets") == ["list_pets", "get_pet", "create_pet", "fetch"]
    assert listed("--mode", "search") == ["search_tools", "describe_tool", "call_tool"]
    wrong = run(emitted, "--list", "--tools", "get_pets")
    assert wrong.returncode == 2 and "did you mean get_pet" in wrong.stderr


def test_several_processes_serve_and_share_their_seals(emitted: Path, upstream: Upstream) -> None:
    rules = {"PETSTORE_BASE_URL": upstream.url, **CREDENTIALS, "PETSTORE_GUARD": "create_pet=required"}

    async def confirmed(url: str) -> int:
        async def yes(context: Any, params: Any) -> ElicitResult:
            return ElicitResult(action="accept", content={"confirm": True})

        good = 0
        for _ in range(8):  # each by new connections, which any of the processes takes
            async with Client(url, mode="2026-07-28", elicitation_callback=yes) as client:
                good += not (await client.call_tool("create_pet", {"name": "Rex"})).is_error
        return good

    with serving(emitted, "--workers", "2", **rules) as (url, _):
        with urllib.request.urlopen(url.removesuffix("mcp") + "healthz") as answer:
            assert answer.read() == b"ok"
        assert anyio.run(confirmed, url) == 8
    assert len(upstream.received) == 8


@pytest.mark.parametrize("options", [("--workers", "0"), ("--workers", "2", "--stateful")])
def test_processes_that_cannot_serve_together(emitted: Path, options: tuple[str, ...]) -> None:
    done = run(emitted, "--http", *options)
    assert done.returncode == 2 and "--workers" in done.stderr


def test_the_port_comes_from_the_environment_too(emitted: Path) -> None:
    done = run(emitted, "--http", PETSTORE_PORT="eighty")
    assert done.returncode == 2 and "PETSTORE_PORT must be a number" in done.stderr


def test_a_log_of_json_has_an_object_on_each_line(emitted: Path, upstream: Upstream) -> None:
    environ = environment(
        emitted, PETSTORE_BASE_URL=upstream.url, PETSTORE_LOG="info", PETSTORE_LOG_FORMAT="json", **CREDENTIALS
    )
    upstream.script("/fetch", {"status": 503, "headers": {"Retry-After": "0"}})
    for tool in ("fetch", "broken"):
        done = subprocess.run([*COMMAND, "call", tool], env=environ, capture_output=True, text=True, check=False)
        lines: list[dict[str, str]] = [json.loads(line) for line in done.stderr.splitlines()]
        told = next(line for line in lines if line["logger"] == "petstore_mcp._runtime")
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT[\d:.]{12}\+00:00", told["time"])
        if tool == "fetch":
            assert (told["level"], "is sent again in" in told["message"]) == ("info", True)
        else:
            assert told["level"] == "error" and "Traceback" in told["message"]


def test_answers_over_http_do_not_wait_for_the_network() -> None:
    with http.listener("127.0.0.1", 0) as listening:
        assert listening.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
