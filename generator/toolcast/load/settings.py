"""Settings: a configuration together with where it stands, and the document that it is for."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from toolcast.diagnostics import Diagnostic, Failure, Report
from toolcast.load import configuration
from toolcast.load.document import load
from toolcast.load.source import TIMEOUT
from toolcast.model.cache import Cache, Forgetful
from toolcast.model.config import Config
from toolcast.model.document import Document

_NOTHING_KEPT: Cache = Forgetful()


def beside(folder: Path, address: str) -> str:
    """The URL that an address is, or the path that it is from a folder, without steps up that lead back."""
    if "://" in address:
        return address
    path = folder / address
    short = Path(os.path.normpath(path))
    # A step up after a symbolic link leads elsewhere than the path looks.
    return str(short if short.resolve() == path.resolve() else path)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """A configuration, and the folder that its paths are relative to."""

    config: Config
    folder: Path

    @classmethod
    def read(cls, file: Path | None) -> Settings:
        """The settings of a configuration file, which has to be there; without one, nothing is set."""
        if file is None:
            return cls(config=Config(), folder=Path())
        try:
            return cls(config=configuration.read_file(file), folder=file.parent)
        except (FileNotFoundError, NotADirectoryError):
            message, cure = f"There is no file {file}", f"Name a {configuration.FILE}."
            raise Failure(Diagnostic(code="TC607", severity="error", message=message, help=cure)) from None

    @property
    def overlays(self) -> tuple[str, ...]:
        """The addresses of the overlays, as they are from here."""
        return tuple(beside(self.folder, overlay) for overlay in self.config.overlays)

    def document(
        self,
        address: str,
        report: Report,
        overlays: Sequence[str] = (),
        *,
        tree: Path | None = None,
        allow_remote_refs: bool = False,
        validate: bool = True,
        timeout: float = TIMEOUT,
        cache: Cache = _NOTHING_KEPT,
    ) -> Document:
        """The document at an address; what is given here of overlays and references counts before the configuration."""
        own = self.folder / self.config.tree if self.config.tree else None
        return load(
            address,
            report,
            overlays=overlays or self.overlays,
            tree=tree or own,
            allow_remote_refs=allow_remote_refs or self.config.allow_remote_refs,
            validate=validate,
            timeout=timeout,
            cache=cache,
        )
