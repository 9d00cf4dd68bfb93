"""What can be done with templates besides generating: list, read, copy and check them."""

from __future__ import annotations

import re
from pathlib import Path

from toolcast.diagnostics import Diagnostic, Failure, Location, Report
from toolcast.emit import render
from toolcast.emit.blocks import blocks
from toolcast.emit.interface import interface
from toolcast.emit.sources import Sources, builtin, nearest, sources
from toolcast.model.templates import BUILTIN, Interface, Template
from toolcast.pipeline import NEAR, Progress, Reach, inspect, silent

_TAG = re.compile(r"\{%[-+]?\s*(block|endblock)\b\s*(\w*)[^%]*%\}")


def sample() -> Path:
    """The folder of the bookshop: inside the package when installed, at the top of a checkout."""
    package = Path(__file__).resolve().parent
    installed = package / "samples" / "bookshop"
    return installed if installed.is_dir() else package.parent.parent / "samples" / "bookshop"


def known(folder: Path | None) -> tuple[Interface, Sources]:
    """What templates can rely on, and the templates with those of the owner's folder in place; raises ``Failure``."""
    return interface(), sources(folder)


def shown(name: str) -> str:
    """The text of a built-in template; raises ``Failure`` when there is none of that name."""
    return _builtin(name).path.read_text("utf-8")


def copied(name: str, into: Path, block: str = "") -> Path:
    """Copy a built-in template, or one of its blocks, into the owner's folder; raises ``Failure``.

    A block comes in a template that extends the built-in one and overrides nothing else. An existing file stays.
    """
    template = _builtin(name)
    content = _extending(template, block) if block else template.path.read_text("utf-8")
    path = into / template.name
    if path.exists():
        raise _failure("TC712", f"{path} exists already", path, "Edit it there, or remove it first.")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content, "utf-8", newline="\n")
    return path


def check(
    folder: Path, document: str | None, *, report: Report, reach: Reach = NEAR, progress: Progress = silent
) -> Sources:
    """Render the owner's templates with a document, as it is and with hostile texts; raises ``Failure``.

    What is wrong with them is in the report. Without a document they are rendered with the sample's.
    """
    chosen = sources(folder)
    found = inspect(document or str(sample() / "openapi.yaml"), report=Report(), reach=reach, progress=progress)
    progress("rendering with hostile texts")
    report.extend(render.findings(found.catalog, chosen))
    return chosen


def _builtin(name: str) -> Template:
    templates = builtin().templates
    plain = name.removeprefix(BUILTIN)
    for template in templates:
        if plain in (template.name, template.target):
            return template
    hint = nearest(plain, [template.name for template in templates])
    raise _failure(
        "TC711", f"There is no built-in template {name!r}", None, f"{hint}`toolcast templates list` shows all."
    )


def _extending(template: Template, block: str) -> str:
    """A template that extends a built-in one and has this block of it."""
    names = [known.name for known in blocks(template)]
    if block not in names:
        hint = nearest(block, names)
        listed = f"The blocks are {', '.join(names)}." if names else "It has none."
        raise _failure("TC711", f"{template.name} has no block {block!r}", None, f"{hint}{listed}")
    text = template.path.read_text("utf-8")
    start, depth = None, 0
    for tag in _TAG.finditer(text):
        if start is not None:
            depth += 1 if tag[1] == "block" else -1
            if depth == 0:
                return f'{{% extends "{BUILTIN}{template.name}" %}}\n\n{text[start : tag.end()]}\n'
        elif tag[1] == "block" and tag[2] == block:
            start, depth = tag.start(), 1
    raise AssertionError(f"block {block} has no end")


def _failure(code: str, message: str, path: Path | None, cure: str) -> Failure:
    location = Location(file=str(path)) if path is not None else None
    return Failure(Diagnostic(code=code, severity="error", message=message, location=location, help=cure))
