"""The text of a file → its value, and that value's canonical form."""

from __future__ import annotations

import json
import re

import orjson

from toolcast.diagnostics import Diagnostic, Failure, Location, Report
from toolcast.model.json import Json

_MAX_DUPLICATES_BYTES = 2_000_000  # above it, the second reading of a JSON text takes noticeable time


def value(text: str, file: str, report: Report) -> Json:
    """The value of a JSON or YAML text; JSON that strict readers refuse is read as YAML, which allows more.

    Raises Failure TC020 to TC025.
    """
    from toolcast.load import yaml

    refusal: orjson.JSONDecodeError | None = None
    if text.lstrip().startswith(("{", "[")):
        try:
            found: Json = orjson.loads(text)
        except orjson.JSONDecodeError as error:
            refusal = error
        else:
            if len(text) <= _MAX_DUPLICATES_BYTES and _has_duplicates(text):
                report.extend(yaml.read(text, file).warnings)
            return found
    try:
        reading = yaml.read(text, file)
    except Failure as failure:
        # What is wrong with a JSON text is better said in the words of a JSON reader.
        if refusal is None or failure.diagnostic.code != "TC020":
            raise
        raise Failure(_syntax(refusal, "error", file, "Correct the text around this line.")) from None
    if refusal is not None and isinstance(reading.value, dict):
        report.add(_syntax(refusal, "warning", file, "Other tools will refuse it: correct it, or name it .yaml."))
    report.extend(reading.warnings)
    return reading.value


def canonical(root: Json, text: str, file: str) -> bytes:
    """The canonical JSON of the value of a text; raises Failure TC023 and TC026 where it has none."""
    try:
        return orjson.dumps(root, option=orjson.OPT_SORT_KEYS)
    except TypeError as error:
        if "ecursion" in str(error):
            from toolcast.load import yaml

            yaml.read(text, file)  # refuses it, with the line
            message, advice = "Nested too deeply", "Use $ref to flatten it."
            raise Failure(Diagnostic(code="TC023", severity="error", message=message, help=advice)) from None
        message = "A text in it holds half of a character (a lone surrogate)"
        location = Location(file=file)
        advice = "Correct the escapes \\uD800 to \\uDFFF in it."
        raise Failure(
            Diagnostic(code="TC026", severity="error", message=message, location=location, help=advice)
        ) from None


def _syntax(error: orjson.JSONDecodeError, severity: str, file: str, advice: str) -> Diagnostic:
    reason = re.sub(r": line \d+ column \d+ \(char \d+\)\Z", "", str(error))
    message = f"Not well-formed JSON: {reason} (column {error.colno})"
    location = Location(file=file, line=error.lineno)
    if severity == "error":
        return Diagnostic(code="TC020", severity="error", message=message, location=location, help=advice)
    return Diagnostic(code="TC103", severity="warning", message=message, location=location, help=advice)


class _DuplicateKey(Exception):
    pass


def _has_duplicates(text: str) -> bool:
    """Does an object of this JSON text have a key twice? The fast reader does not say."""

    def check(pairs: list[tuple[str, object]]) -> None:
        if len({name for name, _ in pairs}) != len(pairs):
            raise _DuplicateKey

    try:
        json.loads(text, object_pairs_hook=check, parse_int=str, parse_float=str)
    except _DuplicateKey:
        return True
    except RecursionError:
        return False  # nested deeper than is allowed: refused in a moment, with its line
    return False
