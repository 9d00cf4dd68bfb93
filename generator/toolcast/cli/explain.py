"""``toolcast explain``: what a diagnostic means."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from toolcast import explaining
from toolcast.cli.app import app, examples
from toolcast.cli.screen import OUT, failures
from toolcast.diagnostics import Report
from toolcast.view import explanations


@app.command(epilog=examples("toolcast explain TC112"))
def explain(
    code: Annotated[
        str, typer.Argument(metavar="CODE", help="A code, as TC112 or 112; without one, all are listed.")
    ] = "",
) -> None:
    """Say what the code of a message means, its cause and its cure."""
    with failures(Report()):
        if not code:
            explanations.listing(OUT, explaining.explanations())
        else:
            found = explaining.explained(code)
            if found is None:
                close = explaining.nearest(code)
                told = f"the nearest are {', '.join(close)}" if close else "`toolcast explain` lists all"
                raise typer.BadParameter(f"There is no code {code!r}; {told}", param_hint="CODE")
            explanations.one(OUT, found)
        sys.stdout.flush()
