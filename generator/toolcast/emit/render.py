"""Rendering: a catalog becomes the files of a package."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import orjson

from toolcast.emit.environment import Templates, templates_root
from toolcast.emit.requests import cases
from toolcast.emit.types import begin
from toolcast.emit.views import PackageView, package_view
from toolcast.model.cache import Cache, Forgetful
from toolcast.model.catalog import Catalog, Tool
from toolcast.model.files import File, Owner
from toolcast.model.json import JsonObject

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


def files(
    catalog: Catalog,
    document: str,
    *,
    with_tests: bool = True,
    with_types: bool = True,
    cache: Cache = _NOTHING_KEPT,
) -> tuple[File, ...]:
    """The files of a package, by path; ``document`` is where ``toolcast.toml`` says that the document is.

    ``with_tests`` and ``with_types`` leave out what a server that nobody edits does not need; ``cache`` keeps types.
    """
    types = begin(catalog.types, cache) if with_types else None
    view = package_view(catalog, document, cases(catalog) if with_tests else {})
    made = [file for file in _rendered(view) if with_tests or not file.path.startswith("tests/")]
    made += _runtime(catalog.package)
    api = f"src/{catalog.package}/api"
    made.append(File(path=f"{api}/tools.json", text=contract(catalog), owner="generated"))
    if types is not None:
        made.append(File(path=f"{api}/types.py", text=types(), owner="generated"))
        made = _formatted(made)
    return tuple(sorted(made, key=lambda file: file.path))


def contract(catalog: Catalog) -> str:
    """``tools.json``: what agents see, a tools/list answer in a fixed order."""
    return orjson.dumps({"tools": [listed(tool) for tool in catalog.tools]}, option=orjson.OPT_INDENT_2).decode() + "\n"


def listed(tool: Tool) -> JsonObject:
    """A tool as it stands in a tools/list answer (MCP 2026-07-28, Tool)."""
    listed: JsonObject = {
        "name": tool.name,
        "title": tool.title,
        "description": tool.description,
        "inputSchema": dict(tool.input_schema),
    }
    if tool.output_schema is not None:
        listed["outputSchema"] = dict(tool.output_schema)
    listed["annotations"] = {
        "readOnlyHint": tool.hints.read_only.value,
        "destructiveHint": tool.hints.destructive.value,
        "idempotentHint": tool.hints.idempotent.value,
        "openWorldHint": tool.hints.open_world.value,
    }
    return listed


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
