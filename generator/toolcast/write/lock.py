"""The lock on disk: ``toolcast.lock``, sorted JSON that is read in reviews."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from toolcast.diagnostics import Diagnostic, Failure, Location
from toolcast.model.lock import Lock, Rendition

FILE = "toolcast.lock"
_FORMAT = 2
_FORMATS = (1, _FORMAT)  # the first had the SHA-256 of each file alone


def read(folder: Path) -> Lock | None:
    """The lock of a package's folder, or None where there is none; raises ``Failure`` when it cannot be used."""
    path = folder / FILE
    try:
        values = json.loads(path.read_text("utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError) as error:
        raise _failure(path, f"{FILE} cannot be read: {error}") from None
    if not isinstance(values, dict) or cast("dict[str, Any]", values).get("format") not in _FORMATS:
        raise _failure(path, f"{FILE} has a format that this version does not know")
    table = cast("dict[str, Any]", values)
    try:
        return Lock(
            names=_texts(table["names"]),
            ids=_texts(table["ids"]),
            groups=_texts(table["groups"]),
            arguments={key: _texts(value) for key, value in table["arguments"].items()},
            # A lock that was written before there were these has none of them.
            bodies=_texts(table.get("bodies", {})),
            retired=_texts(table.get("retired", {})),
            aliases=_texts(table.get("aliases", {})),
            origins=tuple(map(str, table.get("origins", ()))),
            credentials={str(scheme): dict(told.items()) for scheme, told in table.get("credentials", {}).items()},
            variables=_texts(table["variables"]),
            files={path: _rendition(value) for path, value in table["files"].items()},
            given=tuple(map(str, table.get("given", ()))),
            digest=str(table["document"]),
            generator=str(table["generator"]),
        )
    except (KeyError, AttributeError, TypeError) as error:
        raise _failure(path, f"{FILE} lacks a part, or has one of another kind: {error}") from None


def text(lock: Lock) -> str:
    """The lock as text, stable and sorted."""
    values = {
        "format": _FORMAT,
        "generator": lock.generator,
        "document": lock.digest,
        "names": dict(lock.names),
        "ids": dict(lock.ids),
        "groups": dict(lock.groups),
        "arguments": {key: dict(value) for key, value in lock.arguments.items() if value},
        "bodies": dict(lock.bodies),
        "retired": dict(lock.retired),
        "aliases": dict(lock.aliases),
        "origins": list(lock.origins),
        "credentials": {scheme: dict(told) for scheme, told in lock.credentials.items()},
        "variables": dict(lock.variables),
        "files": {path: {"digest": known.digest, "blob": known.blob} for path, known in lock.files.items()},
        "given": sorted(lock.given),
    }
    return json.dumps(values, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def _rendition(value: Any) -> Rendition:
    if isinstance(value, str):
        return Rendition(digest=value)
    return Rendition(digest=str(value["digest"]), blob=str(value["blob"]))


def _texts(value: Any) -> Mapping[str, str]:
    return {str(key): str(item) for key, item in value.items()}


def _failure(path: Path, message: str) -> Failure:
    return Failure(
        Diagnostic(
            code="TC510",
            severity="error",
            message=message,
            location=Location(file=str(path)),
            help="Restore it from version control: it keeps the names of tools as they are.",
        )
    )
