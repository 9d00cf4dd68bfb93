"""What was made once and need not be made again."""

from __future__ import annotations

from typing import Protocol


class Cache(Protocol):
    """Keeps results by key; a key names everything that its result depends on."""

    def get(self, key: str) -> bytes | None:
        """What is kept under a key; None when nothing is."""
        ...

    def put(self, key: str, content: bytes) -> None:
        """Keep a result, if that is possible."""
        ...


class Forgetful:
    """The cache that keeps nothing."""

    def get(self, key: str) -> bytes | None:
        """Nothing."""

    def put(self, key: str, content: bytes) -> None:
        """Nothing is kept."""
