"""A server: the operations of an API as tools that can be called, with every check on the way."""

from __future__ import annotations

import importlib
import os
import secrets
import traceback
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final, Protocol, Self

from .access import Access
from .arguments import check
from .audit import Entry
from .caller import ANYBODY, Caller
from .contract import Contract, Tool
from .credentials import Proof
from .errors import ArgumentProblem, CallError, UnknownTool
from .guard import Human, InputNeeded, Nobody, identity, question
from .log import LOGGER
from .operation import Api, Arguments, Json, Operation
from .settings import Settings

if TYPE_CHECKING:
    from mcp.server import Server as ProtocolServer
    from mcp.types import CallToolResult

    from .response import Response
    from .upstream import Upstream

NOBODY: Final = Nobody()

_QUICK = 256 * 1024  # bytes of an answer that are turned into a result without leaving the event loop


class Tools(Protocol):
    """Tools that can be listed and called on behalf of callers."""

    def listed(self, caller: Caller = ...) -> Contract:
        """The tools as a caller sees them."""
        ...

    def input_schema(self, name: str) -> Mapping[str, Any] | None:
        """What arguments a tool takes; None when it is not there."""
        ...

    async def call(self, tool: str, arguments: Arguments, *, caller: Caller, human: Human) -> CallToolResult:
        """The result of a tool call."""
        ...


