"""Views: a catalog's answers to what the templates ask, as values and words; how they are written is the filters' part.

The names of these classes and their fields are the interface that templates rely on.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from toolcast.emit.literals import Call, Literal
from toolcast.emit.types import expression
from toolcast.emit.values import called, operation, scheme, server
from toolcast.model.catalog import Catalog, Group, Hint, Tool


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
    """A module of operations, with the names that it imports; a type whose name is taken there is renamed (``as``)."""

    name: str
    title: str
    description: str
    tools: tuple[ToolView, ...]
    runtime_names: tuple[str, ...]
    type_names: tuple[str, ...]
    imported_typing: tuple[str, ...]

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
    def file(self) -> str:
        """The variable that names a file with a secret's value."""
        return f"{self.name}_FILE"

    @property
    def placeholder(self) -> str:
        """A value for tests, which is plainly no secret."""
        return placeholder(self.name)


def placeholder(variable: str) -> str:
    """A credential for tests, by its environment variable."""
    return f"test-{variable.lower().replace('_', '-')}"


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
    aliases: Mapping[str, Literal]
    retired: Mapping[str, Literal]
    tool_count: int
    read_count: int
    left_out: tuple[str, ...]
    document: str
    sample_group: str
    sample_constant: str

    @property
    def summary(self) -> str:
        """What the package is, on one line that package indexes take."""
        return f"MCP server for {' '.join(self.title.split())[:400]}"

    @property
    def source(self) -> str:
        """The folder of the import package."""
        return f"src/{self.package}"

    @property
    def entry_point(self) -> str:
        """What the command calls."""
        return f"{self.package}.__main__:main"

    @property
    def generated_folders(self) -> list[str]:
        """Where everything is generated or vendored."""
        return [f"{self.source}/api", f"{self.source}/_runtime", "tests"]

    @property
    def runtime_license(self) -> str:
        """The license of the vendored runtime."""
        return f"{self.source}/_runtime/LICENSE"

    @property
    def credentials(self) -> tuple[VariableView, ...]:
        """The variables that hold secrets."""
        return tuple(variable for variable in self.variables if variable.secret)


def package_view(catalog: Catalog, document: str, cases: Mapping[str, tuple[Literal, ...] | None]) -> PackageView:
    """The view of a catalog; ``cases`` holds each tool's example arguments and expected request, by name."""
    groups = tuple(_group(group, cases) for group in catalog.groups)
    tools = [tool for group in groups for tool in group.tools]
    reading = [tool for tool in tools if tool.read_only]
    easy = [tool for tool in reading if not any(argument.required for argument in tool.arguments)]
    sample = next(iter(easy or reading or tools), None)
    servers = tuple(server(at) for at in catalog.servers)
    schemes = {credential.scheme: scheme(credential) for credential in catalog.credentials}
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
        servers=servers,
        schemes=schemes,
        scheme_names=tuple(sorted({"Scheme", *(made.name for made in schemes.values())})),
        server_names=tuple(sorted({"ServerUrl", *called(servers)})),
        variables=tuple(_variables(catalog)),
        group_index={group.name: tuple(tool.name for tool in group.tools) for group in groups},
        aliases=dict(catalog.aliases),
        retired=dict(catalog.retired),
        tool_count=len(tools),
        read_count=len(reading),
        left_out=catalog.left_out,
        document=document,
        sample_group=sample.group if sample else "",
        sample_constant=sample.constant if sample else "",
    )


def _group(group: Group, cases: Mapping[str, tuple[Literal, ...] | None]) -> GroupView:
    runtime = {"Operation"}.union(*(called(operation(tool)) for tool in group.tools))
    words = {word for tool in group.tools for word in _WORD.findall(_types(tool))}
    types = {word for word in words if word not in _PYTHON}
    renamed = _renamed(types, {*runtime, *_PYTHON, *(_constant(tool) for tool in group.tools)})
    return GroupView(
        name=group.name,
        title=group.title,
        description=group.description,
        tools=tuple(_tool(tool, cases.get(tool.name), renamed) for tool in group.tools),
        runtime_names=tuple(sorted(runtime)),
        type_names=tuple(sorted(f"{name} as {renamed[name]}" if name in renamed else name for name in types)),
        imported_typing=(*(("TYPE_CHECKING",) if types else ()), *(("Any",) if "Any" in words else ())),
    )


_WORD = re.compile(r"\w+")
_PYTHON = frozenset(["Any", "None", "TYPE_CHECKING", "bool", "dict", "float", "int", "list", "str"])


def _renamed(types: Collection[str], taken: Collection[str]) -> dict[str, str]:
    """Other names for the types whose names something else has in the module: a class of the runtime, a constant."""
    given: dict[str, str] = {}
    for name in sorted(set(types) & set(taken)):
        other = f"{name}Type"
        while other in {*types, *taken, *given.values()}:
            other += "_"
        given[name] = other
    return given


def _constant(tool: Tool) -> str:
    return tool.name.upper()


def _types(tool: Tool) -> str:
    return f"{expression(tool.arguments_type)}, {expression(tool.result_type)}"


def _tool(tool: Tool, case: tuple[Literal, ...] | None, renamed: Mapping[str, str]) -> ToolView:
    summary = tool.description.split("\n", 1)[0]
    return ToolView(
        name=tool.name,
        group=tool.group,
        constant=_constant(tool),
        title=tool.title,
        summary=summary if len(summary) <= 110 else tool.title,
        description=tool.description,
        key=tool.key,
        method=tool.method,
        path=tool.path,
        type=f"Operation[{_WORD.sub(lambda word: renamed.get(word[0], word[0]), _types(tool))}]",
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


def _variables(catalog: Catalog) -> Iterable[VariableView]:
    prefix = catalog.environment
    for credential in catalog.credentials:
        for variable in credential.variables:
            what = credential.description.split("\n", 1)[0] or f"Credential for the scheme {credential.scheme}."
            yield VariableView(name=variable, description=what, default="", secret=True)
    url = catalog.servers[0].url if catalog.servers else ""
    yield VariableView(name=f"{prefix}_BASE_URL", description="Where the API is.", default=url, secret=False)
    servers = (*catalog.servers, *(own for tool in catalog.tools for own in tool.servers))
    seen: set[str] = set()
    for variable in (variable for at in servers for variable in at.variables):
        if variable.environment not in seen:  # servers that call a variable by one name share it
            seen.add(variable.environment)
            what = variable.description or f"The variable {variable.name} of the URL."
            choices = f" One of: {', '.join(variable.enum)}." if variable.enum else ""
            yield VariableView(
                name=variable.environment, description=f"{what}{choices}", default=variable.default, secret=False
            )
    settings = [
        ("HEADERS", "Further headers, as a JSON object.", ""),
        ("TIMEOUT", "Seconds that a call may take.", "30"),
        ("MAX_RESPONSE_BYTES", "Bytes of an answer that are read at most.", "10485760"),
        ("MAX_RESULT_BYTES", "Bytes of a result at most; longer lists are cut at whole elements.", "860000"),
        ("ALLOWED_HOSTS", "Names besides those of this machine by which --http may be called.", ""),
        ("LOG", "How much is logged: debug, info, warning or error.", "warning"),
    ]
    if any(tool.servers for tool in catalog.tools):
        what = f"1: {prefix}_BASE_URL counts for operations with servers of their own, too."
        settings.insert(0, ("BASE_URL_ALL", what, ""))
    if catalog.credentials:
        settings.append(("AUTH", "off: send no credentials, where a gateway adds them.", "on"))
    for name, what, default in settings:
        yield VariableView(name=f"{prefix}_{name}", description=what, default=default, secret=False)
