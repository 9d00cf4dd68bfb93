"""What has to happen on disk."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from toolcast.model.lock import Rendition

Action: TypeAlias = Literal["create", "replace", "merge", "keep", "same", "delete", "conflict"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """What happens to one path, and why where that is not plain.

    ``before`` is what is on disk and ``after`` what shall be, both with LF, None where there is no file;
    ``rendition`` is what the generator makes of a file that is not the owner's alone. ``same`` is as it shall be,
    ``keep`` is the owner's and stays. The ``after`` of a ``conflict`` is what the owner decides from:
    with one of them, nothing of a plan is carried out.
    """

    path: str
    action: Action
    before: bytes | None
    after: bytes | None
    rendition: bytes | None = None
    note: str = ""

    @property
    def changes(self) -> bool:
        """Whether something has to be written or removed."""
        return self.before != self.after


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What happens in a folder, and what the lock has to know: renditions, and the owner's files that were written.

    ``bases`` are the renditions that edited files were edited from, by the paths of those files.
    """

    folder: Path
    steps: tuple[Step, ...]
    renditions: Mapping[str, Rendition]
    given: tuple[str, ...]
    bases: Mapping[str, bytes]

    def of(self, *actions: Action) -> list[Step]:
        """The steps of some kinds."""
        return [step for step in self.steps if step.action in actions]
