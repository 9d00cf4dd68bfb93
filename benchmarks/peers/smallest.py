"""The smallest server that the MCP SDK makes: one tool, over stdio."""

from __future__ import annotations

from typing import Any

import anyio
from mcp.server import Server, ServerRequestContext
from mcp.server.stdio import stdio_server
from mcp.types import ListToolsResult, PaginatedRequestParams, Tool


async def listed(ctx: ServerRequestContext[Any, Any], params: PaginatedRequestParams | None) -> ListToolsResult:
    """The one tool."""
    return ListToolsResult(tools=[Tool(name="nothing", input_schema={"type": "object"})])


async def main() -> None:
    """Serve."""
    server = Server[Any]("smallest", on_list_tools=listed)
    async with stdio_server() as (reader, writer):
        await server.run(reader, writer, server.create_initialization_options())


anyio.run(main)
