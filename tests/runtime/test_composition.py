"""Composition: what an owner makes of the operations, at the seam below the protocol."""

from __future__ import annotations

import json
import logging
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp.types import CallToolResult, TextContent
from runtime.call import Call
from runtime.caller import Caller
from runtime.errors import CallError, CompositionError, SettingsError, UnknownTool
from runtime.operation import Api, Operation
from runtime.own import OwnTool, Prompt, Resource
from runtime.server import Server
from runtime.visibility import Visibility

from .conftest import CREDENTIALS, KEY, Upstream, call, text, write_package

GET_PET: Operation[Any, Any] = Operation(name="get_pet", method="GET", path="/pets/{petId}")
PIXEL = b"\x89PNG\r\n\x1a\n"


def operation(server: Server, name: str) -> Operation[Any, Any]:
    """The constant of a tool."""
    return server.operation(name)


def tool(handler: Any, **changes: Any) -> OwnTool[Any]:
    """A tool of an owner's that takes what it is given."""
    values: dict[str, Any] = {
        "name": "own",
        "description": "Own.",
        "arguments": {"petId": {"type": "integer"}},
        **changes,
    }
    return OwnTool(handler=handler, optional=tuple(values["arguments"]), **values)


class Human:
    """Somebody who answers, and counts how often."""

    def __init__(self, answer: bool | None) -> None:
        self.answer = answer
        self.asked: list[str] = []

    async def agrees(self, question: str, call: str) -> bool | None:
        self.asked.append(question)
        return self.answer


def asked(server: Server, name: str, human: Human, arguments: Any = None) -> CallToolResult:
    """The result of a call behind which there is a human."""

    async def once() -> CallToolResult:
        async with server:
            return await server.call(name, arguments or {}, human=human)

    return anyio.run(once)


# What is offered


def test_each_method_gives_another_server(server: Server) -> None:
    less = server.without("fetch").only(lambda tool: tool.group == "pets" and tool.read_only)
    assert [*server.contract.tools] == ["list_pets", "get_pet", "create_pet", "fetch", "broken"]
    assert [*less.contract.tools] == ["list_pets", "get_pet", "create_pet", "broken"]
    assert less.settings is server.settings
    told = less.describe("get_pet", "Read a pet.").describe(GET_PET, title="Pet").contract.tools["get_pet"].entry
    assert (told["description"], told["title"]) == ("Read a pet.", "Pet")
    assert server.contract.tools["get_pet"].entry["description"] == "get_pet"


def test_what_is_left_out_is_unknown_to_agents(server: Server) -> None:
    less = server.without(GET_PET)
    with pytest.raises(UnknownTool, match="Unknown tool: get_pet"):
        call(less, "get_pet", {"petId": 1})


async def _nothing(call: Call, arguments: Any) -> None:
    """Give nothing."""


async def _some(call: Call, values: Mapping[str, str]) -> str:
    return "x"


WRONG: list[tuple[Callable[[Server], object], str]] = [
    (lambda s: s.without("get_pett"), "The API has no tool 'get_pett'; did you mean get_pet?"),
    (lambda s: s.describe("gone", "x"), "The API has no tool 'gone'"),
    (lambda s: s.only(lambda tool: False).ready(), "leaves no tool"),
    (lambda s: s.add(tool(_nothing, name="get_pet")), "There is a tool get_pet already"),
    (lambda s: s.add(tool(_nothing), tool(_nothing)), "There is a tool own already"),
    (lambda s: tool(_nothing, name="a b"), "'a b' cannot be the name of a tool"),
    (lambda s: OwnTool(name="x", description="", handler=_nothing, optional=("y",)), "no argument 'y'"),
    (lambda s: tool(_nothing, output={"type": "string"}), "must be of the type object"),
    (lambda s: Resource(uri="hours", name="x", read=_some), "'hours' is no absolute URI"),
    (lambda s: Prompt(name="x", write=_some, optional=("y",)), "no argument 'y'"),
]


@pytest.mark.parametrize(("wrong", "message"), WRONG, ids=[message for _, message in WRONG])
def test_what_cannot_be_is_said(server: Server, wrong: Callable[[Server], object], message: str) -> None:
    with pytest.raises(CompositionError, match=re.escape(message)):
        wrong(server)


def test_a_tool_may_take_the_place_of_one_that_was_left_out(server: Server, upstream: Upstream) -> None:
    upstream.reply_json("/pets/7", {"id": 7, "name": "Rex"})

    async def get(call: Call, arguments: Mapping[str, Any]) -> str:
        pet: Any = await operation(server, "get_pet")(call, {"petId": 7})
        return f"{pet['name']}!"

    own = server.without("get_pet").add(tool(get, name="get_pet"))
    assert text(call(own, "get_pet")) == "Rex!"


