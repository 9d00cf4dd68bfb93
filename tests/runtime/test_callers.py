"""Callers over HTTP: tokens, scopes, handed-over credentials, narrower views; and what a human is asked."""

from __future__ import annotations

import json
import logging
import socket
import threading
import time
from collections import Counter
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from typing import Any

import anyio
import httpx2
import jwt
import pytest
import uvicorn
from cryptography.hazmat.primitives.asymmetric import rsa
from jwt.algorithms import RSAAlgorithm
from mcp import Client
from mcp.types import CallToolResult, ElicitRequestParams, ElicitResult, TextContent
from runtime.errors import SettingsError
from runtime.operation import Api
from runtime.server import Server

from runtime import http

from .conftest import CREDENTIALS, KEY, SECRETS, Upstream

KEYS = rsa.generate_private_key(65537, 2048)
MODERN = "2026-07-28"


@contextmanager
def serving(api: Api, upstream: Upstream, rules: Mapping[str, str], *, stateful: bool = False) -> Generator[str]:
    """The URL of a server over HTTP."""
    own = {f"PETSTORE_{name}": value for name, value in rules.items()}
    server = Server(api, environ={"PETSTORE_BASE_URL": upstream.url, **CREDENTIALS, **own})
    with socket.create_server(("127.0.0.1", 0)) as listening:
        app = http.application(server, "127.0.0.1", stateful=stateful)
        runner = uvicorn.Server(uvicorn.Config(app, log_config=None, access_log=False))
        thread = threading.Thread(target=runner.run, kwargs={"sockets": [listening]})
        thread.start()
        while not runner.started:
            time.sleep(0.01)
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}/mcp"
        finally:
            runner.should_exit = True
            thread.join()


def message(method: str, name: str = "", arguments: Mapping[str, Any] | None = None) -> dict[str, Any]:
    meta = {
        "io.modelcontextprotocol/protocolVersion": MODERN,
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
    }
    params: dict[str, Any] = {"_meta": meta}
    if name:
        params |= {"name": name, "arguments": arguments or {}}
    return {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}


def headers(method: str, name: str = "", **more: str) -> dict[str, str]:
    fixed = {"MCP-Protocol-Version": MODERN, "Mcp-Method": method, "Accept": "application/json, text/event-stream"}
    return {**fixed, **({"Mcp-Name": name} if name else {}), **more}


def post(url: str, method: str, name: str = "", arguments: Any = None, **more: str) -> httpx2.Response:
    return httpx2.post(url, json=message(method, name, arguments), headers=headers(method, name, **more))


def names(response: httpx2.Response) -> set[str]:
    return {tool["name"] for tool in response.json()["result"]["tools"]}


# Tokens


def provide(upstream: Upstream) -> str:
    """Let the upstream be an authorization server, too; its issuer."""
    issuer = f"{upstream.url}/realm"
    key = {**json.loads(RSAAlgorithm.to_jwk(KEYS.public_key())), "kid": "one"}
    metadata = {"issuer": issuer, "jwks_uri": f"{upstream.url}/keys"}
    upstream.reply_json("/.well-known/oauth-authorization-server/realm", metadata)
    upstream.reply_json("/keys", {"keys": [key]})
    return issuer


def token(upstream: Upstream, scope: str, subject: str = "ann", audience: str = "https://mcp.example/mcp") -> str:
    claims = {"iss": f"{upstream.url}/realm", "aud": audience, "sub": subject, "client_id": "app", "scope": scope}
    return jwt.encode({**claims, "exp": int(time.time()) + 600}, KEYS, "RS256", headers={"kid": "one"})


def test_callers_need_a_token_and_see_what_it_grants(api: Api, upstream: Upstream) -> None:
    rules = {
        "ISSUER": provide(upstream),
        "RESOURCE_URL": "https://mcp.example/mcp",
        "REQUIRED_SCOPES": "api create_pet=api:write",
    }
    with serving(api, upstream, rules) as url:
        refused = post(url, "tools/list")
        assert refused.status_code == 401
        where = refused.headers["www-authenticate"]
        assert "https://mcp.example/.well-known/oauth-protected-resource/mcp" in where
        served = httpx2.get(url.removesuffix("/mcp") + "/.well-known/oauth-protected-resource/mcp").json()
        assert served["authorization_servers"] == [rules["ISSUER"]]

        foreign = token(upstream, "api", audience="https://other.example")
        assert post(url, "tools/list", Authorization=f"Bearer {foreign}").status_code == 401
        assert post(url, "tools/list", Authorization=f"Bearer {token(upstream, 'other')}").status_code == 403

        reader, writer = (f"Bearer {token(upstream, scope)}" for scope in ("api", "api api:write"))
        listed = post(url, "tools/list", Authorization=reader)
        assert listed.json()["result"]["cacheScope"] == "private"
        assert "create_pet" not in names(listed)
        assert "create_pet" in names(post(url, "tools/list", Authorization=writer))

        upstream.received.clear()
        answer = post(url, "tools/call", "create_pet", {"name": "Rex"}, Authorization=reader).json()["result"]
        assert answer["isError"] and "does not grant api:write" in answer["content"][0]["text"]
        assert upstream.received == []
        answer = post(url, "tools/call", "create_pet", {"name": "Rex"}, Authorization=writer).json()["result"]
        assert not answer["isError"]
        [got] = upstream.received
        assert writer not in str(got), "a caller's token is for this server alone"


