"""Verification: which tokens of callers count."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

import anyio
import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from jwt.algorithms import ECAlgorithm, RSAAlgorithm
from mcp.server.auth.provider import AccessToken
from runtime.errors import CallError, SettingsError
from runtime.request import Request
from runtime.response import Response
from runtime.verification import Authority, Verifier

from runtime import verification

ISSUER, RESOURCE = "https://auth.example/realm", "https://mcp.example/mcp"
RSA = rsa.generate_private_key(65537, 2048)
OTHER = rsa.generate_private_key(65537, 2048)
EC = ec.generate_private_key(ec.SECP256R1())


def public(key: Any, name: str) -> dict[str, Any]:
    algorithm: Any = RSAAlgorithm if isinstance(key, rsa.RSAPrivateKey) else ECAlgorithm
    return {**json.loads(algorithm.to_jwk(key.public_key())), "kid": name, "use": "sig"}


class Provider:
    """The authorization server's documents."""

    def __init__(self, *keys: dict[str, Any], issuer: str = ISSUER) -> None:
        self.keys = list(keys) or [public(RSA, "one"), public(EC, "two")]
        self.issuer = issuer
        self.asked: list[str] = []
        self.down = False

    async def send(self, request: Request) -> Response:
        self.asked.append(request.url)
        if self.down:
            raise CallError("cannot be reached")
        answers: dict[str, Any] = {
            "https://auth.example/.well-known/oauth-authorization-server/realm": {
                "issuer": self.issuer,
                "jwks_uri": "https://auth.example/keys",
            },
            "https://auth.example/keys": {"keys": self.keys},
        }
        found = answers.get(request.url)
        return Response(200 if found else 404, "", {}, json.dumps(found or {}).encode(), True, request.url)


def claims(**changes: Any) -> dict[str, Any]:
    values = {"iss": ISSUER, "aud": RESOURCE, "sub": "ann", "client_id": "app", "scope": "read write"}
    made = {**values, "exp": int(time.time()) + 600, **changes}
    return {name: value for name, value in made.items() if value is not None}


def token(key: Any = RSA, name: str | None = "one", algorithm: str = "RS256", **changes: Any) -> str:
    return jwt.encode(claims(**changes), key, algorithm, headers={"kid": name} if name else None)


def verified(*tokens: str, provider: Provider | None = None, keys_url: str = "") -> list[AccessToken | None]:
    authority = Authority(issuer=ISSUER, resource=RESOURCE, keys_url=keys_url)

    async def go() -> list[AccessToken | None]:
        verifier = Verifier(authority, (provider or Provider()).send)
        return [await verifier.verify_token(one) for one in tokens]

    return anyio.run(go)


def test_a_token_for_this_server() -> None:
    [found] = verified(token())
    assert found is not None
    assert (found.subject, found.client_id, found.scopes, found.resource) == ("ann", "app", ["read", "write"], RESOURCE)


GOOD: dict[str, Callable[[], str]] = {
    "of another algorithm": lambda: token(EC, "two", "ES256"),
    "of a third": lambda: token(algorithm="PS256"),
    "for several servers": lambda: token(aud=["https://other.example", RESOURCE]),
    "by a clock that is slow": lambda: token(exp=int(time.time()) - 10),
    "with scopes as a list": lambda: token(scope=None, scp=["read"]),
}


@pytest.mark.parametrize("good", GOOD)
def test_tokens_that_count(good: str) -> None:
    assert verified(GOOD[good]())[0] is not None


SECRET = "s" * 64
FORGED = token(OTHER, "one")
BAD = {
    "signed by another": FORGED,
    "signed with a key of another name": token(RSA, "two"),
    "without a signature": jwt.encode(claims(), "", "none", headers={"kid": "one"}),
    "signed with a shared secret": jwt.encode(claims(), SECRET, "HS256", headers={"kid": "one"}),
    "of another issuer": token(iss="https://auth.example"),
    "for another server": token(aud="https://other.example"),
    "for nobody": token(aud=None),
    "without an end": token(exp=None),
    "that has ended": token(exp=int(time.time()) - 3600),
    "not good yet": token(nbf=int(time.time()) + 3600),
    "of an unknown key": token(name="three"),
    "without a key's name where there are several": token(name=None),
    "altered": token()[:-8] + "AAAAAAAA",
    "with other claims": token().split(".")[0] + "." + token(sub="eve").split(".")[1] + "." + token().split(".")[2],
    "no token": "x",
    "empty": "",
    "very long": "a." * 20_000,
}


@pytest.mark.parametrize("bad", BAD)
def test_tokens_that_do_not_count(bad: str) -> None:
    assert verified(BAD[bad]) == [None]


def test_the_only_key_needs_no_name() -> None:
    assert verified(token(name=None), provider=Provider(public(RSA, "one")))[0] is not None


def test_keys_are_fetched_once_and_a_new_one_is_found() -> None:
    provider = Provider(public(RSA, "one"))

    async def go() -> list[bool]:
        verifier = Verifier(Authority(issuer=ISSUER, resource=RESOURCE), provider.send)
        first = [await verifier.verify_token(token()) is not None for _ in range(5)]
        provider.keys = [public(OTHER, "new")]
        verifier._next = 0.0  # pyright: ignore[reportPrivateUsage] - some time later
        return [*first, await verifier.verify_token(token(OTHER, "new")) is not None]

    assert anyio.run(go) == [True] * 6
    assert provider.asked.count("https://auth.example/keys") == 2


def test_made_up_keys_are_not_asked_for_again_and_again() -> None:
    provider = Provider()
    assert verified(*(token(name=f"made-up-{number}") for number in range(20)), provider=provider) == [None] * 20
    assert provider.asked.count("https://auth.example/keys") == 1


def test_keys_go_on_to_count_while_the_authority_is_away(monkeypatch: pytest.MonkeyPatch) -> None:
    provider, now = Provider(), time.monotonic()

    async def go() -> bool:
        verifier = Verifier(Authority(issuer=ISSUER, resource=RESOURCE), provider.send)
        await verifier.verify_token(token())
        provider.down = True
        monkeypatch.setattr(verification.time, "monotonic", lambda: now + 1_000)
        return await verifier.verify_token(token()) is not None

    assert anyio.run(go)


def test_without_keys_nothing_counts() -> None:
    provider = Provider()
    provider.down = True
    assert verified(token(), provider=provider) == [None]
    assert verified(token(), provider=Provider(issuer="https://evil.example")) == [None]
    assert verified(token(), provider=Provider({"kty": "oct", "k": "c2VjcmV0", "kid": "one"})) == [None]


def test_the_operator_can_say_where_the_keys_are() -> None:
    provider = Provider()
    assert verified(token(), provider=provider, keys_url="https://auth.example/keys")[0] is not None
    assert provider.asked == ["https://auth.example/keys"]


def test_settings() -> None:
    environ = {"P_ISSUER": ISSUER, "P_RESOURCE_URL": RESOURCE}
    assert Authority.read("P", {}) is None
    assert Authority.read("P", environ) == Authority(issuer=ISSUER, resource=RESOURCE)
    for variable, value in (("P_RESOURCE_URL", ""), ("P_ISSUER", "auth.example"), ("P_JWKS_URL", "file:///keys")):
        with pytest.raises(SettingsError, match=variable):
            Authority.read("P", {**environ, variable: value})
