"""What shall be on disk."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Owner: TypeAlias = Literal["generated", "runtime", "shared", "yours"]


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """A file of the package: its path with ``/``, its text with LF, and whose it is once written.

    A ``shared`` file is the owner's to edit; the generator goes on bringing it up to date while it is as generated.
    """

    path: str
    text: str
    owner: Owner
