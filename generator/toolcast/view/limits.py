"""Which limits of clients a catalog passes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from toolcast.model.catalog import Catalog
from toolcast.model.limits import TOOL_TOKENS, TOOLS_ADVISED, TOOLS_AT_MOST


@dataclass(frozen=True, slots=True, kw_only=True)
class Passed:
    """A limit that is passed: whose it is, what it says, and the tools that pass it; none when all together do."""

    who: str
    limit: str
    found: str
    tools: tuple[str, ...] = ()


def passed(catalog: Catalog, sizes: Mapping[str, int]) -> Iterator[Passed]:
    """The limits that a catalog passes."""
    number = len(catalog.tools)
    if number > TOOLS_AT_MOST:
        yield Passed(who="VS Code", limit=f"refuses more than {TOOLS_AT_MOST} tools", found=f"{number:,} tools")
    if number > TOOLS_ADVISED:
        yield Passed(
            who="any model", limit=f"chooses badly among more than {TOOLS_ADVISED} tools", found=f"{number:,} tools"
        )
    large = tuple(tool.name for tool in catalog.tools if sizes[tool.name] > TOOL_TOKENS)
    if large:
        yield Passed(
            who="Toolcast",
            limit=f"wants at most {TOOL_TOKENS:,} tokens a tool",
            found=f"{len(large):,} tool{'' if len(large) == 1 else 's'}",
            tools=large,
        )
