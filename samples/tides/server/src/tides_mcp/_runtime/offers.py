"""What a server offers besides tools, in the terms of the protocol: resources and prompts."""

from __future__ import annotations

import base64
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from mcp.server import ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp.types import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    BlobResourceContents,
    GetPromptRequestParams,
    GetPromptResult,
    ListPromptsResult,
    ListResourcesResult,
    ListResourceTemplatesResult,
    PaginatedRequestParams,
    PromptArgument,
    PromptMessage,
    ReadResourceRequestParams,
    ReadResourceResult,
    TextContent,
    TextResourceContents,
)
from mcp.types import Prompt as ListedPrompt
from mcp.types import Resource as ListedResource
from mcp.types import ResourceTemplate as ListedTemplate

from .call import Call
from .caller import Caller
from .errors import CallError
from .own import Message, Prompt, Resource, Texts
from .resources import Readings

if TYPE_CHECKING:
    from .server import Server

T = TypeVar("T")

Context = ServerRequestContext[Any, Any]


class Offers:
    """Lists, reads and writes what the owner has added, and resources of the API; ``caller`` says on whose behalf."""

    def __init__(self, server: Server, caller: Callable[[Context, Server], Caller]) -> None:
        self._server = server
        self._caller = caller
        self._resources = server.composition.resources
        self._readings = Readings(server)
        self._prompts = {prompt.name: prompt for prompt in server.composition.prompts}

    @property
    def handlers(self) -> dict[str, Any]:
        """The handlers of the SDK's server for what there is; what has none is no capability of the server."""
        handlers: dict[str, Any] = {}
        if self._resources or self._readings:
            handlers["on_list_resources"] = self._list_resources
            handlers["on_list_resource_templates"] = self._list_templates
            handlers["on_read_resource"] = self._read
        if self._prompts:
            handlers["on_list_prompts"] = self._list_prompts
            handlers["on_get_prompt"] = self._get_prompt
        return handlers

    async def _list_resources(self, ctx: Context, params: PaginatedRequestParams | None) -> ListResourcesResult:
        _refuse_cursor(params)
        listed = [
            ListedResource(uri=resource.uri, **_texts(resource), mime_type=resource.media_type)
            for resource in self._resources
            if not resource.is_template
        ]
        listed += map(ListedResource.model_validate, self._readings.listed(self._by(ctx), templates=False))
        return ListResourcesResult(resources=listed)

    async def _list_templates(self, ctx: Context, params: PaginatedRequestParams | None) -> ListResourceTemplatesResult:
        _refuse_cursor(params)
        listed = [
            ListedTemplate(uri_template=resource.uri, **_texts(resource), mime_type=resource.media_type)
            for resource in self._resources
            if resource.is_template
        ]
        listed += map(ListedTemplate.model_validate, self._readings.listed(self._by(ctx), templates=True))
        return ListResourceTemplatesResult(resource_templates=listed)

    async def _read(self, ctx: Context, params: ReadResourceRequestParams) -> ReadResourceResult:
        for resource in self._resources:
            values = resource.values(params.uri)
            if values is not None:
                content = await self._carried(ctx, resource.name, resource.read, values)
                return ReadResourceResult(contents=[_contents(content, params.uri, resource.media_type)])
        contents = await self._readings.read(params.uri, self._by(ctx))
        if contents is not None:
            return ReadResourceResult(contents=contents)
        raise MCPError(INVALID_PARAMS, f"Unknown resource: {params.uri[:200]}")

    async def _list_prompts(self, _: Context, params: PaginatedRequestParams | None) -> ListPromptsResult:
        _refuse_cursor(params)
        listed = [
            ListedPrompt(
                **_texts(prompt),
                arguments=[
                    PromptArgument(name=name, description=about, required=name not in prompt.optional)
                    for name, about in prompt.arguments.items()
                ],
            )
            for prompt in self._prompts.values()
        ]
        return ListPromptsResult(prompts=listed)

    async def _get_prompt(self, ctx: Context, params: GetPromptRequestParams) -> GetPromptResult:
        prompt = self._prompts.get(params.name)
        if prompt is None:
            raise MCPError(INVALID_PARAMS, f"Unknown prompt: {params.name[:100]}")
        given = params.arguments or {}
        lacking = [name for name in prompt.arguments if name not in prompt.optional and name not in given]
        if lacking or (given.keys() - prompt.arguments.keys()):
            raise MCPError(
                INVALID_PARAMS, f"The arguments of {prompt.name} are {', '.join(prompt.arguments) or 'none'}"
            )
        written = await self._carried(ctx, prompt.name, prompt.write, given)
        messages: Sequence[Message] = [("user", written)] if isinstance(written, str) else written
        return GetPromptResult(
            description=prompt.description or None,
            messages=[PromptMessage(role=role, content=TextContent(type="text", text=text)) for role, text in messages],
        )

    def _by(self, ctx: Context) -> Caller:
        return self._caller(ctx, self._server)

    async def _carried(self, ctx: Context, name: str, work: Callable[[Call, Texts], Awaitable[T]], given: Texts) -> T:
        """What a function of the owner's gives; what goes wrong in it is an error of the protocol without details."""
        from .server import NOBODY

        call = Call(name=name, caller=self._by(ctx), server=self._server, human=NOBODY)
        try:
            return await work(call, given)
        except CallError as error:
            raise MCPError(INTERNAL_ERROR, str(error)) from None
        except Exception as error:  # noqa: BLE001 - the edge: the SDK would put its text on the wire
            reference = self._server.reported(call, error)
            told = f"{name} failed inside of the server. Details are in its log under the reference {reference}."
            raise MCPError(INTERNAL_ERROR, told) from None


def _texts(offered: Resource | Prompt) -> dict[str, Any]:
    return {
        "name": offered.name,
        "title": offered.title or None,
        "description": offered.description or None,
    }


def _contents(content: str | bytes, uri: str, media_type: str) -> TextResourceContents | BlobResourceContents:
    if isinstance(content, str):
        return TextResourceContents(uri=uri, mime_type=media_type, text=content)
    return BlobResourceContents(uri=uri, mime_type=media_type, blob=base64.b64encode(content).decode())


def _refuse_cursor(params: PaginatedRequestParams | None) -> None:
    """There is one page, so that no cursor was ever given."""
    if params is not None and params.cursor is not None:
        raise MCPError(INVALID_PARAMS, "Invalid cursor")
