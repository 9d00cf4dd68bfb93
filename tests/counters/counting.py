"""Counting: how much is done, instead of how long it takes. A count is the same on a slow machine and on a busy one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any


@contextmanager
def calls(*places: str) -> Generator[Counter[str]]:
    """How often functions are called, or go on, inside of the block whose source lies at one of these places, by name.

    Comprehensions do not count: from Python 3.12 on they are no functions.
    """
    found: Counter[str] = Counter()
    known: dict[str, bool] = {}

    def note(frame: FrameType, event: str, _: Any) -> None:
        if event != "call":
            return
        code = frame.f_code
        inside = known.get(code.co_filename)
        if inside is None:
            path = Path(code.co_filename).as_posix()
            inside = known[code.co_filename] = any(place in path for place in places)
        if inside and not code.co_name.startswith("<"):
            found[code.co_qualname] += 1

    earlier = sys.getprofile()
    sys.setprofile(note)
    try:
        yield found
    finally:
        sys.setprofile(earlier)


def loaded(code: str, environ: Mapping[str, str] | None = None) -> frozenset[str]:
    """The modules that a new interpreter has loaded when it has run this code."""
    told = f"{code}\nimport json, sys; print(json.dumps(sorted(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", told],
        env={**os.environ, **(environ or {})},
        capture_output=True,
        text=True,
        check=True,
        stdin=subprocess.DEVNULL,
    )
    return frozenset(json.loads(done.stdout.splitlines()[-1]))


def versions(folder: Path) -> dict[str, tuple[int, int]]:
    """What tells one writing of a file from the next, for each file of a folder."""
    found = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): (path.stat().st_ino, path.stat().st_mtime_ns) for path in found}
