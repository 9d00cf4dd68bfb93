"""Credentials and servers: the environment variables of an emitted server."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from toolcast.mapping.names import words
from toolcast.model.catalog import Credential, ServerUrl, Variable
from toolcast.model.openapi import Operation, SecurityScheme, Server

# What an emitted server reads itself, after the prefix; a credential never takes one of these names.
_RESERVED = frozenset(
    (
        "BASE_URL BASE_URL_ALL HEADERS HEADERS_FILE AUTH TIMEOUT MAX_RESPONSE_BYTES LOG ALLOWED_HOSTS STATE_KEYS TOOLSETS TOOLS "
        "EXCLUDE_TOOLS READ_ONLY MODE GUARD HOST PORT"
    ).split()
)


def snake(name: str) -> str:
    """A name in upper snake case: ``bearerAuth`` → ``BEARER_AUTH``."""
    return "_".join(words(name)).upper() or "DEFAULT"


def environment(name: str) -> str:
    """The prefix of a server's environment variables, without the underscore."""
    prefix = snake(name)
    return prefix if prefix[0].isalpha() else f"API_{prefix}"


def _kind(scheme: SecurityScheme) -> tuple[str, str]:
    """The kind of a credential, and the prefix of its token."""
    match scheme.type:
        case "apiKey":
            return "apiKey", ""
        case "http" if scheme.scheme.lower() == "basic":
            return "basic", ""
        case "http" if scheme.scheme.lower() != "bearer":
            return "token", scheme.scheme
        case _:
            return "token", "Bearer"


def credentials(
    schemes: Mapping[str, SecurityScheme], operations: Iterable[Operation], prefix: str, locked: Mapping[str, str]
) -> tuple[Credential, ...]:
    """A credential for each scheme that an operation asks for, by scheme id; each variable belongs to one of them.

    Schemes that mean the same (one key in one place, one kind of token) share their variables.
    """
    used = {scheme for o in operations for alternative in o.security for scheme in alternative}
    stems: dict[str, str] = {scheme: locked[scheme] for scheme in used if scheme in locked}
    taken = _RESERVED | set(stems.values())
    meanings: dict[tuple[str, ...], str] = {}
    found: list[Credential] = []
    for id_ in sorted(used):
        scheme = schemes[id_]
        kind, token_prefix = _kind(scheme)
        meaning = (scheme.type, kind, token_prefix, scheme.location, scheme.name) if kind == "apiKey" else (id_,)
        stem = stems.get(id_) or meanings.get(meaning) or _free(snake(id_), taken)
        taken = taken | {stem}
        meanings.setdefault(meaning, stem)
        match kind:
            case "basic":
                names = (f"{prefix}_{stem}_USERNAME", f"{prefix}_{stem}_PASSWORD")
            case "token" if scheme.type in ("oauth2", "openIdConnect"):
                names = (f"{prefix}_{stem}_TOKEN",)
            case _:
                names = (f"{prefix}_{stem}",)
        found.append(
            Credential(
                scheme=id_,
                stem=stem,
                kind="basic" if kind == "basic" else "apiKey" if kind == "apiKey" else "token",
                variables=names,
                description=scheme.description,
                prefix=token_prefix,
                location=scheme.location,
                name=scheme.name,
            )
        )
    return tuple(found)


def _free(wanted: str, taken: frozenset[str] | set[str]) -> str:
    if wanted not in taken and not wanted.startswith("SERVER_"):
        return wanted
    return next(name for name in (f"{wanted}_{i}" for i in range(2, 10_000)) if name not in taken)


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
