"""The author's own document with overlays applied: no dialect has changed yet, and no reference is followed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from toolcast.diagnostics import Diagnostic, Failure, Location, Report
from toolcast.load import reading
from toolcast.load.identity import foreign, identify
from toolcast.load.login import login
from toolcast.load.origins import Place
from toolcast.load.overlay import Overlay, extended, is_overlay, overlaid, overlay
from toolcast.load.overlay_actions import refusal
from toolcast.load.positions import Lines
from toolcast.load.source import TIMEOUT, Source, read
from toolcast.load.text import decode
from toolcast.model.json import Json, JsonObject

_LONGEST_CHAIN = 32  # overlays that extend overlays


@dataclass(frozen=True, slots=True, kw_only=True)
class Authored:
    """What an author wrote: a document of this version, in the file ``source`` with this text.

    ``address`` is where it was read, with any password; ``entry`` is what was asked for: the document itself, or an
    overlay that extends it. ``overlays`` has the texts of the overlays by file, ``origins`` what came from them.
    """

    address: str
    entry: Source
    source: Source
    text: str
    root: JsonObject
    version: str
    overlays: Mapping[str, str]
    origins: Mapping[Place, Place]


def authored(address: str, report: Report, *, overlays: Sequence[str] = (), timeout: float = TIMEOUT) -> Authored:
    """The document at a path, a URL or ``-``, with the overlays at other paths and URLs applied in order.

    An overlay in place of a document stands for the one that it extends, and is applied first. Raises Failure.
    """
    texts: dict[str, str] = {}
    own = login(address)

    def opened(address: str) -> tuple[Source, str, Json]:
        source = read(address, timeout=timeout, login=own)
        text = texts[source.file] = decode(source.data, source.file)
        foreign(text, source.file)
        return source, text, reading.value(text, source.file, report)

    try:
        source, text, value = opened(address)
        entry = source
        changes: list[Overlay] = []
        while is_overlay(value) and isinstance(value, dict) and "extends" in value:
            changes.insert(0, overlay(value, source, text, report))
            if len(changes) > _LONGEST_CHAIN:
                message, at = (
                    "The overlays extend one another without end",
                    Location(file=source.file, pointer="/extends"),
                )
                raise refusal("TC040", message, at, "Let one extend a document.")
            address = extended(changes[0])
            source, text, value = opened(address)
        root, version = identify(value, source.file, report)
        for one in overlays:
            found = opened(one)
            changes.append(overlay(found[2], found[0], found[1], report))
        origins: Mapping[Place, Place] = {}
        if changes:
            reading.canonical(root, text, source.file)  # refuses what cannot be copied
            root, origins = overlaid(root, source, changes, report)
            root, version = identify(root, source.file, Report())
            report.locate(Lines(texts, {}, origins).place)
    except Failure as failure:
        raise Failure(_placed(failure.diagnostic, Lines(texts, {}))) from None
    return Authored(
        address=address,
        entry=entry,
        source=source,
        text=text,
        root=root,
        version=version,
        overlays={one.source.file: one.text for one in changes},
        origins=origins,
    )


def _placed(diagnostic: Diagnostic, lines: Lines) -> Diagnostic:
    """A diagnostic with its line, as nobody else knows the texts yet."""
    return diagnostic if diagnostic.location is None else replace(diagnostic, location=lines.place(diagnostic.location))
