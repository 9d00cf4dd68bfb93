"""The server: its seam below the protocol, and the protocol itself, in process and in both eras."""

from __future__ import annotations

import json
import logging
import re
import time
from collections.abc import Callable
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError
from runtime.contract import Contract
from runtime.errors import CallError, SettingsError, UnknownTool
from runtime.operation import Api, Operation
from runtime.server import Server

from .conftest import CREDENTIALS, SECRETS, TOOLS, Upstream, call, text, tool

DEEP = b'{"a":' * 150 + b"1" + b"}" * 150
ERAS = ["legacy", "2026-07-28"]


# The seam


def test_a_call(server: Server, upstream: Upstream) -> None:
    upstream.reply_json("/pets", [{"id": 1}])
    result = call(server, "list_pets", {"limit": "5", "filter_status": "sold"})
    assert (text(result), result.structured_content) == ('[{"id":1}]', {"result": [{"id": 1}]})
    [got] = upstream.received
    assert got.target == "/pets?limit=5&filter%5Bstatus%5D=sold&api_key=key-5f3a%2F9d%2B%3D%3D"
    assert got.headers["user-agent"] == "petstore-mcp/1.2"


def test_a_call_with_a_body(server: Server, upstream: Upstream) -> None:
    upstream.reply("/pets", status=201, body=b"", headers={"Location": "/pets/7"})
    result = call(server, "create_pet", {"name": "Rex", "tags": ["1"]})
    assert "201 Created" in text(result)
    [got] = upstream.received
    assert json.loads(got.body) == {"name": "Rex", "tags": [1]}
    assert got.headers["authorization"].startswith("Basic ")


@pytest.mark.parametrize(
    ("name", "arguments", "told"),
    [
        ("list_pets", {"limit": "many"}, "limit must be an integer"),
        ("list_pets", {"limit": 0}, "limit must be at least 1"),
        ("list_pets", {"limt": 1}, "did you mean limit?"),
        ("get_pet", {}, "petId is required"),
        ("create_pet", {"name": "x", "owner": {"agee": 1}}, 'owner has no property "agee"'),
    ],
)
def test_nothing_is_sent_on_bad_arguments(
    name: str, arguments: dict[str, Any], told: str, server: Server, upstream: Upstream
) -> None:
    result = call(server, name, arguments)
    assert result.is_error
    assert told in text(result)
    assert upstream.received == []


def test_what_the_request_cannot_carry_is_told(api: Api, server: Server, upstream: Upstream) -> None:
    # The schema has nothing against dots; the path has.
    loose = Contract.of(json.dumps({"tools": [tool("get_pet", {"petId": {"type": "string"}})]}).encode())
    server.__dict__["contract"] = loose
    result = call(server, "get_pet", {"petId": ".."})
    assert result.is_error
    assert "petId" in text(result)
    assert upstream.received == []


def test_nothing_is_sent_without_credentials(api: Api, upstream: Upstream) -> None:
    bare = Server(api, environ={"PETSTORE_BASE_URL": upstream.url})
    assert "PETSTORE_API_KEY" in text(call(bare, "list_pets"))
    assert upstream.received == []
    assert not call(bare, "get_pet", {"petId": 1}).is_error  # it may be called without
    off = Server(api, environ={"PETSTORE_BASE_URL": upstream.url, "PETSTORE_AUTH": "off", **CREDENTIALS})
    assert not call(off, "list_pets").is_error
    assert [got.target for got in upstream.received] == ["/pets/1", "/pets"]
    assert "authorization" not in upstream.received[0].headers


def test_without_an_address(api: Api) -> None:
    assert "PETSTORE_BASE_URL" in text(call(Server(api, environ=CREDENTIALS), "list_pets"))


def test_unknown_tool(server: Server) -> None:
    with pytest.raises(UnknownTool, match="Did you mean list_pets"):
        call(server, "list_pet")


