"""``toolcast watch``: a package follows its document while you work on it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rich.text import Text

from toolcast import drift, package, pipeline, watching
from toolcast.cli.app import app, examples
from toolcast.cli.generate import RemoteRefs, Tree
from toolcast.cli.outcome import AcceptOrigins, Folder, summary
from toolcast.cli.screen import ERR, OUT, failures
from toolcast.diagnostics import Failure, Report
from toolcast.view import changes, files, terminal

if TYPE_CHECKING:
    from toolcast.model.document import Document

_NAMED = 3  # files or tools in one line


@app.command(epilog=examples("toolcast watch petstore-mcp"))
def watch(
    folder: Folder = Path(),
    accept_origins: AcceptOrigins = False,
    tree: Tree = None,
    allow_remote_refs: RemoteRefs = False,
) -> None:
    """Update a package whenever its document, its configuration or its templates change, until Ctrl-C.

    A document that has a URL is asked for every half minute.
    """
    reach = pipeline.Reach(tree=tree, allow_remote_refs=allow_remote_refs)
    with failures(Report()):
        package.check_package(folder)
        document: Document | None = None
        what: Sequence[Path] | None = None
        try:
            while True:
                sources = watching.Sources.of(folder, document)
                document = _round(folder, what, reach, accept_origins) or document
                # What was changed during the round is seen after it, too.
                known = watching.Sources.of(folder, document)
                what = sources.changed() or known.wait()
        except KeyboardInterrupt:
            ERR.print("stopped")


def _round(folder: Path, what: Sequence[Path] | None, reach: pipeline.Reach, accept: bool) -> Document | None:
    """Update once, and say in a line what came of it; an error is told, and the next change may mend it."""
    report = Report()
    cause = (
        ", ".join(path.name for path in (what or ())[:_NAMED]) if what else "watching" if what is None else "document"
    )
    try:
        made = pipeline.update(folder, report=report, reach=reach, consent=lambda _: accept)
    except Failure as failure:
        _say(cause, Text("not updated", "bold red"))
        terminal.diagnostic(ERR, failure.diagnostic, report.lines)
        return None
    found = made.plan.of("conflict")
    if found:
        _say(cause, Text(f"not updated: {terminal.count(len(found), 'file')} in conflict", "bold red"))
        files.plan(ERR, found)
    elif what is None or any(step.changes for step in made.plan.steps):
        _say(cause, Text(f"{summary(made)}{_agents(made)}"))
    return made.inspection.document


def _agents(made: pipeline.Generation) -> str:
    """What changes for agents: how many changes of each kind, and the first tools that they are about."""
    found = drift.changed(made)
    if not found.changes:
        return ""
    names = list(dict.fromkeys(change.tool for change in found.changes if change.tool))
    told = ", ".join(names[:_NAMED]) + (", …" if len(names) > _NAMED else "")
    return f"; for agents {changes.summary(found)}{f' ({told})' if told else ''}"


def _say(cause: str, told: Text) -> None:
    OUT.print(Text.assemble((time.strftime("%H:%M:%S"), "dim"), f"  {cause}: ", told), soft_wrap=not OUT.is_terminal)
