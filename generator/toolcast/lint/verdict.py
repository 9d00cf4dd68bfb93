"""The verdict: what the rules found, how good the document is for agents, and what could be put right at once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Final

from toolcast.diagnostics import Diagnostic, Failure, Severity
from toolcast.lint.rule import Finding, Rule
from toolcast.lint.rules import RULES
from toolcast.lint.subject import Means, subject
from toolcast.model.catalog import Catalog
from toolcast.model.openapi import Api
from toolcast.model.verdict import Verdict

# What a rule costs an operation in which it finds something, of 100 points; and what it costs the whole document
# where it finds something that is no operation's.
_POINTS: Final[Mapping[Severity, float]] = {"error": 50, "warning": 20, "info": 4}
_POINTS_OF_ALL: Final[Mapping[Severity, float]] = {"error": 20, "warning": 6, "info": 2}


def check_codes(codes: Collection[str]) -> None:
    """Raise Failure TC632 for a code that no rule has."""
    known = [rule.code for rule in RULES]
    for code in codes:
        if code not in known:
            raise Failure(
                Diagnostic(
                    code="TC632",
                    severity="error",
                    message=f"There is no rule {code!r} to ignore",
                    help=f"The rules are {known[0]} to {known[-1]}; docs/lint.md lists them.",
                )
            )


def verdict(api: Api, catalog: Catalog, means: Means, lost: Collection[str], ignored: Collection[str] = ()) -> Verdict:
    """The verdict on an API; ``lost`` are the operations that give no tool, ``ignored`` the codes of rules left out."""
    looked_at = subject(api, catalog, means)
    found = [(rule, finding) for rule in RULES if rule.code not in ignored for finding in rule.check(looked_at)]
    score, costs = _score([offer.key for offer in looked_at.offers], lost, found)
    findings = tuple((_diagnostic(rule, finding), finding.fix) for rule, finding in found)
    return Verdict(findings=findings, score=score, lost=costs)


def _diagnostic(rule: Rule, found: Finding) -> Diagnostic:
    at = found.at if found.at.pointer else replace(found.at, line=1)
    return Diagnostic(code=rule.code, severity=rule.severity, message=found.message, location=at, help=found.help)


def _score(
    operations: Sequence[str], lost: Collection[str], found: Sequence[tuple[Rule, Finding]]
) -> tuple[int, Mapping[str, float]]:
    """The score, and what each code costs.

    Every operation begins with 100 points; each rule that finds something in it takes its points once, down to 0. An
    operation that gives no tool has 0. The score is the mean, less what findings about the whole document take; it is
    rounded down, so that only a document without findings has 100. Without operations it is 0.
    """
    number = len(operations) + len(lost)
    if not number:
        return 0, {}
    hurt: defaultdict[str, dict[str, float]] = defaultdict(dict)
    costs: defaultdict[str, float] = defaultdict(float)
    for rule, finding in found:
        for key in finding.operations:
            hurt[key][rule.code] = _POINTS[rule.severity]
        if not finding.operations:
            costs[rule.code] = max(costs[rule.code], _POINTS_OF_ALL[rule.severity])
    whole = sum(costs.values())
    for points in hurt.values():
        share = min(1.0, 100 / sum(points.values())) / number
        for code, cost in points.items():
            costs[code] += cost * share
    kept = sum(100 - min(100.0, sum(hurt[key].values())) for key in operations)
    score = max(0, int(kept / number - whole + 1e-9))
    return score, dict(sorted(costs.items(), key=lambda item: (-item[1], item[0])))
