"""Views: a catalog's answers to what the templates ask. Values and words only; how they are written is the filters' part.

The names of these classes and their fields are the interface that templates rely on.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from toolcast.emit.literals import Call, Literal
from toolcast.emit.types import expression
from toolcast.model.catalog import (
    Binding,
    BodyField,
    Catalog,
    Content,
    CookieArg,
    Credential,
    Group,
    HeaderArg,
    Hint,
    Part,
    PathArg,
    QueryArg,
    QuerystringArg,
    ServerUrl,
    Tool,
    WholeBody,
)

# The classes of the runtime, and what each assumes when it is not told otherwise.
_PARAMETERS: Mapping[type, tuple[str, str, bool]] = {
    PathArg: ("Path", "simple", False),
    QueryArg: ("Query", "form", True),
    HeaderArg: ("Header", "simple", False),
    CookieArg: ("Cookie", "form", True),
    QuerystringArg: ("Querystring", "form", True),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class HintView:
    """An MCP annotation with its value and its reason."""

    name: str
    value: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ArgumentView:
    """An argument, for people."""

    name: str
    type: str
    required: bool
    description: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolView:
    """A tool: its names, its operation as a value of emitted code, and what people want to know of it."""

    name: str
    group: str
    constant: str
    title: str
    summary: str
    description: str
    key: str
    method: str
    path: str
    type: str
    operation: Call
    hints: tuple[HintView, ...]
    arguments: tuple[ArgumentView, ...]
    case: tuple[Literal, ...] | None

    @property
    def read_only(self) -> bool:
        """Does the tool only read?"""
        return self.hints[0].value == "yes"


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupView:
    """A module of operations, with the names that it imports."""

    name: str
    title: str
    description: str
    tools: tuple[ToolView, ...]
    runtime_names: tuple[str, ...]
    type_names: tuple[str, ...]
    needs_any: bool

    @property
    def cases(self) -> tuple[ToolView, ...]:
        """The tools for which arguments could be made up."""
        return tuple(tool for tool in self.tools if tool.case is not None)

    @property
    def without_case(self) -> tuple[ToolView, ...]:
        """The tools for which none could."""
        return tuple(tool for tool in self.tools if tool.case is None)


@dataclass(frozen=True, slots=True, kw_only=True)
class VariableView:
    """An environment variable of the server."""

    name: str
    description: str
    default: str
    secret: bool

    @property
    def placeholder(self) -> str:
        """A value for tests, which is plainly no secret."""
        return f"test-{self.name.lower().replace('_', '-')}"


@dataclass(frozen=True, slots=True, kw_only=True)
class PackageView:
    """The whole package."""

    name: str
    package: str
    distribution: str
    environment: str
    title: str
    version: str
    api_version: str
    description: str
    instructions: str
    groups: tuple[GroupView, ...]
    servers: Literal
    schemes: Mapping[str, Literal]
    scheme_names: tuple[str, ...]
    server_names: tuple[str, ...]
    variables: tuple[VariableView, ...]
    group_index: Mapping[str, Literal]
    base_url: str
    tool_count: int
    read_count: int
    left_out: tuple[str, ...]
    document: str
    generator: str
    sample_group: str
    sample_constant: str

    @property
    def credentials(self) -> tuple[VariableView, ...]:
        """The variables that hold secrets."""
        return tuple(variable for variable in self.variables if variable.secret)


def package_view(
    catalog: Catalog, document: str, generator: str, cases: Mapping[str, tuple[Literal, ...] | None]
) -> PackageView:
    """The view of a catalog; ``cases`` holds each tool's example arguments and expected request, by name."""
    groups = tuple(_group(group, cases) for group in catalog.groups)
    tools = [tool for group in groups for tool in group.tools]
    reading = [tool for tool in tools if tool.read_only]
    easy = [tool for tool in reading if not any(argument.required for argument in tool.arguments)]
    sample = next(iter(easy or reading or tools), None)
    return PackageView(
        name=catalog.name,
        package=catalog.package,
        distribution=catalog.distribution,
        environment=catalog.environment,
        title=catalog.title,
        version=catalog.version,
        api_version=catalog.api_version,
        description=catalog.description,
        instructions=catalog.instructions,
        groups=groups,
        servers=tuple(_server(server) for server in catalog.servers),
        schemes={credential.scheme: scheme(credential) for credential in catalog.credentials},
        scheme_names=tuple(sorted({"Scheme", *(scheme(credential).name for credential in catalog.credentials)})),
        server_names=("ServerUrl", *(("ServerVariable",) if any(s.variables for s in catalog.servers) else ())),
        variables=tuple(_variables(catalog)),
        group_index={group.name: tuple(tool.name for tool in group.tools) for group in groups},
        base_url=catalog.servers[0].url if catalog.servers else "",
        tool_count=len(tools),
        read_count=len(reading),
        left_out=catalog.left_out,
        document=document,
        generator=generator,
        sample_group=sample.group if sample else "",
        sample_constant=sample.constant if sample else "",
    )


