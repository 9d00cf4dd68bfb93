"""The command `tides-mcp`."""

from __future__ import annotations

from ._runtime.command import run
from .server import build


def main() -> None:
    """Run the server until its client goes away."""
    raise SystemExit(run(build))


if __name__ == "__main__":
    main()
