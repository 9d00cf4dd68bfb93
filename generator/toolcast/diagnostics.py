"""What Toolcast has to say about a document: values that are collected, not exceptions that are thrown."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any, Literal

Severity = Literal["error", "warning", "info"]

# What ends a line, moves the cursor or the text about, or is not seen: documents hold it, and messages quote documents.
_UNREADABLE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff\U000e0000-\U000e007f]"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Location:
    """A place in a document: the file as the user named it, and the JSON pointer inside it."""

    file: str
    pointer: str = ""
    line: int | None = None  # from 1; when absent it is looked up from the pointer, at printing


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnostic:
    """One finding: what is wrong, where, and what to do about it.

    ``operation`` is "GET /path" when the finding means that this operation gives no tool.
    """

    code: str
    severity: Severity
    message: str
    location: Location | None = None
    help: str = ""
    operation: str | None = None

    def __post_init__(self) -> None:
        """Keep each text on one line that a terminal shows as it is; what would not be seen is spelled out."""
        for name in ("message", "help"):
            text: str = getattr(self, name)
            if _UNREADABLE.search(text):
                object.__setattr__(self, name, _UNREADABLE.sub(_spelled, text))


def _spelled(match: re.Match[str]) -> str:
    return ascii(match[0])[1:-1]


class Failure(Exception):
    """Nothing can be made from this input; the diagnostic says why, and what to do."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic


@dataclass(slots=True)
class Report:
    """The findings of one run, in the order in which they were made, and what tells the lines of their places."""

    lines: Callable[[Location], int | None] | None = None
    _place: Callable[[Location], Location] | None = field(default=None, repr=False)
    _found: list[Diagnostic] = field(default_factory=list[Diagnostic])
    _known: set[Diagnostic] = field(default_factory=set[Diagnostic], repr=False)
    _expected: list[Callable[[], Iterable[Diagnostic]]] = field(default_factory=list[Any], repr=False)

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """All findings, once those that are still being made are there."""
        while self._expected:
            self.extend(self._expected.pop(0)())
        return self._found

    def locate(self, place: Callable[[Location], Location]) -> None:
        """From now on ask where the author wrote what is at a location, of what was found already too."""
        self._place = place
        self.revise(self._placed)

    def _placed(self, diagnostic: Diagnostic) -> Diagnostic:
        if self._place is None or diagnostic.location is None:
            return diagnostic
        return replace(diagnostic, location=self._place(diagnostic.location))

    def add(self, diagnostic: Diagnostic) -> None:
        """Keep a finding, once."""
        diagnostic = self._placed(diagnostic)
        if diagnostic not in self._known:
            self._known.add(diagnostic)
            self._found.append(diagnostic)

    def extend(self, diagnostics: Iterable[Diagnostic]) -> None:
        """Keep several findings."""
        for diagnostic in diagnostics:
            self.add(diagnostic)

    def expect(self, findings: Callable[[], Iterable[Diagnostic]]) -> None:
        """Findings that something else is still making: they are waited for when somebody asks for the findings."""
        self._expected.append(findings)

    def revise(self, change: Callable[[Diagnostic], Diagnostic]) -> None:
        """Put another finding in the place of each that is there; those that are expected stay as they come."""
        self._found = list(dict.fromkeys(map(change, self._found)))
        self._known = set(self._found)

    def of(self, severity: Severity) -> list[Diagnostic]:
        """The findings of one severity."""
        return [d for d in self.diagnostics if d.severity == severity]
