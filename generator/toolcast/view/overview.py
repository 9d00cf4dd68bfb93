"""What a document would become, for people at a terminal."""

from __future__ import annotations

import sys
from typing import Final

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from toolcast.model.catalog import Group, Tool
from toolcast.view import terminal
from toolcast.view.survey import Survey
from toolcast.view.terminal import BLUE, GREEN, ORANGE, RED, count, fact, some, width

_NAMED: Final = 3
_BESIDE: Final = 18  # columns of a tool's line beside its name and its request
_LEGEND: Final = (
    ("r", GREEN, "reads"),
    ("w", ORANGE, "writes"),
    ("d", RED, "may destroy"),
    ("=", BLUE, "repeatable"),
    ("!", ORANGE, "see below"),
)


def overview(console: Console, survey: Survey, *, all_: bool = False) -> None:
    """Print the tools by group, what they cost together, what is left out and every finding."""
    _heading(console, survey)
    for group in survey.catalog.groups:
        _group(console, survey, group)
    _totals(console, survey)
    if survey.findings:
        console.print()
        console.print(Text("Findings", "bold"))
        terminal.diagnostics(console, survey.findings, survey.lines, all_=all_)


def _heading(console: Console, survey: Survey) -> None:
    catalog = survey.catalog
    console.print(Text.assemble((catalog.title, "bold"), f" {catalog.api_version}".rstrip()), soft_wrap=True)
    console.print(Text(f"{survey.file} → {catalog.distribution}", "dim"), soft_wrap=width(console) is None)


def _group(console: Console, survey: Survey, group: Group) -> None:
    """Print a group: each tool's marks, name and size, with method and path behind them, or below where all are not.

    Names are never broken.
    """
    room = width(console) or sys.maxsize
    longest = max(len(tool.name) for tool in survey.catalog.tools)
    beside = longest + _BESIDE + max(len(f"{tool.method} {tool.path}") for tool in group.tools) <= room
    tokens = sum(survey.sizes[tool.name] for tool in group.tools)
    console.print()
    console.print(
        Text.assemble((group.title, "bold"), (f"  {count(len(group.tools), 'tool')}, {tokens:,} tokens", "dim"))
    )
    for tool in group.tools:
        head = Text.assemble("  ", _marks(survey, tool), f"  {tool.name:<{longest}}")
        size, request = f"{survey.sizes[tool.name]:>7,}", f"{tool.method} {tool.path}"
        if beside:
            console.print(head.append(f"  {size}").append(f"  {request}", "dim"), soft_wrap=True)
        elif longest + _BESIDE <= room:
            console.print(head.append(f"  {size}"), soft_wrap=True)
            console.print(Padding(Text(request, "dim"), (0, 0, 0, 7), expand=False))
        else:
            head.rstrip()
            console.print(head, soft_wrap=True)
            console.print(Padding(Text(f"{size.strip()} tokens  {request}", "dim"), (0, 0, 0, 7), expand=False))


def _marks(survey: Survey, tool: Tool) -> Text:
    """What a tool may do, in three columns."""
    reads = tool.hints.read_only.value
    shown = [
        _LEGEND[0 if reads else 2 if tool.hints.destructive.value else 1],
        _LEGEND[3] if tool.hints.idempotent.value and not reads else (" ", "", ""),
        _LEGEND[4] if survey.warned(tool) else (" ", "", ""),
    ]
    return Text.assemble(*((mark, colour) for mark, colour, _ in shown))


def _totals(console: Console, survey: Survey) -> None:
    catalog = survey.catalog
    tools = catalog.tools
    console.print()
    if tools:
        legend = Text(", ").join(Text.assemble((mark, colour), f" {word}") for mark, colour, word in _LEGEND)
        fact(console, "Marks", legend)
    reading = sum(tool.hints.read_only.value for tool in tools)
    destroying = sum(not tool.hints.read_only.value and tool.hints.destructive.value for tool in tools)
    kinds = f"{reading:,} read, {len(tools) - reading - destroying:,} write, {destroying:,} may destroy"
    fact(console, "Offered", Text.assemble((count(len(tools), "tool"), "bold"), f": {kinds}"))
    if tools:
        biggest = ", ".join(f"{tool.name} {survey.sizes[tool.name]:,}" for tool in survey.biggest[:_NAMED])
        fact(console, "Tokens", Text(f"about {survey.tokens:,} in a list; the biggest: {biggest}"))
    for number, entry in enumerate(survey.passed):
        names = f": {some(entry.tools)}" if entry.tools else ""
        found = count(len(entry.tools) or len(tools), "tool")
        told = Text.assemble((entry.limit.client, ORANGE), f": {entry.limit.what}; here {found}{names}")
        fact(console, "" if number else "Limits", told)
    if catalog.left_out:
        fact(
            console,
            "Left out",
            Text(f"{count(len(catalog.left_out), 'deprecated operation')}: {some(catalog.left_out)}"),
        )
    lost = [str(finding.operation) for finding in survey.unmapped]
    if lost:
        fact(console, "No tool", Text(f"{count(len(lost), 'operation')}: {some(lost)}", RED))
