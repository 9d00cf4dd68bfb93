"""Cycles: which references of a document lead back to themselves."""

from __future__ import annotations

from collections.abc import Iterator

from toolcast.mapping.variants import Variants
from toolcast.model.document import Document
from toolcast.model.json import Json
from toolcast.model.pointer import Missing, resolve

# Members that hold values, not schemas.
VALUES = frozenset(["example", "examples", "default", "enum", "const"])


class Cycles:
    """The strongly connected components of a document's references (Tarjan, linear, without recursion)."""

    def __init__(self, document: Document, variants: Variants) -> None:
        self._document = document
        self._variants = variants
        self._component: dict[str, int | None] = {}
        self._count = 0

    def component(self, reference: str) -> int | None:
        """A number for the cycle that a reference is in; None when it is in none."""
        if reference not in self._component:
            self._search(reference)
        return self._component[reference]

    def _search(self, root: str) -> None:
        index: dict[str, int] = {root: 0}
        low: dict[str, int] = {root: 0}
        open_: list[str] = [root]
        is_open = {root}
        work: list[tuple[str, Iterator[str]]] = [(root, self._targets(root))]
        while work:
            node, targets = work[-1]
            for target in targets:
                if target in self._component:
                    continue
                if target not in index:
                    index[target] = low[target] = len(index)
                    open_.append(target)
                    is_open.add(target)
                    work.append((target, self._targets(target)))
                    break
                if target in is_open:
                    low[node] = min(low[node], index[target])
            else:
                work.pop()
                if work:
                    parent = work[-1][0]
                    low[parent] = min(low[parent], low[node])
                if low[node] == index[node]:
                    self._close(node, open_, is_open)

    def _close(self, node: str, open_: list[str], is_open: set[str]) -> None:
        members = [open_.pop()]
        while members[-1] != node:
            members.append(open_.pop())
        is_open.difference_update(members)
        cyclic = len(members) > 1 or node in set(self._targets(node))
        self._count += cyclic
        for member in members:
            self._component[member] = self._count if cyclic else None

    def _targets(self, reference: str) -> Iterator[str]:
        try:
            stack: list[Json] = [resolve(self._document, reference)]
        except Missing:
            return
        seen: set[str] = set()
        while stack:
            value = stack.pop()
            if isinstance(value, list):
                stack.extend(value)
            elif isinstance(value, dict):
                target = value.get("$ref")
                if isinstance(target, str) and target not in seen:
                    seen.add(target)
                    yield target
                yield from (t for t in self._variants.of(value).values() if t not in seen)
                stack.extend(v for k, v in value.items() if k not in VALUES and not k.startswith("x-"))
