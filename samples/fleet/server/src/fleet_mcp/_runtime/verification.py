"""Verification of callers' access tokens: JWTs for this server, signed by the authorization server (RFC 9068, 8707)."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, cast
from urllib.parse import urlsplit

import anyio
import jwt
from mcp.server.auth.provider import AccessToken

from .errors import CallError, SettingsError
from .log import LOGGER
from .request import Request

if TYPE_CHECKING:
    from .oauth import Send

# Asymmetric ones only: a shared secret would let whoever verifies tokens make them.
_ALGORITHMS: Final = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA")
_FRESH: Final = 300.0  # seconds that keys are used without asking again
_PAUSE: Final = 10.0  # seconds between two questions for a key that is not there
_LEEWAY: Final = 30  # seconds that clocks may differ
_LONGEST: Final = 16 * 1024  # characters of a token


@dataclass(frozen=True, slots=True, kw_only=True)
class Authority:
    """Who issues the tokens of callers, and for which resource."""

    issuer: str
    resource: str
    keys_url: str = ""

    @classmethod
    def read(cls, prefix: str, environ: Mapping[str, str]) -> Authority | None:
        """The authority that the environment names, None when it names none; raises ``SettingsError``."""
        issuer = (environ.get(f"{prefix}_ISSUER") or "").strip()
        resource = (environ.get(f"{prefix}_RESOURCE_URL") or "").strip()
        if not issuer:
            return None
        if not resource:
            raise SettingsError(
                f"{prefix}_RESOURCE_URL must be the URL of this server, such as https://mcp.example/mcp: callers' "
                f"tokens have to be made for it"
            )
        for variable in ("ISSUER", "RESOURCE_URL", "JWKS_URL"):
            _check_url(f"{prefix}_{variable}", environ)
        return cls(
            issuer=issuer,
            resource=resource,
            keys_url=(environ.get(f"{prefix}_JWKS_URL") or "").strip(),
        )


class Verifier:
    """Verifies tokens with the authority's keys, which are fetched when they are needed and kept for a while."""

    def __init__(self, authority: Authority, send: Send) -> None:
        self._authority = authority
        self._send = send
        self._keys: dict[str, jwt.PyJWK] = {}
        self._until = 0.0
        self._next = 0.0
        self._lock = anyio.Lock()

    async def verify_token(self, token: str) -> AccessToken | None:
        """What a token grants; None when it is not one of this authority's for this resource, or has ended."""
        if len(token) > _LONGEST:
            return None
        try:
            header = jwt.get_unverified_header(token)
            key = await self._key(str(header.get("kid") or ""))
            if key is None or header.get("alg") not in _ALGORITHMS:
                return None
            claims = jwt.decode(
                token,
                key.key,
                algorithms=[str(header["alg"])],
                audience=self._authority.resource,
                issuer=self._authority.issuer,
                leeway=_LEEWAY,
                options={"require": ["exp", "iss", "aud"]},
            )
        except (jwt.PyJWTError, TypeError, ValueError) as error:  # a key of another kind than the algorithm's
            LOGGER.info("a caller's token was refused: %s", type(error).__name__)
            return None
        except CallError as error:
            LOGGER.warning("callers' tokens cannot be verified: %s", error)
            return None
        return AccessToken(
            token=token,
            client_id=str(claims.get("client_id") or claims.get("azp") or ""),
            scopes=_scopes(claims),
            expires_at=int(claims["exp"]) + _LEEWAY,
            resource=self._authority.resource,
            subject=str(claims.get("sub") or "") or None,
            claims={"iss": claims["iss"]},
        )

    async def _key(self, name: str) -> jwt.PyJWK | None:
        """The key of that id; without an id, the only one there is."""
        async with self._lock:
            now = time.monotonic()
            known = name in self._keys or (not name and self._keys)
            # A key that is not there may be new; whoever makes names up shall not make this server ask for each.
            if now >= self._until or (not known and now >= self._next):
                self._next = now + _PAUSE
                try:
                    self._keys = await self._fetched()
                    self._until = now + _FRESH
                except CallError:
                    if not self._keys:
                        raise
                    self._until = now + _PAUSE  # the keys that are there go on to count
        if name:
            return self._keys.get(name)
        return next(iter(self._keys.values())) if len(self._keys) == 1 else None

    async def _fetched(self) -> dict[str, jwt.PyJWK]:
        url = self._authority.keys_url or await self._discovered()
        keys: dict[str, jwt.PyJWK] = {}
        listed = (await self._object(url)).get("keys")
        for entry in cast("list[Any]", listed) if isinstance(listed, list) else []:
            try:
                key = jwt.PyJWK(entry)
            except (jwt.PyJWTError, TypeError, AttributeError):
                continue  # of a kind that is not for us
            if key.key_type in ("RSA", "EC", "OKP") and entry.get("use", "sig") == "sig":
                keys[key.key_id or ""] = key
        if not keys:
            raise CallError(f"{urlsplit(url).netloc} offers no key that can be used")
        return keys

    async def _discovered(self) -> str:
        """Where the keys are, by the metadata of the authority (RFC 8414 section 3, OpenID Connect Discovery)."""
        issuer = self._authority.issuer
        parts = urlsplit(issuer)
        path = parts.path.rstrip("/")
        origin = f"{parts.scheme}://{parts.netloc}"
        for url in (
            f"{origin}/.well-known/oauth-authorization-server{path}",
            f"{origin}{path}/.well-known/openid-configuration",
        ):
            try:
                metadata = await self._object(url)
            except CallError:
                continue
            if metadata.get("issuer") == issuer and isinstance(metadata.get("jwks_uri"), str):
                return metadata["jwks_uri"]
        raise CallError(f"{parts.netloc} has no metadata of the issuer {issuer}")

    async def _object(self, url: str) -> dict[str, Any]:
        response = await self._send(Request("GET", url, (("Accept", "application/json"),), None))
        try:
            value: object = json.loads(response.body) if response.status == 200 else None
        except ValueError:
            value = None
        if not isinstance(value, dict):
            raise CallError(f"{urlsplit(url).netloc} answered {response.status} without a JSON object")
        return cast("dict[str, Any]", value)


def _scopes(claims: Mapping[str, Any]) -> list[str]:
    """The scopes of a token (RFC 9068 section 2.2.3), or what some issuers call them."""
    said = claims.get("scope", claims.get("scp", ""))
    return [str(one) for one in cast("list[Any]", said)] if isinstance(said, list) else str(said).split()


def _check_url(variable: str, environ: Mapping[str, str]) -> None:
    value = (environ.get(variable) or "").strip()
    if not value:
        return
    try:
        parts = urlsplit(value)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and not parts.fragment
    except ValueError:
        usable = False
    if not usable:
        raise SettingsError(f"{variable} must be an absolute http or https URL")
