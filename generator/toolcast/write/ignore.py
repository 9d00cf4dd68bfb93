"""``.toolcastignore``: the files that an owner does not want, by patterns as in a .gitignore."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from pathspec import GitIgnoreSpec

from toolcast.diagnostics import Diagnostic, Failure, Location

FILE = ".toolcastignore"


def unwanted(folder: Path) -> Callable[[str], bool]:
    """Tells whether the owner of a package does not want the file at a path; raises ``Failure`` for no pattern."""
    path = folder / FILE
    try:
        lines = path.read_text("utf-8-sig").splitlines()
    except (FileNotFoundError, NotADirectoryError):
        return lambda _: False
    except (OSError, UnicodeDecodeError) as error:
        raise _failure(path, None, f"{FILE} cannot be read: {error}") from None
    for number, line in enumerate(lines, 1):
        try:
            GitIgnoreSpec.from_lines([line])
        except ValueError:
            raise _failure(path, number, f"{line!r} is no pattern") from None
    spec = GitIgnoreSpec.from_lines(lines)
    return spec.match_file


def _failure(path: Path, line: int | None, message: str) -> Failure:
    return Failure(
        Diagnostic(
            code="TC515",
            severity="error",
            message=message,
            location=Location(file=str(path), line=line),
            help="It has patterns as in a .gitignore, one a line: /deploy/, *.md, !README.md",
        )
    )
