"""OAuth 2.0 access tokens: got with what the operator gave, kept, and renewed before they end.

RFC 6749 (grants), RFC 8414 and OpenID Connect Discovery (where the authorization server is).
"""

from __future__ import annotations

import base64
import json
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeAlias, cast
from urllib.parse import quote_plus, urlencode, urlsplit

from .errors import CallError
from .legible import clean
from .request import Request
from .response import Response
from .security import OAuth

if TYPE_CHECKING:
    import anyio

Send: TypeAlias = Callable[[Request], Awaitable[Response]]

_EARLY: Final = 60.0  # seconds before its end at which a token is renewed, or a tenth of its life
_LOOPBACK: Final = ("127.0.0.1", "::1", "localhost")
_MAX_SAID: Final = 300


@dataclass(frozen=True, slots=True)
class Grant:
    """What the authorization server granted; ``until`` is by the monotonic clock, None without an end."""

    token: str = field(repr=False)
    until: float | None = None
    refresh_token: str = field(default="", repr=False)
    scope: str = ""

    @classmethod
    def read(cls, answer: Mapping[str, Any]) -> Grant | None:
        """The grant in the answer of a token endpoint (RFC 6749 section 5.1); None when it holds no token."""
        token, life = answer.get("access_token"), answer.get("expires_in")
        if not isinstance(token, str) or not token or not token.isascii() or not token.isprintable():
            return None
        try:
            seconds = None if life is None else float(life)
        except (TypeError, ValueError):
            seconds = None
        until = None if seconds is None else time.monotonic() + seconds - min(_EARLY, seconds / 10)
        return cls(token, until, str(answer.get("refresh_token") or ""), str(answer.get("scope") or ""))


class Kept(Protocol):
    """Where the tokens of a login are kept between runs."""

    def refresh_token(self) -> str:
        """The refresh token that is kept; empty when there is none."""
        ...

    def renew(self, refresh_token: str) -> None:
        """Keep the refresh token that has taken the place of the last one."""
        ...


class Nothing:
    """Keeps nothing."""

    def refresh_token(self) -> str:
        """Nothing."""
        return ""

    def renew(self, refresh_token: str) -> None:
        """Keep it in memory only."""


class RefusedError(CallError):
    """The authorization server refused; ``code`` is its error code (RFC 6749 section 5.2)."""

    def __init__(self, message: str, code: str = "") -> None:
        super().__init__(message)
        self.code = code


class Tokens:
    """The access token of one scheme, for everybody who calls with the server's own credentials.

    However many calls find that it has ended, it is renewed once.
    """

    def __init__(self, scheme: OAuth, values: Mapping[str, str], kept: Kept | None = None) -> None:
        self._scheme = scheme
        self._values = values
        self._kept = kept or Nothing()
        self._grant: Grant | None = None
        self._rotated = ""
        self._lock: anyio.Lock | None = None

    @property
    def complete(self) -> bool:
        """Whether there is a token, or something to get one with."""
        return bool(self._value("TOKEN")) or any(True for _ in self._grants())

    @property
    def wanted(self) -> str:
        """The environment variables that would do, in words."""
        scheme, ways = self._scheme, [self._scheme.variable("TOKEN")]
        if "clientCredentials" in scheme.flows or scheme.discovery:
            ways.append(f"{scheme.variable('CLIENT_ID')} with {scheme.variable('CLIENT_SECRET')}")
        if "password" in scheme.flows:
            ways.append(f"{scheme.variable('USERNAME')} with {scheme.variable('PASSWORD')}")
        if scheme.token_url or scheme.discovery:
            ways.append(f"{scheme.variable('REFRESH_TOKEN')} with {scheme.variable('CLIENT_ID')}")
        told = " or ".join(ways)
        return f"({told})" if len(ways) > 1 else told

    def secrets(self) -> Iterator[str]:
        """What must never be shown: the tokens that were got."""
        if self._grant is not None:
            yield from (self._grant.token, self._grant.refresh_token)
        yield self._rotated

    async def token(self, send: Send) -> str:
        """A token that has not ended; raises ``CallError`` when the authorization server gives none."""
        if given := self._value("TOKEN"):
            return given
        if self._lock is None:
            import anyio  # not needed by whoever only lists the tools

            self._lock = anyio.Lock()
        async with self._lock:
            grant = self._grant
            if grant is None or (grant.until is not None and time.monotonic() >= grant.until):
                grant = self._grant = await self._renewed(send)
        return grant.token

    def refused(self, token: str) -> bool:
        """Forget a token that the API refused; whether another may be got."""
        if self._value("TOKEN"):
            return False
        if self._grant is not None and self._grant.token == token:
            self._grant = None
        return True

    async def _renewed(self, send: Send) -> Grant:
        url = await self._token_url(send)
        refusal: RefusedError | None = None
        for form in self._grants():
            try:
                grant = await self._granted(send, url, form)
            except RefusedError as refused:
                if refused.code not in ("invalid_grant", "unauthorized_client", "unsupported_grant_type"):
                    raise
                refusal = refused  # what another grant may mend
                continue
            if grant.refresh_token:
                self._rotated = grant.refresh_token
                if self._kept.refresh_token():  # what a login began goes on from here at the next start
                    self._kept.renew(grant.refresh_token)
            return grant
        raise refusal or CallError(f"There is nothing to get a token with; the operator has to set {self.wanted}.")

    def _grants(self) -> Iterator[dict[str, str]]:
        """The grants that can be tried, the surest first."""
        scheme = self._scheme
        client, secret = self._value("CLIENT_ID"), self._value("CLIENT_SECRET")
        scope = {"scope": scopes} if (scopes := self._scopes()) else {}
        refresh_token = self._rotated or self._value("REFRESH_TOKEN") or (client and self._kept.refresh_token())
        if refresh_token:
            yield {"grant_type": "refresh_token", "refresh_token": refresh_token}
        username, password = self._value("USERNAME"), self._value("PASSWORD")
        if "password" in scheme.flows and username and password is not None:
            yield {"grant_type": "password", "username": username, "password": password, **scope}
        if ("clientCredentials" in scheme.flows or scheme.discovery) and client and secret:
            yield {"grant_type": "client_credentials", **scope}

    async def _granted(self, send: Send, url: str, form: Mapping[str, str]) -> Grant:
        """What the token endpoint grants; a client's secret goes into the header, or else into the body."""
        client, secret = self._value("CLIENT_ID") or "", self._value("CLIENT_SECRET")
        if secret is None:
            return await granted(send, url, {**form, **({"client_id": client} if client else {})})
        try:
            return await granted(send, url, form, basic(client, secret))
        except RefusedError as refused:
            if refused.code not in ("invalid_client", "invalid_request"):
                raise
            return await granted(send, url, {**form, "client_id": client, "client_secret": secret})

    async def _token_url(self, send: Send) -> str:
        scheme = self._scheme
        if url := self._value("TOKEN_URL"):
            return url  # the operator's word, whatever it is
        url = scheme.token_url or str((await discovered(send, scheme.discovery)).get("token_endpoint") or "")
        return checked(url, scheme.variable("TOKEN_URL"))

    def _scopes(self) -> str:
        own = self._value("SCOPES")
        return " ".join(self._scheme.scopes) if own is None else own

    def _value(self, name: str) -> str | None:
        return self._values.get(self._scheme.variable(name))


