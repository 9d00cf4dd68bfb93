"""What the stages found, for people at a terminal."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from toolcast.diagnostics import Diagnostic, Location
from toolcast.model.catalog import Catalog, Tool
from toolcast.model.document import Lines
from toolcast.model.limits import TOOLS_ADVISED, TOOLS_AT_MOST

_COLOURS = {"error": "bold red", "warning": "yellow", "info": "cyan"}
_SHOWN = 12
_OF_ONE_CODE = 4


def place(location: Location | None, lines: Lines | None) -> str:
    """A location as ``file:line``, as far as it is known."""
    if location is None:
        return ""
    line = location.line or (lines(location) if lines is not None and location.pointer else None)
    return f"{location.file}:{line}" if line else location.file


def diagnostic(console: Console, finding: Diagnostic, lines: Lines | None) -> None:
    """Print one finding: where, what and what to do."""
    where = place(finding.location, lines)
    head = Text()
    head.append(f"{finding.severity} ", _COLOURS[finding.severity])
    head.append(finding.code, "dim")
    head.append(f" {where}: " if where else " ")
    head.append(finding.message)
    console.print(head, soft_wrap=not console.is_terminal)  # a log keeps one line a finding
    if finding.help:
        cure = Text(finding.help, "dim")
        if console.is_terminal:
            console.print(Padding(cure, (0, 0, 0, 2), expand=False))
        else:
            console.print(Text("  ").append(cure), soft_wrap=True)


def diagnostics(console: Console, findings: Sequence[Diagnostic], lines: Lines | None, *, all_: bool = False) -> None:
    """Print findings, the grave ones first; unless all are wanted, a few, and how many more there are."""
    order = {"error": 0, "warning": 1, "info": 2}
    ranked = sorted(findings, key=lambda d: order[d.severity])
    shown = ranked if all_ else _some(ranked)
    for finding in shown:
        diagnostic(console, finding, lines)
    more = len(ranked) - len(shown)
    if more:
        console.print(Text(f"… and {more:,} more: `toolcast inspect` shows all", "dim"))


def _some(ranked: Sequence[Diagnostic]) -> list[Diagnostic]:
    """A few findings, no more than a few of one code, and what is only told when asked for left out."""
    seen: Counter[str] = Counter()
    chosen: list[Diagnostic] = []
    for finding in ranked:
        seen[finding.code] += 1
        if finding.severity != "info" and seen[finding.code] <= _OF_ONE_CODE:
            chosen.append(finding)
    return chosen[:_SHOWN]


def tools(console: Console, catalog: Catalog, sizes: dict[str, int]) -> None:
    """Print the tools by group: name, what they may do, their size in tokens, method and path.

    Where a line has not room for all, method and path have one of their own; names are never broken.
    """
    longest = max((len(tool.name) for tool in catalog.tools), default=0)
    bounded = console.is_terminal or "COLUMNS" in os.environ
    narrow = bounded and console.width < longest + 60
    for group in catalog.groups:
        console.print()
        console.print(Text(group.title, "bold"), Text(count(len(group.tools), "tool"), "dim"))
        for tool in group.tools:
            request, size = f"{tool.method} {tool.path}", sizes[tool.name]
            hint = hint_words(tool)
            hint.pad_right(len("destroys") - len(hint))
            name = Text(f"  {tool.name:<{longest}}  ", "cyan")
            if narrow:
                console.print(name + hint, no_wrap=True)
                console.print(Padding(Text(f"{request}  {size:,} tokens", "dim"), (0, 0, 0, 6), expand=False))
            else:
                console.print(name + hint + Text(f"  {size:>6,}  {request}"), soft_wrap=True)


def hint_words(tool: Tool) -> Text:
    """A tool's hints in a word: what it may do."""
    if tool.hints.read_only.value:
        return Text("reads", "green")
    if tool.hints.destructive.value:
        return Text("destroys", "red")
    return Text("writes", "yellow")


def count(number: int, noun: str) -> str:
    """A number of things, in words."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def left_out(catalog: Catalog) -> str:
    """How many deprecated operations give no tool, in words."""
    number = len(catalog.left_out)
    return f"{count(number, 'deprecated operation')} {'is' if number == 1 else 'are'} left out"


def totals(console: Console, catalog: Catalog, tokens: int) -> None:
    """Print how many tools there are, what they may do, what they cost, and whether that is too much."""
    found = catalog.tools
    reading = sum(tool.hints.read_only.value for tool in found)
    destroying = sum(not tool.hints.read_only.value and tool.hints.destructive.value for tool in found)
    console.print()
    console.print(
        Text.assemble(
            (count(len(found), "tool"), "bold"),
            f": {reading:,} read, {len(found) - reading - destroying:,} write, {destroying:,} may destroy; "
            f"about {tokens:,} tokens in a list.",
        )
    )
    if catalog.left_out:
        console.print(Text(f"{left_out(catalog)}.", "dim"))
    if len(found) > TOOLS_AT_MOST:
        warning = f"VS Code refuses more than {TOOLS_AT_MOST} tools; other clients choose badly among so many."
        console.print(Text(warning, "yellow"))
    elif len(found) > TOOLS_ADVISED:
        console.print(Text(f"More than {TOOLS_ADVISED} tools make it harder for a model to choose.", "dim"))
