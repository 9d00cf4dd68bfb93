"""The pipeline: load → parse → map → emit → write."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePath
from typing import TypeAlias

from toolcast import __version__
from toolcast.diagnostics import Diagnostic, Failure, Location, Report
from toolcast.emit import render
from toolcast.emit.requests import requests as example_requests
from toolcast.emit.sources import Sources, sources
from toolcast.lint.overlay import overlay
from toolcast.lint.subject import Means
from toolcast.lint.verdict import check_codes, verdict
from toolcast.load import configuration
from toolcast.load.authored import Authored, authored
from toolcast.load.settings import Settings
from toolcast.load.source import without_credentials
from toolcast.mapping.alike import nearly_alike
from toolcast.mapping.catalog import catalog
from toolcast.mapping.names import tool_names, words
from toolcast.mapping.texts import clean, hidden, sentence
from toolcast.mapping.tokens import Sizes
from toolcast.model.catalog import Catalog
from toolcast.model.config import Config
from toolcast.model.document import Document
from toolcast.model.lock import Lock
from toolcast.model.openapi import Api
from toolcast.model.plan import Plan
from toolcast.model.verdict import Verdict
from toolcast.package import Package, check_package, origins, owner_of
from toolcast.parse.api import parse
from toolcast.view.survey import Survey
from toolcast.write import conflicts
from toolcast.write import lock as lock_file
from toolcast.write.apply import apply
from toolcast.write.cache import DiskCache
from toolcast.write.files import put
from toolcast.write.folder import check_whole, opened
from toolcast.write.plan import plan
from toolcast.write.state import Address

Progress: TypeAlias = Callable[[str], None]
# Whether requests may go to these origins, to which none went before.
Consent: TypeAlias = Callable[[Sequence[str]], bool]
_SERVE_TIMEOUT = 5.0  # seconds for a document's URL, when an agent waits for the server


def silent(stage: str) -> None:
    """Say nothing."""


def _refuse(origins: Sequence[str]) -> bool:
    """Nobody has agreed."""
    return False


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """What a document's references may lead to: files in ``tree`` (default: see ``load``), and other origins or not."""

    tree: Path | None = None
    allow_remote_refs: bool = False


NEAR = Reach()


@dataclass(frozen=True, slots=True, kw_only=True)
class Inspection:
    """What a document would become."""

    document: Document
    api: Api
    catalog: Catalog
    lock: Lock
    report: Report


@dataclass(frozen=True, slots=True, kw_only=True)
class Generation:
    """What was made, or would be, and what happens on disk; ``lock`` is what was decided, ``earlier`` what was before.

    ``contract`` is the text of ``tools.json``.
    """

    inspection: Inspection
    plan: Plan
    lock: Lock
    earlier: Lock | None
    contract: str
    applied: bool = False

    @property
    def origins(self) -> tuple[str, ...]:
        """The origins to which requests or credentials would go that none went to before, where that is known."""
        before = origins(self.earlier) if self.earlier is not None else set[str]()
        return tuple(sorted(origins(self.lock) - before)) if before else ()


def inspect(
    address: str,
    *,
    report: Report,
    overlays: Sequence[str] = (),
    settings: Path | None = None,
    reach: Reach = NEAR,
    strict: bool = False,
    progress: Progress = silent,
) -> Inspection:
    """What a document would become; raises ``Failure`` when nothing can be made of it.

    ``overlays`` are applied to it first; ``settings`` is a configuration file whose wishes count.
    """
    wishes = Settings.read(settings)
    progress("reading the document")
    document = _loaded(address, wishes, report, overlays, reach)
    lock = lock_file.read(wishes.folder) if settings is not None else None
    return _mapped(document, wishes.config, lock or Lock(), report=report, strict=strict, progress=progress)


def starting_point(address: str, output: Path, *, report: Report, name: str = "", overlays: Sequence[str] = ()) -> Path:
    """Write a commented configuration for a document into a folder; gives its path. Raises ``Failure``.

    What it shows is commented out, and names tools, groups and arguments of this very document.
    """
    path = output / configuration.FILE
    configuration.check_name(name)
    if path.exists():
        message, cure = f"There is a {configuration.FILE} already", "Edit it, or name another folder with --output."
        location = Location(file=str(path))
        raise Failure(Diagnostic(code="TC608", severity="error", message=message, location=location, help=cure))
    document = _loaded(address, Settings.read(None), report, overlays, NEAR)
    found = _mapped(document, Config(name=name), Lock(), report=report)
    named = [_relative(overlay, output) for overlay in overlays]
    put(path, render.configuration(found.catalog, _relative(document.address, output), named).encode())
    return path


def applied(address: str, *, report: Report, overlays: Sequence[str] = ()) -> Authored:
    """A document as its author wrote it, with overlays applied; raises ``Failure``."""
    return authored(address, report, overlays=overlays)


def _loaded(address: str, settings: Settings, report: Report, overlays: Sequence[str], reach: Reach) -> Document:
    cache = DiskCache.of_user()
    return settings.document(
        address, report, overlays, tree=reach.tree, allow_remote_refs=reach.allow_remote_refs, cache=cache
    )


