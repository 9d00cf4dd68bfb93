"""What an owner opens for as long as the server runs, such as a pool of connections."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from typing import TYPE_CHECKING, Final, TypeAlias

from .log import LOGGER

if TYPE_CHECKING:
    import asyncio

Lifespan: TypeAlias = Callable[[], AbstractAsyncContextManager[object]]

_GRACE: Final = 5.0  # seconds that closing may take


class Open:
    """Holds lifespans open, in a task of their own, as some things can only be closed by whoever opened them.

    Whoever is first opens them, and whoever is last closes them.
    """

    def __init__(self, lifespans: Sequence[Lifespan]) -> None:
        self._lifespans = lifespans
        self._users = 0
        self._stop: asyncio.Event | None = None
        self._task: asyncio.Task[None] | None = None

    async def enter(self) -> None:
        """Open what is not open yet; raises what opening it raises."""
        self._users += 1
        if not self._lifespans or self._task is not None:
            return
        import asyncio

        self._stop = asyncio.Event()
        started = asyncio.get_running_loop().create_future()
        self._task = asyncio.create_task(self._hold(started, self._stop))
        try:
            await started
        except BaseException:
            self._task = None
            raise

    async def leave(self) -> bool:
        """Close what nobody uses any more, and say whether that is so."""
        self._users -= 1
        if self._users <= 0:
            await self.close()
        return self._users <= 0

    async def close(self) -> None:
        """Close what is open; what goes wrong is logged."""
        task, self._task, self._users = self._task, None, 0
        if task is None or self._stop is None:
            return
        import asyncio

        self._stop.set()
        done, _ = await asyncio.wait([task], timeout=_GRACE)
        if not done:
            LOGGER.error("What server.py opened could not be closed within %g s", _GRACE)
            task.cancel()
        elif error := task.exception():
            LOGGER.error("What server.py opened could not be closed", exc_info=error)

    async def _hold(self, started: asyncio.Future[None], stop: asyncio.Event) -> None:
        try:
            async with AsyncExitStack() as stack:
                for lifespan in self._lifespans:
                    await stack.enter_async_context(lifespan())
                started.set_result(None)
                await stop.wait()
        except BaseException as error:
            if started.done():
                raise
            started.set_exception(error)