# Handed-over credentials


def test_a_thousand_calls_of_two_callers_stay_apart(
    api: Api, upstream: Upstream, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, logger="petstore")
    upstream.reply_json("/pets", [{"id": 1, "name": "of both"}])
    keys = {"ann": "key-of-ann-5d1c", "bob": "key-of-bob-77e0"}
    answers: Counter[tuple[str, str]] = Counter()

    async def calls(url: str) -> None:
        async def one(client: httpx2.AsyncClient, number: int) -> None:
            who = "ann" if number % 2 else "bob"
            sent = headers("tools/call", "list_pets", **{"X-Pet-Key": keys[who], "X-Other": "other"})
            arguments = {"limit": number + 1}
            got = await client.post(url, json=message("tools/call", "list_pets", arguments), headers=sent)
            answers[who, got.json()["result"]["content"][0]["text"]] += 1
            assert keys["bob" if who == "ann" else "ann"] not in got.text

        async with httpx2.AsyncClient(timeout=60) as client:
            for begin in range(0, 1000, 50):
                async with anyio.create_task_group() as group:
                    for number in range(begin, begin + 50):
                        group.start_soon(one, client, number)

    with serving(api, upstream, {"CALLER_CREDENTIALS": "X-Pet-Key=PETSTORE_API_KEY"}) as url:
        anyio.run(calls, url)
        missing = post(url, "tools/call", "list_pets").json()["result"]
    assert sum(answers.values()) == 1000
    assert len(upstream.received) == 1000
    for got in upstream.received:
        limit, key = (part.split("=")[1] for part in got.target.partition("?")[2].split("&"))
        assert key == keys["ann" if (int(limit) - 1) % 2 else "bob"]
        assert "x-other" not in got.headers and "x-pet-key" not in got.headers
    assert missing["isError"] and "PETSTORE_API_KEY" in missing["content"][0]["text"], "no caller gets the server's own"
    assert not any(key in caplog.text for key in (*keys.values(), KEY))


def test_two_rules_that_exclude_each_other_stop_the_start(api: Api) -> None:
    rules = {
        "PETSTORE_ISSUER": "https://a.example",
        "PETSTORE_CALLER_CREDENTIALS": "Authorization=PETSTORE_BEARER_AUTH",
    }
    with pytest.raises(SettingsError, match="must not name Authorization"):
        Server(api, environ=rules)


# Views


def test_the_url_can_only_take_away(api: Api, upstream: Upstream) -> None:
    with serving(api, upstream, {"EXCLUDE_TOOLS": "broken"}) as url:
        assert names(post(url, "tools/list")) == {"list_pets", "get_pet", "create_pet", "fetch"}
        narrow = f"{url}?tools=list_pets,broken"
        listed = post(narrow, "tools/list")
        assert names(listed) == {"list_pets"}
        assert listed.json()["result"]["cacheScope"] == "private"
        assert post(url, "tools/list").json()["result"]["cacheScope"] == "public"
        assert post(narrow, "tools/call", "get_pet", {"petId": 1}).json()["error"]["code"] == -32602
        assert post(url, "tools/call", "broken").json()["error"]["code"] == -32602
        assert upstream.received == []


# The guard, by real clients


async def yes(context: Any, params: ElicitRequestParams) -> ElicitResult:
    return ElicitResult(action="accept", content={"confirm": True})


async def no(context: Any, params: ElicitRequestParams) -> ElicitResult:
    return ElicitResult(action="decline")


def guarded(api: Api, upstream: Upstream, mode: Any, ask: Any, **environ: str) -> CallToolResult:
    own = {f"PETSTORE_{name}": value for name, value in environ.items()}
    server = Server(api, environ={"PETSTORE_BASE_URL": upstream.url, **CREDENTIALS, **own})

    async def go() -> CallToolResult:
        async with Client(server.lowlevel(), mode=mode, elicitation_callback=ask) as client:
            return await client.call_tool("create_pet", {"name": "Rex"})

    return anyio.run(go)


def said(result: CallToolResult) -> str:
    return "\n".join(block.text for block in result.content if isinstance(block, TextContent))


@pytest.mark.parametrize("mode", [MODERN, "legacy"])
def test_a_human_who_agrees_lets_the_call_go_out(api: Api, upstream: Upstream, mode: str) -> None:
    questions: list[str] = []

    async def ask(context: Any, params: ElicitRequestParams) -> ElicitResult:
        questions.append(params.message)
        return await yes(context, params)

    assert not guarded(api, upstream, mode, ask, GUARD="create_pet=required").is_error
    assert len(upstream.received) == 1
    [question] = questions
    assert f"POST {upstream.url}/pets" in question and '{"name":"Rex"}' in question.replace(" ", "")
    assert not any(secret in question for secret in SECRETS)


