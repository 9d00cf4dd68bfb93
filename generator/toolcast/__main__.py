"""``python -m toolcast``, and the command ``toolcast``."""

from __future__ import annotations

from toolcast.cli import check, demo, generate, inspect, resolve, serve, update, watch
from toolcast.cli.app import app


def main() -> None:
    """Run the command line."""
    assert all((check, demo, generate, inspect, resolve, serve, update, watch))  # importing them adds the commands
    app()


if __name__ == "__main__":
    main()
