"""The rest of an answer: what did not fit into a result is read on at sealed URIs, which every replica understands.

Such a URI holds a call of a tool that only reads, and a place in its answer. Whoever reads it makes that call again,
with its own rights and credentials; nothing is kept between the reads.
"""

from __future__ import annotations

import base64
from dataclasses import dataclass
from typing import Any, Final, TypeAlias, cast

from mcp.types import BlobResourceContents, CallToolResult, ContentBlock, EmbeddedResource, ResourceLink, TextContent

from .contract import Tool
from .decode import Binary, Document, Records, Text, decode, dump
from .fit import Cuts, cut, text_weight
from .operation import Arguments, Json, Operation
from .response import Response
from .seal import Seals
from .settings import Settings

SECONDS: Final = 3600  # that a URI lives

_LONGEST: Final = 4_000  # characters: clients of 2026-07-28 repeat a URI in a header
_NOTE: Final = 6_000  # bytes, with the next URI in it


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where an answer goes on: in the array at a JSON pointer, by element; else as a whole, by character or byte."""

    at: str | None = None
    start: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Rest:
    """The call that an answer came from, to be made again for what did not fit."""

    server: str
    seals: Seals
    tool: str
    arguments: Arguments

    def uri(self, place: Place) -> str | None:
        """The URI of the rest from there on; None where its arguments are too long for one."""
        called = {"tool": self.tool, "arguments": self.arguments, "at": place.at, "start": place.start}
        uri = _prefix(self.server) + self.seals.sealed(_purpose(self.server), called, SECONDS)
        return uri if len(uri) <= _LONGEST else None

    def link(self, place: Place, tool: Tool, media_type: str, size: int | None = None) -> ResourceLink | None:
        """A link to the rest from there on, for a result."""
        uri = self.uri(place)
        if uri is None:
            return None
        name, title = f"{self.tool}_rest", f"{tool.title}: the rest"
        return ResourceLink(type="resource_link", uri=uri, name=name, title=title, mime_type=media_type, size=size)


Opened: TypeAlias = tuple[Rest, Place]


def opened(server: str, seals: Seals, uri: str) -> Opened | None:
    """The call and the place of a URI; None when it is too old, or was made without these keys."""
    called = seals.opened(_purpose(server), uri.removeprefix(_prefix(server)))
    if called is None:
        return None
    rest = Rest(server=server, seals=seals, tool=called["tool"], arguments=called["arguments"])
    return rest, Place(at=called["at"], start=called["start"])


def is_rest(server: str, uri: str) -> bool:
    """Whether a URI is one of these, good or not."""
    return uri.startswith(_prefix(server))


def place(cuts: Cuts, root: Json) -> Place:
    """Where a value goes on that was cut: after the last element shown, if it was cut in one array; else anew."""
    if len(cuts.shown) == 1:
        [(pointer, (shown, _))] = cuts.shown.items()
        if isinstance(_found(root, pointer), list):
            return Place(at=pointer, start=shown)
    return Place()


def piece(
    response: Response, operation: Operation[Any, Any], tool: Tool, settings: Settings, from_: Place, rest: Rest
) -> CallToolResult:
    """As much of an answer, from a place on, as fits, and the URI of what follows."""
    room = settings.max_result_bytes - _NOTE
    block: ContentBlock
    match decode(response, json_expected=tool.output_schema is not None):
        case Document(value, text):
            root: Json = {"result": value} if operation.wrapped else value
        case Records(items, text):
            root = {"result": items}
        case Text(text, note):
            root, text = None, settings.redact(text) if note else text  # as the answer showed it
        case Binary(data, media_type):
            end = min(len(data), from_.start + room // 4 * 3)
            encoded = base64.b64encode(data[from_.start : end]).decode()
            contents = BlobResourceContents(uri=settings.redact(response.url), mime_type=media_type, blob=encoded)
            block = EmbeddedResource(type="resource", resource=contents)
            return _result(block, from_, end, len(data), "bytes", rest)
        case _:
            root, text = None, ""
    if from_.at is not None:
        found = _found(root, from_.at)
        array = found if isinstance(found, list) else []
        kept = cast("list[Json]", cut(array[from_.start :], room, Cuts(), doubled=False))
        block = TextContent(type="text", text=dump(kept))
        return _result(block, from_, from_.start + len(kept), len(array), f"elements at {from_.at or '/'}", rest)
    shown = text[from_.start : from_.start + room]
    while (weight := text_weight(shown)) > room:
        shown = shown[: min(len(shown) - 1, len(shown) * room // weight)]
    block = TextContent(type="text", text=shown)
    return _result(block, from_, from_.start + len(shown), len(text), "characters", rest)


def _result(block: ContentBlock, from_: Place, end: int, total: int, what: str, rest: Rest) -> CallToolResult:
    told = f"{min(from_.start, total):,} to {end:,} of {total:,} {what}."
    following = rest.uri(Place(at=from_.at, start=end)) if from_.start < end < total else None
    note = f"{told} It goes on at {following}" if following else f"{told} This is the end."
    return CallToolResult(content=[block, TextContent(type="text", text=note)])


def _found(value: Json, pointer: str) -> Json:
    """What a JSON pointer leads to (RFC 6901); None where it leads nowhere."""
    for part in pointer.split("/")[1:]:
        name = part.replace("~1", "/").replace("~0", "~")
        match value:
            case dict():
                value = value.get(name)
            case list() if name.isdigit() and int(name) < len(value):
                value = value[int(name)]
            case _:
                return None
    return value


def _purpose(server: str) -> str:
    return f"rest of {server}"  # as servers of several APIs may have the same keys


def _prefix(server: str) -> str:
    return f"{server.replace('_', '-')}://rest/"
