"""The configuration file: ``toolcast.toml`` in the package's folder."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from toolcast.diagnostics import Diagnostic, Failure, Location
from toolcast.load import toml
from toolcast.model.config import Config, GroupWish, Match, Metadata, Rule, Select, ServerWish, ToolTable
from toolcast.model.keys import CONFIGURATION
from toolcast.model.pointer import join
from toolcast.model.shape import Path as Keys
from toolcast.model.shape import dotted, problems
from toolcast.model.wishes import Author, icons, tool_wish

FILE = "toolcast.toml"
MAX_BYTES: Final = 1024 * 1024
_NAME = re.compile(r"[a-z][a-z0-9]*(?:[-_][a-z0-9]+)*")
_VERSION = re.compile(r"\d+(?:\.\d+)*(?:(?:a|b|rc|\.post|\.dev)\d+)*(?:\+[a-z0-9.]+)?")  # PEP 440, normal form
_AUTHOR = re.compile(r"\s*([^<>]*?)\s*(?:<([^<>\s]+@[^<>\s]+)>)?\s*")


def read(folder: Path) -> Config | None:
    """The owner's configuration in a folder, or None where there is none; raises ``Failure``."""
    path = folder / FILE
    try:
        return read_file(path)
    except (FileNotFoundError, NotADirectoryError):
        return None


def read_file(path: Path) -> Config:
    """The owner's configuration in a file; raises ``FileNotFoundError``, and ``Failure`` on what cannot be meant."""
    text = read_text(path)
    try:
        values = toml.values(text)
        lines = toml.lines(text)
    except tomllib.TOMLDecodeError as error:
        line = re.search(r"line (\d+)", str(error))
        message = f"{path.name} is no TOML: {error}"
        last = text.rstrip("\r\n").count("\n") + 1
        raise _failure(path, message, "Correct it there.", int(line[1]) if line else last) from None
    except RecursionError:
        raise _failure(path, f"{path.name} is nested too deeply", "Write flat tables.") from None

    def place(keys: Keys) -> Location:
        """Where a part stands, or where what it is part of stands."""
        known = next((lines[keys[:n]] for n in range(len(keys), 0, -1) if keys[:n] in lines), None)
        return Location(file=str(path), pointer=join(keys), line=known)

    found = sorted(problems(values, CONFIGURATION), key=lambda problem: place(problem.path).line or 0)
    if found:
        more = f" (and {len(found) - 1} more like it)" if len(found) > 1 else ""
        first = found[0]
        raise Failure(
            Diagnostic(
                code="TC600",
                severity="error",
                message=f"{first.message}{more}",
                location=place(first.path),
                help=first.help,
            )
        )
    config = _config(values, place)
    check_name(config.name, place(("name",)))
    if not _VERSION.fullmatch(config.version):
        message = f"`version` is no version of a package: {config.version!r}"
        raise _failure(path, message, "Write one like 1.2.0.", place(("version",)).line)
    return config


def read_text(path: Path) -> str:
    """The text of a configuration file; raises ``FileNotFoundError``, and ``Failure`` when it cannot be read."""
    try:
        with path.open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except (FileNotFoundError, NotADirectoryError):
        raise
    except OSError as error:
        message = f"{path.name} cannot be read: {error.strerror or error}"
        raise _failure(path, message, "Make it a readable file.") from None
    if len(data) > MAX_BYTES:
        raise _failure(path, f"{path.name} is larger than {MAX_BYTES // 2**20} MiB", "Check that this is the file.")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        message = f"Byte {error.start} of {path.name} is not UTF-8"
        raise _failure(path, message, "Save it as UTF-8.", line) from None


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


