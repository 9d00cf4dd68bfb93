"""``import toolcast``: cheap, typed, silent; and docs/python.md runs."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from inspect import Parameter, signature
from pathlib import Path

import pytest

import toolcast

ROOT = Path(__file__).parents[2]
SAMPLE = ROOT / "samples" / "bookshop" / "openapi.yaml"
PAGE = (ROOT / "docs" / "python.md").read_text("utf-8")


def test_importing_it_costs_nothing() -> None:
    script = (
        "import sys, toolcast; print([m for m in sys.modules if m.startswith('toolcast.')], 'jinja2' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "[] False\n"


def test_the_page_runs(tmp_path: Path) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    (tmp_path / "openapi.yaml").write_bytes(SAMPLE.read_bytes())
    (tmp_path / "build.py").write_text(code, "utf-8")
    strict = code.replace(", strict=True", "")
    (tmp_path / "loose.py").write_text(strict, "utf-8")
    refused, done = (
        subprocess.run([sys.executable, script], cwd=tmp_path, capture_output=True, text=True, check=False)
        for script in ("build.py", "loose.py")
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("bookshop-mcp has 23 tools\n")
    assert "delete_book" in (tmp_path / "risky.txt").read_text("utf-8").splitlines()
    # The sample has warnings or not, as the rules of the mapping grow: with them, --strict has to stop the script.
    warned = any(line.startswith("warning ") for line in done.stdout.splitlines())
    assert (refused.returncode, refused.stderr.startswith("TC602: ")) == ((1, True) if warned else (0, False))


def test_every_name_that_is_offered_is_there_and_on_the_page() -> None:
    for name in toolcast.__all__:
        assert getattr(toolcast, name)
    functions = [
        node.name
        for node in ast.parse(Path(toolcast.__file__).read_text("utf-8")).body
        if isinstance(node, ast.FunctionDef)
    ]
    for name in functions:
        assert name.startswith("_") or f"`{name}(" in PAGE, name
    with pytest.raises(AttributeError, match="has no attribute 'genrate'"):
        _ = toolcast.genrate  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("name", "command"),
    [("generate", ["generate"]), ("inspect", ["inspect"]), ("check_templates", ["templates", "check"])],
)
def test_the_arguments_are_the_options_of_the_command_line(name: str, command: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "toolcast", *command, "--help"],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "COLUMNS": "200", "NO_COLOR": "1"},
    )
    options = set(re.findall(r"--([a-z-]+)", done.stdout)) - {"help", "json", "html", "all", "document"}
    options = {"overlays" if option == "overlay" else option for option in options}
    known = {
        parameter.name.replace("_", "-")
        for parameter in signature(getattr(toolcast, name)).parameters.values()
        if parameter.kind is Parameter.KEYWORD_ONLY or parameter.name == "output"
    }
    # A script can be strict about what it only looks at; the command line shows it.
    assert options == known - ({"strict"} if name == "inspect" else set())


def test_a_failure_is_raised_and_nothing_is_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(toolcast.Failure) as failure:
        toolcast.generate(tmp_path / "nowhere.yaml", tmp_path / "out")
    assert failure.value.diagnostic.code == "TC001"
    assert not (tmp_path / "out").exists()
    with pytest.raises(toolcast.Failure):
        toolcast.check_templates(tmp_path / "nowhere")
    (tmp_path / "README.md.jinja").write_text("<b>{{ package.title|comment }}</b>", "utf-8")
    assert {finding.code for finding in toolcast.check_templates(tmp_path, SAMPLE).of("error")} == {"TC709"}
    found = toolcast.inspect(SAMPLE)
    assert isinstance(found, toolcast.Inspection)
    assert found.report.diagnostics
    assert capsys.readouterr() == ("", "")


def test_a_package_knows_its_document_and_templates(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "TOOLS.md").write_text("Mine.\n", "utf-8")
    first = toolcast.generate(SAMPLE, tmp_path / "out", name="bookshop", templates=tmp_path / "mine")
    again = toolcast.generate(None, tmp_path / "out")
    assert first.applied and again.applied
    assert again.plan.of("create", "replace", "delete") == []
    assert (tmp_path / "out" / "TOOLS.md").read_text("utf-8") == "Mine.\n"
