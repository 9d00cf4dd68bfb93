"""Exchange of callers' tokens: each gets tokens of their own for the API, and theirs goes nowhere else."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qs

import pytest
from runtime.errors import SettingsError
from runtime.operation import Api
from runtime.security import OAuth
from runtime.server import Server

from .conftest import Upstream
from .test_callers import post, provide, serving, token

GRANT = "urn:ietf:params:oauth:grant-type:token-exchange"


@pytest.fixture
def exchanging(api: Api, upstream: Upstream) -> Api:
    """An API whose bearer token comes from an authorization server."""
    scheme = OAuth("PETSTORE_LOGIN2", ("authorizationCode",), token_url=f"{upstream.url}/token", scopes=("pets",))
    return replace(api, security={**api.security, "bearer": scheme})


def rules(upstream: Upstream, **more: str) -> dict[str, str]:
    """The settings of a server that exchanges."""
    return {
        "ISSUER": provide(upstream),
        "RESOURCE_URL": "https://mcp.example/mcp",
        "TOKEN_EXCHANGE": "LOGIN2",
        "LOGIN2_CLIENT_ID": "robot",
        "LOGIN2_CLIENT_SECRET": "s3cret-0f",
        "LOGIN2_AUDIENCE": "https://api.example",
        **more,
    }


def call(url: str, caller: str) -> dict[str, Any]:
    """The result of a call with a caller's token."""
    answer: dict[str, Any] = post(url, "tools/call", "get_pet", {"petId": 1}, Authorization=f"Bearer {caller}").json()
    return answer["result"]


def tokens(*names: str, **more: Any) -> list[dict[str, Any]]:
    """Answers of the token endpoint, one after the other."""
    made = [{"access_token": name, "token_type": "Bearer", "expires_in": 600, **more} for name in names]
    return [{"body": json.dumps(one).encode()} for one in made]


def test_each_caller_has_a_token_of_their_own(exchanging: Api, upstream: Upstream) -> None:
    with serving(exchanging, upstream, rules(upstream, LOGIN2_TOKEN="of-the-server")) as url:
        upstream.script("/token", *tokens("for-ann", "for-bob"))
        ann, bob = token(upstream, "api", "ann"), token(upstream, "api", "bob")
        upstream.received.clear()
        for caller in (ann, bob, ann, bob):
            assert not call(url, caller).get("isError")
        asked = [parse_qs(got.body.decode()) for got in upstream.received if got.target == "/token"]
        assert [form["subject_token"] for form in asked] == [[ann], [bob]]
        assert asked[0]["grant_type"] == [GRANT] and asked[0]["audience"] == ["https://api.example"]
        assert asked[0]["scope"] == ["pets"]
        sent = [got.headers["authorization"] for got in upstream.received if got.target.startswith("/pets")]
        assert sent == ["Bearer for-ann", "Bearer for-bob", "Bearer for-ann", "Bearer for-bob"]
        assert ann not in str([got for got in upstream.received if got.target.startswith("/pets")])


def test_a_token_that_the_api_refuses_is_exchanged_again(exchanging: Api, upstream: Upstream) -> None:
    with serving(exchanging, upstream, rules(upstream)) as url:
        upstream.script("/token", *tokens("old", "new"))
        upstream.script("/pets/1", {"status": 401}, {"status": 200})
        assert not call(url, token(upstream, "api")).get("isError")
        sent = [got.headers["authorization"] for got in upstream.received if got.target.startswith("/pets")]
        assert sent == ["Bearer old", "Bearer new"]


def test_a_refusal_shows_no_token(exchanging: Api, upstream: Upstream) -> None:
    with serving(exchanging, upstream, rules(upstream)) as url:
        mine = token(upstream, "api")
        said = {"error": "invalid_target", "error_description": f"not for {mine} and s3cret-0f"}
        upstream.reply("/token", status=400, body=json.dumps(said).encode())
        upstream.received.clear()
        answer = call(url, mine)
        assert answer["isError"] and "invalid_target" in answer["content"][0]["text"]
        assert mine not in str(answer) and "s3cret-0f" not in str(answer)
        assert not [got for got in upstream.received if got.target.startswith("/pets")]


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"TOKEN_EXCHANGE": "OTHER"}, "none of LOGIN2"),
        ({"ISSUER": ""}, "needs PETSTORE_ISSUER"),
    ],
)
def test_what_cannot_be_meant_stops_the_start(
    exchanging: Api, upstream: Upstream, changes: dict[str, str], told: str
) -> None:
    environ = {f"PETSTORE_{name}": value for name, value in {**rules(upstream), **changes}.items()}
    with pytest.raises(SettingsError, match=told):
        Server(exchanging, environ=environ).ready()
