"""Views: the values that templates see. They answer what templates ask; how that is written is the filters' part.

The names of these classes and of their members are an interface: owners' templates rely on them. Each text is a
``Name`` or a ``Text`` (see ``kinds.py``), which tells what may stand in it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from toolcast.emit.kinds import Name, Text
from toolcast.emit.literals import Call, Literal

_DEPLOYMENTS: Final = ("Dockerfile", "compose.yaml", "deploy/kubernetes.yaml", "manifest.json", "server.json")


@dataclass(frozen=True, slots=True, kw_only=True)
class HintView:
    """An MCP annotation of a tool: its value, `yes` or `no`, why, and the name of the rule that says so."""

    name: Name
    value: Name
    reason: Text
    rule: Name


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleView:
    """A rule of the hints: its name, and what it is in words."""

    name: Name
    meaning: Name


# Secrets that are no credentials of the API's schemes.
OWN_SECRETS = frozenset(["STATE_KEYS", "CLIENT_KEY"])
# Rules that say what another hint, or every tool, says.
_FOLLOWING = frozenset(["read-only", "outside"])


@dataclass(frozen=True, slots=True, kw_only=True)
class ArgumentView:
    """An argument of a tool, for people; `type` is what JSON Schema calls it."""

    name: Text
    type: Name
    required: bool
    description: Text


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolView:
    """A tool: its names, its operation as a value of emitted code, and what people want to know of it.

    `key` is method and path; `type` is the annotation of the constant; `summary` is one sentence of `description`;
    `resource` is the URI, or its template, of one that is offered as a resource and is no tool, else empty; `case`
    holds the tool's name, arguments made up for it, and the request that they become, where they could be.
    """

    name: Name
    group: Name
    constant: Name
    title: Text
    summary: Text
    description: Text
    key: Text
    method: Text
    path: Text
    type: Name
    operation: Call
    hints: tuple[HintView, ...]
    arguments: tuple[ArgumentView, ...]
    resource: Text
    case: tuple[Literal, ...] | None

    @property
    def read_only(self) -> bool:
        """Does the tool only read?"""
        return self.hints[0].value == "yes"

    @property
    def reasons(self) -> tuple[HintView, ...]:
        """The hints that tell why; those that follow from another, or say the same, are not among them."""
        told = {(hint.rule, hint.reason): hint for hint in reversed(self.hints) if hint.rule not in _FOLLOWING}
        return tuple(hint for hint in self.hints if told.get((hint.rule, hint.reason)) is hint)


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupView:
    """A module of operations, with the names that it imports; a type whose name is taken there is renamed (`as`)."""

    name: Name
    title: Text
    description: Text
    tools: tuple[ToolView, ...]
    runtime_names: tuple[Name, ...]
    type_names: tuple[Name, ...]
    imported_typing: tuple[Name, ...]

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
    """An environment variable of the server; `of_api` says that it tells where the API is, or proves who calls it."""

    name: Name
    description: Text
    default: Text
    secret: bool
    of_api: bool

    @property
    def file(self) -> Name:
        """The variable that names a file with a secret's value."""
        return f"{self.name}_FILE"

    @property
    def key(self) -> Name:
        """Its name in small letters."""
        return self.name.lower()

    @property
    def substituted(self) -> Name:
        """What a bundle's host replaces by what people have told it."""
        return f"${{user_config.{self.key}}}"

    @property
    def placeholder(self) -> Name:
        """A value for tests, which is plainly no secret."""
        return placeholder(self.name)


def placeholder(variable: str) -> str:
    """A credential for tests, by its environment variable; a certificate cannot be made up, so another shows one."""
    if variable.endswith("_CLIENT_CERTIFICATE"):
        return "external"
    return f"test-{variable.lower().replace('_', '-')}"


def _shortened(text: str) -> str:
    """A text on one line of at most 100 characters, which are cut between words."""
    line = " ".join(text.split())
    return line if len(line) <= 100 else line[:100].rpartition(" ")[0] or line[:100]


@dataclass(frozen=True, slots=True, kw_only=True)
class AuthorView:
    """Who made the package: a name, an address, or both."""

    name: Text
    email: Text


