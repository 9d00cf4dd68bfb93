"""Outcomes: what came of a call, as a result for clients or as a value for code."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, NoReturn, Protocol, TypeVar, cast

from .contract import Tool
from .operation import Json, Operation
from .own import Answer
from .settings import Settings

if TYPE_CHECKING:
    from mcp.types import CallToolResult

    from .projection import Projection
    from .response import Response
    from .rest import Place, Rest

T = TypeVar("T")

_QUICK = 256 * 1024  # bytes of an answer that are turned into a result without leaving the event loop


class Outcome(Protocol):
    """What came of a call."""

    async def result(self) -> CallToolResult:
        """The result of the tool call."""
        ...

    async def piece(self, place: Place) -> CallToolResult:
        """What of the answer fits into a result from a place on."""
        ...

    async def value(self) -> Json:
        """The answer as a value, made anew each time; raises ``CallError`` when the API refused."""
        ...

    def projected(self, projection: Projection) -> Outcome:
        """The part of this that is wanted."""
        ...


@dataclass(frozen=True, slots=True)
class Answered:
    """The API has answered; ``rest`` is how one reads on where that is too much."""

    response: Response
    operation: Operation[Any, Any]
    tool: Tool
    settings: Settings
    rest: Rest | None = None
    projection: Projection | None = None

    async def result(self) -> CallToolResult:
        """What the API says, as it says it."""
        from .answer import result

        return await self._aside(partial(result, rest=self.rest, projection=self.projection))

    async def piece(self, place: Place) -> CallToolResult:
        """The answer from a place on; a failure as a whole."""
        from .rest import piece

        if self.rest is None or not 200 <= self.response.status < 300:
            return await self.result()
        return await self._aside(partial(piece, from_=place, rest=self.rest))

    async def value(self) -> Json:
        """The decoded body."""
        from .answer import value

        return await self._aside(partial(value, projection=self.projection))

    def projected(self, projection: Projection) -> Answered:
        """This, of which a part is wanted."""
        return replace(self, projection=projection)

    async def _aside(self, work: Callable[[Response, Operation[Any, Any], Tool, Settings], T]) -> T:
        """What ``work`` gives; in a thread when it may take so long that other calls would have to wait."""
        given = (self.response, self.operation, self.tool, self.settings)
        if len(self.response.body) <= _QUICK and self.projection is None:
            return work(*given)
        from anyio.to_thread import run_sync

        return await run_sync(work, *given)


@dataclass(frozen=True, slots=True)
class Given:
    """A function of the owner's has given an answer; ``wrapped`` as of an operation."""

    answer: Answer
    tool: Tool
    settings: Settings
    wrapped: bool = False
    projection: Projection | None = None

    async def result(self) -> CallToolResult:
        """The answer as text, and where the tool says what it looks like, as a structure too."""
        from mcp.types import CallToolResult

        from .answer import picked, shown

        if isinstance(self.answer, CallToolResult):
            return self.answer
        if self.projection is not None:
            from anyio.to_thread import run_sync

            given = (plain(self.answer), self.projection, self.tool, self.settings)
            return await run_sync(partial(picked, wrapped=self.wrapped), *given)
        return shown(plain(self.answer), self.tool, self.settings, wrapped=self.wrapped)

    async def piece(self, place: Place) -> CallToolResult:
        """The answer as a whole: functions are not asked for parts."""
        return await self.result()

    async def value(self) -> Json:
        """The answer in JSON's terms."""
        return plain(self.answer) if self.projection is None else self.projection.value(plain(self.answer))

    def projected(self, projection: Projection) -> Given:
        """This, of which a part is wanted."""
        return replace(self, projection=projection)


async def same(one: Outcome, other: Outcome) -> bool:
    """Whether both are the same in JSON; 1 and true are not."""
    return json.dumps(await one.value()) == json.dumps(await other.value())


def plain(value: object) -> Json:
    """A value with objects as ``dict`` and arrays as ``list``; raises ``TypeError`` for what JSON does not have."""
    match value:
        case None | bool() | int() | float() | str():
            return value
        case Mapping():
            members = cast("Mapping[object, object]", value).items()
            return {key if isinstance(key, str) else _no(key): plain(item) for key, item in members}
        case Sequence() if not isinstance(value, (bytes, bytearray, memoryview)):
            return [plain(item) for item in cast("Sequence[object]", value)]
        case _:
            return _no(value)


def _no(value: object) -> NoReturn:
    raise TypeError(f"{type(value).__name__} is nothing that JSON has")
