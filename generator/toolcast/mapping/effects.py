"""Rules that say of an operation that changes things whether it only adds, and whether it may be repeated."""

from __future__ import annotations

from typing import Final

from toolcast.mapping.case import Case
from toolcast.mapping.names import words
from toolcast.mapping.verbs import ALTERING, CHANGING, CREATING, DESTROYING, NOUNS, REPEATING, SETTLING, TAKING

_REPLACING: Final = {
    "PUT": "PUT replaces what was there",
    "DELETE": "DELETE removes",
    "PATCH": "PATCH overwrites fields",
}
# What many APIs keep one of, though the word looks like a plural.
_SINGLE: Final = frozenset("settings preferences permissions credentials options details".split())
# What puts things together: where something is created as well, that is what is meant (``addAttachment``, "Attach").
_JOINING: Final = frozenset(
    "attach associate assign link tag share record schedule reserve initiate buy purchase".split()
)
_ENDS: Final = (["head"], ["next"], ["first"], ["last"], ["oldest"], ["latest"])


# --- does it take away or change what was there? ---


def replacing_method(case: Case) -> str | None:
    """PUT, DELETE and PATCH."""
    return _REPLACING.get(case.method)


def disguise(case: Case) -> str | None:
    """A changing GET, and what the document invents."""
    if case.method == "POST":
        return None
    return f"{case.method}, but {case.altering.where}" if case.altering else f"{case.method} may do anything"


def any_command(case: Case) -> str | None:
    """A POST that takes a language."""
    given = case.command if words(case.command or "") != ["code"] else None  # of a promotion, of a login
    if given is None and case.first({"query", "run", "execute"}):
        given = case.query
    if given is None and {"command", "commands", "sql", "script", "shell"} & case.words and case.first({"send", "run"}):
        given = "command"
    return f"POST, and {given!r} may hold any command" if given else None


def destroying_verb(case: Case) -> str | None:
    """A POST with a destroying verb in any place, or one that makes what undoes or ends another thing."""
    destroying = case.first(DESTROYING)
    if destroying:
        return f"POST, and {destroying.where}"
    taking = _taking(case)
    return f"POST, and a {taking} takes something away or moves it on" if taking else None


def _taking(case: Case) -> str | None:
    last = words(next((segment for segment in reversed(case.segments) if "{" not in segment), ""))[-1:]
    made = [word.removesuffix("s") for word in (*last, *words(case.operation.id or "")[-1:])]
    return next((word for word in made if word in TAKING), None)


def altering_verb(case: Case) -> str | None:
    """A POST with a verb that changes what was there."""
    creating = case.first(CREATING)
    verb = case.first(ALTERING - _JOINING if creating else ALTERING)
    if verb is None:
        return None
    return f"POST that adds, but {verb.where}" if creating else f"POST, and {verb.where}"


def renews(case: Case) -> str | None:
    """A POST that makes something new which puts an old one out of use."""
    made = sorted(case.words & {"password", "secret", "key"})
    new = made and case.first({"generate"}) and "new" in case.words
    return f"POST that makes a new {made[0]}, for an old one" if new else None


def creating_verb(case: Case) -> str | None:
    """A POST that only adds."""
    creating = case.first(CREATING)
    return f"POST that adds: {creating.where}" if creating else None


def to_collection(case: Case) -> str | None:
    """A POST to what is called by a plural."""
    collection = _collection(case)
    return f"POST to the collection {collection!r}" if collection and case.altering is None else None


def _collection(case: Case) -> str | None:
    """The last segment of a path when it is a plural, and not one of deeds (``captures``)."""
    last = words(case.segments[-1])[-1:] if case.segments and "{" not in case.segments[-1] else []
    if not last or last[0] in _SINGLE or not last[0].endswith("s") or last[0].endswith(("ss", "us", "is")):
        return None
    single = last[0].removesuffix("s")
    return None if single in TAKING or single in DESTROYING - NOUNS else case.segments[-1]


def not_said_to_add(case: Case) -> str | None:
    """Any other."""
    return f"POST, and {case.altering.where if case.altering else 'nothing says that it only adds'}"


# --- does a second call of the same change anything more? ---


def each_time(case: Case) -> str | None:
    """What each call does again, whatever the method."""
    repeating = case.first(REPEATING)
    if repeating is not None:
        return f"each call does it again: {repeating.where}"
    if case.method == "DELETE" and case.segments and words(case.segments[-1]) in _ENDS:
        return "each call takes another one"
    if case.method == "PUT" and case.first({"create", "add", "append"}) and _collection(case):
        return "each call may add another one"
    return None


def idempotent_method(case: Case) -> str | None:
    """PUT and DELETE (RFC 9110 section 9.2.2)."""
    return f"{case.method} is idempotent" if case.method in ("PUT", "DELETE") else None


def settling_verb(case: Case) -> str | None:
    """Verbs that bring a thing into a state, in which a second call leaves it."""
    verbs = [verb for verb in case.verbs if verb.word in CHANGING]
    several = case.segments and case.segments[-1].endswith("s")  # POST /cancels, another one each time
    if not verbs or (several and _taking(case)) or any_command(case):
        return None
    settled = all(verb.word in SETTLING and not verb.beside for verb in verbs)
    return f"a second call changes nothing more: {verbs[0].where}" if settled else None


def not_said_to_settle(case: Case) -> str | None:
    """Any other."""
    if case.safe:
        return "it changes things, and nothing says that repeating it is harmless"
    return f"{case.method} is not idempotent"
