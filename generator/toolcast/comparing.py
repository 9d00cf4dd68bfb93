"""Comparing: two documents, packages or contracts, wherever they are, become a comparison of what they offer."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from pathlib import Path

from toolcast.contract import Comparison, Contract, compare, read
from toolcast.diagnostics import Diagnostic, Failure, Report
from toolcast.emit import render
from toolcast.load import configuration
from toolcast.load.revision import Checkout, checked_out
from toolcast.load.settings import Settings
from toolcast.mapping.catalog import catalog
from toolcast.mapping.tokens import Sizes
from toolcast.model.config import Config
from toolcast.model.lock import Lock
from toolcast.parse.api import parse
from toolcast.pipeline import Progress, Reach
from toolcast.write import lock as lock_file


@dataclass(frozen=True, slots=True, kw_only=True)
class _Side:
    """One of two things that are compared, and what is known of it; a document has no contract yet.

    ``folder`` is that of a package, which its configuration speaks from.
    """

    at: Checkout
    folder: Path = Path()
    config: Config = field(default_factory=Config)
    lock: Lock | None = None
    contract: Contract | None = None


def _silent(stage: str) -> None:
    """Say nothing."""


def diff(old: str, new: str, *, report: Report, reach: Reach | None = None, progress: Progress = _silent) -> Comparison:
    """How what ``new`` offers differs from what ``old`` does; raises ``Failure``.

    Each is a document, the folder of a package, a ``tools.json``, or one of them at a revision of git
    (``HEAD~1:openapi.yaml``). Documents are mapped with the decisions and wishes of the other side, so that names
    correspond, and with its overlays.
    """
    with checked_out(old) as before, checked_out(new) as after:
        sides = _found(before), _found(after)
        known = next((side for side in sides if side.lock is not None), sides[0])
        contracts: list[Contract] = []
        for side in sides:
            offered = side.contract
            if offered is None:
                progress(f"reading {side.at.address}")
                known, offered = _mapped(side.at, known, reach or Reach(), report)
            contracts.append(replace(offered, sizes=_sizes(offered)))
        progress("comparing")
        return compare(*contracts)


def _found(at: Checkout) -> _Side:
    """What stands at an address; raises ``Failure``."""
    try:
        return _side(at)
    except Failure as failure:
        raise Failure(_renamed(failure.diagnostic, Report(), at)) from None


def _side(at: Checkout) -> _Side:
    path = Path(at.path)
    if path.is_dir():
        listed = next(iter(sorted(path.glob("src/*/api/tools.json"))), None)
        folder = path
    else:
        listed = path if path.suffix == ".json" and path.is_file() else None
        folder = path.absolute().parents[3] if path.absolute().match("src/*/api/tools.json") else None
    lock = lock_file.read(folder) if folder is not None else None
    offered = read(listed.read_bytes(), lock) if listed is not None else None
    if path.is_dir() and (offered is None or lock is None):
        raise Failure(
            Diagnostic(
                code="TC801",
                severity="error",
                message=f"{at.address} is a folder, and no package that was generated",
                help="Give a package's folder, a tools.json or an OpenAPI document.",
            )
        )
    config = configuration.read(folder) if folder is not None and lock is not None else None
    return _Side(at=at, folder=folder or Path(), config=config or Config(), lock=lock, contract=offered)


def _mapped(at: Checkout, known: _Side, reach: Reach, report: Report) -> tuple[_Side, Contract]:
    """The contract that a document becomes by what was decided before, and what is decided now; raises ``Failure``."""
    own = Report()
    try:
        tree = at.tree or reach.tree
        settings = Settings(config=replace(known.config, tree=""), folder=known.folder)
        document = settings.document(at.path, own, tree=tree, allow_remote_refs=reach.allow_remote_refs)
        own.lines = document.lines
        offered, lock = catalog(parse(document, own), known.config, known.lock or Lock(), own)
    except Failure as failure:
        raise Failure(_renamed(failure.diagnostic, own, at)) from None
    # What a document is blamed for is no matter here, but for what is missing in the comparison.
    report.extend(_renamed(finding, own, at) for finding in own.diagnostics if finding.operation)
    contract = read(render.contract(offered), lock)
    assert contract is not None, "what is emitted is a contract"
    return replace(known, config=replace(known.config, name=offered.name), lock=lock), contract


def _sizes(contract: Contract) -> dict[str, int]:
    """The tokens that each tool costs in a list."""
    measured = Sizes()
    return {str(tool["name"]): measured.tokens(tool) for tool in contract.tools if isinstance(tool, dict)}


def _renamed(finding: Diagnostic, report: Report, at: Checkout) -> Diagnostic:
    """A finding with its line, and under the name that its file has for the user."""
    message, location = finding.message, finding.location
    if at.tree is not None:
        message = message.replace(f"{at.tree}{os.sep}", f"{at.address.partition(':')[0]}:")
    if location is not None:
        line = location.line or (report.lines(location) if report.lines is not None and location.pointer else None)
        location = replace(location, file=at.called(location.file), line=line)
    return replace(finding, message=message, location=location)
