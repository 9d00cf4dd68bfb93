"""What the owner wants: the contents of ``toolcast.toml``."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """The owner's wishes; ``document`` is a path relative to the package's folder, with ``/``, or a URL."""

    document: str = ""
    name: str = ""
    version: str = "0.1.0"
