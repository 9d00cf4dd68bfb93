"""Hints: the four MCP tool annotations, each with the reason for its value.

The evidence is a *verb in imperative place*: the first word of the operationId after its namespace, a whole last path
segment, or the first word of the summary after a ``…: `` or ``… - `` prefix. A noun or participle elsewhere is none.
A wrong ``readOnlyHint: true`` is the worst error that can be made here, so doubt means "it changes things".
"""

from __future__ import annotations

import re

from toolcast.mapping.names import words
from toolcast.mapping.texts import clean
from toolcast.model.catalog import Hint, Hints
from toolcast.model.json import Json
from toolcast.model.openapi import Operation

# RFC 9110 section 9.2.1 (safe) and 9.2.2 (idempotent); QUERY is safe and idempotent (OpenAPI 3.2 section 4.9).
_SAFE = frozenset(["GET", "HEAD", "OPTIONS", "TRACE", "QUERY"])
_IDEMPOTENT = _SAFE | {"PUT", "DELETE"}
_READING = frozenset(["search", "list", "get", "count", "lookup", "preview", "estimate", "find", "fetch", "read"])
# These read in one API and write in another; they count only with a second witness.
_DOUBTFUL = frozenset(["validate", "verify", "check", "test", "query"])
_DESTROYING = frozenset(
    (
        "delete remove cancel revoke reset rebuild restore terminate purge merge transfer actions action destroy drop "
        "erase wipe clear close kill stop abort disable deactivate suspend ban block reject archive unlink detach expire "
        "invalidate overwrite replace rollback revert refund void uninstall flush truncate shutdown reboot restart "
        "disconnect evict unassign unsubscribe leave discard rotate regenerate"
    ).split()
)
_CREATING = frozenset(
    (
        "create add new insert register submit post upload publish open invite book send append import enroll subscribe "
        "copy clone duplicate"
    ).split()
)
# Verbs that change things, in place of a GET's name: such a GET is a write in disguise.
_CHANGING = (
    _DESTROYING
    | _CREATING
    | frozenset(
        (
            "logout login signout update set save edit modify change enable activate start run execute trigger approve "
            "confirm accept accepts move rename sync refresh process pay charge toggle lock unlock mark assign apply install "
            "deploy"
        ).split()
    )
) - frozenset(["new", "open", "post", "action", "actions", "book", "import", "copy"])
# A property of a body that holds a language: whatever is written in it may be done.
_LANGUAGES = frozenset(("sql statement statements script command commands mutation code query graphql").split())
_PREFIX = re.compile(r"^[^:]{1,40}:\s+|^[^-–—]{1,40}\s+[-–—]\s+")


def _verbs(operation: Operation) -> list[tuple[str, str]]:
    """The words in imperative place, each with where it stands."""
    found: list[tuple[str, str]] = []
    if operation.id:
        local = re.split(r"[./:#]|::", operation.id.strip())[-1]
        parts = words(local)
        if parts:
            found.append((parts[0], f"operationId {operation.id!r} begins with {parts[0]!r}"))
        namespaces = {word for tag in operation.tags for word in words(tag)}
        head, _, tail = local.partition("_")
        if tail and (len(words(head)) == 1 and words(head)[0] in namespaces | {w.rstrip("s") for w in namespaces}):
            found.append((words(tail)[0] if words(tail) else "", f"operationId {operation.id!r} names {tail!r}"))
    segments = [s for s in operation.path.split("/") if s]
    if segments and "{" not in segments[-1]:
        last = words(re.split(r"[:.]", segments[-1])[-1])
        if len(last) == 1 or (":" in segments[-1] and last):
            found.append((last[0], f"the path ends in {segments[-1]!r}"))
    elif segments and ":" in segments[-1]:
        last = words(segments[-1].rsplit(":", 1)[1])
        if last:
            found.append((last[0], f"the path ends in {segments[-1]!r}"))
    summary = _PREFIX.sub("", clean(operation.summary))
    first = words(summary.split(" ", 1)[0]) if summary else []
    if first:
        found.append((first[0], f"the summary begins with {first[0]!r}"))
    return [(verb, where) for verb, where in found if verb]


