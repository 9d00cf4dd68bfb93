"""A call on its way: what the owner's functions get, and call operations with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from .caller import ANYBODY, Caller
from .operation import Arguments, Json, Operation

if TYPE_CHECKING:
    from .credentials import Credentials
    from .guard import Human
    from .outcome import Outcome
    from .server import Server


@dataclass(slots=True)
class Record:
    """What becomes known of a call while it is made: for the audit, and for those who turn the answer into a result.

    ``outcome`` is what the operation gave that a function wraps.
    """

    decision: str = "unguarded"
    result: str = "failed"
    status: int | None = None
    credentials: Credentials | None = field(default=None, repr=False)
    outcome: Outcome | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One call, of the tool, resource or prompt ``name``, on behalf of ``caller``.

    Operations are called with it: ``await GET_PET(call, {"petId": 1})``. Inside of a function that wraps an operation,
    that operation is the one that the function wraps.
    """

    name: str
    caller: Caller = ANYBODY
    server: Server = field(repr=False)
    human: Human | None = field(default=None, repr=False)
    within: Mapping[str, int] = field(default_factory=dict[str, int], repr=False)
    record: Record = field(default_factory=Record, repr=False)

    async def result(self, operation: Operation[Any, Any], arguments: Arguments, /) -> Json:
        """The decoded answer of an operation; raises ``CallError``."""
        return await self.server.within(self, operation, arguments)

    def inside(self, operation: str) -> Call:
        """The same call, inside of one more function that wraps the operation."""
        return replace(self, within={**self.within, operation: self.within.get(operation, 0) + 1})
