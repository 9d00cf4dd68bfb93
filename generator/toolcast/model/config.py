"""What the owner wants: the contents of ``toolcast.toml``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from toolcast.diagnostics import Location
from toolcast.model.limits import TOOL_TOKENS
from toolcast.model.wishes import BodyForm, Icon, OutputPolicy, RecursionPolicy, RefsPolicy, Said, ToolWish


def _no_groups() -> Mapping[str, GroupWish]:
    return {}


def _no_files() -> Mapping[str, bool]:
    return {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """Operations that have one of each of these; patterns of a kind that is not named say nothing."""

    tags: tuple[Said[str], ...] = ()
    paths: tuple[Said[str], ...] = ()
    methods: tuple[Said[str], ...] = ()
    operations: tuple[Said[str], ...] = ()
    deprecated: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Select:
    """Which operations are offered; ``deprecated`` is None when a first generation shall leave them out."""

    include: Match = field(default_factory=Match)
    exclude: Match = field(default_factory=Match)
    deprecated: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A wish for several operations."""

    match: Match
    wish: ToolWish
    at: Location


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolTable:
    """A wish for one operation, which this text names: a tool's name, an operationId, or "METHOD /path"."""

    text: str
    wish: ToolWish
    at: Location


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupWish:
    """What is wanted of a group."""

    title: str = ""
    description: str = ""
    at: Location


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerWish:
    """What is wanted of the server as a whole; what is empty is taken from the document."""

    title: str = ""
    instructions: str = ""
    base_url: str = ""
    toolsets: tuple[Said[str], ...] = ()
    icons: tuple[Icon, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Metadata:
    """What is said of the package for indexes; ``authors`` are names and addresses, either may be empty."""

    description: str = ""
    authors: tuple[tuple[str, str], ...] = ()
    license: str = ""
    dependencies: tuple[str, ...] = ()
    registry_name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """The owner's wishes.

    ``document`` and ``overlays`` are paths relative to the package's folder, with ``/``, or URLs; ``tree`` is such a
    path, and so is ``templates``, the folder with the owner's templates. ``budget`` is what one tool may cost in a
    list, in tokens; ``output_schema`` how closely answers are described; ``refs`` whether what an input schema says
    several times is told once, and ``recursion`` whether cycles of references are kept there. ``files`` has extras by
    whether they are wanted.
    """

    document: str = ""
    overlays: tuple[str, ...] = ()
    tree: str = ""
    allow_remote_refs: bool = False
    name: str = ""
    version: str = "0.1.0"
    select: Select = field(default_factory=Select)
    rules: tuple[Rule, ...] = ()
    tools: tuple[ToolTable, ...] = ()
    groups: Mapping[str, GroupWish] = field(default_factory=_no_groups)
    output_schema: OutputPolicy = "loose"
    budget: int = TOOL_TOKENS
    body: BodyForm = "flat"
    refs: RefsPolicy = "inline"
    recursion: RecursionPolicy = "cut"
    media_types: tuple[str, ...] = ()
    server: ServerWish = field(default_factory=ServerWish)
    package: Metadata = field(default_factory=Metadata)
    templates: str = ""
    files: Mapping[str, bool] = field(default_factory=_no_files)
