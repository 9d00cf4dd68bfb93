"""Objections: what the owner wants and cannot be, kept until all of it is known."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from toolcast.diagnostics import Diagnostic, Failure, Location, Report
from toolcast.model.wishes import Said

_SHOWN = 4


class Objections:
    """Errors of the owner's, which stop a generation, and of a document's author, which are warnings."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._errors: list[Diagnostic] = []

    def refuse(self, code: str, message: str, at: Location, cure: str) -> None:
        """Object to something in the configuration."""
        self._errors.append(Diagnostic(code=code, severity="error", message=message, location=at, help=cure))

    def object(self, said: Said[Any], code: str, message: str, cure: str) -> None:
        """Object to a wish: the owner's stops the generation, the document's has no effect and is told."""
        if said.owner:
            self.refuse(code, message, said.at, cure)
            return
        message = f"{message}; {said.by.removeprefix('the document: ')} has no effect"
        self._report.add(Diagnostic(code="TC272", severity="warning", message=message, location=said.at, help=cure))

    def settle(self) -> None:
        """Raise ``Failure`` with the first error when there are any, in the order of the file; it tells the others."""
        ranked = sorted(
            dict.fromkeys(self._errors), key=lambda error: error.location.line or 0 if error.location else 0
        )
        if not ranked:
            return
        others = [f"line {e.location.line}: {e.message}" for e in ranked[1 : _SHOWN + 1] if e.location is not None]
        left = len(ranked) - 1 - len(others)
        told = "".join(f"\n{other}" for other in others) + (f"\nand {left} more" if left > 0 else "")
        raise Failure(replace(ranked[0], help=f"{ranked[0].help}{told}"))
