"""Rules about names: what a model calls a tool by."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final

from toolcast.lint.rule import Finding
from toolcast.lint.subject import Offer, Subject
from toolcast.model.limits import TOOL_NAME
from toolcast.model.verdict import Fix

# Words that leave open what is done, or to what.
_VAGUE: Final = frozenset(
    """
    a action add all any api by call create data default delete do edit endpoint execute fetch find for generic get
    handle handler id index info invoke item items list load main make manage method misc new object objects of one
    operation patch perform post process put query read remove request resource response result retrieve root route
    run save send service set show submit test the thing update upsert value values with write
    """.split()
)
# Of those, what says nothing even where a path says it, too.
_ALWAYS_VAGUE: Final = frozenset("all any by data endpoint id main root with".split())
_PLACEHOLDER: Final = re.compile(r"\{[^{}]*\}")
_SHORTEST: Final = 2  # letters; v1 is no name
_SHORT: Final = 8  # letters of a single vague word


def missing_id(subject: Subject) -> Iterator[Finding]:
    """Operations without an operationId; the name that the tool has anyway is proposed."""
    for offer in subject.offers:
        if offer.operation.id is None:
            yield Finding(
                at=offer.operation.at,
                message=f"{offer.key} has no operationId; its tool is called {offer.tool.name}",
                help="Give it one: a name that is made from the path changes when the path does.",
                operations=(offer.key,),
                fix=_renamed(subject, offer, offer.tool.name),
            )


def vague_name(subject: Subject) -> Iterator[Finding]:
    """Operations whose operationId does not say what they do, or to what; one of method and path is proposed."""
    for offer in subject.offers:
        words = subject.words(offer.operation.id or "")
        if not words or not all(word in _VAGUE or word.isdecimal() for word in words):
            continue
        if len(words) > 1 and (_of_path(words, subject, offer) or _is_segment("".join(words[1:]), subject, offer)):
            continue
        fixed = subject.words(_PLACEHOLDER.sub(" ", offer.operation.path))
        better = any(word not in _VAGUE and len(word) > _SHORTEST for word in fixed)
        yield Finding(
            at=offer.operation.at,
            message=f"The operationId {offer.operation.id!r} of {offer.key} does not say what is done to what",
            help="Name a verb and its object, as in `listPets`.",
            operations=(offer.key,),
            fix=_renamed(subject, offer, subject.means.names.get(offer.key, "")) if better else None,
        )


def _of_path(words: Sequence[str], subject: Subject, offer: Offer) -> bool:
    """Is a name's word what the path calls its things by (``listItems`` at ``/items``)?"""
    known = {_singular(word) for word in subject.words(offer.operation.path)} - _ALWAYS_VAGUE
    return any(_singular(word) in known for word in words)


def _is_segment(thing: str, subject: Subject, offer: Offer) -> bool:
    """Is a name one of the path's segments, written as one word (``listAPIService`` at ``/apiservices``)?"""
    segments = ("".join(subject.words(segment)) for segment in offer.operation.path.split("/"))
    return len(thing) > _SHORT and any(_singular(thing) == _singular(segment) for segment in segments)


def _singular(word: str) -> str:
    return word.removesuffix("s")


def shared_id(subject: Subject) -> Iterator[Finding]:
    """Operations that share an operationId; ones of method and path are proposed."""
    owners: defaultdict[str, list[Offer]] = defaultdict(list)
    for offer in subject.offers:
        if offer.operation.id is not None:
            owners[offer.operation.id].append(offer)
    for id_, offers in owners.items():
        for offer in offers if len(offers) > 1 else []:
            yield Finding(
                at=offer.operation.at,
                message=f"{len(offers)} operations have the operationId {id_!r}; {offer.key} is one",
                help="Give each one of its own: OpenAPI demands it, and what depends on it goes to the wrong one.",
                operations=(offer.key,),
                fix=_renamed(subject, offer, subject.means.names.get(offer.key, "")),
            )


def long_id(subject: Subject) -> Iterator[Finding]:
    """Operations whose operationId is too long for a tool's name."""
    for offer in subject.offers:
        name = "_".join(subject.words(offer.operation.id or ""))
        if len(name) > TOOL_NAME:
            yield Finding(
                at=offer.operation.at,
                message=f"The operationId {offer.operation.id!r} is too long; the tool is called {offer.tool.name}",
                help=f"Shorten it to {TOOL_NAME} characters or fewer, or rename the tool in the configuration.",
                operations=(offer.key,),
            )


def _renamed(subject: Subject, offer: Offer, name: str) -> Fix | None:
    """The operationId that gives a tool this name, in the style of the document's others."""
    if not name or name.rpartition("_")[2] not in subject.words(offer.operation.method, offer.operation.path):
        return None  # a digest, which is no name to give
    if offer.operation.at in subject.shared_places or subject.tools.get(name, offer) is not offer:
        return None
    first, *others = name.split("_")
    camel = first + "".join(word.capitalize() for word in others)
    keeps = "_".join(subject.words(camel)) == name
    return Fix(at=offer.operation.at, update={"operationId": camel if keeps and not subject.snake else name})
