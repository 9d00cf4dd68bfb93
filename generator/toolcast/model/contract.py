"""What agents see of a server, and how two such contracts differ."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from toolcast.model.json import Json

Verdict: TypeAlias = Literal["none", "cosmetic", "compatible", "risk", "breaking"]
Advice: TypeAlias = Literal["none", "patch", "minor", "major"]
Kind: TypeAlias = Literal[
    "tool-added",
    "tool-removed",
    "tool-renamed",
    "operation",
    "text",
    "hint",
    "argument-added",
    "argument-removed",
    "argument-moved",
    "argument-required",
    "argument-optional",
    "field-added",
    "field-removed",
    "field-required",
    "field-optional",
    "fields-told",
    "fields-untold",
    "more-fields",
    "type",
    "values",
    "format",
    "pattern",
    "bound",
    "branch-added",
    "branch-removed",
    "default",
    "schema",
    "result-added",
    "result-removed",
    "origin-added",
    "origin-removed",
    "scheme-added",
    "scheme-removed",
    "scheme",
    "token-url",
    "scope-added",
    "scope-removed",
    "size",
]

VERDICTS: Final[tuple[Verdict, ...]] = ("none", "cosmetic", "compatible", "risk", "breaking")
# A risk is a major version, too: nobody should meet it by an automatic update.
_ADVICE: Final[Mapping[Verdict, Advice]] = {
    "none": "none",
    "cosmetic": "patch",
    "compatible": "minor",
    "risk": "major",
    "breaking": "major",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Contract:
    """What a server offers to agents; what is None is not known, and not compared.

    ``tools`` are as in a tools/list answer. ``origins`` are where requests go, ``credentials`` says by scheme where
    credentials go. ``keys`` maps a tool's name to its operation ("GET /pets"), ``aliases`` an earlier name of a tool to
    its present one, ``sizes`` a tool's name to its tokens.
    """

    tools: tuple[Json, ...]
    origins: tuple[str, ...] | None = None
    credentials: Mapping[str, Mapping[str, Json]] | None = None
    keys: Mapping[str, str] | None = None
    aliases: Mapping[str, str] | None = None
    sizes: Mapping[str, int] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One difference, and what it means for agents.

    ``tool`` is the tool's name, that of the old contract where it is gone, "" for the server as a whole. ``where`` is
    the place: ``arguments.filter.tags[]``, ``result.id``, ``annotations.readOnlyHint``, ``credentials.oauth`` …
    """

    verdict: Verdict
    kind: Kind
    tool: str
    where: str
    before: Json
    after: Json
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """How one contract differs from an earlier one."""

    changes: tuple[Change, ...]

    @property
    def verdict(self) -> Verdict:
        """The worst of all."""
        return VERDICTS[max((VERDICTS.index(change.verdict) for change in self.changes), default=0)]

    @property
    def advice(self) -> Advice:
        """Which part of a semantic version has to grow."""
        return _ADVICE[self.verdict]
