"""The imperative places: the first word of an operationId after its namespace, a path's last segment, a summary's verb.

An operationId may also end in its verb (``user_delete``). A noun or a participle elsewhere is no verb:
``GET /transfers``, ``GET /orders/{id}/cancelled`` and ``getCancelPolicy`` only read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from toolcast.mapping.markup import clean
from toolcast.mapping.names import words
from toolcast.mapping.verbs import (
    CHANGING,
    DOUBTFUL,
    MANNERS,
    NOUN_ENDS,
    NOUNS,
    OF_MANY,
    PARTICLES,
    READING,
    SHOWING,
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
    r"(?: be used| used)?(?: you| users| clients)?(?: to)?|"
    r"(?:used?|allows?|lets|enables) (?:this |you |users |clients )?[a-z ]{0,20}?to|requests? to|performs? an?|"
    r"invokes? (?:action|function|the))\s+",
    re.IGNORECASE,
)
_EXTENSION: Final = re.compile(r"\.(json|xml|html?|csv|ya?ml|do|php|aspx?|jsp|cgi|txt)$", re.IGNORECASE)
_PLACEHOLDER: Final = re.compile(r"\{[^{}]*\}")
_CALL: Final = re.compile(r"[?#]([^=&]*)(?:=([^&]*))?")  # /#Action=RunInstances, /build?cmd=diff
_METHOD_HEAD: Final = re.compile(r"^(?:GET|PUT|POST|PATCH|DELETE|HEAD)_(?=[A-Z])")
_VERSION: Final = re.compile(r"v\d+")
_OF_SERVERS: Final = frozenset("controller service api resource handler endpoint routes router rest".split())
_JOINING: Final = frozenset(["and", "or", "then"])
_DETERMINERS: Final = frozenset("all to from for by".split())
_ARTICLES: Final = frozenset("a an the all this that your one given".split())
_TOWARDS: Final = frozenset("by of for in with from to and or on per as at via using through".split())
_NO_PARTICLE: Final = frozenset("which what whether if the all a an".split())
# In the third person these are verbs wherever something follows: "Sets cookies", but "Transfers between accounts".
_DONE: Final = frozenset("set start stop open close install restore reset refresh clear".split())
# A segment before the last one, under which things are only tried: /messages/validate/push.
_TRYING: Final = frozenset(["validate", "preview", "estimate", "lint"])
_TRADE: Final = frozenset("sale rent auction market marketplace".split())


@dataclass(frozen=True, slots=True, kw_only=True)
class Verb:
    """A word in imperative place, with where it stands and the words of the thing that it acts on.

    ``alone``: it reads where it acts on many, and does not here (``listProperty``). ``bare``: nothing follows it.
    ``beside``: it is one of several (``getOrCreate``).
    """

    word: str
    place: Place
    where: str
    thing: tuple[str, ...] = ()
    alone: bool = False
    bare: bool = False
    beside: bool = False


def is_function(path: str) -> bool:
    """Does a path name a function rather than a thing (``/chat.delete``, ``/#Action=RunInstances``)?"""
    last = path.rsplit("/", 1)[-1]
    return bool(_CALL.search(last)) or ("{" not in last and "." in _EXTENSION.sub("", last).strip("."))


def of_path(operation: Operation) -> Iterator[Verb]:
    """What the last fixed segment of a path says, where it is a verb."""
    segments = [segment for segment in operation.path.split("/") if segment]
    fixed = [at for at, segment in enumerate(segments) if words(_PLACEHOLDER.sub("", segment))]
    if not fixed:
        return
    last = fixed[-1]
    own, called = _own(segments[last])
    parts = _without_manner(words(own))
    if not parts:
        return
    before = segments[last - 1] if last else ""
    if before in _TRYING:
        yield Verb(word=before, place="path", where=f"the path has {before!r} before its end")
        return
    verb, rest = _joined(parts)
    if verb == "read" and words(before)[-1:] == ["batch"]:
        verb = "get"
    if operation.method == "GET" and verb in NOUNS and segments[last].lower().endswith((".html", ".htm")):
        return  # a page
    where = f"the path ends in {segments[last]!r}"
    command = called or _is_command(own, parts, rest, posted=operation.method == "POST")
    if called and len(parts) > 1 and parts[-1].endswith("ed") and verb not in _KNOWN:  # /workflows.stepCompleted
        yield Verb(word="notify", place="path", where=f"{where}, which tells that something happened")
    elif command and last == len(segments) - 1:
        thing = _thing(rest) or tuple(words(_PLACEHOLDER.sub("", before)))
        yield Verb(word=verb, place="path", where=where, thing=thing, alone=_is_alone(verb, rest), bare=not rest)
        yield from _alternatives(parts, "path", where)
    elif command and verb in CHANGING - NOUNS:  # /users/delete/{id}, but /block/{hash}
        yield Verb(word=verb, place="path", where=f"the path has {segments[last]!r} before its last value")


def _own(segment: str) -> tuple[str, bool]:
    """What a segment calls by its name, and whether that is a function (``{id}:cancel``, ``chat.delete``)."""
    call = _CALL.search(segment)
    if call is not None:
        segment = call[2] or call[1]
    plain = _PLACEHOLDER.sub(" ", _EXTENSION.sub("", segment)).strip(".")
    pieces = [piece for piece in re.split(r"[:.]", plain) if words(piece)]
    function = len(pieces) > 1 or ":" in plain or (call is not None and bool(call[2]))
    return (pieces[-1] if pieces else ""), function


def _is_command(segment: str, parts: list[str], rest: list[str], *, posted: bool) -> bool:
    """Is a segment a verb, alone or with what it acts on (``cancel``, ``cancelOrder``, ``delete-user``)?"""
    if not rest or _DETERMINERS.intersection(rest[:-1]):
        return True
    noun = parts[-1] in NOUN_ENDS or (parts[-1].endswith("s") and not parts[-1].endswith("ss"))
    if "-" in segment or "_" in segment.strip("_"):
        return not noun and (posted or parts[0] not in NOUNS)
    return not (noun and parts[0] in NOUNS)


def of_id(operation: Operation) -> Iterator[Verb]:
    """What an operationId says."""
    if not operation.id or _repeats_path(operation, operation.id):
        return
    where = f"operationId {operation.id!r}"
    parts, named = _local(operation, operation.id)
    if not parts:
        return
    verb, rest = _joined(parts)
    if verb == "read" and "batch" in rest:
        verb = "get"
    yield Verb(
        word=verb,
        place="id",
        where=f"{where} {'names' if named else 'begins with'} {parts[0]!r}",
        thing=_thing(rest),
        # getCancelPolicy may be about a policy, and listSyncTriggers may not list.
        alone=_is_alone(verb, rest) or (verb in READING and len(rest) > 1 and rest[0] in CHANGING),
    )
    if rest and verb not in _KNOWN:
        last = parts[-1]
        ending = words(operation.path.rstrip("/").rsplit("/", 1)[-1])
        if last in CHANGING - NOUNS or (last in READING and ending == [last]):
            yield Verb(word=last, place="id", where=f"{where} ends with {last!r}")
    yield from _alternatives(parts, "id", where)


def _repeats_path(operation: Operation, id_: str) -> bool:
    """Does an id repeat the path (``transferEventList``, ``PostChargesChargeCapture``), and say nothing else?"""
    parts, method = words(id_), operation.method.lower()
    parts = parts[1:] if parts[:1] == [method] else parts
    segments = [segment for segment in operation.path.split("/") if not _VERSION.fullmatch(segment)]
    fixed = [word for segment in segments for word in words(_PLACEHOLDER.sub(" ", segment))]
    return len(parts) > 1 and parts in (fixed, [word for segment in segments for word in words(segment)])


def _local(operation: Operation, id_: str) -> tuple[list[str], bool]:
    """The words of an operationId after its namespace, and whether it has one."""
    method = operation.method.lower()
    pieces = [piece for piece in re.split(r"[./:#]", _METHOD_HEAD.sub("", id_.strip())) if words(piece)]
    while len(pieces) > 1 and (pieces[-1].isdigit() or (pieces[-1].lower() == method and method not in READING)):
        pieces.pop()  # count.1, classifications.post
    if not pieces:
        return [], False
    if len(pieces) > 1 and pieces[0].lower() in _PLAIN and words(pieces[-1])[0] not in _PLAIN:
        return [word for piece in pieces for word in words(piece)], False  # Get.Count.exchangeConnectors
    head, _, tail = pieces[-1].partition("_")
    rest = words(tail) if _is_namespace(operation, words(head)) else []
    rest = [] if rest == [method] else rest
    parts = _without_path(rest or words(pieces[-1]), operation)
    if len(parts) > 1 and parts[-1] == method and method not in READING:
        parts = parts[:-1]  # series_post
    for at in range(1, len(parts) - 1):  # quoteManagementV1EstimateByAddressPost
        if _VERSION.fullmatch(parts[at]) and parts[0] not in _KNOWN - NOUNS and parts[at + 1] in _KNOWN:
            return parts[at + 1 :], True
    parts = _without_segment(parts, operation)
    # Many generators put the method first: it tells nothing new.
    if len(parts) > 1 and parts[0] == method and method not in READING:
        parts = parts[1:]
    return _without_manner(parts), bool(rest) or len(pieces) > 1


def _without_path(parts: list[str], operation: Operation) -> list[str]:
    """The words without path and method at their end, which FastAPI puts there."""
    tail = [*words(operation.path), operation.method.lower()]
    return parts[: -len(tail)] if len(parts) > len(tail) and parts[-len(tail) :] == tail else parts


def _without_segment(parts: list[str], operation: Operation) -> list[str]:
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


def of_summary(operation: Operation) -> Iterator[Verb]:
    """What a summary says first, and what it says beside."""
    text = _LEAD.sub("", _PREFIX.sub("", clean(operation.summary)[:200]))
    parts = words(re.split(r"[.;(]\s", text, maxsplit=1)[0])
    if not parts:
        return
    where = f"the summary begins with {parts[0]!r}"
    parts = _without_manner([_infinitive(parts[0], parts[1:]), *parts[1:]])
    verb, rest = _joined(parts)
    if verb == "log" and rest and rest[-1] in ("out", "in"):
        verb = f"log{rest[-1]}"
    if verb == "read" and rest[:3] == ["a", "batch", "of"]:
        verb = "get"
    of_one = rest[:1] in (["a"], ["an"], ["your"])
    if (verb == "count" and of_one) or (verb == "list" and _TRADE.intersection(rest)):
        verb = "add"
    yield Verb(word=verb, place="summary", where=where, thing=_thing(rest), alone=verb == "list" and of_one)
    near = parts if operation.method == "POST" else parts[:3]
    yield from _alternatives([near[0], *(_infinitive(word) for word in near[1:])], "summary", where)


def _infinitive(word: str, rest: Sequence[str] = ()) -> str:
    """``Deletes`` as ``delete``; but ``Transfers`` may be a noun, and ``Transfers a sum`` has none."""
    if word in SHOWING:
        return word
    plain = word.removesuffix("s")
    if plain in NOUNS and plain != word and rest:
        acts = rest[0] in _ARTICLES or (plain in _DONE and rest[0] not in _TOWARDS)
        return plain if acts else word
    verbs = (CHANGING - NOUNS) | DOUBTFUL | (READING - {"count", "estimate"})
    forms = [word.removesuffix(end) + put for end, put in (("s", ""), ("es", ""), ("ies", "y")) if word.endswith(end)]
    return next((form for form in forms if form in verbs), word)


def _without_manner(parts: list[str]) -> list[str]:
    """``batchGet`` as ``get``."""
    return parts[1:] if len(parts) > 1 and parts[0] in MANNERS and parts[1] in _KNOWN else parts


def _joined(parts: Sequence[str]) -> tuple[str, list[str]]:
    """A verb, with the particle that belongs to it, and the words after it."""
    together = "".join(parts[:2])
    taken = len(parts) > 1 and parts[1] in PARTICLES and together in CHANGING | READING
    if taken and not _NO_PARTICLE.intersection(parts[2:3]):
        return together, [*parts[2:]]
    if parts[0] == "run" and parts[1:2] == ["query"]:
        return "query", [*parts[2:]]
    return parts[0], [*parts[1:]]


def _thing(rest: Sequence[str]) -> tuple[str, ...]:
    """The words of what a verb acts on, up to the first preposition."""
    return tuple(next((rest[:at] for at, word in enumerate(rest) if word in _TOWARDS), rest))


def _is_alone(verb: str, rest: Sequence[str]) -> bool:
    """Does a verb that reads many act on one (``countVisit``, ``listProperty``), so that it may mean something else?"""
    if verb not in OF_MANY:
        return False
    named = _thing(rest) or tuple(rest)
    if not named or named[0] in _TOWARDS:
        return verb not in ("list", "count")
    return not named[-1].endswith("s") and not UNCOUNTABLE.intersection(named)


def _alternatives(parts: Sequence[str], place: Place, where: str) -> Iterator[Verb]:
    """What an operation does beside its verb: ``getOrCreate``, "Search and replace"."""
    for at, word in enumerate(parts[1:-1], 1):
        other = parts[at + 1]
        if word in _JOINING and other in (CHANGING if at == 1 else CHANGING - NOUNS):
            yield Verb(word=other, place=place, where=f"{where} and has '{word} {other}'", beside=True)
