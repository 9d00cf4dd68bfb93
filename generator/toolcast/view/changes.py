"""A comparison of contracts, for people at a terminal, for a pull request, and for machines."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Final

import orjson
from rich.console import Console
from rich.table import Table
from rich.text import Text

from toolcast.model.contract import Advice, Change, Comparison, Verdict
from toolcast.view.wording import Named, pieces, sentence

_WORST_FIRST: Final[tuple[Verdict, ...]] = ("breaking", "risk", "compatible", "cosmetic")
_COLOURS: Final[Mapping[Verdict, str]] = {
    "breaking": "bold red",
    "risk": "bold yellow",
    "compatible": "green",
    "cosmetic": "dim",
}
_ADVICE: Final[Mapping[Advice, str]] = {
    "none": "no new version",
    "patch": "a patch version",
    "minor": "a minor version",
    "major": "a major version",
}
_SHOWN: Final = 30  # cosmetic changes at a terminal
_ROWS: Final = 150  # changes in a comment; GitHub takes 65,536 characters


def summary(comparison: Comparison) -> str:
    """How many changes there are of each verdict, and which version they ask for."""
    counted = [(verdict, len(_of(comparison, verdict))) for verdict in _WORST_FIRST]
    told = ", ".join(f"{count:,} {verdict}" for verdict, count in counted if count)
    return f"{told}: {_ADVICE[comparison.advice]}" if told else "Nothing changes for agents"


def terminal(console: Console, comparison: Comparison) -> None:
    """Print the changes by verdict and by tool, the grave ones first."""
    wrapped = console.is_terminal or "COLUMNS" in os.environ
    for verdict in _WORST_FIRST:
        found = _of(comparison, verdict)
        if not found:
            continue
        shown = found[:_SHOWN] if verdict == "cosmetic" and wrapped else found
        console.print(Text(verdict.capitalize(), _COLOURS[verdict]))
        for tool, changes in groupby(shown, key=lambda change: change.tool):
            console.print(Text(f"  {Named(tool)}" if tool else "  the server", "bold"), soft_wrap=not wrapped)
            lines = [_line(change) for change in changes]
            if wrapped:
                table = Table.grid(padding=0)
                table.add_column(no_wrap=True)
                table.add_column(overflow="fold")
                for line in lines:
                    table.add_row("    - ", line)
                console.print(table)
            else:  # a log keeps one line a change
                for line in lines:
                    console.print(Text("    - ").append(line), soft_wrap=True)
        if len(found) > len(shown):
            console.print(Text(f"  … and {len(found) - len(shown):,} more: --json has all", "dim"))
        console.print()
    console.print(Text(f"{summary(comparison)}.", _COLOURS.get(comparison.verdict, "")))


def _line(change: Change) -> Text:
    line = Text()
    for piece in pieces(change):
        line.append(piece, "cyan" if isinstance(piece, Named) else "")
    return line.append(f". {change.reason}", "dim")


def markdown(comparison: Comparison) -> str:
    """The changes as Markdown for a comment on a pull request; what is cosmetic is folded away."""
    lines = [f"### What agents see: {summary(comparison)}", ""]
    grave = [change for verdict in _WORST_FIRST[:-1] for change in _of(comparison, verdict)]
    if grave:
        lines += _table(grave[:_ROWS])
    if len(grave) > _ROWS:
        lines += [f"… and {len(grave) - _ROWS:,} more.", ""]
    cosmetic = _of(comparison, "cosmetic")
    if cosmetic:
        room = max(_ROWS - len(grave), 10)
        lines += ["<details>", f"<summary>{len(cosmetic):,} cosmetic</summary>", "", *_table(cosmetic[:room])]
        lines += [f"… and {len(cosmetic) - room:,} more.", ""] if len(cosmetic) > room else []
        lines += ["</details>", ""]
    return "\n".join(lines).rstrip("\n") + "\n"


def machine(comparison: Comparison) -> str:
    """The comparison as JSON text."""
    return orjson.dumps(listed(comparison), option=orjson.OPT_INDENT_2).decode()


def listed(comparison: Comparison) -> dict[str, object]:
    """The comparison as a JSON object."""
    return {
        "verdict": comparison.verdict,
        "advice": comparison.advice,
        "counts": {verdict: len(_of(comparison, verdict)) for verdict in _WORST_FIRST},
        "changes": [
            {
                "verdict": change.verdict,
                "kind": change.kind,
                "tool": change.tool,
                "where": change.where,
                "before": change.before,
                "after": change.after,
                "what": sentence(change),
                "reason": change.reason,
            }
            for change in comparison.changes
        ],
    }


def _of(comparison: Comparison, verdict: Verdict) -> list[Change]:
    """The changes of one verdict, those of the server first, then those of each tool together."""
    found = [change for change in comparison.changes if change.verdict == verdict]
    return sorted(found, key=lambda change: change.tool)


def _table(changes: Sequence[Change]) -> list[str]:
    rows = [
        f"| {change.verdict} | {_code(change.tool) if change.tool else ''} | {_cell(change)} | {change.reason} |"
        for change in changes
    ]
    return ["| verdict | tool | what | why |", "|---|---|---|---|", *rows, ""]


def _cell(change: Change) -> str:
    return "".join(_code(piece) if isinstance(piece, Named) else piece for piece in pieces(change))


def _code(text: str) -> str:
    """A text as a code span in a table's cell (GitHub Flavored Markdown 6.1 and 4.10)."""
    plain = " ".join(Named(text).split()) or " "
    fence = "`" * (max((len(run) for run in re.findall("`+", plain)), default=0) + 1)
    inner = f" {plain} " if "`" in plain else plain
    return f"{fence}{inner}{fence}".replace("|", "\\|")
