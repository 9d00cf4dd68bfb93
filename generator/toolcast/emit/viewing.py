"""Viewing: a catalog becomes the view that templates see."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import cast

from toolcast.emit.contract import icons
from toolcast.emit.literals import Literal
from toolcast.emit.types import expression
from toolcast.emit.values import called, operation, scheme, server
from toolcast.emit.views import (
    OWN_SECRETS,
    ArgumentView,
    AuthorView,
    GroupView,
    HintView,
    PackageView,
    RuleView,
    ToolView,
    VariableView,
)
from toolcast.model.catalog import Catalog, Group, Hint, Tool
from toolcast.model.rules import RULES


def package_view(
    catalog: Catalog,
    document: str,
    cases: Mapping[str, tuple[Literal, ...] | None],
    *,
    templates: str = "",
    overlays: Sequence[str] = (),
) -> PackageView:
    """The view of a catalog; ``cases`` holds each tool's example arguments and expected request, by name.

    ``document``, ``templates`` and ``overlays`` are where ``toolcast.toml`` says that they are.
    """
    groups = tuple(_group(group, cases) for group in catalog.groups)
    tools = [tool for group in groups for tool in group.tools if not tool.resource]
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
        tool_count=len(tools),
        read_count=len(reading),
        rules=tuple(_rules(tool for group in groups for tool in group.tools)),
        aliases=dict(catalog.aliases),
        retired=dict(catalog.retired),
        left_out=catalog.left_out,
        document=document,
        overlays=list(overlays),
        templates=templates,
        toolsets=catalog.toolsets,
        icons=tuple(cast("Literal", icon) for icon in icons(catalog.icons)),
        authors=tuple(AuthorView(name=name, email=email) for name, email in catalog.metadata.authors),
        license=catalog.metadata.license,
        dependencies=_dependencies(catalog),
        registry_name=catalog.metadata.registry_name,
        about=catalog.metadata.description,
        without=catalog.without,
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
        resource=tool.resource or "",
        case=case,
    )


def _hint(name: str, hint: Hint) -> HintView:
    return HintView(name=name, value="yes" if hint.value else "no", reason=hint.reason, rule=hint.rule)


def _rules(tools: Iterable[ToolView]) -> Iterable[RuleView]:
    """The rules that decided anything, in the order of the table."""
    used = {hint.rule for tool in tools for hint in tool.hints}
    return (RuleView(name=name, meaning=meaning) for name, meaning in RULES.items() if name in used)


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


# What every server can be told, in the order of interest: name, what it is, default.
_SETTINGS = (
    ("HEADERS", "Further headers, as a JSON object.", ""),
    ("READ_ONLY", "1: offer only tools that change nothing.", ""),
    ("TOOLSETS", "Offer only the tools of these groups.", "all"),
    ("TOOLS", "Offer only these tools.", ""),
    ("EXCLUDE_TOOLS", "Do not offer these tools.", ""),
    ("MODE", "all: every tool is listed; search: three tools are, which find and call the others.", "all"),
    ("GUARD", "Which calls a human is asked about: ask, required or off, and rules by tool, group or hint.", "ask"),
    ("STATE_KEYS", "Keys of at least 32 characters that replicas share, to know what the others have sealed.", ""),
    ("STATE_FOLDER", "A folder that replicas share, so that a confirmation counts once for all of them.", ""),
    ("AUDIT", "A line for each call: off, stderr or the path of a file.", "off"),
    ("ISSUER", "Over HTTP: the authorization server whose tokens callers need.", ""),
    ("RESOURCE_URL", "The URL of this server, for which those tokens are made.", ""),
    ("JWKS_URL", "Where the issuer's keys are, if its metadata does not say.", ""),
    ("REQUIRED_SCOPES", "Scopes that those tokens must grant, and rules by tool, group or hint.", ""),
    ("CALLER_CREDENTIALS", "Headers in which callers bring credentials for the API: X-Key=VARIABLE.", ""),
    ("TOKEN_EXCHANGE", "OAuth schemes whose tokens callers get for their own, by RFC 8693.", ""),
    ("CLIENT_CERTIFICATE", "A certificate to show to the API (mutual TLS), as PEM.", ""),
    ("CLIENT_KEY", "Its private key, as PEM.", ""),
    ("TIMEOUT", "Seconds that a call may take, with every try.", "30"),
    ("TIMEOUTS", "Other times for some tools, as a JSON object.", ""),
    ("CONNECT_TIMEOUT", "Seconds to connect to the API.", "10"),
    ("READ_TIMEOUT", "Seconds that the API may be silent; 0: no limit of its own.", "0"),
    ("RETRIES", "Further tries of a request that met a failure which may pass.", "2"),
    ("CONCURRENCY", "Calls to the API at once; 0: any number.", "100"),
    ("RATE", "Calls to the API per second; 0: any number.", "0"),
    ("RATE_PER_CALLER", "Calls to the API per second, of each caller; 0: any number.", "0"),
    ("REDIRECTS", "Redirects of one reading call that are followed.", "0"),
    ("POLL", "Seconds to follow an operation that the API has only accepted.", "0"),
    ("MAX_RESPONSE_BYTES", "Bytes of an answer that are read at most.", "10485760"),
    ("MAX_RESULT_BYTES", "Bytes of a result at most; longer lists are cut at whole elements.", "860000"),
    ("HOST", "The address that --http serves on.", "127.0.0.1"),
    ("PORT", "The port that --http serves on.", "8000"),
    ("ALLOWED_HOSTS", "Names besides those of this machine by which --http may be called.", ""),
    ("LOG", "How much is logged: debug, info, warning or error.", "warning"),
    ("LOG_FORMAT", "How it is logged: text, or json for an object on each line.", "text"),
)

# What the variables of a scheme are, by the end of their names; of these, some are no secrets.
_PARTS: Mapping[str, Mapping[str, str]] = {
    "oauth": {
        "_REFRESH_TOKEN": "(A refresh token.)",
        "_TOKEN": "(An access token; the others get one.)",
        "_CLIENT_ID": "(The client's id.)",
        "_CLIENT_SECRET": "(The client's secret.)",
        "_USERNAME": "(A user's name.)",
        "_PASSWORD": "(A user's password.)",
    },
    "mutualTLS": {
        "": "(A certificate as PEM, shown when a connection is made. external: another program, as a proxy, shows it.)"
    },
}
_SHOWN = ("(The client's id.)", "(A user's name.)")


def _dependencies(catalog: Catalog) -> list[str]:
    """What the package needs besides the runtime's own needs."""
    own = list(catalog.metadata.dependencies)
    projects = any(tool.projection for tool in catalog.tools)
    if projects and not any(re.match(r"(?i)jmespath\b", dependency) for dependency in own):
        own.append("jmespath>=1.1,<2")
    return own