def test_rules_of_the_operator_know_own_tools(api: Api) -> None:
    environ = {"PETSTORE_TOOLS": "own get_pet", "PETSTORE_GUARD": "own=required"}
    with pytest.raises(SettingsError, match="PETSTORE_TOOLS names 'own'"):
        Server(api, environ=environ).ready()
    server = Server(api, environ=environ).add(tool(_nothing)).ready()
    assert [*server.listed().tools] == ["get_pet", "own"]
    assert server.access.policy(server.contract.tools["own"]) == "required"
    toolset = Server(api, environ={"PETSTORE_TOOLSETS": "own"}).add(tool(_nothing)).ready()
    assert [*toolset.listed().tools] == ["own"]


def test_own_tools_are_found_in_search_mode(api: Api) -> None:
    server = Server(api, environ={"PETSTORE_MODE": "search"}).add(tool(_nothing, description="Groom a poodle."))

    async def go() -> CallToolResult:
        async with Client(server.lowlevel()) as client:
            return await client.call_tool("search_tools", {"query": "poodle"})

    assert json.loads(text(anyio.run(go)))["tools"][0]["name"] == "own"


def test_pages_of_different_compositions_are_told_apart(server: Server) -> None:
    cursors = {
        one.contract.composed([*(tool.entry for tool in one.contract.tools.values())])._cursor(1)  # pyright: ignore
        for one in (server, server.without("fetch"), server.describe("fetch", "Other."))
    }
    assert len(cursors) == 3


# Functions around operations


def test_functions_stand_around_one_another_and_the_last_is_outermost(server: Server, upstream: Upstream) -> None:
    upstream.reply_json("/pets/1", {"id": 1, "name": "Rex"})
    get = operation(server, "get_pet")
    order: list[str] = []

    async def inner(call: Call, arguments: Any) -> Any:
        order.append("inner")
        return {**await get(call, arguments), "name": "inner"}

    async def outer(call: Call, arguments: Any) -> Any:
        order.append("outer")
        pet: Any = await get(call, {"petId": "1"})
        return {**pet, "name": f"{pet['name']} in outer"}

    wrapped = server.wrap(get, inner).wrap(get, outer)
    result = call(wrapped, "get_pet", {"petId": 9})
    assert order == ["outer", "inner"]
    assert [got.target for got in upstream.received] == ["/pets/1"]
    assert result.structured_content == {"id": 1, "name": "inner in outer"}
    assert json.loads(text(result)) == result.structured_content


def test_arguments_are_checked_before_and_after_a_function(server: Server, upstream: Upstream) -> None:
    get = operation(server, "get_pet")
    seen: list[Any] = []

    async def changing(call: Call, arguments: Any) -> Any:
        seen.append(arguments)
        return await get(call, {"petId": "many"})

    wrapped = server.wrap(get, changing)
    assert "petId must be an integer" in text(call(wrapped, "get_pet", {"petId": "x"}))
    assert seen == []
    assert "petId must be an integer" in text(call(wrapped, "get_pet", {"petId": "5"}))
    assert seen == [{"petId": 5}]
    assert upstream.received == []


def test_an_answer_that_is_handed_on_is_shown_as_it_came(server: Server, upstream: Upstream) -> None:
    upstream.reply("/fetch", body=PIXEL, content_type="image/png")
    fetch = operation(server, "fetch")

    async def handing_on(call: Call, arguments: Any) -> Any:
        return await fetch(call, arguments)

    async def changing(call: Call, arguments: Any) -> Any:
        return f"{len(await fetch(call, arguments))} characters"

    (block,) = call(server.wrap(fetch, handing_on), "fetch").content
    assert (block.type, getattr(block, "mime_type", "")) == ("image", "image/png")
    assert text(call(server.wrap(fetch, changing), "fetch")) == "12 characters"


def test_a_failure_of_the_api_can_be_caught(server: Server, upstream: Upstream) -> None:
    upstream.reply("/pets/1", status=404)
    get = operation(server, "get_pet")

    async def forgiving(call: Call, arguments: Any) -> Any:
        try:
            return await get(call, arguments)
        except CallError as error:
            assert "404" in str(error)
            return {"id": None, "name": "nobody"}

    result = call(server.wrap(get, forgiving), "get_pet", {"petId": 1})
    assert not result.is_error
    assert result.structured_content == {"id": None, "name": "nobody"}