@dataclass(frozen=True, slots=True, kw_only=True)
class PackageView:
    """The whole package.

    `name` is the base of all names, `package` the import name, `environment` the prefix of variables; `version` is the
    package's own, `api_version` the document's. `servers` and `schemes` are values of emitted code. `left_out` are the
    keys of deprecated operations, `rules` those that hints come from, `aliases` and `retired` map earlier names to what
    is called instead. `document` and `templates` are where `toolcast.toml` says that they are. The sample is an
    operation that serves as an example, where there is any.
    """

    name: Name
    package: Name
    distribution: Name
    environment: Name
    title: Text
    version: Name
    api_version: Text
    description: Text
    instructions: Text
    groups: tuple[GroupView, ...]
    servers: Literal
    schemes: Mapping[Text, Literal]
    scheme_names: tuple[Name, ...]
    server_names: tuple[Name, ...]
    variables: tuple[VariableView, ...]
    group_index: Mapping[Name, Literal]
    aliases: Mapping[Name, Literal]
    retired: Mapping[Name, Literal]
    tool_count: int
    read_count: int
    rules: tuple[RuleView, ...]
    left_out: tuple[Text, ...]
    document: Text
    overlays: list[Text]
    templates: Text
    toolsets: tuple[Name, ...]
    icons: tuple[Literal, ...]
    authors: tuple[AuthorView, ...]
    license: Name
    dependencies: list[Text]
    registry_name: Name
    about: Text
    without: tuple[Name, ...]
    sample_group: Name
    sample_constant: Name

    @property
    def summary(self) -> Text:
        """What the package is, on one line that package indexes take."""
        return self.about or f"MCP server for {' '.join(self.title.split())[:400]}"

    @property
    def short_title(self) -> Text:
        """The title in at most 100 characters, as the MCP registry takes it."""
        return _shortened(self.title) or self.distribution

    @property
    def short_summary(self) -> Text:
        """The summary in at most 100 characters, as the MCP registry takes it."""
        return _shortened(self.summary)

    @property
    def publisher(self) -> Text:
        """Who made the package: its first author, else its own name."""
        named = [author.name or author.email for author in self.authors]
        return named[0] if named else self.distribution

    @property
    def label(self) -> Name:
        """The name of the distribution as hosts and clusters take it: a DNS label (RFC 1123)."""
        return self.distribution.replace("_", "-")

    @property
    def image(self) -> Name:
        """The container image with its tag."""
        return f"{self.label}:{self.version.replace('+', '-')}"

    @property
    def source(self) -> Name:
        """The folder of the import package."""
        return f"src/{self.package}"

    @property
    def entry_point(self) -> Name:
        """What the command calls."""
        return f"{self.package}.__main__:main"

    @property
    def generated_folders(self) -> list[Name]:
        """Where everything is generated or vendored."""
        return [f"{self.source}/api", f"{self.source}/_runtime", "tests"]

    @property
    def runtime_license(self) -> Name:
        """The license of the vendored runtime."""
        return f"{self.source}/_runtime/LICENSE"

    @property
    def deployments(self) -> tuple[Name, ...]:
        """The files of the package that it is deployed with."""
        without = (*self.without, *(() if self.registry_name else ("server.json",)))
        return tuple(path for path in _DEPLOYMENTS if path not in without)

    @property
    def entry_file(self) -> Name:
        """The file that starts the server."""
        return f"{self.source}/__main__.py"

    @property
    def tools(self) -> tuple[ToolView, ...]:
        """The tools of all groups; what is offered as a resource is none."""
        return tuple(tool for group in self.groups for tool in group.tools if not tool.resource)

    @property
    def connection(self) -> tuple[VariableView, ...]:
        """The variables that tell where the API is, or prove who calls it."""
        return tuple(variable for variable in self.variables if variable.of_api)

    @property
    def credentials(self) -> tuple[VariableView, ...]:
        """The variables that hold secrets of the API's."""
        own = {f"{self.environment}_{name}" for name in OWN_SECRETS}
        return tuple(variable for variable in self.variables if variable.secret and variable.name not in own)
