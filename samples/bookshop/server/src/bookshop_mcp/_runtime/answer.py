"""Answers of the API as results of tool calls."""

from __future__ import annotations

import base64
import re
from itertools import islice
from typing import Any, Final

from mcp.types import (
    AudioContent,
    BlobResourceContents,
    CallToolResult,
    ContentBlock,
    EmbeddedResource,
    ImageContent,
    ResourceLink,
    TextContent,
)

from .contract import Tool
from .decode import Binary, Document, Excess, Nothing, Records, Text, decode, dump
from .errors import CallError
from .failure import explain, location, reason, redacted
from .fit import MAX_POINTER, Cuts, Structure, cut, prune, surely_fits, text_weight, weight
from .legible import clean, readable
from .operation import Json, Operation
from .projection import Projection, hint
from .response import Response
from .rest import Place, Rest, place
from .settings import Settings
from .style import Unfit

_MAX_NAMED: Final = 20
_PICKED: Final = "_projected"  # the member of a structured result, whose schema has the whole answer's

# What tools call the arguments that page through an answer, or narrow it; without case and separators.
_PAGING: Final = re.compile(
    r"limit|page|cursor|offset|perpage|pagesize|pagenumber|pagetoken|next|nexttoken|nextcursor|size|count|first|last"
    r"|after|before|since|until|start|startat|startafter|startingafter|endingbefore|startindex|maxresults|maxitems"
    r"|top|skip|from|to|marker|continuationtoken"
)
_NARROWING: Final = re.compile(
    r"fields|select|include|exclude|expand|view|filters?|q|query|search|columns|(answer)?projection\d*"
)


def result(
    response: Response,
    operation: Operation[Any, Any],
    tool: Tool,
    settings: Settings,
    rest: Rest | None = None,
    projection: Projection | None = None,
) -> CallToolResult:
    """The result of a call that the API has answered, whatever it answered.

    ``rest`` is where one reads on, for a tool with which one can; ``projection`` what is wanted of a JSON answer.
    """
    if not 200 <= response.status < 300:
        return failed(explain(response, operation, settings))
    doubled = tool.output_schema is not None
    cuts, room = Cuts(), settings.max_result_bytes
    blocks: list[ContentBlock]
    structure: Structure | None = _empty(operation.wrapped)
    match decode(response, json_expected=doubled or projection is not None):
        case Document(value) | Records(items=value) if projection is not None:
            return picked(value, projection, tool, settings, wrapped=operation.wrapped)
        case Document(value, text):
            return shown(value, tool, settings, wrapped=operation.wrapped, text=text, rest=rest)
        case Records(items, text, complete):
            fitted = cut(items, room, cuts, doubled=doubled, at="/result")
            whole = fitted is items and text_weight(text) + weight(items, doubled=doubled) <= room
            lines = fitted if isinstance(fitted, list) else []
            blocks = [_text(text if whole else "\n".join(dump(item) for item in lines))]
            if not complete:
                blocks.append(_text("The stream went on; this is what came of it in time and size."))
            structure = {"result": fitted}
        case Text(text, note):
            # What is not what it says it is, is a fault, and what faults say can be our own request.
            blocks = _shortened(settings.redact(text) if note else text, tool, room, rest)
            if note:
                blocks.append(_text(f"Note: this answer is {note}."))
        case Binary(data, media_type):
            blocks = _binary(data, media_type, redacted(response, settings).url, room, tool, rest)
        case Nothing():
            blocks = [_text(_without_content(redacted(response, settings), operation))]
        case Excess():
            return failed(too_large(response, tool, settings))
    return _told(blocks, structure, cuts, tool, _link(cuts, structure, tool, rest), wrapped=operation.wrapped)


def shown(
    value: Json,
    tool: Tool,
    settings: Settings,
    *,
    wrapped: bool = False,
    text: str | None = None,
    rest: Rest | None = None,
) -> CallToolResult:
    """A value as the result of a call; ``text`` is its JSON where that is there already."""
    doubled = tool.output_schema is not None
    cuts, room = Cuts(), settings.max_result_bytes
    if isinstance(value, str) and not doubled and text is None:
        return CallToolResult(content=_shortened(value, tool, room, rest))
    light = text is not None and surely_fits(text, room, doubled=doubled)
    fitted = value if light else cut(value, room, cuts, doubled=doubled, at="/result" if wrapped else "")
    said = text if text is not None and fitted is value else dump(fitted)
    link = _link(cuts, {"result": value} if wrapped else value, tool, rest)
    return _told([_text(said)], _shaped(fitted, wrapped=wrapped), cuts, tool, link, wrapped=wrapped)


