"""What an update writes, and which processes it starts: what has changed, and those that it needs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import orjson
import pytest

import documents
from tests.counters.counting import versions
from toolcast import pipeline
from toolcast.diagnostics import Report


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The commands that are started, by name."""
    found: list[str] = []
    start = subprocess.Popen.__init__

    def noted(self: Any, args: Any, *others: Any, **more: Any) -> None:
        command = [args] if isinstance(args, str) else [str(part) for part in args]
        found.append("python" if command[0] == sys.executable else Path(command[0]).name)
        start(self, args, *others, **more)

    monkeypatch.setattr(subprocess.Popen, "__init__", noted)
    return found


def test_an_update_writes_what_has_changed_and_nothing_else(tmp_path: Path, started: list[str]) -> None:
    address, package = tmp_path / "api.json", tmp_path / "package"
    document = documents.family(20)
    address.write_bytes(orjson.dumps(document))
    pipeline.generate(str(address), package, report=Report(), name="api")
    assert sorted(started) == ["git", "ruff", "ruff"]  # each runs once over all files, and not once for each
    before = versions(package)

    started.clear()
    pipeline.update(package, report=Report())
    assert versions(package) == before
    assert started == ["ruff", "ruff"]

    document["paths"]["/kind0"]["get"]["summary"] = "All that there are of the first kind"
    address.write_bytes(orjson.dumps(document))
    pipeline.update(package, report=Report())
    after = versions(package)
    changed = {path for path, version in after.items() if version != before.get(path)}
    about_tools = {"src/api_mcp/api/tools.json", "src/api_mcp/api/groups/group0.py", "TOOLS.md", "manifest.json"}
    assert changed == {"toolcast.lock", *about_tools}
