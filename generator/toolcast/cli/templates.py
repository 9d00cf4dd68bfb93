"""``toolcast templates``: the templates of emitted files, and how they are overridden."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from toolcast import pipeline, templating
from toolcast.cli.app import Commands, app, examples
from toolcast.cli.generate import RemoteRefs, Tree
from toolcast.cli.screen import ERR, OUT, failures, progress
from toolcast.diagnostics import Report
from toolcast.view import templates as view
from toolcast.view import terminal

commands = typer.Typer(
    help="List, show, copy and check templates.",
    no_args_is_help=True,
    cls=Commands,
    rich_markup_mode=None,
    epilog=examples("toolcast templates list"),
)
app.add_typer(commands, name="templates")

Name = Annotated[str, typer.Argument(metavar="TEMPLATE", help="A template, as `toolcast templates list` names it.")]


@commands.command("list", epilog=examples("toolcast templates list --templates templates"))
def list_(
    templates: Annotated[Path | None, typer.Option(help="A folder of your templates, which are marked.")] = None,
    variables: Annotated[bool, typer.Option("--variables", help="List what templates see instead.")] = False,
) -> None:
    """List the templates with their blocks, or the variables that they see."""
    report = Report()
    with failures(report):
        interface, sources = templating.known(templates)
        if variables:
            view.values(OUT, interface)
        else:
            view.listing(OUT, interface, sources.templates)
        sys.stdout.flush()


@commands.command(epilog=examples("toolcast templates show README.md.jinja"))
def show(name: Name) -> None:
    """Print a built-in template."""
    with failures(Report()):
        typer.echo(templating.shown(name), nl=False)


@commands.command(epilog=examples("toolcast templates copy README.md.jinja --block heading"))
def copy(
    name: Name,
    into: Annotated[Path, typer.Option(help="The folder of your templates.")] = Path("templates"),
    block: Annotated[
        str, typer.Option(help="Copy this block only, into a template that extends the built-in one.")
    ] = "",
) -> None:
    """Copy a built-in template, or one block of it, into your folder."""
    with failures(Report()):
        path = templating.copied(name, into, block)
        OUT.print(f"Copied to {path}", soft_wrap=True)
        OUT.print(Text(f"  toolcast templates check {into}", "dim"), soft_wrap=True)


@commands.command(epilog=examples("toolcast templates check --document openapi.yaml"))
def check(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder of your templates.")] = Path("templates"),
    document: Annotated[
        str | None, typer.Option(help="The OpenAPI document to render with; without it, a sample.")
    ] = None,
    tree: Tree = None,
    allow_remote_refs: RemoteRefs = False,
) -> None:
    """Render your templates with plain and with hostile texts: no text may be read as code."""
    report = Report()
    reach = pipeline.Reach(tree=tree, allow_remote_refs=allow_remote_refs)
    with failures(report), progress() as say:
        found = templating.check(folder, document, report=report, reach=reach, progress=say)
    terminal.diagnostics(ERR, report.diagnostics, report.lines, all_=True)
    if report.of("error"):
        raise typer.Exit(1)
    OUT.print(f"{terminal.count(len(found.own), 'template')} of yours: texts stay texts, whatever they hold")
