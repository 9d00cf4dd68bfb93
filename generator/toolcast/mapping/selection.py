"""Selection: which operations of a document are offered, and which are meant by a matcher."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Final

from toolcast.diagnostics import Diagnostic, Location, Report
from toolcast.mapping.objections import Objections
from toolcast.model.config import Match, Select
from toolcast.model.lock import Lock
from toolcast.model.openapi import Operation
from toolcast.model.shape import nearest
from toolcast.model.wishes import Said, ToolWish

_WILD: Final = re.compile(r"(\*\*|\*)")
# By the keys of a matcher: what of an operation its patterns speak of.
_PARTS: Final[Mapping[str, Callable[[Operation], Collection[str]]]] = {
    "tags": lambda operation: operation.tags,
    "paths": lambda operation: (operation.path,),
    "methods": lambda operation: (operation.method,),
    "operations": lambda operation: (operation.id,) if operation.id else (),
}


def matches(match: Match, operation: Operation) -> bool:
    """Does an operation have one of each kind that a matcher names?"""
    if match.deprecated is not None and operation.deprecated is not match.deprecated:
        return False
    return all(any(_has(kind, said, operation) for said in patterns) for kind, patterns in _kinds(match))


def check(match: Match, operations: Sequence[Operation], objections: Objections) -> bool:
    """Object to every pattern that means no operation at all; is there none?"""
    found = True
    for kind, patterns in _kinds(match):
        for said in patterns:
            if not any(_has(kind, said, operation) for operation in operations):
                known = sorted({part for operation in operations for part in _PARTS[kind](operation)})
                what = {"tags": "tag", "paths": "path", "methods": "method", "operations": "operationId"}[kind]
                objections.refuse(
                    "TC610", f"No operation has the {what} {said.value!r}", said.at, nearest(said.value, known)
                )
                found = False
    return found


def selected(
    operations: Iterable[Operation], select: Select, wishes: Mapping[str, ToolWish], lock: Lock, report: Report
) -> tuple[list[Operation], list[Operation]]:
    """The operations that are offered, and the deprecated ones that are not, unless somebody did not want them anyway.

    What the owner says of one operation counts before ``select``, and that before what the document says. Of deprecated
    ones those that are offered already stay.
    """
    offered: list[Operation] = []
    deprecated: list[Operation] = []
    unwanted: list[Operation] = []
    seen: set[str] = set()
    for operation in operations:
        if operation.key in seen:
            report.add(
                Diagnostic(
                    code="TC260",
                    severity="warning",
                    message=f"{operation.key} is there twice; the first counts",
                    location=operation.at,
                    help="Remove one of the two.",
                )
            )
            continue
        seen.add(operation.key)
        said = wishes[operation.key].tool
        if said is not None and (said.owner or not said.value):
            (offered if said.value else unwanted).append(operation)
        elif not _is_selected(operation, select):
            unwanted.append(operation)
        elif operation.deprecated and said is None and not _stays(operation, select, lock):
            deprecated.append(operation)
        else:
            offered.append(operation)
    _tell(deprecated, unwanted, report)
    return offered, deprecated


def _stays(operation: Operation, select: Select, lock: Lock) -> bool:
    """Is a deprecated operation offered all the same?"""
    return operation.key in lock.names if select.deprecated is None else select.deprecated


def _is_selected(operation: Operation, select: Select) -> bool:
    excluded = any(_has(kind, said, operation) for kind, patterns in _kinds(select.exclude) for said in patterns)
    return matches(select.include, operation) and not excluded


def _tell(deprecated: Sequence[Operation], unwanted: Sequence[Operation], report: Report) -> None:
    if deprecated:
        report.add(
            Diagnostic(
                code="TC261",
                severity="info",
                message=f"{len(deprecated)} deprecated operation{'s are' if len(deprecated) > 1 else ' is'} left out",
                location=deprecated[0].at,
                help="An operation that was offered before it was deprecated stays.",
            )
        )
    if unwanted:
        report.add(
            Diagnostic(
                code="TC264",
                severity="info",
                message=f"{len(unwanted)} operation{'s are' if len(unwanted) > 1 else ' is'} left out, as was wanted",
                location=Location(file=unwanted[0].at.file, pointer="/paths"),
                help="By `select`, `rules` and `tools` of toolcast.toml, or by extensions of the document.",
            )
        )


def _kinds(match: Match) -> list[tuple[str, Sequence[Said[str]]]]:
    """The kinds that a matcher names, with their patterns."""
    named = (("tags", match.tags), ("paths", match.paths), ("methods", match.methods), ("operations", match.operations))
    return [(kind, patterns) for kind, patterns in named if patterns]


def _has(kind: str, said: Said[str], operation: Operation) -> bool:
    pattern = said.value.upper() if kind == "methods" else said.value
    parts = [part.upper() for part in _PARTS[kind](operation)] if kind == "methods" else _PARTS[kind](operation)
    return any(_compiled(pattern, kind == "paths").fullmatch(part) for part in parts)


@lru_cache(maxsize=4_096)
def _compiled(pattern: str, is_path: bool) -> re.Pattern[str]:
    """A pattern as a regular expression; ``/pets/**`` means ``/pets`` as well."""
    within = "[^/]*" if is_path else ".*"
    head, tail = (pattern[:-3], "(?:/.*)?") if is_path and pattern.endswith("/**") else (pattern, "")
    parts = (".*" if part == "**" else within if part == "*" else re.escape(part) for part in _WILD.split(head))
    return re.compile("".join(parts) + tail, re.DOTALL)
