"""What will hurt an agent in a document: for people at a terminal, for machines, and for a review on GitHub."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import orjson
from rich.console import Console
from rich.text import Text

from toolcast.diagnostics import Diagnostic, Report
from toolcast.model.verdict import Verdict
from toolcast.view import machine, terminal
from toolcast.view.terminal import count, fact

_COSTLY: Final = 4
_LEVELS: Final = {"error": "error", "warning": "warning", "info": "notice"}


def findings(verdict: Verdict, report: Report) -> list[Diagnostic]:
    """The operations that give no tool, and what the rules found."""
    return [*(finding for finding in report.diagnostics if finding.operation), *verdict.diagnostics]


def people(
    console: Console, verdict: Verdict, report: Report, fixes: int, overlay: Path | None, *, all_: bool = False
) -> None:
    """Print the findings, the score and what it costs, and what can be put right at once."""
    found = findings(verdict, report)
    terminal.diagnostics(console, found, report.lines, all_=all_)
    if found:
        console.print()
    fact(console, "Score", Text.assemble((str(verdict.score), "bold"), " of 100"))
    costs = [f"{code} {points:.1f}" for code, points in verdict.lost.items() if points >= 0.05]
    if costs:
        fact(
            console, "Lost", Text(f"points by code: {', '.join(costs[:_COSTLY])}{' …' if len(costs) > _COSTLY else ''}")
        )
    if fixes and overlay is not None:
        told = f"{count(fixes, 'finding')} can be put right by {overlay}: review it, then apply it"
        fact(console, "Fixes", Text(told))
    elif fixes:
        fact(
            console,
            "Fixes",
            Text(f"{count(fixes, 'finding')} can be put right at once: --overlay fixes.yaml writes how"),
        )
    elif overlay is not None:
        fact(console, "Fixes", Text(f"none that a rule can make; {overlay} is not written"))


def machines(file: str, verdict: Verdict, report: Report) -> str:
    """The verdict as JSON text; ``fix`` is what would be merged at the place of a finding."""
    told = machine.diagnostics([finding for finding in report.diagnostics if finding.operation], report.lines)
    told += [
        {**entry, "fix": fix.update} if fix is not None else entry
        for entry, (_, fix) in zip(
            machine.diagnostics(verdict.diagnostics, report.lines), verdict.findings, strict=True
        )
    ]
    value = {"document": file, "score": verdict.score, "lost": dict(verdict.lost), "diagnostics": told}
    return orjson.dumps(value, option=orjson.OPT_INDENT_2).decode()


def github(verdict: Verdict, report: Report) -> str:
    """The findings as workflow commands of GitHub Actions (docs.github.com, Workflow commands)."""
    return "\n".join(_annotations(findings(verdict, report), report))


def _annotations(found: list[Diagnostic], report: Report) -> Iterator[str]:
    for finding in found:
        place = ""
        if finding.location is not None:
            line = finding.location.line or (report.lines(finding.location) if report.lines is not None else None)
            place = f"file={_property(finding.location.file)},line={line or 1},"
        told = _data(f"{finding.message}. {finding.help}")
        yield f"::{_LEVELS[finding.severity]} {place}title={finding.code}::{told}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
