"""Findings in words: where each stands, and what many of one code have in common."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Final

from toolcast.diagnostics import Diagnostic, Location, Severity
from toolcast.model.document import Lines

_ORDER: Final[dict[Severity, int]] = {"error": 0, "warning": 1, "info": 2}
_COMPARED: Final = 100  # messages of one code; further ones are taken to be like them
_GAP: Final = "…"


def place(location: Location | None, lines: Lines | None) -> str:
    """A location as ``file:line``, as far as it is known."""
    if location is None:
        return ""
    line = location.line or (lines(location) if lines is not None and location.pointer else None)
    return f"{location.file}:{line}" if line else location.file


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """The findings of one code and severity; ``message`` and ``help`` are what theirs have in common."""

    code: str
    severity: Severity
    message: str
    help: str
    findings: tuple[Diagnostic, ...]

    def places(self, lines: Lines | None) -> tuple[str, ...]:
        """Where they stand, each place once."""
        found = dict.fromkeys(place(finding.location, lines) for finding in self.findings)
        return tuple(where for where in found if where)


def batches(findings: Iterable[Diagnostic]) -> tuple[Batch, ...]:
    """Findings by code, the grave ones first, else in the order in which the first of each was made."""
    found: dict[tuple[Severity, str], list[Diagnostic]] = {}
    for finding in findings:
        found.setdefault((finding.severity, finding.code), []).append(finding)
    return tuple(
        Batch(
            code=code,
            severity=severity,
            message=_message([finding.message for finding in alike]),
            help=common([finding.help for finding in alike]),
            findings=tuple(alike),
        )
        for (severity, code), alike in sorted(found.items(), key=lambda item: _ORDER[item[0][0]])
    )


def _message(texts: Sequence[str]) -> str:
    shared = common(texts)
    return f"{shared}; and others" if shared == texts[0] and len({*texts}) > 1 else shared


def common(texts: Sequence[str]) -> str:
    """The words that several texts share, with … where they differ; the first text, where they share too little."""
    first = texts[0].split()
    shared: list[str] = first
    for text in dict.fromkeys(texts[1:_COMPARED]):
        shared = _shared(shared, text.split())
    told = [word for word in shared if word != _GAP]
    return " ".join(shared) if len(told) * 5 >= len(first) * 2 else texts[0]


def _shared(one: list[str], other: list[str]) -> list[str]:
    """The words that two texts have in the same order; a gap is kept, and stands for one word or more."""
    found: list[str] = []
    end_of_one = end_of_other = 0
    for block in SequenceMatcher(None, one, other, autojunk=False).get_matching_blocks():
        if (block.a > end_of_one or block.b > end_of_other) and found[-1:] != [_GAP]:
            found.append(_GAP)
        found += [word for word in one[block.a : block.a + block.size] if word != _GAP or found[-1:] != [_GAP]]
        end_of_one, end_of_other = block.a + block.size, block.b + block.size
    return found


def listed(places: Sequence[str], limit: int = 3) -> str:
    """The first places, a file's name once: ``openapi.yaml:12, :34, :56 …``."""
    told: list[str] = []
    file = ""
    for where in places[:limit]:
        name, colon, line = where.rpartition(":")
        told.append(f":{line}" if colon and name == file else where)
        file = name
    return ", ".join(told) + (" …" if len(places) > limit else "")
