"""Verdicts: what a difference of schemas means for agents that knew the old one, and why.

What an agent gives may be taken more widely than before, and what it gets may be less various than before; the
reverse breaks it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from toolcast.contract.schemas import Difference
from toolcast.model.contract import Change, Kind, Verdict

_AS_BEFORE: Final = "Everything that was accepted still is."
_REFUSED: Final[Mapping[Kind, str]] = {
    "argument-added": "A call without it is refused.",
    "argument-removed": "A call that gives it is refused.",
    "argument-required": "A call without it is refused.",
    "field-added": "A value without it, or with what it could be before, is refused.",
    "field-removed": "A value that has it is refused.",
    "field-required": "A value without it is refused.",
    "fields-told": "Its fields are checked, where anything was accepted.",
    "more-fields": "Fields that were accepted are refused.",
    "type": "Values of a type that was accepted are refused.",
    "values": "A value that was accepted is refused.",
    "format": "Values that were accepted may be refused.",
    "bound": "Values that were accepted are refused.",
    "pattern": "Values that were accepted are refused.",
    "branch-removed": "An alternative that was accepted is refused.",
    "schema": "Some values that were accepted are refused.",
}
_ACCEPTED: Final[Mapping[Kind, str]] = {
    "argument-added": "A call need not give it.",
    "argument-optional": "A call need not give it any more.",
    "field-added": "A value need not have it.",
    "field-removed": "It is still accepted, but no longer told.",
    "field-optional": "A value need not have it any more.",
}
_UNKNOWN: Final[Mapping[Kind, str]] = {
    "field-added": "There may be something where nothing else was told.",
    "field-removed": "Whoever reads it finds nothing told of it.",
    "field-optional": "It may be missing.",
    "more-fields": "There may be fields of which nothing was told.",
    "type": "It may be of a type that it never was.",
    "values": "It may be a value that it never was.",
    "branch-added": "It may be something that it never was.",
}
_KNOWN: Final[Mapping[Kind, str]] = {
    "field-added": "There is more to read.",
    "fields-untold": "The answer is told less exactly; it need not be another.",
    "fields-told": "The answer is told more exactly.",
    "field-required": "It is always there.",
}
_ALIKE: Final = "It means the same, and is written differently."


def taken(tool: str, found: Difference) -> Change:
    """What a difference in what a tool takes means."""
    gone = found.kind == "argument-removed"
    if gone or found.narrower:
        reason = _REFUSED.get(found.kind, "Values that were accepted are refused.")
        return _change("breaking", tool, found, reason)
    if found.wider or found.kind in _ACCEPTED:
        return _change("compatible", tool, found, _ACCEPTED.get(found.kind, _AS_BEFORE))
    return _change("cosmetic", tool, found, _ALIKE)


def given(tool: str, found: Difference) -> Change:
    """What a difference in what a tool answers means."""
    if found.kind == "field-removed" or (found.wider and found.kind != "fields-untold"):
        return _change("breaking", tool, found, _UNKNOWN.get(found.kind, "It may be something that it never was."))
    if found.narrower or found.kind in _KNOWN:
        return _change("compatible", tool, found, _KNOWN.get(found.kind, "It is less various than it was."))
    return _change("cosmetic", tool, found, _ALIKE)


def _change(verdict: Verdict, tool: str, found: Difference, reason: str) -> Change:
    return Change(
        verdict=verdict,
        kind=found.kind,
        tool=tool,
        where=found.where,
        before=found.before,
        after=found.after,
        reason=reason,
    )
