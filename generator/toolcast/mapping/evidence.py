"""Evidence: the verbs of an operation that stand in imperative place, each with where it stands.

The places are the first word of the operationId after its namespace (or its last word, in names like ``user_delete``),
the last fixed segment of the path, and the first word of the summary after a ``…: `` or ``… - `` prefix. A noun or a
participle elsewhere is none: ``GET /transfers``, ``GET /orders/{id}/cancelled`` and ``getCancelPolicy`` only read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from toolcast.mapping.names import words
from toolcast.mapping.texts import clean
from toolcast.model.openapi import Operation

READING: Final = frozenset("search list get count lookup preview estimate".split())
# These read in one API and write in another.
DOUBTFUL: Final = frozenset("validate verify check test query".split())
DESTROYING: Final = frozenset(
    """
    delete remove cancel revoke reset rebuild restore terminate purge merge transfer actions action destroy drop erase
    wipe clear close kill stop abort disable deactivate suspend ban block reject archive unlink detach expire invalidate
    overwrite replace rollback revert refund void uninstall flush truncate shutdown reboot restart disconnect evict
    unassign unsubscribe unfollow leave discard rotate regenerate withdraw deprovision demote kick mute undo batch bulk
    """.split()
)
CREATING: Final = frozenset(
    "create add new insert register submit upload open invite book send append enroll subscribe clone duplicate".split()
)
# What changes things, one way or the other.
_ALTERING: Final = frozenset(
    """
    logout login signin signout signup authorize update upsert set save edit modify change enable activate start run
    execute trigger approve confirm accept accepts move rename sync refresh process pay charge toggle lock unlock mark
    assign apply install deploy fire ingest mint retry resend resume pause undelete unblock unban unarchive unmute
    redeem reopen reactivate reindex reload requeue replay rerun provision migrate promote finalize
    dismiss publish unpublish import copy commit increment decrement share exchange convert read put patch post
    write store swap vote grant deny
    """.split()
)
CHANGING: Final = DESTROYING | CREATING | _ALTERING
# Of those, the ones that are nouns or adjectives as often: they count only where a verb is what one expects.
_NOUNS: Final = frozenset(
    """
    actions action batch bulk transfer charge block ban lock move archive process import copy clone merge post book
    mark sync refund upload invite change run stop close clear drop leave restore reset void update open new
    commit share exchange resume set grant vote store read expire duplicate refresh patch install start login signup
    pause
    """.split()
)
_SHOWING: Final = frozenset(
    "get list search count check download retrieve show fetch find view describe return returns lookup preview".split()
)
# A GET that ends in one of these shows a thing of that name.
_THINGS: Final = frozenset("new open post action actions book store batch bulk read commit".split())
# A compound that ends in one of these, or in a plural, is a noun: /reset-tokens, /update-history.
_NOUN_ENDS: Final = frozenset(
    "history policy status state log info count option reason type template form page token config summary".split()
)
_PREFIX = re.compile(r"^[^:]{1,40}:\s+|^[^-–—]{1,40}\s+[-–—]\s+")
_EXTENSION = re.compile(r"\.(json|xml|html?|csv|ya?ml|do|php|aspx?|jsp|cgi|txt)$", re.IGNORECASE)
_PLACEHOLDER = re.compile(r"\{[^{}]*\}")
_OF_SERVERS: Final = frozenset("controller service api resource handler endpoint routes router rest".split())


def evidence(operation: Operation) -> list[tuple[str, str]]:
    """The words in imperative place, in lower case, each with where it stands.

    Where operationId and summary both say that something is shown, a path that ends in what may be a noun says nothing
    else (``GET /pulls/{id}/merge``, "Get the merge").
    """
    of_id, of_summary = [*_of_id(operation)], [*_of_summary(operation)]
    shown = all(found and found[0][0] in _SHOWING for found in (of_id, of_summary))
    of_path = [(verb, where) for verb, where in _of_path(operation) if not (shown and verb in _NOUNS)]
    return [*dict.fromkeys([*of_id, *of_path, *of_summary])]


def changing(operation: Operation, found: list[tuple[str, str]]) -> str | None:
    """Where the evidence says that an operation changes things, None where it does not."""
    things = _THINGS if operation.method == "GET" else frozenset[str]()
    return first(found, CHANGING - things)


def first(found: list[tuple[str, str]], verbs: frozenset[str]) -> str | None:
    """Where the first of some verbs stands, None where none does."""
    return next((where for verb, where in found if verb in verbs), None)


def _of_id(operation: Operation) -> Iterator[tuple[str, str]]:
    if not operation.id:
        return
    local = re.split(r"[./:#]", operation.id.strip().rstrip("./:#"))[-1]
    head, _, tail = local.partition("_")
    rest = words(tail) if _is_namespace(operation, words(head)) else []
    parts = rest or words(local)
    # Many generators put the method first: it tells nothing new.
    if len(parts) > 1 and parts[0] == operation.method.lower() and parts[0] not in READING:
        parts = parts[1:]
    if not parts:
        return
    where = f"operationId {operation.id!r}"
    yield parts[0], f"{where} begins with {parts[0]!r}" if not rest else f"{where} names {parts[0]!r}"
    if len(parts) > 1 and parts[0] not in READING | CHANGING:
        last = parts[-1]
        if (last in CHANGING and last not in _NOUNS) or last in READING:
            yield last, f"{where} ends with {last!r}"


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


def _of_path(operation: Operation) -> Iterator[tuple[str, str]]:
    segments = [segment for segment in operation.path.split("/") if segment]
    fixed = [index for index, segment in enumerate(segments) if words(_PLACEHOLDER.sub("", segment))]
    if not fixed:
        return
    last = fixed[-1]
    segment = _EXTENSION.sub("", segments[last])
    own = re.split(r"[:.]", segment)[-1]  # /jobs/{id}:cancel, /chat.delete
    parts = words(_PLACEHOLDER.sub(" ", own))
    if not parts:
        return
    where = f"the path ends in {segments[last]!r}"
    if last != len(segments) - 1:  # /users/delete/{id}, but /block/{hash}
        if parts[0] in CHANGING - _NOUNS and _is_command(own, parts):
            yield parts[0], f"the path has {segments[last]!r} before its last value"
    elif _is_command(own, parts):
        yield parts[0], where


def _is_command(segment: str, parts: list[str]) -> bool:
    """Is a segment a verb, alone or with what it acts on (``cancel``, ``cancelOrder``, ``delete-user``)?"""
    if len(parts) == 1:
        return True
    noun = parts[-1] in _NOUN_ENDS or (parts[-1].endswith("s") and not parts[-1].endswith("ss"))
    if "-" in segment or "_" in segment:
        return not noun and parts[0] not in _NOUNS
    return not (noun and parts[0] in _NOUNS)


def _of_summary(operation: Operation) -> Iterator[tuple[str, str]]:
    parts = words(_PREFIX.sub("", clean(operation.summary))[:200])
    if not parts:
        return
    verb = _infinitive(parts[0])
    if verb == "list" and operation.method == "POST" and set(parts[1:2]) & {"a", "an", "your"}:  # to offer it
        verb = "add"
    yield verb, f"the summary begins with {parts[0]!r}"


def _infinitive(word: str) -> str:
    """``Deletes`` as ``delete``; but ``Transfers`` may be a noun."""
    if word in _SHOWING:
        return word
    for plain in (word.removesuffix("s"), word.removesuffix("es")):
        if plain != word and ((plain in CHANGING and plain not in _NOUNS) or plain in READING - {"count", "estimate"}):
            return plain
    return word
