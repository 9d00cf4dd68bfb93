"""The command `bookshop-mcp`."""

from __future__ import annotations

import gc


def main() -> None:
    """Run the server until its client goes away."""
    gc.disable()  # nothing that the imports make becomes garbage, and looking for it takes a quarter of their time
    from ._runtime.command import run
    from .server import build

    gc.enable()
    gc.freeze()
    raise SystemExit(run(build))


if __name__ == "__main__":
    main()
