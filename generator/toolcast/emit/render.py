"""Rendering: a catalog becomes the files of a package."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from toolcast.emit.contract import contract, listed
from toolcast.emit.environment import Templates, templates_root
from toolcast.emit.requests import cases
from toolcast.emit.types import begin
from toolcast.emit.views import PackageView, package_view
from toolcast.model.cache import Cache, Forgetful
from toolcast.model.catalog import Catalog
from toolcast.model.files import File, Owner, is_extra

# By template; what is not named here is generated.
_OWNERS: Mapping[str, Owner] = {
    "toolcast.toml": "yours",
    "src/PACKAGE/server.py": "yours",
    "pyproject.toml": "shared",
    "README.md": "shared",
    ".gitignore": "shared",
    ".env.example": "shared",
    ".gitattributes": "shared",
}

# The same for every package, whatever settings surround the folder in which it is made. The rules that are corrected
# are those that generated code can break: the order of imports, needless parentheses, unions of literals.
_RUFF = "--isolated --no-cache --quiet --line-length 120 --target-version py311 --exclude _runtime".split()
_NOTHING_KEPT: Cache = Forgetful()
_CORRECTIONS = ["check", "--select", "I,UP034,PYI030", "--fix"]


__all__ = ["configuration", "contract", "files", "listed"]


def files(
    catalog: Catalog,
    document: str,
    *,
    overlays: Sequence[str] = (),
    with_tests: bool = True,
    with_types: bool = True,
    cache: Cache = _NOTHING_KEPT,
) -> tuple[File, ...]:
    """The files of a package, by path; ``document`` and ``overlays`` are where ``toolcast.toml`` says that they are.

    ``with_tests`` and ``with_types`` leave out what a server that nobody edits does not need; ``cache`` keeps types.
    """
    types = begin(catalog.types, cache) if with_types else None
    without = (*catalog.without, *(() if with_tests else ("tests",)))
    with_tests = "tests" not in without
    view = package_view(catalog, document, cases(catalog) if with_tests else {}, overlays)
    made = [file for file in _rendered(view) if not any(is_extra(file.path, extra) for extra in without)]
    made += _runtime(catalog.package)
    api = f"src/{catalog.package}/api"
    made.append(File(path=f"{api}/tools.json", text=contract(catalog), owner="generated"))
    if types is not None:
        made.append(File(path=f"{api}/types.py", text=types(), owner="generated"))
        made = _formatted(made)
    return tuple(sorted(made, key=lambda file: file.path))


def configuration(catalog: Catalog, document: str, overlays: Sequence[str] = ()) -> str:
    """A commented configuration to start from, with examples that are true of this catalog."""
    view = package_view(catalog, document, {}, overlays)
    return Templates(templates_root() / "init").rendered("toolcast.toml.jinja", {"package": view})


def _rendered(view: PackageView) -> Iterator[File]:
    """The templates of the project, each rendered, or copied when it is none; one of ``GROUP`` for each group."""
    root = templates_root() / "project"
    templates = Templates(root)
    for path in sorted(path for path in root.rglob("*") if path.is_file() and "__pycache__" not in path.parts):
        source = path.relative_to(root).as_posix()
        target = source.removesuffix(".jinja")
        owner = _OWNERS.get(target, "generated")
        target = target.replace("PACKAGE", view.package)
        if not source.endswith(".jinja"):
            yield File(path=target, text=path.read_text("utf-8"), owner=owner)
        elif "GROUP" in target:
            for group in view.groups:
                text = _ended(templates.rendered(source, {"package": view, "group": group}))
                yield File(path=target.replace("GROUP", group.name), text=text, owner=owner)
        else:
            yield File(path=target, text=_ended(templates.rendered(source, {"package": view})), owner=owner)


def _ended(text: str) -> str:
    """A text with one line end at its end, so that no hook that wants it so changes the file."""
    return text.rstrip("\n") + "\n"


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
