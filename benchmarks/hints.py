"""How well the hints do on the labelled operations: ``python benchmarks/hints.py`` prints the tables of docs/hints.md.

``--missed`` lists the operations that a hint says wrong.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, Literal, TypeAlias

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.mapping.labelled import Labelled, given, read, score, share

from toolcast.mapping.hints import DESTRUCTIVE, IDEMPOTENT, READ_ONLY, Rule
from toolcast.model.rules import RULES

Name: TypeAlias = Literal["read_only", "destructive", "idempotent"]
NAMES: Final[tuple[Name, ...]] = ("read_only", "destructive", "idempotent")


def main() -> None:
    """Print the tables."""
    operations = read()
    halves = {half: [one for one in operations if one.half == half] for half in ("tuning", "held-out")}
    _figures({**halves, "all": operations})
    for title, rules, name in zip(
        ("Read-only", "Destructive", "Idempotent"), (READ_ONLY, DESTRUCTIVE, IDEMPOTENT), NAMES, strict=True
    ):
        _rules(title, rules, operations, name)
    if "--missed" in sys.argv:
        _missed(operations)


def _figures(sets: dict[str, list[Labelled]]) -> None:
    print(f"| | {' | '.join(f'{name} ({len(chosen)})' for name, chosen in sets.items())} |")
    print(f"|---|{'---|' * len(sets)}")
    for name in NAMES:
        scores = [score(chosen, name) for chosen in sets.values()]
        cells = [f"{one.precision:.3f} / {one.recall:.3f}" for one in scores]
        print(f"| {name.replace('_', '-')}: precision / recall | {' | '.join(cells)} |")
        print(f"| {name.replace('_', '-')}: said, and not so | {' | '.join(str(one.wrong) for one in scores)} |")
    kinds: dict[str, Callable[[Labelled], bool]] = {
        "searches by POST": lambda one: one.search,
        "checks by POST": lambda one: one.kind == "check" and one.operation.method == "POST",
        "computations, previews and estimates by POST": lambda one: (
            one.kind == "dry" and one.operation.method == "POST"
        ),
        "GETs that read": lambda one: one.read_only and one.operation.method == "GET",
    }
    for kind, chosen in kinds.items():
        cells = ["{} of {}".format(*share(operations, chosen)) for operations in sets.values()]
        print(f"| {kind} recognised | {' | '.join(cells)} |")


def _rules(title: str, rules: Sequence[Rule], operations: Sequence[Labelled], name: Name) -> None:
    said = [(getattr(given(one), name), getattr(one, name)) for one in operations]
    used = Counter(hint.rule for hint, _ in said)
    right = Counter(hint.rule for hint, label in said if hint.value == label)
    print(f"\n| {title}: rule | says | what it is about | decides | rightly |\n|---|---|---|---|---|")
    for rule in rules:
        about = RULES[rule.name]
        print(f"| `{rule.name}` | {'yes' if rule.value else 'no'} | {about} | {used[rule.name]} | {right[rule.name]} |")


def _missed(operations: Sequence[Labelled]) -> None:
    for one in operations:
        for name in NAMES:
            hint = getattr(given(one), name)
            if hint.value != getattr(one, name):
                wrong = "said" if hint.value else "missed"
                told = one.operation
                print(f"{name} {wrong}: {one.api} {told.key} {told.id or ''} ({told.summary[:60]}): {hint.reason}")


if __name__ == "__main__":
    main()
