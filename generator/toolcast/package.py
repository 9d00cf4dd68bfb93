"""A package on disk: what it says of itself."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from toolcast.diagnostics import Diagnostic, Failure, Location
from toolcast.load import configuration
from toolcast.load.settings import beside
from toolcast.model.config import Config
from toolcast.model.json import Json
from toolcast.model.lock import Lock
from toolcast.model.urls import parts
from toolcast.write import lock as lock_file
from toolcast.write.folder import check_ours


@dataclass(frozen=True, slots=True, kw_only=True)
class Package:
    """What its owner wants, and what was decided before; ``lock`` is None in a folder where nothing was written yet."""

    folder: Path
    config: Config
    lock: Lock | None

    @classmethod
    def read(cls, folder: Path, *, name: str = "") -> Package:
        """The package in a folder, with the base name that was asked for; raises ``Failure`` where they disagree."""
        config, lock = configuration.read(folder), lock_file.read(folder)
        configuration.check_name(name)
        if config is not None and name and config.name and name != config.name:
            message = f"The package is called {config.name!r}, not {name!r}"
            cure = "Leave --name out, or change `name` there."
            raise _failure("TC603", folder / configuration.FILE, message, cure)
        if lock is not None and config is None:
            message = f"{folder} has a lock, but no {configuration.FILE}: the package's name is not known"
            raise _failure("TC605", folder, message, "Restore it from version control.")
        settled = replace(config or Config(), name=name or (config.name if config else ""))
        return cls(folder=folder, config=settled, lock=lock)

    def address(self) -> str:
        """The address of the document that the configuration names; raises ``Failure`` when it names none."""
        named = self.config.document
        if not named or named == "-":
            there = (self.folder / configuration.FILE).is_file()
            message = "No document is named" + (f", and {configuration.FILE} names none" if there else "")
            cure = "Name it: toolcast generate openapi.yaml --output DIR"
            raise _failure("TC604", self.folder / configuration.FILE if there else None, message, cure)
        return beside(self.folder, named)


def check_package(folder: Path) -> None:
    """Refuse a folder in which there is nothing to bring up to date."""
    check_ours(folder)
    if not (folder / configuration.FILE).is_file() and not (folder / lock_file.FILE).is_file():
        message = f"{folder} is no package of toolcast's: there is no {configuration.FILE}"
        cure = "Name its folder, or make one: toolcast generate openapi.yaml --output DIR"
        raise _failure("TC606", folder, message, cure)


def origins(lock: Lock) -> set[str]:
    """Where requests go, and where credentials are exchanged for tokens."""
    found = set(lock.origins)
    told: list[Json] = [dict(scheme) for scheme in lock.credentials.values()]
    while told:
        match told.pop():
            case dict() as table:
                told += table.values()
            case str() as text if text.startswith(("http://", "https://")):
                read = parts(text)
                found.add(text if read is None else f"{read.scheme}://{read.netloc.rpartition('@')[2].lower()}")
            case _:
                pass
    return found


def owner_of(path: Path) -> tuple[Path, str]:
    """The folder of the package that a file belongs to, as far as the path says it, and the file's path in it."""
    for folder in path.parents:
        if (folder / lock_file.FILE).is_file():
            return folder, path.relative_to(folder).as_posix()
    if not path.is_absolute():
        return owner_of(Path.cwd() / path)
    raise _failure("TC606", path, f"{path} is in no package of toolcast's", "Name a file of a package.")


def _failure(code: str, path: Path | None, message: str, cure: str) -> Failure:
    location = Location(file=str(path)) if path is not None else None
    return Failure(Diagnostic(code=code, severity="error", message=message, location=location, help=cure))
