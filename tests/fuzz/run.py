"""A run: cases, one after the other, until the time is over; what breaks a law is shrunk and told once."""

# Values of any shape are what this is about.
# pyright: basic

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Protocol


class Target(Protocol):
    """Something to fuzz."""

    counts: Counter[str]

    def case(self, seed: int, /) -> Any:
        """The case of a number, as JSON has it."""
        ...

    def check(self, case: Any, /) -> None:
        """Raise when a law does not hold of the case."""
        ...


def where(error: BaseException) -> str:
    """What tells one fault from another: the kind of exception, and the line that raised it."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if "site-packages" not in frame.filename and frame.name != "_holds"] or frames
    return f"{type(error).__name__} in {Path(own[-1].filename).name}:{own[-1].name}:{own[-1].lineno}"


def fault(target: Target, case: Any) -> BaseException | None:
    """What is wrong with a case."""
    try:
        target.check(case)
    except Exception as error:  # noqa: BLE001 - any at all is what is looked for
        return error
    return None


def shrunk(case: Any, still: Callable[[Any], bool], seconds: float = 5) -> Any:
    """The case without all that the fault does not need."""
    end = time.monotonic() + seconds
    changed = True
    while changed and time.monotonic() < end:
        changed = False
        for smaller in _smaller(case):
            if time.monotonic() > end:
                break
            if still(smaller):
                case, changed = smaller, True
                break
    return case


def _smaller(value: Any) -> Any:
    """Values that have a little less, the ones with much less first."""
    if isinstance(value, dict):
        members: dict[str, Any] = value
        for key in members:
            yield {name: item for name, item in members.items() if name != key}
        for key, item in members.items():
            for less in _smaller(item):
                yield {**members, key: less}
    elif isinstance(value, list):
        items: list[Any] = value
        for at in range(len(items)):
            yield items[:at] + items[at + 1 :]
        for at, item in enumerate(items):
            for less in _smaller(item):
                yield [*items[:at], less, *items[at + 1 :]]
    elif isinstance(value, str) and len(value) > 1:
        yield value[: len(value) // 2]
        yield value[len(value) // 2 :]


def run(
    target: Target, *, seconds: float, seed: int, most: int | None = None
) -> tuple[int, dict[str, tuple[int, Any, str]]]:
    """How many cases were tried, and for each fault its seed, its shrunk case and its words."""
    found: dict[str, tuple[int, Any, str]] = {}
    end, tried = time.monotonic() + seconds, 0
    while time.monotonic() < end and (most is None or tried < most):
        case = target.case(seed + tried)
        error = fault(target, case)
        if error is not None:
            key = where(error)
            target.counts[f"broken: {key}"] += 1
            if key not in found:

                def same(smaller: Any, key: str = key) -> bool:
                    other = fault(target, smaller)
                    return other is not None and where(other) == key

                words = "".join(traceback.format_exception(error)[-3:])[-1500:]
                found[key] = seed + tried, shrunk(case, same), words
        tried += 1
    return tried, found


def targets() -> Mapping[str, Callable[[Path], Target]]:
    """What can be fuzzed, by name."""
    from .target_calls import Answers, Calls
    from .target_documents import Documents

    return {"documents": Documents, "calls": Calls, "answers": Answers}


def main(arguments: list[str] | None = None) -> int:
    """Run for a time and print what came of it."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("target", choices=["documents", "calls", "answers"])
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=0, help="the number of the first case (default: 0)")
    parser.add_argument("--most", type=int, help="stop after so many cases")
    parser.add_argument("--replay", type=Path, help="a file with one case as JSON, which is checked alone")
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="toolcast-fuzz-") as folder:
        os.environ["XDG_CACHE_HOME"] = os.environ["XDG_STATE_HOME"] = folder
        target = targets()[given.target](Path(folder))
        if given.replay is not None:
            target.check(json.loads(given.replay.read_text("utf-8")))
            print("Every law holds.")
            return 0
        begin = time.monotonic()
        tried, found = run(target, seconds=given.seconds, seed=given.seed, most=given.most)
        took = time.monotonic() - begin
    print(
        f"{tried:,} {given.target} in {took:.0f} s ({tried / took:.0f}/s), "
        f"seeds {given.seed} to {given.seed + tried - 1}"
    )
    for name, count in sorted(target.counts.items()):
        print(f"  {count:>9,} {name}")
    for key, (seed, case, words) in found.items():
        print(f"\nBROKEN {key} (seed {seed}); save the next line as case.json, and: --replay case.json {given.target}")
        print(json.dumps(case))
        print(words)
    sys.stdout.flush()
    return 1 if found else 0
