"""Rules that say whether an operation only reads: each gives its reason, or None where it does not apply."""

from __future__ import annotations

import re
from typing import Final

from toolcast.mapping import media
from toolcast.mapping.case import Case
from toolcast.mapping.imperative import Verb
from toolcast.mapping.markup import clean
from toolcast.mapping.names import words
from toolcast.mapping.verbs import (
    ASKED,
    CHANGING,
    DOUBTFUL,
    MINTED,
    OF_MANY,
    OF_WHAT_IS_GIVEN,
    ONCE,
    READING,
    RUNNING,
    SHOWING,
    VERIFIED,
)

_HARMLESS: Final = re.compile(
    r"\bdry[- ]run\b|\bread[- ]only\b|\b(?:no|without) side[- ]effects?\b|"
    r"\bwithout (?:actually )?(?:creating|saving|storing|changing|modifying|persisting|sending|applying|redeeming)\b|"
    r"\b(?:does|do|will) not (?:create|save|store|change|modify|persist|send|apply)\b",
    re.IGNORECASE,
)
_ALSO: Final = re.compile(
    r"\b(?:also|then|will|can be used to|may be used to|optionally) (?:also |be used to |can be used to )*"
    r"(?:create|update|delete|modify|replace|start|trigger|open|save|store|send|revoke|remove|register|reset)s?\b",
    re.IGNORECASE,
)
_WHETHER: Final = re.compile(r"\b(?:whether|if)\b.{1,60}\b(?:is|are|can|could|has|have|exists?|would)\b", re.IGNORECASE)
# Verbs of which the answer may be many, so that paging is a witness.
_IN_PAGES: Final = OF_MANY | RUNNING | frozenset("query scroll fetch match discover recommend".split())
# Fields that ask for a change.
_OPTIONS: Final = frozenset("save persist create delete remove update apply execute commit".split())
# A language that is looked at is not carried out.
_LOOKED_AT: Final = frozenset("parse lint validate tokenize detokenize".split())
_LISTENING: Final = frozenset("subscribe connect watch".split())
_GETTING: Final = frozenset("get retrieve fetch".split())
_SESSIONS: Final = (["access"], ["token"], ["callback"])
# A token of these kinds is given to get another one.
_GRANTS: Final = frozenset("refresh access id auth client api".split())


# --- a safe method ---


def command_parameter(case: Case) -> str | None:
    """A GET that takes a command."""
    return (
        f"{case.method}, but the parameter {case.command!r} may hold any command"
        if case.safe and case.command
        else None
    )


def declared(case: Case) -> str | None:
    """What an extension says."""
    told = case.operation.extensions
    if told.get("x-openai-isConsequential") is True:
        return "x-openai-isConsequential says that it has consequences"
    if told.get("x-kubernetes-action") == "connect":
        return "x-kubernetes-action says that it connects to what is there"
    if told.get("x-ms-long-running-operation") is True and case.method == "POST":
        return "x-ms-long-running-operation says that it starts something"
    return None


def disguised(case: Case) -> str | None:
    """A GET that is called by a changing verb; listening to a stream of events ends with the connection."""
    if not case.safe or case.altering is None or (case.altering.word in _LISTENING and _streams(case)):
        return None
    return f"{case.method}, but {case.altering.where}"


def _streams(case: Case) -> bool:
    """Does it give a stream, and do nothing else?"""
    kinds = [content.media_type for response in case.operation.responses for content in response.content]
    only = all(verb.word in _LISTENING or verb.word not in CHANGING for verb in case.verbs)
    return only and any(media.is_stream(kind) for kind in kinds)


def opens_session(case: Case) -> str | None:
    """An endpoint of OAuth that makes or takes codes and tokens (RFC 6749 section 3), by GET."""
    last = words(case.segments[-1])[-1:] if case.segments else []
    oauth = {"oauth", "oauth2"} & set(words(case.operation.path))
    return f"{case.method}, but it opens a session" if case.safe and oauth and last in _SESSIONS else None


def starts_something(case: Case) -> str | None:
    """A GET that answers 201 or 202 only."""
    started = case.safe and case.statuses and case.statuses <= {"201", "202"} and case.first(SHOWING) is None
    return f"{case.method}, but it answers {min(case.statuses)}" if started else None


def safe_method(case: Case) -> str | None:
    """Any other GET, HEAD, OPTIONS, TRACE or QUERY."""
    return f"{case.method} only reads" if case.safe else None


# --- another method ---


def other_method(case: Case) -> str | None:
    """PUT, PATCH, DELETE, and what the document invents."""
    return f"{case.method} changes things" if case.method != "POST" else None


def changing_verb(case: Case) -> str | None:
    """A POST with a changing verb in any place."""
    return f"POST, and {case.altering.where}" if case.altering else None


