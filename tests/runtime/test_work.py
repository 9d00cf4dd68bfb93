"""How much is done for a call and for a list besides the request itself: counted, not timed."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Awaitable, Callable

import anyio
import httpx2
from runtime.contract import Contract
from runtime.operation import Api
from runtime.server import Server
from tests.counters.counting import calls

from .conftest import CREDENTIALS, Upstream, tool

CALLS_OF_A_CALL = 175  # functions of the runtime; a fifth above what it takes now
RUNTIME = "/templates/runtime/"
LOOP = "asyncio/base_events"


async def _counted(action: Callable[[], Awaitable[object]], *places: str, times: int = 10) -> Counter[str]:
    """What an action takes when it has been done before."""
    await action()
    with calls(*places) as found:
        for _ in range(times):
            await action()
    return found


def test_a_call_does_little_beside_the_request(api: Api, upstream: Upstream) -> None:
    upstream.reply_json("/pets/7", {"id": 7, "name": "Rex", "owner": {"email": "a@b.example"}})
    server = Server(api, environ={"PETSTORE_BASE_URL": upstream.url, **CREDENTIALS})

    async def counted() -> Counter[str]:
        async with server:
            return await _counted(lambda: server.call("get_pet", {"petId": 7}), RUNTIME)

    found = anyio.run(counted)
    assert found.total() / 10 <= CALLS_OF_A_CALL
    for once in ("_compiled", "Contract.read", "Upstream.__init__", "_pieces", "Settings.read"):
        assert not found[once]
    assert found["build"] == found["Upstream._message"] == found["decode"] == 10
    assert not found["weight"]  # what surely fits is not weighed


def test_a_call_waits_for_nothing_but_the_answer(api: Api, upstream: Upstream) -> None:
    """It lets the event loop turn no more often than the request alone does."""
    upstream.reply_json("/pets/7", {"id": 7})
    server = Server(api, environ={"PETSTORE_BASE_URL": upstream.url, **CREDENTIALS})

    async def turns() -> tuple[int, int]:
        async with httpx2.AsyncClient(trust_env=False) as client, server:
            bare = await _counted(lambda: client.get(f"{upstream.url}/pets/7"), LOOP)
            ours = await _counted(lambda: server.call("get_pet", {"petId": 7}), LOOP)
            return bare["BaseEventLoop._run_once"], ours["BaseEventLoop._run_once"]

    bare, ours = anyio.run(turns)
    assert ours <= bare + 5


def test_a_second_list_takes_the_same_for_many_tools_as_for_few() -> None:
    found: list[int] = []
    for count in (10, 3_000):
        tools = [{**tool(f"tool_{number}", {}), "description": "x" * 400} for number in range(count)]
        contract = Contract.of(json.dumps({"tools": tools}).encode())
        assert contract.page()
        with calls(RUNTIME) as counted:
            contract.page()
        found.append(counted.total())
    assert max(found) <= 3  # the second one has a cursor for what follows


def test_validators_are_compiled_when_they_are_used(api: Api, upstream: Upstream) -> None:
    server = Server(api, environ={"PETSTORE_BASE_URL": upstream.url, **CREDENTIALS})

    async def counted() -> Counter[str]:
        with calls(RUNTIME) as found:
            server.ready()
            async with server:
                await server.call("get_pet", {"petId": 7})
        return found

    assert anyio.run(counted)["_compiled"] == 2  # of its arguments and of its answer
