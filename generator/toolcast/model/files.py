"""What shall be on disk."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Owner: TypeAlias = Literal["generated", "runtime", "yours"]


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """A file of the package: its path with ``/``, its text with LF, and whose it is once written."""

    path: str
    text: str
    owner: Owner
