"""Findings: what the author of a document should know about one of its tools."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from toolcast.diagnostics import Diagnostic
from toolcast.mapping.inputs import Inputs
from toolcast.mapping.texts import hidden
from toolcast.model.limits import DESCRIPTION
from toolcast.model.openapi import Operation


def findings(operation: Operation, name: str, taken: Inputs, length: int) -> Iterator[Diagnostic]:
    """The findings about a tool; ``length`` is that of its description before it was cut."""
    found = Diagnostic(code="", severity="warning", message="", location=operation.at)
    if length > DESCRIPTION:
        yield replace(
            found,
            code="TC301",
            message=f"The description of {name} has {length:,} characters and is cut at {DESCRIPTION:,}",
            help="Put what a caller must know first, or write a shorter description.",
        )
    invisible = hidden(operation.summary) | hidden(operation.description)
    if invisible:
        points = ", ".join(f"U+{ord(c):04X}" for c in sorted(invisible)[:5])
        yield replace(
            found,
            code="TC302",
            message=f"The texts of {operation.key} hold invisible characters ({points}); they are removed",
            help="Look at the text in an editor that shows them: it may try to instruct the model.",
        )
    if not operation.summary and not operation.description:
        yield replace(
            found,
            code="TC303",
            severity="info",
            message=f"{operation.key} has neither summary nor description",
            help="Write a sentence: a model decides by it.",
        )
    if not taken.within_budget:
        yield replace(
            found,
            code="TC304",
            message=f"The arguments of {name} cost more tokens than a tool should",
            help="Leave optional arguments out, or split the operation.",
        )
    elif taken.cut:
        yield replace(
            found,
            code="TC305",
            severity="info",
            message=f"Deep objects in the arguments of {name} are described by their fields' names only",
            help="The arguments would cost more tokens than a tool should; they are sent as given.",
        )
