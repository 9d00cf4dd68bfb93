"""PLACEHOLDER for the comparison of contracts: the shape alone, until the room itself is merged."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from toolcast.model.json import Json

Verdict: TypeAlias = Literal["none", "cosmetic", "compatible", "risk", "breaking"]
_ORDER: tuple[Verdict, ...] = ("none", "cosmetic", "compatible", "risk", "breaking")


@dataclass(frozen=True, slots=True, kw_only=True)
class Contract:
    """What agents see."""

    tools: tuple[Json, ...]
    origins: tuple[str, ...] | None = None
    credentials: Mapping[str, Mapping[str, Json]] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One difference, and what it means for an agent."""

    verdict: Verdict
    kind: str
    tool: str
    where: str
    before: Json
    after: Json
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """All differences of two contracts."""

    changes: tuple[Change, ...]

    @property
    def verdict(self) -> Verdict:
        """The worst of the verdicts."""
        return _ORDER[max((_ORDER.index(change.verdict) for change in self.changes), default=0)]


def compare(old: Contract, new: Contract) -> Comparison:
    """What is different in ``new``."""
    before: dict[str, Any] = {tool["name"]: tool for tool in old.tools if isinstance(tool, dict)}  # type: ignore[misc]
    after: dict[str, Any] = {tool["name"]: tool for tool in new.tools if isinstance(tool, dict)}  # type: ignore[misc]
    found: list[Change] = []
    for name in sorted(before.keys() | after.keys()):
        if name not in after:
            found.append(_change("breaking", "tool-removed", name, "the tool is gone"))
        elif name not in before:
            found.append(_change("compatible", "tool-added", name, "the tool is new"))
        elif before[name] != after[name]:
            required = set(after[name]["inputSchema"].get("required", ())) - set(
                before[name]["inputSchema"].get("required", ())
            )
            gone = set(before[name]["inputSchema"]["properties"]) - set(after[name]["inputSchema"]["properties"])
            worst: Verdict = "breaking" if required or gone else "compatible"
            found.append(_change(worst, "tool-changed", name, "the tool is described differently"))
    added = sorted(set(new.origins or ()) - set(old.origins or new.origins or ()))
    found += [_change("risk", "origin-added", "", f"requests go to {origin}") for origin in added]
    return Comparison(changes=tuple(found))


def _change(verdict: Verdict, kind: str, tool: str, reason: str) -> Change:
    return Change(verdict=verdict, kind=kind, tool=tool, where="", before=None, after=None, reason=reason)
