"""``python -m toolcast``, and the command ``toolcast``."""

from __future__ import annotations

from toolcast.cli import demo, diff, generate, inspect, serve
from toolcast.cli.app import app


def main() -> None:
    """Run the command line."""
    assert all((demo, diff, generate, inspect, serve))  # importing them adds the commands
    app()


if __name__ == "__main__":
    main()
