"""Each accepted document becomes a package whose own tests pass, and each refused one says why with its code."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from toolcast import pipeline
from toolcast.diagnostics import Failure, Report

HERE = Path(__file__).parent
ACCEPTED = sorted(HERE.glob("accepted/*.yaml"))
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
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder in which the packages are made."""
    return tmp_path_factory.mktemp("documents")


@pytest.fixture(scope="module")
def made(root: Path) -> dict[str, int]:
    """The number of tools of each accepted document's package, once its own tests have passed."""
    counts: dict[str, int] = {}
    for document in ACCEPTED:
        name = document.stem.replace("_", "")
        result = pipeline.generate(str(document), root / name, report=Report(), name=name)
        assert result.applied
        counts[name] = len(result.inspection.catalog.tools)
    command = [sys.executable, "-c", RUNNER, *(str(root / name) for name in counts)]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    # Of a package without operations, nothing is collected.
    expected = {name: [count, 0 if count else 5] for name, count in counts.items()}
    assert found == expected, done.stdout
    return counts


@pytest.mark.parametrize("document", ACCEPTED, ids=lambda path: path.stem)
def test_an_accepted_document_becomes_a_package_that_works(document: Path, made: dict[str, int]) -> None:
    assert (made[document.stem.replace("_", "")] > 0) == (document.stem != "no_operations")
    assert about(document).endswith(".")


def test_ruff_finds_nothing_in_the_packages(root: Path, made: dict[str, int]) -> None:
    from ruff import find_ruff_bin

    for name in made:  # from within, as what is first-party is told by the folder
        for command in ("check",), ("format", "--check"):
            line = [find_ruff_bin(), *command, "--isolated", "--no-cache", "--line-length", "120", "."]
            done = subprocess.run(line, cwd=root / name, capture_output=True, text=True, check=False)
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
