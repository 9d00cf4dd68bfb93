"""Exchange: a caller's token for the API, got for the one that the caller has for this server (RFC 8693).

The caller's own token goes to the authorization server and nowhere else.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from .caller import Caller
from .credentials import Credentials
from .errors import SettingsError
from .oauth import Tokens
from .security import OAuth

_MOST: Final = 1_000  # callers whose tokens are kept
_GRANT: Final = "urn:ietf:params:oauth:grant-type:token-exchange"
_KIND: Final = "urn:ietf:params:oauth:token-type:access_token"


@dataclass(frozen=True, slots=True)
class Exchange:
    """The schemes whose tokens are exchanged for, and those that callers have by now."""

    schemes: Mapping[str, OAuth] = field(default_factory=dict[str, OAuth])
    _known: dict[tuple[str, str], Tokens] = field(default_factory=dict[tuple[str, str], Tokens], repr=False)

    @classmethod
    def read(cls, prefix: str, environ: Mapping[str, str], credentials: Credentials, *, verifies: bool) -> Exchange:
        """The schemes that ``PREFIX_TOKEN_EXCHANGE`` names as their variables do, ``LOGIN`` for ``PREFIX_LOGIN_TOKEN``.

        Raises ``SettingsError`` for one that cannot be meant.
        """
        variable = f"{prefix}_TOKEN_EXCHANGE"
        named = (environ.get(variable) or "").replace(",", " ").split()
        known = {
            scheme.stem.removeprefix(f"{prefix}_"): (id_, scheme)
            for id_, scheme in credentials.schemes.items()
            if isinstance(scheme, OAuth)
        }
        found: dict[str, OAuth] = {}
        for name in named:
            if name not in known:
                told = ", ".join(sorted(known)) or "the API's schemes, as it has no OAuth"
                raise SettingsError(f"{variable} names {name[:100]!r}, which is none of {told}")
            id_, scheme = known[name]
            if not (scheme.token_url or scheme.discovery or credentials.values.get(scheme.variable("TOKEN_URL"))):
                raise SettingsError(f"{variable}: {scheme.variable('TOKEN_URL')} has to say where tokens are exchanged")
            found[id_] = scheme
        if found and not verifies:
            raise SettingsError(f"{variable} needs {prefix}_ISSUER: only tokens that were verified are exchanged")
        return cls(found)

    def credentials(self, own: Credentials, caller: Caller) -> Credentials:
        """The credentials of a call: for the schemes that are exchanged, the caller's, if there is a caller."""
        if not self.schemes or not caller.token:
            return own
        theirs = {variable for scheme in self.schemes.values() for variable in _of_server(scheme)}
        values = {variable: value for variable, value in own.values.items() if variable not in theirs}
        tokens = {id_: self._tokens(id_, caller.token, values) for id_ in self.schemes}
        return replace(own, values=values, tokens={**own.tokens, **tokens})

    def _tokens(self, id_: str, subject: str, values: Mapping[str, str]) -> Tokens:
        key = (id_, hashlib.sha256(subject.encode()).hexdigest())
        known = self._known.get(key)
        if known is None:
            if len(self._known) >= _MOST:
                self._known.pop(next(iter(self._known)))
            known = self._known[key] = _Exchanged(self.schemes[id_], values, subject)
        return known


class _Exchanged(Tokens):
    """The access token of one caller."""

    def __init__(self, scheme: OAuth, values: Mapping[str, str], subject: str) -> None:
        super().__init__(scheme, values)
        self._subject = subject

    def secrets(self) -> Iterator[str]:
        """What must never be shown: the caller's token, too."""
        yield from super().secrets()
        yield self._subject

    def _grants(self) -> Iterator[dict[str, str]]:
        asked = {"scope": self._scopes(), "audience": self._value("AUDIENCE") or ""}
        yield {
            "grant_type": _GRANT,
            "subject_token": self._subject,
            "subject_token_type": _KIND,
            "requested_token_type": _KIND,
            **{name: value for name, value in asked.items() if value},
        }


def _of_server(scheme: OAuth) -> tuple[str, ...]:
    """The variables of what is the server's own, and must not stand in for a caller."""
    return tuple(map(scheme.variable, ("TOKEN", "REFRESH_TOKEN", "USERNAME", "PASSWORD")))