def completed(text: str, **settled: str) -> str:
    """A configuration's text with the keys at its top that it lacks; whatever the owner has written stays."""
    import tomlkit

    document = tomlkit.parse(text)
    missing = {key: value for key, value in settled.items() if value and key not in document}
    if not missing:
        return text
    end = "\r\n" if "\r\n" in text else "\n"
    keys = "".join(f"{key} = {tomlkit.item(value).as_string()}{end}" for key, value in missing.items())
    # Behind what is said of the whole file, and before all tables, to which the keys would belong.
    about = re.match(r"(?:#[^\n]*\n)+(?=\r?\n|\Z)", text)
    start = about.end() if about is not None else 0
    before = f"{text[:start]}{end}" if start else ""
    return f"{before}{keys}{text[start:]}"


def _config(values: Mapping[str, Any], place: Callable[[Keys], Location]) -> Config:
    author = Author(place, lambda keys: f"configuration: {dotted(keys)}", owner=True)
    document = values.get("document", "")
    table: Mapping[str, Any] = {"address": document} if isinstance(document, str) else document
    folder = values.get("templates", "")
    select, schemas = values.get("select", {}), values.get("schemas", {})
    given: dict[str, Any] = {key: values[key] for key in ("name", "version", "files") if key in values}
    given |= {key: schemas[key] for key in ("output_schema", "budget", "body", "refs", "recursion") if key in schemas}
    return Config(
        document=table.get("address", ""),
        overlays=tuple(table.get("overlays", ())),
        tree=table.get("tree", ""),
        allow_remote_refs=table.get("allow_remote_refs", False),
        select=Select(
            include=_match(select.get("include", {}), author, ("select", "include")),
            exclude=_match(select.get("exclude", {}), author, ("select", "exclude")),
            deprecated=select.get("deprecated"),
        ),
        rules=tuple(
            Rule(
                match=_match(rule["match"], author, ("rules", index, "match")),
                wish=tool_wish(rule, author, ("rules", index)),
                at=place(("rules", index)),
            )
            for index, rule in enumerate(values.get("rules", ()))
        ),
        tools=tuple(
            ToolTable(text=text, wish=tool_wish(tool, author, ("tools", text)), at=place(("tools", text)))
            for text, tool in values.get("tools", {}).items()
        ),
        groups={
            name: GroupWish(**group, at=place(("groups", name))) for name, group in values.get("groups", {}).items()
        },
        media_types=tuple(schemas.get("media_types", ())),
        server=_server(values.get("server", {}), author),
        package=_metadata(values.get("package", {})),
        templates=folder if isinstance(folder, str) else folder.get("directory", ""),
        **given,
    )


def _match(table: Mapping[str, Any], author: Author, path: Keys) -> Match:
    said: dict[str, Any] = {
        key: tuple(author.said(text, *path, key, index) for index, text in enumerate(texts))
        for key, texts in table.items()
        if key != "deprecated"
    }
    return Match(**said, deprecated=table.get("deprecated"))


def _server(table: Mapping[str, Any], author: Author) -> ServerWish:
    toolsets = tuple(author.said(name, "server", "toolsets", n) for n, name in enumerate(table.get("toolsets", ())))
    rest = {key: value for key, value in table.items() if key not in ("toolsets", "icons")}
    return ServerWish(**rest, toolsets=toolsets, icons=icons(table.get("icons", [])))


def _metadata(table: Mapping[str, Any]) -> Metadata:
    authors: list[tuple[str, str]] = []
    for text in table.get("authors", ()):
        found = _AUTHOR.fullmatch(f"<{text}>" if re.fullmatch(r"[^<>\s]+@[^<>\s]+", text) else text)
        authors.append((found[1], found[2] or "") if found is not None else (text, ""))
    rest = {key: value for key, value in table.items() if key not in ("authors", "dependencies")}
    return Metadata(**rest, authors=tuple(authors), dependencies=tuple(table.get("dependencies", ())))


def _failure(path: Path, message: str, cure: str, line: int | None = None) -> Failure:
    location = Location(file=str(path), line=line)
    return Failure(Diagnostic(code="TC600", severity="error", message=message, location=location, help=cure))
