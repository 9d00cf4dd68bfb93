"""What diagnostics mean, on a terminal and as a page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rich.console import Console
from rich.text import Text

from toolcast.model.explanation import Explanation, Stage


def one(console: Console, found: Explanation) -> None:
    """Print what a code means, its cause and its cure."""
    console.print(Text.assemble((found.code, "bold"), f"  {found.title}"), soft_wrap=not console.is_terminal)
    for label, text in (("", found.means), ("Cause", found.cause), ("Cure", found.cure)):
        console.print()
        told = Text.assemble((f"{label}: ", "dim"), text) if label else Text(text)
        console.print(told, soft_wrap=not console.is_terminal)
    if found.example:
        console.print()
        for line in found.example.strip("\n").split("\n"):
            console.print(Text(f"    {line}", "cyan"), soft_wrap=True)


def listing(console: Console, stages: Iterable[Stage]) -> None:
    """Print every code on a line, by stage."""
    for number, stage in enumerate(stages):
        if number:
            console.print()
        console.print(Text(stage.title, "bold"), soft_wrap=True)
        for found in stage.explanations:
            console.print(Text.assemble("  ", (found.code, "cyan"), f"  {found.title}"), soft_wrap=True)


def page(stages: Iterable[Stage]) -> str:
    """All codes in Markdown, a section each."""
    return "\n".join(_page(stages)) + "\n"


def _page(stages: Iterable[Stage]) -> Iterator[str]:
    for stage in stages:
        yield ""
        yield f"## {stage.prefix}xx · {stage.title}"
        for found in stage.explanations:
            yield ""
            yield f"### {found.code}: {found.title}"
            for text in (found.means, f"**Cause.** {found.cause}", f"**Cure.** {found.cure}"):
                yield ""
                yield text
            if found.example:
                yield ""
                if found.language == "text":
                    yield "<!-- test: shown: one of its lines is wrong on purpose -->"
                yield f"```{found.language}"
                yield found.example.strip("\n")
                yield "```"


def rules(stages: Iterable[Stage], severities: dict[str, str]) -> str:
    """The table of lint's rules in Markdown, with the severity of each code."""
    rows = (found for stage in stages for found in stage.explanations if found.finds)
    lines = (
        f"| {row.code} | {severities[row.code]} | {row.finds} | {row.fix}{' ' if row.fix else ''}|" for row in rows
    )
    return "\n".join(("| code | severity | finds | puts right |", "|---|---|---|---|", *lines))