def makes_something(case: Case) -> str | None:
    """A POST that answers 201 or 202."""
    answered = case.statuses & {"201", "202"}
    return f"POST, and it answers {' or '.join(sorted(answered))}" if answered else None


def option(case: Case) -> str | None:
    """A POST whose body may ask for a change beside: ``autoOpenStream``, ``save``."""
    for name in sorted(case.fields):
        parts = words(name)
        asked = parts[1:] if parts[:1] in (["auto"], ["force"], ["should"], ["also"]) else parts
        if asked[:1] and asked[0] in (CHANGING if asked != parts else _OPTIONS):
            return f"POST, and {name!r} may ask for more"
    return None


def also(case: Case) -> str | None:
    """A POST whose text tells of a change beside."""
    found = _ALSO.search(case.text)
    return f"POST, and its text says {found[0]!r}" if found else None


def language(case: Case) -> str | None:
    """A POST that takes a language in which anything may be said."""
    if case.first(_LOOKED_AT):
        return None
    named = sorted({"sql", "graphql", "cypher", "gremlin"} & case.words)
    given = case.command or case.query or case.foreign or (named[0] if named else None)
    return f"POST, and {given!r} may hold any command" if given else None


def mints(case: Case) -> str | None:
    """A POST that gets what an API makes when it is asked for it; what is listed was there."""
    if any(verb.word in READING - _GETTING and not verb.alone for verb in case.verbs):
        return None
    for verb in case.verbs:
        made = sorted(MINTED & {word.removesuffix("s") for word in verb.thing[-1:]} | {"next"} & {*verb.thing})
        if verb.word in _GETTING and made and not _asks_for(case, verb.thing):
            return f"POST, and a {made[0]} may be made by it"
    return None


def _asks_for(case: Case, thing: tuple[str, ...]) -> bool:
    """Does the body name the one that is asked for (``link_token``, ``key_id``)?"""
    named = [words(name) for name in case.fields]
    whole = any(len(parts) > 1 and parts[-1] == thing[-1] and parts[0] not in _GRANTS for parts in named)
    return whole or [thing[-1], "id"] in named


def reading_verb(case: Case) -> str | None:
    """A POST with a reading verb."""
    reading = next((verb for verb in case.verbs if verb.word in READING and not verb.alone), None)
    return f"POST that reads: {reading.where}" if reading else None


def second_witness(case: Case) -> str | None:
    """A POST whose verb does not settle it, and something else that does."""
    for verb in case.verbs:
        if verb.word in DOUBTFUL | RUNNING or (verb.alone and verb.word in READING):
            witness = _witness(case, verb)
            return f"POST that reads: {verb.where}, and {witness}" if witness else None
    return None


def _witness(case: Case, doubtful: Verb) -> str | None:
    if harmless := _HARMLESS.search(case.text):
        return f"its text says {harmless[0]!r}"
    if case.operation.extensions.get("x-openai-isConsequential") is False:
        return "x-openai-isConsequential says that it has no consequences"
    if case.words & (ONCE | VERIFIED if doubtful.word == "verify" else ONCE):
        return None
    if whether := _WHETHER.search(clean(case.operation.summary)):
        return f"its summary asks {whether[0].split()[0]!r}"
    if asked := sorted(case.words & ASKED):
        return f"it asks for {asked[0]!r}"
    if doubtful.word == "export" and (loaded := case.first({"download"})):
        return loaded.where
    others = [verb for verb in case.verbs if verb.place != doubtful.place and verb.word in READING and not verb.alone]
    if others:
        return others[0].where
    if case.paged and doubtful.word in _IN_PAGES:
        return f"it takes {case.paged!r}"
    if doubtful.word in ("query", "explain") and case.fields:
        return "its body describes it, and holds no language"
    return _by_path(case, doubtful)


def _by_path(case: Case, doubtful: Verb) -> str | None:
    """Does the path say that there is nothing to change: only what is given, or the results of a search?"""
    if "search" in [word for segment in case.segments[:-1] for word in words(segment)]:
        return "its path is one of searches"
    ends = any(verb.place == "path" and verb.word == doubtful.word for verb in case.verbs)
    of_one = "{" in (
        case.operation.path if doubtful.word in ("calculate", "compute") else "".join(case.segments[-2:-1])
    )
    return "its path names no thing to change" if ends and doubtful.word in OF_WHAT_IS_GIVEN and not of_one else None


def nothing_said(case: Case) -> str | None:
    """Any other POST."""
    doubtful = case.first(DOUBTFUL)
    return (
        f"POST, and {doubtful.where}, which may change things"
        if doubtful
        else "POST, and nothing says that it only reads"
    )
