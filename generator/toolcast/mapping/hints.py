"""Hints: the four MCP tool annotations, each decided by the first rule of a table that applies, with its reason.

A wrong ``readOnlyHint: true`` is the worst error that can be made here, so doubt means "it changes things". The rules
and how well they do are in docs/hints.md.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from toolcast.mapping import media
from toolcast.mapping.evidence import Verb, changing, evidence, first
from toolcast.mapping.names import words
from toolcast.mapping.texts import clean
from toolcast.mapping.verbs import (
    ALTERING,
    ASKED,
    CHANGING,
    CREATING,
    DESTROYING,
    DOUBTFUL,
    LANGUAGES,
    MINTED,
    NOUNS,
    OF_WHAT_IS_GIVEN,
    ONCE,
    READING,
    REPEATING,
    SEARCHING,
    SETTLING,
    SHOWING,
    TAKING,
    VERIFIED,
)
from toolcast.model.catalog import Hint, Hints
from toolcast.model.openapi import Operation, Parameter

# RFC 9110 section 9.2.1 (safe) and 9.2.2 (idempotent); QUERY is safe and idempotent (OpenAPI 3.2 section 4.9).
_SAFE: Final = frozenset(["GET", "HEAD", "OPTIONS", "TRACE", "QUERY"])
_REPLACING: Final = {"PUT": "PUT replaces what was there", "DELETE": "DELETE removes", "PATCH": "PATCH overwrites fields"}
# What many APIs keep one of, though the word looks like a plural.
_SINGLE: Final = frozenset("settings preferences permissions credentials options details".split())
_PAGING: Final = frozenset("limit offset cursor page pagesize count filter filters sort sorts facets".split())
# Where what is read may be many.
_OF_MANY: Final = frozenset("query filter scroll view fetch match list discover recommend run sync".split())
_RUNS: Final = frozenset(["run", "sync"])
_OF_PROGRAMS: Final = frozenset("source python javascript js java lua program".split())
_HARMLESS: Final = re.compile(
    r"\bdry[- ]run\b|\bread[- ]only\b|\b(?:no|without) side[- ]effects?\b|"
    r"\bwithout (?:actually )?(?:creating|saving|storing|changing|modifying|persisting|sending|applying|redeeming)\b|"
    r"\b(?:does|do|will) not (?:create|save|store|change|modify|persist|send|apply)\b",
    re.IGNORECASE,
)
_WHETHER: Final = re.compile(r"\b(?:whether|if)\b.{1,60}\b(?:is|are|can|could|has|have|exists?|would)\b", re.IGNORECASE)


class Case:
    """An operation with the evidence about it; ``fields`` says of its body's properties whether each may hold a text."""

    def __init__(self, operation: Operation, fields: Mapping[str, bool]) -> None:
        self.operation = operation
        self.method = operation.method
        self.safe = operation.method in _SAFE
        self.fields = fields
        self.found = evidence(operation)
        self.paged = self._paged()
        self.altering = self._altering()
        self.statuses = {response.status for response in operation.responses if response.status[:1] in ("2", "3")}

    def _paged(self) -> str | None:
        """What says that the answer comes in pages, or is what a filter leaves."""
        queries = [p.name for p in self.operation.parameters if p.location == "query"]
        return next((name for name in sorted([*self.fields, *queries]) if _PAGING.intersection(words(name)[-1:])), None)

    def _altering(self) -> Verb | None:
        """The verb that says that it changes things; what comes in pages is read, though it is called a run of it."""
        excused = _RUNS if self.paged else frozenset[str]()
        return changing(self.operation, [verb for verb in self.found if verb.word not in excused])

    @cached_property
    def nouns(self) -> frozenset[str]:
        """The words of id, path and summary."""
        told = self.operation
        return frozenset([*words(told.id or ""), *words(told.path), *words(told.summary[:200])])

    def first(self, verbs: Collection[str]) -> Verb | None:
        """The first of some verbs."""
        return first(self.found, verbs)


# --- may it be called read-only? ---


def _command(case: Case) -> str | None:
    texts = [p.name for p in case.operation.parameters if case.safe and p.location == "query" and _is_text(p)]
    given = next((name for name in texts if name != "code" and _is_language(name)), None)
    return f"{case.method}, but the parameter {given!r} may hold any command" if given else None


