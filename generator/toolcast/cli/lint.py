"""``toolcast lint``: what in a document will hurt an agent."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from toolcast import pipeline
from toolcast.cli.app import app, examples
from toolcast.cli.generate import Document, RemoteRefs, Tree
from toolcast.cli.screen import OUT, failures, progress
from toolcast.diagnostics import Diagnostic, Failure, Location, Report
from toolcast.view import linting


@app.command(
    epilog=examples("toolcast lint openapi.yaml --overlay fixes.yaml", "toolcast lint openapi.yaml --min-score 80")
)
def lint(
    document: Document,
    tree: Tree = None,
    allow_remote_refs: RemoteRefs = False,
    min_score: Annotated[
        int, typer.Option(min=0, max=100, help="Exit with status 1 when the score is lower.", show_default=False)
    ] = 0,
    ignore: Annotated[
        list[str] | None, typer.Option("--ignore", metavar="CODE", help="Leave a rule out; may be given repeatedly.")
    ] = None,
    overlay: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the fixes that rules can make as an OpenAPI Overlay, for review."),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print everything as JSON.")] = False,
    github: Annotated[bool, typer.Option("--github", help="Print annotations for GitHub Actions.")] = False,
    all_: Annotated[bool, typer.Option("--all", help="Print every finding, not one line for each code.")] = False,
) -> None:
    """Find what in a document will hurt an agent, and give it a score from 0 to 100."""
    report = Report()
    reach = pipeline.Reach(tree=tree, allow_remote_refs=allow_remote_refs)
    with failures(report), progress() as say:
        if overlay is not None and overlay.exists():
            raise Failure(_there_already(overlay))
        found = pipeline.lint(document, report=report, ignored=ignore or (), reach=reach, progress=say)
        text, number = pipeline.fixes(found, overlay or Path())
    with failures(Report()):
        if overlay is not None and number:
            overlay.write_text(text, "utf-8", newline="\n")
        if json:
            typer.echo(linting.machines(found.inspection.document.file, found.verdict, report))
        elif github:
            typer.echo(linting.github(found.verdict, report))
        else:
            linting.people(OUT, found.verdict, report, number, overlay, all_=all_)
        sys.stdout.flush()
        if found.verdict.score < min_score:
            raise Failure(_too_low(found.verdict.score, min_score))


def _there_already(path: Path) -> Diagnostic:
    return Diagnostic(
        code="TC631",
        severity="error",
        message=f"{path} is there already, and may hold your edits",
        location=Location(file=str(path)),
        help="Name another file, or delete it first.",
    )


def _too_low(score: int, wanted: int) -> Diagnostic:
    return Diagnostic(
        code="TC630",
        severity="error",
        message=f"The score is {score}, and --min-score wants {wanted}",
        help="Correct what costs most first; `--overlay fixes.yaml` writes what can be put right at once.",
    )
