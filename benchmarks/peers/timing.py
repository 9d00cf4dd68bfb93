"""Calls in turns: the median of what each kind of call takes, by how many are made at once."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from statistics import median

LEVELS = (1, 16, 64)
_CALLS = 192  # in a round, at every level

Kind = Callable[[], Awaitable[object]]


async def rounds(kinds: Mapping[str, Kind], count: int) -> dict[str, dict[int, float]]:
    """Milliseconds by kind and level: medians of all calls."""
    found: dict[str, dict[int, float]] = {name: {} for name in kinds}
    for kind in kinds.values():
        await kind()
    for level in LEVELS:
        taken: dict[str, list[float]] = {name: [] for name in kinds}
        for _ in range(count):
            for name, kind in kinds.items():
                await asyncio.gather(*(_some(kind, _CALLS // level, taken[name]) for _ in range(level)))
        for name, figures in taken.items():
            found[name][level] = median(figures)
    return found


async def _some(kind: Kind, count: int, taken: list[float]) -> None:
    for _ in range(count):
        begin = time.perf_counter()
        await kind()
        taken.append((time.perf_counter() - begin) * 1000)
