"""``toolcast inspect``: what a document would become."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from toolcast import pipeline
from toolcast.cli.app import app, examples
from toolcast.cli.generate import Document, Overlays, RemoteRefs, Settings, Tree
from toolcast.cli.screen import OUT, failures, progress
from toolcast.diagnostics import Report
from toolcast.view import machine, overview, terminal
from toolcast.view.page import page


@app.command(epilog=examples("toolcast inspect openapi.yaml", "toolcast inspect openapi.yaml --html tools.html"))
def inspect(
    document: Document,
    overlays: Overlays = None,
    settings: Settings = None,
    tree: Tree = None,
    allow_remote_refs: RemoteRefs = False,
    json: Annotated[bool, typer.Option("--json", help="Print everything as JSON.")] = False,
    html: Annotated[
        Path | None, typer.Option("--html", metavar="FILE", help="Write everything as a page that needs no network.")
    ] = None,
    all_: Annotated[bool, typer.Option("--all", help="Print every finding, not one line for each code.")] = False,
) -> None:
    """Show the tools that a document would become, with their hints and sizes, and what was found on the way."""
    report = Report()
    reach = pipeline.Reach(tree=tree, allow_remote_refs=allow_remote_refs)
    with failures(report), progress() as say:
        found = pipeline.inspect(
            document, report=report, overlays=overlays or (), settings=settings, reach=reach, progress=say
        )
        survey = pipeline.survey(found, requests=json or html is not None)
    with failures(report):
        if html is not None:
            html.write_text(page.page(survey), "utf-8", newline="\n")
        if json:
            typer.echo(machine.inspection(survey))
        elif html is not None:
            typer.echo(f"{html}: {terminal.count(len(survey.catalog.tools), 'tool')}")
        else:
            overview.overview(OUT, survey, all_=all_)
        sys.stdout.flush()
