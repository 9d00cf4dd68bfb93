"""Each accepted document becomes a package whose own tests pass, and each refused one says why with its code."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from toolcast import pipeline
from toolcast.diagnostics import Failure, Report

from .conftest import ACCEPTED, Made, label

HERE = Path(__file__).parent
REFUSED = sorted(HERE.glob("refused/*.yaml"))

# Runs the own tests of several packages in one process: pytest, the SDK and the HTTP client are imported once. Each
# package has a `tests` package and settings of its own, so pytest is started anew for each.
RUNNER = """
import json, os, sys
from importlib import import_module

import pytest

found = {}
for folder in sys.argv[1:]:
    os.chdir(folder)
    name = os.path.basename(folder)
    before = list(sys.path)
    sys.path.insert(0, os.path.join(folder, "src"))
    api = import_module(f"{name}_mcp.api")
    server = import_module(f"{name}_mcp.server").build()
    listed = server.contract.page(None)["tools"]
    status = pytest.main(["-q", "-p", "no:cacheprovider", "-W", "error", "--rootdir", folder, "tests"])
    found[name] = [len(listed), int(status)]
    for module in [module for module in sys.modules if module.partition(".")[0] == "tests"]:
        del sys.modules[module]
    sys.path[:] = before
print()
print(json.dumps(found))
"""


def about(document: Path) -> str:
    """What a document is about, from the comment on its first line."""
    line = document.read_text("utf-8").partition("\n")[0]
    assert line.startswith("# "), document
    return line.removeprefix("# ")


@pytest.fixture(scope="module")
def tested(root: Path, made: Mapping[Path, Made]) -> Mapping[Path, list[int]]:
    """For each document the tools that its package lists, and the status of the package's own tests."""
    command = [sys.executable, "-c", RUNNER, *(str(one.folder) for one in made.values())]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    return {document: found[one.folder.name] for document, one in made.items()}


@pytest.mark.parametrize("document", ACCEPTED, ids=label)
def test_an_accepted_document_becomes_a_package_that_works(
    document: Path, made: Mapping[Path, Made], tested: Mapping[Path, list[int]]
) -> None:
    # Of a package without operations, nothing is collected.
    assert tested[document] == [made[document].tools, 0 if made[document].tools else 5]
    assert (made[document].tools > 0) == (document.stem != "no_operations")
    if document.suffix == ".yaml":
        assert about(document).endswith(".")


def test_ruff_finds_nothing_in_the_packages(made: Mapping[Path, Made]) -> None:
    from ruff import find_ruff_bin

    for one in made.values():  # from within, as what is first-party is told by the folder
        for command in ("check",), ("format", "--check"):
            line = [find_ruff_bin(), *command, "--isolated", "--no-cache", "--line-length", "120", "."]
            done = subprocess.run(line, cwd=one.folder, capture_output=True, text=True, check=False)
            assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("document", REFUSED, ids=lambda path: path.stem)
def test_a_refused_document_says_why(document: Path, tmp_path: Path) -> None:
    code, _, why = about(document).partition(": ")
    assert why
    with pytest.raises(Failure) as failure:
        pipeline.generate(str(document), tmp_path / "package", report=Report())
    assert failure.value.diagnostic.code == code
    assert failure.value.diagnostic.help
    assert not (tmp_path / "package").exists()
