"""Hints: the four MCP tool annotations, each with the reason for its value.

A wrong ``readOnlyHint: true`` is the worst error that can be made here, so doubt means "it changes things".
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

from toolcast.mapping import media
from toolcast.mapping.evidence import CHANGING, CREATING, DESTROYING, DOUBTFUL, READING, changing, evidence, first
from toolcast.mapping.names import words
from toolcast.model.catalog import Hint, Hints
from toolcast.model.openapi import Operation

# RFC 9110 section 9.2.1 (safe) and 9.2.2 (idempotent); QUERY is safe and idempotent (OpenAPI 3.2 section 4.9).
_SAFE: Final = frozenset(["GET", "HEAD", "OPTIONS", "TRACE", "QUERY"])
_IDEMPOTENT: Final = frozenset(["PUT", "DELETE"])
# A property of a body that holds a language: whatever is written in it may be done.
_LANGUAGES: Final = frozenset("sql statement statements script command commands mutation code query graphql".split())
_COMMANDS: Final = frozenset("sql statement script command cmd mutation".split())
# What an API makes when it is asked to get one.
_MINTED: Final = frozenset("token tokens session url link key secret ticket nonce credential credentials otp".split())
# What many APIs keep one of, though the word looks like a plural.
_SINGLE: Final = frozenset("settings preferences permissions credentials options details".split())
_HARMLESS: Final = re.compile(
    r"\bdry[- ]run\b|\bread[- ]only\b|\bside[- ]effects?\b|"
    r"\bwithout (?:actually )?(?:creating|saving|storing|changing|modifying|persisting|sending|applying)\b|"
    r"\b(?:does|do|will) not (?:create|save|store|change|modify|persist|send|apply)\b",
    re.IGNORECASE,
)
_OR_CHANGES: Final = re.compile(r"\b(?:or|and) (?:update|replace|overwrite)s?\b|\bupserts?\b")


def hints(operation: Operation, fields: Collection[str]) -> Hints:
    """The hints of an operation; ``fields`` are the names of its body's properties."""
    found = evidence(operation)
    altering = changing(operation, found)
    read_only = _read_only(operation, found, altering, fields)
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
        destructive=_destructive(operation, found, altering),
        idempotent=_idempotent(operation.method),
        open_world=open_world,
    )


def _idempotent(method: str) -> Hint:
    if method in _SAFE:
        return Hint(value=False, reason="it changes things, and nothing says that repeating it is harmless")
    return Hint(value=method in _IDEMPOTENT, reason=f"{method} is {'' if method in _IDEMPOTENT else 'not '}idempotent")


def _read_only(
    operation: Operation, found: list[tuple[str, str]], altering: str | None, fields: Collection[str]
) -> Hint:
    method = operation.method
    if method in _SAFE:
        command = next((p.name for p in operation.parameters if p.name.lower() in _COMMANDS), None)
        if altering or command:
            return Hint(value=False, reason=f"{method}, but {altering or f'{command!r} may hold any command'}")
        return Hint(value=True, reason=f"{method} only reads")
    if method != "POST":
        return Hint(value=False, reason=f"{method} changes things")
    if altering:
        return Hint(value=False, reason=f"POST, and {altering}")
    reading = first(found, READING)
    doubtful = first(found, DOUBTFUL)
    witness = first(found, READING - {"get"}) or _HARMLESS.search(f"{operation.summary}\n{operation.description}")
    if doubtful and not witness:
        return Hint(value=False, reason=f"POST, and {doubtful}, which may change things")
    if not reading and not doubtful:
        return Hint(value=False, reason="POST, and nothing says that it only reads")
    if any(response.status in ("201", "202") for response in operation.responses):
        return Hint(value=False, reason="POST, and it answers 201 or 202")
    language = _language(operation, fields)
    if language:
        return Hint(value=False, reason=f"POST, and {language} may hold any command")
    named = {*words(operation.id or ""), *words(operation.path), *words(operation.summary[:200])} & _MINTED
    if named and first(found, READING - {"get"}) is None:
        return Hint(value=False, reason=f"POST, and a {min(named)} may be made by it")
    return Hint(value=True, reason=f"POST that reads: {reading or doubtful}")


def _language(operation: Operation, fields: Collection[str]) -> str | None:
    for name in [*fields, *(parameter.name for parameter in operation.parameters)]:
        parts = words(name)
        if parts and parts[-1] in _LANGUAGES:
            return repr(name)
    kinds = [content.media_type for content in operation.body.content] if operation.body is not None else []
    return next((repr(kind) for kind in kinds if not (media.is_json(kind) or media.is_form(kind))), None)


def _destructive(operation: Operation, found: list[tuple[str, str]], altering: str | None) -> Hint:
    method = operation.method
    if method in ("PUT", "DELETE", "PATCH"):
        reasons = {"PUT": "PUT replaces what was there", "DELETE": "DELETE removes", "PATCH": "PATCH overwrites fields"}
        return Hint(value=True, reason=reasons[method])
    if method != "POST":
        return Hint(value=True, reason=f"{method}, but {altering}" if altering else f"{method} may do anything")
    destroying = first(found, DESTROYING)
    if destroying:
        return Hint(value=True, reason=f"POST, and {destroying}")
    told = f"{' '.join(words(operation.id or ''))}\n{operation.summary.lower()}"
    if _OR_CHANGES.search(told):
        return Hint(value=True, reason="POST that adds or replaces")
    creating = first(found, CREATING)
    if creating and first(found, CHANGING - CREATING) is None:
        return Hint(value=False, reason=f"POST that adds: {creating}")
    if creating:
        also = first(found, CHANGING - CREATING)
        return Hint(value=True, reason=f"POST that adds, but {also}")
    collection = _collection(operation.path)
    if collection and altering is None:
        return Hint(value=False, reason=f"POST to the collection {collection!r}")
    return Hint(value=True, reason=f"POST, and {altering or 'nothing says that it only adds'}")


def _collection(path: str) -> str | None:
    """The last segment of a path when it is a plural."""
    segments = [segment for segment in path.split("/") if segment]
    last = words(segments[-1])[-1:] if segments and "{" not in segments[-1] else []
    if not last or last[0] in _SINGLE or not last[0].endswith("s") or last[0].endswith(("ss", "us", "is")):
        return None
    return segments[-1]
