"""What the stages found, for people at a terminal: findings, and the words that several commands use.

Colours are of the 256 that no theme changes, and have a contrast of about 4 to 1 on white and on black.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from toolcast.diagnostics import Diagnostic, Severity
from toolcast.model.catalog import Catalog, Tool
from toolcast.model.document import Lines
from toolcast.view.findings import Batch, batches, listed

GREEN: Final = "color(28)"
ORANGE: Final = "color(130)"
RED: Final = "color(160)"
BLUE: Final = "color(31)"
_COLOURS: Final[Mapping[Severity, str]] = {"error": f"bold {RED}", "warning": ORANGE, "info": BLUE}
_LABEL: Final = 9
_NAMED: Final = 3  # of many names
_SHOWN: Final = 8  # codes of findings, where not all are asked for
_FEW: Final = 3  # warnings of one code that are told one by one


def diagnostic(console: Console, finding: Diagnostic, lines: Lines | None) -> None:
    """Print one finding: where, what and what to do."""
    _print(console, next(iter(batches([finding]))), lines)


def diagnostics(console: Console, findings: Iterable[Diagnostic], lines: Lines | None, *, all_: bool = False) -> None:
    """Print each finding if all are wanted, else those of one code together, the grave ones first."""
    for batch in batches(findings):
        for part in _each(batch) if all_ else _parts(batch):
            _print(console, part, lines)


def _parts(batch: Batch) -> Sequence[Batch]:
    """A few warnings one by one, since each says what it is about; many together, and so what is no warning."""
    return _each(batch) if len(batch.findings) <= _FEW and batch.severity != "info" else [batch]


def _each(batch: Batch) -> Sequence[Batch]:
    return [batches([finding])[0] for finding in batch.findings]


def gravest(console: Console, findings: Sequence[Diagnostic], lines: Lines | None) -> None:
    """Print errors and warnings, many of one code together, and how much more there is to know."""
    found = batches(findings)
    codes = [batch for batch in found if batch.severity != "info"][:_SHOWN]
    shown = [part for batch in codes for part in _parts(batch)]
    for part in shown:
        _print(console, part, lines)
    more = sum(len(batch.findings) for batch in found) - sum(len(batch.findings) for batch in shown)
    if more or any(len(batch.findings) > 1 for batch in shown):
        told = f"… and {count(more, 'more finding')}:" if shown else f"{count(more, 'note')} on how it was understood:"
        shows = f"`toolcast inspect --all` shows {'it' if more == 1 else 'them'}"
        console.print(Text(f"{told} {shows}" if more else "`toolcast inspect --all` shows each of them", "dim"))


def _print(console: Console, batch: Batch, lines: Lines | None) -> None:
    """Print the findings of one code: on one line in a log, with what to do below."""
    number = len(batch.findings)
    places = batch.places(lines)
    where = ", ".join(part for part in (f"{number:,} times" if number > 1 else "", listed(places)) if part)
    head = Text.assemble((f"{batch.severity} ", _COLOURS[batch.severity]), (batch.code, "dim"))
    head.append(f" {where}: " if where else " ")
    # In a file of one line, places tell nothing: an example does.
    head.append(f"{batch.findings[0].message}; and more alike" if number > 1 and len(places) < 2 else batch.message)
    console.print(head, soft_wrap=not console.is_terminal)
    if batch.help:
        cure = Text(batch.help, "dim")
        if console.is_terminal:
            console.print(Padding(cure, (0, 0, 0, 2), expand=False))
        else:
            console.print(Text("  ").append(cure), soft_wrap=True)


def hint_words(tool: Tool) -> Text:
    """A tool's hints in a word: what it may do."""
    if tool.hints.read_only.value:
        return Text("reads", GREEN)
    if tool.hints.destructive.value:
        return Text("destroys", RED)
    return Text("writes", ORANGE)


def count(number: int, noun: str) -> str:
    """A number of things, in words."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def left_out(catalog: Catalog) -> str:
    """The deprecated operations that give no tool, in words."""
    number = len(catalog.left_out)
    told = f"{count(number, 'deprecated operation')} {'is' if number == 1 else 'are'} left out"
    return f"{told}: {some(catalog.left_out)}"


def without_tool(findings: Iterable[Diagnostic]) -> str:
    """The operations that could not be mapped, in words; empty without any."""
    lost = [str(finding.operation) for finding in findings if finding.operation]
    if not lost:
        return ""
    return (
        f"{count(len(lost), 'operation')} {'gives' if len(lost) == 1 else 'give'} no tool, as said above: {some(lost)}"
    )


def some(names: Iterable[str]) -> str:
    """The first names, and how many more there are."""
    known = list(names)
    more = len(known) - _NAMED
    return ", ".join(known[:_NAMED]) + (f" and {more:,} more" if more > 0 else "")


def width(console: Console) -> int | None:
    """The width that lines must keep to; None where nobody looks."""
    return console.width if console.is_terminal or "COLUMNS" in os.environ else None


def fact(console: Console, label: str, text: Text) -> None:
    """Print a labelled line, which wraps beside its label."""
    if width(console) is None:
        console.print(Text(f"{label:<{_LABEL}}", "dim") + text, soft_wrap=True)
        return
    table = Table.grid(padding=0)
    table.add_column(width=_LABEL)
    table.add_column(overflow="fold")
    table.add_row(Text(label, "dim"), text)
    console.print(table)
