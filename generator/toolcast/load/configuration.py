"""The configuration file: ``toolcast.toml`` in the package's folder."""

from __future__ import annotations

import difflib
import re
import tomllib
from dataclasses import fields
from pathlib import Path
from typing import cast

from toolcast.diagnostics import Diagnostic, Failure, Location
from toolcast.model.config import Config

FILE = "toolcast.toml"
_NAME = re.compile(r"[a-z][a-z0-9]*(?:[-_][a-z0-9]+)*")
_VERSION = re.compile(r"\d+(?:\.\d+)*(?:(?:a|b|rc|\.post|\.dev)\d+)*(?:\+[a-z0-9.]+)?")  # PEP 440, normal form


def read(folder: Path) -> Config | None:
    """The owner's configuration, or None where there is none; raises ``Failure`` on what cannot be meant."""
    path = folder / FILE
    try:
        text = path.read_text("utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise _failure(path, f"{FILE} cannot be read: {error}", "Make it a readable UTF-8 file.") from None
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        line = re.search(r"line (\d+)", str(error))
        raise _failure(
            path, f"{FILE} is no TOML: {error}", "Correct it there.", int(line[1]) if line else None
        ) from None
    known = [field.name for field in fields(Config)]
    for key, value in values.items():
        line = _line(text, key)
        if key == "templates" and isinstance(value, dict):
            values[key] = value = _directory(cast("dict[str, object]", value), path, text)
        if key not in known:
            nearest = difflib.get_close_matches(key, known, 1)
            hint = f"Did you mean `{nearest[0]}`?" if nearest else f"It knows {', '.join(known)}."
            raise _failure(path, f"{FILE} has an unknown key {key!r}", hint, line)
        if not isinstance(value, str):
            raise _failure(path, f"`{key}` in {FILE} should be a text", f'Write {key} = "…".', line)
    config = Config(**values)
    check_name(config.name, Location(file=str(path), line=_line(text, "name")))
    if not _VERSION.fullmatch(config.version):
        raise _failure(
            path,
            f"`version` in {FILE} is no version: {config.version!r}",
            "Write one like 1.2.0.",
            _line(text, "version"),
        )
    return config


def _directory(table: dict[str, object], path: Path, text: str) -> object:
    """What ``[templates] directory`` holds."""
    for key in table:
        if key != "directory":
            raise _failure(
                path, f"[templates] in {FILE} has an unknown key {key!r}", "It knows directory.", _line(text, key)
            )
    return table.get("directory", "")


def check_name(name: str, location: Location | None = None) -> None:
    """Refuse a base name from which no package can be named; the empty name means that there is none yet."""
    if name and (len(name) > 40 or not _NAME.fullmatch(name)):
        raise Failure(
            Diagnostic(
                code="TC601",
                severity="error",
                message=f"{name!r} cannot be the name of a package",
                location=location,
                help="Use at most 40 small letters, digits and single dashes, beginning with a letter: `petstore`.",
            )
        )


def _line(text: str, key: str) -> int | None:
    pattern = re.compile(rf"\s*\[?\s*[\"']?{re.escape(key)}[\"']?\s*[\]=]")
    return next((number for number, line in enumerate(text.splitlines(), 1) if pattern.match(line)), None)


def _failure(path: Path, message: str, cure: str, line: int | None = None) -> Failure:
    location = Location(file=str(path), line=line)
    return Failure(Diagnostic(code="TC600", severity="error", message=message, location=location, help=cure))