def _is_text(parameter: Parameter) -> bool:
    schema = parameter.schema if isinstance(parameter.schema, dict) else {}
    return schema.get("type") not in ("boolean", "integer", "number")


def _declared(case: Case) -> str | None:
    told = case.operation.extensions
    if told.get("x-openai-isConsequential") is True:
        return "x-openai-isConsequential says that it has consequences"
    if told.get("x-kubernetes-action") == "connect":
        return "x-kubernetes-action says that it connects to what is there"
    if told.get("x-ms-long-running-operation") is True and case.method == "POST":
        return "x-ms-long-running-operation says that it starts something"
    return None


def _disguised(case: Case) -> str | None:
    if not case.safe or case.altering is None or _streamed(case):
        return None
    return f"{case.method}, but {case.altering.where}"


def _streamed(case: Case) -> bool:
    """Does it listen to a stream of events, which ends with the connection?"""
    listens = case.altering is not None and case.altering.word in ("subscribe", "connect", "watch", "attach")
    kinds = [content.media_type for response in case.operation.responses for content in response.content]
    stream = any(media.is_stream(kind) for kind in kinds) or bool({"events", "event", "stream", "updates"} & case.nouns)
    only = all(verb.word in ("subscribe", "watch") or verb.word not in CHANGING for verb in case.found)
    return listens and only and stream


def _started(case: Case) -> str | None:
    started = case.safe and case.statuses and case.statuses <= {"201", "202"} and case.first(SHOWING) is None
    return f"{case.method}, but it answers {min(case.statuses)}" if started else None


def _safe(case: Case) -> str | None:
    return f"{case.method} only reads" if case.safe else None


def _other_method(case: Case) -> str | None:
    return f"{case.method} changes things" if case.method != "POST" else None


def _altering(case: Case) -> str | None:
    return f"POST, and {case.altering.where}" if case.altering else None


def _created(case: Case) -> str | None:
    answered = case.statuses & {"201", "202"}
    return f"POST, and it answers {' or '.join(sorted(answered))}" if answered else None


def _language(case: Case) -> str | None:
    told = [*case.fields, *(parameter.name for parameter in case.operation.parameters)]
    given = next((name for name in sorted(told) if _is_language(name)), None)
    if given is None and case.first(SEARCHING) is None:
        given = next((name for name in sorted(told) if _is_query(name, case)), None)
    if given is None:
        body = case.operation.body
        kinds = [content.media_type for content in body.content] if body is not None else []
        given = kinds[0] if kinds and not any(_is_data(kind) for kind in kinds) else None
    if given is None and (named := sorted(LANGUAGES & case.nouns & {"sql", "graphql", "cypher", "gremlin"})):
        given = named[0]
    return f"POST, and {given!r} may hold any command" if given else None


def _is_language(name: str) -> bool:
    """Can a field of this name hold anything that there is to do? A ``country_code`` cannot."""
    parts = words(name)
    last = parts[-1] if parts else ""
    if last in ("statement", "statements"):
        return len(parts) == 1 or "sql" in parts
    return last in LANGUAGES or (last == "code" and (len(parts) == 1 or bool(_OF_PROGRAMS & set(parts))))


def _is_query(name: str, case: Case) -> bool:
    """Is a field a query in words, and no object that describes one?"""
    return words(name)[-1:] == ["query"] and case.fields.get(name, True)


def _is_data(kind: str) -> bool:
    return media.is_json(kind) or media.is_form(kind) or media.is_xml(kind) or "json" in kind or "yaml" in kind


def _minted(case: Case) -> str | None:
    reading = case.first(READING)
    named = case.nouns & MINTED
    if reading is None or reading.word != "get" or not named or _ends_in(case, "get"):
        return None
    return f"POST, and a {min(named)} may be made by it"


def _ends_in(case: Case, verb: str) -> bool:
    return any(one.place == "path" and one.word == verb for one in case.found)


def _reads(case: Case) -> str | None:
    reading = next((verb for verb in case.found if verb.word in READING and not verb.alone), None)
    return f"POST that reads: {reading.where}" if reading else None


def _witnessed(case: Case) -> str | None:
    doubted = DOUBTFUL | _RUNS
    doubtful = next((verb for verb in case.found if verb.word in doubted or (verb.alone and verb.word in READING)), None)
    witness = _witness(case, doubtful) if doubtful else None
    return f"POST that reads: {doubtful.where}, and {witness}" if doubtful and witness else None


