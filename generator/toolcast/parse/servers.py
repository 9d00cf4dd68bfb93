"""Servers: where the document says that the API is."""

from __future__ import annotations

import re

from toolcast.model.openapi import Server, ServerVariable
from toolcast.model.urls import parts, resolved
from toolcast.parse.reader import Node, Reader, Unusable

_VARIABLE = re.compile(r"\{([^{}]*)\}")


def servers(reader: Reader, node: Node) -> tuple[Server, ...]:
    """The servers that a node declares; relative URLs are resolved against the document's own URL.

    OpenAPI 3.1.1 section 4.8.5 (Server Object): a URL may be relative to where the document is.
    """
    found: list[Server] = []
    for index, value in node.items("servers"):
        at = node.below("servers", index)
        try:
            server = reader.node(value, at, "The server")
        except Unusable as unusable:
            reader.report.add(unusable.diagnostic)
            continue
        url = server.text("url").strip() or "/"
        variables = _variables(reader, server, url)
        found.append(
            Server(
                url=_absolute(reader, url, server.below("url")),
                description=server.text("description"),
                variables=variables,
            )
        )
    return tuple(found)


def default_server(reader: Reader) -> Server:
    """The server of a document that names none: ``/``, relative to the document (OpenAPI 3.1.1 section 4.8.1)."""
    return Server(url=_absolute(reader, "/", "#/servers"))


def _absolute(reader: Reader, url: str, at: str) -> str:
    found = parts(_VARIABLE.sub("0", url))  # which may be a port, too
    if found is None:
        reader.warn(
            "TC212",
            f"The server's URL is none that can be read: {url[:200]!r}",
            at,
            "Correct its host and port, or set …_BASE_URL when the emitted server runs.",
        )
        return url
    if url.startswith("{") or found.scheme:
        return url  # a variable may hold the scheme
    if reader.document.url is not None:
        return resolved(reader.document.url, url)
    reader.warn(
        "TC211",
        f"The document does not say on which host the API is: its server is {url!r}, and it was read from a file",
        at,
        "Give the server an absolute URL, or set …_BASE_URL when the emitted server runs.",
    )
    return url


def _variables(reader: Reader, server: Node, url: str) -> tuple[ServerVariable, ...]:
    declared = dict(server.members("variables"))
    variables: list[ServerVariable] = []
    for name in dict.fromkeys(_VARIABLE.findall(url)):
        at = server.below("variables", name)
        value = declared.get(name)
        if not isinstance(value, dict):
            reader.warn(
                "TC210",
                f"The server's URL has a variable {name!r} that is not declared",
                server.below("url"),
                "Add it to `variables`, with a default. Until then it has to be set when the server runs.",
            )
            variables.append(ServerVariable(name=name, default=""))
            continue
        variable = Node(value, at)
        choices = tuple(str(choice) for _, choice in variable.items("enum"))
        default = variable.text("default") or (choices[0] if choices else "")
        variables.append(
            ServerVariable(name=name, default=default, enum=choices, description=variable.text("description"))
        )
    return tuple(variables)
