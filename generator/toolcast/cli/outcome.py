"""What became of a package: told alike by every command that changes one."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from toolcast import drift
from toolcast.cli.screen import ERR, OUT
from toolcast.view import changes, files, terminal

if TYPE_CHECKING:
    from toolcast.pipeline import Consent, Generation, Progress

CONFLICT = 3

AcceptOrigins = Annotated[
    bool, typer.Option("--accept-origins", help="Let requests go to servers that none went to before.")
]
Folder = Annotated[Path, typer.Argument(metavar="DIR", help="The folder of the package.", show_default="this one")]


def consent(given: bool, say: Progress) -> Consent:
    """Whether requests may go to new origins: said before, or asked where somebody can answer."""

    def agreed(origins: Sequence[str]) -> bool:
        if given or not (sys.stdin.isatty() and sys.stderr.isatty()):
            return given
        say("")
        ERR.print(Text("Requests, with their credentials, would go where none went before:", "bold"))
        for origin in origins:
            ERR.print(Text(f"  {origin}", "red"), soft_wrap=True)
        return typer.confirm("Is that meant?", default=False, err=True)

    return agreed


def told(made: Generation, output: Path) -> None:
    """Print what a package has become; exits with status 3 where it is in conflict, and stays as it was."""
    found = made.plan.of("conflict")
    if found:
        ERR.print(Text(f"Nothing was changed: {_are(len(found))} in conflict.", "bold red"))
        files.plan(ERR, found)
        _ways(found[0].path, output)
        raise typer.Exit(CONFLICT)
    catalog = made.inspection.catalog
    seen = drift.changed(made)
    OUT.print(Text.assemble((catalog.distribution, "bold"), f": {summary(made)}"))
    if made.earlier is not None and seen.changes:  # in a new package all is new
        changes.terminal(OUT, seen)
        OUT.print()
    files.plan(OUT, made.plan.steps)
    if catalog.left_out and seen.changes:
        OUT.print(terminal.left_out(catalog))
    sys.stdout.flush()


def summary(made: Generation) -> str:
    """How much happened, in a line."""
    written = len([step for step in made.plan.of("create", "replace", "merge") if step.changes])
    removed = len(made.plan.of("delete"))
    if not written and not removed:
        return "up to date, nothing to write"
    tools = terminal.count(len(made.inspection.catalog.tools), "tool")
    gone = f", {removed:,} removed" if removed else ""
    return f"{tools}; {terminal.count(written, 'file')} written{gone}"


def _are(number: int) -> str:
    return f"{number:,} file{' is' if number == 1 else 's are'}"


def _ways(path: str, output: Path) -> None:
    """Say how a conflict is resolved, by the example of one."""
    ERR.print("For each, do one of these, then run `toolcast update` again:")
    example = output / path
    for option, meaning in (
        ("", f"what you have made of\n      {output / '.toolcast/conflicts' / path}"),
        (" --mine", "your file as it is"),
        (" --new", "the generated one"),
    ):
        ERR.print(Text(f"  toolcast resolve {example}{option}", "cyan"), soft_wrap=True)
        ERR.print(Text(f"      takes {meaning}", "dim"), soft_wrap=True)
    ERR.print(Text("A file that is to stay yours for good can be named in .toolcastignore.", "dim"))
