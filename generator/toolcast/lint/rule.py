"""What a rule is, and what it finds."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias

from toolcast.diagnostics import Location, Severity
from toolcast.lint.subject import Subject
from toolcast.model.verdict import Fix


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What a rule has found: where, what, and what to do.

    ``operations`` are the keys of those that it hurts; none when it hurts all.
    """

    at: Location
    message: str
    help: str
    operations: tuple[str, ...] = ()
    fix: Fix | None = None


Check: TypeAlias = Callable[[Subject], Iterable[Finding]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A rule: its code, what it is for, how grave what it finds is, and the function that looks."""

    code: str
    name: str
    severity: Severity
    check: Check
