"""References that lead nowhere."""

from __future__ import annotations

import difflib
from collections.abc import Mapping

from toolcast.diagnostics import Diagnostic, Location
from toolcast.load.places import WRITTEN, At, pointer, spelled, walk
from toolcast.model.json import Json, JsonObject
from toolcast.model.pointer import separate, step

MAX_FINDINGS = 50
_NO_FILES: Mapping[str, Json] = {}


def dangling(root: JsonObject, file: str, files: Mapping[str, Json] = _NO_FILES) -> list[Diagnostic]:
    """A warning TC112 for each target that references name and that does not exist, with the nearest name.

    References into files that are not in ``files`` are none of its business.
    """
    missing: dict[str, list[At]] = {}
    known: set[str] = set()
    plain: dict[str, list[At]] = {}  # `#name` references: to anchors, which are known after the walk
    anchors: set[Json] = set()
    for kind, node, at in walk(root, files, WRITTEN):
        if kind == "schema":
            anchors.update(node[word] for word in ("$anchor", "$dynamicAnchor") if isinstance(node.get(word), str))
        reference = node.get("$ref")
        if not isinstance(reference, str) or reference in known:
            continue
        target = reference.partition("#")[0]
        if not reference or (target and target not in files):
            continue
        found = separate(reference)
        if found is None:
            plain.setdefault(reference, []).append(at)
        elif reference in missing or _stop(files[target] if target else root, found[1]) is not None:
            missing.setdefault(reference, []).append(at)
        else:
            known.add(reference)
    missing |= {where: places for where, places in plain.items() if where.partition("#")[2] not in anchors}
    found = [_finding(root, files, where, places, file) for where, places in list(missing.items())[:MAX_FINDINGS]]
    if len(missing) > MAX_FINDINGS:
        found.append(
            Diagnostic(
                code="TC112",
                severity="warning",
                message=f"{len(missing) - MAX_FINDINGS} more targets of references do not exist",
                location=Location(file=file),
                help="Correct the ones above first.",
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


def _finding(root: JsonObject, files: Mapping[str, Json], reference: str, places: list[At], file: str) -> Diagnostic:
    target, names = separate(reference) or ("", [])
    stop = _stop(files[target] if target else root, names)
    advice = "Add what it refers to, or correct the reference."
    if stop is not None and isinstance(stop[0], dict):
        close = difflib.get_close_matches(stop[1], list(stop[0]), n=1, cutoff=0.6)
        if close:
            advice = f"Did you mean {close[0]} instead of {stop[1]}?"
    others = "" if len(places) == 1 else f" (and {len(places) - 1} more of the same)"
    shown = reference if len(reference) <= 160 else reference[:159] + "…"
    return Diagnostic(
        code="TC112",
        severity="warning",
        message=f"The reference {shown} leads nowhere{others}",
        location=Location(file=spelled(places[0])[0] or file, pointer=pointer(places[0]) + "/$ref"),
        help=advice,
    )
