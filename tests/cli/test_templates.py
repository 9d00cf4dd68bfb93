"""``toolcast templates``, and ``generate --templates``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from typer.testing import CliRunner

import toolcast.__main__ as command
from toolcast.cli.app import app


@dataclass(frozen=True)
class Done:
    """What a run of the command line gave."""

    returncode: int
    stdout: str
    stderr: str


Run = Callable[..., Done]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run ``toolcast`` in an empty folder, in this process: there are many runs, and starting takes longest."""
    assert command  # importing it adds the commands
    monkeypatch.chdir(tmp_path)

    def call(*arguments: str, **environment: str) -> Done:
        done = CliRunner().invoke(app, list(arguments), env={"COLUMNS": None, "FORCE_COLOR": None, **environment})
        return Done(done.exit_code, done.stdout, done.stderr)

    return call


def test_the_list_names_templates_with_their_blocks_and_marks_ours(run: Run, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "TOOLS.md.jinja").write_text("# Tools\n", "utf-8")
    done = run("templates", "list", "--templates", "mine", COLUMNS="60")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert "TOOLS.md.jinja  yours  generated" in lines
    assert "src/PACKAGE/api/groups/GROUP.py.jinja  generated, one for each group" in lines
    assert "    heading, run, clients, deploy, environment, ownership, further" in lines
    values = run("templates", "list", "--variables")
    assert "  tool.summary  text" in values.stdout.splitlines()


def test_a_template_is_shown(run: Run) -> None:
    done = run("templates", "show", "README.md")
    assert done.stdout.startswith("{% block heading %}")
    absent = run("templates", "show", "REDME.md.jinja")
    assert absent.returncode == 1
    assert "error TC711 There is no built-in template 'REDME.md.jinja'" in absent.stderr
    assert "Did you mean `README.md.jinja`?" in absent.stderr


def test_a_block_is_copied_changed_checked_and_used(run: Run, shelter: Path, tmp_path: Path) -> None:
    done = run("templates", "copy", "README.md.jinja", "--block", "heading")
    assert done.stdout.startswith("Copied to templates/README.md.jinja\n")
    copy = tmp_path / "templates" / "README.md.jinja"
    assert copy.read_text("utf-8").startswith('{% extends "builtin:README.md.jinja" %}\n\n{% block heading %}')
    again = run("templates", "copy", "README.md.jinja", "--block", "heading")
    assert again.returncode == 1
    assert "error TC712 templates/README.md.jinja: templates/README.md.jinja exists already" in again.stderr
    unknown = run("templates", "copy", "README.md.jinja", "--block", "head")
    assert "README.md.jinja has no block 'head'" in unknown.stderr
    copy.write_text(copy.read_text("utf-8").replace("An MCP server", "Our MCP server"), "utf-8")
    checked = run("templates", "check", "--document", shelter.name)
    assert (checked.returncode, checked.stderr) == (0, "")
    assert "1 template of yours: texts stay texts" in checked.stdout
    made = run("generate", shelter.name, "--output", "out", "--templates", "templates")
    assert (made.returncode, made.stderr) == (0, "")
    assert "Our MCP server for **Pet shelter**" in (tmp_path / "out/README.md").read_text("utf-8")
    assert 'directory = "../templates"' in (tmp_path / "out/toolcast.toml").read_text("utf-8")


def test_a_whole_template_copied_as_it_is_changes_nothing(run: Run, shelter: Path, tmp_path: Path) -> None:
    for name in ("README.md.jinja", "src/PACKAGE/api/groups/GROUP.py.jinja", "pyproject.toml"):
        assert run("templates", "copy", name, "--into", "mine").returncode == 0
    run("generate", shelter.name, "--output", "ours")
    run("generate", shelter.name, "--output", "theirs", "--templates", "mine")
    one, two = (
        {path.relative_to(tmp_path / out).as_posix(): path.read_bytes() for path in (tmp_path / out).rglob("*.*")}
        for out in ("ours", "theirs")
    )
    assert {path for path in one if one[path] != two[path]} == {"toolcast.toml"}


def test_the_check_fails_on_a_careless_template(run: Run, tmp_path: Path) -> None:
    mine = tmp_path / "templates"
    mine.mkdir()
    (mine / "templates.toml").write_text('additions = ["title.py.jinja"]', "utf-8")
    (mine / "title.py.jinja").write_text("\nTITLE = '{{ package.title|py }}'\n", "utf-8")
    done = run("templates", "check")
    assert done.returncode == 1
    assert "error TC709 templates/title.py.jinja:2: The text of `package.title` is read as code" in done.stderr
    assert done.stdout == ""


def test_a_broken_template_leaves_things_as_they_were(run: Run, shelter: Path, tmp_path: Path) -> None:
    run("generate", shelter.name, "--output", "out")
    before = {path: path.read_bytes() for path in (tmp_path / "out").rglob("*") if path.is_file()}
    for text, line in (
        ("# {{ package.title\n", 1),
        ("\n{{ package.nmae|markdown }}", 2),
        ("\n\n{{ package.title }}", 3),
    ):
        (tmp_path / "mine").mkdir(exist_ok=True)
        (tmp_path / "mine" / "README.md.jinja").write_text(text, "utf-8")
        done = run("generate", shelter.name, "--output", "out", "--templates", "mine")
        assert done.returncode == 1
        assert f" mine/README.md.jinja:{line}: " in done.stderr
        assert "Traceback" not in done.stderr
    assert {path: path.read_bytes() for path in (tmp_path / "out").rglob("*") if path.is_file()} == before
    absent = run("generate", shelter.name, "--output", "other", "--templates", "nowhere")
    assert absent.returncode == 1
    assert "error TC700 nowhere: There is no folder nowhere with templates" in absent.stderr
    assert not (tmp_path / "other").exists()


def test_templates_that_the_next_run_would_not_use_are_said(run: Run, shelter: Path, tmp_path: Path) -> None:
    run("generate", shelter.name, "--output", "out")
    (tmp_path / "mine").mkdir()
    done = run("generate", "--output", "out", "--templates", "mine")
    assert done.returncode == 0
    assert "warning TC710 out/toolcast.toml: toolcast.toml does not name the templates in mine" in done.stderr
    configuration = tmp_path / "out/toolcast.toml"
    configuration.write_text(configuration.read_text("utf-8") + '\n[templates]\ndirectory = "../mine"\n', "utf-8")
    assert run("generate", "--output", "out", "--templates", "mine").stderr == ""
    (tmp_path / "mine").rmdir()
    assert "TC700" in run("generate", "--output", "out").stderr
    configuration.write_text(configuration.read_text("utf-8").replace("directory", "folder"), "utf-8")
    assert "`templates.folder` is an unknown key" in run("generate", "--output", "out").stderr
