"""The application that the commands belong to."""

from __future__ import annotations

from typing import Annotated

import typer

from toolcast import __version__

app = typer.Typer(
    name="toolcast",
    help="An OpenAPI document in, a standalone MCP server package out.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Begin with: toolcast generate openapi.yaml --output my-server",
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"toolcast {__version__}")
        raise typer.Exit


@app.callback()
def root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """An OpenAPI document in, a standalone MCP server package out."""
