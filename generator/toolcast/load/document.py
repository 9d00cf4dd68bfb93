"""Load: an address → a Document."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from toolcast.diagnostics import Diagnostic, Report
from toolcast.load import reading
from toolcast.load.adoption import adopt
from toolcast.load.authored import authored
from toolcast.load.login import login
from toolcast.load.neighbours import Neighbours
from toolcast.load.positions import Lines
from toolcast.load.reach import Reach
from toolcast.load.references import gather
from toolcast.load.source import TIMEOUT
from toolcast.load.swagger import convert
from toolcast.load.upgrade import upgrade
from toolcast.load.web import Web
from toolcast.model.cache import Cache, Forgetful
from toolcast.model.document import Document

_NOTHING_KEPT: Cache = Forgetful()


def load(
    address: str,
    report: Report,
    *,
    overlays: Sequence[str] = (),
    validate: bool = True,
    timeout: float = TIMEOUT,
    tree: Path | None = None,
    allow_remote_refs: bool = False,
    cache: Cache = _NOTHING_KEPT,
) -> Document:
    """The document at a path, a URL or ``-``, in the dialect of OpenAPI 3.2; what is odd in it goes to the report.

    ``overlays`` are the addresses of overlays, applied in order. ``timeout`` is for URLs, in seconds. References lead
    to files in ``tree``, which is the working tree of git around the document, or the folder above its own; those of a
    document with a URL, to its own origin; to others, and from a file to the network, only with ``allow_remote_refs``.
    ``cache`` keeps what a validation found.

    Raises Failure, and nothing else, where there is no document that can be used.
    """
    found = authored(address, report, overlays=overlays, timeout=timeout)
    source, text, root, version = found.source, found.text, found.root, found.version
    canonical = reading.canonical(root, text, source.file)
    reach = Reach.of(source, tree=tree, remote=allow_remote_refs)
    with Web(timeout, reach.address, login(address)) as web:
        neighbours = Neighbours(reach, web, report, address=found.address, timeout=timeout)
        gather(root, text, neighbours, source.file, report)
    texts = {**neighbours.texts, **found.overlays, source.file: text}
    written = Lines(texts, {}, found.origins)
    if found.overlays:
        report.locate(written.place)
    if validate:
        from toolcast.load.validation import begin

        checking = begin(root, version, source.file, neighbours.files, cache)
        # It speaks of the document as it is written, which is not what becomes of it below.
        report.expect(lambda: [_with_line(diagnostic, written) for diagnostic in checking()])
    if "swagger" in root or any("swagger" in value for value in neighbours.files.values() if isinstance(value, dict)):
        # So does what was said until now.
        report.revise(lambda diagnostic: _with_line(diagnostic, written))
    moved = convert(root, neighbours.files, source, report)
    upgrade(root, neighbours.files)
    adopt(root, neighbours.files)
    places = {(file or source.file, place): (file or source.file, old) for (file, place), old in moved.items()}
    lines = Lines(texts, places, found.origins)
    if found.overlays:
        report.locate(lines.place)
    return Document(
        address=found.entry.url or found.entry.address,
        file=source.file,
        url=source.url,
        version=version,
        root=root,
        files=neighbours.files,
        digest=neighbours.digest(canonical),
        lines=lines,
    )


def _with_line(diagnostic: Diagnostic, lines: Lines) -> Diagnostic:
    return diagnostic if diagnostic.location is None else replace(diagnostic, location=lines.place(diagnostic.location))
