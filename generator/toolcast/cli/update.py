"""``toolcast update``: a package follows its document."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from toolcast import drift, pipeline
from toolcast.cli import outcome
from toolcast.cli.app import app, examples
from toolcast.cli.generate import RemoteRefs, Strict, Tree
from toolcast.cli.outcome import AcceptOrigins, Folder, consent
from toolcast.cli.screen import ERR, OUT, failures, progress
from toolcast.diagnostics import Report
from toolcast.view import changes, files, terminal


@app.command(epilog=examples("toolcast update petstore-mcp", "toolcast update petstore-mcp --dry-run | less"))
def update(
    folder: Folder = Path(),
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print what would change as a unified diff, and change nothing.")
    ] = False,
    accept_origins: AcceptOrigins = False,
    tree: Tree = None,
    allow_remote_refs: RemoteRefs = False,
    strict: Strict = False,
) -> None:
    """Bring a package up to date with its document, configuration and templates; what you edited is merged.

    Exits with 3 when your edits and the changes are in conflict: nothing is changed then.
    """
    report = Report()
    reach = pipeline.Reach(tree=tree, allow_remote_refs=allow_remote_refs)
    with failures(report), progress() as say:
        if dry_run:
            made = pipeline.preview(folder, report=report, reach=reach, strict=strict, progress=say)
        else:
            made = pipeline.update(
                folder, report=report, reach=reach, strict=strict, consent=consent(accept_origins, say), progress=say
            )
    with failures(report):
        terminal.diagnostics(ERR, report.diagnostics, report.lines)
        if dry_run:
            _preview(made)
        else:
            outcome.told(made, folder)


def _preview(made: pipeline.Generation) -> None:
    """Print the plan on stderr and the diff on stdout, where a pager or a patch can have it."""
    for line in files.diff(made.plan.steps):
        if OUT.is_terminal:
            OUT.print(files.coloured(line), soft_wrap=True)
        else:
            sys.stdout.write(line)
    sys.stdout.flush()
    found = made.plan.of("conflict")
    head = "in conflict, nothing would be changed" if found else outcome.summary(made)
    ERR.print(Text.assemble((made.inspection.catalog.distribution, "bold"), f", a dry run: {head}"))
    seen = drift.changed(made)
    if made.earlier is not None and seen.changes:
        changes.terminal(ERR, seen)
        ERR.print()
    files.plan(ERR, made.plan.steps)
    if made.origins:
        ERR.print(Text("Requests would go where none went before; the update asks for --accept-origins:", "bold"))
        for origin in made.origins:
            ERR.print(Text(f"  {origin}", "red"), soft_wrap=True)
    if found:
        raise typer.Exit(outcome.CONFLICT)
