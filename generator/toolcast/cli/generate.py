"""``toolcast generate``: a package from a document."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path, PurePath
from typing import Annotated

import typer
from rich.text import Text

from toolcast import pipeline
from toolcast.cli import outcome
from toolcast.cli.app import app, examples
from toolcast.cli.outcome import AcceptOrigins, consent
from toolcast.cli.screen import ERR, OUT, failures, progress
from toolcast.diagnostics import Report
from toolcast.model.limits import TOOLS_AT_MOST
from toolcast.view import terminal

Document = Annotated[
    str,
    typer.Argument(
        metavar="DOCUMENT",
        help="The OpenAPI document: a file, a URL (TOOLCAST_DOCUMENT_HEADERS for its login), or - for standard input.",
    ),
]
Tree = Annotated[
    Path | None,
    typer.Option(
        help="Where references may lead to; without it, the git working tree, or the folder above the file's."
    ),
]
RemoteRefs = Annotated[bool, typer.Option("--allow-remote-refs", help="Follow references to other hosts, too.")]
Overlays = Annotated[
    list[str] | None,
    typer.Option(
        "--overlay", metavar="FILE", help="An OpenAPI Overlay to apply first: a file or a URL. May be repeated."
    ),
]
Settings = Annotated[Path | None, typer.Option("--config", metavar="FILE", help="A toolcast.toml whose wishes count.")]
Templates = Annotated[
    Path | None, typer.Option(help="A folder of templates of your own, which shadow the built-in ones by path.")
]
Strict = Annotated[bool, typer.Option("--strict", help="Make nothing when there are warnings.")]


@app.command(
    epilog=examples(
        "toolcast generate openapi.yaml --output petstore-mcp", "toolcast generate openapi.yaml -o pets -n petstore"
    )
)
def generate(
    output: Annotated[
        Path, typer.Option("--output", "-o", help="The folder of the package: new, empty, or made before.")
    ],
    document: Annotated[
        str | None,
        typer.Argument(
            metavar="DOCUMENT",
            help="The OpenAPI document: a file, a URL, or -. A package made before knows its own.",
        ),
    ] = None,
    name: Annotated[str, typer.Option("--name", "-n", help="The base of all names; without it, from the title.")] = "",
    overlays: Overlays = None,
    templates: Templates = None,
    tree: Tree = None,
    allow_remote_refs: RemoteRefs = False,
    strict: Strict = False,
    accept_origins: AcceptOrigins = False,
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
            overlays=overlays or (),
            reach=reach,
            templates=templates,
            strict=strict,
            consent=consent(accept_origins, say),
            progress=say,
        )
    with failures(report):
        terminal.gravest(ERR, report.diagnostics, report.lines)
        if made.earlier is None and made.applied:
            _summary(made, output, terminal.without_tool(report.diagnostics))
        else:
            outcome.told(made, output)


_MANY_TOKENS = 25_000  # of a list: an eighth of a context of 200,000, before a word is said


def _summary(made: pipeline.Generation, output: Path, without_tool: str) -> None:
    catalog = made.inspection.catalog
    tools = [tool for tool in catalog.tools if tool.resource is None]
    resources = len(catalog.tools) - len(tools)
    tokens = pipeline.list_tokens(catalog)
    reading = sum(tool.hints.read_only.value for tool in tools)
    OUT.print(
        Text.assemble(
            (catalog.distribution, "bold"),
            f": {terminal.count(len(tools), 'tool')}, {reading:,} of which only read",
            f"; {terminal.count(resources, 'resource')}" if resources else "",
            f"; about {tokens:,} tokens in a client's list",
        )
    )
    if len(tools) > TOOLS_AT_MOST or tokens > _MANY_TOKENS:
        OUT.print(
            "That is much for clients and models: choose with `select` in toolcast.toml, or offer less when the "
            "server runs, with --toolsets, --read-only or --mode search."
        )
    if catalog.left_out:
        OUT.print(terminal.left_out(catalog))
    if without_tool:
        OUT.print(without_tool)
    OUT.print(f"{terminal.count(len(made.plan.of('create')), 'file')} written in {output}", soft_wrap=True)
    OUT.print()
    OUT.print("Next:", style="dim")
    OUT.print(f"  pip install {installable(output)} && {catalog.distribution} --list", soft_wrap=True)
    OUT.print(f"  {catalog.distribution} config --client NAME   for what a client needs", soft_wrap=True)
    sys.stdout.flush()


def installable(folder: PurePath) -> str:
    """A folder as a word of any shell that pip takes for a path, never for the name of a package."""
    text = folder.as_posix()  # pip takes `/` on Windows as well, and no shell there needs a quote for it
    return shlex.quote(text if folder.is_absolute() or text.startswith("..") else f"./{text}")
