"""A server: the operations of an API as tools that can be called, with every check on the way."""

from __future__ import annotations

import importlib
import os
import secrets
import traceback
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

from .arguments import check
from .contract import Contract, Tool
from .credentials import Proof
from .errors import ArgumentProblem, CallError, UnknownTool
from .log import LOGGER
from .operation import Api, Arguments, Json, Operation
from .settings import Settings

if TYPE_CHECKING:
    from mcp.server import Server as ProtocolServer
    from mcp.types import CallToolResult

    from .upstream import Response, Upstream

_QUICK = 256 * 1024  # bytes of an answer that are turned into a result without leaving the event loop


class Server:
    """The tools of one API; ``environ`` (default: the process's) says where it is and holds the credentials.

    Its connections belong to the event loop that made the first call: ``async with server:`` closes them at the end.
    Raises ``SettingsError`` when the environment holds something that cannot be used.
    """

    def __init__(self, api: Api, *, environ: Mapping[str, str] | None = None) -> None:
        self.api = api
        self.settings = Settings.read(api, os.environ if environ is None else environ)
        self._groups = {tool: group for group, tools in api.groups.items() for tool in tools}
        self._operations: dict[str, Operation[Any, Any]] = {}
        self._upstream: Upstream | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    def __repr__(self) -> str:
        return f"Server({self.api.name!r})"

    @cached_property
    def contract(self) -> Contract:
        """The tools as agents see them."""
        return Contract.read(self.api.package, aliases=self.api.aliases, retired=self.api.retired)

    def operation(self, tool: str) -> Operation[Any, Any]:
        """The operation behind a tool; raises ``UnknownTool``."""
        operation = self._operations.get(tool)
        if operation is None:
            group = self._groups.get(tool)
            if group is None:
                raise UnknownTool(tool, self._groups)
            module = importlib.import_module(f"{self.api.package}.groups.{group}")
            operation = self._operations[tool] = getattr(module, tool.upper())
        return operation

    async def call(self, tool: str, arguments: Arguments) -> CallToolResult:
        """The result of a tool call; what goes wrong is said in it, for the model.

        Raises ``UnknownTool``, and nothing else.
        """
        from .answer import failed, result

        try:
            entry = self.contract.tool(tool)
            operation = self.operation(entry.name)
            response = await self._respond(operation, entry, arguments)
            return await _aside(len(response.body), result, response, operation, entry, self.settings)
        except UnknownTool:
            raise
        except CallError as error:
            return failed(str(error))
        except Exception:  # noqa: BLE001 - the edge: the SDK would put the text of an exception on the wire
            reference = secrets.token_hex(4)
            LOGGER.error("%s failed [%s]\n%s", tool, reference, self.settings.redact(traceback.format_exc()))
            return failed(
                f"{tool} failed inside of the server. It may have been carried out. Details are in the "
                f"server's log under the reference {reference}."
            )

    async def result(self, operation: Operation[Any, Any], arguments: Arguments, /) -> Json:
        """The decoded answer of an operation, for code that composes operations; raises ``CallError``."""
        entry = self.contract.tool(operation.name)
        from .answer import value

        response = await self._respond(operation, entry, arguments)
        return await _aside(len(response.body), value, response, operation, entry, self.settings)

    def lowlevel(self) -> ProtocolServer[Any]:
        """The server as the MCP SDK runs it."""
        from .protocol import lowlevel

        return lowlevel(self)

    async def aclose(self) -> None:
        """Close the connections to the API; a later call opens new ones."""
        if self._upstream is not None:
            await self._upstream.aclose()

    async def _respond(self, operation: Operation[Any, Any], tool: Tool, arguments: Arguments) -> Response:
        """The API's response; raises ``CallError`` when the call cannot be made."""
        from .request import ArgumentError, build

        checked = check(tool, arguments, operation.parameters)
        settings = self.settings
        base_url = settings.base_url(operation)
        proof = settings.credentials.proof(operation) if settings.authenticate else Proof()
        try:
            request = build(operation, checked, base_url)
        except ArgumentError as error:
            raise ArgumentProblem(f"Invalid arguments for {tool.name}; nothing was sent:\n- {error.message}") from None
        if self._upstream is None:
            from .upstream import Upstream

            self._upstream = Upstream(settings, f"{self.api.name}-mcp/{_plain(self.api.version)}")
        return await self._upstream.send(request, proof)


async def _aside(size: int, work: Any, *arguments: Any) -> Any:
    """What ``work`` gives; in a thread when there is so much that other calls would have to wait."""
    if size <= _QUICK:
        return work(*arguments)
    from anyio.to_thread import run_sync

    return await run_sync(work, *arguments)


def _plain(version: str) -> str:
    """A version as a product token of a User-Agent (RFC 9110, section 10.1.5)."""
    return "".join(sign if sign.isascii() and (sign.isalnum() or sign in ".-+_") else "-" for sign in version) or "0"
