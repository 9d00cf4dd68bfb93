"""Evidence: the verbs of an operation that stand in imperative place, weighed against one another."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from toolcast.mapping.imperative import Verb, is_function, of_id, of_path, of_summary
from toolcast.mapping.names import words
from toolcast.mapping.verbs import CHANGING, NOUNS, OBJECTS, SHOWING, THINGS
from toolcast.model.openapi import Operation


def evidence(operation: Operation) -> tuple[Verb, ...]:
    """The verbs of an operation, in the order operationId, path, summary; without what a path ends in and is shown."""
    named, told = [*of_id(operation)], [*of_summary(operation)]
    ending = [verb for verb in of_path(operation) if not _is_shown(verb, operation, named, told)]
    return tuple(dict.fromkeys([*named, *ending, *told]))


def changing(operation: Operation, found: Collection[Verb]) -> Verb | None:
    """The verb that says that an operation changes things, None where none does."""
    things = THINGS if operation.method == "GET" and not is_function(operation.path) else frozenset[str]()
    return first(found, CHANGING - things)


def first(found: Collection[Verb], verbs: Collection[str]) -> Verb | None:
    """The first of some verbs, None where none stands in place."""
    return next((verb for verb in found if verb.word in verbs), None)


def _is_shown(verb: Verb, operation: Operation, named: Sequence[Verb], told: Sequence[Verb]) -> bool:
    """Is the word that a path ends in the thing that is shown (``GET /pulls/{id}/merge``, "Get the merge")?

    OperationId and summary both say so; or one of them does, and names a thing of which the word is but a part, or its
    noun (``getConfirmationStatus``).
    """
    verbs = [found[0].word for found in (named, told) if found and found[0].word in SHOWING | CHANGING]
    if not verbs or not SHOWING.issuperset(verbs):
        return False
    if operation.method not in ("GET", "HEAD"):
        return len(verbs) == 2 and verb.word in NOUNS
    parts = words(operation.id or "")[1:]
    if len(verbs) == 2:
        return verb.word in NOUNS or not verb.bare or verb.word not in parts
    stem = verb.word[: max(4, len(verb.word) - 2)]
    nominal = any(p.startswith(stem) and p.endswith(("ion", "ions", "ment", "al")) for p in parts if p != verb.word)
    part = verb.word in NOUNS and verb.word in parts[:-1]
    return nominal or part or verb.word in OBJECTS or "preview" in verbs
