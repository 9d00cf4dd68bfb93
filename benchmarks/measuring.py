"""Measuring: interleaved rounds, medians, and processes with their peak of memory."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median

ROOT = Path(__file__).parents[1]


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """A figure beside what limits it; ``unit`` is "ms", "MB", "x" or "".

    ``ratio`` is the figure in terms of the limit, or the figure itself; it has to be at most ``bound``, or at least,
    where ``least`` says so. Without a bound it is told, and nothing more.
    """

    what: str
    figure: float
    unit: str
    against: str = ""
    limit: float = 0.0
    bound: float | None = None
    least: bool = False

    @property
    def ratio(self) -> float:
        """The figure in terms of the limit."""
        return self.figure / self.limit if self.limit else self.figure

    @property
    def holds(self) -> bool:
        """Is the ratio within its bound?"""
        if self.bound is None:
            return True
        return self.ratio >= self.bound if self.least else self.ratio <= self.bound

    @property
    def row(self) -> str:
        """A row of the table."""
        ratio = f"{self.ratio:,.2f}" if self.limit or self.bound is not None else ""
        sign = "≥" if self.least else "≤"
        bound = f"{sign} {self.bound:g}" if self.bound is not None else ""
        holds = "" if self.bound is None else "yes" if self.holds else "**no**"
        limit = f"{self.against}: {told(self.limit, self.unit)}" if self.limit else self.against
        return f"| {self.what} | {told(self.figure, self.unit)} | {limit} | {ratio} | {bound} | {holds} |"


HEAD = "| what | measured | beside | ratio | bound | holds |\n|---|---:|---|---:|---:|---|"


def told(figure: float, unit: str) -> str:
    """A figure with its unit."""
    return f"{figure:,.{0 if figure >= 100 else 1 if figure >= 10 else 2}f} {unit}".strip()


def written(measures: Sequence[Measure]) -> str:
    """The measures as JSON."""
    return json.dumps([{**asdict(one), "ratio": one.ratio, "holds": one.holds} for one in measures], indent=1)


def timed(action: Callable[[], object]) -> float:
    """Milliseconds that an action takes."""
    begin = time.perf_counter()
    action()
    return (time.perf_counter() - begin) * 1000


def interleaved(actions: Mapping[str, Callable[[], float]], rounds: int) -> dict[str, float]:
    """The median of each action's figures, each taken once in every round: machines drift, all alike."""
    figures: dict[str, list[float]] = {name: [] for name in actions}
    for _ in range(rounds):
        for name, action in actions.items():
            figures[name].append(action())
    return {name: median(found) for name, found in figures.items()}


@dataclass(frozen=True, slots=True)
class Ran:
    """What a process took: milliseconds, and megabytes in it or in the largest of its children."""

    milliseconds: float
    megabytes: float
    output: str


# Runs a command, and tells its time and the largest memory of any process in it.
_TELLER = """
import json, resource, subprocess, sys, time
begin = time.perf_counter()
done = subprocess.run(sys.argv[1:], capture_output=True, text=True)
taken = time.perf_counter() - begin
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / (1024 if sys.platform != "darwin" else 2**20)
print(json.dumps([taken * 1000, peak, done.returncode, done.stdout, done.stderr]))
"""


def ran(*command: str | Path, environment: Mapping[str, str] | None = None) -> Ran:
    """Run a command to its end; raises ``RuntimeError`` when it fails."""
    inherited = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    done = subprocess.run(
        [sys.executable, "-c", _TELLER, *map(str, command)],
        env={**inherited, **(environment or {})},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    taken, peak, status, output, errors = json.loads(done.stdout)
    if status:
        raise RuntimeError(f"{' '.join(map(str, command))} ended with {status}:\n{errors[-2000:]}")
    return Ran(taken, peak, output)
