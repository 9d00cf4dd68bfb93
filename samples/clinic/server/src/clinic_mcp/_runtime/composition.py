"""Composition: what an owner makes of the operations of an API, in ``server.py``."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, Final, Self, TypeAlias, TypeVar

from .errors import CompositionError
from .lifespan import Lifespan
from .operation import Operation
from .own import OwnTool, Prompt, Resource

if TYPE_CHECKING:
    from .call import Call
    from .contract import Contract, Tool

A = TypeVar("A")
R = TypeVar("R")

# Which values the credentials of a call have, by environment variable; those of the environment count besides.
Provider: TypeAlias = "Callable[[Call], Awaitable[Mapping[str, str]]]"
Around: TypeAlias = "Callable[[Call, Any], Awaitable[Any]]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Composition:
    """What is offered of the operations, and what besides; ``around`` has what wraps an operation, the inmost first."""

    without: frozenset[str] = frozenset()
    only: tuple[Callable[[Tool], bool], ...] = ()
    texts: Mapping[str, Mapping[str, str]] = field(default_factory=dict[str, Mapping[str, str]])
    around: Mapping[str, tuple[Around, ...]] = field(default_factory=dict[str, tuple[Around, ...]])
    tools: Mapping[str, OwnTool[Any]] = field(default_factory=dict[str, OwnTool[Any]])
    resources: tuple[Resource, ...] = ()
    prompts: tuple[Prompt, ...] = ()
    provider: Provider | None = None
    lifespans: tuple[Lifespan, ...] = ()

    @property
    def groups(self) -> Mapping[str, str]:
        """The groups of the owner's tools."""
        return {name: tool.group for name, tool in self.tools.items()}

    def of(self, contract: Contract, groups: Mapping[str, str]) -> Contract:
        """The contract as it is offered; raises ``CompositionError`` when nothing of it is left."""
        if not (self.without or self.only or self.texts or self.tools):
            return contract
        kept = [entry for tool in contract.tools.values() if (entry := self._entry(tool, groups)) is not None]
        if contract.tools and not kept and not self.tools:
            raise CompositionError("server.py leaves no tool: what only() is given is true of none")
        readings = [(entry, self._entry(contract.tool(entry["tool"]["name"]), groups)) for entry in contract.resources]
        resources = [{**entry, "tool": reader} for entry, reader in readings if reader is not None]
        return contract.composed([*kept, *(tool.entry for tool in self.tools.values())], resources)

    def _entry(self, tool: Tool, groups: Mapping[str, str]) -> Mapping[str, Any] | None:
        """What lists say of a tool of the API; None when it is not offered."""
        known = replace(tool, group=groups.get(tool.name, ""))
        if tool.name in self.without or not all(offered(known) for offered in self.only):
            return None
        return {**tool.entry, **self.texts.get(tool.name, {})}


_UNCHANGED: Final = Composition()


class Composed:
    """What can be composed. Each method gives another server, and leaves this one as it is.

    A tool is named by its operation's constant or by its name; raises ``CompositionError`` for one that is not there.
    """

    composition: Composition = _UNCHANGED

    def without(self, *tools: Operation[Any, Any] | str) -> Self:
        """Do not offer these tools; your own functions can still call their operations."""
        return self._with(without=self.composition.without | {self._named(tool) for tool in tools})

    def only(self, offered: Callable[[Tool], bool]) -> Self:
        """Offer only the tools of the API of which this is true: ``only(lambda tool: tool.read_only)``."""
        return self._with(only=(*self.composition.only, offered))

    def describe(
        self, tool: Operation[Any, Any] | str, description: str | None = None, *, title: str | None = None
    ) -> Self:
        """Tell models and people something else of a tool than the API's document does."""
        name = self._named(tool)
        given = {"description": description, "title": title}
        said = {key: text for key, text in given.items() if text is not None}
        return self._with(texts={**self.composition.texts, name: {**self.composition.texts.get(name, {}), **said}})

    def wrap(self, operation: Operation[A, R], around: Callable[[Call, A], Awaitable[R]]) -> Self:
        """Let a function stand around an operation, or in its place: it gets the arguments and gives the answer.

        Calling the operation inside of it sends the request, or calls the function that was put around it before.
        """
        name = self._named(operation)
        wraps = (*self.composition.around.get(name, ()), around)
        return self._with(around={**self.composition.around, name: wraps})

    def add(self, *additions: OwnTool[Any] | Resource | Prompt) -> Self:
        """Offer tools, resources and prompts of your own."""
        now = self.composition
        tools, resources, prompts = dict(now.tools), list(now.resources), list(now.prompts)
        for addition in additions:
            match addition:
                case OwnTool(name=name):
                    if name in tools or (name in self._operation_names() and name not in now.without):
                        raise CompositionError(f"There is a tool {name} already; leave it out before you add yours")
                    tools[name] = addition
                case Resource():
                    resources.append(addition)
                case Prompt():
                    prompts.append(addition)
        return self._with(tools=tools, resources=tuple(resources), prompts=tuple(prompts))

    def credentials(self, provider: Provider) -> Self:
        """Take credentials for each call from a function of yours, by the names of their environment variables."""
        return self._with(provider=provider)

    def lifespan(self, opened: Lifespan) -> Self:
        """Open something before the first call, and close it after the last one."""
        return self._with(lifespans=(*self.composition.lifespans, opened))

    def _with(self, **changes: Any) -> Self:
        """The same with another composition."""
        return self._composed(replace(self.composition, **changes))

    def _composed(self, composition: Composition) -> Self:
        raise NotImplementedError

    def _operation_names(self) -> Collection[str]:
        """The names of the API's tools."""
        raise NotImplementedError

    def _renamed(self, tool: str) -> str:
        """The name that a tool of the API has now, which may have had that one before."""
        raise NotImplementedError

    def _named(self, tool: Operation[Any, Any] | str) -> str:
        name = self._renamed(tool) if isinstance(tool, str) else tool.name
        known = self._operation_names()
        if name not in known:
            near = get_close_matches(name, known, n=1)
            raise CompositionError(
                f"The API has no tool {name[:100]!r}" + (f"; did you mean {near[0]}?" if near else "")
            )
        return name