def _witness(case: Case, doubtful: Verb) -> str | None:
    """What else says that an operation reads, whose verb does not settle it."""
    told = case.operation
    text = f"{clean(told.summary)}\n{clean(told.description)}"
    if harmless := _HARMLESS.search(text):
        return f"its text says {harmless[0]!r}"
    if told.extensions.get("x-openai-isConsequential") is False:
        return "x-openai-isConsequential says that it has no consequences"
    if case.nouns & (ONCE | VERIFIED if doubtful.word == "verify" else ONCE):
        return None
    if whether := _WHETHER.search(clean(told.summary)):
        return f"its summary asks {whether[0].split()[0]!r}"
    if asked := sorted(case.nouns & ASKED):
        return f"it asks for {asked[0]!r}"
    others = [verb for verb in case.found if verb.place != doubtful.place and verb.word in READING and not verb.alone]
    if others:
        return others[0].where
    if case.paged and doubtful.word in _OF_MANY:
        return f"it takes {case.paged!r}"
    if doubtful.word == "query" and case.fields:
        return "its body describes it, and holds no language"
    segments = [segment for segment in told.path.split("/") if segment]
    if "search" in [word for segment in segments[:-1] for word in words(segment)]:
        return "its path is one of searches"
    of_one = "{" in (told.path if doubtful.word in ("calculate", "compute") else "".join(segments[-2:-1]))
    if _ends_in(case, doubtful.word) and doubtful.word in OF_WHAT_IS_GIVEN and not of_one:
        return "its path names no thing that it could change"
    return None


def _nothing_said(case: Case) -> str | None:
    doubtful = case.first(DOUBTFUL)
    return f"POST, and {doubtful.where}, which may change things" if doubtful else "POST, and nothing says that it only reads"


# --- may it be called additive? ---


def _replaces(case: Case) -> str | None:
    return _REPLACING.get(case.method)


def _unsafe_get(case: Case) -> str | None:
    if case.method == "POST":
        return None
    return f"{case.method}, but {case.altering.where}" if case.altering else f"{case.method} may do anything"


def _may_do_anything(case: Case) -> str | None:
    strict = next((name for name in sorted(case.fields) if _is_language(name)), None)
    if strict is None and case.nouns & {"command", "commands", "sql", "script", "shell"} and case.first({"send", "run"}):
        strict = "command"
    if strict is None and case.first({"query", "run", "execute"}) and case.first(SEARCHING) is None:
        strict = next((name for name in sorted(case.fields) if _is_query(name, case)), None)
    return f"POST, and {strict!r} may hold any command" if strict and not case.first({"login", "redeem"}) else None


def _destroys(case: Case) -> str | None:
    destroying = case.first(DESTROYING)
    if destroying is None and (taking := _taking(case)):
        return f"POST, and {taking!r} takes something away or moves it on"
    return f"POST, and {destroying.where}" if destroying else None


def _taking(case: Case) -> str | None:
    """The thing that is made, where making it undoes or ends another one."""
    segments = [segment for segment in case.operation.path.split("/") if segment and "{" not in segment]
    last = words(segments[-1])[-1:] if segments else []
    made = [word.removesuffix("s") for word in (*last, *words(case.operation.id or "")[-1:])]
    return next((word for word in made if word in TAKING), None)


def _also(case: Case) -> str | None:
    also = case.first(ALTERING)
    if also is None:
        return None
    creating = case.first(CREATING)
    return f"POST that adds, but {also.where}" if creating else f"POST, and {also.where}"


def _renews(case: Case) -> str | None:
    """Does it make something new that puts an old one out of use?"""
    made = sorted(case.nouns & {"password", "secret", "key"})
    return f"POST that makes a new {made[0]}, for an old one" if made and case.first({"generate"}) and "new" in case.nouns else None


def _adds(case: Case) -> str | None:
    creating = case.first(CREATING)
    return f"POST that adds: {creating.where}" if creating else None


def _to_collection(case: Case) -> str | None:
    collection = _collection(case.operation.path)
    return f"POST to the collection {collection!r}" if collection and case.altering is None else None