def test_bad_settings(api: Api) -> None:
    with pytest.raises(SettingsError, match="PETSTORE_TIMEOUT"):
        Server(api, environ={"PETSTORE_TIMEOUT": "soon"})


def test_the_unexpected_is_logged_and_not_told(
    server: Server, upstream: Upstream, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.ERROR):
        result = call(server, "broken")
    assert result.is_error
    reference = re.search(r"reference ([0-9a-f]{8})", text(result))
    assert reference
    assert reference[1] in caplog.text
    assert "Traceback" in caplog.text
    assert "NoneType" not in text(result)


def test_no_secret_is_shown(server: Server, upstream: Upstream, caplog: pytest.LogCaptureFixture) -> None:
    upstream.reply("/pets", status=401, body=json.dumps({"detail": f"bad {' '.join(SECRETS)}"}).encode())
    with caplog.at_level(logging.DEBUG):
        logging.getLogger("httpx2").setLevel(logging.WARNING)
        logging.getLogger("httpcore2").setLevel(logging.WARNING)
        shown = [text(call(server, "list_pets")), repr(server), repr(server.settings)]
    assert not any(secret in line for line in [*shown, caplog.text] for secret in SECRETS)


def test_the_typed_face(api: Api, server: Server, upstream: Upstream) -> None:
    upstream.reply_json("/pets", [{"id": 1}])
    upstream.reply("/pets/2", status=404, body=b"{}")

    async def go() -> tuple[object, str, str]:
        list_pets: Operation[dict[str, Any], Any] = server.operation("list_pets")
        get_pet: Operation[dict[str, Any], Any] = server.operation("get_pet")
        pets: object = await list_pets(server, {"limit": 1})
        with pytest.raises(CallError) as refused:
            await get_pet(server, {"petId": 2})
        with pytest.raises(CallError) as invalid:
            await get_pet(server, {"petId": "x"})
        await server.aclose()
        return pets, str(refused.value), str(invalid.value)

    pets, refused, invalid = anyio.run(go)
    assert pets == [{"id": 1}]
    assert "404 Not Found" in refused
    assert "petId must be an integer" in invalid


def test_calls_in_several_event_loops(server: Server) -> None:
    for _ in range(3):
        assert not call(server, "fetch").is_error


def test_a_large_answer_does_not_hold_up_the_others(server: Server, upstream: Upstream) -> None:
    upstream.reply_json("/pets", [{"id": number, "name": "x" * 100} for number in range(20_000)])

    async def go() -> int:
        ticks = 0
        async with anyio.create_task_group() as group:

            async def large() -> None:
                await server.call("list_pets", {})
                group.cancel_scope.cancel()

            group.start_soon(large)
            while True:
                await anyio.sleep(0.005)
                ticks += 1
        await server.aclose()
        return ticks

    assert anyio.run(go) > 5


# The protocol


def connected(server: Server, mode: str, steps: Callable[[Client], Any], **options: Any) -> Any:
    async def go() -> Any:
        async with Client(server.lowlevel(), mode=mode, **options) as client:
            return await steps(client)

    return anyio.run(go)


@pytest.mark.parametrize("mode", ERAS)
@pytest.mark.parametrize("prepared", [True, False], ids=["prepared", "plain"])
def test_tools_are_listed_as_in_the_contract(mode: str, prepared: bool, server: Server) -> None:
    async def go() -> Any:
        protocol = server.lowlevel()
        if not prepared:
            protocol.middleware.clear()
        async with Client(protocol, mode=mode) as client:
            return await client.list_tools()

    listed = anyio.run(go)
    dumped = [entry.model_dump(by_alias=True, exclude_none=True, mode="json") for entry in listed.tools]
    assert dumped == TOOLS
    if mode != "legacy":
        assert (listed.ttl_ms, listed.cache_scope) == (300_000, "public")
        assert listed.meta["io.modelcontextprotocol/serverInfo"]["name"] == "petstore"


