"""The pipeline: load → parse → map → emit → write."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path, PurePath
from typing import TypeAlias

from toolcast import __version__
from toolcast.diagnostics import Diagnostic, Failure, Location, Report
from toolcast.emit import render
from toolcast.load import configuration
from toolcast.load.document import load
from toolcast.mapping.catalog import catalog
from toolcast.mapping.tokens import Sizes
from toolcast.model.cache import Cache, Forgetful
from toolcast.model.catalog import Catalog
from toolcast.model.config import Config
from toolcast.model.document import Document
from toolcast.model.lock import Lock
from toolcast.parse.api import parse
from toolcast.write import lock as lock_file
from toolcast.write.apply import apply
from toolcast.write.plan import Plan, plan
from toolcast.write.state import Address

Progress: TypeAlias = Callable[[str], None]
_SERVE_TIMEOUT = 5.0  # seconds for a document's URL, when an agent waits for the server


def _silent(stage: str) -> None:
    """Say nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """What a document's references may lead to: files in ``tree`` (default: see ``load``), and other origins or not."""

    tree: Path | None = None
    allow_remote_refs: bool = False


_NEAR = Reach()
_NOTHING_KEPT: Cache = Forgetful()


@dataclass(frozen=True, slots=True, kw_only=True)
class Inspection:
    """What a document would become."""

    document: Document
    catalog: Catalog
    lock: Lock
    report: Report


@dataclass(frozen=True, slots=True, kw_only=True)
class Generation:
    """What was made, and what happened on disk."""

    inspection: Inspection
    plan: Plan
    applied: bool


def inspect(
    address: str,
    *,
    report: Report,
    reach: Reach = _NEAR,
    strict: bool = False,
    cache: Cache = _NOTHING_KEPT,
    progress: Progress = _silent,
) -> Inspection:
    """What a document would become; raises ``Failure`` when nothing can be made of it."""
    progress("reading the document")
    document = load(address, report, tree=reach.tree, allow_remote_refs=reach.allow_remote_refs, cache=cache)
    return _mapped(document, Config(), Lock(), report=report, strict=strict, progress=progress)


def _mapped(
    document: Document,
    config: Config,
    lock: Lock,
    *,
    report: Report,
    strict: bool = False,
    progress: Progress = _silent,
) -> Inspection:
    report.lines = document.lines
    progress("understanding the API")
    api = parse(document, report)
    offered, decided = catalog(
        api, config, lock, report, lambda done, total: progress(f"mapping operations: {done:,} of {total:,}")
    )
    _report_empty(document, offered, report)
    if strict and report.of("warning"):
        raise Failure(
            Diagnostic(
                code="TC602",
                severity="error",
                message=f"{len(report.of('warning'))} warnings, and --strict allows none",
                location=Location(file=document.file),
                help="Correct what they name, or leave --strict out.",
            )
        )
    return Inspection(document=document, catalog=offered, lock=decided, report=report)


def _report_empty(document: Document, offered: Catalog, report: Report) -> None:
    """Say why there are no tools, where nothing else has said it."""
    if offered.tools or offered.left_out or any(finding.operation for finding in report.diagnostics):
        return
    webhooks = "webhooks" in document.root or "x-webhooks" in document.root
    why = "webhooks are requests that the API sends, not tools" if webhooks else "`paths` holds none"
    report.add(
        Diagnostic(
            code="TC263",
            severity="warning",
            message=f"The document has no operations: {why}",
            location=Location(file=document.file, pointer="/paths"),
            help="The server offers no tools.",
        )
    )


def sizes(offered: Catalog) -> dict[str, int]:
    """The tokens that each tool costs in a list, by name."""
    measured = Sizes()
    return {tool.name: measured.tokens(render.listed(tool)) for tool in offered.tools}