def _group(group: Group, cases: Mapping[str, tuple[Literal, ...] | None]) -> GroupView:
    tools = tuple(_tool(tool, cases.get(tool.name)) for tool in group.tools)
    types = [_type_words(tool.type) for tool in tools]
    names = {"Operation"}
    for tool in tools:
        _collect(tool.operation, names)
    return GroupView(
        name=group.name,
        title=group.title,
        description=group.description,
        tools=tools,
        runtime_names=tuple(sorted(names)),
        type_names=tuple(sorted({name for found in types for name in found} - {"Any", "Operation"})),
        needs_any=any("Any" in found for found in types),
    )


_BUILTINS = frozenset(["str", "int", "float", "bool", "None", "list", "dict"])


def _type_words(text: str) -> set[str]:
    found = "".join(c if c.isalnum() or c == "_" else " " for c in text).split()
    return {word for word in found if word not in _BUILTINS}


def _collect(value: Literal, names: set[str]) -> None:
    """Add the classes that a value of emitted code calls."""
    if isinstance(value, Call):
        names.add(value.name)
        for item in (*value.positional, *(value.keywords or {}).values()):
            _collect(item, names)
    elif isinstance(value, tuple):
        for item in value:
            _collect(item, names)


def _tool(tool: Tool, case: tuple[Literal, ...] | None) -> ToolView:
    summary = tool.description.split("\n", 1)[0]
    return ToolView(
        name=tool.name,
        group=tool.group,
        constant=tool.name.upper(),
        title=tool.title,
        summary=summary if len(summary) <= 110 else tool.title,
        description=tool.description,
        key=tool.key,
        method=tool.method,
        path=tool.path,
        type=f"Operation[{expression(tool.arguments_type)}, {expression(tool.result_type)}]",
        operation=operation(tool),
        hints=(
            _hint("read-only", tool.hints.read_only),
            _hint("destructive", tool.hints.destructive),
            _hint("idempotent", tool.hints.idempotent),
            _hint("open world", tool.hints.open_world),
        ),
        arguments=tuple(_arguments(tool)),
        case=case,
    )


def _hint(name: str, hint: Hint) -> HintView:
    return HintView(name=name, value="yes" if hint.value else "no", reason=hint.reason)


def _arguments(tool: Tool) -> Iterable[ArgumentView]:
    properties, required = tool.input_schema.get("properties"), tool.input_schema.get("required")
    for name, schema in (properties if isinstance(properties, dict) else {}).items():
        declared = schema.get("type") if isinstance(schema, dict) else None
        text = schema.get("description") if isinstance(schema, dict) else None
        yield ArgumentView(
            name=name,
            type=" or ".join(str(kind) for kind in declared) if isinstance(declared, list) else str(declared or "any"),
            required=isinstance(required, list) and name in required,
            description=text.split("\n", 1)[0] if isinstance(text, str) else "",
        )


