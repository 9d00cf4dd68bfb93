"""The server in the terms of the Model Context Protocol, on the SDK's low level."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Final

import anyio
from mcp.server import CacheHint, ServerRequestContext
from mcp.server import Server as ProtocolServer
from mcp.server.auth.middleware.auth_context import get_access_token
from mcp.server.auth.provider import principal_components
from mcp.server.context import CallNext, HandlerResult
from mcp.shared.exceptions import MCPError
from mcp.types import (
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    Icon,
    InputRequiredResult,
    ListToolsResult,
    PaginatedRequestParams,
)
from mcp.types.version import MODERN_PROTOCOL_VERSIONS

from . import confirmation
from .caller import ANYBODY, Caller
from .errors import UnknownTool
from .guard import InputNeeded
from .handover import fingerprint
from .offers import Offers

if TYPE_CHECKING:
    from .server import Server

# The contract changes with a release of the package only; what callers see of it may differ.
_ALL: Final = CacheHint(ttl_ms=300_000, scope="public")
_EACH: Final = CacheHint(ttl_ms=300_000, scope="private")
_LISTS: Final = ("tools/list", "resources/list", "resources/templates/list")
_REPORT_EVERY: Final = 5.0  # seconds between two reports of progress


def lowlevel(server: Server) -> ProtocolServer[Any]:
    """The server as the SDK runs it, on any transport and in every revision of the protocol."""
    api, tools = server.api, server.tools()
    hint = _ALL if server.access.same_for_all else _EACH

    async def list_tools(ctx: ServerRequestContext, params: PaginatedRequestParams | None) -> ListToolsResult:
        page = tools.listed(caller(ctx, server)).page(params.cursor if params else None)
        if page is None:
            raise MCPError(INVALID_PARAMS, "Invalid cursor")
        return ListToolsResult.model_validate(page)

    async def call_tool(
        ctx: ServerRequestContext, params: CallToolRequestParams
    ) -> CallToolResult | InputRequiredResult:
        human = confirmation.human(ctx, params, server.access.seals, server.access.used)
        try:
            if params.name in server.contract.readers:
                raise UnknownTool(params.name, server.contract.tools)
            async with _progress(ctx, params.name):
                return await tools.call(params.name, params.arguments or {}, caller=caller(ctx, server), human=human)
        except InputNeeded as needed:
            return needed.result
        except UnknownTool as error:
            raise MCPError(INVALID_PARAMS, str(error)) from None

    @asynccontextmanager
    async def lifespan(_: ProtocolServer[Any]) -> AsyncGenerator[None]:
        async with server:
            yield

    protocol = ProtocolServer[Any](
        api.name,
        version=api.version,
        title=api.title,
        instructions=api.instructions or None,
        icons=[Icon.model_validate(icon) for icon in api.icons] or None,
        cache_hints={"server/discover": _ALL, **dict.fromkeys(_LISTS, hint)},
        lifespan=lifespan,
        get_tool_input_schema=tools.input_schema,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        **Offers(server, caller).handlers,
    )
    # The SDK calls its list of middleware provisional; without it, ``list_tools`` answers the same, slower.
    if isinstance(getattr(protocol, "middleware", None), list):
        protocol.middleware.append(_Prepared(server, hint, protocol.server_info_stamp))
    return protocol


def caller(ctx: ServerRequestContext[Any, Any], server: Server) -> Caller:
    """Who calls: over HTTP by token, by handed-over credentials and by what the URL asks for; on stdio, anybody."""
    request: Any = ctx.request
    if request is None:
        return ANYBODY
    access = server.access
    query = request.url.query
    narrowed = access.visibility.narrowed(query) if query else None
    credentials = access.handover.taken(request.headers)
    token = get_access_token()
    brought = fingerprint(credentials)
    if token is None:
        return Caller(id=brought, name=brought, credentials=credentials, narrowed=narrowed)
    who = "/".join(part for part in principal_components(token) if part)
    return Caller(
        id=f"{who} {brought}".strip(),
        name=token.subject or token.client_id,
        scopes=frozenset(token.scopes),
        credentials=credentials,
        token=token.token if access.exchange.schemes else "",
        narrowed=narrowed,
    )


@asynccontextmanager
async def _progress(ctx: ServerRequestContext[Any, Any], tool: str) -> AsyncGenerator[None]:
    """Meanwhile, a client that wants to know is told now and then that the call goes on."""
    if not (ctx.meta or {}).get("progress_token"):
        yield
        return

    async def report() -> None:
        begin = anyio.current_time()
        while True:
            await anyio.sleep(_REPORT_EVERY)
            seconds = anyio.current_time() - begin
            await ctx.session.report_progress(seconds, None, f"{tool}: waiting for the API, {seconds:.0f} s")

    outcome: list[BaseException] = []
    async with anyio.create_task_group() as group:
        group.start_soon(report)
        try:
            yield
        except Exception as error:  # noqa: BLE001 - raised again, outside of the group that would wrap it
            outcome.append(error)
        group.cancel_scope.cancel()
    if outcome:
        raise outcome[0]


class _Prepared:
    """Answers tools/list with prepared JSON; whatever is odd about a request is left to the SDK."""

    def __init__(self, server: Server, hint: CacheHint, server_info: Mapping[str, Any]) -> None:
        self._server = server
        self._tools = server.tools()
        self._hint = hint
        self._meta = {"io.modelcontextprotocol/serverInfo": dict(server_info)}

    async def __call__(self, ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        if ctx.method != "tools/list" or ctx.request_id is None:
            return await call_next(ctx)
        who = caller(ctx, self._server)
        page = self._tools.listed(who).page((ctx.params or {}).get("cursor"))
        if page is None:
            return await call_next(ctx)
        if ctx.protocol_version not in MODERN_PROTOCOL_VERSIONS:
            return page
        scope = self._hint.scope if who.narrowed is None else "private"
        return {**page, "resultType": "complete", "ttlMs": self._hint.ttl_ms, "cacheScope": scope, "_meta": self._meta}
