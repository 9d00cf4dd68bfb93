"""Overlays: changes that stand in files of their own, applied to a document (OpenAPI Overlay 1.0 and 1.1)."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import orjson

from toolcast.diagnostics import Diagnostic, Location, Report
from toolcast.load import reading
from toolcast.load.origins import Origins, Place
from toolcast.load.overlay_actions import Actions, keys, refusal
from toolcast.load.source import Source
from toolcast.model.json import Json, JsonObject
from toolcast.model.pointer import join
from toolcast.model.urls import parts, resolved

_ROOT = ("overlay", "info", "extends", "actions")
_ACTION = ("target", "description", "update", "remove", "copy")
_NEWEST_MINOR = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Overlay:
    """An overlay that was read: its actions, where it came from, and the document that it says it extends."""

    source: Source
    text: str
    minor: int
    extends: str
    actions: tuple[JsonObject, ...]


def is_overlay(value: Json) -> bool:
    """Does a file hold an overlay?"""
    return isinstance(value, dict) and "overlay" in value and not value.keys() & {"openapi", "swagger"}


def overlay(value: Json, source: Source, text: str, report: Report) -> Overlay:
    """The overlay that a file holds; TC132 warns of keys that mean nothing. Raises Failure TC026, TC040, TC041."""
    file = source.file
    reading.canonical(value, text, file)
    if not is_overlay(value) or not isinstance(value, dict):
        message = "This is no overlay: it has no key `overlay`"
        raise refusal("TC040", message, Location(file=file), "Give an OpenAPI Overlay: `overlay: 1.0.0` …")
    minor = _minor(value["overlay"], file, report)
    _report_keys(value, _ROOT, file, (), report)
    extends, listed = value.get("extends", ""), value.get("actions")
    if not isinstance(extends, str):
        raise refusal("TC041", "`extends` should be a text", Location(file=file, pointer="/extends"), "Write a URL.")
    if not isinstance(listed, list) or not listed:
        cure = "Write a list: `actions: [{target: $.info, update: {…}}]`."
        raise refusal("TC041", "The overlay has no `actions`", Location(file=file, pointer="/actions"), cure)
    actions = tuple(_action(entry, index, minor, file, report) for index, entry in enumerate(listed))
    return Overlay(source=source, text=text, minor=minor, extends=extends, actions=actions)


def extended(found: Overlay) -> str:
    """The address of the document that an overlay extends; raises Failure TC040 where it names none that may be read.

    A relative one is meant from the overlay's own place (Overlay 1.1.0 section 4.3).
    """
    source, extends = found.source, found.extends
    location = Location(file=source.file, pointer="/extends")
    if not extends:
        cure = "Give the document, and the overlay with --overlay."
        raise refusal(
            "TC040", "This is an overlay, and it does not say what it extends", Location(file=source.file), cure
        )
    address = _resolved(extends, source)
    scheme = getattr(parts(address), "scheme", "") if "://" in address else ""
    if (source.url is not None and scheme not in ("http", "https")) or source.address == "-":
        message = f"The overlay extends {extends!r}, which is no place on the network as the overlay's own is"
        raise refusal("TC040", message, location, "Give the document, and the overlay with --overlay.")
    return address


def overlaid(
    root: JsonObject, source: Source, overlays: Sequence[Overlay], report: Report
) -> tuple[JsonObject, Mapping[Place, Place]]:
    """The document with overlays applied in order, and where its parts now come from.

    Raises Failure TC041 to TC043.
    """
    # What YAML's aliases let several places share, an action changes in one of them only.
    whole: JsonObject = orjson.loads(orjson.dumps(root))
    origins = Origins(whole, source.file)
    actions = Actions(whole, origins, report)
    for one in overlays:
        _report_other(one, source, report)
        for index, action in enumerate(one.actions):
            actions.apply(action, (one.source.file, join(("actions", index))), strict=one.minor > 0)
    return whole, origins.moved()


def _resolved(extends: str, source: Source) -> str:
    if source.url is not None:
        return resolved(source.url, extends)
    return extends if "://" in extends else str(Path(source.address).parent / extends)


def _report_other(one: Overlay, source: Source, report: Report) -> None:
    """Say that an overlay was written for another document; copies of one are common, so it is no warning."""
    if not one.extends:
        return
    address, here = _resolved(one.extends, one.source), source.url or source.address
    if address != here and ("://" in address or "://" in here or Path(address).resolve() != Path(here).resolve()):
        report.add(
            Diagnostic(
                code="TC133",
                severity="info",
                message=f"The overlay says that it extends {one.extends}; it is applied to {source.file}",
                location=Location(file=one.source.file, pointer="/extends"),
                help="If that is a copy of it, all is well.",
            )
        )


def _minor(stated: Json, file: str, report: Report) -> int:
    location = Location(file=file, pointer="/overlay")
    version = str(stated) if isinstance(stated, (str, float)) and not isinstance(stated, bool) else ""
    found = re.fullmatch(r"1\.(\d{1,6})(?:\.\d{1,6})?", version)
    if found is None:
        message = f"The version {version[:40]!r} is none of OpenAPI Overlay"
        raise refusal("TC040", message, location, "Write `overlay: 1.0.0` or `overlay: 1.1.0`.")
    minor = int(found[1])
    if minor > _NEWEST_MINOR:
        message = f"Overlay {version} is newer than what Toolcast knows; it is read as 1.{_NEWEST_MINOR}"
        report.add(_odd(message, location, "Check the result, or look for a newer Toolcast."))
    return min(minor, _NEWEST_MINOR)


def _action(entry: Json, index: int, minor: int, file: str, report: Report) -> JsonObject:
    location = Location(file=file, pointer=join(("actions", index)))
    if not isinstance(entry, dict) or not isinstance(entry.get("target"), str):
        message = f"Action {index + 1} of the overlay has no `target`"
        raise refusal("TC041", message, location, "Write an object with a JSONPath as `target`.")
    if "remove" in entry and not isinstance(entry["remove"], bool):
        raise refusal("TC041", "`remove` should be true or false", location, "Write `remove: true`.")
    does = list(keys(entry))
    if "update" in does and "copy" in does and "remove" not in does:
        message = "An action has `update` and `copy`, and each says that the other has no effect"
        raise refusal("TC041", message, location, "Write two actions.")
    if not does:
        cure = "Write `update`, `copy` or `remove: true`."
        report.add(_odd(f"Action {index + 1} of the overlay does nothing", location, cure))
    elif len(does) > 1:
        cure = "Leave the others out."
        report.add(_odd(f"`remove` counts, and {' and '.join(does[1:])} beside it has no effect", location, cure))
    elif does == ["copy"] and minor < 1:
        report.add(_odd("`copy` is of Overlay 1.1; it is carried out", location, "Write `overlay: 1.1.0`."))
    _report_keys(entry, _ACTION, file, ("actions", index), report)
    return entry


def _report_keys(node: JsonObject, known: Sequence[str], file: str, at: tuple[str | int, ...], report: Report) -> None:
    for key in node:
        if key not in known and not key.startswith("x-"):
            near = difflib.get_close_matches(key, known, n=1)
            cure = f"Did you mean `{near[0]}`?" if near else f"It knows {', '.join(known)}, and extensions (x-…)."
            message = f"The overlay has an unknown key {key!r}, which has no effect"
            report.add(_odd(message, Location(file=file, pointer=join((*at, key))), cure))


def _odd(message: str, location: Location, cure: str) -> Diagnostic:
    return Diagnostic(code="TC132", severity="warning", message=message, location=location, help=cure)
