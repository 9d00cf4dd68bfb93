"""Documents as a target: each is read, understood and mapped; one in a hundred becomes a package."""

# Values of any shape are what this is about.
# pyright: basic

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

from toolcast.diagnostics import Diagnostic

from .choices import Seeded
from .documents import document, written
from .laws import emitted, mapped, sound

_AGAIN, _EMITTED, _VALIDATED = 10, 20, 20  # once in so many cases


class Documents:
    """Documents of every version; a case is its text, and how far it goes."""

    def __init__(self, folder: Path) -> None:
        self.counts: Counter[str] = Counter()
        fast = Path("/dev/shm")
        self._path = (fast if os.access(fast, os.W_OK) else folder) / f"fuzz-{os.getpid()}.json"

    def case(self, seed: int) -> list[object]:
        """The text of a document, and the number that says how far it goes."""
        choices = Seeded(seed)
        return [document(choices), seed]

    def check(self, case: list[object]) -> None:
        """Map the document, and look at what came of it."""
        made, seed = case
        assert isinstance(made, dict) and isinstance(seed, int)
        text = written(Seeded(seed), made)
        self._path.write_bytes(text.encode("utf-8", "replace"))
        try:
            self._checked(seed)
        finally:
            self._path.unlink()

    def _checked(self, seed: int) -> None:
        found = mapped(self._path, validate=seed % _VALIDATED == 0)
        if isinstance(found, Diagnostic):
            self.counts[f"refused: {found.code}"] += 1
            return
        catalog, diagnostics = found
        self.counts["mapped"] += 1
        self.counts["tools"] += len(catalog.tools)
        self.counts["operations left out, and said"] += sum(one.operation is not None for one in diagnostics)
        sound(catalog)
        if seed % _AGAIN == 0:
            self.counts["mapped twice"] += 1
            again = mapped(self._path, validate=seed % _VALIDATED == 0)
            assert again == found, "the second time something else came of it"
        if seed % _EMITTED == 0:
            self.counts["emitted"] += 1
            assert emitted(catalog) == emitted(catalog), "the second time other files came of it"
