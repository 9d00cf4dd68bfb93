"""Renames: tools that are gone and tools that are new, of which two are one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from toolcast.contract.forms import identical, members
from toolcast.contract.texts import bare
from toolcast.model.contract import Contract
from toolcast.model.json import Json, JsonObject

_WORD: Final = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z]+")


def renames(
    old: Contract, new: Contract, gone: Mapping[str, JsonObject], come: Mapping[str, JsonObject]
) -> dict[str, str]:
    """Names that are gone with the names that have taken their place.

    The contract itself says it by an alias, or the operation is the same; where that is not known, two tools are one
    that take and answer the same, say to be as safe, and have a text in common or most words of their names.
    """
    found: dict[str, str] = {}
    for name in gone:
        other = (new.aliases or {}).get(name)
        if other is not None and other in come:
            found[name] = other
    by_key = {key: name for name, key in (new.keys or {}).items() if name in come}
    for name in gone.keys() - found.keys():
        other = by_key.get((old.keys or {}).get(name, ""))
        if other is not None and other not in found.values():
            found[name] = other
    if old.keys is None or new.keys is None:
        left = {name: tool for name, tool in gone.items() if name not in found}
        rest = {name: tool for name, tool in come.items() if name not in found.values()}
        found |= dict(_by_shape(left, rest))
    return dict(sorted(found.items()))


def _by_shape(gone: Mapping[str, JsonObject], come: Mapping[str, JsonObject]) -> Iterator[tuple[str, str]]:
    pairs = [(name, other) for name in gone for other in come if _one(name, gone[name], other, come[other])]
    befores, afters = [name for name, _ in pairs], [other for _, other in pairs]
    return ((one, other) for one, other in pairs if befores.count(one) == afters.count(other) == 1)


def _one(name: str, tool: JsonObject, other_name: str, other: JsonObject) -> bool:
    if not identical(_shape(tool), _shape(other)):
        return False
    texts = [(tool.get(key), other.get(key)) for key in ("title", "description")]
    if any(one and one == another for one, another in texts):
        return True
    words, others = _words(name), _words(other_name)
    return 2 * len({*words} & {*others}) > max(len(words), len(others))


def _shape(tool: JsonObject) -> Json:
    hints = {key: value for key, value in members(tool.get("annotations")).items() if key != "title"}
    return [bare(tool.get("inputSchema")), bare(tool.get("outputSchema")), {**hints}]


def _words(name: str) -> Sequence[str]:
    return [word.lower() for word in _WORD.findall(name)]
