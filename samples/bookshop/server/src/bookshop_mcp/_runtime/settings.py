"""What the environment says about a server: where the API is, its credentials and its limits."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, cast
from urllib.parse import urlsplit

from .certificate import Certificate
from .credentials import Credentials, Pairs, read_secret
from .environment import number, switch
from .errors import CallError, SettingsError
from .manners import Manners
from .operation import Api, Operation, ServerUrl
from .vault import Keeper

_TOKEN = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")  # RFC 9110 section 5.6.2
_FRAMING = frozenset({"host", "content-length", "transfer-encoding", "connection", "upgrade", "te", "trailer"})
# Clients refuse a server-sent event of 1 MiB; what encloses the answer and the notes about it stay below the rest.
_LARGEST_RESULT = 860_000
_SMALLEST_RESULT = 10_000
_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The settings of one server; ``override`` is the base URL that the operator chose.

    ``variables`` holds the values of server variables by environment variable; ``max_result_bytes`` is what a whole
    result may take, its text and its structured content together.
    """

    prefix: str
    servers: tuple[ServerUrl, ...]
    override: str | None
    override_all: bool
    variables: Mapping[str, str]
    headers: Pairs = field(repr=False)
    credentials: Credentials
    authenticate: bool
    certificate: Certificate | None
    manners: Manners
    max_response_bytes: int
    max_result_bytes: int
    allowed_hosts: tuple[str, ...]
    mode: Literal["all", "search"]

    @classmethod
    def read(cls, api: Api, environ: Mapping[str, str]) -> Settings:
        """The settings in an environment; an empty variable counts as unset.

        Raises ``SettingsError`` that names the first variable that cannot be used.
        """
        prefix = api.environment
        settings = cls(
            prefix=prefix,
            servers=api.servers,
            override=_url(f"{prefix}_BASE_URL", environ),
            override_all=switch(f"{prefix}_BASE_URL_ALL", environ, default=False),
            variables=_server_variables(api, environ),
            headers=_headers(f"{prefix}_HEADERS", environ),
            credentials=Credentials.read(api.security, environ, lambda scheme: Keeper(api.name, scheme)),
            authenticate=switch(f"{prefix}_AUTH", environ, default=True),
            certificate=Certificate.read(prefix, environ),
            manners=Manners.read(prefix, environ, api.earlier),
            max_response_bytes=int(number(f"{prefix}_MAX_RESPONSE_BYTES", environ, 10 * 1024 * 1024, least=1)),
            max_result_bytes=_result_bytes(f"{prefix}_MAX_RESULT_BYTES", environ),
            allowed_hosts=tuple((environ.get(f"{prefix}_ALLOWED_HOSTS") or "").replace(",", " ").split()),
            mode=_mode(f"{prefix}_MODE", environ),
        )
        for server in api.servers:
            try:
                settings._fill(server)
            except CallError as error:
                raise SettingsError(str(error)) from None
        return settings

    def base_url(self, operation: Operation[Any, Any]) -> str:
        """Where an operation is called; raises ``CallError`` when nothing says so.

        The operator's URL comes first, unless the operation has servers of its own; then those, then the API's.
        """
        if self.override is not None and (self.override_all or not operation.servers):
            return self.override
        servers = operation.servers or self.servers
        url = self._fill(servers[0]) if servers else ""
        if not re.match(r"https?://[^/?#]", url, re.IGNORECASE) or _PLACEHOLDER.search(url):
            also = f" and {self.prefix}_BASE_URL_ALL=1" if operation.servers else ""
            raise CallError(
                f"The description of this API does not say where {operation.name} is served, so nothing was sent. "
                f"The operator of this server has to set {self.prefix}_BASE_URL{also} to the API's absolute URL."
            )
        return url

    def redact(self, text: str) -> str:
        """The text without any value that the operator gave in confidence."""
        # "Bearer abc" is as secret without its prefix; short values ("true", "eu") are no secrets.
        secrets = {part for _, value in self.headers for part in (value, *value.split()) if len(part) >= 8}
        if self.certificate is not None:
            secrets.update(line for line in self.certificate.secret.splitlines() if not line.startswith("-"))
        return self.credentials.redact(text, secrets)

    def _fill(self, server: ServerUrl) -> str:
        """The URL of a server with its variables filled in; raises ``CallError`` on a value that is not allowed."""
        values: dict[str, str] = {}
        for variable in server.variables:
            given = self.variables.get(variable.environment)
            if given is not None and variable.enum and given not in variable.enum:
                raise CallError(f"{variable.environment} must be one of {', '.join(variable.enum)}")
            values[variable.name] = variable.default if given is None else given
        return _PLACEHOLDER.sub(lambda match: values.get(match[1], match[0]), server.url)


def _server_variables(api: Api, environ: Mapping[str, str]) -> dict[str, str]:
    # Operations may have servers of their own, whose variables are not known before their module is loaded.
    names = {name for name in environ if name.startswith(f"{api.environment}_SERVER_")}
    names |= {variable.environment for server in api.servers for variable in server.variables}
    values = {name: environ[name] for name in sorted(names) if environ.get(name)}
    for name, value in values.items():
        if re.search(r"[\x00-\x20\x7f?#@\\]", value):
            raise SettingsError(f"{name} holds a character that does not belong in a server's URL")
    return values


def _url(variable: str, environ: Mapping[str, str]) -> str | None:
    value = (environ.get(variable) or "").strip()
    if not value:
        return None
    try:
        parts = urlsplit(value)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        raise SettingsError(f"{variable} must be an absolute http or https URL") from None
    if not usable or re.search(r"[\x00-\x20\x7f]", value):
        raise SettingsError(f"{variable} must be an absolute http or https URL")
    if parts.username is not None or parts.password is not None:
        raise SettingsError(f"{variable} must not hold a user or password; give them as credentials")
    if parts.query or parts.fragment:
        raise SettingsError(f"{variable} must not have a query or a fragment")
    return value


def _mode(variable: str, environ: Mapping[str, str]) -> Literal["all", "search"]:
    match (environ.get(variable) or "all").strip().lower():
        case "all":
            return "all"
        case "search":
            return "search"
        case _:
            raise SettingsError(f"{variable} must be all or search")


def _result_bytes(variable: str, environ: Mapping[str, str]) -> int:
    """The room for a result: 0 means as much as every transport carries, and so does anything above it."""
    value = number(variable, environ, 0, least=0)
    if 0 < value < _SMALLEST_RESULT:
        raise SettingsError(f"{variable} must be 0 or at least {_SMALLEST_RESULT}")
    return min(int(value) or _LARGEST_RESULT, _LARGEST_RESULT)


def _headers(variable: str, environ: Mapping[str, str]) -> Pairs:
    text = read_secret(environ, variable)
    if not text:
        return ()
    try:
        value: object = json.loads(text)
    except ValueError:
        value = None
    if not isinstance(value, dict):
        raise SettingsError(f"{variable} must be a JSON object of header names and values")
    pairs: list[tuple[str, str]] = []
    for name, content in cast("dict[str, object]", value).items():
        if not _TOKEN.fullmatch(name) or name.lower() in _FRAMING:
            raise SettingsError(f"{variable} holds a header name that cannot be set")
        if not isinstance(content, str) or not re.fullmatch(r"[\t\x20-\x7e]*", content):
            raise SettingsError(f"{variable}: the value of {name} must be a string of printable ASCII characters")
        pairs.append((name, content))
    return tuple(pairs)
