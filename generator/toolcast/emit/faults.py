"""Faults of templates, as diagnostics: which file and line, which expression, and what to write instead."""

from __future__ import annotations

import re
import traceback
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from jinja2.exceptions import TemplateAssertionError, TemplateNotFound, TemplateSyntaxError, UndefinedError

from toolcast.diagnostics import Diagnostic, Failure, Location
from toolcast.emit.environment import RefusedError
from toolcast.emit.literals import FILTERS
from toolcast.emit.sources import Sources, nearest

_EXPRESSION = re.compile(r"\{\{[-+]?\s*(.*?)\s*[-+]?\}\}")
# The filters that give what a language reads as a text, by the suffix of the file.
_FITTING: Final[Mapping[str, str]] = {
    "py": "`py` writes a value, `docstring` text inside of a docstring, `comment` text after a #",
    "toml": "`toml` writes a value, `comment` text after a #",
    "json": "`json` writes a value",
    "yaml": "`yaml` writes a text, `comment` text after a #",
    "yml": "`yaml` writes a text, `comment` text after a #",
    "md": "`markdown` writes text, `code_span` code",
    "html": "`html` writes text",
}


@contextmanager
def told(sources: Sources, name: str) -> Generator[None]:
    """Turn what goes wrong while the template of this name is read or rendered into a ``Failure``."""
    try:
        yield
    except Failure:
        raise
    except TemplateSyntaxError as error:
        raise _syntax(error, sources) from None
    except TemplateNotFound as error:
        raise _absent(error, sources, name) from None
    except Exception as error:
        place = _place(error, sources)
        if place is None:  # no template's fault, but a mistake of ours
            raise
        raise _while_rendering(error, *place) from None


def fitting(name: str) -> str:
    """Which filters write a text into the file that a template makes."""
    suffix = name.removesuffix(".jinja").rpartition(".")[2]
    return _FITTING.get(suffix, "`comment` writes text on one line, `shell` one word of a shell")


def failed(code: str, message: str, path: Path, line: int | None, cure: str) -> Failure:
    """A failure at a line of a template."""
    location = Location(file=str(path), line=line)
    return Failure(Diagnostic(code=code, severity="error", message=message, location=location, help=cure))


def _syntax(error: TemplateSyntaxError, sources: Sources) -> Failure:
    path = Path(error.filename or "")
    said = (error.message or "it cannot be read").rstrip(".")
    cure = "Templates are written in Jinja: https://jinja.palletsprojects.com/templates/."
    unknown = re.match(r"No filter named '([^']*)'", said)
    if unknown:
        cure = f"{nearest(unknown[1], FILTERS)}The filters are {', '.join(sorted(FILTERS))}."
    elif isinstance(error, TemplateAssertionError):
        cure = "Filters are the only way for a text into a file."
    name = _name(path, sources)
    return failed("TC703", f"{name} is no template: {said[:1].lower()}{said[1:]}", path, error.lineno, cure)


def _absent(error: TemplateNotFound, sources: Sources, name: str) -> Failure:
    missing = str(error.name)
    place = _place(error, sources)
    path, line = place if place is not None else (sources.paths[name], None)
    return failed(
        "TC703",
        f"There is no template {missing!r} to extend, include or import",
        path,
        line,
        f"{nearest(missing, sources.paths)}Those of toolcast are called `builtin:README.md.jinja` and so on.",
    )


def _while_rendering(error: Exception, path: Path, line: int) -> Failure:
    expression = _expression(path, line)
    if isinstance(error, UndefinedError):
        where = f"It stands in {expression}; " if expression else ""
        cure = f"{where}`toolcast templates list --variables` shows what templates see."
        return failed("TC704", str(error), path, line, cure[0].upper() + cure[1:])
    if isinstance(error, RefusedError):
        what = expression or "This line"
        message = f"{what} puts something into the file that comes through no filter: {str(error).split(' needs ')[0]}"
        return failed("TC705", message, path, line, f"Put one behind it: {fitting(path.name)}.")
    what = expression or "This line"
    if isinstance(error, RecursionError):
        return failed(
            "TC706",
            f"{what} never ends",
            path,
            line,
            "A template that extends the one that it shadows names it as `builtin:…`.",
        )
    return failed("TC706", f"{what} fails: {error or type(error).__name__}", path, line, f"Here {fitting(path.name)}.")


def _place(error: Exception, sources: Sources) -> tuple[Path, int] | None:
    """The template and its line where an exception began; Jinja writes them into the traceback."""
    files = {str(path): path for path in sources.paths.values()}
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename in files]
    return (files[frames[-1].filename], frames[-1].lineno or 1) if frames else None


def _expression(path: Path, line: int) -> str:
    """The expression on a line of a template; of several the one without a filter, if that tells."""
    lines = path.read_text("utf-8-sig").splitlines()
    found: list[str] = _EXPRESSION.findall(lines[line - 1]) if line <= len(lines) else []
    bare = [expression for expression in found if "|" not in expression]
    chosen = found if len(found) == 1 else bare
    return f"{{{{ {chosen[0]} }}}}" if len(chosen) == 1 else ""


def _name(path: Path, sources: Sources) -> str:
    return next((name for name, known in sources.paths.items() if known == path), path.name)
