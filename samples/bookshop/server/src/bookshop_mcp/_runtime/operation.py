"""An API as values: operations, and how the arguments of a call become an HTTP request.

Nothing here acts. ``request.py`` reads these values to build a request, ``server.py`` to offer tools.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, Literal, Protocol, TypeAlias, TypeVar, cast

if TYPE_CHECKING:
    from .security import Scheme

Json: TypeAlias = "dict[str, Json] | list[Json] | str | int | float | bool | None"
Arguments: TypeAlias = Mapping[str, Json]
Style: TypeAlias = Literal[
    "simple", "label", "matrix", "form", "spaceDelimited", "tabDelimited", "pipeDelimited", "deepObject", "cookie"
]

Node: TypeAlias = Literal["element", "attribute", "text", "cdata", "none"]

A = TypeVar("A")
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Parameter:
    """An argument that travels outside the body (OpenAPI Parameter Object).

    ``name`` is the name on the wire when it differs from the argument's; ``media_type`` is set when the value is
    serialised as content of that type (``content`` instead of ``schema``), and then ``style`` does not count.
    """

    argument: str
    name: str | None = None
    style: Style = "form"
    explode: bool = True
    reserved: bool = False  # allowReserved
    media_type: str | None = None

    @property
    def wire_name(self) -> str:
        """The parameter's name in the request."""
        return self.argument if self.name is None else self.name


@dataclass(frozen=True, slots=True)
class Path(Parameter):
    """An argument that fills ``{name}`` in the path; with ``slashes``, a ``/`` in its value divides the path."""

    style: Style = "simple"
    explode: bool = False
    slashes: bool = False


@dataclass(frozen=True, slots=True)
class Query(Parameter):
    """An argument that is sent in the query string."""


@dataclass(frozen=True, slots=True)
class Header(Parameter):
    """An argument that is sent as a header."""

    style: Style = "simple"
    explode: bool = False


@dataclass(frozen=True, slots=True)
class Cookie(Parameter):
    """An argument that is sent as a cookie."""


@dataclass(frozen=True, slots=True)
class Querystring(Parameter):
    """An argument that is the whole query string (OpenAPI 3.2 ``in: querystring``).

    ``media_type`` is always set; ``parts`` say how the fields of a form are written.
    """

    parts: tuple[Part, ...] = ()


@dataclass(frozen=True, slots=True)
class Field:
    """An argument that is one property of the body."""

    argument: str
    name: str | None = None

    @property
    def wire_name(self) -> str:
        """The property's name in the body."""
        return self.argument if self.name is None else self.name


@dataclass(frozen=True, slots=True)
class Body:
    """An argument that is the whole body."""

    argument: str = "body"


Member: TypeAlias = Path | Query | Header | Cookie | Querystring | Field | Body


@dataclass(frozen=True, slots=True)
class More:
    """An argument that holds further optional arguments by name, each with its own place in the request.

    A tool with very many arguments has one, as it would be too large with a schema for each of them.
    """

    argument: str
    members: tuple[Member, ...]


Binding: TypeAlias = Member | More


@dataclass(frozen=True, slots=True)
class Xml:
    """How a value is written as XML (OpenAPI XML Object); by default as an element that is named like the property.

    ``fields`` are the properties of an object in the order in which they are written, a bare name for one without
    peculiarities; ``others`` says how properties beyond them are written. ``items`` are those of a list, of which
    ``first`` are the first ones (``prefixItems``). A list is no element of its own unless it is ``wrapped``. ``inner``
    is a node within this one for the same value (a schema that is an element and refers to one).
    """

    name: str | None = None
    node: Node = "element"
    wrapped: bool = False
    namespace: str | None = None
    prefix: str | None = None
    fields: tuple[tuple[str, Xml] | str, ...] = ()
    others: Xml | None = None
    items: Xml | None = None
    first: tuple[Xml, ...] = ()
    inner: Xml | None = None


