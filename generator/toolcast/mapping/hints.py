"""Hints: the four MCP tool annotations, each decided by the first rule of a table that applies, with its reason.

A wrong ``readOnlyHint: true`` is the worst error that can be made here, so doubt means "it changes things". The rules
in words are in model/rules.py; how well they do on labelled operations is in docs/hints.md.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from toolcast.mapping import effects, reading
from toolcast.mapping.case import Case
from toolcast.model.catalog import Hint, Hints
from toolcast.model.openapi import Operation


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A rule: its name, the value that it gives, and the reason in a case, None where it does not apply."""

    name: str
    value: bool
    reason: Callable[[Case], str | None]


def _rules(*rules: tuple[str, bool, Callable[[Case], str | None]]) -> tuple[Rule, ...]:
    return tuple(Rule(name=name, value=value, reason=reason) for name, value, reason in rules)


READ_ONLY: Final = _rules(
    ("declared", False, reading.declared),
    ("command-parameter", False, reading.command_parameter),
    ("write-in-disguise", False, reading.disguised),
    ("opens-session", False, reading.opens_session),
    ("starts-something", False, reading.starts_something),
    ("safe-method", True, reading.safe_method),
    ("other-method", False, reading.other_method),
    ("changing-verb", False, reading.changing_verb),
    ("makes-something", False, reading.makes_something),
    ("option", False, reading.option),
    ("also", False, reading.also),
    ("language", False, reading.language),
    ("mints", False, reading.mints),
    ("reading-verb", True, reading.reading_verb),
    ("second-witness", True, reading.second_witness),
    ("not-said-to-read", False, reading.nothing_said),
)
DESTRUCTIVE: Final = _rules(
    ("replacing-method", True, effects.replacing_method),
    ("unsafe-get", True, effects.disguise),
    ("any-command", True, effects.any_command),
    ("destroying-verb", True, effects.destroying_verb),
    ("altering-verb", True, effects.altering_verb),
    ("renews", True, effects.renews),
    ("creating-verb", False, effects.creating_verb),
    ("collection", False, effects.to_collection),
    ("not-said-to-add", True, effects.not_said_to_add),
)
IDEMPOTENT: Final = _rules(
    ("each-time", False, effects.each_time),
    ("idempotent-method", True, effects.idempotent_method),
    ("settling-verb", True, effects.settling_verb),
    ("not-said-to-settle", False, effects.not_said_to_settle),
)
_OPEN_WORLD: Final = Hint(value=True, rule="outside", reason="it calls an API outside this server")


def hints(operation: Operation, fields: Mapping[str, bool]) -> Hints:
    """The hints of an operation; ``fields`` says of its body's properties whether each may hold a text."""
    case = Case(operation, fields)
    read_only = _decided(READ_ONLY, case)
    if read_only.value:
        return Hints(
            read_only=read_only,
            destructive=Hint(value=False, rule="read-only", reason="it only reads"),
            idempotent=Hint(value=True, rule="read-only", reason="it only reads"),
            open_world=_OPEN_WORLD,
        )
    return Hints(
        read_only=read_only,
        destructive=_decided(DESTRUCTIVE, case),
        idempotent=_decided(IDEMPOTENT, case),
        open_world=_OPEN_WORLD,
    )


def _decided(rules: Sequence[Rule], case: Case) -> Hint:
    """What the first rule gives that applies; the last one of a table always does."""
    found = ((rule, rule.reason(case)) for rule in rules)
    return next(Hint(value=rule.value, rule=rule.name, reason=reason) for rule, reason in found if reason is not None)
