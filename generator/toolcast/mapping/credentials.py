"""Credentials and servers: the environment variables of an emitted server."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Final, Literal

from toolcast.mapping.names import words
from toolcast.model.catalog import Credential, ServerUrl, Variable
from toolcast.model.openapi import Operation, SecurityScheme, Server

# What an emitted server reads itself, after the prefix; a credential never takes one of these names.
_RESERVED: Final = frozenset(
    """
    BASE_URL BASE_URL_ALL HEADERS AUTH TIMEOUT TIMEOUTS CONNECT_TIMEOUT READ_TIMEOUT RETRIES CONCURRENCY RATE
    RATE_PER_CALLER REDIRECTS POLL MAX_RESPONSE_BYTES MAX_RESULT_BYTES LOG ALLOWED_HOSTS STATE_KEYS TOOLSETS TOOLS
    EXCLUDE_TOOLS READ_ONLY MODE GUARD AUDIT ISSUER RESOURCE_URL JWKS_URL REQUIRED_SCOPES CALLER_CREDENTIALS HOST PORT
    CLIENT_CERTIFICATE CLIENT_KEY TOKEN_EXCHANGE LOG_FORMAT STATE_FOLDER
    """.split()
)

_MUTUAL_TLS: Final[tuple[str, ...]] = ("mutualTLS", "", "")  # a server has one certificate


def snake(name: str) -> str:
    """A name in upper snake case: ``bearerAuth`` → ``BEARER_AUTH``."""
    return "_".join(words(name)).upper() or "DEFAULT"


def environment(name: str) -> str:
    """The prefix of a server's environment variables, without the underscore."""
    prefix = snake(name)
    return prefix if prefix[0].isalpha() else f"API_{prefix}"


def _kind(scheme: SecurityScheme) -> tuple[Literal["apiKey", "token", "basic", "oauth", "mutualTLS"], str]:
    """The kind of a credential, and the prefix of its token."""
    match scheme.type:
        case "apiKey":
            return "apiKey", ""
        case "http" if scheme.scheme.lower() == "basic":
            return "basic", ""
        case "http" if scheme.scheme.lower() != "bearer":
            return "token", scheme.scheme
        case "oauth2" | "openIdConnect":
            return "oauth", "Bearer"
        case "mutualTLS":
            return "mutualTLS", ""
        case _:
            return "token", "Bearer"


def credentials(
    schemes: Mapping[str, SecurityScheme], operations: Iterable[Operation], prefix: str, locked: Mapping[str, str]
) -> tuple[Credential, ...]:
    """A credential for each scheme that an operation asks for, by scheme id; each variable belongs to one of them.

    Schemes that mean the same (one key in one place) share their variables.
    """
    asking = list(operations)
    used = sorted({scheme for o in asking for alternative in o.security for scheme in alternative})
    stems = {id_: locked[id_] for id_ in used if id_ in locked}
    taken: set[str] = {*_RESERVED}
    meanings: dict[tuple[str, ...], str] = {_MUTUAL_TLS: "CLIENT_CERTIFICATE"}
    for id_, stem in stems.items():
        taken.update(_variables(schemes[id_], stem))
        meanings.setdefault(_meaning(schemes[id_]), stem)
    for id_ in used:
        if id_ not in stems:
            scheme = schemes[id_]
            stem = meanings.get(_meaning(scheme)) or _free(scheme, taken)
            taken.update(_variables(scheme, stem))
            meanings.setdefault(_meaning(scheme), stem)
            stems[id_] = stem
    scopes: dict[str, set[str]] = {}
    for operation in asking:
        for id_, named in operation.scopes.items():
            scopes.setdefault(id_, set()).update(named)
    return tuple(_credential(schemes[id_], stems[id_], prefix, scopes.get(id_, ())) for id_ in used)


def _credential(scheme: SecurityScheme, stem: str, prefix: str, scopes: Iterable[str]) -> Credential:
    kind, token_prefix = _kind(scheme)
    return Credential(
        scheme=scheme.id,
        stem=stem,
        kind=kind,
        variables=tuple(f"{prefix}_{name}" for name in _variables(scheme, stem)),
        description=scheme.description,
        prefix=token_prefix,
        location=scheme.location,
        name=scheme.name,
        flows=scheme.flows,
        discovery=scheme.discovery,
        scopes=tuple(sorted(scopes)),
    )


def _meaning(scheme: SecurityScheme) -> tuple[str, ...]:
    if scheme.type == "apiKey":
        return "apiKey", scheme.location, scheme.name
    return _MUTUAL_TLS if scheme.type == "mutualTLS" else (scheme.id,)


def _variables(scheme: SecurityScheme, stem: str) -> tuple[str, ...]:
    """The names of a scheme's variables, without the server's prefix."""
    if _kind(scheme)[0] == "basic":
        return f"{stem}_USERNAME", f"{stem}_PASSWORD"
    if _kind(scheme)[0] == "oauth":
        return tuple(f"{stem}_{name}" for name in _oauth(scheme))
    return (stem,)


def _oauth(scheme: SecurityScheme) -> Iterator[str]:
    """What an OAuth scheme can be given: a token, or what its flows get one with."""
    kinds = {flow.kind for flow in scheme.flows}
    yield "TOKEN"
    if scheme.discovery or any(flow.token_url for flow in scheme.flows):
        yield from ("CLIENT_ID", "CLIENT_SECRET")
        if "password" in kinds:
            yield from ("USERNAME", "PASSWORD")
        if scheme.discovery or kinds & {"authorizationCode", "password", "deviceAuthorization"}:
            yield "REFRESH_TOKEN"


def _free(scheme: SecurityScheme, taken: Collection[str]) -> str:
    """A stem whose variables, and the ``_FILE`` of each, are nobody else's."""
    plain = snake(scheme.id)
    plain = f"AUTH_{plain}" if plain.startswith("SERVER_") else plain  # those are the variables of server URLs
    files = {f"{name}_FILE" for name in taken} | {
        name.removesuffix("_FILE") for name in taken if name.endswith("_FILE")
    }
    for stem in (plain, *(f"{plain}_{number}" for number in range(2, len(taken) + 3))):
        if not any(name in taken or name in files for name in _variables(scheme, stem)):
            return stem
    raise AssertionError(f"no free variable for {scheme.id}")  # there are more numbers than names


def server_urls(servers: Iterable[Server], prefix: str) -> tuple[ServerUrl, ...]:
    """Servers with the environment variables of their URL's variables."""
    return tuple(
        ServerUrl(
            url=server.url,
            description=server.description,
            variables=tuple(
                Variable(
                    name=variable.name,
                    default=variable.default,
                    environment=f"{prefix}_SERVER_{snake(variable.name)}",
                    enum=variable.enum,
                    description=variable.description,
                )
                for variable in server.variables
            ),
        )
        for server in servers
    )
