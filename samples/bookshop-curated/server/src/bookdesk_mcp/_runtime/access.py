"""Access: who may see and call what, with whose credentials, and who is asked before something is destroyed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType

from .audit import Audit
from .caller import Caller
from .contract import Contract, Tool
from .credentials import Credentials
from .exchange import Exchange
from .guard import SECONDS, Guard, Policy
from .handover import Handover
from .once import Used
from .operation import Api
from .scopes import Scopes
from .seal import Seals
from .security import MutualTls
from .visibility import Visibility

_MOST = 256  # different lists that are kept
_NONE: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, kw_only=True)
class Access:
    """The rules of one server; ``issuer`` says that it verifies the tokens of its callers over HTTP."""

    groups: Mapping[str, str]
    visibility: Visibility
    scopes: Scopes
    guard: Guard
    handover: Handover
    exchange: Exchange
    seals: Seals
    used: Used
    audit: Audit
    issuer: str

    @classmethod
    def read(
        cls, api: Api, environ: Mapping[str, str], credentials: Credentials, own: Mapping[str, str] = _NONE
    ) -> Access:
        """The rules in an environment; raises ``SettingsError`` for what cannot be meant.

        ``own`` has the groups of tools besides those of the API.
        """
        prefix = api.environment
        default = {*api.toolsets, *(set(own.values()) - set(api.groups))} if api.toolsets else ()
        groups = {**{tool: group for group, tools in api.groups.items() for tool in tools}, **own}
        issuer = (environ.get(f"{prefix}_ISSUER") or "").strip()
        variables = {
            variable
            for scheme in credentials.schemes.values()
            if not isinstance(scheme, MutualTls)
            for variable in scheme.variables
        }
        return cls(
            groups=groups,
            visibility=Visibility.read(prefix, environ, groups, default, api.earlier),
            scopes=Scopes.read(prefix, environ, groups, api.earlier),
            guard=Guard.read(prefix, environ, groups, api.earlier),
            handover=Handover.read(prefix, environ, variables, verifies=bool(issuer)),
            exchange=Exchange.read(prefix, environ, credentials, verifies=bool(issuer)),
            seals=Seals.read(prefix, environ),
            used=Used.read(prefix, environ, SECONDS + 1),
            audit=Audit.read(prefix, environ),
            issuer=issuer,
        )

    @property
    def same_for_all(self) -> bool:
        """Whether every caller sees the same."""
        return not self.scopes.by and not self.scopes.every

    def sees(self, tool: Tool, caller: Caller) -> bool:
        """Whether a tool exists for a caller."""
        group, hints = self.groups.get(tool.name, ""), tool.hints
        seen = self.visibility.shows(tool.name, group, hints)
        if seen and caller.narrowed is not None:
            seen = caller.narrowed.shows(tool.name, group, hints)
        return seen and (caller.scopes is None or not self.lacking(tool, caller))

    def only_reads(self, caller: Caller) -> bool:
        """Whether nothing may be changed for a caller."""
        return self.visibility.read_only or (caller.narrowed is not None and caller.narrowed.read_only)

    def lacking(self, tool: Tool, caller: Caller) -> frozenset[str]:
        """The scopes that a caller lacks for a tool."""
        needed = self.scopes.needed(tool.name, self.groups.get(tool.name, ""), tool.hints)
        return frozenset() if caller.scopes is None else needed - caller.scopes

    def policy(self, tool: Tool) -> Policy:
        """What the guard does about a tool."""
        return self.guard.of(tool.name, self.groups.get(tool.name, ""), tool.hints)

    def listed(self, contract: Contract, caller: Caller) -> Contract:
        """The contract as a caller sees it."""
        if self.visibility.whole and caller.narrowed is None and (caller.scopes is None or self.same_for_all):
            return contract
        names = frozenset(name for name, tool in contract.tools.items() if self.sees(tool, caller))
        if len(names) == len(contract.tools):
            return contract
        known = self._lists.get(names)
        if known is None:
            if len(self._lists) >= _MOST:
                self._lists.pop(next(iter(self._lists)))
            known = self._lists[names] = contract.only(names)
        return known

    @cached_property
    def _lists(self) -> dict[frozenset[str], Contract]:
        return {}

    def credentials(self, own: Credentials, caller: Caller) -> Credentials:
        """The credentials of a call: of a caller over HTTP those that the caller brought, where callers have to."""
        if caller.credentials is not None and self.handover.headers:
            own = own.instead({**self.handover.without(own.values), **caller.credentials})
        return self.exchange.credentials(own, caller)
