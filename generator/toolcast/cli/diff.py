"""``toolcast diff``: what a new version changes for agents."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from toolcast import comparing, pipeline
from toolcast.cli.app import app, examples
from toolcast.cli.generate import RemoteRefs, Tree
from toolcast.cli.screen import ERR, OUT, failures, progress
from toolcast.diagnostics import Report
from toolcast.view import changes, terminal

_COMPATIBLE, _GRAVE = 10, 20
_WHAT = "a document, a package's folder, a tools.json, or one of them at a revision of git: HEAD~1:openapi.yaml."


@app.command(
    epilog=examples(
        "toolcast diff main:openapi.yaml openapi.yaml", "toolcast diff petstore-mcp openapi.yaml --markdown"
    )
)
def diff(
    old: Annotated[str, typer.Argument(metavar="OLD", help=f"What was: {_WHAT}")],
    new: Annotated[str, typer.Argument(metavar="NEW", help="What is, or will be: one of the same.")],
    markdown: Annotated[bool, typer.Option("--markdown", help="Print Markdown, for a pull request's comment.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print everything as JSON.")] = False,
    tree: Tree = None,
    allow_remote_refs: RemoteRefs = False,
) -> None:
    """Show what a new version changes for agents, each with a verdict: breaking, risk, compatible or cosmetic.

    The status is 0 when nothing changes, 10 for what is compatible, 20 for what breaks agents or is a risk.
    """
    if markdown and json:
        raise typer.BadParameter("there is one output: leave one of --markdown and --json out")
    if old == new == "-":
        raise typer.BadParameter("standard input can be one of the two only", param_hint="NEW")
    report = Report()
    reach = pipeline.Reach(tree=tree, allow_remote_refs=allow_remote_refs)
    with failures(report), progress() as say:
        found = comparing.diff(old, new, report=report, reach=reach, progress=say)
    with failures(report):
        terminal.diagnostics(ERR, report.diagnostics, None)
        if json:
            typer.echo(changes.machine(found))
        elif markdown:
            typer.echo(changes.markdown(found), nl=False)
        else:
            changes.terminal(OUT, found)
        sys.stdout.flush()
        if found.verdict != "none":
            raise typer.Exit(_GRAVE if found.verdict in ("risk", "breaking") else _COMPATIBLE)
