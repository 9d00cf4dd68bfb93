"""Resources: operations that only read, offered at URIs of the server's own (MCP 2026-07-28, Resources)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote

from mcp.shared.exceptions import MCPError
from mcp.types import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    AudioContent,
    BlobResourceContents,
    CallToolResult,
    EmbeddedResource,
    ImageContent,
    ResourceLink,
    TextContent,
    TextResourceContents,
)

from .errors import UnknownTool
from .rest import is_rest, opened

if TYPE_CHECKING:
    from .caller import Caller
    from .operation import Arguments
    from .server import Server

_VARIABLE: Final = re.compile(r"\{[A-Za-z0-9_]+\}")
_SAME: Final = ("name", "title", "description", "icons", "_meta")


@dataclass(frozen=True)
class Reading:
    """An operation that is a resource, or a template of them: its entry in the contract."""

    entry: Mapping[str, Any]

    @property
    def name(self) -> str:
        """The name of the tool that reads it, which is not listed as one."""
        return self.entry["tool"]["name"]

    @property
    def arguments(self) -> Sequence[str]:
        """The arguments that the variables of its URI stand for, in their order; none for a single resource."""
        return self.entry.get("arguments", ())

    @property
    def media_type(self) -> str | None:
        """What the API answers, as far as that is known."""
        return self.entry.get("mimeType")

    @property
    def listed(self) -> dict[str, Any]:
        """What lists of resources say of it."""
        told = {key: self.entry["tool"][key] for key in _SAME if key in self.entry["tool"]}
        uri = {"uriTemplate" if self.arguments else "uri": self.entry["uri"]}
        return {**uri, **told, **({"mimeType": self.media_type} if self.media_type else {})}

    def values(self, uri: str) -> Arguments | None:
        """The arguments of the operation that a URI of this resource means; None when it is not one of its."""
        found = self._pattern.fullmatch(uri)
        if found is None:
            return None
        return {name: unquote(value) for name, value in zip(self.arguments, found.groups(), strict=True)}

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        return re.compile("([^/?#]+)".join(map(re.escape, _VARIABLE.split(self.entry["uri"]))))


class Readings:
    """The resources that operations of the API are: lists them, and reads them by the same way as tools are called."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._all = [Reading(entry) for entry in server.contract.resources]

    def __bool__(self) -> bool:
        # What only reads may have more to say than fits, and that is a resource then.
        return bool(self._all) or any(tool.read_only for tool in self._server.described.tools.values())

    def listed(self, caller: Caller, *, templates: bool) -> list[dict[str, Any]]:
        """What lists say of those that exist for a caller: those that have a URI, or a template of URIs."""
        return [reading.listed for reading in self._seen(caller) if bool(reading.arguments) is templates]

    async def read(self, uri: str, caller: Caller) -> list[TextResourceContents | BlobResourceContents] | None:
        """What the API answers for a URI; None when it is not one of these. Raises ``MCPError``."""
        if is_rest(self._server.api.name, uri):
            return await self._read_on(uri, caller)
        for reading in self._seen(caller):
            arguments = reading.values(uri)
            if arguments is not None:
                result = await self._server.call(reading.name, arguments, caller=caller)
                return _contents(result, uri, reading.media_type)
        return None

    async def _read_on(self, uri: str, caller: Caller) -> list[TextResourceContents | BlobResourceContents]:
        """The rest of an answer that was cut."""
        found = opened(self._server.api.name, self._server.access.seals, uri)
        if found is None:
            raise MCPError(INVALID_PARAMS, "This link is too old, or not of this server: call the tool again")
        rest, place = found
        try:
            result = await self._server.call(rest.tool, rest.arguments, caller=caller, place=place)
        except UnknownTool as error:
            raise MCPError(INVALID_PARAMS, str(error)) from None
        return _contents(result, uri, None if place.at is None else "application/json")

    def _seen(self, caller: Caller) -> Iterator[Reading]:
        server = self._server
        return (one for one in self._all if server.access.sees(server.contract.tool(one.name), caller))


def _contents(
    result: CallToolResult, uri: str, media_type: str | None
) -> list[TextResourceContents | BlobResourceContents]:
    """The contents of a resource from the content of a result; raises ``MCPError`` for that of a failure."""
    if result.is_error:
        told = " ".join(block.text for block in result.content if isinstance(block, TextContent))
        raise MCPError(INTERNAL_ERROR, told)
    found: list[TextResourceContents | BlobResourceContents] = []
    for block in result.content:
        match block:
            case TextContent(text=text):
                kind = "text/plain" if found else media_type  # what follows is said about the first
                found.append(TextResourceContents(uri=uri, mime_type=kind, text=text))
            case ImageContent(data=data, mime_type=kind) | AudioContent(data=data, mime_type=kind):
                found.append(BlobResourceContents(uri=uri, mime_type=kind, blob=data))
            case EmbeddedResource(resource=inner):
                found.append(inner.model_copy(update={"uri": uri}))
            case ResourceLink(uri=further):
                found.append(TextResourceContents(uri=uri, mime_type="text/plain", text=f"See {further}"))
    return found
