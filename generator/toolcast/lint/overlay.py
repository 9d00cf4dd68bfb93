"""The fixes as an OpenAPI Overlay 1.0 document, for review (spec.openapis.org/overlay/v1.0.0)."""

from __future__ import annotations

import re
from typing import Final

import yaml

from toolcast.diagnostics import Location
from toolcast.model.document import Document
from toolcast.model.json import Json, JsonObject
from toolcast.model.pointer import follow, split
from toolcast.model.verdict import Verdict

_PLAIN: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def overlay(verdict: Verdict, document: Document, title: str, extends: str) -> tuple[str, int]:
    """The text of the overlay, and how many fixes are in it: those of the document's own file.

    Fixes at one place are one action. ``extends`` is where the document is, as seen from the overlay; "" for nowhere.
    """
    actions: dict[str, JsonObject] = {}
    number = 0
    for finding, fix in verdict.findings:
        if fix is None or fix.at.file != document.file:
            continue
        number += 1
        target = path(document, fix.at)
        action = actions.setdefault(target, {"target": target, "description": "", "update": {}})
        told, update = action["description"], action["update"]
        assert isinstance(told, str) and isinstance(update, dict)
        action["description"] = f"{told} {finding.code}: {finding.message}.".strip()
        action["update"] = {**fix.update, **update}
    listed: list[Json] = [*actions.values()]
    value: JsonObject = {"overlay": "1.0.0", "info": {"title": f"Fixes for {title}", "version": "1.0.0"}}
    if extends:
        value["extends"] = extends
    value["actions"] = listed
    return yaml.safe_dump(value, sort_keys=False, allow_unicode=True, width=110), number


def path(document: Document, at: Location) -> str:
    """The JSONPath (RFC 9535) of a place in the author's own document.

    A parameter is found by its name and place, as its index in a Swagger 2.0 document is another.
    """
    steps = split(at.pointer)
    if document.version.startswith("2") and steps[:2] == ["components", "parameters"]:
        steps = steps[1:]
    told = "$"
    for index, step in enumerate(steps):
        found = follow(document.root, steps[: index + 1])
        if step.isdecimal() and index and steps[index - 1] == "parameters" and found and isinstance(found[0], dict):
            name, place = found[0].get("name"), found[0].get("in")
            told += f"[?(@.name == {_quoted(str(name))} && @.in == {_quoted(str(place))})]"
        elif step.isdecimal() and isinstance((follow(document.root, steps[:index]) or (None,))[0], list):
            told += f"[{step}]"
        else:
            told += f".{step}" if _PLAIN.fullmatch(step) else f"[{_quoted(step)}]"
    return told


def _quoted(text: str) -> str:
    """A text as a JSONPath string (RFC 9535 section 2.3.1.1)."""
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return "'" + "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in escaped) + "'"
