"""Load: an address → a Document."""

from __future__ import annotations

import hashlib
import json
import re

import orjson

from toolcast.diagnostics import Diagnostic, Failure, Location, Report
from toolcast.load.identity import foreign, identify
from toolcast.load.positions import TextLines
from toolcast.load.source import TIMEOUT, read
from toolcast.load.text import decode
from toolcast.load.upgrade import upgrade
from toolcast.model.document import Document
from toolcast.model.json import Json, JsonObject

_MAX_DUPLICATES_BYTES = 2_000_000  # above it, the second reading of a JSON text takes noticeable time


def load(address: str, report: Report, *, validate: bool = True, timeout: float = TIMEOUT) -> Document:
    """The document at a path, a URL or ``-``, in the dialect of OpenAPI 3.2; what is odd in it goes to the report.

    ``timeout`` is for URLs, in seconds.

    Raises Failure, and nothing else, where there is no document that can be used.
    """
    source = read(address, timeout=timeout)
    text = decode(source.data, source.file)
    foreign(text, source.file)
    value = _parse(text, source.file, report)
    root, version = identify(value, source.file, report)
    digest = _digest(root, text, source.file)
    if validate:
        from toolcast.load.validation import findings

        report.extend(findings(root, version, source.file))
    upgrade(root)
    return Document(
        address=source.address,
        file=source.file,
        url=source.url,
        version=version,
        root=root,
        files={},
        digest=digest,
        lines=TextLines(source.file, text),
    )


def _parse(text: str, file: str, report: Report) -> Json:
    """The value of a JSON or YAML text; JSON that strict readers refuse is read as YAML, which allows more."""
    from toolcast.load import yaml

    refusal: orjson.JSONDecodeError | None = None
    if text.lstrip().startswith(("{", "[")):
        try:
            value: Json = orjson.loads(text)
        except orjson.JSONDecodeError as error:
            refusal = error
        else:
            if len(text) <= _MAX_DUPLICATES_BYTES and _has_duplicates(text):
                report.extend(yaml.read(text, file).warnings)
            return value
    try:
        reading = yaml.read(text, file)
    except Failure as failure:
        # What is wrong with a JSON text is better said in the words of a JSON reader.
        if refusal is None or failure.diagnostic.code != "TC020":
            raise
        raise Failure(_syntax(refusal, "error", file, "correct the text around this line")) from None
    if refusal is not None and isinstance(reading.value, dict):
        report.add(_syntax(refusal, "warning", file, "other tools will refuse it: correct it, or name it .yaml"))
    report.extend(reading.warnings)
    return reading.value


def _syntax(error: orjson.JSONDecodeError, severity: str, file: str, advice: str) -> Diagnostic:
    reason = re.sub(r": line \d+ column \d+ \(char \d+\)\Z", "", str(error))
    message = f"not well-formed JSON: {reason} (column {error.colno})"
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


def _digest(root: JsonObject, text: str, file: str) -> str:
    """The SHA-256 of the canonical JSON of a document."""
    try:
        canonical = orjson.dumps(root, option=orjson.OPT_SORT_KEYS)
    except TypeError as error:
        if "ecursion" in str(error):
            from toolcast.load import yaml

            yaml.read(text, file)  # refuses it, with the line
            message, advice = "nested too deeply", "use $ref to flatten it"
            raise Failure(Diagnostic(code="TC023", severity="error", message=message, help=advice)) from None
        message = "a text in it holds half of a character (a lone surrogate)"
        location = Location(file=file)
        advice = "correct the escapes \\uD800 to \\uDFFF in it"
        raise Failure(
            Diagnostic(code="TC026", severity="error", message=message, location=location, help=advice)
        ) from None
    return hashlib.sha256(canonical).hexdigest()
