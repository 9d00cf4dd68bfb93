"""Security schemes as values: which environment variables hold a credential, and where it goes in a request."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias


@dataclass(frozen=True, slots=True)
class ApiKey:
    """A key that is sent in a header, in the query or in a cookie (OpenAPI ``type: apiKey``), or in path or body."""

    variable: str
    location: Literal["header", "query", "cookie", "path", "body"]
    name: str

    @property
    def variables(self) -> tuple[str, ...]:
        """The environment variables that must be set."""
        return (self.variable,)


@dataclass(frozen=True, slots=True)
class Token:
    """A token that is sent as ``Authorization: <prefix> <token>`` (bearer, OAuth 2.0, OpenID Connect)."""

    variable: str
    prefix: str = "Bearer"

    @property
    def variables(self) -> tuple[str, ...]:
        """The environment variables that must be set."""
        return (self.variable,)


@dataclass(frozen=True, slots=True)
class Basic:
    """A user's name and password (OpenAPI ``type: http, scheme: basic``; RFC 7617)."""

    username: str
    password: str

    @property
    def variables(self) -> tuple[str, ...]:
        """The environment variables that must be set."""
        return (self.username, self.password)


@dataclass(frozen=True, slots=True)
class OAuth:
    """An access token of OAuth 2.0 or OpenID Connect, given by the operator or got from the authorization server.

    ``stem`` begins the names of its environment variables; ``flows`` are those that the document offers
    (``clientCredentials``, ``password``, ``authorizationCode``, ``deviceAuthorization``, ``implicit``), ``discovery``
    is the URL of OpenID Connect's metadata, and ``scopes`` are what the operations ask for.
    """

    stem: str
    flows: tuple[str, ...] = ()
    token_url: str = ""
    authorization_url: str = ""
    device_url: str = ""
    discovery: str = ""
    scopes: tuple[str, ...] = ()

    def variable(self, name: str) -> str:
        """The environment variable for one thing, such as ``TOKEN`` or ``CLIENT_ID``."""
        return f"{self.stem}_{name}"

    @property
    def variables(self) -> tuple[str, ...]:
        """The environment variables of which some must be set."""
        secret = ("TOKEN", "CLIENT_ID", "CLIENT_SECRET", "USERNAME", "PASSWORD", "REFRESH_TOKEN")
        return tuple(map(self.variable, (*secret, "SCOPES", "AUDIENCE", "TOKEN_URL")))


@dataclass(frozen=True, slots=True)
class MutualTls:
    """A certificate that is shown when the connection is made, below any request (OpenAPI ``type: mutualTLS``)."""

    variable: str

    @property
    def variables(self) -> tuple[str, ...]:
        """The environment variables that must be set."""
        return (self.variable,)


Scheme: TypeAlias = ApiKey | Token | Basic | OAuth | MutualTls
