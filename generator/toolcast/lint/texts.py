"""Rules about texts: what a model decides by."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from toolcast.diagnostics import Location
from toolcast.lint.rule import Finding
from toolcast.lint.subject import Subject
from toolcast.model.json import JsonObject
from toolcast.model.limits import DESCRIPTION
from toolcast.model.verdict import Fix

# Words that say that there is an operation, and nothing of what it does.
_EMPTY: Final = frozenset(
    """
    a an and api call calls data default description do does endpoint execute for from get gets handle handler http
    in item items method new object objects of operation perform post process put request requests resource response
    result results return returns route run service some string stuff summary tbd test the this thing to todo update
    use used value with your
    """.split()
)
# What speaks to a model rather than of the API. Orders to developers ("you must call /login first") are no such thing.
_INSTRUCTIONS: Final = re.compile(
    r"\b(?:ignore|disregard|forget|override)\s+(?:all\s+|any\s+|the\s+|your\s+)*"
    r"(?:previous|prior|above|earlier|preceding|other)\s+(?:instructions?|prompts?|messages?|rules|directions)\b"
    r"|\b(?:do\s+not|don['’]t|never|without)\s+(?:tell(?:ing)?|inform(?:ing)?|mention(?:ing)?|notify(?:ing)?|ask(?:ing)?)"
    r"\s+(?:this\s+to\s+|it\s+to\s+)?the\s+(?:user|human)\b"
    r"|\b(?:reveal|print|repeat|leak|output)\s+(?:the\s+|your\s+)(?:full\s+)?system\s+prompt\b"
    r"|</?\s*(?:(?-i:IMPORTANT|SYSTEM)|instructions?|assistant)\s*>"
    r"|\byou\s+are\s+(?:now\s+)?an?\s+(?:helpful\s+)?(?:ai|assistant|llm|language\s+model|chatbot|agent)\b"
    r"|\b(?:before|after|instead\s+of)\s+(?:using|calling|invoking)\s+(?:any|every|all|the)\s+other\s+tools?\b"
    r"|\balways\s+(?:call|use|invoke|run|prefer|choose)\s+this\s+tool\b"
    r"|\b(?:assistants?|llms?|ai\s+(?:agents?|models?)|agents?)\s+(?:must|should)\s+(?:always\s+|first\s+|also\s+)*"
    r"(?:call|invoke|use|send|read|pass|forward|include)\b",
    re.IGNORECASE,
)


def missing_text(subject: Subject) -> Iterator[Finding]:
    """Operations without summary and description; the tool's composed text is proposed."""
    for offer in subject.offers:
        operation = offer.operation
        if operation.summary.strip() or operation.description.strip():
            continue
        composed = subject.means.sentence(offer.tool.description)
        yield Finding(
            at=operation.at,
            message=f"{offer.key} has neither summary nor description",
            help="Say in a sentence what it does and when to use it; a model decides by it.",
            operations=(offer.key,),
            fix=Fix(at=operation.at, update={"summary": composed}),
        )


def empty_text(subject: Subject) -> Iterator[Finding]:
    """Operations whose text says nothing."""
    for offer in subject.offers:
        operation = offer.operation
        told = " ".join(subject.means.clean(f"{operation.summary}\n{operation.description}").split())
        words = subject.words(told)
        if not told or not words:
            continue
        if set(words) <= _EMPTY or told in (operation.id, operation.path, offer.key):
            yield Finding(
                at=operation.at,
                message=f"The text of {offer.key} says nothing of it: {told[:60]!r}",
                help="Say what it does, to what, and when to use it.",
                operations=(offer.key,),
            )


def long_text(subject: Subject) -> Iterator[Finding]:
    """Operations whose text is cut."""
    for offer in subject.offers:
        operation = offer.operation
        length = len(subject.means.clean(f"{operation.summary}\n{operation.description}"))
        if length > DESCRIPTION:
            yield Finding(
                at=operation.at,
                message=f"The text of {offer.key} has {length:,} characters; agents see the first {DESCRIPTION:,}",
                help="Put what a caller must know first, and the rest into the documentation.",
                operations=(offer.key,),
            )


def hidden_characters(subject: Subject) -> Iterator[Finding]:
    """Operations whose texts hold characters that nobody sees; the texts without them are proposed."""
    for offer in subject.offers:
        operation = offer.operation
        texts = {"summary": operation.summary, "description": operation.description}
        found = set[str]().union(*map(subject.means.hidden, texts.values()))
        if not found:
            continue
        plain: JsonObject = {
            key: "".join(c for c in told if c not in found) for key, told in texts.items() if found & {*told}
        }
        points = ", ".join(f"U+{ord(c):04X}" for c in sorted(found)[:5])
        yield Finding(
            at=operation.at,
            message=f"The text of {offer.key} holds invisible characters: {points}",
            help="Remove them: a model reads what a reviewer does not see.",
            operations=(offer.key,),
            fix=Fix(at=operation.at, update=plain),
        )


def instructions(subject: Subject) -> Iterator[Finding]:
    """Texts that speak to the model."""
    for at, owner, told, operations in _texts(subject):
        found = _INSTRUCTIONS.search(told)
        if found is not None:
            yield Finding(
                at=at,
                message=f"The text of {owner} tries to instruct the model: {' '.join(found[0].split())[:80]!r}",
                help="Describe what the API does; a host may refuse a tool whose text gives orders.",
                operations=operations,
            )


def _texts(subject: Subject) -> Iterator[tuple[Location, str, str, tuple[str, ...]]]:
    """Every text that reaches a model: where it stands, what it is about, the text, and the operations."""
    api = subject.api
    yield Location(file=api.document.file, pointer="/info"), "the API", api.description, ()
    for tag in api.tags:
        yield Location(file=api.document.file, pointer="/tags"), f"the tag {tag.name}", tag.description, ()
    for offer in subject.offers:
        operation = offer.operation
        yield operation.at, offer.key, f"{operation.summary}\n{operation.description}", (offer.key,)
    for given in subject.parameters:
        yield given.parameter.at, f"the parameter {given.parameter.name}", given.parameter.description, given.keys
    for piece in (*subject.inputs, *subject.answers):
        for node in piece.nodes:
            told = node.own.get("description")
            if isinstance(told, str):
                yield node.at, node.name, told, piece.operations


def nearly_alike(subject: Subject) -> Iterator[Finding]:
    """Tools of one group whose texts hardly differ."""
    for group in subject.catalog.groups:
        for one, other in subject.means.alike(group.tools):
            if "HEAD" in (one.method, other.method) and one.path == other.path:
                continue  # which differ by what every HTTP client knows
            yield Finding(
                at=subject.tools[other.name].operation.at,
                message=f"The texts of {one.name} and {other.name} are nearly alike",
                help="Say in each what the other does not do, and which to take when.",
                operations=(one.key, other.key),
            )