@pytest.mark.parametrize("mode", [MODERN, "legacy"])
@pytest.mark.parametrize(("ask", "told"), [(no, "did not confirm"), (None, "cannot ask one")])
def test_a_call_that_nobody_agrees_to_stays_here(api: Api, upstream: Upstream, mode: str, ask: Any, told: str) -> None:
    result = guarded(api, upstream, mode, ask, GUARD="create_pet=required")
    assert result.is_error and told in said(result)
    assert upstream.received == []


@pytest.mark.parametrize("mode", [MODERN, "legacy"])
def test_where_nobody_can_be_asked_the_audit_says_so(
    api: Api, upstream: Upstream, mode: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert not guarded(api, upstream, mode, None, GUARD="create_pet=ask", AUDIT="stderr").is_error
    [line] = [json.loads(line) for line in capsys.readouterr().err.splitlines() if line.startswith("{")]
    assert (line["tool"], line["decision"], line["outcome"], line["status"]) == ("create_pet", "unconfirmed", "ok", 200)


def test_a_confirmation_is_known_to_a_replica_that_shares_the_key(api: Api, upstream: Upstream) -> None:
    rules = {"GUARD": "create_pet=required", "STATE_KEYS": "k" * 40}

    def asked(url: str, **params: Any) -> dict[str, Any]:
        body = message("tools/call", "create_pet", {"name": "Rex"})
        body["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"] = {"elicitation": {}}
        body["params"] |= params
        return httpx2.post(url, json=body, headers=headers("tools/call", "create_pet")).json()["result"]

    answer = {"confirm": {"action": "accept", "content": {"confirm": True}}}
    with serving(api, upstream, rules) as one, serving(api, upstream, rules) as other:
        first = asked(one)
        assert first["resultType"] == "input_required"
        again = {"inputResponses": answer, "requestState": first["requestState"]}
        assert not asked(other, **again)["isError"]
        assert asked(other, **again)["resultType"] == "input_required", "once is enough"
    with serving(api, upstream, {**rules, "STATE_KEYS": "o" * 40}) as stranger:
        assert asked(stranger, **again)["resultType"] == "input_required"
    assert len(upstream.received) == 1


@pytest.mark.parametrize(("stateful", "decision"), [(True, "confirmed"), (False, "unconfirmed")])
def test_older_clients_over_http_are_asked_in_stateful_mode_only(
    api: Api, upstream: Upstream, stateful: bool, decision: str, capsys: pytest.CaptureFixture[str]
) -> None:
    async def go(url: str) -> bool:
        async with Client(url, mode="legacy", elicitation_callback=yes) as client:
            return bool((await client.call_tool("create_pet", {"name": "Rex"})).is_error)

    rules = {"GUARD": "create_pet=ask", "AUDIT": "stderr"}
    with serving(api, upstream, rules, stateful=stateful) as url:
        assert anyio.run(go, url) is False
    decisions = [json.loads(line)["decision"] for line in capsys.readouterr().err.splitlines() if line.startswith("{")]
    assert decisions == [decision]


# Search mode


@pytest.mark.parametrize("mode", [MODERN, "legacy"])
def test_three_tools_stand_for_all(api: Api, upstream: Upstream, mode: Any) -> None:
    environ = {
        "PETSTORE_BASE_URL": upstream.url,
        **CREDENTIALS,
        "PETSTORE_MODE": "search",
        "PETSTORE_GUARD": "required",
    }
    server = Server(api, environ={**environ, "PETSTORE_EXCLUDE_TOOLS": "broken"})
    upstream.reply_json("/pets/7", {"id": 7, "name": "Rex"})

    async def go() -> list[Any]:
        async with Client(server.lowlevel(), mode=mode) as client:
            listed = [tool.name for tool in (await client.list_tools()).tools]
            found = await client.call_tool("search_tools", {"query": "get one pet"})
            described = await client.call_tool("describe_tool", {"name": "get_pet"})
            called = await client.call_tool("call_tool", {"name": "get_pet", "arguments": {"petId": 7}})
            wrong = await client.call_tool("call_tool", {"name": "get_pets"})
            hidden = await client.call_tool("call_tool", {"name": "broken"})
            bad = await client.call_tool("search_tools", {})
            return [listed, found, described, called, wrong, hidden, bad]

    listed, found, described, called, wrong, hidden, bad = anyio.run(go)
    assert listed == ["search_tools", "describe_tool", "call_tool"]
    assert json.loads(said(found))["tools"][0]["name"] == "get_pet"
    assert json.loads(said(described))["inputSchema"]["required"] == ["petId"]
    assert json.loads(said(called)) == {"id": 7, "name": "Rex"}
    assert wrong.is_error and "get_pet" in said(wrong)
    assert hidden.is_error and bad.is_error and "query is required" in said(bad)
    assert [got.method for got in upstream.received] == ["GET"]
