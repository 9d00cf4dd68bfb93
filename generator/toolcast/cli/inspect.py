"""``toolcast inspect``: what a document would become."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from toolcast import pipeline
from toolcast.cli.app import app
from toolcast.cli.generate import Document, Overlays, RemoteRefs, Settings, Tree
from toolcast.cli.screen import ERR, OUT, failures, progress
from toolcast.diagnostics import Report
from toolcast.view import machine, terminal


@app.command(epilog="Example: toolcast inspect openapi.yaml --json | jq .diagnostics")
def inspect(
    document: Document,
    overlays: Overlays = None,
    settings: Settings = None,
    tree: Tree = None,
    allow_remote_refs: RemoteRefs = False,
    json: Annotated[bool, typer.Option("--json", help="Print everything as JSON.")] = False,
) -> None:
    """Show the tools that a document would become, with their hints and sizes, and every finding."""
    report = Report()
    reach = pipeline.Reach(tree=tree, allow_remote_refs=allow_remote_refs)
    with failures(report), progress() as say:
        found = pipeline.inspect(
            document, report=report, overlays=overlays or (), settings=settings, reach=reach, progress=say
        )
        tokens = pipeline.sizes(found.catalog)
    with failures(report):
        if json:
            typer.echo(machine.inspection(found.catalog, report.diagnostics, report.lines, tokens))
            return
        terminal.tools(OUT, found.catalog, tokens)
        terminal.totals(OUT, found.catalog, sum(tokens.values()))
        sys.stdout.flush()
        terminal.diagnostics(ERR, report.diagnostics, report.lines, all_=True)
