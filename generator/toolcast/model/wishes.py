"""What is wanted of operations: by the owner in ``toolcast.toml``, or by the document's author in extensions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Generic, Literal, TypeAlias, TypeVar

from toolcast.diagnostics import Location
from toolcast.model.json import Json, JsonObject
from toolcast.model.shape import Path

T = TypeVar("T")

OutputPolicy: TypeAlias = Literal["loose", "strict", "off"]
BodyForm: TypeAlias = Literal["flat", "whole"]
RefsPolicy: TypeAlias = Literal["inline", "defs"]
RecursionPolicy: TypeAlias = Literal["cut", "ref"]
Offer: TypeAlias = Literal["tool", "resource"]
Slashes: TypeAlias = Literal["encode", "keep"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Said(Generic[T]):
    """Something that somebody wants: where it is written, and by whom, in the words of a reason.

    ``owner`` says that it is the owner's, who is told when it cannot be; a document may ask for what cannot be.
    """

    value: T
    at: Location
    by: str
    owner: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Icon:
    """A picture of a server or a tool (MCP 2026-07-28, Icon)."""

    src: str
    mime_type: str = ""
    sizes: tuple[str, ...] = ()
    theme: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArgumentWish:
    """What is wanted of an argument; ``credential`` is the id of a scheme, or whether it is one at all."""

    name: Said[str] | None = None
    description: Said[str] | None = None
    default: Said[Json] | None = None
    fixed: Said[Json] | None = None
    hidden: Said[bool] | None = None
    credential: Said[str | bool] | None = None
    slashes: Said[Slashes] | None = None
    header: Said[str] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Selected:
    """A wish for the argument that this text selects, and where the wish is written."""

    text: str
    wish: ArgumentWish
    at: Location
    owner: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolWish:
    """What is wanted of an operation; of several wishes for one argument the later one counts.

    ``notes`` are sentences that are told beside its description.
    """

    tool: Said[bool] | None = None
    name: Said[str] | None = None
    title: Said[str] | None = None
    description: Said[str] | None = None
    use_when: Said[str] | None = None
    group: Said[str] | None = None
    read_only: Said[bool] | None = None
    destructive: Said[bool] | None = None
    idempotent: Said[bool] | None = None
    open_world: Said[bool] | None = None
    output_schema: Said[OutputPolicy] | None = None
    budget: Said[int] | None = None
    projection: Said[bool] | None = None
    body: Said[BodyForm] | None = None
    media_type: Said[str] | None = None
    offer: Said[Offer] | None = None
    icons: Said[tuple[Icon, ...]] | None = None
    meta: Said[JsonObject] | None = None
    notes: tuple[str, ...] = ()
    arguments: tuple[Selected, ...] = ()


W = TypeVar("W", ToolWish, ArgumentWish)


def overridden(weaker: W, stronger: W) -> W:
    """Both wishes together: the stronger one counts wherever it says something."""
    said = {field.name: value for field in fields(stronger) if (value := getattr(stronger, field.name)) is not None}
    if isinstance(weaker, ToolWish) and isinstance(stronger, ToolWish):
        said["arguments"] = (*weaker.arguments, *stronger.arguments)
        said["notes"] = (*weaker.notes, *stronger.notes)
    return replace(weaker, **said)


@dataclass(frozen=True, slots=True)
class Author:
    """Who wrote a table, and where: ``place`` gives the place of a part by its path, ``by`` the words of a reason."""

    place: Callable[[Path], Location]
    by: Callable[[Path], str]
    owner: bool

    def said(self, value: Any, *path: str | int) -> Said[Any]:
        """A value at a path as somebody's wish."""
        return Said(value=value, at=self.place(path), by=self.by(path), owner=self.owner)


def tool_wish(table: Mapping[str, Any], author: Author, path: Path = ()) -> ToolWish:
    """The wish that a table of the shape ``keys.TOOL`` makes; ``path`` is its own."""
    said: dict[str, Any] = {}
    for key, value in table.items():
        match key:
            case "hints":
                said |= {name: author.said(hint, *path, key, name) for name, hint in value.items()}
            case "as":
                said["offer"] = author.said(value, *path, key)
            case "icons":
                said["icons"] = author.said(icons(value), *path, key)
            case "_meta":
                said["meta"] = author.said(value, *path, key)
            case "arguments":
                said["arguments"] = tuple(
                    Selected(
                        text=text,
                        wish=argument_wish(wish, author, (*path, key, text)),
                        at=author.place((*path, key, text)),
                        owner=author.owner,
                    )
                    for text, wish in value.items()
                )
            case "match":
                pass
            case _:
                said[key] = author.said(value, *path, key)
    return ToolWish(**said)


def argument_wish(table: Mapping[str, Any], author: Author, path: Path = ()) -> ArgumentWish:
    """The wish that a table of the shape ``keys.ARGUMENT`` makes; ``path`` is its own."""
    said: dict[str, Any] = {}
    for key, value in table.items():
        match key:
            case "x-mcp-header":
                said["header"] = author.said(value, *path, key)
            case _:
                said[key] = author.said(value, *path, key)
    return ArgumentWish(**said)


def icons(value: Any) -> tuple[Icon, ...]:
    """Icons as they are written: a URI, or a list of tables."""
    tables: list[Mapping[str, Any]] = [{"src": value}] if isinstance(value, str) else value
    found: list[Icon] = []
    for table in tables:
        written: dict[str, Any] = {**table, "sizes": tuple(table.get("sizes", ()))}
        found.append(Icon(**written))
    return tuple(found)