def picked(
    value: Json, projection: Projection, tool: Tool, settings: Settings, *, wrapped: bool = False
) -> CallToolResult:
    """What is wanted of a value as the result of a call; the whole, with the reason, where that cannot be had."""
    try:
        found = projection.of(value)
    except Unfit as unfit:
        whole = shown(value, tool, settings, wrapped=wrapped)
        told = _text(f"The call was carried out. Its projection {unfit}; this is the whole answer.")
        return whole.model_copy(update={"content": [told, *whole.content]})
    cuts = Cuts()
    fitted = cut(found, settings.max_result_bytes, cuts, doubled=tool.output_schema is not None, at=f"/{_PICKED}")
    blocks: list[ContentBlock] = [_text(dump(fitted))]
    if found is None:
        blocks.append(_text(f"The projection gives nothing. {hint(value)}"))
    return _told(blocks, {_PICKED: fitted}, cuts, tool, None, wrapped=False)  # whatever the whole answer is


def _told(
    blocks: list[ContentBlock],
    structure: Structure | None,
    cuts: Cuts,
    tool: Tool,
    link: ResourceLink | None,
    *,
    wrapped: bool,
) -> CallToolResult:
    """A result, with what was cut from it and where the rest is."""
    note = f"{_cut(cuts)} {_way_on(tool, link)}" if cuts.shown else ""
    if cuts.shown:
        blocks += [_text(note), *([link] if link else [])]
    structured = _structured(structure, cuts, note, tool, wrapped=wrapped) if tool.output_schema is not None else None
    return CallToolResult(content=blocks, structured_content=structured)


def value(
    response: Response,
    operation: Operation[Any, Any],
    tool: Tool,
    settings: Settings,
    projection: Projection | None = None,
) -> Json:
    """The answer as a value, for code, or what is wanted of it; raises ``CallError`` when the API refused."""
    whole = _value(response, operation, tool, settings)
    return whole if projection is None else projection.value(whole)


def _value(response: Response, operation: Operation[Any, Any], tool: Tool, settings: Settings) -> Json:
    if not 200 <= response.status < 300:
        raise CallError(explain(response, operation, settings))
    match decode(response, json_expected=tool.output_schema is not None):
        case Document(document):
            return document
        case Records(items):
            return items
        case Text(text):
            return text
        case Binary(data):
            return base64.b64encode(data).decode()
        case Nothing():
            return None
        case Excess():
            raise CallError(too_large(response, tool, settings))


def failed(message: str) -> CallToolResult:
    """The result of a call that failed, with what to do about it."""
    return CallToolResult(content=[_text(readable(message))], is_error=True)


def too_large(response: Response, tool: Tool, settings: Settings) -> str:
    """What to say about an answer that was not read to its end."""
    return (
        f"The API carried out {tool.name} ({response.status} {reason(response)}), but its answer is larger than the "
        f"{settings.max_response_bytes:,} bytes that this server reads ({settings.prefix}_MAX_RESPONSE_BYTES), or did "
        f"not end in time. {_way_on(tool, None)}"
    )


def _text(text: str) -> TextContent:
    return TextContent(type="text", text=text)


def _empty(wrapped: bool) -> Structure:
    return {"result": None} if wrapped else {}


def _shaped(value: Json, *, wrapped: bool) -> Structure | None:
    """The object that a structured result has to be; None when the answer is none, against its description."""
    if wrapped:
        return {"result": value}
    return value if isinstance(value, dict) else {} if value is None else None


def _structured(structure: Structure | None, cuts: Cuts, note: str, tool: Tool, *, wrapped: bool) -> Structure:
    """The structured result: what fits the tool's schema, and what was left out of it."""
    validator = tool.structure
    if validator is None:
        return {}
    empty = _empty(wrapped)
    pruned, removed = (None, [""]) if structure is None else prune(structure, validator)
    if pruned is None:
        pruned = empty if validator.accepts(empty) else {}
    elif wrapped and "result" not in pruned and validator.accepts(empty):
        pruned = empty
    if removed:
        named: list[Json] = [pointer[:MAX_POINTER] for pointer in islice(removed, _MAX_NAMED)]
        pruned = _with(pruned, "_unmatched", named, tool)
    if cuts.shown:
        pruned = _with(pruned, "_truncated", cuts.noted(note), tool)
    return pruned