def _mapped(
    document: Document,
    config: Config,
    lock: Lock,
    *,
    report: Report,
    strict: bool = False,
    progress: Progress = silent,
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
    return Inspection(document=document, api=api, catalog=offered, lock=decided, report=report)


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


def survey(found: Inspection, *, requests: bool = True) -> Survey:
    """What is shown of an inspection; ``requests`` are left out where nobody asks for them."""
    measured = Sizes()
    listed = {tool.name: render.listed(tool) for tool in found.catalog.tools}
    return Survey(
        file=found.document.file,
        catalog=found.catalog,
        findings=found.report.diagnostics,
        lines=found.report.lines,
        listed=listed,
        sizes={name: measured.tokens(tool) for name, tool in listed.items()},
        requests=example_requests(found.catalog) if requests else {},
    )


def list_tokens(catalog: Catalog) -> int:
    """The tokens that a list of all tools costs."""
    measured = Sizes()
    return sum(measured.tokens(render.listed(tool)) for tool in catalog.tools if tool.resource is None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Linting:
    """What a document would become, and what the rules find in it."""

    inspection: Inspection
    verdict: Verdict


def lint(
    address: str,
    *,
    report: Report,
    ignored: Collection[str] = (),
    reach: Reach = NEAR,
    progress: Progress = silent,
) -> Linting:
    """What in a document will hurt an agent; ``ignored`` are codes of rules. Raises ``Failure``."""
    check_codes(ignored)
    found = inspect(address, report=report, reach=reach, progress=progress)
    progress("looking for what will hurt an agent")
    nameless = [replace(operation, id=None) for operation in found.api.operations]
    means = Means(
        words=words,
        clean=clean,
        sentence=lambda text: sentence(text, 120),
        hidden=hidden,
        alike=nearly_alike,
        tokens=Sizes().tokens,
        names=tool_names(nameless, found.catalog.name, Lock()),
        said=survey(found, requests=False).about,
    )
    lost = {finding.operation for finding in report.diagnostics if finding.operation}
    return Linting(inspection=found, verdict=verdict(found.api, found.catalog, means, lost, ignored))


def fixes(found: Linting, path: Path) -> tuple[str, int]:
    """An overlay that makes what the rules can put right, as it stands in a file, and how many fixes it has."""
    document = found.inspection.document
    extends = _relative(document.address, path.parent)
    return overlay(found.verdict, document, found.inspection.catalog.title, "" if extends == "-" else extends)


def generate(
    address: str | None,
    output: Path,
    *,
    report: Report,
    name: str = "",
    overlays: Sequence[str] = (),
    reach: Reach = NEAR,
    templates: Path | None = None,
    strict: bool = False,
    consent: Consent = _refuse,
    progress: Progress = silent,
) -> Generation:
    """Make a package in a folder, or bring an earlier one up to date with a document; raises ``Failure``.

    Without an address the document is the one that the package's configuration names, and so are its overlays and the
    templates when none are given. What the owner has edited is merged; with a conflict nothing is written, but what
    the owner decides from.
    """
    with opened(output):
        made = _planned(
            address,
            output,
            report=report,
            name=name,
            overlays=overlays,
            reach=reach,
            templates=templates,
            strict=strict,
            progress=progress,
        )
        found = made.plan.of("conflict")
        if found:
            conflicts.record(output, found)
            return made
        if made.origins and not consent(made.origins):
            raise Failure(
                Diagnostic(
                    code="TC514",
                    severity="error",
                    message=f"Requests would go to {', '.join(made.origins)}, where none went before",
                    location=Location(file=made.inspection.document.file, pointer="/servers"),
                    help="Nothing was changed: if that is meant, run the command again with --accept-origins.",
                )
            )
        progress("writing files")
        configured = (output / configuration.FILE).is_file()
        apply(made.plan, lock_file.text(made.lock))
        if configured:
            named = _relative(made.inspection.document.address, output) if address else ""
            _complete(output, name=made.inspection.catalog.name, document=named)
        return replace(made, applied=True)


def _complete(output: Path, *, name: str, document: str) -> None:
    """Write into a configuration what it lacks and the next run needs; whatever stands there stays."""
    path = output / configuration.FILE
    text = configuration.read_text(path)
    whole = configuration.completed(text, document=document, name=name)
    if whole != text:
        put(path, whole.encode())


def update(
    output: Path,
    *,
    report: Report,
    reach: Reach = NEAR,
    strict: bool = False,
    consent: Consent = _refuse,
    progress: Progress = silent,
) -> Generation:
    """Bring a package up to date with the document that its configuration names; raises ``Failure``."""
    check_package(output)
    return generate(None, output, report=report, reach=reach, strict=strict, consent=consent, progress=progress)


def preview(
    output: Path, *, report: Report, reach: Reach = NEAR, strict: bool = False, progress: Progress = silent
) -> Generation:
    """What ``update`` would do; nothing is written."""
    check_package(output)
    check_whole(output)
    return _planned(None, output, report=report, overlays=(), reach=reach, strict=strict, progress=progress)


def resolve(path: Path, choice: conflicts.Choice) -> tuple[Path, tuple[str, ...]]:
    """Decide a conflict in a file; gives the package's folder, and the files in it that are still in conflict.

    The file may be named as it lies in ``.toolcast/conflicts``, too. Raises ``Failure``.
    """
    folder, inside = owner_of(path)
    with opened(folder):
        conflicts.resolve(folder, inside.removeprefix(f"{conflicts.FOLDER}/"), choice)
        return folder, tuple(path for path, found in conflicts.read(folder).items() if found.decided is None)


def _planned(
    address: str | None,
    output: Path,
    *,
    report: Report,
    name: str = "",
    overlays: Sequence[str],
    reach: Reach,
    templates: Path | None = None,
    strict: bool,
    progress: Progress,
) -> Generation:
    """All stages but the writing."""
    package = Package.read(output, name=name)
    settings = Settings(config=package.config, folder=output)
    chosen = _templates(templates, package, report)
    progress("reading the document")
    document = _loaded(address or package.address(), settings, report, overlays, reach)
    found = _mapped(document, package.config, package.lock or Lock(), report=report, strict=strict, progress=progress)
    progress(f"writing {len(found.catalog.types):,} types and {len(found.catalog.tools):,} operations")
    named = [_relative(overlay, output) for overlay in overlays or settings.overlays]
    files = render.files(
        found.catalog,
        _relative(document.address, output),
        overlays=named,
        sources=chosen,
        templates=package.config.templates if templates is None else _relative(str(templates), output),
        cache=DiskCache.of_user(),
    )
    made = plan(output, files, package.lock)
    return Generation(
        inspection=found,
        plan=made,
        lock=_kept(found, made),
        earlier=package.lock,
        contract=next(file.text for file in files if file.path.endswith("/api/tools.json")),
    )


def _kept(found: Inspection, made: Plan) -> Lock:
    """The lock that says what was decided and written."""
    return replace(
        found.lock,
        files=made.renditions,
        given=made.given,
        digest=found.document.digest,
        generator=__version__,
    )


def _relative(address: str, output: Path) -> str:
    """An address as the package in ``output`` says it: a URL, or a relative path with ``/``."""
    if "://" in address or address == "-":
        return without_credentials(address) if "://" in address else address
    try:
        relative = os.path.relpath(Path(address).resolve(), output.resolve())
    except ValueError:  # another drive, on Windows
        return PurePath(address).as_posix()
    return PurePath(relative).as_posix()


def _templates(given: Path | None, package: Package, report: Report) -> Sources:
    """The templates of a package; says so where the next run would take others. Raises ``Failure``."""
    output, named = package.folder, package.config.templates
    configured, there = output / named if named else None, output / configuration.FILE
    name = "" if given is None else _relative(str(given), output)
    if given is not None and there.is_file() and (configured is None or configured.resolve() != given.resolve()):
        report.add(
            Diagnostic(
                code="TC710",
                severity="warning",
                message=f"{configuration.FILE} does not name the templates in {given}: the next run may not use them",
                location=Location(file=str(there)),
                help=f'To make it so, write there, below a line [templates]: directory = "{name}".',
            )
        )
    return sources(given or configured)


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    """A package that can be started: its folder of sources, and its import name."""

    source: Path
    module: str


def servable(
    address: str,
    *,
    name: str = "",
    overlays: Sequence[str] = (),
    settings: Path | None = None,
    reach: Reach = NEAR,
    report: Report,
) -> Served:
    """A package for a document, made when it is not there yet; raises ``Failure``.

    It is kept in the state folder, by address, document, configuration and version, so that names stay from one start
    to the next. When the document cannot be had, the last good package is served, with a warning.
    """
    configuration.check_name(name)
    wishes = Settings.read(settings)
    entry = Address.of(address, "\n".join([name, *overlays, *([str(settings.resolve())] if settings else [])]))
    try:
        document = wishes.document(
            address,
            report,
            overlays,
            tree=reach.tree,
            allow_remote_refs=reach.allow_remote_refs,
            validate=False,
            timeout=_SERVE_TIMEOUT,
        )
    except Failure as failure:
        last = entry.last()
        if last is None:
            raise
        report.add(replace(failure.diagnostic, severity="warning", help="What was served last is served again."))
        return Served(source=entry.folder / last[0] / "src", module=last[1])
    report.lines = document.lines
    wanted = f"{document.digest}\n{configuration.read_text(settings)}" if settings else document.digest
    folder, last = entry.package(wanted, __version__), entry.last()
    if last is not None and last[0] == folder.name:
        return Served(source=folder / "src", module=last[1])
    config = replace(wishes.config, name=name or wishes.config.name)
    found = _mapped(document, config, entry.lock() or Lock(), report=report)
    module = found.catalog.package
    if not (folder / lock_file.FILE).is_file():
        files = render.files(found.catalog, document.url or "-", with_tests=False, with_types=False)
        try:
            made = plan(folder, files, None)
            apply(made, lock_file.text(_kept(found, made)), keep=False)
        except Failure:
            if not (folder / lock_file.FILE).is_file():  # else another start has made it meanwhile
                raise
    entry.remember(folder, module)
    return Served(source=folder / "src", module=module)
