"""The pipeline: load → parse → map → emit → write."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path, PurePath
from typing import TypeAlias

import orjson

from toolcast import __version__
from toolcast.diagnostics import Diagnostic, Failure, Location, Report
from toolcast.emit import render
from toolcast.load import configuration
from toolcast.load.document import load
from toolcast.mapping.catalog import catalog
from toolcast.mapping.tokens import Sizes
from toolcast.model.catalog import Catalog
from toolcast.model.config import Config
from toolcast.model.document import Document
from toolcast.model.lock import Lock
from toolcast.parse.api import parse
from toolcast.write import lock as lock_file
from toolcast.write.apply import apply
from toolcast.write.plan import Plan, plan

Progress: TypeAlias = Callable[[str], None]


def _silent(stage: str) -> None:
    """Say nothing."""


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
    config: Config | None = None,
    lock: Lock | None = None,
    strict: bool = False,
    progress: Progress = _silent,
) -> Inspection:
    """What a document would become; raises ``Failure`` when nothing can be made of it."""
    progress("reading the document")
    document = load(address, report)
    progress("understanding the API")
    api = parse(document, report)
    progress(f"mapping {len(api.operations):,} operations")
    offered, decided = catalog(api, config or Config(), lock or Lock(), report)
    if not offered.tools:
        _refuse_empty(document, len(offered.left_out), report)
    if strict and report.of("warning"):
        raise Failure(
            Diagnostic(
                code="TC002",
                severity="error",
                message=f"{len(report.of('warning'))} warnings, and --strict allows none",
                location=Location(file=document.file),
                help="Correct what they name, or leave --strict out.",
            )
        )
    return Inspection(document=document, catalog=offered, lock=decided, report=report)


def _refuse_empty(document: Document, left_out: int, report: Report) -> None:
    if left_out:
        return
    webhooks = "webhooks" in document.root or "x-webhooks" in document.root
    note = "its webhooks are requests that the API sends, not tools" if webhooks else "`paths` has none that can be used"
    lost = [d for d in report.diagnostics if d.operation]
    if not lost:
        report.add(
            Diagnostic(
                code="TC263",
                severity="warning",
                message=f"The document has no operations: {note}",
                location=Location(file=document.file, pointer="/paths"),
                help="The server will offer no tools.",
            )
        )


def sizes(offered: Catalog) -> dict[str, int]:
    """The tokens that each tool costs in a list, by name."""
    return {tool.name: Sizes().tokens(orjson.loads(orjson.dumps(render.listed(tool)))) for tool in offered.tools}


def generate(
    address: str,
    output: Path,
    *,
    report: Report,
    name: str = "",
    strict: bool = False,
    progress: Progress = _silent,
) -> Generation:
    """Make a package in a folder, or bring an earlier one up to date with a document; raises ``Failure``.

    Nothing is written when files that the owner has edited would change: the plan then has conflicts.
    """
    config = configuration.read(output)
    lock = lock_file.read(output)
    configuration.check_name(name)
    if config is not None and name and config.name and name != config.name:
        raise Failure(
            Diagnostic(
                code="TC602",
                severity="error",
                message=f"the package is called {config.name!r}, not {name!r}",
                location=Location(file=str(output / configuration.FILE)),
                help="Leave --name out, or change `name` there.",
            )
        )
    if lock is None:
        plan(output, (), None)  # refuses a foreign folder before any work
    settled = replace(config or Config(), name=name or (config.name if config else ""))
    found = inspect(address, report=report, config=settled, lock=lock, strict=strict, progress=progress)
    progress("writing code")
    files = render.files(found.catalog, _reference(found.document, output), __version__)
    made = plan(output, files, lock.files if lock is not None else None)
    if made.of("conflict"):
        return Generation(inspection=found, plan=made, applied=False)
    progress("writing files")
    kept = replace(found.lock, files=made.renditions, digest=found.document.digest, generator=__version__)
    apply(made, lock_file.text(kept))
    return Generation(inspection=found, plan=made, applied=True)


def _reference(document: Document, output: Path) -> str:
    """Where a document is, as the package in ``output`` says it: a URL, or a relative path with ``/``."""
    if document.url is not None or document.address == "-":
        return document.url or "-"
    try:
        relative = os.path.relpath(Path(document.address).resolve(), output.resolve())
    except ValueError:  # another drive, on Windows
        return PurePath(document.address).as_posix()
    return PurePath(relative).as_posix()
