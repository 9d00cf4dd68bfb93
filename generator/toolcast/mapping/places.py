"""Places: where in the document the schema is that is being read, for what there is to say of it."""

from __future__ import annotations

from typing import TypeAlias
from urllib.parse import unquote

from toolcast.diagnostics import Diagnostic, Location, Report, Severity
from toolcast.mapping.texts import clean, shorten
from toolcast.model.pointer import child

Step: TypeAlias = tuple[str | int, ...]


def below(at: Location, *keys: str | int) -> Location:
    """The place of a member."""
    return Location(file=at.file, pointer=child(at.pointer, *keys))


class Places:
    """The way from an argument to the schema that is being read, through its parts and references."""

    def __init__(self, file: str, report: Report) -> None:
        self._file = file
        self._report = report
        self._base: tuple[Location, str] | None = None
        self._way: list[Step | str] = []  # names and indexes, or a reference that was followed

    def begin(self, at: Location, label: str) -> None:
        """An argument comes next; ``label`` is what it is called in messages."""
        self._base = (at, label)
        self._way.clear()

    def enter(self, step: Step | str) -> None:
        """Go to a part of the schema, or where it refers to."""
        self._way.append(step)

    def leave(self) -> None:
        """Go back."""
        self._way.pop()

    def say(self, code: str, severity: Severity, message: str, help_: str) -> None:
        """Report something of the schema; ``{}`` in the message stands for what it is called."""
        if self._base is None:
            return
        at, label = self._base
        for step in self._way:
            if isinstance(step, str):
                file, _, pointer = unquote(step).partition("#")
                at, label = Location(file=file or self._file, pointer=pointer), pointer.rsplit("/", 1)[-1]
            else:
                at = below(at, *step)
                label += f".{step[1]}" if step[:1] == ("properties",) else ""
        name = shorten(clean(label.replace("~1", "/").replace("~0", "~")), 100)
        self._report.add(
            Diagnostic(code=code, severity=severity, message=message.replace("{}", name), location=at, help=help_)
        )
