"""What happens to files: for terminals, for pipes, for programs and for the annotations of a review."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping
from io import StringIO

import orjson
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from toolcast.model.contract import VERDICTS, Comparison
from toolcast.model.json import Json
from toolcast.model.plan import Action, Step
from toolcast.view import changes
from toolcast.view.wording import sentence

_ACTIONS: dict[Action, str] = {
    "conflict": "bold red",
    "delete": "red",
    "merge": "yellow",
    "create": "green",
    "replace": "green",
    "keep": "dim",
}
_SHOWN = 12  # of one kind
_LOCK = "toolcast.lock"


def told(steps: Iterable[Step]) -> list[Step]:
    """The steps that are worth a line: what changes, what conflicts, and what the owner has edited."""
    return [step for step in steps if step.changes or step.action == "conflict" or (step.rendition and step.note)]


def plan(console: Console, steps: Iterable[Step]) -> None:
    """Print what happens to each file, the graver kinds first, and a few of each kind."""
    found = told(steps)
    rows: list[tuple[Text, Text]] = []
    for action, colour in _ACTIONS.items():
        chosen = [step for step in found if step.action == action]
        for step in chosen[:_SHOWN]:
            rows.append((Text(action, colour), Text(step.path)))
            if step.note:
                rows.append((Text(), Text(step.note, "dim")))
        rows += _more(action, len(chosen))
    _rows(console, rows, 8)


def _more(kind: str, number: int) -> list[tuple[Text, Text]]:
    return [(Text(kind, "dim"), Text(f"… and {number - _SHOWN:,} more", "dim"))] if number > _SHOWN else []


def _rows(console: Console, rows: Iterable[tuple[Text, Text]], width: int) -> None:
    """Print rows of a word and a text: a terminal folds the text beside the word, a log keeps one line a row."""
    table = Table.grid(padding=(0, 2))
    table.add_column(min_width=width, no_wrap=True)
    table.add_column(overflow="fold")
    for word, text in rows:
        if console.is_terminal:
            table.add_row(word, text)
        else:
            word.pad_right(width + 2 - len(word))
            console.print(Text("  ").append(word).append(text), soft_wrap=True)
    if table.row_count:
        console.print(Padding(table, (0, 0, 0, 2), expand=False))


def diff(steps: Iterable[Step]) -> Iterator[str]:
    """The lines of a unified diff of what changes, each with its line end."""
    for step in steps:
        if not step.changes or step.action == "conflict":
            continue
        before, after = _lines(step.before), _lines(step.after)
        if before is None or after is None:
            yield f"--- {step.path}\n+++ {step.path}\n@@ not shown: no UTF-8 text @@\n"
            continue
        old = f"a/{step.path}" if step.before is not None else "/dev/null"
        new = f"b/{step.path}" if step.after is not None else "/dev/null"
        for line in difflib.unified_diff(before, after, old, new):
            yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


def _lines(text: bytes | None) -> list[str] | None:
    try:
        return [] if text is None else list(StringIO(text.decode(), newline="\n"))
    except UnicodeDecodeError:
        return None


def coloured(line: str) -> Text:
    """A line of a diff, without its end, as a terminal shows it."""
    plain = "".join(c if c.isprintable() or c == "\t" else "\N{REPLACEMENT CHARACTER}" for c in line.rstrip("\n"))
    for start, style in (("+++", "bold"), ("---", "bold"), ("@@", "cyan"), ("+", "green"), ("-", "red")):
        if plain.startswith(start):
            return Text(plain, style)
    return Text(plain)


def machine(status: int, comparison: Comparison, steps: Iterable[Step], facts: Mapping[str, Json]) -> str:
    """What ``check`` finds as JSON text: its status, what agents see, what happens to files, and other facts."""
    value = {
        "status": status,
        **facts,
        **changes.listed(comparison),
        "files": [{"path": step.path, "action": step.action, "note": step.note} for step in told(steps)],
    }
    return orjson.dumps(value, option=orjson.OPT_INDENT_2).decode()


def workflow_commands(comparison: Comparison, steps: Iterable[Step], prefix: str) -> Iterator[str]:
    """Workflow commands of GitHub Actions, a line each, the graver first, as it shows only some of each level.

    Changes that are breaking or a risk, and conflicts, are errors; other drift is a warning, and one for all files; an
    owner's edit is a notice. ``prefix`` leads from the repository's root to the package, with ``/`` at its end, or is
    empty.
    """
    found = told(steps)
    contract = next((step.path for step in found if step.path.endswith("/api/tools.json")), _LOCK)
    for change in sorted(comparison.changes, key=lambda change: -VERDICTS.index(change.verdict)):
        level = "error" if change.verdict in ("breaking", "risk") else "warning"
        message = f"{f'{change.tool}: ' if change.tool else ''}{sentence(change)}. {change.reason}"
        yield _command(level, f"{prefix}{contract}", change.verdict, message)
    for step in found:
        if step.action in ("conflict", "keep"):
            level = "error" if step.action == "conflict" else "notice"
            yield _command(level, f"{prefix}{step.path}", f"toolcast update: {step.action}", step.note)
    others = [step.path for step in found if step.action not in ("conflict", "keep")]
    if others:
        files = f"{len(others):,} file{' differs' if len(others) == 1 else 's differ'} from what is generated now"
        yield _command("warning", f"{prefix}{_LOCK}", "toolcast update", f"{files}: {', '.join(others)}")


def _command(level: str, path: str, title: str, message: str) -> str:
    """A workflow command; what would end a value is escaped as the Actions toolkit escapes it."""
    data = message.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    values = {"file": path, "title": title} if path else {"title": title}
    properties = ",".join(f"{key}={_property(value)}" for key, value in values.items())
    return f"::{level} {properties}::{data}"


def _property(value: str) -> str:
    escapes = (("%", "%25"), ("\r", "%0D"), ("\n", "%0A"), (":", "%3A"), (",", "%2C"))
    for character, escape in escapes:
        value = value.replace(character, escape)
    return value