def test_wrapping_holds_for_code_that_composes_and_ends_when_two_call_each_other(
    server: Server, upstream: Upstream
) -> None:
    get, fetch = operation(server, "get_pet"), operation(server, "fetch")
    upstream.reply_json("/pets/1", {"id": 1})
    upstream.reply_json("/fetch", {"fetched": True})

    async def around_get(call: Call, arguments: Any) -> Any:
        return {"id": 1, "name": json.dumps(await fetch(call, {}))}

    async def around_fetch(call: Call, arguments: Any) -> Any:
        return {"pet": await get(call, {"petId": 1})}

    async def go() -> Any:
        async with server.wrap(get, around_get).wrap(fetch, around_fetch) as both:
            return await get(both, {"petId": 1})

    assert anyio.run(go) == {"id": 1, "name": '{"pet": {"id": 1}}'}


# What goes wrong in owners' code


@pytest.mark.parametrize("kind", ["tool", "function"])
def test_a_mistake_gives_a_reference_and_nothing_else(
    kind: str, server: Server, upstream: Upstream, caplog: pytest.LogCaptureFixture
) -> None:
    async def mistaken(call: Call, arguments: Any) -> Any:
        raise RuntimeError(f"the secret is {KEY}")

    own = server.add(tool(mistaken)) if kind == "tool" else server.wrap(operation(server, "fetch"), mistaken)
    with caplog.at_level(logging.ERROR):
        result = call(own, "own" if kind == "tool" else "fetch")
    assert result.is_error
    reference = re.search(r"reference ([0-9a-f]{8})", text(result))
    assert reference and reference[1] in caplog.text
    assert "RuntimeError: the secret is [redacted]" in caplog.text
    assert "secret" not in text(result)
    assert KEY not in caplog.text


@pytest.mark.parametrize("answer", [{1, 2}, b"x", object(), {1: 2}, {"a": {"b": b"x"}}])
def test_an_answer_that_json_does_not_have_is_a_mistake(server: Server, answer: Any) -> None:
    async def odd(call: Call, arguments: Any) -> Any:
        return answer

    assert "failed inside of the server" in text(call(server.add(tool(odd)), "own"))


@pytest.mark.parametrize(
    ("answer", "output", "shown", "structured"),
    [
        ("Rex", None, "Rex", None),
        (3, None, "3", None),
        (None, None, "null", None),
        (({"a": (1, 2)},), None, '[{"a":[1,2]}]', None),
        ({"a": 1}, {"type": "object", "properties": {"a": {"type": "integer"}}}, '{"a":1}', {"a": 1}),
        (CallToolResult(content=[TextContent(type="text", text="as it is")]), None, "as it is", None),
    ],
)
def test_answers_of_own_tools(server: Server, answer: Any, output: Any, shown: str, structured: Any) -> None:
    async def giving(call: Call, arguments: Any) -> Any:
        return answer

    result = call(server.add(tool(giving, output=output)), "own")
    assert (text(result), result.structured_content, result.is_error) == (shown, structured, False)


def test_a_refusal_is_told(server: Server) -> None:
    async def refusing(call: Call, arguments: Any) -> Any:
        raise CallError("Not on Sundays.")

    result = call(server.add(tool(refusing)), "own")
    assert (text(result), result.is_error) == ("Not on Sundays.", True)


# What holds beneath owners' code


def composing(server: Server, name: str, arguments: Any, **changes: Any) -> Server:
    """A server with a tool that calls an operation."""

    async def own(call: Call, _: Any) -> Any:
        return await operation(server, name)(call, arguments)

    return server.add(tool(own, **changes))


def test_a_server_that_only_reads_changes_nothing_through_an_own_tool(api: Api, upstream: Upstream) -> None:
    environ = {"PETSTORE_BASE_URL": upstream.url, **CREDENTIALS}
    writing = {"readOnlyHint": False, "destructiveHint": False}
    for rules, caller in (({"PETSTORE_READ_ONLY": "1"}, Caller()), ({}, Caller(narrowed=Visibility(read_only=True)))):
        server = Server(api, environ={**environ, **rules})
        own = composing(server, "create_pet", {"name": "Rex"}, read_only=True)
        entry: dict[str, Any] = dict(own.described.tools["create_pet"].entry)
        own.described.tools["create_pet"].__dict__["entry"] = {**entry, "annotations": writing}

        async def go(server: Server = own, caller: Caller = caller) -> CallToolResult:
            async with server:
                return await server.call("own", {}, caller=caller)

        assert "create_pet changes something, and this server only reads" in text(anyio.run(go))
    assert upstream.received == []


