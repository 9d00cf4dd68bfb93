"""Which credentials a call needs, which of them are there, and how they go into the request.

Values enter here from the environment and leave only in ``Proof``; neither shows them in its repr.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from urllib.parse import quote, quote_plus

from .errors import CallError, SettingsError
from .oauth import Kept, Send, Tokens, basic
from .operation import Arguments, Field, Operation
from .operation import Path as PathArgument
from .request import Request
from .security import ApiKey, Basic, MutualTls, OAuth, Scheme, Token

Pairs = tuple[tuple[str, str], ...]

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_HEADER_VALUE = re.compile(r"[\t\x20-\x7e]*")
_COOKIE_VALUE = re.compile(r"[!#-+\--:<-\[\]-~]*")  # cookie-octet, RFC 6265 section 4.1.1
_NO_SECRETS = ("CLIENT_ID", "USERNAME", "SCOPES", "AUDIENCE", "TOKEN_URL")
_WORTH_REDACTING = 4  # shorter values would blank out ordinary words


def read_secret(environ: Mapping[str, str], variable: str) -> str | None:
    """The value of a variable, or the content of the file that ``<variable>_FILE`` names.

    Raises ``SettingsError`` when both are set and when the file cannot be read.
    """
    value, path = environ.get(variable), environ.get(f"{variable}_FILE")
    if path:
        if value:
            raise SettingsError(f"{variable} and {variable}_FILE are both set; keep one of them")
        try:
            value = Path(path).read_text(encoding="utf-8").strip("\r\n")
        except OSError as error:
            raise SettingsError(f"{variable}_FILE: the file cannot be read ({error.strerror})") from None
        except UnicodeDecodeError:
            raise SettingsError(f"{variable}_FILE: the file is not UTF-8 text") from None
    return value


def spelled(secret: str) -> tuple[str, ...]:
    """A secret as texts have it: as it is, in URLs and forms, and in JSON, whose writers may escape a slash."""
    escaped = json.dumps(secret)[1:-1]
    return secret, quote(secret, safe=""), quote_plus(secret), escaped, escaped.replace("/", "\\/")


@dataclass(frozen=True, slots=True)
class Proof:
    """What proves to the API who calls: headers, query parameters and cookies of one request.

    ``pending`` are the schemes whose tokens have yet to be got; ``tokens`` those that were, by scheme. ``parts`` are
    what stands in its path or body instead: the place, the name there, and the value.
    """

    headers: Pairs = field(default=(), repr=False)
    query: Pairs = field(default=(), repr=False)
    cookies: Pairs = field(default=(), repr=False)
    pending: tuple[str, ...] = ()
    tokens: Pairs = field(default=(), repr=False)
    parts: tuple[tuple[str, str, str], ...] = field(default=(), repr=False)

    def filled(self, operation: Operation[Any, Any], arguments: Arguments) -> Arguments:
        """The arguments of a call with those that only the server gives."""
        if not self.parts:
            return arguments
        places = {
            (place, binding.wire_name): binding.argument
            for binding in operation.bindings
            for place, kind in (("path", PathArgument), ("body", Field))
            if isinstance(binding, kind)
        }
        secrets = {places[place, name]: value for place, name, value in self.parts if (place, name) in places}
        return {**arguments, **secrets}


def proven(request: Request, proof: Proof, fixed: Pairs = ()) -> Request:
    """The request with the operator's fixed headers and with what proves who calls.

    Of one header the last counts: the caller's arguments, then ``fixed``, then the proof. Cookies are joined.
    """
    headers: dict[str, tuple[str, str]] = {}
    cookies: list[str] = []
    for name, value in (*request.headers, *fixed, *proof.headers):
        if name.lower() == "cookie":
            cookies.append(value)
        else:
            headers[name.lower()] = (name, value)
    cookies += [f"{name}={value}" for name, value in proof.cookies]
    if cookies:
        headers["cookie"] = ("Cookie", "; ".join(cookies))
    url = request.url
    if proof.query:
        query = "&".join(f"{quote(name, safe='')}={quote(value, safe='')}" for name, value in proof.query)
        url = f"{url}{'&' if '?' in url else '?'}{query}"
    return replace(request, url=url, headers=tuple(headers.values()))


@dataclass(frozen=True, slots=True)
class Credentials:
    """The credentials that the environment holds, by variable."""

    schemes: Mapping[str, Scheme]
    values: Mapping[str, str] = field(repr=False)
    tokens: Mapping[str, Tokens] = field(default_factory=dict[str, "Tokens"], repr=False)

    @classmethod
    def read(
        cls, schemes: Mapping[str, Scheme], environ: Mapping[str, str], vault: Callable[[str], Kept] | None = None
    ) -> Credentials:
        """The credentials of these schemes; raises ``SettingsError`` on values that no request can carry.

        ``vault`` has what a login keeps for a scheme.
        """
        values: dict[str, str] = {}
        for scheme in schemes.values():
            for variable in scheme.variables:
                value = read_secret(environ, variable)
                if value is not None:
                    _check(scheme, variable, value)
                    values[variable] = value
        tokens = {
            id_: Tokens(scheme, values, vault(id_) if vault is not None else None)
            for id_, scheme in schemes.items()
            if isinstance(scheme, OAuth)
        }
        return cls(schemes, values, tokens)

    def instead(self, values: Mapping[str, str]) -> Credentials:
        """The same schemes with other values; tokens that were got for the others are not used."""
        tokens = {id_: Tokens(scheme, values) for id_, scheme in self.schemes.items() if isinstance(scheme, OAuth)}
        return Credentials(self.schemes, values, tokens)

    def given(self, values: Mapping[str, str]) -> Credentials:
        """These, with other values for some variables; raises ``CallError`` on values that no request can carry."""
        if not values:
            return self
        known = {variable: scheme for scheme in self.schemes.values() for variable in scheme.variables}
        for variable, value in values.items():
            if variable not in known:
                raise CallError(f"No security scheme of this API has the variable {variable}, so nothing was sent.")
            if isinstance(known[variable], MutualTls):
                raise CallError(f"{variable} is for connections, and no call has its own, so nothing was sent.")
            try:
                _check(known[variable], variable, value)
            except SettingsError as error:
                raise CallError(f"{error}, so nothing was sent.") from None
        changed = self.instead({**self.values, **values})
        kept = {  # tokens that others than the changed values have got
            id_: self.tokens[id_] if values.keys().isdisjoint(self.schemes[id_].variables) else tokens
            for id_, tokens in changed.tokens.items()
        }
        return replace(changed, tokens=kept)

    def proof(self, operation: Operation[Any, Any]) -> Proof:
        """What to send with this operation: the first alternative, in document order, that is complete.

        Sends nothing only where the operation says that is fine; raises ``CallError`` that names the variables
        when every alternative lacks something.
        """
        for alternative in operation.security:
            if alternative and all(self._has(scheme) for scheme in alternative):
                return self._prove(alternative)
        if not operation.security or () in operation.security:
            return Proof()
        raise CallError(
            f"{operation.name} needs a credential and the server has none, so nothing was sent. "
            f"The operator of this server has to set {self.wanted(operation)}."
        )

    async def settled(self, proof: Proof, send: Send) -> Proof:
        """The proof with the tokens that it lacked; raises ``CallError`` when an authorization server gives none."""
        if not proof.pending:
            return proof
        for id_ in proof.pending:
            token = await self.tokens[id_].token(send)
            headers = (*proof.headers, ("Authorization", f"Bearer {token}"))
            proof = replace(proof, headers=headers, tokens=(*proof.tokens, (id_, token)))
        return replace(proof, pending=())

    def refused(self, proof: Proof) -> bool:
        """Forget the tokens of a proof that the API refused (401); whether others may be got."""
        others = [self.tokens[id_].refused(token) for id_, token in proof.tokens]  # of every one, not up to the first
        return any(others)

    def wanted(self, operation: Operation[Any, Any]) -> str:
        """The environment variables that an operation can use, in words."""
        return ", or ".join(
            " and ".join(self._named(scheme_id) for scheme_id in alternative)
            for alternative in operation.security
            if alternative
        )

    def redact(self, text: str, more: Iterable[str] = ()) -> str:
        """The text with every credential in it, in any of its written forms, replaced."""
        for secret in sorted({*self._written(), *more}, key=len, reverse=True):
            if len(secret) >= _WORTH_REDACTING:
                text = text.replace(secret, "[redacted]")
        return text

    def _has(self, scheme_id: str) -> bool:
        match self.schemes.get(scheme_id):
            case Basic(username, password):
                # An API key as a user's name with an empty password is common; it must be said, not left out.
                return bool(self.values.get(username)) and password in self.values
            case ApiKey(variable=variable) | Token(variable=variable) | MutualTls(variable=variable):
                return bool(self.values.get(variable))
            case OAuth():
                return self.tokens[scheme_id].complete
            case None:
                return False

    def _named(self, scheme_id: str) -> str:
        match self.schemes.get(scheme_id):
            case Basic(username, password):
                return f"{username} and {password} (empty if there is none)"
            case ApiKey(variable=variable) | Token(variable=variable) | MutualTls(variable=variable):
                return variable
            case OAuth():
                return self.tokens[scheme_id].wanted
            case None:
                return f"what {scheme_id!r} asks for (this server cannot send it)"

    def _prove(self, alternative: tuple[str, ...]) -> Proof:
        places: dict[str, list[tuple[str, str]]] = {"header": [], "query": [], "cookie": [], "path": [], "body": []}
        pending: list[str] = []
        for scheme_id in alternative:
            match self.schemes[scheme_id]:
                case ApiKey(variable, location, name):
                    places[location].append((name, self.values[variable]))
                case Token(variable, prefix):
                    places["header"].append(("Authorization", f"{prefix} {self.values[variable]}".strip()))
                case Basic(username, password):
                    places["header"].append(("Authorization", f"Basic {self._pair(username, password)}"))
                case OAuth() as scheme:
                    if given := self.values.get(scheme.variable("TOKEN")):
                        places["header"].append(("Authorization", f"Bearer {given}"))
                    else:
                        pending.append(scheme_id)
                case MutualTls():
                    pass  # the connection shows it
        parts = tuple((place, *pair) for place in ("path", "body") for pair in places[place])
        sent = (tuple(places["header"]), tuple(places["query"]), tuple(places["cookie"]))
        return Proof(*sent, pending=tuple(pending), parts=parts)

    def _pair(self, username: str, password: str) -> str:
        return base64.b64encode(f"{self.values[username]}:{self.values[password]}".encode()).decode()

    def _written(self) -> Iterable[str]:
        shown = {scheme.variable(name) for scheme in self._oauth() for name in _NO_SECRETS}
        shown |= {scheme.variable for scheme in self.schemes.values() if isinstance(scheme, MutualTls)}
        secrets = [value for variable, value in self.values.items() if variable not in shown]
        for value in (*secrets, *(secret for tokens in self.tokens.values() for secret in tokens.secrets())):
            yield from spelled(value)
        for oauth in self._oauth():
            client, secret = (self.values.get(oauth.variable(name), "") for name in ("CLIENT_ID", "CLIENT_SECRET"))
            if secret:
                yield basic(client, secret)[1].removeprefix("Basic ")
        for scheme in self.schemes.values():
            if isinstance(scheme, Basic) and all(variable in self.values for variable in scheme.variables):
                yield self._pair(scheme.username, scheme.password)

    def _oauth(self) -> Iterable[OAuth]:
        return (scheme for scheme in self.schemes.values() if isinstance(scheme, OAuth))


def _check(scheme: Scheme, variable: str, value: str) -> None:
    """Refuse a value that its place in the request cannot hold."""
    if isinstance(scheme, MutualTls):  # read by itself, as PEM
        return
    if _CONTROL.search(value):
        raise SettingsError(f"{variable} holds a control character, such as a line break")
    match scheme:
        case ApiKey(location="cookie"):
            if not _COOKIE_VALUE.fullmatch(value):
                raise SettingsError(f"{variable} holds a character that a cookie cannot carry")
        case ApiKey(location="header") | Token():
            if not _HEADER_VALUE.fullmatch(value):
                raise SettingsError(f"{variable} holds a character that a header cannot carry")
        case Basic(username=username):
            if variable == username and ":" in value:
                raise SettingsError(f"{variable} holds a colon, which a user's name cannot (RFC 7617)")
        case OAuth() if variable == scheme.variable("TOKEN") and not _HEADER_VALUE.fullmatch(value):
            raise SettingsError(f"{variable} holds a character that a header cannot carry")
        case ApiKey() | OAuth():
            pass