def generate(
    address: str | None,
    output: Path,
    *,
    report: Report,
    name: str = "",
    reach: Reach = _NEAR,
    strict: bool = False,
    cache: Cache = _NOTHING_KEPT,
    progress: Progress = _silent,
) -> Generation:
    """Make a package in a folder, or bring an earlier one up to date with a document; raises ``Failure``.

    Without an address the document is the one that the package's configuration names. Nothing is written when files
    that the owner has edited would change: the plan then has conflicts.
    """
    config = configuration.read(output)
    lock = lock_file.read(output)
    configuration.check_name(name)
    if config is not None and name and config.name and name != config.name:
        raise Failure(
            Diagnostic(
                code="TC603",
                severity="error",
                message=f"the package is called {config.name!r}, not {name!r}",
                location=Location(file=str(output / configuration.FILE)),
                help="Leave --name out, or change `name` there.",
            )
        )
    if lock is not None and config is None:
        raise Failure(
            Diagnostic(
                code="TC605",
                severity="error",
                message=f"{output} has a lock, but no {configuration.FILE}: the package's name is not known",
                location=Location(file=str(output)),
                help="Restore it from version control.",
            )
        )
    address = address or _configured(config, output)
    if lock is None:
        plan(output, (), None)  # refuses a foreign folder before any work
    settled = replace(config or Config(), name=name or (config.name if config else ""))
    progress("reading the document")
    document = load(address, report, tree=reach.tree, allow_remote_refs=reach.allow_remote_refs, cache=cache)
    found = _mapped(document, settled, lock or Lock(), report=report, strict=strict, progress=progress)
    progress(f"writing {len(found.catalog.types):,} types and {len(found.catalog.tools):,} operations")
    files = render.files(found.catalog, _reference(document, output), cache=cache)
    made = plan(output, files, lock.files if lock is not None else None)
    if made.of("conflict"):
        return Generation(inspection=found, plan=made, applied=False)
    progress("writing files")
    kept = replace(found.lock, files=made.renditions, digest=document.digest, generator=__version__)
    apply(made, lock_file.text(kept))
    return Generation(inspection=found, plan=made, applied=True)


def _configured(config: Config | None, output: Path) -> str:
    """The address of the document that a package's configuration names; raises ``Failure`` when it names none."""
    named = config.document if config is not None else ""
    if not named or named == "-":
        raise Failure(
            Diagnostic(
                code="TC604",
                severity="error",
                message="no document is named" + (f", and {configuration.FILE} names none" if config else ""),
                location=Location(file=str(output / configuration.FILE)) if config else None,
                help="Name it: toolcast generate openapi.yaml --output DIR",
            )
        )
    return named if "://" in named else str(output / named)


def _reference(document: Document, output: Path) -> str:
    """Where a document is, as the package in ``output`` says it: a URL, or a relative path with ``/``."""
    if document.url is not None or document.address == "-":
        return document.url or "-"
    try:
        relative = os.path.relpath(Path(document.address).resolve(), output.resolve())
    except ValueError:  # another drive, on Windows
        return PurePath(document.address).as_posix()
    return PurePath(relative).as_posix()


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    """A package that can be started: its folder of sources, and its import name."""

    source: Path
    module: str


def servable(address: str, *, name: str = "", reach: Reach = _NEAR, report: Report) -> Served:
    """A package for a document, made when it is not there yet; raises ``Failure``.

    It is kept in the state folder, by address, document and version, so that names stay from one start to the next.
    When the document cannot be had, the last good package is served, with a warning.
    """
    configuration.check_name(name)
    entry = Address.of(address, name)
    try:
        document = load(
            address,
            report,
            validate=False,
            timeout=_SERVE_TIMEOUT,
            tree=reach.tree,
            allow_remote_refs=reach.allow_remote_refs,
        )
    except Failure as failure:
        last = entry.last()
        if last is None:
            raise
        report.add(replace(failure.diagnostic, severity="warning", help="What was served last is served again."))
        return Served(source=entry.folder / last[0] / "src", module=last[1])
    report.lines = document.lines
    folder, last = entry.package(document.digest, __version__), entry.last()
    if last is not None and last[0] == folder.name:
        return Served(source=folder / "src", module=last[1])
    found = _mapped(document, Config(name=name), entry.lock() or Lock(), report=report)
    module = found.catalog.package
    if not (folder / lock_file.FILE).is_file():
        files = render.files(found.catalog, document.url or "-", with_tests=False, with_types=False)
        try:
            made = plan(folder, files, None)
            kept = replace(found.lock, files=made.renditions, digest=document.digest, generator=__version__)
            apply(made, lock_file.text(kept))
        except Failure:
            if not (folder / lock_file.FILE).is_file():  # else another start has made it meanwhile
                raise
    entry.remember(folder, module)
    return Served(source=folder / "src", module=module)
