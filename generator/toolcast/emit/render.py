"""Rendering: a catalog becomes the files of a package."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from toolcast.diagnostics import Diagnostic
from toolcast.emit.answers import invented_answers
from toolcast.emit.contract import contract, listed
from toolcast.emit.environment import Templates, templates_root
from toolcast.emit.project import Project
from toolcast.emit.proof import attacked, faults, prove
from toolcast.emit.requests import cases
from toolcast.emit.sources import Sources, builtin
from toolcast.emit.types import begin
from toolcast.emit.viewing import package_view
from toolcast.model.cache import Cache, Forgetful
from toolcast.model.catalog import Catalog
from toolcast.model.files import File, is_extra

# The same for every package, whatever settings surround the folder in which it is made. The rules that are corrected
# are those that generated code can break: the order of imports, needless parentheses, unions of literals.
_RUFF = "--isolated --no-cache --quiet --line-length 120 --target-version py311 --exclude _runtime".split()
_NOTHING_KEPT: Cache = Forgetful()
_CORRECTIONS = ["check", "--select", "I,UP034,PYI030", "--fix"]


__all__ = ["configuration", "contract", "files", "findings", "listed"]


def files(
    catalog: Catalog,
    document: str,
    *,
    overlays: Sequence[str] = (),
    sources: Sources | None = None,
    templates: str = "",
    with_tests: bool = True,
    with_types: bool = True,
    cache: Cache = _NOTHING_KEPT,
) -> tuple[File, ...]:
    """The files of a package, by path; raises ``Failure`` for what is wrong with a template of the owner's.

    ``document``, ``overlays`` and ``templates`` are where ``toolcast.toml`` says that they are. ``with_tests`` and
    ``with_types`` leave out what a server that nobody edits does not need; ``cache`` keeps types.
    """
    project = Project(sources or builtin())
    # The registry takes a server by its name alone.
    unnamed = () if catalog.metadata.registry_name else ("server.json",)
    without = (*catalog.without, *unnamed, *(() if with_tests else ("tests",)))
    # Types take longest, so they are begun first, unless a template of the owner's may end it all.
    types = begin(catalog.types, cache) if with_types and not project.sources.own else None
    tested = {} if "tests" in without else cases(catalog)
    view = package_view(catalog, document, tested, templates=templates, overlays=overlays)
    wanted = [one for one in project.sources.templates if not any(is_extra(one.target, extra) for extra in without)]
    rendered = list(project.files(view, wanted))
    prove(project, view, rendered)
    if with_types and types is None:
        types = begin(catalog.types, cache)
    made = [one.file for one in rendered] + _runtime(catalog.package)
    api = f"src/{catalog.package}/api"
    made.append(File(path=f"{api}/tools.json", text=contract(catalog), owner="generated"))
    if "answers.json" not in without and (answers := invented_answers(catalog)):
        made.append(File(path=f"{api}/answers.json", text=answers, owner="generated"))
    if types is not None:
        made.append(File(path=f"{api}/types.py", text=types(), owner="generated"))
        made = _formatted(made)
    return tuple(sorted(made, key=lambda file: file.path))


def configuration(catalog: Catalog, document: str, overlays: Sequence[str] = ()) -> str:
    """A commented configuration to start from, with examples that are true of this catalog."""
    view = package_view(catalog, document, {}, overlays=overlays)
    return Templates(templates_root() / "init").rendered("toolcast.toml.jinja", {"package": view})


def findings(catalog: Catalog, sources: Sources) -> Iterable[Diagnostic]:
    """What is wrong with the owner's templates, with the texts of a catalog and with hostile ones in their place.

    Raises ``Failure`` for what cannot be rendered at all.
    """
    project = Project(sources)
    view = package_view(catalog, "openapi.yaml", cases(catalog), templates="templates")
    yield from faults(project, view, project.files(view, sources.own))
    yield from attacked(project, view)


def _runtime(package: str) -> list[File]:
    """The runtime, byte for byte; pip leaves byte-compiled files beside it, which are not copied."""
    root = templates_root() / "runtime"
    return [
        File(path=f"src/{package}/_runtime/{path.name}", text=path.read_text("utf-8"), owner="runtime")
        for path in sorted(root.iterdir())
        if path.suffix == ".py" or path.name in ("py.typed", "LICENSE")
    ]


def _formatted(made: list[File]) -> list[File]:
    """The files with generated Python sorted and formatted, by one run of ruff each."""
    from ruff import find_ruff_bin

    with tempfile.TemporaryDirectory(prefix="toolcast-") as folder:
        root = Path(folder)
        python = [file for file in made if file.path.endswith(".py")]  # the runtime tells what is ours when sorting
        for file in python:
            path = root / file.path
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(file.text, "utf-8", newline="\n")
        for command in (_CORRECTIONS, ["format"]):
            subprocess.run([find_ruff_bin(), *command, *_RUFF, "."], cwd=folder, check=True, capture_output=True)  # noqa: S603
        texts = {file.path: (root / file.path).read_text("utf-8") for file in python}
    return [replace(file, text=texts.get(file.path, file.text)) for file in made]