async def granted(send: Send, url: str, form: Mapping[str, str], *headers: tuple[str, str]) -> Grant:
    """What a token endpoint grants; raises ``CallError``, without anything secret."""
    answer = await asked(send, url, form, *headers)
    grant = Grant.read(answer)
    if grant is None:
        raise CallError(f"The authorization server at {_host(url)} answered without an access token.")
    return grant


async def asked(send: Send, url: str, form: Mapping[str, str], *headers: tuple[str, str]) -> dict[str, Any]:
    """The JSON object that an endpoint of an authorization server answers a form with."""
    fixed = (("Content-Type", "application/x-www-form-urlencoded"), ("Accept", "application/json"))
    response = await send(Request("POST", url, (*fixed, *headers), urlencode(dict(form)).encode()))
    answer = _object(response)
    if response.status != 200 or "error" in answer:
        said = [str(answer[name]) for name in ("error", "error_description") if answer.get(name)]
        told = f" ({clean(': '.join(said), _MAX_SAID)})" if said else ""
        raise RefusedError(
            f"The authorization server at {_host(url)} answered {response.status}{told}, so the call was not made. "
            f"The operator of this server has to check its credentials.",
            str(answer.get("error") or ("invalid_client" if response.status == 401 else "")),
        )
    return answer


async def discovered(send: Send, url: str) -> dict[str, Any]:
    """The metadata of an OpenID Connect provider; raises ``CallError`` when it is none."""
    if not url:
        raise CallError("The description of this API does not say where tokens are got.")
    checked(url, "the document's openIdConnectUrl")
    response = await send(Request("GET", url, (("Accept", "application/json"),), None))
    metadata = _object(response)
    issuer = str(metadata.get("issuer") or "")
    # OpenID Connect Discovery 1.0 section 4.3: the issuer is what the URL was made from.
    if response.status != 200 or not issuer or not url.startswith(issuer.rstrip("/") + "/"):
        raise CallError(f"{_host(url)} has no usable OpenID Connect metadata ({response.status}).")
    return metadata


def checked(url: str, variable: str) -> str:
    """The URL of an authorization server: https, or on this machine; raises ``CallError``."""
    parts = urlsplit(url)
    if parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in _LOOPBACK):
        return url
    raise CallError(
        f"Credentials go to an authorization server by https only, not to {url[:100] or 'nowhere'!r}. "
        f"The operator of this server can set {variable}."
    )


def basic(client: str, secret: str) -> tuple[str, str]:
    """The header by which a client proves who it is; both parts are form-encoded first (RFC 6749 section 2.3.1)."""
    pair = f"{quote_plus(client)}:{quote_plus(secret)}"
    return "Authorization", f"Basic {base64.b64encode(pair.encode()).decode()}"


def _object(response: Response) -> dict[str, Any]:
    try:
        value: object = json.loads(response.body)
    except ValueError:
        return {}
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def _host(url: str) -> str:
    return urlsplit(url).netloc.rpartition("@")[2]
