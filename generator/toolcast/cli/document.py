"""``toolcast document``: a document with its overlays applied."""

from __future__ import annotations

import sys
from typing import Annotated, Literal

import typer

from toolcast import pipeline
from toolcast.cli.app import app, examples
from toolcast.cli.generate import Document, Overlays
from toolcast.cli.screen import ERR, failures
from toolcast.diagnostics import Report
from toolcast.view import document as written
from toolcast.view import terminal


@app.command(epilog=examples("toolcast document openapi.yaml --overlay names.yaml"))
def document(
    document: Document,
    overlays: Overlays = None,
    format_: Annotated[
        Literal["yaml", "json"] | None,
        typer.Option("--format", help="How to print it; without it, as the document itself is written."),
    ] = None,
) -> None:
    """Print a document as its author wrote it, with overlays applied."""
    report = Report()
    with failures(report):
        found = pipeline.applied(document, report=report, overlays=overlays or ())
    with failures(report):
        terminal.diagnostics(ERR, report.diagnostics, report.lines, all_=True)
        is_json = found.text.lstrip("\ufeff \t\r\n").startswith("{") if format_ is None else format_ == "json"
        sys.stdout.write(written.json(found.root) if is_json else written.yaml(found.root))
        sys.stdout.flush()