def operation(tool: Tool) -> Call:
    """The ``Operation`` of a tool, as a value of emitted code; what is the default is not written."""
    given: dict[str, Literal] = {"name": tool.name, "method": tool.method, "path": tool.path}
    if tool.bindings:
        given["bindings"] = tuple(_binding(binding) for binding in tool.bindings)
    if tool.body is not None:
        given["body"] = _content(tool.body)
    if tool.accept:
        given["accept"] = tool.accept
    if tool.security:
        given["security"] = tool.security
    if tool.servers:
        given["servers"] = tuple(_server(server) for server in tool.servers)
    if tool.wrapped:
        given["wrapped"] = True
    return Call("Operation", (), given)


def _binding(binding: Binding) -> Call:
    given: dict[str, Literal] = {}
    if isinstance(binding, WholeBody):
        return Call("Body", () if binding.argument == "body" else (binding.argument,))
    if binding.name != binding.argument:
        given["name"] = binding.name
    if isinstance(binding, BodyField):
        return Call("Field", (binding.argument,), given)
    name, style, explode = _PARAMETERS[type(binding)]
    if binding.media_type is not None:
        given["media_type"] = binding.media_type
    else:
        given |= {"style": binding.style} if binding.style != style else {}
        given |= {"explode": binding.explode} if binding.explode != explode else {}
    given |= {"reserved": True} if binding.reserved else {}
    return Call(name, (binding.argument,), given)


def _content(content: Content) -> Call:
    given: dict[str, Literal] = {}
    if content.parts:
        given["parts"] = tuple(_part(part) for part in content.parts)
    given |= {"file": True} if content.file else {}
    given |= {"required": True} if content.required else {}
    return Call("Content", () if content.media_type == "application/json" else (content.media_type,), given)


def _part(part: Part) -> Call:
    given: dict[str, Literal] = {"file": True} if part.file else {}
    given |= {"media_type": part.media_type} if part.media_type else {}
    given |= {"style": part.style} if part.style else {}
    given |= {} if part.explode else {"explode": False}
    given |= {"reserved": True} if part.reserved else {}
    return Call("Part", (part.name,), given)


def _server(server: ServerUrl) -> Call:
    variables: tuple[Literal, ...] = tuple(
        Call(
            "ServerVariable",
            (),
            {"name": v.name, "default": v.default, "environment": v.environment} | ({"enum": v.enum} if v.enum else {}),
        )
        for v in server.variables
    )
    return Call("ServerUrl", (server.url,), {"variables": variables} if variables else {})


def scheme(credential: Credential) -> Call:
    """The security scheme of a credential, as a value of emitted code."""
    match credential.kind:
        case "apiKey":
            return Call("ApiKey", (credential.variables[0], credential.location, credential.name))
        case "basic":
            return Call("Basic", (credential.variables[0], credential.variables[1]))
        case "token":
            prefix: dict[str, Literal] = {} if credential.prefix == "Bearer" else {"prefix": credential.prefix}
            return Call("Token", (credential.variables[0],), prefix)


def _variables(catalog: Catalog) -> Iterable[VariableView]:
    prefix = catalog.environment
    for credential in catalog.credentials:
        for variable in credential.variables:
            what = credential.description.split("\n", 1)[0] or f"Credential for the scheme {credential.scheme}."
            yield VariableView(name=variable, description=what, default="", secret=True)
    yield VariableView(
        name=f"{prefix}_BASE_URL", description="Where the API is.", default=catalog.servers[0].url, secret=False
    )
    seen: set[str] = set()
    for server in catalog.servers:
        for variable in server.variables:
            if variable.environment not in seen:
                seen.add(variable.environment)
                choices = f" One of: {', '.join(variable.enum)}." if variable.enum else ""
                what = f"{variable.description or f'The variable {variable.name} of the URL.'}{choices}"
                yield VariableView(name=variable.environment, description=what, default=variable.default, secret=False)
    yield VariableView(name=f"{prefix}_HEADERS", description="Further headers, as a JSON object.", default="", secret=False)
    yield VariableView(name=f"{prefix}_TIMEOUT", description="Seconds that a call may take.", default="30", secret=False)
