"""The author's own document with overlays applied: no dialect has changed yet, and no reference is followed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from toolcast.diagnostics import Location, Report
from toolcast.load import reading
from toolcast.load.identity import foreign, identify
from toolcast.load.origins import Place
from toolcast.load.overlay import Overlay, extended, is_overlay, overlaid, overlay, read_overlay
from toolcast.load.overlay_actions import refusal
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
    source, text, value = _opened(address, report, timeout)
    entry = source
    changes: list[Overlay] = []
    while is_overlay(value) and isinstance(value, dict) and "extends" in value:
        changes.insert(0, overlay(value, source, text, report))
        if len(changes) > _LONGEST_CHAIN:
            location = Location(file=source.file, pointer="/extends")
            raise refusal(
                "TC040", "The overlays extend one another without end", location, "Let one extend a document."
            )
        address = extended(changes[0])
        source, text, value = _opened(address, report, timeout)
    root, version = identify(value, source.file, report)
    changes += [read_overlay(one, report, timeout=timeout) for one in overlays]
    texts: Mapping[str, str] = {}
    origins: Mapping[Place, Place] = {}
    if changes:
        reading.canonical(root, text, source.file)  # refuses what cannot be copied
        made = overlaid(root, source, changes, report)
        root, version = identify(made.root, source.file, Report())
        texts, origins = made.texts, made.origins
    return Authored(
        address=address,
        entry=entry,
        source=source,
        text=text,
        root=root,
        version=version,
        overlays=texts,
        origins=origins,
    )


def _opened(address: str, report: Report, timeout: float) -> tuple[Source, str, Json]:
    source = read(address, timeout=timeout)
    text = decode(source.data, source.file)
    foreign(text, source.file)
    return source, text, reading.value(text, source.file, report)
