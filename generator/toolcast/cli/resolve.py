"""``toolcast resolve``: the owner decides a conflict."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from toolcast import pipeline
from toolcast.cli.app import app, examples
from toolcast.cli.screen import OUT, failures
from toolcast.diagnostics import Report


@app.command(epilog=examples("toolcast resolve petstore-mcp/README.md --mine"))
def resolve(
    paths: Annotated[list[Path], typer.Argument(metavar="PATH...", help="Files in conflict.")],
    mine: Annotated[bool, typer.Option("--mine", help="Keep the file as it is.")] = False,
    new: Annotated[bool, typer.Option("--new", help="Take the generated file.")] = False,
) -> None:
    """Decide conflicts of an update; without an option, by what you made of the file in .toolcast/conflicts.

    Nothing of the package changes yet: the next `toolcast update` does all at once.
    """
    if mine and new:
        raise typer.BadParameter("it is either --mine or --new")
    choice = "mine" if mine else "new" if new else "edited"
    with failures(Report()):
        for path in paths:
            folder, undecided = pipeline.resolve(path, choice)
            OUT.print(f"{path} is decided", soft_wrap=True)
            if path == paths[-1]:
                OUT.print()
                OUT.print("Next:", style="dim")
                commands = [f"resolve {folder / other}" for other in undecided] or [f"update {folder}"]
                for command in commands:
                    OUT.print(f"  toolcast {command}", soft_wrap=True)
