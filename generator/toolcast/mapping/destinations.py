"""Destinations: where requests and credentials go, for the lock, so that a regeneration shows when that changes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from toolcast.model.catalog import Catalog, ServerUrl
from toolcast.model.json import Json, JsonObject
from toolcast.model.openapi import Operation, SecurityScheme
from toolcast.model.urls import PORTS


def origins(catalog: Catalog) -> tuple[str, ...]:
    """The origins (RFC 6454) of all servers, of the API and of single tools, with their variables at the defaults."""
    servers = (*catalog.servers, *(server for tool in catalog.tools for server in tool.servers))
    return tuple(sorted({found for server in servers for found in _origin(server)}))


def schemes(declared: Mapping[str, SecurityScheme], operations: Iterable[Operation]) -> dict[str, JsonObject]:
    """How and where the credentials go that operations ask for, by scheme, in the words of the document."""
    asking = list(operations)
    used = {scheme for operation in asking for alternative in operation.security for scheme in alternative}
    found: dict[str, JsonObject] = {}
    for id_ in sorted(used):
        scopes = {scope for operation in asking for scope in operation.scopes.get(id_, ())}
        listed: list[Json] = [*sorted(scopes)]
        found[id_] = _scheme(declared[id_])
        if listed:
            found[id_]["scopes"] = listed
    return found


def _scheme(scheme: SecurityScheme) -> JsonObject:
    match scheme.type:
        case "apiKey":
            return {"type": "apiKey", "in": scheme.location, "name": scheme.name}
        case "http":
            return {"type": "http", "scheme": scheme.scheme.lower()}
        case _:
            flows: JsonObject = {
                flow.kind: {
                    name: url
                    for name, url in (
                        ("authorizationUrl", flow.authorization_url),
                        ("deviceAuthorizationUrl", flow.device_url),
                        ("refreshUrl", flow.refresh_url),
                        ("tokenUrl", flow.token_url),
                    )
                    if url
                }
                for flow in sorted(scheme.flows, key=lambda flow: flow.kind)
            }
            told: JsonObject = {"type": scheme.type}
            told |= {"flows": flows} if flows else {}
            return told | ({"metadataUrl": scheme.discovery} if scheme.discovery else {})


def _origin(server: ServerUrl) -> Iterator[str]:
    """The origin of a URL, if it has one; a variable without a default stays in braces."""
    url = server.url
    for variable in server.variables:
        url = url.replace(f"{{{variable.name}}}", variable.default or f"{{{variable.name}}}")
    scheme, separator, rest = url.partition("://")
    authority = rest.split("/", 1)[0].split("?", 1)[0].rpartition("@")[2]
    if not separator or not authority:
        return
    scheme = scheme.lower()
    host, _, port = authority.rpartition(":") if authority.rpartition(":")[2].isdecimal() else (authority, "", "")
    default = port.isdecimal() and int(port) == PORTS.get(scheme)
    yield f"{scheme}://{host.lower()}{'' if default or not port else f':{int(port)}'}"
