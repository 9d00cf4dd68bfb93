"""``toolcast check``: does a package still say what its document says?"""

from __future__ import annotations

import os
import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from toolcast import __version__, drift, pipeline
from toolcast.cli.app import app, examples
from toolcast.cli.generate import RemoteRefs, Strict, Tree
from toolcast.cli.outcome import Folder
from toolcast.cli.screen import ERR, OUT, failures, progress
from toolcast.diagnostics import Report
from toolcast.model.json import Json
from toolcast.view import changes, files, terminal


class Format(StrEnum):
    """How a result is written."""

    TEXT = "text"
    JSON = "json"
    GITHUB = "github"


@app.command(epilog=examples("toolcast check petstore-mcp", "toolcast check petstore-mcp --format github"))
def check(
    folder: Folder = Path(),
    format_: Annotated[
        Format, typer.Option("--format", help="For people, for programs, or as annotations of a GitHub workflow.")
    ] = Format.TEXT,
    json: Annotated[bool, typer.Option("--json", help="The same as --format json.")] = False,
    tree: Tree = None,
    allow_remote_refs: RemoteRefs = False,
    strict: Strict = False,
) -> None:
    """Tell whether document, configuration, templates, generator and package agree; nothing is written.

    Exits with 0 when they do, 10 when a compatible change waits for `toolcast update`, 20 when it breaks an agent or
    is a risk. What you have edited is told, and is no difference.
    """
    report = Report()
    reach = pipeline.Reach(tree=tree, allow_remote_refs=allow_remote_refs)
    with failures(report), progress() as say:
        found = drift.check(folder, report=report, reach=reach, strict=strict, progress=say)
    with failures(report):
        terminal.diagnostics(ERR, report.of("error") + report.of("warning"), report.lines)
        match Format.JSON if json else format_:
            case Format.JSON:
                typer.echo(_json(found))
            case Format.GITHUB:
                for line in files.workflow_commands(found.seen, found.made.plan.steps, _prefix(folder)):
                    typer.echo(line)
                if found.status:
                    typer.echo(f"{_headline(found)}: run toolcast update {folder}")
            case Format.TEXT:
                _print(found, folder)
    raise typer.Exit(found.status)


def _headline(found: drift.Drift) -> str:
    name = found.made.inspection.catalog.distribution
    match found.status:
        case 0:
            return f"{name} is up to date"
        case drift.BREAKING:
            return f"{name} is not up to date, and what changes breaks agents or is a risk"
        case _:
            return f"{name} is not up to date; what changes is compatible"


def _print(found: drift.Drift, folder: Path) -> None:
    OUT.print(Text(_headline(found), "bold"))
    if found.seen.changes:
        changes.terminal(OUT, found.seen)
        OUT.print()
    files.plan(OUT, found.made.plan.steps)
    for reason in found.reasons:
        OUT.print(Text(f"  {reason}", "dim"), soft_wrap=not OUT.is_terminal)
    if found.status:
        OUT.print()
        OUT.print("Next:", style="dim")
        OUT.print(f"  toolcast update {folder}", soft_wrap=True)
    sys.stdout.flush()


def _json(found: drift.Drift) -> str:
    earlier = found.made.earlier
    facts: dict[str, Json] = {
        "reasons": list(found.reasons),
        "generator": {"package": earlier.generator if earlier is not None else "", "here": __version__},
    }
    return files.machine(found.status, found.seen, found.made.plan.steps, facts)


def _prefix(folder: Path) -> str:
    """The way from the repository's root, as a workflow knows it, to the package."""
    root = Path(os.environ.get("GITHUB_WORKSPACE") or Path.cwd()).resolve()
    whole = folder.resolve()
    if not whole.is_relative_to(root) or whole == root:
        return ""
    return f"{whole.relative_to(root).as_posix()}/"
