"""Tools that a model cannot tell apart by what is said of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final

from toolcast.mapping.names import words
from toolcast.mapping.texts import sentence
from toolcast.model.catalog import Tool

_ALIKE: Final = 0.85  # of the words that two texts have together
_SMALL: Final = frozenset("a an the of in on to for by with and or that this these it its is are be as at from".split())


def nearly_alike(tools: Sequence[Tool]) -> Iterator[tuple[Tool, Tool]]:
    """Pairs of tools that begin with the same sentence and hardly differ further on; each tool once, at most.

    What tells their names apart tells their texts apart, too. Only tools of one first sentence are compared, with the
    first of them, so that a group of any size takes little more than the time to read it.
    """
    begun: defaultdict[frozenset[str], list[Tool]] = defaultdict(list)
    for tool in tools:
        begun[_words(sentence(_said(tool), 300))].append(tool)
    for first, *others in begun.values():
        said = _words(_said(first))
        for other in others:
            told = _words(_said(other))
            names = {*words(first.name)} ^ {*words(other.name)}
            named = any(_stem(word) in {_stem(name) for name in names} for word in said ^ told)
            if len(said & told) >= _ALIKE * len(said | told) and not named:
                yield first, other


def _said(tool: Tool) -> str:
    """What a tool does, without what it answers."""
    return "\n".join(line for line in tool.description.split("\n") if not line.startswith("Answer: "))


def _words(text: str) -> frozenset[str]:
    return frozenset(words(text)) - _SMALL


def _stem(word: str) -> str:
    return word.removesuffix("s")
