"""What a server offers: tools by group, each with everything that its code and its contract need."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from toolcast.diagnostics import Location
from toolcast.model.config import Metadata
from toolcast.model.json import Json, Schema
from toolcast.model.openapi import Flow, Requirement, SecretPlace, Style
from toolcast.model.wishes import Icon


@dataclass(frozen=True, slots=True, kw_only=True)
class ParameterBinding:
    """An argument that travels outside the body; ``media_type`` is set when it is serialised as content."""

    argument: str
    name: str
    style: Style
    explode: bool
    reserved: bool = False
    media_type: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PathArg(ParameterBinding):
    """An argument that fills a placeholder of the path; with ``slashes``, one in its value divides the path."""

    slashes: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryArg(ParameterBinding):
    """An argument in the query string."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HeaderArg(ParameterBinding):
    """An argument in a header."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CookieArg(ParameterBinding):
    """An argument in a cookie."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuerystringArg(ParameterBinding):
    """An argument that is the whole query string; ``parts`` say how the fields of a form are written."""

    parts: tuple[Part, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class BodyField:
    """An argument that is a property of the body."""

    argument: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WholeBody:
    """An argument that is the body."""

    argument: str


Member: TypeAlias = PathArg | QueryArg | HeaderArg | CookieArg | QuerystringArg | BodyField | WholeBody


@dataclass(frozen=True, slots=True, kw_only=True)
class MoreArg:
    """An argument that holds further optional arguments by name, for a tool that would be too large with them."""

    argument: str
    members: tuple[Member, ...]


Binding: TypeAlias = Member | MoreArg


XmlNode: TypeAlias = Literal["element", "attribute", "text", "cdata", "none"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Xml:
    """How a value is written as XML; by default as an element that is named like the property.

    ``fields`` are those of an object in order, ``others`` its further ones; ``items`` are those of a list, of which
    ``first`` are the first ones; ``inner`` is a node within this one for the same value.
    """

    name: str | None = None
    node: XmlNode = "element"
    wrapped: bool = False
    namespace: str | None = None
    prefix: str | None = None
    fields: Mapping[str, Xml] = field(default_factory=dict[str, "Xml"])
    others: Xml | None = None
    items: Xml | None = None
    first: tuple[Xml, ...] = ()
    inner: Xml | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """How a property of a form or multipart body is written; ``file`` says that it holds bytes.

    Without a name it is whatever has no part of its own. ``encoded`` says that it is text that stands for bytes;
    ``parts`` are those within a part that is multipart itself.
    """

    name: str | None
    file: bool = False
    encoded: bool = False
    media_type: str | None = None
    style: Style | None = None
    explode: bool = True
    reserved: bool = False
    headers: tuple[tuple[str, str], ...] = ()
    xml: Xml | None = None
    parts: tuple[Part, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """The representation in which a body is sent; ``file`` says that the whole body is bytes.

    ``xml`` is set when XML is written from a value; without it the argument is the XML, as text.
    """

    media_type: str
    required: bool
    parts: tuple[Part, ...] = ()
    file: bool = False
    xml: Xml | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Variable:
    """A variable of a server's URL, and the environment variable that sets it."""

    name: str
    default: str
    environment: str
    enum: tuple[str, ...] = ()
    description: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerUrl:
    """Where the API is."""

    url: str
    description: str = ""
    variables: tuple[Variable, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Credential:
    """A security scheme with the environment variables that satisfy it.

    ``variables`` has one name, or for ``basic`` the user's name and the password, or for ``oauth`` all that can be set;
    ``stem`` is what they share, without the server's prefix. ``prefix`` is what stands before a token in
    ``Authorization``; ``location`` and ``name`` say where an API key goes. ``flows`` and ``discovery`` say how a token
    is got, and ``scopes`` are what the operations ask for.
    """

    scheme: str
    stem: str
    kind: Literal["apiKey", "token", "basic", "oauth", "mutualTLS"]
    variables: tuple[str, ...]
    description: str = ""
    prefix: str = "Bearer"
    location: SecretPlace = "header"
    name: str = ""
    flows: tuple[Flow, ...] = ()
    discovery: str = ""
    scopes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Hint:
    """One MCP tool annotation: its value, why, and the rule that gave it ("given": configuration or extension)."""

    value: bool
    reason: str
    rule: str = "given"


@dataclass(frozen=True, slots=True, kw_only=True)
class Hints:
    """The four MCP tool annotations, always explicit."""

    read_only: Hint
    destructive: Hint
    idempotent: Hint
    open_world: Hint


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """An operation as agents see it, and how a call of it becomes an HTTP request.

    ``arguments_type`` and ``result_type`` name types of ``Catalog.types``, or hold a type as a schema; ``wrapped``
    says that the structured result is ``{"result": answer}``; ``example`` holds arguments that the schema accepts.
    ``fixed`` is always sent, ``defaults`` what a call does not give. With a ``resource``, which is a URI or a template
    of one, the operation is offered there and is no tool. ``projection`` is the argument that says which part of the
    answer is wanted.
    """

    key: str
    name: str
    group: str
    title: str
    description: str
    method: str
    path: str
    bindings: tuple[Binding, ...]
    body: Content | None
    input_schema: Schema
    output_schema: Schema | None
    wrapped: bool
    arguments_type: Schema
    result_type: Schema
    accept: tuple[str, ...]
    security: tuple[Requirement, ...]
    servers: tuple[ServerUrl, ...]
    hints: Hints
    deprecated: bool
    example: Mapping[str, Json] | None
    fixed: Mapping[str, Json] = field(default_factory=dict[str, Json])
    defaults: Mapping[str, Json] = field(default_factory=dict[str, Json])
    projection: str = ""
    resource: str | None = None
    icons: tuple[Icon, ...] = ()
    meta: Mapping[str, Json] = field(default_factory=dict[str, Json])
    at: Location


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """An HTTP request that a tool sends: the path as it follows the server's URL, headers by lower-case name."""

    method: str
    path: str
    query: str
    headers: tuple[tuple[str, str], ...]
    body: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """A module of operations, and a toolset at run time."""

    name: str
    title: str
    description: str
    tools: tuple[Tool, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Catalog:
    """What the server offers.

    ``types`` are JSON Schemas by unique PascalCase names, referring to one another as ``#/$defs/NAME``;
    ``left_out`` are the keys of deprecated operations, which a first generation does not offer. ``toolsets`` are the
    groups that are offered unless an operator chooses others, ``without`` the extras that are not wanted.

    ``aliases`` maps earlier names of tools to their present ones; ``retired`` maps names that no tool has any more to
    the tool that took its place, or to "".
    """

    name: str
    package: str
    distribution: str
    environment: str
    title: str
    version: str
    api_version: str
    description: str
    instructions: str
    servers: tuple[ServerUrl, ...]
    groups: tuple[Group, ...]
    credentials: tuple[Credential, ...]
    types: Mapping[str, Schema]
    left_out: tuple[str, ...]
    toolsets: tuple[str, ...] = ()
    icons: tuple[Icon, ...] = ()
    metadata: Metadata = field(default_factory=Metadata)
    without: tuple[str, ...] = ()
    aliases: Mapping[str, str] = field(default_factory=dict[str, str])
    retired: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def tools(self) -> tuple[Tool, ...]:
        """Every tool, group by group."""
        return tuple(tool for group in self.groups for tool in group.tools)
