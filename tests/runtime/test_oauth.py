"""OAuth: each flow against an authorization server and an API on loopback."""

from __future__ import annotations

import base64
import hashlib
import json
import stat
import threading
import time
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.parse import parse_qs, unquote_plus, urlencode, urlsplit
from urllib.request import urlopen

import anyio
import pytest
from runtime.credentials import Credentials, Proof
from runtime.errors import CallError
from runtime.login import login
from runtime.oauth import Grant
from runtime.operation import Operation
from runtime.request import Request
from runtime.security import OAuth
from runtime.settings import Settings
from runtime.upstream import Upstream
from runtime.vault import FileVault

from runtime import login as login_module
from runtime import oauth

from .conftest import api_at

CLIENT, SECRET, PASSWORD = "robot", "client-secret-8c1f:/+", "pass-word-55e2"
OPERATION: Operation[Any, Any] = Operation(name="get", method="GET", path="/", security=(("login",),))


@dataclass
class Authority:
    """An authorization server with an API behind it: tokens, and what it was asked for."""

    url: str = ""
    life: float | None = 3600
    rotate: bool = False
    post_only: bool = False
    pending: int = 0
    delay: float = 0.0
    issuer: str | None = None
    asked: list[dict[str, str]] = field(default_factory=list[dict[str, str]])
    called: list[str] = field(default_factory=list[str])
    valid: set[str] = field(default_factory=set[str])
    refresh_tokens: set[str] = field(default_factory=lambda: {"refresh-0"})
    challenge: str = ""
    number: int = 0

    def scheme(self, *flows: str, **changes: Any) -> OAuth:
        values: dict[str, Any] = {"token_url": f"{self.url}/token", "scopes": ("read", "write")}
        return OAuth("P_LOGIN", flows, **{**values, **changes})

    def token(self, form: dict[str, str], authorization: str) -> tuple[int, dict[str, Any]]:
        self.asked.append(form)
        time.sleep(self.delay)
        if not self._client(form, authorization):
            return 401, {"error": "invalid_client", "error_description": "unknown client"}
        match form["grant_type"]:
            case "client_credentials":
                pass
            case "password" if (form["username"], form["password"]) == ("ann", PASSWORD):
                pass
            case "refresh_token" if form["refresh_token"] in self.refresh_tokens:
                if self.rotate:
                    self.refresh_tokens = {f"refresh-{self.number + 1}"}
            case "authorization_code" if form["code"] == "code-1" and self._verifies(form):
                pass
            case "urn:ietf:params:oauth:grant-type:device_code" if form["device_code"] == "device-1":
                if self.pending:
                    self.pending -= 1
                    return 400, {"error": "authorization_pending"}
            case _:
                return 400, {"error": "invalid_grant"}
        self.number += 1
        token = f"access-token-{self.number}"
        self.valid.add(token)
        answer: dict[str, Any] = {"access_token": token, "token_type": "Bearer"}
        answer |= {"expires_in": self.life} if self.life is not None else {}
        offline = form["grant_type"] in ("authorization_code", "urn:ietf:params:oauth:grant-type:device_code")
        answer |= {"refresh_token": f"refresh-{self.number}"} if self.rotate or offline else {}
        return 200, answer

    def _client(self, form: dict[str, str], authorization: str) -> bool:
        if authorization.startswith("Basic ") and not self.post_only:
            name, _, secret = base64.b64decode(authorization[6:]).decode().partition(":")
            return (unquote_plus(name), unquote_plus(secret)) == (CLIENT, SECRET)
        return form.get("client_id") == CLIENT and form.get("client_secret", SECRET) == SECRET

    def _verifies(self, form: dict[str, str]) -> bool:
        digest = hashlib.sha256(form["code_verifier"].encode()).digest()
        return base64.urlsafe_b64encode(digest).decode().rstrip("=") == self.challenge


@pytest.fixture
def authority() -> Generator[Authority]:
    """The server, on loopback."""
    state = Authority()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length", 0))).decode()
            form = {name: values[0] for name, values in parse_qs(body, keep_blank_values=True).items()}
            if self.path == "/device":
                state.asked.append(form)
                codes = {"device_code": "device-1", "user_code": "WXYZ-1234", "verification_uri": "https://a.example/d"}
                self.answer(200, {**codes, "interval": 0.01, "expires_in": 60})
            else:
                self.answer(*state.token(form, self.headers.get("authorization", "")))

        def do_GET(self) -> None:
            if self.path == "/.well-known/openid-configuration":
                ends = {"token_endpoint": f"{state.url}/token", "authorization_endpoint": f"{state.url}/authorize"}
                self.answer(200, {"issuer": state.url if state.issuer is None else state.issuer, **ends})
                return
            token = self.headers.get("authorization", "").removeprefix("Bearer ")
            state.called.append(token)
            self.answer(*((200, {"ok": True}) if token in state.valid else (401, {"message": "token expired"})))

        def answer(self, status: int, value: Any) -> None:
            content = json.dumps(value).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    state.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield state
    server.shutdown()
    server.server_close()
    thread.join()


