"""Scopes: what a caller's token has to grant for a tool, where the server verifies tokens."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final

from .errors import SettingsError

_HINTS: Final = ("destructive", "write")
_NONE: Final[Mapping[str, str]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Scopes:
    """The scopes of every call, and those that some tools, groups or hints need besides."""

    every: frozenset[str] = frozenset()
    by: Mapping[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])

    @classmethod
    def read(
        cls, prefix: str, environ: Mapping[str, str], groups: Mapping[str, str], earlier: Mapping[str, str] = _NONE
    ) -> Scopes:
        """The scopes in ``PREFIX_REQUIRED_SCOPES``, such as ``api write=api:write orders=orders``.

        ``groups`` has the group of each tool, ``earlier`` names of tools that have changed. Raises
        ``SettingsError`` for a rule that names nothing.
        """
        variable = f"{prefix}_REQUIRED_SCOPES"
        every: set[str] = set()
        by: dict[str, frozenset[str]] = {}
        known = {*_HINTS, *groups, *groups.values(), *earlier}
        for rule in (environ.get(variable) or "").replace(",", " ").split():
            named, equals, scope = rule.partition("=")
            name = earlier.get(named, named)
            if not equals:
                every.add(rule)
            elif name in known and scope:
                by[name] = by.get(name, frozenset()) | {scope}
            else:
                raise SettingsError(f"{variable}: {name!r} is no tool, no group and none of {', '.join(_HINTS)}")
        return cls(frozenset(every), by)

    def needed(self, tool: str, group: str, hints: Mapping[str, Any]) -> frozenset[str]:
        """The scopes that a call of a tool needs."""
        names = [tool, group]
        if not hints.get("readOnlyHint"):
            names += ["write", *(["destructive"] if hints.get("destructiveHint", True) else [])]
        return self.every.union(*(self.by.get(name, frozenset()) for name in names))
