"""Tools that a model cannot tell apart by what is said of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final

from toolcast.mapping.names import words
from toolcast.mapping.texts import sentence
from toolcast.model.catalog import Tool

_ALIKE: Final = 0.9  # of the words that two texts have together


def nearly_alike(tools: Sequence[Tool]) -> Iterator[tuple[Tool, Tool]]:
    """Pairs of tools whose first sentences say the same, and whose texts hardly differ; each tool once, at most."""
    begun: defaultdict[frozenset[str], list[Tool]] = defaultdict(list)
    for tool in tools:
        begun[frozenset(words(sentence(tool.description, 200)))].append(tool)
    for rivals in begun.values():
        first = set(words(rivals[0].description))
        for other in rivals[1:]:
            found = set(words(other.description))
            if len(first & found) >= _ALIKE * len(first | found):
                yield rivals[0], other
