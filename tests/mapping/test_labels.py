"""The hints of labelled operations: no write may be called read-only, and most of what reads is recognised."""

from __future__ import annotations

from typing import Literal

import pytest

from toolcast.mapping.hints import DESTRUCTIVE, IDEMPOTENT, READ_ONLY
from toolcast.model.catalog import Hint
from toolcast.model.rules import RULES

from .labelled import Labelled, given, read, score, share

OPERATIONS = read()


def test_there_are_many_of_many_apis_and_both_halves_have_their_share() -> None:
    assert len(OPERATIONS) >= 800 and len({one.api for one in OPERATIONS}) >= 100
    assert sum(one.search for one in OPERATIONS) >= 60
    assert 0.4 < sum(one.half == "tuning" for one in OPERATIONS) / len(OPERATIONS) < 0.6


def test_no_write_is_called_read_only() -> None:
    wrong = [one for one in OPERATIONS if given(one).read_only.value and not one.read_only]
    assert not wrong, [(one.api, one.operation.key, given(one).read_only.reason) for one in wrong]


def test_searches_are_recognised() -> None:
    found, of = share(OPERATIONS, lambda one: one.search)
    assert found / of >= 0.9


def test_gets_that_read_are_recognised() -> None:
    found, of = share(OPERATIONS, lambda one: one.read_only and one.operation.method == "GET")
    assert found / of >= 0.95


@pytest.mark.parametrize(
    ("hint", "precision", "recall"),
    [("read_only", 1.0, 0.81), ("destructive", 0.78, 0.98), ("idempotent", 0.96, 0.76)],
)
def test_precision_and_recall(
    hint: Literal["read_only", "destructive", "idempotent"], precision: float, recall: float
) -> None:
    reached = score(OPERATIONS, hint)
    assert reached.precision >= precision and reached.recall >= recall, reached


def test_every_rule_decides_something() -> None:
    decided = {hint.rule for one in OPERATIONS for hint in _three(one)}
    named = {rule.name for rule in (*READ_ONLY, *DESTRUCTIVE, *IDEMPOTENT)}
    assert named | {"read-only", "outside", "given"} == RULES.keys()
    assert named <= decided | {"command-parameter", "starts-something"}


def _three(one: Labelled) -> tuple[Hint, ...]:
    made = given(one)
    return made.read_only, made.destructive, made.idempotent
