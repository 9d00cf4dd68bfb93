"""Visibility: which of its tools a server lists and calls; what one does not see does not exist for it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from types import MappingProxyType
from typing import Any, Final
from urllib.parse import parse_qs

from .environment import switch
from .errors import SettingsError

_MOST: Final = 1_000  # names in a query string
_NONE: Final[Mapping[str, str]] = MappingProxyType({})


def _nothing() -> Mapping[str, str]:
    return _NONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Visibility:
    """What is visible: None sets no limit; everything else only takes away."""

    read_only: bool = False
    toolsets: frozenset[str] | None = None
    tools: frozenset[str] | None = None
    excluded: frozenset[str] = frozenset()
    earlier: Mapping[str, str] = field(default_factory=_nothing, compare=False)

    @classmethod
    def read(
        cls,
        prefix: str,
        environ: Mapping[str, str],
        groups: Mapping[str, str],
        default: Collection[str] = (),
        earlier: Mapping[str, str] = _NONE,
    ) -> Visibility:
        """What ``PREFIX_READ_ONLY``, ``_TOOLSETS``, ``_TOOLS`` and ``_EXCLUDE_TOOLS`` leave; lists have commas.

        ``groups`` has the group of each tool; ``default`` are the toolsets where an operator names no tools and no
        toolsets, all of them if there are none; ``earlier`` has names of tools that have changed. Raises
        ``SettingsError`` for a name that is none: a rule that matches nothing would leave more visible than its author
        thinks.
        """
        toolsets = _names(f"{prefix}_TOOLSETS", environ, set(groups.values()))
        tools = _names(f"{prefix}_TOOLS", environ, groups, earlier)
        if toolsets is None and tools is None and default:
            toolsets = frozenset(default)
        return cls(
            read_only=switch(f"{prefix}_READ_ONLY", environ, default=False),
            toolsets=None if toolsets is not None and "all" in toolsets else toolsets,
            tools=tools,
            excluded=_names(f"{prefix}_EXCLUDE_TOOLS", environ, groups, earlier) or frozenset(),
            earlier=earlier,
        )

    @property
    def whole(self) -> bool:
        """Whether everything is visible."""
        return self == Visibility()

    def shows(self, tool: str, group: str, hints: Mapping[str, Any]) -> bool:
        """Whether a tool is visible; ``hints`` are its annotations."""
        return (
            (not self.read_only or hints.get("readOnlyHint") is True)
            and (self.toolsets is None or group in self.toolsets)
            and (self.tools is None or tool in self.tools)
            and tool not in self.excluded
        )

    def narrowed(self, query: str) -> Visibility:
        """What a query string leaves of it, such as ``toolsets=a,b&readonly=true``; it can only take away."""
        asked = parse_qs(query, keep_blank_values=True, max_num_fields=20)
        seen = self
        if any(value.lower() in ("", "1", "on", "true", "yes") for value in asked.get("readonly", ())):
            seen = replace(seen, read_only=True)
        if (toolsets := _listed(asked, "toolsets")) is not None:
            seen = replace(seen, toolsets=toolsets if self.toolsets is None else toolsets & self.toolsets)
        if (tools := _listed(asked, "tools", self.earlier)) is not None:
            seen = replace(seen, tools=tools if self.tools is None else tools & self.tools)
        return replace(seen, excluded=seen.excluded | (_listed(asked, "exclude_tools", self.earlier) or frozenset()))


def _listed(
    asked: Mapping[str, list[str]], parameter: str, earlier: Mapping[str, str] = _NONE
) -> frozenset[str] | None:
    if parameter not in asked:
        return None
    names = [name for value in asked[parameter] for one in value.split(",") if (name := one.strip())]
    return frozenset(earlier.get(name, name) for name in names[:_MOST])


def _names(
    variable: str, environ: Mapping[str, str], known: Collection[str], earlier: Mapping[str, str] = _NONE
) -> frozenset[str] | None:
    given = (environ.get(variable) or "").replace(",", " ").split()
    if not given:
        return None
    for name in given:
        if name not in known and name not in earlier and not (name == "all" and variable.endswith("_TOOLSETS")):
            near = get_close_matches(name, known, n=1)
            told = f"; did you mean {near[0]}?" if near else ""
            raise SettingsError(f"{variable} names {name[:100]!r}, which this server does not have{told}")
    return frozenset(earlier.get(name, name) for name in given)
