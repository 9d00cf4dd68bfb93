"""Turns: how many calls go out to the API at once, and how fast."""

from __future__ import annotations

import math
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Final

import anyio

from .errors import CallError
from .manners import Manners

_MOST_CALLERS: Final = 10_000  # whose rates are remembered


class Turns:
    """Lets calls go out: a number at once, and so many per second, of all callers and of each."""

    def __init__(self, manners: Manners) -> None:
        self._manners = manners
        self._slots = anyio.CapacityLimiter(manners.concurrency) if manners.concurrency else None
        self._all = _Rate(manners.rate)
        self._each: dict[str, _Rate] = {}

    @asynccontextmanager
    async def turn(self, caller: str, patience: float) -> AsyncGenerator[None]:
        """Wait for a turn; raises ``CallError`` when that would take, or has taken, longer than ``patience``."""
        prefix = self._manners.prefix
        wait = max(self._all.wait(), self._of(caller).wait())
        if wait > patience:
            raise CallError(
                f"Too many calls: this server lets so many per second through ({prefix}_RATE), so nothing was sent. "
                f"Try again in {math.ceil(wait)} seconds."
            )
        self._all.take()
        self._of(caller).take()
        if wait:
            await anyio.sleep(wait)
        if self._slots is None:
            yield
            return
        holder = object()
        try:
            self._slots.acquire_on_behalf_of_nowait(holder)  # not while others wait
        except anyio.WouldBlock:
            await self._acquired(self._slots, holder, patience - wait)
        try:
            yield
        finally:
            self._slots.release_on_behalf_of(holder)

    async def _acquired(self, slots: anyio.CapacityLimiter, holder: object, patience: float) -> None:
        with anyio.move_on_after(patience) as waiting:
            await slots.acquire_on_behalf_of(holder)
        if waiting.cancelled_caught:
            raise CallError(
                f"Too many calls at once: {self._manners.concurrency} are waiting for the API "
                f"({self._manners.prefix}_CONCURRENCY), so nothing was sent. Try again later."
            )

    def _of(self, caller: str) -> _Rate:
        known = self._each.get(caller)
        if known is None:
            if len(self._each) >= _MOST_CALLERS:
                self._each.pop(next(iter(self._each)))
            known = self._each[caller] = _Rate(self._manners.caller_rate)
        return known


class _Rate:
    """A token bucket that holds one second's calls, as the time at which it is full again (GCRA)."""

    def __init__(self, rate: float) -> None:
        self._interval = 1 / rate if rate else 0.0
        self._burst = max(1.0, rate) * self._interval
        self._full = 0.0

    def wait(self) -> float:
        """The seconds until the next call may go out."""
        if not self._interval:
            return 0.0
        now = anyio.current_time()
        return max(0.0, max(self._full, now) + self._interval - self._burst - now)

    def take(self) -> None:
        """Take a turn."""
        if self._interval:
            self._full = max(self._full, anyio.current_time()) + self._interval
