"""What is thought of a document: what will hurt an agent, and what could be put right at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from toolcast.diagnostics import Diagnostic, Location
from toolcast.model.json import JsonObject


@dataclass(frozen=True, slots=True, kw_only=True)
class Fix:
    """A change that puts a finding right: what is merged into the object at a place of the document."""

    at: Location
    update: JsonObject


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What was found, each with its fix where there is one.

    ``score`` is from 0 to 100; ``lost`` are the points that each code costs it, the most costly first.
    """

    findings: tuple[tuple[Diagnostic, Fix | None], ...]
    score: int
    lost: Mapping[str, float]

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """The findings alone."""
        return [diagnostic for diagnostic, _ in self.findings]