@dataclass(frozen=True, slots=True)
class Part:
    """How one property of a form or multipart body is written (OpenAPI Encoding Object).

    Without a ``name`` it is whatever has no part of its own. ``file`` says that the argument holds bytes (base64 or a
    ``data:`` URI), or a list of such values; ``encoded`` that it is text that stands for bytes, and goes out as it is.
    ``media_type`` is the declared ``contentType``; without one the default of the specification applies. ``xml`` is set
    when a part of an XML type is written from a value; without it the value is the XML, as text. ``parts`` are those
    within a part that is multipart itself.
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


@dataclass(frozen=True, slots=True)
class Content:
    """The body of a request: its media type, and what its serialisation needs to know.

    ``file`` says that a whole-body argument holds bytes (base64 or a ``data:`` URI). ``required`` says that a body is
    sent even when no argument gives a part of it. ``xml`` is set when XML is written from a value; without it the
    argument is the XML, as text.
    """

    media_type: str = "application/json"
    parts: tuple[Part, ...] = ()
    file: bool = False
    required: bool = False
    xml: Xml | None = None


@dataclass(frozen=True, slots=True)
class ServerVariable:
    """A variable of a server's URL template, and the environment variable that sets it."""

    name: str
    default: str
    environment: str
    enum: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ServerUrl:
    """Where the API is: an absolute URL, possibly with variables in braces (OpenAPI Server Object)."""

    url: str
    variables: tuple[ServerVariable, ...] = ()


class Carrier(Protocol):
    """What can carry out an operation: a running server, or a test's stand-in."""

    async def result(self, operation: Operation[Any, Any], arguments: Arguments, /) -> Json:
        """The decoded answer of one call; raises ``CallError`` when there is none."""
        ...


@dataclass(frozen=True, slots=True)
class Operation(Generic[A, R]):
    """One operation of the API, made callable: ``await LIST_PETS(server, {"limit": 1})``.

    ``security`` holds alternatives, each a group of schemes that go together; ``()`` inside means that a call
    without credentials is fine too. ``servers`` are those of the path or the operation, if it has its own.
    ``wrapped`` says that the tool's structured result is ``{"result": answer}``, as the answer is not an object.
    ``fixed`` are arguments that are always sent and that no caller gives, ``defaults`` those that are sent when a
    caller does not give them. ``projection`` is the argument that says which part of the answer is wanted.
    """

    name: str
    method: str
    path: str
    bindings: tuple[Binding, ...] = ()
    body: Content | None = None
    accept: tuple[str, ...] = ()
    security: tuple[tuple[str, ...], ...] = ()
    servers: tuple[ServerUrl, ...] = ()
    wrapped: bool = False
    fixed: tuple[tuple[str, Json], ...] = field(default=(), hash=False)
    defaults: tuple[tuple[str, Json], ...] = field(default=(), hash=False)
    projection: str = ""

    @property
    def inner(self) -> Mapping[str, str]:
        """The arguments that are given inside of another one, each with that one."""
        mores = (binding for binding in self.bindings if isinstance(binding, More))
        return {member.argument: more.argument for more in mores for member in more.members}

    @property
    def parameters(self) -> frozenset[str]:
        """The arguments that travel outside the body."""
        return frozenset(binding.argument for binding in self.bindings if isinstance(binding, Parameter))

    async def __call__(self, api: Carrier, arguments: A) -> R:
        """The API's answer to this operation with these arguments; raises ``CallError`` when it fails."""
        return cast("R", await api.result(self, cast("Arguments", arguments)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Api:
    """What an emitted package offers: its names, its tools by group, and where the API is.

    ``package`` is the import name of the package with ``tools.json`` and ``groups``; ``groups`` maps a module of
    ``groups`` to the names of its tools; ``environment`` is the prefix of all environment variables. ``toolsets`` are
    the groups that are offered unless an operator chooses others, all of them when there is none; ``icons`` are icons
    as MCP has them.

    ``aliases`` maps earlier names of tools to their present ones: they can be called and are not listed. ``retired``
    maps names that no tool has any more to the tool that took its place, or to "": a call is told so.
    """

    name: str
    title: str
    version: str
    package: str
    environment: str
    instructions: str
    groups: Mapping[str, tuple[str, ...]]
    servers: tuple[ServerUrl, ...]
    security: Mapping[str, Scheme]
    toolsets: tuple[str, ...] = ()
    icons: tuple[Mapping[str, Json], ...] = ()
    aliases: Mapping[str, str] = field(default_factory=dict[str, str])
    retired: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def earlier(self) -> Mapping[str, str]:
        """The names that rules may still have, with the present ones; one that no tool has any more means none."""
        return {**{name: name for name in self.retired}, **self.aliases}
