"""One API written in two versions of the specification becomes the same server, whichever is read."""

from __future__ import annotations

import difflib
from pathlib import Path

import pytest

from toolcast import pipeline
from toolcast.diagnostics import Report
from toolcast.emit import render

FOLDERS = sorted((Path(__file__).parent / "alike").iterdir())


def emitted(document: Path) -> dict[str, str]:
    """What a document becomes: the contract, the operations, the tests with their requests, everything."""
    report = Report()
    catalog = pipeline.inspect(str(document), report=report).catalog
    assert not report.of("error") and not report.of("warning"), report.diagnostics
    assert catalog.tools
    return {file.path: file.text for file in render.files(catalog, "openapi.yaml")}


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_the_same_api_becomes_the_same_server(folder: Path) -> None:
    first, *others = sorted(folder.iterdir())
    assert others
    expected = emitted(first)
    assert any(path.endswith("tools.json") for path in expected) and any("/tests/" in f"/{path}" for path in expected)
    for other in others:
        found = emitted(other)
        assert found.keys() == expected.keys()
        for path in found:
            told = difflib.unified_diff(expected[path].splitlines(), found[path].splitlines(), lineterm="", n=1)
            assert found[path] == expected[path], "\n".join([path, *told])