def _collection(path: str) -> str | None:
    """The last segment of a path when it is a plural."""
    segments = [segment for segment in path.split("/") if segment]
    last = words(segments[-1])[-1:] if segments and "{" not in segments[-1] else []
    if not last or last[0] in _SINGLE or not last[0].endswith("s") or last[0].endswith(("ss", "us", "is")):
        return None
    single = last[0].removesuffix("s")
    return None if single in TAKING or single in DESTROYING - NOUNS else segments[-1]


def _mints(case: Case) -> str | None:
    return "POST that makes what it gets" if case.altering is None and _minted(case) else None


def _not_said_to_add(case: Case) -> str | None:
    return f"POST, and {case.altering.where if case.altering else 'nothing says that it only adds'}"


# --- may it be repeated? ---


def _each_time(case: Case) -> str | None:
    repeating = case.first(REPEATING)
    if repeating is not None:
        return f"each call does it again: {repeating.where}"
    segments = [words(segment) for segment in case.operation.path.split("/")]
    if case.method == "DELETE" and segments[-1] in (["head"], ["next"], ["first"], ["last"], ["oldest"], ["latest"]):
        return "each call takes another one"
    return None


def _by_method(case: Case) -> str | None:
    return f"{case.method} is idempotent" if case.method in ("PUT", "DELETE") else None


def _settles(case: Case) -> str | None:
    verbs = [verb for verb in case.found if verb.word in CHANGING]
    settled = verbs and all(verb.word in SETTLING and not verb.beside for verb in verbs)
    if _taking(case) or _may_do_anything(case):
        return None
    return f"a second call changes nothing more: {verbs[0].where}" if settled else None


def _not_said_to_settle(case: Case) -> str | None:
    if case.safe:
        return "it changes things, and nothing says that repeating it is harmless"
    return f"{case.method} is not idempotent"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A rule: what it is called, the value that it gives, and the reason in a case, None where it does not apply."""

    name: str
    value: bool
    reason: Callable[[Case], str | None]


def _rules(*rules: tuple[str, bool, Callable[[Case], str | None]]) -> tuple[Rule, ...]:
    return tuple(Rule(name=name, value=value, reason=reason) for name, value, reason in rules)


READ_ONLY: Final = _rules(
    ("declared", False, _declared),
    ("command-parameter", False, _command),
    ("write-in-disguise", False, _disguised),
    ("starts-something", False, _started),
    ("safe-method", True, _safe),
    ("other-method", False, _other_method),
    ("changing-verb", False, _altering),
    ("makes-something", False, _created),
    ("language", False, _language),
    ("mints", False, _minted),
    ("reading-verb", True, _reads),
    ("second-witness", True, _witnessed),
    ("no-evidence", False, _nothing_said),
)
DESTRUCTIVE: Final = _rules(
    ("replacing-method", True, _replaces),
    ("write-in-disguise", True, _unsafe_get),
    ("language", True, _may_do_anything),
    ("destroying-verb", True, _destroys),
    ("altering-verb", True, _also),
    ("renews", True, _renews),
    ("creating-verb", False, _adds),
    ("collection", False, _to_collection),
    ("mints", False, _mints),
    ("no-evidence", True, _not_said_to_add),
)
IDEMPOTENT: Final = _rules(
    ("each-time", False, _each_time),
    ("idempotent-method", True, _by_method),
    ("settling-verb", True, _settles),
    ("no-evidence", False, _not_said_to_settle),
)


def hints(operation: Operation, fields: Mapping[str, bool]) -> Hints:
    """The hints of an operation; ``fields`` says of its body's properties whether each may hold a text."""
    case = Case(operation, fields)
    read_only = _decided(READ_ONLY, case)
    open_world = Hint(value=True, rule="api", reason="it calls an API outside this server")
    if read_only.value:
        return Hints(
            read_only=read_only,
            destructive=Hint(value=False, rule="read-only", reason="it only reads"),
            idempotent=Hint(value=True, rule="read-only", reason="it only reads"),
            open_world=open_world,
        )
    return Hints(
        read_only=read_only,
        destructive=_decided(DESTRUCTIVE, case),
        idempotent=_decided(IDEMPOTENT, case),
        open_world=open_world,
    )


def _decided(rules: Sequence[Rule], case: Case) -> Hint:
    for rule in rules:
        reason = rule.reason(case)
        if reason is not None:
            return Hint(value=rule.value, rule=rule.name, reason=reason)
    raise AssertionError(f"the last rule always applies, but not to {case.operation.key}")
