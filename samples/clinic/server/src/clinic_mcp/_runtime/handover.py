"""Handover: credentials that callers over HTTP bring along in headers, for the API, each for their own calls."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Final

from .errors import SettingsError

_TOKEN: Final = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")  # RFC 9110 section 5.6.2
_VALUE: Final = re.compile(r"[\t\x20-\x7e]{1,8192}")
# What belongs to the transport is never a credential for the API.
_OF_TRANSPORT: Final = re.compile(
    r"(?i)host|cookie|connection|content-.*|transfer-.*|accept.*|mcp-.*|origin|te|trailer|upgrade|forwarded|"
    r"x-forwarded-.*|proxy-.*|traceparent|tracestate|user-agent|via"
)


@dataclass(frozen=True, slots=True)
class Handover:
    """The headers that callers may use, in lower case, and the environment variable that each takes the place of."""

    prefix: str = ""
    headers: Mapping[str, str] = field(default_factory=dict[str, str])

    @classmethod
    def read(cls, prefix: str, environ: Mapping[str, str], variables: Collection[str], *, verifies: bool) -> Handover:
        """The pairs in ``PREFIX_CALLER_CREDENTIALS``, such as ``X-Pet-Key=PETSTORE_API_KEY``; raises ``SettingsError``.

        ``variables`` are those of the API's credentials. ``Authorization`` can be one of the headers only where the
        server does not verify tokens itself: a token that was made for this server goes nowhere else.
        """
        variable = f"{prefix}_CALLER_CREDENTIALS"
        headers: dict[str, str] = {}
        for pair in (environ.get(variable) or "").replace(",", " ").split():
            name, _, target = pair.partition("=")
            if not _TOKEN.fullmatch(name) or _OF_TRANSPORT.fullmatch(name):
                raise SettingsError(f"{variable}: {name[:100]!r} is no header that can hold a credential")
            if target not in variables:
                raise SettingsError(f"{variable}: {target[:100]!r} is none of {', '.join(sorted(variables)) or 'none'}")
            if name.lower() == "authorization" and verifies:
                raise SettingsError(
                    f"{variable} must not name Authorization while {prefix}_ISSUER is set: the callers' tokens are "
                    f"for this server, and are not passed on"
                )
            headers[name.lower()] = target
        return cls(prefix, headers)

    def taken(self, given: Mapping[str, str]) -> dict[str, str]:
        """The credentials in the headers of a request, by variable; a bearer token loses its scheme's name."""
        found: dict[str, str] = {}
        for name, variable in self.headers.items():
            value = given.get(name, "").strip()
            if name == "authorization":
                value = re.sub(r"(?i)\Abearer +", "", value)
            if _VALUE.fullmatch(value):
                found[variable] = value
        return found

    def without(self, values: Mapping[str, str]) -> dict[str, str]:
        """The server's own credentials, without those that have to come from callers."""
        theirs = set(self.headers.values())
        return {variable: value for variable, value in values.items() if variable not in theirs}


def fingerprint(credentials: Mapping[str, str]) -> str:
    """What tells callers with different credentials apart, and shows none."""
    content = "\0".join(f"{name}={credentials[name]}" for name in sorted(credentials))
    return hashlib.sha256(content.encode()).hexdigest()[:16] if credentials else ""
