"""Toolcast: an OpenAPI document in, a standalone MCP server package out.

What the command line does is here for build scripts: ``generate``, ``inspect``, ``check_templates``. Nothing is
printed; what was found is in the report that they give, and what cannot be done raises ``Failure``. Importing this
costs nothing: the work is imported when it is asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from toolcast.diagnostics import Diagnostic, Failure, Report
    from toolcast.pipeline import Generation, Inspection

__all__ = [
    "Diagnostic",
    "Failure",
    "Generation",
    "Inspection",
    "Report",
    "__version__",
    "check_templates",
    "generate",
    "inspect",
]
__version__ = "0.1.0"

_ELSEWHERE = {
    "Diagnostic": "toolcast.diagnostics",
    "Failure": "toolcast.diagnostics",
    "Generation": "toolcast.pipeline",
    "Inspection": "toolcast.pipeline",
    "Report": "toolcast.diagnostics",
}


def generate(
    document: str | PathLike[str] | None,
    output: str | PathLike[str],
    *,
    name: str = "",
    overlays: Sequence[str | PathLike[str]] = (),
    templates: str | PathLike[str] | None = None,
    tree: str | PathLike[str] | None = None,
    allow_remote_refs: bool = False,
    strict: bool = False,
    accept_origins: bool = False,
) -> Generation:
    """Make a package in a folder, or bring an earlier one up to date with a document.

    ``document`` is a file or a URL; None stands for the one that the package's configuration names. ``name`` is the
    base of all names, by default from the document's title. ``overlays`` are OpenAPI Overlays that are applied to the
    document first, by default those of the configuration. ``templates`` is a folder of templates of your own.
    ``tree`` is the folder that references may lead into, and ``allow_remote_refs`` lets them lead to other hosts.

    With ``strict``, warnings are failures; ``accept_origins`` lets requests go to servers that none went to before.
    Raises ``Failure``; then nothing was changed. Nothing was changed either when what is given is not ``applied``: its
    plan has conflicts with what the owner has edited.
    """
    from toolcast import pipeline
    from toolcast.diagnostics import Report

    return pipeline.generate(
        _address(document),
        Path(output),
        report=Report(),
        name=name,
        overlays=[str(overlay) for overlay in overlays],
        reach=pipeline.Reach(tree=_path(tree), allow_remote_refs=allow_remote_refs),
        templates=_path(templates),
        strict=strict,
        consent=lambda _: accept_origins,
    )


def inspect(
    document: str | PathLike[str],
    *,
    overlays: Sequence[str | PathLike[str]] = (),
    config: str | PathLike[str] | None = None,
    tree: str | PathLike[str] | None = None,
    allow_remote_refs: bool = False,
    strict: bool = False,
) -> Inspection:
    """What a document would become: the tools, with their hints and schemas, and every finding.

    ``config`` is a ``toolcast.toml`` whose wishes count; the other arguments are those of ``generate``. Raises
    ``Failure`` when nothing can be made of the document.
    """
    from toolcast import pipeline
    from toolcast.diagnostics import Report

    reach = pipeline.Reach(tree=_path(tree), allow_remote_refs=allow_remote_refs)
    return pipeline.inspect(
        _address(document) or "",
        report=Report(),
        overlays=[str(overlay) for overlay in overlays],
        settings=_path(config),
        reach=reach,
        strict=strict,
    )


def check_templates(
    folder: str | PathLike[str],
    document: str | PathLike[str] | None = None,
    *,
    tree: str | PathLike[str] | None = None,
    allow_remote_refs: bool = False,
) -> Report:
    """What is wrong with a folder of templates, rendered with a document as it is and with hostile texts in its place.

    Without a document the one of the sample is taken. Raises ``Failure`` when they cannot be rendered at all.
    """
    from toolcast import pipeline, templating
    from toolcast.diagnostics import Report

    report = Report()
    reach = pipeline.Reach(tree=_path(tree), allow_remote_refs=allow_remote_refs)
    templating.check(Path(folder), _address(document), report=report, reach=reach)
    return report


def _address(document: str | PathLike[str] | None) -> str | None:
    return None if document is None else str(document)


def _path(path: str | PathLike[str] | None) -> Path | None:
    return None if path is None else Path(path)


def __getattr__(name: str) -> object:
    if name in _ELSEWHERE:
        from importlib import import_module

        return getattr(import_module(_ELSEWHERE[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
