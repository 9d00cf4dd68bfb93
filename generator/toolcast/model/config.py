"""What the owner wants: the contents of ``toolcast.toml``."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """The owner's wishes; ``document`` is a path relative to the package's folder, with ``/``, or a URL.

    ``templates`` is the folder with the owner's templates, such a path, too.
    """

    document: str = ""
    name: str = ""
    version: str = "0.1.0"
    templates: str = ""
