"""Load: an address → a Document."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from toolcast.diagnostics import Diagnostic, Report
from toolcast.load import reading
from toolcast.load.adoption import adopt
from toolcast.load.identity import foreign, identify
from toolcast.load.neighbours import Neighbours
from toolcast.load.positions import Lines
from toolcast.load.reach import Reach
from toolcast.load.references import gather
from toolcast.load.source import TIMEOUT, read
from toolcast.load.swagger import convert
from toolcast.load.text import decode
from toolcast.load.upgrade import upgrade
from toolcast.load.web import Web
from toolcast.model.cache import Cache, Forgetful
from toolcast.model.document import Document

_NOTHING_KEPT: Cache = Forgetful()


def load(
    address: str,
    report: Report,
    *,
    validate: bool = True,
    timeout: float = TIMEOUT,
    tree: Path | None = None,
    allow_remote_refs: bool = False,
    cache: Cache = _NOTHING_KEPT,
) -> Document:
    """The document at a path, a URL or ``-``, in the dialect of OpenAPI 3.2; what is odd in it goes to the report.

    ``timeout`` is for URLs, in seconds. References lead to files in ``tree``, which is the working tree of git around
    the document, or the folder above its own; those of a document with a URL, to its own origin; to others, and from
    a file to the network, only with ``allow_remote_refs``. ``cache`` keeps what a validation found.

    Raises Failure, and nothing else, where there is no document that can be used.
    """
    source = read(address, timeout=timeout)
    text = decode(source.data, source.file)
    foreign(text, source.file)
    root, version = identify(reading.value(text, source.file, report), source.file, report)
    canonical = reading.canonical(root, text, source.file)
    reach = Reach.of(source, tree=tree, remote=allow_remote_refs)
    with Web(timeout, reach.address) as web:
        neighbours = Neighbours(reach, web, report, address=address, timeout=timeout)
        gather(root, text, neighbours, source.file, report)
    texts = {**neighbours.texts, source.file: text}
    written = Lines(texts, {})
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
    return Document(
        address=source.address,
        file=source.file,
        url=source.url,
        version=version,
        root=root,
        files=neighbours.files,
        digest=neighbours.digest(canonical),
        lines=Lines(texts, {(file or source.file, place): old for (file, place), old in moved.items()}),
    )


def _with_line(diagnostic: Diagnostic, lines: Lines) -> Diagnostic:
    location = diagnostic.location
    if location is None or location.line is not None:
        return diagnostic
    return replace(diagnostic, location=replace(location, line=lines(location)))
