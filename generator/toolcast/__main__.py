"""``python -m toolcast``, and the command ``toolcast``."""

from __future__ import annotations

import gc
import io
import sys

from toolcast.cli import (
    check,
    demo,
    diff,
    document,
    explain,
    generate,
    init,
    inspect,
    lint,
    resolve,
    serve,
    templates,
    update,
    watch,
)
from toolcast.cli.app import app

_RARELY = 500_000  # objects more than were freed


def main() -> None:
    """Run the command line."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # texts of documents are of every script, whatever the locale
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    # What is read and made stays until the end; looking through all of it for garbage took a quarter of the time.
    gc.set_threshold(_RARELY)
    # Importing them adds the commands.
    assert all(
        (check, demo, diff, document, explain, generate, init, inspect, lint, resolve, serve, templates, update, watch)
    )
    app()


if __name__ == "__main__":
    main()
