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


Scheme: TypeAlias = ApiKey | Token | Basic
