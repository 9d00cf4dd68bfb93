"""One tool in two contracts: its texts, its hints, what it takes and what it answers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from toolcast.contract.forms import identical, members
from toolcast.contract.schemas import Difference, differences
from toolcast.contract.texts import defaults, reworded
from toolcast.contract.verdicts import given, taken
from toolcast.model.contract import Change, Kind, Verdict
from toolcast.model.json import Json, JsonObject

# The argument that holds those for which a tool has no room, and how its text begins.
_MORE: Final = re.compile(r"more(_arguments(_\d+)?)?")
_FURTHER: Final = re.compile(r"(?i)further arguments[^\n:]*:\s*(.*)", re.DOTALL)
_NAMED: Final = re.compile(r"[A-Za-z0-9_.-]{1,64}(?= \(|:|$)")
_TEXTS: Final = ("title", "description")
_COMPARED: Final = frozenset(["name", "inputSchema", "outputSchema", "annotations", *_TEXTS])


def tool_changes(name: str, old: JsonObject, new: JsonObject) -> Iterator[Change]:
    """The changes of a tool that is in both contracts, under its present name."""
    for key in sorted({*old, *new} - _COMPARED | {*_TEXTS}):
        if old.get(key) != new.get(key):
            yield _worded(name, key, old.get(key), new.get(key))
    yield from _hints(name, members(old.get("annotations")), members(new.get("annotations")))
    yield from _arguments(name, old.get("inputSchema", {}), new.get("inputSchema", {}))
    yield from _result(name, old.get("outputSchema"), new.get("outputSchema"))


def _worded(tool: str, where: str, before: Json, after: Json) -> Change:
    return _change("cosmetic", "text", tool, where, before, after, "Only the words are others.")


def reads_only(tool: JsonObject) -> bool:
    """Does a tool say that it only reads? (MCP ToolAnnotations; false unless it says so)"""
    return members(tool.get("annotations")).get("readOnlyHint") is True


def _hints(tool: str, old: JsonObject, new: JsonObject) -> Iterator[Change]:
    before, after = _said(old), _said(new)
    risky = {"readOnlyHint": False, "destructiveHint": True, "idempotentHint": False, "openWorldHint": True}
    worse = {
        "readOnlyHint": "It may change something; hosts that let it run unasked would not have.",
        "destructiveHint": "It may destroy something.",
        "idempotentHint": "A second call may do more than the first.",
        "openWorldHint": "It reaches further than it said.",
    }
    for hint, bad in risky.items():
        if before[hint] != after[hint]:
            where = f"annotations.{hint}"
            if after[hint] == bad:
                yield _change("risk", "hint", tool, where, before[hint], after[hint], worse[hint])
            else:
                yield _change("compatible", "hint", tool, where, before[hint], after[hint], "It says to be safer.")
    if old.get("title") != new.get("title"):
        yield _worded(tool, "annotations.title", old.get("title"), new.get("title"))


def _said(annotations: JsonObject) -> dict[str, bool]:
    """The four hints with their defaults; of a tool that only reads, two say nothing more (MCP ToolAnnotations)."""
    reading = annotations.get("readOnlyHint") is True
    return {
        "readOnlyHint": reading,
        "destructiveHint": not reading and annotations.get("destructiveHint") is not False,
        "idempotentHint": reading or annotations.get("idempotentHint") is True,
        "openWorldHint": annotations.get("openWorldHint") is not False,
    }


def _arguments(tool: str, old: Json, new: Json) -> Iterator[Change]:
    before, after = members(members(old).get("properties")), members(members(new).get("properties"))
    more, further = _further(before), _further(after)
    held, holding = more[1] if more else [], further[1] if further else []
    for found in [] if identical(old, new) else differences(old, new, "arguments", each=True):
        change = taken(tool, _of_call(found, {**before, **after}))
        name = found.where.removeprefix("arguments.")
        if change.kind == "argument-removed" and further and name in holding:
            reason = f"A call has to give it inside of `{further[0]}`."
            change = replace(change, kind="argument-moved", after=f"{further[0]}.{name}", reason=reason)
        elif change.kind == "argument-added" and more and name in held:
            kept = "breaking" if more[0] not in after else change.verdict
            change = replace(change, kind="argument-moved", before=f"{more[0]}.{name}", verdict=kept)
        yield change
    yield from _held(tool, more, further, before, after)
    for name in before.keys() & after.keys():
        text = reworded(before[name], after[name])
        if text is not None:
            yield _worded(tool, f"arguments.{name}", *text)
    for at, was, now in sorted(defaults(old, new), key=lambda found: found[0]):
        reason = "A call without it may mean something else."
        yield _change("compatible", "default", tool, f"arguments{at}", was, now, reason)


def _of_call(found: Difference, names: JsonObject) -> Difference:
    """A difference of a field of all arguments together as that of an argument."""
    if found.where.removeprefix("arguments.") not in names or not found.kind.startswith("field-"):
        return found
    kinds: dict[Kind, Kind] = {
        "field-added": "argument-added",
        "field-removed": "argument-removed",
        "field-required": "argument-required",
        "field-optional": "argument-optional",
    }
    return replace(found, kind=kinds[found.kind])


def _further(arguments: JsonObject) -> tuple[str, list[str]] | None:
    """The argument that holds others, and their names; None where there is none."""
    for name, schema in arguments.items():
        text = members(schema).get("description")
        found = _FURTHER.match(text) if isinstance(text, str) and _MORE.fullmatch(name) else None
        if found is not None:
            lines = found[1].split("\n")
            parts = lines if len(lines) > 1 else found[1].split(",")
            names = (_NAMED.match(part.strip()) for part in parts)
            return name, [named[0] for named in names if named is not None]
    return None


def _held(
    tool: str,
    more: tuple[str, Sequence[str]] | None,
    further: tuple[str, Sequence[str]] | None,
    before: JsonObject,
    after: JsonObject,
) -> Iterator[Change]:
    """Arguments that were, or are, inside of another."""
    if more is None or further is None:
        return
    for name in more[1]:
        if name not in further[1] and name not in after:
            reason = "A call that gives it is refused, or it is not sent."
            yield _change("breaking", "argument-removed", tool, f"arguments.{more[0]}.{name}", None, None, reason)
    for name in further[1]:
        if name not in more[1] and name not in before:
            where = f"arguments.{further[0]}.{name}"
            yield _change("compatible", "argument-added", tool, where, None, None, "A call need not give it.")


def _result(tool: str, old: Json, new: Json) -> Iterator[Change]:
    if old is None and new is None:
        return
    if new is None:
        reason = "There is no structured result any more."
        yield _change("breaking", "result-removed", tool, "result", old, None, reason)
        return
    if old is None:
        yield _change("compatible", "result-added", tool, "result", None, new, "There is more to read.")
        return
    if identical(old, new):
        return
    for found in differences(old, new, "result", each=False):
        yield given(tool, found)
    text = reworded(old, new)
    if text is not None:
        yield _worded(tool, "result", *text)


def _change(verdict: Verdict, kind: Kind, tool: str, where: str, before: Json, after: Json, reason: str) -> Change:
    return Change(verdict=verdict, kind=kind, tool=tool, where=where, before=before, after=after, reason=reason)
