"""What the rules of OpenAPI say about a document: warnings, never a reason to stop."""

from __future__ import annotations

from toolcast.diagnostics import Diagnostic, Location
from toolcast.load.dangling import dangling
from toolcast.load.pointers import join
from toolcast.model.json import JsonObject

MAX_FINDINGS = 50
_MAX_MESSAGE = 200


def findings(root: JsonObject, version: str, file: str) -> list[Diagnostic]:
    """The faults of a document of this version, such as "3.1.0", before it is upgraded.

    TC112 for targets of references that do not exist, TC110 for what openapi-spec-validator finds (the first 50,
    then how many more), TC111 where it gave up. Nothing is fetched or opened.
    """
    return [*dangling(root, file), *_checked(root, version, file)]


def _checked(root: JsonObject, version: str, file: str) -> list[Diagnostic]:
    from referencing.exceptions import PointerToNowhere

    from toolcast.load.validator import Unreachable, errors

    found: dict[tuple[str, str], Diagnostic] = {}
    left = 0
    stopped: list[Diagnostic] = []
    try:
        for path, text in errors(root, int(version.split(".")[1])):
            message, pointer = _cut(text), join(path)
            if (message, pointer) in found:
                continue
            if len(found) == MAX_FINDINGS:
                left += 1
                continue
            found[message, pointer] = Diagnostic(
                code="TC110",
                severity="warning",
                message=message,
                location=Location(file=file, pointer=pointer),
                help="correct the document, or tell whoever publishes it",
            )
    except Exception as error:  # noqa: BLE001 - on a document with faults the validator raises anything at all
        if _is_or_comes_from(error, Unreachable):
            reason = "the document refers to other files"
        elif _is_or_comes_from(error, PointerToNowhere):
            reason = "a reference leads nowhere"
        else:
            reason = _reason(error)
        stopped.append(
            Diagnostic(
                code="TC111",
                severity="warning",
                message=_cut(f"the validator could not finish: {reason}"),
                location=Location(file=file),
                help="what it had not yet looked at is used unchecked",
            )
        )
    if left:
        stopped.append(
            Diagnostic(
                code="TC110",
                severity="warning",
                message=f"{left} more findings of the validator are not shown",
                location=Location(file=file),
                help="correct the ones above first",
            )
        )
    return [*found.values(), *stopped]


def _is_or_comes_from(error: BaseException | None, kind: type[Exception]) -> bool:
    for _ in range(10):
        if error is None or isinstance(error, kind):
            break
        error = error.__cause__ or error.__context__
    return isinstance(error, kind)


def _reason(error: Exception) -> str:
    """The kind of an exception, with its text where that is short: it may hold the whole document."""
    text = str(error)
    return f"{type(error).__name__}: {text}" if text and len(text) <= 120 else type(error).__name__


def _cut(text: str) -> str:
    line = " ".join(text[: 4 * _MAX_MESSAGE].split())
    return line if len(line) <= _MAX_MESSAGE else line[: _MAX_MESSAGE - 1] + "…"
