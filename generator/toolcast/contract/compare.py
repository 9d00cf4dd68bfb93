"""The comparison of two contracts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from toolcast.contract.destinations import destination_changes
from toolcast.contract.renames import renames
from toolcast.contract.tools import reads_only, tool_changes
from toolcast.model.contract import Change, Comparison, Contract, Kind, Verdict
from toolcast.model.json import Json, JsonObject

_GROWTH: Final = 100  # tokens, and a quarter, by which a tool has to grow or shrink before that is told


def compare(old: Contract, new: Contract) -> Comparison:
    """How a contract differs from an earlier one; changes of the server come first, then those of the tools by name."""
    return Comparison(changes=(*destination_changes(old, new), *_tools(old, new), *_sizes(old, new)))


def _tools(old: Contract, new: Contract) -> Iterator[Change]:
    before, after = _by_name(old), _by_name(new)
    gone = {name: tool for name, tool in before.items() if name not in after}
    come = {name: tool for name, tool in after.items() if name not in before}
    renamed = renames(old, new, gone, come)
    earlier = {now: was for was, now in renamed.items()}
    for name in sorted({*before, *after}):
        was = earlier.get(name, name)
        if name in renamed:
            continue
        if name not in after:
            yield _change("breaking", "tool-removed", name, before[name].get("title"), None, "Calls of it fail.")
        elif was not in before:
            yield _change(
                "compatible", "tool-added", name, None, after[name].get("title"), "There is more to choose from."
            )
        else:
            if was != name:
                yield _renamed(was, name, before[was], after[name], new)
            yield from _operation(name, (old.keys or {}).get(was), (new.keys or {}).get(name))
            yield from tool_changes(name, before[was], after[name])


def _by_name(contract: Contract) -> dict[str, JsonObject]:
    return {
        tool["name"]: tool for tool in contract.tools if isinstance(tool, dict) and isinstance(tool.get("name"), str)
    }  # type: ignore[misc]


def _renamed(was: str, name: str, old: JsonObject, new: JsonObject, contract: Contract) -> Change:
    if (contract.aliases or {}).get(was) != name:
        told = (
            "Calls of the old name fail." if contract.aliases is not None else "Nothing says that the old name answers."
        )
        return _change("breaking", "tool-renamed", name, was, name, told)
    if reads_only(old) and reads_only(new):
        return _change("compatible", "tool-renamed", name, was, name, "The old name still answers.")
    reason = "The old name still answers, but rules of hosts that name the tool do not know the new one."
    return _change("risk", "tool-renamed", name, was, name, reason)


def _operation(tool: str, old: str | None, new: str | None) -> Iterator[Change]:
    if old is not None and new is not None and old != new:
        reason = "What agents see is the same; the request is another."
        yield _change("compatible", "operation", tool, old, new, reason, where="operation")


def _sizes(old: Contract, new: Contract) -> Iterator[Change]:
    if old.sizes is None or new.sizes is None:
        return
    before, after = sum(old.sizes.values()), sum(new.sizes.values())
    if before != after:
        reason = f"The whole list costs {abs(after - before):,} tokens {'more' if after > before else 'less'}."
        yield _change("cosmetic", "size", "", before, after, reason, where="size")
    for name in sorted(old.sizes.keys() & new.sizes.keys()):
        one, other = old.sizes[name], new.sizes[name]
        if abs(other - one) >= max(_GROWTH, one / 4):
            reason = f"It costs {abs(other - one):,} tokens {'more' if other > one else 'less'} in every list."
            yield _change("cosmetic", "size", name, one, other, reason, where="size")


def _change(
    verdict: Verdict, kind: Kind, tool: str, before: Json, after: Json, reason: str, *, where: str = ""
) -> Change:
    return Change(verdict=verdict, kind=kind, tool=tool, where=where, before=before, after=after, reason=reason)
