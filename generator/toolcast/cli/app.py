"""The application that the commands belong to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final

import typer
from typer.core import TyperGroup

from toolcast import __version__

if TYPE_CHECKING:
    from typer._click import Context, HelpFormatter

# What people come for, with the commands in the order in which they are used.
_GROUPS: Final = {
    "Look at a document": ("inspect", "lint", "document", "explain"),
    "Try it": ("demo", "serve"),
    "Make a package": ("init", "generate", "templates"),
    "Keep it": ("update", "watch", "resolve", "check", "diff"),
}


class Commands(TyperGroup):
    """Commands, told by what people come for, each with its first sentences in whole."""

    def format_commands(self, ctx: Context, formatter: HelpFormatter) -> None:
        known = {title: [name for name in names if name in self.commands] for title, names in _GROUPS.items()}
        groups = known if self.name == "toolcast" else {"Commands": list(self.commands)}
        for title, names in groups.items():
            with formatter.section(title):
                formatter.write_dl([(name, _first(self.commands[name].help or "")) for name in names])


def examples(*commands: str) -> str:
    """The end of a help text: commands that can be copied, so no line is broken (``\\b``)."""
    lines = "".join(f"\n  {command}" for command in commands)
    return f"\b\nExample{'s' if len(commands) > 1 else ''}:{lines}"


def _first(text: str) -> str:
    """The first paragraph of a text, on one line."""
    return " ".join(text.partition("\n\n")[0].split())


# Help is plain text: it is there at once, and reads alike in every terminal, light or dark, wide or narrow.
app = typer.Typer(
    name="toolcast",
    cls=Commands,
    rich_markup_mode=None,
    help="An OpenAPI document in, a standalone MCP server package out.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=examples("toolcast demo", "toolcast generate openapi.yaml --output my-server"),
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