class Caller:
    """Calls the API with credentials, as the server does."""

    def __init__(self, authority: Authority, scheme: OAuth, *, vault: Any = None, **values: str) -> None:
        environ = {f"P_LOGIN_{name}": value for name, value in values.items()}
        self.credentials = Credentials.read({"login": scheme}, environ, vault)
        self.url = authority.url
        self.upstream = Upstream(Settings.read(api_at(authority.url), {}), "test/1")

    async def call(self) -> int:
        proof = await self.credentials.settled(self.credentials.proof(OPERATION), self.upstream.plain)
        response = await self.upstream.send(Request("GET", f"{self.url}/x", (), None), proof)
        if response.status == 401 and self.credentials.refused(proof):
            proof = await self.credentials.settled(self.credentials.proof(OPERATION), self.upstream.plain)
            response = await self.upstream.send(Request("GET", f"{self.url}/x", (), None), proof)
        return response.status

    def calls(self, count: int = 1, before: Callable[[int], None] | None = None) -> list[int]:
        """The statuses of calls, one after the other."""

        async def go() -> list[int]:
            statuses: list[int] = []
            try:
                for number in range(count):
                    if before is not None:
                        before(number)
                    statuses.append(await self.call())
            finally:
                await self.upstream.aclose()
            return statuses

        return anyio.run(go)

    def calls_at_once(self, count: int, before: Callable[[], None]) -> list[int]:
        """The statuses of calls that begin together, some time after a first one."""
        statuses: list[int] = []

        async def one() -> None:
            statuses.append(await self.call())

        async def go() -> None:
            await self.call()
            before()
            async with anyio.create_task_group() as group:
                for _ in range(count):
                    group.start_soon(one)
            await self.upstream.aclose()

        anyio.run(go)
        return statuses


def test_client_credentials(authority: Authority) -> None:
    caller = Caller(authority, authority.scheme("clientCredentials"), CLIENT_ID=CLIENT, CLIENT_SECRET=SECRET)
    assert caller.calls(3) == [200] * 3
    assert authority.asked == [{"grant_type": "client_credentials", "scope": "read write"}]
    assert authority.called == ["access-token-1"] * 3


def test_the_operator_names_other_scopes_and_another_server(authority: Authority) -> None:
    scheme = authority.scheme("clientCredentials", token_url="https://elsewhere.invalid/token")
    values = {"CLIENT_ID": CLIENT, "CLIENT_SECRET": SECRET}
    assert Caller(authority, scheme, SCOPES="read", TOKEN_URL=f"{authority.url}/token", **values).calls() == [200]
    assert authority.asked[0]["scope"] == "read"


def test_a_server_that_wants_the_secret_in_the_body(authority: Authority) -> None:
    authority.post_only = True
    caller = Caller(authority, authority.scheme("clientCredentials"), CLIENT_ID=CLIENT, CLIENT_SECRET=SECRET)
    assert caller.calls() == [200]


def test_password(authority: Authority) -> None:
    caller = Caller(
        authority,
        authority.scheme("password"),
        USERNAME="ann",
        PASSWORD=PASSWORD,
        CLIENT_ID=CLIENT,
        CLIENT_SECRET=SECRET,
    )
    assert caller.calls() == [200]


def test_a_refresh_token_that_changes_with_each_use(authority: Authority) -> None:
    authority.rotate, authority.life = True, 0
    caller = Caller(authority, authority.scheme("authorizationCode"), REFRESH_TOKEN="refresh-0", CLIENT_ID=CLIENT)
    assert caller.calls(3) == [200] * 3
    assert [form["refresh_token"] for form in authority.asked] == ["refresh-0", "refresh-1", "refresh-2"]


def test_a_dead_refresh_token_gives_way_to_another_grant(authority: Authority) -> None:
    scheme = authority.scheme("clientCredentials", "authorizationCode")
    caller = Caller(authority, scheme, REFRESH_TOKEN="dead", CLIENT_ID=CLIENT, CLIENT_SECRET=SECRET)
    assert caller.calls() == [200]
    assert [form["grant_type"] for form in authority.asked] == ["refresh_token", "client_credentials"]