def test_scopes_hold_for_the_operations_in_an_own_tool(api: Api, upstream: Upstream) -> None:
    server = Server(api, environ={"PETSTORE_BASE_URL": upstream.url, "PETSTORE_REQUIRED_SCOPES": "get_pet=pets"})
    own = composing(server, "get_pet", {"petId": 1})

    async def go(*scopes: str) -> str:
        async with own:
            return text(await own.call("own", {}, caller=Caller(id="ann", scopes=frozenset(scopes))))

    assert anyio.run(go) == "The caller's token does not grant pets, so nothing was sent."
    assert upstream.received == []
    assert anyio.run(go, "pets") == "{}"


def guarded(api: Api, upstream: Upstream, rules: str, audit: Path, **changes: Any) -> Server:
    """A server whose own tool calls an operation that the rules are about."""
    environ = {"PETSTORE_BASE_URL": upstream.url, **CREDENTIALS, "PETSTORE_GUARD": rules, "PETSTORE_AUDIT": str(audit)}
    return composing(Server(api, environ=environ), "fetch", {}, **changes)


def audited(server: Server, path: Path) -> list[tuple[str, str, str]]:
    """Tool, decision and outcome of the lines of an audit, which is closed."""
    server.access.audit.close()
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    return [(line["tool"], line["decision"], line["outcome"]) for line in lines]


def test_a_human_is_asked_about_an_own_tool_once(api: Api, upstream: Upstream, tmp_path: Path) -> None:
    server = guarded(api, upstream, "fetch=required", tmp_path / "audit")
    human = Human(True)
    assert not asked(server, "own", human, {"petId": 3}).is_error
    assert human.asked == ['Own?\n\n{"petId": 3}']
    refusing = Human(False)
    assert "did not confirm" in text(asked(server, "own", refusing))
    assert len(upstream.received) == 1
    assert audited(server, tmp_path / "audit") == [
        ("fetch", "unguarded", "ok"),
        ("own", "confirmed", "ok"),
        ("own", "refused", "refused"),
    ]


def test_what_must_be_confirmed_is_refused_inside_of_what_was_not(api: Api, upstream: Upstream, tmp_path: Path) -> None:
    human = Human(True)
    required = guarded(api, upstream, "fetch=required", tmp_path / "one", destructive=False)
    assert "A human has to confirm this call" in text(asked(required, "own", human))
    assert (human.asked, upstream.received) == ([], [])
    assert audited(required, tmp_path / "one") == [("fetch", "refused", "refused"), ("own", "unguarded", "refused")]
    asking = guarded(api, upstream, "fetch=ask", tmp_path / "two", destructive=False)
    assert not asked(asking, "own", human).is_error
    assert audited(asking, tmp_path / "two") == [("fetch", "unconfirmed", "ok"), ("own", "unguarded", "ok")]


def test_a_human_is_asked_inside_of_a_function_about_the_request(api: Api, upstream: Upstream, tmp_path: Path) -> None:
    server = guarded(api, upstream, "get_pet=required", tmp_path / "audit")
    get = operation(server, "get_pet")

    async def another(call: Call, arguments: Any) -> Any:
        return await get(call, {"petId": 8})

    human = Human(True)
    wrapped = server.wrap(get, another)
    assert not asked(wrapped, "get_pet", human, {"petId": 1}).is_error
    assert audited(wrapped, tmp_path / "audit") == [("get_pet", "confirmed", "ok")]
    assert human.asked == [f'get_pet?\n\nGET {upstream.url}/pets/8\n\n{{"petId": 8}}']


# Credentials


def test_credentials_come_from_a_function_for_each_call_and_are_not_shown(
    api: Api, upstream: Upstream, caplog: pytest.LogCaptureFixture
) -> None:
    environ = {"PETSTORE_BASE_URL": upstream.url}
    given: dict[str, str] = {}
    callers: list[tuple[str, str]] = []

    async def provider(call: Call) -> Mapping[str, str]:
        callers.append((call.name, call.caller.name))
        return given

    server = Server(api, environ=environ).credentials(provider)
    assert "PETSTORE_API_KEY" in text(call(server, "list_pets"))
    given["PETSTORE_API_KEY"] = "key-of-the-first-hour"
    assert not call(server, "list_pets").is_error
    given["PETSTORE_API_KEY"] = "key-of-the-second-hour"
    upstream.reply("/pets", status=403, body=b'{"detail": "key-of-the-second-hour is too weak"}')
    refused = text(call(server, "list_pets"))
    assert [got.target for got in upstream.received] == [
        "/pets?api_key=key-of-the-first-hour",
        "/pets?api_key=key-of-the-second-hour",
    ]
    assert "[redacted] is too weak" in refused
    assert callers == [("list_pets", "")] * 3
    given["PETSTORE_API_KEY"], given["PETSTORE_OTHER"] = "x", "y"
    assert "No security scheme of this API has the variable PETSTORE_OTHER" in text(call(server, "list_pets"))
    assert "key-of-the" not in caplog.text + repr(server) + repr(server.settings)


