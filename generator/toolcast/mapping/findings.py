"""Findings: what the author of a document should know about one of its tools."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from toolcast.diagnostics import Diagnostic
from toolcast.mapping.inputs import Inputs
from toolcast.mapping.suspicion import orders
from toolcast.mapping.texts import clean, hidden
from toolcast.model.json import Json
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
    texts = _texts(operation)
    invisible = set[str]().union(*map(hidden, texts))
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
    order = orders("\n".join([*map(clean, texts), *_published(dict(taken.schema))]))
    if order is not None:
        yield replace(
            found,
            code="TC306",
            message=f"The texts of {operation.key} try to instruct the model: {order!r}",
            help="A text should say what the API does; look at where the document comes from, or write the text anew.",
        )
    yield from _cuts(found, name, taken)


def _texts(operation: Operation) -> list[str]:
    """What the document says of an operation, its parameters and its body."""
    body = [operation.body.description] if operation.body is not None else []
    return [operation.summary, operation.description, *(p.description for p in operation.parameters), *body]


def _published(schema: Json) -> Iterator[str]:
    """The descriptions in a published schema."""
    if isinstance(schema, dict):
        told = schema.get("description")
        if isinstance(told, str):
            yield told
        for member in schema.values():
            if isinstance(member, (dict, list)):
                yield from _published(member)
    elif isinstance(schema, list):
        for member in schema:
            yield from _published(member)


def _cuts(found: Diagnostic, name: str, taken: Inputs) -> Iterator[Diagnostic]:
    """What of a tool's arguments was cut to keep it within its budget; all of it is sent as it is given."""
    cuts, moved = taken.fit.cuts, len(taken.fit.moved)
    if not taken.fit.fits:
        yield replace(
            found,
            code="TC304",
            message=f"The arguments of {name} cost more tokens than a tool should, whatever is cut",
            help="Split the operation, or raise the budget: some clients refuse a tool of this size.",
        )
    if moved:
        yield replace(
            found,
            code="TC310",
            message=f"{moved} optional argument{'' if moved == 1 else 's'} of {name} {'is' if moved == 1 else 'are'} "
            f"given inside of `{taken.fit.more}`",
            help="They would cost more tokens than a tool should; leave some out, or raise the budget.",
        )
    told = replace(found, severity="info", help="The arguments would cost more tokens than a tool should.")
    if "definitions" in cuts:
        yield replace(
            told,
            code="TC311",
            message=f"What the arguments of {name} say several times is told once, under $defs",
            help="Some providers refuse references; a larger budget inlines them.",
        )
    if "objects" in cuts:
        yield replace(
            told,
            code="TC305",
            message=f"Deep objects in the arguments of {name} are described by their fields' names only",
            help=f"{told.help[:-1]}; they are sent as given.",
        )
    if "enumerations" in cuts:
        yield replace(
            told,
            code="TC312",
            message=f"Long enumerations in the arguments of {name} are told by some of their values",
            help=f"{told.help[:-1]}; any value is sent as given.",
        )
    if "texts" in cuts:
        yield replace(
            told,
            code="TC313",
            message=f"Examples and descriptions in the arguments of {name} are left out or shortened",
        )
    if "rules" in cuts:
        yield replace(
            told,
            code="TC314",
            message=f"The arguments of {name} are told by their types only",
            help=f"{told.help[:-1]}; the API checks what is sent.",
        )
