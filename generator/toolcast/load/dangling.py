"""Local references that lead nowhere."""

from __future__ import annotations

import difflib

from toolcast.diagnostics import Diagnostic, Location
from toolcast.load.places import At, pointer, walk
from toolcast.load.pointers import fragment, step
from toolcast.model.json import Json, JsonObject

MAX_FINDINGS = 50


def dangling(root: JsonObject, file: str) -> list[Diagnostic]:
    """A warning TC112 for each target that local references name and that does not exist, with the nearest name."""
    missing: dict[str, list[At]] = {}
    known: set[str] = set()
    plain: dict[str, list[At]] = {}  # `#name` references: to anchors, which are known after the walk
    anchors: set[Json] = set()
    for kind, node, at in walk(root):
        if kind == "schema":
            anchors.update(node[word] for word in ("$anchor", "$dynamicAnchor") if isinstance(node.get(word), str))
        reference = node.get("$ref")
        if not isinstance(reference, str) or not reference.startswith("#") or reference in known:
            continue
        names = fragment(reference)
        if names is None:
            plain.setdefault(reference, []).append(at)
        elif reference in missing or _stop(root, names) is not None:
            missing.setdefault(reference, []).append(at)
        else:
            known.add(reference)
    missing |= {reference: places for reference, places in plain.items() if reference[1:] not in anchors}
    found = [_finding(root, reference, places, file) for reference, places in list(missing.items())[:MAX_FINDINGS]]
    if len(missing) > MAX_FINDINGS:
        found.append(
            Diagnostic(
                code="TC112",
                severity="warning",
                message=f"{len(missing) - MAX_FINDINGS} more targets of references do not exist",
                location=Location(file=file),
                help="correct the ones above first",
            )
        )
    return found


def _stop(root: Json, names: list[str]) -> tuple[Json, str] | None:
    """Where a path ends too early: what is there, and the name that is not."""
    node = root
    for name in names:
        found = step(node, name)
        if found is None:
            return node, name
        node = found[0]
    return None


def _finding(root: JsonObject, reference: str, places: list[At], file: str) -> Diagnostic:
    stop = _stop(root, fragment(reference) or [])
    advice = "add what it refers to, or correct the reference"
    if stop is not None and isinstance(stop[0], dict):
        close = difflib.get_close_matches(stop[1], list(stop[0]), n=1, cutoff=0.6)
        if close:
            advice = f"did you mean {close[0]} instead of {stop[1]}?"
    others = "" if len(places) == 1 else f" (and {len(places) - 1} more of the same)"
    shown = reference if len(reference) <= 160 else reference[:159] + "…"
    return Diagnostic(
        code="TC112",
        severity="warning",
        message=f"the reference {shown} leads nowhere{others}",
        location=Location(file=file, pointer=pointer(places[0]) + "/$ref"),
        help=advice,
    )