def test_a_token_that_the_operator_gives_is_just_sent(authority: Authority) -> None:
    authority.valid.add("given")
    assert Caller(authority, authority.scheme("clientCredentials"), TOKEN="given").calls(2) == [200, 200]
    authority.valid.clear()
    assert Caller(authority, authority.scheme("clientCredentials"), TOKEN="given").calls() == [401]
    assert authority.asked == []


def test_discovery(authority: Authority) -> None:
    scheme = OAuth("P_LOGIN", discovery=f"{authority.url}/.well-known/openid-configuration")
    assert Caller(authority, scheme, CLIENT_ID=CLIENT, CLIENT_SECRET=SECRET).calls() == [200]
    authority.issuer = "https://somebody.else"
    with pytest.raises(CallError, match="no usable OpenID Connect metadata"):
        Caller(authority, scheme, CLIENT_ID=CLIENT, CLIENT_SECRET=SECRET).calls()


def test_a_token_is_renewed_before_it_ends(authority: Authority, monkeypatch: pytest.MonkeyPatch) -> None:
    caller = Caller(authority, authority.scheme("clientCredentials"), CLIENT_ID=CLIENT, CLIENT_SECRET=SECRET)
    begin = time.monotonic()

    def later(number: int) -> None:
        monkeypatch.setattr(oauth.time, "monotonic", lambda: begin + number * 3_541)

    assert caller.calls(2, before=later) == [200, 200]
    assert authority.called == ["access-token-1", "access-token-2"]


def test_a_token_that_the_api_refuses_is_renewed_once(authority: Authority) -> None:
    caller = Caller(authority, authority.scheme("clientCredentials"), CLIENT_ID=CLIENT, CLIENT_SECRET=SECRET)

    def revoke(number: int) -> None:
        if number == 1:
            authority.valid.clear()

    assert caller.calls(3, before=revoke) == [200] * 3
    assert authority.called == ["access-token-1", "access-token-1", "access-token-2", "access-token-2"]


def test_fifty_calls_at_the_end_of_a_token_renew_it_once(authority: Authority) -> None:
    authority.delay, authority.life = 0.05, 0.01

    def end() -> None:
        authority.life = 3600
        time.sleep(0.02)

    caller = Caller(authority, authority.scheme("clientCredentials"), CLIENT_ID=CLIENT, CLIENT_SECRET=SECRET)
    assert caller.calls_at_once(50, end) == [200] * 50
    assert len(authority.asked) == 2


def test_fifty_calls_with_a_revoked_token_renew_it_once(authority: Authority) -> None:
    authority.delay = 0.05
    caller = Caller(authority, authority.scheme("clientCredentials"), CLIENT_ID=CLIENT, CLIENT_SECRET=SECRET)
    assert caller.calls_at_once(50, authority.valid.clear) == [200] * 50
    assert len(authority.asked) == 2


def test_what_the_authorization_server_refuses_is_told_without_secrets(authority: Authority) -> None:
    caller = Caller(authority, authority.scheme("clientCredentials"), CLIENT_ID="other", CLIENT_SECRET="wrong-secret-1")
    with pytest.raises(CallError, match=r"answered 401 \(invalid_client: unknown client\)") as caught:
        caller.calls()
    assert "wrong-secret-1" not in str(caught.value)


@pytest.mark.parametrize("url", ["http://auth.example/token", "ftp://auth.example/token", "/token"])
def test_credentials_go_out_by_https_only(authority: Authority, url: str) -> None:
    scheme = authority.scheme("clientCredentials", token_url=url)
    with pytest.raises(CallError, match="https only"):
        Caller(authority, scheme, CLIENT_ID=CLIENT, CLIENT_SECRET=SECRET).calls()


def test_what_is_missing_is_named(authority: Authority) -> None:
    with pytest.raises(CallError, match="P_LOGIN_TOKEN or P_LOGIN_CLIENT_ID with P_LOGIN_CLIENT_SECRET"):
        Caller(authority, authority.scheme("clientCredentials"), CLIENT_ID=CLIENT).calls()
    assert authority.asked == []


def test_nothing_shows_a_token(authority: Authority) -> None:
    caller = Caller(
        authority,
        authority.scheme("clientCredentials", "password"),
        CLIENT_ID=CLIENT,
        CLIENT_SECRET=SECRET,
        PASSWORD=PASSWORD,
    )
    caller.calls()
    said = f"access-token-1 {SECRET} {urlencode({'s': SECRET})} {PASSWORD} {CLIENT}"
    redacted = caller.credentials.redact(said)
    assert all(secret not in redacted for secret in ("access-token-1", SECRET, urlencode({"s": SECRET}), PASSWORD))
    assert CLIENT in redacted, "a client's id is no secret"
    tokens = caller.credentials.tokens["login"]
    assert "access-token-1" not in repr((caller.credentials, tokens, Proof(tokens=(("login", "access-token-1"),))))
    assert "access-token-1" not in repr(Grant("access-token-1", None, "access-token-1"))


