"""``python -m toolcast``, and the command ``toolcast``."""

from __future__ import annotations

import io
import sys

from toolcast.cli import demo, generate, inspect, lint, serve
from toolcast.cli.app import app


def main() -> None:
    """Run the command line."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # texts of documents are of every script, whatever the locale
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    assert all((demo, generate, inspect, lint, serve))  # importing them adds the commands
    app()


if __name__ == "__main__":
    main()
