"""``python -m toolcast``, and the command ``toolcast``."""

from __future__ import annotations

from toolcast.cli import check, demo, diff, generate, inspect, resolve, serve, update, watch
from toolcast.cli.app import app


def main() -> None:
    """Run the command line."""
    # Importing them adds the commands.
    assert all((check, demo, diff, generate, inspect, resolve, serve, update, watch))
    app()


if __name__ == "__main__":
    main()
