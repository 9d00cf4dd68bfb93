"""``toolcast generate``: a package from a document."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from toolcast import pipeline
from toolcast.cli.app import app
from toolcast.cli.screen import ERR, OUT, failures, progress
from toolcast.diagnostics import Report
from toolcast.view import terminal

Document = Annotated[str, typer.Argument(help="The OpenAPI document: a file, a URL, or - for standard input.")]
Tree = Annotated[
    Path | None,
    typer.Option(
        help="Where references may lead to; without it, the git working tree, or the folder above the file's."
    ),
]
RemoteRefs = Annotated[bool, typer.Option("--allow-remote-refs", help="Follow references to other hosts, too.")]
Templates = Annotated[
    Path | None, typer.Option(help="A folder of templates of your own, which shadow the built-in ones by path.")
]
Strict = Annotated[bool, typer.Option("--strict", help="Make nothing when there are warnings.")]


@app.command(epilog="Example: toolcast generate openapi.yaml --output petstore-mcp --name petstore")
def generate(
    output: Annotated[
        Path, typer.Option("--output", "-o", help="The folder of the package: new, empty, or made before.")
    ],
    document: Annotated[
        str | None,
        typer.Argument(help="The OpenAPI document: a file, a URL, or -. A package made before knows its own."),
    ] = None,
    name: Annotated[str, typer.Option("--name", "-n", help="The base of all names; without it, from the title.")] = "",
    templates: Templates = None,
    tree: Tree = None,
    allow_remote_refs: RemoteRefs = False,
    strict: Strict = False,
) -> None:
    """Make an MCP server package from an OpenAPI document, or bring one up to date."""
    report = Report()
    reach = pipeline.Reach(tree=tree, allow_remote_refs=allow_remote_refs)
    with failures(report), progress() as say:
        made = pipeline.generate(
            document,
            output,
            report=report,
            name=name,
            reach=reach,
            templates=templates,
            strict=strict,
            progress=say,
        )
    with failures(report):
        terminal.diagnostics(ERR, report.diagnostics, report.lines)
        if made.applied:
            _summary(made, output)
        else:
            _conflicts(made)


def _conflicts(made: pipeline.Generation) -> None:
    ERR.print(Text("Nothing was changed: these files were edited, and would change:", "bold"))
    for step in made.plan.of("conflict"):
        ERR.print(Text(f"  {step.path}"))
    ERR.print("Move your edits elsewhere and delete these files, then run the command again: it writes them anew.")
    raise typer.Exit(3)


def _summary(made: pipeline.Generation, output: Path) -> None:
    catalog = made.inspection.catalog
    written = made.plan.of("create", "replace")
    removed = made.plan.of("delete")
    reading = sum(tool.hints.read_only.value for tool in catalog.tools)
    OUT.print(
        Text.assemble(
            (catalog.distribution, "bold"),
            f": {terminal.count(len(catalog.tools), 'tool')}, {reading:,} of which only read",
        )
    )
    if catalog.left_out:
        OUT.print(terminal.left_out(catalog))
    changes = f"{terminal.count(len(written), 'file')} written" if written else "nothing to write"
    OUT.print(f"{changes}{f', {len(removed)} removed' if removed else ''} in {output}", soft_wrap=True)
    for step in made.plan.of("pending"):
        OUT.print(f"{step.path} is yours, and stays; what is generated for it has changed", soft_wrap=True)
    OUT.print()
    OUT.print("Next:", style="dim")
    OUT.print(f"  pip install {_shown(output)} && {catalog.distribution} --list", soft_wrap=True)
    sys.stdout.flush()


def _shown(folder: Path) -> str:
    """A folder as a word of a shell that pip takes for a path, never for the name of a package."""
    text = str(folder)
    return shlex.quote(text if folder.is_absolute() or text.startswith("..") else f"./{text}")
