"""Security: the schemes that a document declares, and the alternatives that apply to an operation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

from toolcast.model.openapi import Flow, Requirement, SecurityScheme
from toolcast.model.urls import resolved
from toolcast.parse.reader import Node, Reader, Unusable


def schemes(reader: Reader, components: Node) -> dict[str, SecurityScheme]:
    """The declared schemes by id (OpenAPI Security Scheme Object); one that makes no sense is reported and left out."""
    found: dict[str, SecurityScheme] = {}
    for id_, value in components.members("securitySchemes"):
        at = components.below("securitySchemes", id_)
        try:
            node = reader.node(value, at, f"The security scheme {id_!r}")
        except Unusable as unusable:
            reader.report.add(unusable.diagnostic)
            continue
        scheme = _scheme(reader, id_, node)
        if scheme is not None:
            found[id_] = scheme
    return found


def _scheme(reader: Reader, id_: str, node: Node) -> SecurityScheme | None:
    at = reader.location(node.at)
    description = node.text("description")
    match node.text("type"):
        case "apiKey":
            location = node.text("in")
            name = node.text("name")
            if location not in ("header", "query", "cookie") or not name:
                reader.warn(
                    "TC221",
                    f"The API key scheme {id_!r} does not say where the key goes",
                    node.at,
                    "Give it `name`, and `in` as header, query or cookie.",
                )
                return None
            return SecurityScheme(
                id=id_, type="apiKey", name=name, location=_place(location), description=description, at=at
            )
        case "http":
            return SecurityScheme(
                id=id_, type="http", scheme=node.text("scheme") or "bearer", description=description, at=at
            )
        case "oauth2":
            return SecurityScheme(
                id=id_,
                type="oauth2",
                flows=tuple(_flows(reader, node)),
                discovery=_url(reader, node.text("oauth2MetadataUrl")),
                description=description,
                at=at,
            )
        case "openIdConnect":
            discovery = _url(reader, node.text("openIdConnectUrl"))
            return SecurityScheme(id=id_, type="openIdConnect", discovery=discovery, description=description, at=at)
        case "mutualTLS":
            return SecurityScheme(id=id_, type="mutualTLS", description=description, at=at)
        case other:
            reader.warn(
                "TC220",
                f"The security scheme {id_!r} has the type {other!r}, which OpenAPI does not know",
                node.at,
                "Use apiKey, http, oauth2, openIdConnect or mutualTLS.",
            )
            return None


def _flows(reader: Reader, node: Node) -> Iterator[Flow]:
    """The flows of an OAuth 2.0 scheme, in the order of the document (OpenAPI OAuth Flows Object)."""
    declared = node.value.get("flows")
    flows = Node(declared if isinstance(declared, dict) else {}, node.below("flows"))
    for kind, value in flows.value.items():
        if kind.startswith("x-") or not isinstance(value, dict):
            continue
        flow = Node(value, flows.below(kind))
        yield Flow(
            kind=kind,
            authorization_url=_url(reader, flow.text("authorizationUrl")),
            device_url=_url(reader, flow.text("deviceAuthorizationUrl")),
            token_url=_url(reader, flow.text("tokenUrl")),
            refresh_url=_url(reader, flow.text("refreshUrl")),
            scopes=tuple(scope for scope, _ in flow.members("scopes")),
        )


def _url(reader: Reader, url: str) -> str:
    """A URL of an authorization server; a relative one is relative to the document (OpenAPI 3.1.1 section 4.6)."""
    url = url.strip()
    return resolved(reader.document.url, url) if url and reader.document.url is not None else url


def _place(location: str) -> Literal["header", "query", "cookie"]:
    return "query" if location == "query" else "cookie" if location == "cookie" else "header"


def requirements(
    reader: Reader, node: Node, known: Mapping[str, SecurityScheme], inherited: tuple[Requirement, ...]
) -> tuple[Requirement, ...]:
    """The alternatives that a node declares, or the inherited ones; ``()`` when none is needed.

    OpenAPI 3.1.1 section 4.8.30: a list overrides what is inherited, the empty list removes it, and an empty object
    in it makes the credentials optional. A scheme that is not declared takes its alternative with it.
    """
    if not isinstance(node.value.get("security"), list):
        return inherited
    alternatives: list[Requirement] = []
    for index, value in node.items("security"):
        if not isinstance(value, dict):
            continue
        unknown = [scheme for scheme in value if scheme not in known]
        if unknown:
            reader.warn(
                "TC222",
                f"Security asks for {', '.join(map(repr, unknown))}, which is not declared",
                node.below("security", index),
                "Add it to components.securitySchemes, or correct the name.",
            )
            continue
        alternatives.append(tuple(value))
    return tuple(dict.fromkeys(alternatives))


def scopes(node: Node, inherited: Mapping[str, tuple[str, ...]]) -> Mapping[str, tuple[str, ...]]:
    """The scopes that a node asks for, of all alternatives, by scheme; the inherited ones where it says nothing."""
    if not isinstance(node.value.get("security"), list):
        return inherited
    found: dict[str, dict[str, None]] = {}
    for _, value in node.items("security"):
        for scheme, listed in value.items() if isinstance(value, dict) else ():
            named = [scope for scope in listed if isinstance(scope, str)] if isinstance(listed, list) else []
            found.setdefault(scheme, {}).update(dict.fromkeys(named))
    return {scheme: tuple(named) for scheme, named in found.items() if named}