def _variables(catalog: Catalog) -> Iterable[VariableView]:
    prefix = catalog.environment
    named: set[str] = set()
    for credential in catalog.credentials:
        what = credential.description.split("\n", 1)[0] or f"Credential for the scheme {credential.scheme}."
        for variable in credential.variables:
            part = next((text for end, text in _PARTS.get(credential.kind, {}).items() if variable.endswith(end)), "")
            if variable not in named:  # schemes that mean the same share their variables
                named.add(variable)
                text = f"{what} {part}" if part else what
                yield VariableView(name=variable, description=text, default="", secret=part not in _SHOWN, of_api=True)
    url = catalog.servers[0].url if catalog.servers else ""
    yield VariableView(
        name=f"{prefix}_BASE_URL", description="Where the API is.", default=url, secret=False, of_api=True
    )
    servers = (*catalog.servers, *(own for tool in catalog.tools for own in tool.servers))
    seen: set[str] = set()
    for variable in (variable for at in servers for variable in at.variables):
        if variable.environment not in seen:  # servers that call a variable by one name share it
            seen.add(variable.environment)
            what = variable.description or f"The variable {variable.name} of the URL."
            choices = f" One of: {', '.join(variable.enum)}." if variable.enum else ""
            yield VariableView(
                name=variable.environment,
                description=f"{what}{choices}",
                default=variable.default,
                secret=False,
                of_api=True,
            )
    settings = list(_SETTINGS)
    if any(tool.servers for tool in catalog.tools):
        what = f"1: {prefix}_BASE_URL counts for operations with servers of their own, too."
        settings.insert(0, ("BASE_URL_ALL", what, ""))
    if catalog.credentials:
        settings.append(("AUTH", "off: send no credentials, where a gateway adds them.", "on"))
    for name, what, default in settings:
        if f"{prefix}_{name}" in named:
            continue
        secret = name in OWN_SECRETS
        yield VariableView(name=f"{prefix}_{name}", description=what, default=default, secret=secret, of_api=False)
