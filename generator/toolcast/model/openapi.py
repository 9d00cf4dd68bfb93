"""What a document says: an API as OpenAPI describes it, in one dialect (the shape of 3.2, JSON Schema 2020-12).

Every node keeps its place. A schema stays the document's own mapping, with ``$ref``s that ``Api.document`` resolves.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from toolcast.diagnostics import Location
from toolcast.model.document import Document
from toolcast.model.json import Json

ParameterLocation: TypeAlias = Literal["path", "query", "querystring", "header", "cookie"]
Style: TypeAlias = Literal[
    "simple",
    "label",
    "matrix",
    "form",
    "spaceDelimited",
    "tabDelimited",
    "pipeDelimited",
    "deepObject",
    "cookie",
]
Requirement: TypeAlias = tuple[str, ...]  # the ids of schemes that go together


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerVariable:
    """A variable of a server's URL (OpenAPI Server Variable Object)."""

    name: str
    default: str
    enum: tuple[str, ...] = ()
    description: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """Where an API is: a URL, absolute where it could be resolved, with variables in braces."""

    url: str
    description: str = ""
    variables: tuple[ServerVariable, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Tag:
    """A tag that the document declares."""

    name: str
    description: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """A header of a multipart part: its name, and its schema."""

    name: str
    schema: Json
    required: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Encoding:
    """How a property of a form or multipart body is written (OpenAPI Encoding Object)."""

    media_type: str | None = None
    style: Style | None = None
    explode: bool | None = None
    allow_reserved: bool = False
    headers: tuple[Header, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class MediaType:
    """One representation of a body: its media type, its schema, or the schema of each item of a stream.

    ``encoding`` goes by the names of properties; for a body that is a list by ``"0"``, ``"1"`` …, and ``"*"`` for all
    further parts.
    """

    media_type: str
    schema: Json = None
    item_schema: Json = None
    example: Json = None
    encoding: Mapping[str, Encoding]
    at: Location


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """A parameter of an operation; ``media_type`` is set when it is described by ``content``."""

    name: str
    location: ParameterLocation
    required: bool
    schema: Json
    description: str
    style: Style
    explode: bool
    allow_reserved: bool
    media_type: str | None
    deprecated: bool
    example: Json
    extensions: Mapping[str, Json]
    at: Location


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestBody:
    """The body that an operation takes, in one or several representations."""

    required: bool
    description: str
    content: tuple[MediaType, ...]
    at: Location


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """A documented answer; ``status`` is "200", "2XX" or "default"."""

    status: str
    description: str
    content: tuple[MediaType, ...]
    at: Location


@dataclass(frozen=True, slots=True, kw_only=True)
class Flow:
    """A way to get an access token (OpenAPI OAuth Flow Object); URLs are absolute, or empty where it has none.

    ``kind`` is the flow's name in the document, such as ``clientCredentials``; ``scopes`` are those that it offers.
    """

    kind: str
    authorization_url: str = ""
    device_url: str = ""
    token_url: str = ""
    refresh_url: str = ""
    scopes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SecurityScheme:
    """How callers prove who they are (OpenAPI Security Scheme Object).

    ``name`` and ``location`` belong to ``apiKey``, ``scheme`` to ``http``, ``flows`` to ``oauth2``, and ``discovery``,
    the URL of the provider's metadata, to ``openIdConnect`` (or to ``oauth2``, as of OpenAPI 3.2).
    """

    id: str
    type: Literal["apiKey", "http", "oauth2", "openIdConnect", "mutualTLS"]
    name: str = ""
    location: Literal["header", "query", "cookie"] = "header"
    scheme: str = ""
    flows: tuple[Flow, ...] = ()
    discovery: str = ""
    description: str = ""
    at: Location


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One operation: a method on a path.

    ``security`` holds the alternatives that apply to it; ``()``: none needed. ``scopes`` are those that it asks for, by
    scheme.
    """

    method: str
    path: str
    id: str | None
    summary: str
    description: str
    tags: tuple[str, ...]
    deprecated: bool
    parameters: tuple[Parameter, ...]
    body: RequestBody | None
    responses: tuple[Response, ...]
    security: tuple[Requirement, ...]
    scopes: Mapping[str, tuple[str, ...]]
    servers: tuple[Server, ...]
    extensions: Mapping[str, Json]
    at: Location

    @property
    def key(self) -> str:
        """What identifies the operation in the lock and in the configuration: "GET /pets/{petId}"."""
        return f"{self.method} {self.path}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Api:
    """What the document says, as far as it concerns a client of the API."""

    title: str
    version: str
    description: str
    servers: tuple[Server, ...]
    tags: tuple[Tag, ...]
    operations: tuple[Operation, ...]
    security_schemes: Mapping[str, SecurityScheme]
    document: Document
