"""The guard: which calls a human is asked about before they go out, and what the human is shown.

The model cannot answer: no argument, and nothing that it can write into a call, counts as an answer.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol, TypeAlias

from .errors import CallError, SettingsError
from .legible import clean

if TYPE_CHECKING:
    from .operation import Arguments
    from .request import Request

Policy: TypeAlias = Literal["ask", "required", "off"]
Decision: TypeAlias = Literal["confirmed", "unconfirmed"]

SECONDS: Final = 120  # that a confirmation lives

_HINTS: Final = ("destructive", "write")
_NONE: Final[Mapping[str, str]] = MappingProxyType({})
_MAX_SHOWN: Final = 1_500  # characters of a body


class InputNeeded(Exception):
    """The call has to wait for the human; ``result`` is what the client gets meanwhile."""

    def __init__(self, result: Any) -> None:
        super().__init__("the human is asked")
        self.result = result


class Human(Protocol):
    """Whoever is behind the client."""

    async def agrees(self, question: str, call: str) -> bool | None:
        """Whether the human agrees to what is asked; None when nobody can be asked.

        ``call`` names the call: an answer counts for this one only.
        """
        ...


class Nobody:
    """Stands for the human of a caller behind whom nobody can be asked."""

    async def agrees(self, question: str, call: str) -> None:
        """No answer."""


@dataclass(frozen=True, slots=True)
class Guard:
    """The policy by tool, then by group, then by hint; destructive calls are asked about unless told otherwise."""

    prefix: str
    policy: Policy = "ask"
    tools: Mapping[str, Policy] = field(default_factory=dict[str, Policy])
    groups: Mapping[str, Policy] = field(default_factory=dict[str, Policy])
    writes: Policy = "off"

    @classmethod
    def read(
        cls, prefix: str, environ: Mapping[str, str], tools: Mapping[str, str], earlier: Mapping[str, str] = _NONE
    ) -> Guard:
        """The policy of ``PREFIX_GUARD``: a word for destructive calls, or rules such as ``ask write=ask orders=off``.

        ``tools`` has the group of each tool, ``earlier`` names of tools that have changed. Raises
        ``SettingsError`` for a rule that names nothing.
        """
        variable = f"{prefix}_GUARD"
        general: dict[str, Policy] = {"destructive": "ask", "write": "off"}
        by_tool: dict[str, Policy] = {}
        by_group: dict[str, Policy] = {}
        groups = set(tools.values())
        for rule in (environ.get(variable) or "").replace(",", " ").split():
            named, equals, word = rule.rpartition("=")
            name = earlier.get(named, named)
            policy = _policy(variable, word)
            if not equals:
                general["destructive"] = policy
            elif name in _HINTS:
                general[name] = policy
            elif name in tools or named in earlier:
                by_tool[name] = policy
            elif name in groups:
                by_group[name] = policy
            else:
                raise SettingsError(f"{variable}: {name!r} is no tool, no group and none of {', '.join(_HINTS)}")
        return cls(prefix, general["destructive"], by_tool, by_group, general["write"])

    def of(self, tool: str, group: str, hints: Mapping[str, Any]) -> Policy:
        """The policy for one tool."""
        if (found := self.tools.get(tool) or self.groups.get(group)) is not None:
            return found
        if hints.get("readOnlyHint"):
            return "off"
        return self.policy if hints.get("destructiveHint", True) else self.writes

    async def review(self, policy: Policy, question: str, call: str, human: Human) -> Decision:
        """Let the human decide; raises ``CallError`` where the call must not go out."""
        agreed = await human.agrees(question, call)
        if agreed is None:
            if policy == "ask":
                return "unconfirmed"
            raise CallError(
                "A human has to confirm this call, and this client cannot ask one, so nothing was sent. Use a client "
                f"that supports elicitation, or ask the operator of this server about {self.prefix}_GUARD."
            )
        if not agreed:
            raise CallError(
                "The user did not confirm this call, so nothing was sent. Do not call again unless the user wants it."
            )
        return "confirmed"


def question(title: str, request: Request | None, arguments: Arguments) -> str:
    """What the human is asked: the request as it will go out, without credentials, where there is one."""
    told = [f"{title}?"]
    if request is not None:
        told += ["", f"{request.method} {request.url}"]
    if request is not None and request.body:
        told += ["", clean(_body(request), _MAX_SHOWN)]
    elif arguments:
        told += ["", clean(json.dumps(arguments, ensure_ascii=False), _MAX_SHOWN)]
    return "\n".join(told)


def identity(tool: str, arguments: Arguments, request: Request | None, caller: str, policy: Policy) -> str:
    """What a confirmation is bound to: the tool, the arguments, the request, the caller and the policy."""
    sent = [None, None] if request is None else [request.method, request.url]
    values: list[Any] = [tool, arguments, *sent, caller, policy]
    content = json.dumps(values, sort_keys=True, separators=(",", ":"), default=str).encode()
    body = b"" if request is None else request.body or b""
    return hashlib.sha256(content + b"\0" + body).hexdigest()


def _body(request: Request) -> str:
    try:
        return (request.body or b"").decode()
    except UnicodeDecodeError:
        return f"{len(request.body or b''):,} bytes"


def _policy(variable: str, word: str) -> Policy:
    match word:
        case "ask" | "required" | "off":
            return word
        case _:
            raise SettingsError(f"{variable} holds {word!r}; a policy is one of ask, required, off")