# Lifespans


class Pool:
    """Something that has to be opened, and is closed by whoever opened it."""

    def __init__(self) -> None:
        self.log: list[str] = []

    @asynccontextmanager
    async def opened(self) -> AsyncGenerator[None]:
        async with anyio.create_task_group():  # which cannot be left in another task
            self.log.append("opened")
            try:
                yield
            finally:
                self.log.append("closed")


def test_a_lifespan_begins_with_the_first_user_and_ends_with_the_last(server: Server) -> None:
    pool = Pool()

    async def go() -> None:
        own = server.lifespan(pool.opened)
        async with own:
            async with Client(own.lowlevel()) as client:
                await client.list_tools()
            assert pool.log == ["opened"]
        assert pool.log == ["opened", "closed"]
        async with own:
            assert pool.log == ["opened", "closed", "opened"]

    anyio.run(go)
    assert pool.log == ["opened", "closed"] * 2


def test_a_lifespan_may_be_ended_from_another_task(server: Server) -> None:
    pool = Pool()

    async def go() -> None:
        own = server.lifespan(pool.opened)
        await own.__aenter__()
        async with anyio.create_task_group() as group:
            group.start_soon(own.aclose)
        assert pool.log == ["opened", "closed"]

    anyio.run(go)


def test_what_cannot_be_opened_stops_the_start(server: Server, caplog: pytest.LogCaptureFixture) -> None:
    pool = Pool()

    @asynccontextmanager
    async def broken() -> AsyncGenerator[None]:
        raise OSError("no such database")
        yield

    async def go() -> None:
        async with server.lifespan(pool.opened).lifespan(broken):
            raise AssertionError("it is not open")

    with pytest.raises(BaseException) as caught:
        anyio.run(go)
    assert "no such database" in "".join(map(str, getattr(caught.value, "exceptions", [caught.value])))
    assert pool.log == ["opened", "closed"]


def test_what_cannot_be_closed_is_logged(server: Server, caplog: pytest.LogCaptureFixture) -> None:
    @asynccontextmanager
    async def broken() -> AsyncGenerator[None]:
        yield
        raise OSError("the database is gone")

    async def go() -> None:
        async with server.lifespan(broken):
            pass

    anyio.run(go)
    assert "could not be closed" in caplog.text


OWNER = """\
import sys
from contextlib import asynccontextmanager

from ._runtime.server import Server
from .api import API


@asynccontextmanager
async def opened():
    print("opened", file=sys.stderr, flush=True)
    yield
    print("closed", file=sys.stderr, flush=True)


def build():
    return Server(API){composed}
"""


@pytest.fixture
def owned(tmp_path: Path) -> Path:
    """A folder with an emitted package."""
    write_package(tmp_path, "petstore_mcp", "petstore_mcp._runtime", [])
    return tmp_path


@pytest.mark.parametrize("end", ["signal", "end of input"])
def test_the_lifespan_ends_with_the_process(owned: Path, end: str) -> None:
    (owned / "petstore_mcp" / "server.py").write_text(OWNER.format(composed=".lifespan(opened)"))
    with subprocess.Popen(
        [sys.executable, "-m", "petstore_mcp"],
        env={**os.environ, "PYTHONPATH": str(owned)},
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin is not None and process.stderr is not None
        assert process.stderr.readline() == "opened\n"
        if end == "signal":
            time.sleep(0.1)
            process.send_signal(signal.SIGTERM)
        else:
            process.stdin.close()
        assert process.stderr.readline() == "closed\n"
        assert process.wait(10) == 0


def test_what_server_py_asks_for_in_vain_stops_the_start(owned: Path) -> None:
    (owned / "petstore_mcp" / "server.py").write_text(OWNER.format(composed=".without('get_pet')"))
    done = subprocess.run(
        [sys.executable, "-m", "petstore_mcp", "--list"],
        env={**os.environ, "PYTHONPATH": str(owned)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (2, "error: The API has no tool 'get_pet'\n")
