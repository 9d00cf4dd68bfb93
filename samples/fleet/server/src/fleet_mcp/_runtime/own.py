"""What owners add to the operations of the API: tools, resources and prompts of their own."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, Generic, Literal, TypeAlias, TypeVar
from urllib.parse import unquote

from .errors import CompositionError
from .validator import Schema

if TYPE_CHECKING:
    from mcp.types import CallToolResult

    from .call import Call

# What a tool of an owner's answers: any JSON value, as lists and TypedDicts too, or a result of MCP as it is.
Answer: TypeAlias = "Mapping[str, object] | Sequence[object] | str | int | float | bool | CallToolResult | None"
Texts: TypeAlias = Mapping[str, str]
Message: TypeAlias = tuple[Literal["user", "assistant"], str]

A = TypeVar("A", bound=Mapping[str, object])

_NAME: Final = re.compile(r"[A-Za-z0-9_.-]{1,128}")  # MCP 2026-07-28, Tool Names
_VARIABLE: Final = re.compile(r"\{([A-Za-z0-9_]+)\}")


@dataclass(frozen=True, kw_only=True)
class OwnTool(Generic[A]):
    """A tool that a function carries out; the function calls operations with the ``Call`` that it gets.

    ``arguments`` has the JSON Schema of each argument; all are required but those in ``optional``. ``output`` is a
    JSON Schema of an object. The hints are those of the worst that the function does: a human is asked about the tool
    as a whole, and not again about the operations in it.
    """

    name: str
    description: str
    handler: Callable[[Call, A], Awaitable[Answer]]
    arguments: Mapping[str, Schema] = field(default_factory=dict[str, Schema])
    optional: Collection[str] = ()
    output: Schema | None = None
    title: str = ""
    group: str = "own"
    read_only: bool = False
    destructive: bool = True
    idempotent: bool = False
    open_world: bool = True

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name):
            raise CompositionError(f"{self.name!r} cannot be the name of a tool: use letters, digits and _ . -")
        if unknown := set(self.optional) - set(self.arguments):
            raise CompositionError(f"{self.name} has no argument {min(unknown)!r} that could be optional")
        if self.output is not None and self.output.get("type") != "object":
            raise CompositionError(f"The output of {self.name} must be of the type object")

    @property
    def entry(self) -> Mapping[str, Any]:
        """The tool as it stands in a tools/list answer."""
        listed: dict[str, Any] = {
            "name": self.name,
            "title": self.title or self.name.replace("_", " ").capitalize(),
            "description": self.description,
            "inputSchema": {
                "type": "object",
                "properties": dict(self.arguments),
                "required": [name for name in self.arguments if name not in self.optional],
                "additionalProperties": False,
            },
        }
        if self.output is not None:
            listed["outputSchema"] = dict(self.output)
        listed["annotations"] = {
            "readOnlyHint": self.read_only,
            "destructiveHint": self.destructive and not self.read_only,
            "idempotentHint": self.idempotent or self.read_only,
            "openWorldHint": self.open_world,
        }
        return listed


@dataclass(frozen=True, kw_only=True)
class Resource:
    """A resource that a function reads, or with ``{variables}`` in its URI a template of resources.

    The function gets the values of the variables, and gives a text or bytes.
    """

    uri: str
    name: str
    read: Callable[[Call, Texts], Awaitable[str | bytes]]
    title: str = ""
    description: str = ""
    media_type: str = "text/plain"

    def __post_init__(self) -> None:
        if not re.fullmatch(r"[A-Za-z][A-Za-z0-9+.-]*:\S+", self.uri):
            raise CompositionError(f"{self.uri!r} is no absolute URI, such as shop://opening-hours")

    @property
    def is_template(self) -> bool:
        """Does its URI have variables?"""
        return _VARIABLE.search(self.uri) is not None

    def values(self, uri: str) -> Texts | None:
        """The values of the variables in a URI; None when it is not one of this resource's."""
        found = self._pattern.fullmatch(uri)
        return None if found is None else {name: unquote(value) for name, value in found.groupdict().items()}

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        parts = _VARIABLE.split(self.uri)  # literal, variable, literal, …
        return re.compile(
            "".join(f"(?P<{part}>[^/?#]+)" if index % 2 else re.escape(part) for index, part in enumerate(parts))
        )


@dataclass(frozen=True, kw_only=True)
class Prompt:
    """A prompt that people choose in their client; the function gives one message of the user's, or several of both.

    ``arguments`` has the description of each argument; all are required but those in ``optional``.
    """

    name: str
    write: Callable[[Call, Texts], Awaitable[str | Sequence[Message]]]
    title: str = ""
    description: str = ""
    arguments: Mapping[str, str] = field(default_factory=dict[str, str])
    optional: Collection[str] = ()

    def __post_init__(self) -> None:
        if unknown := set(self.optional) - set(self.arguments):
            raise CompositionError(f"{self.name} has no argument {min(unknown)!r} that could be optional")
