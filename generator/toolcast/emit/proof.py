"""The proof that texts stay texts: a file has the same structure when harmless letters stand in their place.

A filter in the wrong place (``'{{ tool.summary|py }}'``) lets a document's text be read as code. So what an owner's
template makes is compared with what it makes of the view's twin; where the structures differ, nothing is generated.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from toolcast.diagnostics import Diagnostic, Failure, Location
from toolcast.emit.faults import fitting
from toolcast.emit.hostile import HOSTILE
from toolcast.emit.project import Made, Project
from toolcast.emit.sources import text
from toolcast.emit.structure import Broken, is_by_lines, structure
from toolcast.emit.twin import harmless, on_one_line, texts, twin
from toolcast.emit.views import PackageView
from toolcast.model.templates import Template


def prove(project: Project, view: PackageView, made: Iterable[Made]) -> None:
    """Refuse what an owner's template has made when it is broken, or a text is read as code; raises ``Failure``."""
    for fault in faults(project, view, [one for one in made if one.template.own]):
        raise Failure(fault)


def faults(project: Project, view: PackageView, made: Iterable[Made]) -> Iterator[Diagnostic]:
    """What is wrong with files that were made with a view: at most one finding for each file."""
    twins = _Twins(project, view)
    for one in made:
        found, broken = _structure(one, one.file.text)
        flat = is_by_lines(one.file.path) or broken is not None
        if not one.template.is_rendered or (broken is not None and twins.structure(one, flat=True) is None):
            if broken is not None:
                yield _broken(one, broken)
        elif twins.structure(one, flat=flat) != found:
            yield _read_as_code(one, twins.blame(one, found, flat=flat))


def _structure(one: Made, text: str) -> tuple[Any, Broken | None]:
    """The structure of a file, None where it has none, and why it has none."""
    try:
        return structure(one.file.path, text), None
    except Broken as broken:
        return None, broken


class _Twins:
    """What the templates make of a view's twins; texts of ``flat`` ones are one word, others keep their white space."""

    def __init__(self, project: Project, view: PackageView) -> None:
        self._project = project
        self._view = view
        self._views: dict[bool, PackageView] = {}
        self._known: dict[tuple[str, bool], dict[str, str]] = {}

    def structure(self, one: Made, *, flat: bool) -> Any:
        """The structure of the file that the twin gives; None when it has none."""
        key = one.template.name, flat
        if key not in self._known:
            if flat not in self._views:
                self._views[flat] = twin(self._view, _CHANGES[flat])
            self._known[key] = self._files(one, self._views[flat])
        return _structure(one, self._known[key][one.file.path])[0]

    def blame(self, one: Made, found: Any, *, flat: bool) -> str:
        """The member of the view whose text is read as code; nothing when several have to come together."""
        for kind, member in texts(self._view):
            view = twin(self._view, _CHANGES[flat], only=(kind, member))
            if _structure(one, self._files(one, view)[one.file.path])[0] != found:
                return f"{kind.removesuffix('View').lower()}.{member}"
        return ""

    def _files(self, one: Made, view: PackageView) -> dict[str, str]:
        return {other.file.path: other.file.text for other in self._project.files(view, [one.template])}


_CHANGES: Final[Mapping[bool, Callable[[str], str]]] = {False: harmless, True: on_one_line}


def _broken(one: Made, broken: Broken) -> Diagnostic:
    lines = one.file.text.split("\n")
    shown = ""
    if broken.line is not None and broken.line <= len(lines):
        shown = f"; its line {broken.line} is {lines[broken.line - 1].strip()[:80]!r}"
    return Diagnostic(
        code="TC708",
        severity="error",
        message=f"{one.file.path}, which {one.template.name} makes, is {broken}{shown}",
        location=Location(file=str(one.template.path)),
        help=f"Correct the template. There {fitting(one.template.name)}.",
    )


def _read_as_code(one: Made, member: str) -> Diagnostic:
    what = f"The text of `{member}`" if member else "A text of the document"
    return Diagnostic(
        code="TC709",
        severity="error",
        message=f"{what} is read as code in {one.file.path}, which {one.template.name} makes",
        location=Location(file=str(one.template.path), line=_line(one.template, member.rpartition(".")[2])),
        help=f"A filter is missing, or stands within quotes that it writes itself: {fitting(one.template.name)}.",
    )


def _line(template: Template, member: str) -> int | None:
    """The first line of a template that prints a member."""
    pattern = re.compile(rf"\{{[{{%].*\.{re.escape(member)}\b" if member else r"\{\{")
    lines = enumerate(text(template.path).split("\n"), 1)
    return next((number for number, line in lines if pattern.search(line)), None)


def attacked(project: Project, view: PackageView) -> Iterator[Diagnostic]:
    """What is wrong with the owner's templates when each text of a view is hostile, in all ways that are known."""
    told: set[tuple[str, str, str]] = set()
    for kind, hostile in HOSTILE.items():
        if not hostile.strip():
            continue
        attack = twin(view, lambda text, hostile=hostile: f"{hostile}{text}{hostile}")
        for template in project.sources.own:
            try:
                found = list(faults(project, attack, project.files(attack, [template])))
            except Failure as refusal:  # which is safe, but such a document would have no package
                found = [replace(refusal.diagnostic, severity="warning")]
            for fault in found:
                key = template.name, fault.code, "" if fault.code == "TC708" else fault.message
                if key not in told:
                    told.add(key)
                    yield replace(fault, message=f"{fault.message} (with the text: {kind})")