class Server:
    """The tools of one API; ``environ`` (default: the process's) says where it is and holds the credentials.

    Its connections belong to the event loop that made the first call: ``async with server:`` closes them at the end.
    Raises ``SettingsError`` when the environment holds something that cannot be used.
    """

    def __init__(self, api: Api, *, environ: Mapping[str, str] | None = None) -> None:
        self.api = api
        self.configure(os.environ if environ is None else environ)
        self._groups = {tool: group for group, tools in api.groups.items() for tool in tools}
        self._operations: dict[str, Operation[Any, Any]] = {}
        self._upstream: Upstream | None = None

    def configure(self, environ: Mapping[str, str]) -> None:
        """Take settings and rules from another environment; raises ``SettingsError``."""
        self.environ = environ
        self.settings = Settings.read(self.api, environ)
        self.access = Access.read(self.api, environ, self.settings.credentials)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    def __repr__(self) -> str:
        return f"Server({self.api.name!r})"

    @cached_property
    def contract(self) -> Contract:
        """The tools as agents see them."""
        return Contract.read(self.api.package)

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

    def listed(self, caller: Caller = ANYBODY) -> Contract:
        """The tools as a caller sees them."""
        return self.access.listed(self.contract, caller)

    def input_schema(self, name: str) -> Mapping[str, Any] | None:
        """What arguments a tool takes; None when it is not there."""
        tool = self.contract.tools.get(name)
        return None if tool is None else tool.input_schema

    def tools(self) -> Tools:
        """The tools as clients get them: all of them, or in search mode the three that find the others."""
        if self.settings.mode == "all":
            return self
        from .finder import SearchMode

        return SearchMode(self)

    async def call(
        self, tool: str, arguments: Arguments, *, caller: Caller = ANYBODY, human: Human = NOBODY
    ) -> CallToolResult:
        """The result of a tool call; what goes wrong is said in it, for the model.

        ``human`` is whoever can be asked about the call. Raises ``UnknownTool``, and ``InputNeeded`` when the human
        has to be asked first, and nothing else.
        """
        entry = self.contract.tool(tool)
        if not self.access.sees(entry, caller) and not self.access.lacking(entry, caller):
            raise UnknownTool(tool, self.listed(caller).tools)
        from .answer import failed, result

        record, begin = _Record(), perf_counter()
        try:
            operation = self.operation(tool)
            response = await self._respond(operation, entry, arguments, caller, human, record)
            answer = await _aside(len(response.body), result, response, operation, entry, self.settings)
            record.outcome = "failed" if answer.is_error else "ok"
            return answer
        except CallError as error:
            record.outcome = "refused" if record.status is None else "failed"
            return failed(str(error))
        except InputNeeded:
            record.decision = "asked"
            raise
        except Exception:  # noqa: BLE001 - the edge: the SDK would put the text of an exception on the wire
            reference = secrets.token_hex(4)
            LOGGER.error("%s failed [%s]\n%s", tool, reference, self.settings.redact(traceback.format_exc()))
            return failed(
                f"{tool} failed inside of the server. It may have been carried out. Details are in the "
                f"server's log under the reference {reference}."
            )
        finally:
            self.access.audit.write(
                Entry(
                    tool=tool,
                    caller=caller.name,
                    arguments=arguments,
                    decision=record.decision,
                    outcome=record.outcome,
                    status=record.status,
                    milliseconds=(perf_counter() - begin) * 1000,
                )
            )

    async def result(self, operation: Operation[Any, Any], arguments: Arguments, /) -> Json:
        """The decoded answer of an operation, for code that composes operations; raises ``CallError``.

        It is the owner's own call: no guard asks about it, and it needs no tool to be visible.
        """
        entry = self.contract.tool(operation.name)
        from .answer import value

        response = await self._respond(operation, entry, arguments, ANYBODY, None, _Record())
        return await _aside(len(response.body), value, response, operation, entry, self.settings)

    def lowlevel(self) -> ProtocolServer[Any]:
        """The server as the MCP SDK runs it."""
        from .protocol import lowlevel

        return lowlevel(self)

    async def aclose(self) -> None:
        """Close the connections to the API; a later call opens new ones."""
        if self._upstream is not None:
            await self._upstream.aclose()

    def upstream(self) -> Upstream:
        """The connection to the API."""
        if self._upstream is None:
            from .upstream import Upstream

            self._upstream = Upstream(self.settings, f"{self.api.name}-mcp/{_plain(self.api.version)}")
        return self._upstream

    async def _respond(
        self,
        operation: Operation[Any, Any],
        tool: Tool,
        arguments: Arguments,
        caller: Caller,
        human: Human | None,
        record: _Record,
    ) -> Response:
        """The API's response; raises ``CallError`` when the call cannot be made, or must not. Without ``human``,
        nobody has to agree.
        """
        from .request import ArgumentError, build

        if lacking := self.access.lacking(tool, caller):
            raise CallError(f"The caller's token does not grant {' '.join(sorted(lacking))}, so nothing was sent.")
        checked = check(tool, arguments, operation.parameters)
        settings, access = self.settings, self.access
        base_url = settings.base_url(operation)
        credentials = access.credentials(settings.credentials, caller)
        proof = credentials.proof(operation) if settings.authenticate else Proof()
        try:
            request = build(operation, checked, base_url)
        except ArgumentError as error:
            raise ArgumentProblem(f"Invalid arguments for {tool.name}; nothing was sent:\n- {error.message}") from None
        policy = "off" if human is None else access.policy(tool)
        if human is not None and policy != "off":
            call = identity(tool.name, checked, request, caller.id, policy)
            asked = question(str(tool.entry.get("title") or tool.name), request, checked)
            record.decision = "refused"
            record.decision = await access.guard.review(policy, asked, call, human)
            if record.decision == "unconfirmed":
                LOGGER.warning("%s is called without anybody having been asked", tool.name)
        upstream = self.upstream()
        settled = await credentials.settled(proof, upstream.plain)
        response = await upstream.send(request, settled, tool=tool.name, caller=caller.id)
        if response.status == 401 and credentials.refused(settled):  # so that nothing was carried out
            settled = await credentials.settled(proof, upstream.plain)
            response = await upstream.send(request, settled, tool=tool.name, caller=caller.id)
        record.status = response.status
        return response


@dataclass(slots=True)
class _Record:
    """What the audit is told of a call."""

    decision: str = "unguarded"
    outcome: str = "failed"
    status: int | None = None


async def _aside(size: int, work: Any, *arguments: Any) -> Any:
    """What ``work`` gives; in a thread when there is so much that other calls would have to wait."""
    if size <= _QUICK:
        return work(*arguments)
    from anyio.to_thread import run_sync

    return await run_sync(work, *arguments)


def _plain(version: str) -> str:
    """A version as a product token of a User-Agent (RFC 9110, section 10.1.5)."""
    return "".join(sign if sign.isascii() and (sign.isalnum() or sign in ".-+_") else "-" for sign in version) or "0"