# Login


def granted(authority: Authority, scheme: OAuth, visit: Callable[[str], None]) -> Grant:
    """What a person grants who does ``visit`` with what is said."""

    async def go() -> Grant:
        upstream = Upstream(Settings.read(api_at(authority.url), {}), "test/1")
        visits: list[threading.Thread] = []

        def say(text: str) -> None:
            visits.append(threading.Thread(target=visit, args=(text,)))
            visits[-1].start()

        try:
            return await login(scheme, {"P_LOGIN_CLIENT_ID": CLIENT}, upstream.plain, say, browser=False)
        finally:
            await upstream.aclose()
            for thread in visits:
                await anyio.to_thread.run_sync(thread.join)

    return anyio.run(go)


def test_login_by_code_with_pkce(authority: Authority) -> None:
    pages: list[str] = []

    def visit(said: str) -> None:
        query = {name: values[0] for name, values in parse_qs(urlsplit(said.split()[-1]).query).items()}
        assert (query["response_type"], query["code_challenge_method"], query["scope"]) == (
            "code",
            "S256",
            "read write",
        )
        authority.challenge = query["code_challenge"]
        redirect = query["redirect_uri"]
        assert urlsplit(redirect).hostname == "127.0.0.1"
        for params in ({"code": "evil", "state": "forged"}, {"code": "code-1", "state": query["state"]}):
            try:
                with urlopen(f"{redirect}?{urlencode(params)}") as page:
                    pages.append(page.read().decode())
            except HTTPError as error:
                pages.append(error.read().decode())
                error.close()

    scheme = authority.scheme("authorizationCode", authorization_url=f"{authority.url}/authorize")
    grant = granted(authority, scheme, visit)
    assert (grant.token, grant.refresh_token) == ("access-token-1", "refresh-1")
    assert "belongs to no login" in pages[0]
    assert "The server may act for you now" in pages[1]


def test_a_person_who_refuses(authority: Authority) -> None:
    def visit(said: str) -> None:
        query = {name: values[0] for name, values in parse_qs(urlsplit(said.split()[-1]).query).items()}
        params = {"error": "access_denied", "state": query["state"]}
        urlopen(f"{query['redirect_uri']}?{urlencode(params)}").close()

    scheme = authority.scheme("authorizationCode", authorization_url=f"{authority.url}/authorize")
    with pytest.raises(CallError, match="refused: access_denied"):
        granted(authority, scheme, visit)


def test_a_person_who_does_not_come(authority: Authority, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(login_module, "_PATIENCE", 0.1)
    scheme = authority.scheme("authorizationCode", authorization_url=f"{authority.url}/authorize")
    with pytest.raises(CallError, match="Nobody came back"):
        granted(authority, scheme, lambda said: None)


def test_login_by_device(authority: Authority) -> None:
    authority.pending = 2
    said: list[str] = []
    scheme = authority.scheme("deviceAuthorization", device_url=f"{authority.url}/device")
    grant = granted(authority, scheme, said.append)
    assert (grant.token, grant.refresh_token) == ("access-token-1", "refresh-1")
    assert said == ["Open https://a.example/d on any device and enter the code WXYZ-1234"]


def test_a_login_is_kept_for_the_server(authority: Authority, tmp_path: Path) -> None:
    vault = FileVault("petstore", tmp_path)
    vault.put("login", "refresh-0")
    vault.put("other", "of another scheme")
    assert stat.S_IMODE((tmp_path / "tokens.json").stat().st_mode) == 0o600
    authority.rotate = True

    class Kept:
        """What the vault has for the scheme."""

        def refresh_token(self) -> str:
            return vault.get("login")

        def renew(self, refresh_token: str) -> None:
            vault.put("login", refresh_token)

    def kept(scheme: str) -> Kept:
        return Kept()

    caller = Caller(authority, authority.scheme("authorizationCode"), CLIENT_ID=CLIENT, vault=kept)
    assert caller.calls() == [200]
    assert FileVault("petstore", tmp_path).get("login") == "refresh-1"
    vault.put("login", "")
    assert (vault.get("login"), vault.get("other")) == ("", "of another scheme")
