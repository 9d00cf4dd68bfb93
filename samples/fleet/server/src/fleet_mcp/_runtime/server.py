"""A server: the operations of an API as tools that can be called, with every check on the way."""

from __future__ import annotations

import importlib
import os
import secrets
import traceback
from collections.abc import Collection, Generator, Mapping
from contextlib import contextmanager
from copy import copy
from dataclasses import replace
from functools import cached_property
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final, Protocol, Self

from .access import Access
from .audit import Entry
from .call import Call, Record
from .caller import ANYBODY, Caller
from .carry import carried, operated, settings_of
from .composition import Composed, Composition
from .contract import Contract
from .errors import CallError, UnknownTool, gone
from .guard import Human, InputNeeded, Nobody
from .lifespan import Open
from .log import LOGGER
from .operation import Api, Arguments, Json, Operation
from .settings import Settings

if TYPE_CHECKING:
    from mcp.server import Server as ProtocolServer
    from mcp.types import CallToolResult

    from .rest import Place
    from .upstream import Upstream

NOBODY: Final = Nobody()


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


class Server(Composed):
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
        self._open = Open(())

    def configure(self, environ: Mapping[str, str]) -> None:
        """Take settings and rules from another environment; raises ``SettingsError``."""
        self.environ = environ
        self.settings = Settings.read(self.api, environ)
        self.__dict__.pop("access", None)

    async def __aenter__(self) -> Self:
        await self._open.enter()
        return self

    async def __aexit__(self, *_: object) -> None:
        if await self._open.leave():
            await self.aclose()

    def __repr__(self) -> str:
        return f"Server({self.api.name!r})"

    @cached_property
    def access(self) -> Access:
        """Who may see and call what; raises ``SettingsError`` for a rule that names nothing."""
        return Access.read(self.api, self.environ, self.settings.credentials, self.composition.groups)

    @cached_property
    def described(self) -> Contract:
        """The tools of the API as its document describes them."""
        return Contract.read(self.api.package)

    @cached_property
    def contract(self) -> Contract:
        """The tools as they are offered."""
        return self.composition.of(self.described, self._groups)

    def ready(self) -> Self:
        """The server, once everything that was said about it is known to fit together.

        Raises ``SettingsError`` and ``CompositionError``.
        """
        _ = self.contract, self.access
        return self

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
        tool = self.contract.tools.get(self.named(name))
        return None if tool is None else tool.input_schema

    def named(self, tool: str) -> str:
        """The name that a tool has now, which may have had that one before."""
        return tool if tool in self.contract.tools else self.api.aliases.get(tool, tool)

    def tools(self) -> Tools:
        """The tools as clients get them: all of them, or in search mode the three that find the others."""
        if self.settings.mode == "all":
            return self
        from .finder import SearchMode

        return SearchMode(self)

    async def call(
        self,
        tool: str,
        arguments: Arguments,
        *,
        caller: Caller = ANYBODY,
        human: Human = NOBODY,
        place: Place | None = None,
    ) -> CallToolResult:
        """The result of a tool call; what goes wrong is said in it, for the model.

        ``human`` is whoever can be asked about the call; ``place`` is where its answer is read on. Raises
        ``UnknownTool``, and ``InputNeeded`` when the human has to be asked first, and nothing else.
        """
        from .answer import failed

        # Whatever follows, rules and records, knows the present name alone.
        name = self.named(tool)
        if name not in self.contract.tools and tool in self.api.retired:
            return failed(gone(tool, self.api.retired[tool], self.listed(caller).tools))
        entry = self.contract.tool(name)
        if not self.access.sees(entry, caller) and not self.access.lacking(entry, caller):
            raise UnknownTool(tool, self.listed(caller).tools)
        call = Call(name=entry.name, caller=caller, server=self, human=human)
        with self._audited(call, arguments):
            try:
                outcome = await carried(call, entry, arguments)
                result = await (outcome.result() if place is None else outcome.piece(place))
            except CallError as error:
                call.record.result = "refused" if call.record.status is None else "failed"
                return failed(str(error))
            except InputNeeded:
                call.record.decision = "asked"
                raise
            except Exception as error:  # noqa: BLE001 - the edge: the SDK would put its text on the wire
                reference = self.reported(call, error)
                return failed(
                    f"{tool} failed inside of the server. It may have been carried out. Details are in the "
                    f"server's log under the reference {reference}."
                )
            call.record.result = "failed" if result.is_error else "ok"
            return result

    async def result(self, operation: Operation[Any, Any], arguments: Arguments, /) -> Json:
        """The decoded answer of an operation, for code that composes operations; raises ``CallError``.

        It is the owner's own call: no guard asks about it, and it needs no tool to be visible.
        """
        return await (await operated(Call(name=operation.name, server=self), operation, arguments)).value()

    async def within(self, call: Call, operation: Operation[Any, Any], arguments: Arguments) -> Json:
        """The decoded answer of an operation that a function calls in the course of a call; raises ``CallError``.

        It is made on behalf of the same caller, and no tool has to be visible for it. A human who agreed to the call
        agreed to all of it; otherwise nobody can be asked in the middle of it.
        """
        if operation.name in call.within:  # what the function wraps: the call itself goes on
            outcome = await operated(call, operation, arguments)
            value = await outcome.value()
            call.record.outcome = outcome
            return value
        entry = self.described.tool(operation.name)
        if self.access.only_reads(call.caller) and not entry.read_only:
            raise CallError(f"{operation.name} changes something, and this server only reads, so nothing was sent.")
        agreed = call.human is None or call.record.decision == "confirmed"
        part = replace(call, name=operation.name, human=None if agreed else NOBODY, record=Record())
        with self._audited(part, arguments):
            try:
                value = await (await operated(part, operation, arguments)).value()
            except CallError:
                part.record.result = "refused" if part.record.status is None else "failed"
                raise
            part.record.result = "ok"
            return value

    def reported(self, call: Call, error: Exception) -> str:
        """Log a mistake in the server or in the owner's code, and give the reference under which it is there."""
        reference = secrets.token_hex(4)
        told = "".join(traceback.format_exception(error))
        LOGGER.error("%s failed [%s]\n%s", call.name, reference, settings_of(call).redact(told))
        return reference

    def lowlevel(self) -> ProtocolServer[Any]:
        """The server as the MCP SDK runs it."""
        from .protocol import lowlevel

        return lowlevel(self)

    async def aclose(self) -> None:
        """Close the connections to the API, which a later call opens again, and what the owner has opened."""
        await self._open.close()
        if self._upstream is not None:
            await self._upstream.aclose()

    def upstream(self) -> Upstream:
        """The connection to the API."""
        if self._upstream is None:
            agent = f"{self.api.name}-mcp/{_plain(self.api.version)}"
            if self.settings.mock:
                from .mock import Mock

                self._upstream = Mock(self.settings, agent, self.api.package, self.described)
            else:
                from .upstream import Upstream

                self._upstream = Upstream(self.settings, agent)
        return self._upstream

    @contextmanager
    def _audited(self, call: Call, arguments: Arguments) -> Generator[None]:
        """Write a line about the call when it is over."""
        begin = perf_counter()
        try:
            yield
        finally:
            self.access.audit.write(
                Entry(
                    tool=call.name,
                    caller=call.caller.name,
                    arguments=arguments,
                    decision=call.record.decision,
                    outcome=call.record.result,
                    status=call.record.status,
                    milliseconds=(perf_counter() - begin) * 1000,
                )
            )

    def _composed(self, composition: Composition) -> Self:
        other = copy(self)
        other.composition = composition
        other._upstream, other._open = None, Open(composition.lifespans)
        for known in ("access", "contract"):
            other.__dict__.pop(known, None)
        return other

    def _operation_names(self) -> Collection[str]:
        return self._groups

    def _renamed(self, tool: str) -> str:
        return self.api.aliases.get(tool, tool)


def _plain(version: str) -> str:
    """A version as a product token of a User-Agent (RFC 9110, section 10.1.5)."""
    return "".join(sign if sign.isascii() and (sign.isalnum() or sign in ".-+_") else "-" for sign in version) or "0"
