"""The server in the terms of the Model Context Protocol, on the SDK's low level."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Final

from mcp.server import CacheHint, ServerRequestContext
from mcp.server import Server as ProtocolServer
from mcp.server.context import CallNext, HandlerResult
from mcp.shared.exceptions import MCPError
from mcp.types import (
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
)
from mcp.types.version import MODERN_PROTOCOL_VERSIONS

from .errors import UnknownTool

if TYPE_CHECKING:
    from .contract import Contract
    from .server import Server

# The contract changes with a release of the package only.
_HINT: Final = CacheHint(ttl_ms=300_000, scope="public")


def lowlevel(server: Server) -> ProtocolServer[Any]:
    """The server as the SDK runs it, on any transport and in every revision of the protocol."""
    contract, api = server.contract, server.api

    async def list_tools(_: ServerRequestContext, params: PaginatedRequestParams | None) -> ListToolsResult:
        page = contract.page(params.cursor if params else None)
        if page is None:
            raise MCPError(INVALID_PARAMS, "Invalid cursor")
        return ListToolsResult.model_validate(page)

    async def call_tool(_: ServerRequestContext, params: CallToolRequestParams) -> CallToolResult:
        try:
            return await server.call(params.name, params.arguments or {})
        except UnknownTool as error:
            raise MCPError(INVALID_PARAMS, str(error)) from None

    def input_schema(name: str) -> Mapping[str, Any] | None:
        tool = contract.find(name)
        return None if tool is None else tool.input_schema

    @asynccontextmanager
    async def lifespan(_: ProtocolServer[Any]) -> AsyncGenerator[None]:
        try:
            yield
        finally:
            await server.aclose()

    protocol = ProtocolServer[Any](
        api.name,
        version=api.version,
        title=api.title,
        instructions=api.instructions or None,
        cache_hints={"tools/list": _HINT, "server/discover": _HINT},
        lifespan=lifespan,
        get_tool_input_schema=input_schema,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )
    # The SDK calls its list of middleware provisional; without it, ``list_tools`` answers the same, slower.
    if isinstance(getattr(protocol, "middleware", None), list):
        protocol.middleware.append(_Prepared(contract, protocol.server_info_stamp))
    return protocol


class _Prepared:
    """Answers tools/list with prepared JSON; whatever is odd about a request is left to the SDK."""

    def __init__(self, contract: Contract, server_info: Mapping[str, Any]) -> None:
        self._contract = contract
        self._modern = {
            "resultType": "complete",
            "ttlMs": _HINT.ttl_ms,
            "cacheScope": _HINT.scope,
            "_meta": {"io.modelcontextprotocol/serverInfo": dict(server_info)},
        }

    async def __call__(self, ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        if ctx.method != "tools/list" or ctx.request_id is None:
            return await call_next(ctx)
        page = self._contract.page((ctx.params or {}).get("cursor"))
        if page is None:
            return await call_next(ctx)
        return {**page, **self._modern} if ctx.protocol_version in MODERN_PROTOCOL_VERSIONS else page
