"""The command: ``python -m tests.fuzz [--seconds N] [--seed S] [--replay CASE] documents|calls|answers``."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[2] / folder) for folder in ("templates", "generator")]

from tests.fuzz.run import main  # noqa: E402 - once the runtime can be found

if __name__ == "__main__":
    raise SystemExit(main())
