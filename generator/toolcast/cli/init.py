"""``toolcast init``: a configuration to start from."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from toolcast import pipeline
from toolcast.cli.app import app, examples
from toolcast.cli.generate import Document, Overlays
from toolcast.cli.screen import ERR, OUT, failures, progress
from toolcast.diagnostics import Report
from toolcast.view import terminal


@app.command(
    epilog=examples("toolcast init openapi.yaml --output petstore-mcp", "toolcast generate --output petstore-mcp")
)
def init(
    document: Document,
    output: Annotated[Path, typer.Option("--output", "-o", help="The folder that the package will be in.")] = Path(),
    name: Annotated[str, typer.Option("--name", "-n", help="The base of all names; without it, from the title.")] = "",
    overlays: Overlays = None,
) -> None:
    """Write a commented toolcast.toml for a document, to be edited before its package is generated."""
    report = Report()
    with failures(report), progress():
        path = pipeline.starting_point(document, output, report=report, name=name, overlays=overlays or ())
    with failures(report):
        terminal.diagnostics(ERR, report.diagnostics, report.lines)
        OUT.print(f"{path} is written", soft_wrap=True)
        OUT.print()
        OUT.print("Next:", style="dim")
        OUT.print(f"  edit it, then: toolcast generate --output {output}", soft_wrap=True)