@pytest.mark.parametrize("mode", ERAS)
def test_calls(mode: str, server: Server, upstream: Upstream) -> None:
    upstream.reply_json("/pets", [{"id": 1}, "odd"])

    async def steps(client: Client) -> Any:
        return await client.call_tool("list_pets", {"limit": "1"}), await client.call_tool("list_pets", {"limit": "x"})

    good, bad = connected(server, mode, steps)
    assert good.structured_content == {"result": [{"id": 1}], "_unmatched": ["/result/1"]}
    assert bad.is_error
    assert len(upstream.received) == 1


@pytest.mark.parametrize("mode", ERAS)
@pytest.mark.parametrize(
    "body", [b"", b"[]", b'{"id": {}}', b"\xff\xfe", b"[" * 5_000, b'{"a":' * 150 + b"1" + b"}" * 150]
)
def test_no_answer_breaks_the_call(mode: str, body: bytes, server: Server, upstream: Upstream) -> None:
    upstream.reply("/pets/1", body=body)

    async def steps(client: Client) -> Any:
        return await client.call_tool("get_pet", {"petId": 1})

    assert not connected(server, mode, steps).is_error


@pytest.mark.parametrize("mode", ERAS)
def test_protocol_errors(mode: str, server: Server) -> None:
    async def steps(client: Client) -> list[tuple[int, str]]:
        told: list[tuple[int, str]] = []
        for step in (lambda: client.call_tool("no_such_tool", {}), lambda: client.list_tools(cursor="9-beef")):
            with pytest.raises(MCPError) as caught:
                await step()
            told.append((caught.value.code, caught.value.message))
        return told

    assert connected(server, mode, steps) == [(-32602, "Unknown tool: no_such_tool"), (-32602, "Invalid cursor")]


@pytest.mark.parametrize("mode", ERAS)
def test_exceptions_do_not_leak(mode: str, server: Server) -> None:
    async def steps(client: Client) -> Any:
        return await client.call_tool("broken", {})

    result = connected(server, mode, steps)
    assert result.is_error
    assert "reference" in text(result)


@pytest.mark.parametrize("mode", ERAS)
def test_identity(mode: str, server: Server) -> None:
    async def steps(client: Client) -> Any:
        return client.server_info, client.instructions, client.protocol_version

    info, instructions, version = connected(server, "auto" if mode != "legacy" else mode, steps)
    assert (info.name, info.version, info.title, instructions) == ("petstore", "1.2", "Pet Store", "Pets.")
    assert version == ("2025-11-25" if mode == "legacy" else mode)


def stall(_: Callable[[bytes], object]) -> None:
    time.sleep(1)


def test_cancellation_reaches_the_call(server: Server, upstream: Upstream) -> None:
    upstream.reply("/fetch", body=stall)

    async def go() -> bool:
        with anyio.move_on_after(0.2) as scope:
            await server.call("fetch", {})
        await server.aclose()
        return scope.cancelled_caught

    assert anyio.run(go)


def test_pages() -> None:
    entries = [{**tool(f"tool_{number}", {}), "description": "x" * 300} for number in range(50)]
    entries[20]["description"] = "x" * 9_000  # one that is larger than a page
    contract = Contract.of(json.dumps({"tools": entries}).encode(), page_bytes=4_096)
    listed: list[Any] = []
    cursor: object = None
    while True:
        page = contract.page(cursor)
        assert page is not None
        assert len(page["tools"]) == 1 or len(json.dumps(page["tools"])) <= 4_096 + 200
        listed += page["tools"]
        cursor = page.get("nextCursor")
        if cursor is None:
            break
    assert listed == entries
    other = Contract.of(json.dumps({"tools": entries[:-1]}).encode(), page_bytes=4_096)
    first = contract.page()
    assert first is not None
    unknown: list[Any] = [first["nextCursor"], "", "1", 1, [], "1-"]
    for cursor in unknown:
        assert other.page(cursor) is None
