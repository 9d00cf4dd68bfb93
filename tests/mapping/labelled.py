"""The labelled operations, and how well the hints agree with them."""

from __future__ import annotations

import csv
import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from toolcast.diagnostics import Location
from toolcast.mapping.hints import hints
from toolcast.model.catalog import Hints
from toolcast.model.openapi import MediaType, Operation, Parameter, RequestBody, Response

FILE = Path(__file__).parent / "labels" / "operations.tsv"
_NOWHERE = Location(file="", pointer="")


@dataclass(frozen=True, slots=True, kw_only=True)
class Labelled:
    """An operation with the effect that it is said to have; ``fields`` says of those
    of its body that matter whether they may hold a text."""

    api: str
    operation: Operation
    fields: Mapping[str, bool]
    effect: Literal["read", "add", "alter"]
    repeatable: bool
    kind: str
    undecided: bool
    half: Literal["tuning", "held-out"]

    @property
    def read_only(self) -> bool:
        return self.effect == "read"

    @property
    def destructive(self) -> bool:
        return self.effect == "alter"

    @property
    def idempotent(self) -> bool:
        return self.repeatable

    @property
    def search(self) -> bool:
        """Is it a POST that searches, and only reads?"""
        return self.kind == "search" and self.operation.method == "POST"


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """How often a hint is true where it should be, and where it should not."""

    right: int
    wrong: int
    missed: int

    @property
    def precision(self) -> float:
        return self.right / (self.right + self.wrong)

    @property
    def recall(self) -> float:
        return self.right / (self.right + self.missed)


def read() -> list[Labelled]:
    """Every labelled operation."""
    with FILE.open(encoding="utf-8", newline="") as lines:
        return [_labelled(row) for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)]


def given(labelled: Labelled) -> Hints:
    """What the rules say of an operation."""
    return hints(labelled.operation, labelled.fields)


def score(operations: Iterable[Labelled], hint: Literal["read_only", "destructive", "idempotent"]) -> Score:
    """Precision and recall of a hint."""
    pairs = [(getattr(given(one), hint).value, getattr(one, hint)) for one in operations]
    return Score(right=pairs.count((True, True)), wrong=pairs.count((True, False)), missed=pairs.count((False, True)))


def share(operations: Iterable[Labelled], chosen: Callable[[Labelled], bool]) -> tuple[int, int]:
    """How many of the chosen operations are called read-only, and how many there are."""
    found = [given(one).read_only.value for one in operations if chosen(one)]
    return found.count(True), len(found)


def _labelled(row: dict[str, str]) -> Labelled:
    fields = [name for name in row["fields"].split(",") if name and not name.startswith("query:")]
    digit = hashlib.sha256(f"{row['api']} {row['method']} {row['path']}".encode()).hexdigest()[0]
    effect = row["effect"]
    assert effect in ("read", "add", "alter"), row
    return Labelled(
        api=row["api"],
        operation=_operation(row),
        fields={name.removesuffix("{}"): not name.endswith("{}") for name in fields},
        effect=effect,
        repeatable=row["repeatable"] == "yes",
        kind=row["kind"],
        undecided=row["undecided"] == "yes",
        half="tuning" if digit < "8" else "held-out",
    )


def _operation(row: dict[str, str]) -> Operation:
    names = [name.removeprefix("query:") for name in row["fields"].split(",") if name.startswith("query:")]
    content = _content(row["media"] or ("application/json" if row["fields"] else ""))
    extensions = dict(pair.split("=", 1) for pair in row["extensions"].split(",") if pair)
    return Operation(
        method=row["method"],
        path=row["path"],
        id=row["operation_id"] or None,
        summary=row["summary"],
        description="",
        tags=(row["tag"],) if row["tag"] else (),
        deprecated=False,
        parameters=tuple(_parameter(name) for name in names),
        body=RequestBody(required=True, description="", content=content, at=_NOWHERE) if content else None,
        responses=tuple(
            Response(status=status, description="", content=_content(row["answers"]), at=_NOWHERE)
            for status in row["statuses"].split(",")
            if status
        ),
        security=(),
        servers=(),
        extensions={key: value == "true" if value in ("true", "false") else value for key, value in extensions.items()},
        at=_NOWHERE,
    )


def _content(kinds: str) -> tuple[MediaType, ...]:
    return tuple(MediaType(media_type=kind, encoding={}, at=_NOWHERE) for kind in kinds.split(",") if kind)


def _parameter(name: str) -> Parameter:
    return Parameter(
        name=name,
        location="query",
        required=False,
        schema={"type": "string"},
        description="",
        style="form",
        explode=True,
        allow_reserved=False,
        media_type=None,
        deprecated=False,
        example=None,
        extensions={},
        at=_NOWHERE,
    )