def _first(evidence: list[tuple[str, str]], verbs: frozenset[str]) -> str | None:
    return next((where for verb, where in evidence if verb in verbs), None)


def _holds_language(schema: Json) -> str | None:
    properties = schema.get("properties") if isinstance(schema, dict) else None
    if isinstance(properties, dict):
        return next((name for name in properties if words(name) and words(name)[-1] in _LANGUAGES), None)
    return None


def hints(operation: Operation, body: Json) -> Hints:
    """The hints of an operation; ``body`` is the schema of its request body, or None."""
    evidence = _verbs(operation)
    changing = _first(evidence, _CHANGING)
    read_only = _read_only(operation, evidence, changing, body)
    open_world = Hint(value=True, reason="it calls an API outside this server")
    if read_only.value:
        return Hints(
            read_only=read_only,
            destructive=Hint(value=False, reason="it only reads"),
            idempotent=Hint(value=True, reason="it only reads"),
            open_world=open_world,
        )
    return Hints(
        read_only=read_only,
        destructive=_destructive(operation, evidence, changing),
        idempotent=Hint(
            value=operation.method in _IDEMPOTENT - _SAFE,
            reason=f"{operation.method} is {'' if operation.method in _IDEMPOTENT - _SAFE else 'not '}idempotent"
            if operation.method not in _SAFE
            else "it changes things, and nothing says that repeating it is harmless",
        ),
        open_world=open_world,
    )


def _read_only(operation: Operation, evidence: list[tuple[str, str]], changing: str | None, body: Json) -> Hint:
    method = operation.method
    if method in _SAFE:
        if changing:
            return Hint(value=False, reason=f"{method}, but {changing}")
        return Hint(value=True, reason=f"{method} only reads")
    if method != "POST":
        return Hint(value=False, reason=f"{method} changes things")
    if changing or _first(evidence, _DESTROYING | _CREATING):
        return Hint(value=False, reason=f"POST, and {changing or _first(evidence, _DESTROYING | _CREATING)}")
    reading = [where for verb, where in evidence if verb in _READING]
    doubtful = [where for verb, where in evidence if verb in _DOUBTFUL]
    if not reading and len(doubtful) < 2:
        return Hint(value=False, reason="POST, and nothing says that it only reads")
    if any(response.status in ("201", "202") for response in operation.responses):
        return Hint(value=False, reason="POST, and it answers 201 or 202")
    language = _holds_language(body)
    if language:
        return Hint(value=False, reason=f"POST, and {language!r} in its body may hold any command")
    return Hint(value=True, reason=f"POST that reads: {(reading or doubtful)[0]}")


def _destructive(operation: Operation, evidence: list[tuple[str, str]], changing: str | None) -> Hint:
    method = operation.method
    if method in ("PUT", "DELETE", "PATCH"):
        reasons = {"PUT": "PUT replaces what was there", "DELETE": "DELETE removes", "PATCH": "PATCH overwrites fields"}
        return Hint(value=True, reason=reasons[method])
    if method != "POST":
        return Hint(value=True, reason=f"{method}, but {changing}" if changing else f"{method} may do anything")
    destroying = _first(evidence, _DESTROYING)
    if destroying:
        return Hint(value=True, reason=f"POST, and {destroying}")
    creating = _first(evidence, _CREATING)
    if creating:
        return Hint(value=False, reason=f"POST that adds: {creating}")
    segments = [s for s in operation.path.split("/") if s]
    if segments and "{" not in segments[-1] and segments[-1].lower().endswith("s") and not changing:
        return Hint(value=False, reason=f"POST to the collection {segments[-1]!r}")
    return Hint(value=True, reason="POST, and nothing says that it only adds")