def _with(structure: Structure, name: str, content: Json, tool: Tool) -> Structure:
    """The structure with a note of ours in it, unless its schema has no room for one."""
    noted = {**structure, name: content}
    return noted if tool.structure is not None and tool.structure.accepts(noted) else structure


def _cut(cuts: Cuts) -> str:
    """What was cut."""
    told = [
        f"{shown:,} of {total:,} at {pointer[:MAX_POINTER] or 'the top level'}"
        for pointer, (shown, total) in islice(cuts.shown.items(), 10)
    ]
    more = f" and {len(cuts.shown) - 10:,} more places" if len(cuts.shown) > 10 else ""
    return f"This answer was too large and is cut: {', '.join(told)}{more}."


def _way_on(tool: Tool, link: ResourceLink | None) -> str:
    """How to get the rest."""
    ways = _arguments_to_narrow(tool)
    if ways:
        return ways
    return "The linked resource has the rest." if link else "This tool has no argument that asks for less."


def _arguments_to_narrow(tool: Tool) -> str:
    """What to do with the tool's own arguments; nothing where it has none that page or narrow."""
    names: list[str] = list(tool.input_schema.get("properties", {}))
    plain = {name: name.lower().replace("_", "").replace("-", "") for name in names}
    paging = [name for name in names if _PAGING.fullmatch(plain[name])]
    narrowing = [name for name in names if _NARROWING.fullmatch(plain[name])]
    ways = [f"page through it with {', '.join(paging)}"] if paging else []
    ways += [f"ask for less with {', '.join(narrowing)}"] if narrowing else []
    sentence = " or ".join(ways)
    return f"{sentence[0].upper()}{sentence[1:]}." if ways else ""


def _link(cuts: Cuts, root: Json, tool: Tool, rest: Rest | None) -> ResourceLink | None:
    """A link to what was cut from a value, where the tool has no arguments of its own for that."""
    if rest is None or not cuts.shown or _arguments_to_narrow(tool):
        return None
    return rest.link(place(cuts, root), tool, "application/json")


def _shortened(text: str, tool: Tool, room: int, rest: Rest | None) -> list[ContentBlock]:
    total = len(text)
    if text_weight(text) <= room:
        return [_text(text)]
    room -= 2_000  # for the note
    while (size := text_weight(text)) > room:
        text = text[: min(len(text) - 1, len(text) * room // size)]
    linked = rest is not None and not _arguments_to_narrow(tool)
    link = rest.link(Place(start=len(text)), tool, "text/plain") if rest is not None and linked else None
    told = f"{text}\n[cut: {len(text):,} of {total:,} characters. {_way_on(tool, link)}]"
    return [_text(told), *([link] if link else [])]


def _binary(data: bytes, media_type: str, url: str, room: int, tool: Tool, rest: Rest | None) -> list[ContentBlock]:
    if len(data) * 4 // 3 > room:
        told = f"The answer is {len(data):,} bytes of {clean(media_type, 100)}, too many to hand over"
        link = rest.link(Place(), tool, media_type, len(data)) if rest is not None else None
        return [_text(f"{told} at once; the linked resource has them."), link] if link else [_text(f"{told}.")]
    encoded = base64.b64encode(data).decode()
    if media_type.startswith("image/"):
        return [ImageContent(type="image", data=encoded, mime_type=media_type)]
    if media_type.startswith("audio/"):
        return [AudioContent(type="audio", data=encoded, mime_type=media_type)]
    resource = BlobResourceContents(uri=url, mime_type=media_type, blob=encoded)
    return [EmbeddedResource(type="resource", resource=resource)]


def _without_content(response: Response, operation: Operation[Any, Any]) -> str:
    told = [f"The API answered {response.status} {reason(response)}, without content."]
    if where := location(response):
        told.append(f"Location: {where}")
    # A HEAD request is made for its headers.
    names = ("etag", "last-modified", *(("content-type", "content-length") if operation.method == "HEAD" else ()))
    told += [f"{name}: {clean(response.headers[name], 200)}" for name in names if name in response.headers]
    return "\n".join(told)
