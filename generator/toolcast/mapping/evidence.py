"""Evidence: the verbs of an operation that stand in imperative place, each with where it stands.

The places are the first word of the operationId after its namespace (or its last word, in names like ``user_delete``),
the last fixed segment of the path, and the first word of the summary after a ``…: `` or ``… - `` prefix. A noun or a
participle elsewhere is none: ``GET /transfers``, ``GET /orders/{id}/cancelled`` and ``getCancelPolicy`` only read.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from toolcast.mapping.names import words
from toolcast.mapping.texts import clean
from toolcast.mapping.verbs import (
    CHANGING,
    DOUBTFUL,
    MANNERS,
    NOUN_ENDS,
    NOUNS,
    OBJECTS,
    PARTICLES,
    READING,
    SHOWING,
    THINGS,
    UNCOUNTABLE,
)
from toolcast.model.openapi import Operation

Place: TypeAlias = Literal["id", "path", "summary"]
_KNOWN: Final = READING | DOUBTFUL | CHANGING
# Verbs that are nothing else, so that one before a dot is no namespace.
_PLAIN: Final = frozenset("get create update delete".split())
_PREFIX: Final = re.compile(r"^[^:]{1,40}:\s+|^[^-–—]{1,40}\s+[-–—]\s+")
# What stands before the verb of many summaries.
_LEAD: Final = re.compile(
    r"^(?:this (?:endpoint|method|operation|api|call|request|resource) (?:will|can|allows?|lets|is used|enables)\b"
    r"(?: be used| used)?(?: you| users| clients)?(?: to)?|(?:use(?:d)?|allows?|lets|enables) (?:this |you |users |clients )?"
    r"[a-z ]{0,20}?to|requests? to|performs? an?|invokes? (?:action|function|the))\s+",
    re.IGNORECASE,
)
_EXTENSION: Final = re.compile(r"\.(json|xml|html?|csv|ya?ml|do|php|aspx?|jsp|cgi|txt)$", re.IGNORECASE)
_PLACEHOLDER: Final = re.compile(r"\{[^{}]*\}")
_RPC: Final = re.compile(r"[?#]([^=&]*)(?:=([^&]*))?")  # /#Action=RunInstances, /build?cmd=diff
_METHOD_HEAD: Final = re.compile(r"^(?:GET|PUT|POST|PATCH|DELETE|HEAD)_(?=[A-Z])")
_VERSION: Final = re.compile(r"v\d+")
_OF_SERVERS: Final = frozenset("controller service api resource handler endpoint routes router rest".split())
_JOINING: Final = frozenset(["and", "or", "then"])
_DETERMINERS: Final = frozenset("all to from for by".split())
_TOWARDS: Final = frozenset("by of for in with from to and or on per as at".split())
_TRYING: Final = frozenset(["validate", "preview", "estimate", "lint"])
_OF_MANY: Final = frozenset(["list", "count", "filter", "view"])
_NO_PARTICLE: Final = frozenset("which what whether if the all a an".split())


@dataclass(frozen=True, slots=True, kw_only=True)
class Verb:
    """A word in imperative place.

    ``alone``: it reads when it acts on many, and does not here. ``bare``: nothing follows it. ``beside``: it is one of
    several (``getOrCreate``).
    """

    word: str
    place: Place
    where: str
    alone: bool = False
    bare: bool = False
    beside: bool = False


def evidence(operation: Operation) -> tuple[Verb, ...]:
    """The verbs of an operation, in the order operationId, path, summary."""
    of_id, of_summary = [*_of_id(operation)], [*_of_summary(operation)]
    of_path = [verb for verb in _of_path(operation) if not _is_shown(verb, operation, of_id, of_summary)]
    return tuple(dict.fromkeys([*of_id, *of_path, *of_summary]))


def changing(operation: Operation, found: Collection[Verb]) -> Verb | None:
    """The verb that says that an operation changes things, None where none does."""
    things = THINGS if operation.method == "GET" and not _is_rpc(operation.path) else frozenset[str]()
    return first(found, CHANGING - things)


def first(found: Collection[Verb], verbs: Collection[str]) -> Verb | None:
    """The first of some verbs, None where none stands in place."""
    return next((verb for verb in found if verb.word in verbs), None)


def _is_rpc(path: str) -> bool:
    """Does a path name a function rather than a thing (``/chat.delete``, ``/#Action=RunInstances``)?"""
    last = path.rsplit("/", 1)[-1]
    return bool(_RPC.search(last)) or ("{" not in last and "." in _EXTENSION.sub("", last).strip("."))


def _is_shown(verb: Verb, operation: Operation, of_id: Sequence[Verb], of_summary: Sequence[Verb]) -> bool:
    """Is the word that a path ends in the thing that is shown (``GET /pulls/{id}/merge``, "Get the merge")?

    OperationId and summary both say so; or one of them does, and names a thing of which the word is but a part.
    """
    told = [verbs[0].word for verbs in (of_id, of_summary) if verbs and verbs[0].word in SHOWING | CHANGING]
    if not told or not SHOWING.issuperset(told):
        return False
    parts = words(operation.id or "")[1:]
    if len(told) == 2:
        return verb.word in NOUNS or operation.method == "GET" and (not verb.bare or verb.word not in parts)
    if operation.method not in ("GET", "HEAD"):
        return False
    stem = verb.word[: max(4, len(verb.word) - 2)]
    nominal = any(p.startswith(stem) and p.endswith(("ion", "ions", "ment", "al")) for p in parts if p != verb.word)
    return nominal or (verb.word in NOUNS and verb.word in parts[:-1]) or verb.word in OBJECTS


# --- the operationId ---


def _of_id(operation: Operation) -> Iterator[Verb]:
    if not operation.id:
        return
    where = f"operationId {operation.id!r}"
    if _is_made_of_path(operation, operation.id):
        return
    parts, named = _of_local(operation, operation.id)
    if not parts:
        return
    verb, rest = _joined(parts)
    if verb == "read" and "batch" in rest:
        verb = "get"
    yield Verb(
        word=verb,
        place="id",
        where=f"{where} {'names' if named else 'begins with'} {parts[0]!r}",
        alone=_is_alone(verb, rest),
    )
    if rest and verb not in _KNOWN:
        last = parts[-1]
        if (last in CHANGING and last not in NOUNS) or (last in READING and _last_segment(operation) == [last]):
            yield Verb(word=last, place="id", where=f"{where} ends with {last!r}")
    yield from _alternatives(parts, "id", where)


def _of_local(operation: Operation, id_: str) -> tuple[list[str], bool]:
    """The words of an operationId after its namespace, and whether it has one."""
    pieces = [piece for piece in re.split(r"[./:#]", _METHOD_HEAD.sub("", id_.strip())) if piece]
    while len(pieces) > 1 and (pieces[-1].isdigit() or (pieces[-1].lower() == operation.method.lower() != "get")):
        pieces.pop()  # count.1, classifications.post
    if not pieces:
        return [], False
    if len(pieces) > 1 and pieces[0].lower() in _PLAIN and words(pieces[-1])[0] not in _PLAIN:
        return [word for piece in pieces for word in words(piece)], False  # Get.Count.exchangeConnectors
    local = pieces[-1]
    head, _, tail = local.partition("_")
    rest = words(tail) if _is_namespace(operation, words(head)) else []
    rest = [] if rest == [operation.method.lower()] else rest
    parts = _without_path(rest or words(local), operation)
    if len(parts) > 1 and parts[-1] == operation.method.lower() and parts[-1] not in READING:
        parts = parts[:-1]  # series_post
    for at in range(1, len(parts) - 1):  # quoteManagementV1EstimateByAddressPost
        if _VERSION.fullmatch(parts[at]) and parts[0] not in _KNOWN - NOUNS and parts[at + 1] in _KNOWN:
            return parts[at + 1 :], True
    parts = _without_thing(parts, operation)
    # Many generators put the method first: it tells nothing new.
    if len(parts) > 1 and parts[0] == operation.method.lower() and parts[0] not in READING:
        parts = parts[1:]
    if len(parts) > 1 and parts[0] in MANNERS and parts[1] in _KNOWN:
        parts = parts[1:]
    return parts, bool(rest) or len(pieces) > 1


def _is_made_of_path(operation: Operation, id_: str) -> bool:
    """Does an id repeat the path (``transferEventList``, ``PostChargesChargeCapture``), and say nothing else?"""
    parts, method = words(id_), operation.method.lower()
    parts = parts[1:] if parts[:1] == [method] else parts
    segments = [segment for segment in operation.path.split("/") if not _VERSION.fullmatch(segment)]
    fixed = [word for segment in segments for word in words(_PLACEHOLDER.sub(" ", segment))]
    return parts in (fixed, [word for segment in segments for word in words(segment)]) and len(parts) > 1


def _last_segment(operation: Operation) -> list[str]:
    return words(operation.path.rstrip("/").rsplit("/", 1)[-1])


def _without_path(parts: list[str], operation: Operation) -> list[str]:
    """The words without path and method at their end, which FastAPI puts there."""
    tail = [*words(operation.path), operation.method.lower()]
    return parts[: -len(tail)] if len(parts) > len(tail) and parts[-len(tail) :] == tail else parts


def _without_thing(parts: list[str], operation: Operation) -> list[str]:
    """The words without a segment of the path at their beginning: ``ContainerKill``, ``SyncPlayGetGroups``."""
    for segment in operation.path.split("/"):
        name = words(_PLACEHOLDER.sub(" ", segment))
        rest = parts[len(name) :]
        if name and rest and rest[0] in _KNOWN - (NOUNS - READING) and _singular(parts[: len(name)]) == _singular(name):
            return parts if name[0] in _KNOWN - NOUNS else rest
    return parts


def _is_namespace(operation: Operation, head: list[str]) -> bool:
    """Does an operationId begin with its tag, a segment of its path or the name of a class (``Jobs_cancel``)?"""
    if not head or head[0] in CHANGING | READING:
        return False
    if head[-1] in _OF_SERVERS and len(head) > 1:
        return True
    known = [words(tag) for tag in operation.tags] + [words(segment) for segment in operation.path.split("/")]
    return any(_singular(head) == _singular(name) for name in known if name)


def _singular(name: list[str]) -> list[str]:
    return [*name[:-1], name[-1].removesuffix("s")]


# --- the path ---


def _of_path(operation: Operation) -> Iterator[Verb]:
    segments = [segment for segment in operation.path.split("/") if segment]
    fixed = [index for index, segment in enumerate(segments) if words(_PLACEHOLDER.sub("", segment))]
    if not fixed:
        return
    last = fixed[-1]
    own, rpc = _own(segments[last])
    parts = words(own)
    if len(parts) > 1 and parts[0] in MANNERS and parts[1] in _KNOWN:
        parts = parts[1:]
    if not parts:
        return
    verb, rest = _joined(parts)
    if verb == "read" and last and words(segments[last - 1])[-1:] == ["batch"]:
        verb = "get"
    if last and segments[last - 1] in _TRYING:  # /messages/validate/push
        yield Verb(word=segments[last - 1], place="path", where=f"the path has {segments[last - 1]!r} before its end")
        return
    if operation.method == "GET" and verb in NOUNS and segments[last].lower().endswith((".html", ".htm")):
        return  # a page
    posted = operation.method == "POST"
    where = f"the path ends in {segments[last]!r}"
    if rpc and len(parts) > 1 and parts[-1].endswith("ed") and verb not in _KNOWN:  # /workflows.stepCompleted
        yield Verb(word="notify", place="path", where=f"{where}, which tells that something happened")
    elif last != len(segments) - 1:  # /users/delete/{id}, but /block/{hash}
        if verb in CHANGING - NOUNS and _is_command(own, parts, rest, certain=rpc, posted=posted):
            yield Verb(word=verb, place="path", where=f"the path has {segments[last]!r} before its last value")
    elif _is_command(own, parts, rest, certain=rpc, posted=posted):
        yield Verb(word=verb, place="path", where=where, alone=_is_alone(verb, rest), bare=not rest)
        yield from _alternatives(parts, "path", where)


def _own(segment: str) -> tuple[str, bool]:
    """What a segment calls by its name, and whether that is a function (``{id}:cancel``, ``chat.delete``)."""
    function = _RPC.search(segment)
    if function is not None:
        segment = function[2] or function[1]
    plain = _PLACEHOLDER.sub(" ", _EXTENSION.sub("", segment)).strip(".")
    pieces = [piece for piece in re.split(r"[:.]", plain) if words(piece)]
    return (pieces[-1] if pieces else ""), len(pieces) > 1 or ":" in plain or (function is not None and bool(function[2]))


def _is_command(segment: str, parts: list[str], rest: list[str], *, certain: bool, posted: bool) -> bool:
    """Is a segment a verb, alone or with what it acts on (``cancel``, ``cancelOrder``, ``delete-user``)?

    ``certain``: a noun would not stand there.
    """
    if not rest or certain or _DETERMINERS.intersection(rest[:-1]):
        return True
    noun = parts[-1] in NOUN_ENDS or (parts[-1].endswith("s") and not parts[-1].endswith("ss"))
    if "-" in segment or "_" in segment.strip("_"):
        return not noun and (posted or parts[0] not in NOUNS)
    return not (noun and parts[0] in NOUNS)


# --- the summary ---


def _of_summary(operation: Operation) -> Iterator[Verb]:
    text = _LEAD.sub("", _PREFIX.sub("", clean(operation.summary)[:200]))
    sentence = re.split(r"[.;(]\s", text, maxsplit=1)[0]
    parts = words(sentence)
    if not parts:
        return
    where = f"the summary begins with {parts[0]!r}"
    parts = [_infinitive(parts[0]), *parts[1:]]
    verb, rest = _joined(parts)
    if verb == "log" and rest and rest[-1] in ("out", "in"):
        verb = f"log{rest[-1]}"
    if verb == "read" and rest[:3] == ["a", "batch", "of"]:
        verb = "get"
    of_one = rest[:1] in (["a"], ["an"], ["your"])
    if verb == "count" and of_one:
        verb = "add"
    yield Verb(word=verb, place="summary", where=where, alone=verb == "list" and of_one)  # to list a thing for sale
    near = parts if operation.method == "POST" else parts[:3]
    yield from _alternatives([near[0], *map(_infinitive, near[1:])], "summary", where)


def _infinitive(word: str) -> str:
    """``Deletes`` as ``delete``; but ``Transfers`` may be a noun."""
    if word in SHOWING:
        return word
    for plain in (word.removesuffix("s"), word.removesuffix("es"), word.removesuffix("ies") + "y"):
        verbs = (CHANGING - NOUNS) | DOUBTFUL | (READING - {"count", "estimate"})
        if plain not in (word, f"{word}y") and plain in verbs:
            return plain
    return word


# --- all of them ---


def _joined(parts: Sequence[str]) -> tuple[str, list[str]]:
    """A verb, with the particle that belongs to it, and the words after it."""
    together = "".join(parts[:2])
    taken = len(parts) > 1 and parts[1] in PARTICLES and together in CHANGING | READING
    if taken and not _NO_PARTICLE.intersection(parts[2:3]):
        return together, [*parts[2:]]
    return parts[0], [*parts[1:]]


def _is_alone(verb: str, rest: Sequence[str]) -> bool:
    """Does a verb that reads many act on one (``countVisit``, ``listProperty``), so that it may mean something else?"""
    if verb not in _OF_MANY:
        return False
    if not rest or (rest[0] in _TOWARDS and verb in ("list", "count")):
        return verb not in ("list", "count")
    named = next((rest[:at] for at, word in enumerate(rest) if at and word in _TOWARDS), rest)
    return not named[-1].endswith("s") and not UNCOUNTABLE.intersection(named)


def _alternatives(parts: Sequence[str], place: Place, where: str) -> Iterator[Verb]:
    """What an operation does beside its verb: ``getOrCreate``, "Search and replace"."""
    for at, word in enumerate(parts[1:-1], 1):
        if word in _JOINING and parts[at + 1] in CHANGING - NOUNS:
            told = f"{where} and has '{word} {parts[at + 1]}'"
            yield Verb(word=parts[at + 1], place=place, where=told, beside=True)
