"""Every code block of the pages for people does what its page says; one that nothing tests fails."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable, Generator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, cast

import pytest
import yaml

import toolcast
from tests.pages.blocks import ROOT, Block, blocks, of, stories
from tests.pages.world import DOCUMENT, World, made, site
from toolcast.diagnostics import Report
from toolcast.load import reading, toml
from toolcast.load.overlay import is_overlay
from toolcast.model import keys
from toolcast.model.shape import problems

STORIES = stories(blocks())
_NAMED = re.compile(r"^# (\S+)$", re.MULTILINE)  # a first line that names the file


@pytest.fixture(scope="session")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Generator[World]:
    """What all blocks begin with: one package for the session."""
    with site() as address:
        yield made(tmp_path_factory.mktemp("pages"), address)


@pytest.mark.parametrize("parts", STORIES, ids=lambda parts: str(parts[0]))
def test_a_block_does_what_its_page_says(parts: tuple[Block, ...], whole: World, tmp_path: Path) -> None:
    if not any(part.about.keys() & {"shown", "by"} for part in parts):
        whole = whole.copied(tmp_path / "world", before=parts[0].about.get("before", ""))
    try:
        for block in parts:
            check(block, whole)
    finally:
        whole.end()


def check(block: Block, world: World) -> None:
    """Do with a block what its comment or its language says."""
    if "shown" in block.about:
        assert len(block.about["shown"].split()) > 3, "only shown, and no reason why"
        return
    if "by" in block.about:
        text = (ROOT / block.about["by"]).read_text("utf-8")
        assert Path(block.page).name in text, f"{block.about['by']} does not read {block.page}"
        return
    assert block.language in CHECKS, (
        f"{block}: no test knows what to do with a block of {block.language or 'no language'}"
    )
    CHECKS[block.language](block, world)


def shell(block: Block, world: World) -> None:
    """Each line runs as it stands, in order, and ends with 0 or with a status that the comment names."""
    where = world.folder / block.about.get("in", "")
    statuses = tuple(int(status) for status in block.about.get("status", "0").split(","))
    for line in block.text.replace("\\\n", " ").splitlines():
        if "background" in block.about:
            world.start(line, where)
        elif line.startswith("export "):
            world.export(line)
        elif line.startswith("cd "):
            where = (where / line.removeprefix("cd ").split(" #")[0].strip()).resolve()
        elif re.search(r" --http\b|\btoolcast watch\b", line.split(" #")[0]):
            world.stays(line, where)
        elif line.strip():
            if "conflict" in block.about and line.startswith("toolcast resolve"):
                world.conflict(block.about["conflict"], openly=" --" in line)
            told = (0, 10, 20) if line.startswith(("toolcast diff", "toolcast check")) else statuses
            world.run(line, where, told)


def console(block: Block, world: World) -> None:
    """Commands after ``$``, and what they print, where ``…`` stands for anything."""
    where = world.folder / block.about.get("in", "")
    statuses = tuple(int(status) for status in block.about.get("status", "0").split(","))
    printed, expected = "", ""
    for line in [*block.text.splitlines(), "$ "]:
        if not line.startswith("$ "):
            expected += f"{line}\n"
            continue
        pattern = re.escape(expected).replace(re.escape("…\n"), r"(?:.*\n)*?").replace("…", ".*?")
        assert re.fullmatch(pattern, re.sub(r" +\n", "\n", printed)), f"expected\n{expected}\nprinted\n{printed}"
        expected, command = "", line.removeprefix("$ ")
        if command.startswith("export "):
            world.export(command)
            command = ""
        printed = world.run(f"{command} 2>&1", where, statuses) if command else ""


def configuration(block: Block, world: World) -> None:
    """A toolcast.toml is taken; a templates.toml fits a folder with the files that it lists."""
    named = _NAMED.match(block.text)
    if named and named[1] == "templates.toml":
        folder = world.folder / "own"
        folder.mkdir()
        (folder / "templates.toml").write_text(block.text, "utf-8")
        for path in [path for paths in tomllib.loads(block.text).values() for path in paths]:
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text("Nothing.\n", "utf-8")
        assert not toolcast.check_templates(folder, DOCUMENT).of("error")
        return
    if "append" in block.about:
        with (world.folder / block.about["append"]).open("a", encoding="utf-8") as file:
            file.write(f"\n{block.text}")
    assert list(problems(toml.values(block.text), keys.CONFIGURATION)) == []


def markup(block: Block, world: World) -> None:
    """A workflow's steps run; an overlay is applied; a part of a document is understood in one."""
    value: Any = reading.value(block.text, "page", Report())
    if "jobs" in value:
        _steps(yaml.safe_load(block.text), world)
    elif is_overlay(value):
        (world.folder / "page.overlay.yaml").write_text(block.text, "utf-8")
        world.run("toolcast document openapi.yaml --overlay page.overlay.yaml", world.folder)
    else:
        whole = _merged(yaml.safe_load(DOCUMENT.read_text("utf-8")), value)
        (world.folder / "openapi.yaml").write_text(json.dumps(whole), "utf-8")
        assert toolcast.inspect(world.folder / "openapi.yaml").catalog.tools


def _merged(one: dict[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    for key, value in other.items():
        if isinstance(value, dict) and isinstance(one.get(key), dict):
            _merged(one[key], cast("dict[str, Any]", value))
        else:
            assert key in one or key in ("x-toolcast", "paths", "components") or value is not None
            one[key] = value
    return one


def _steps(workflow: Mapping[str, Any], world: World) -> None:
    """Every ``run`` of a workflow, as its runner would start it: the package does not agree with the document."""
    output = world.folder / "output"
    output.touch()
    for job in workflow["jobs"].values():
        for step in job["steps"]:
            if "run" not in step:
                assert re.fullmatch(r"actions/[a-z-]+@v\d+", step["uses"])
                continue
            script = step["run"].replace("${{ steps.check.outputs.status }}", "10")
            assert "${{" not in script
            world.run(script, world.folder, (0, 10), GITHUB_OUTPUT=str(output), RUNNER_TEMP=str(world.folder))


def data(block: Block, world: World) -> None:
    """JSON; a client's configuration names a command that is there, and variables that it reads."""
    value = json.loads(block.text)
    for server in value.get("mcpServers", {}).values():
        assert (world.folder / "bin" / server["command"]).exists(), f"no command {server['command']}"
        package = world.folder / block.about.get("package", "petstore-mcp")
        known = (package / ".env.example").read_text("utf-8")
        assert [name for name in server.get("env", {}) if name not in known] == []


def code(block: Block, world: World) -> None:
    """A part of a sample, or a module that a type checker takes; ``run`` is what it is good for."""
    if "of" in block.about:
        assert block.text in (ROOT / block.about["of"]).read_text("utf-8")
        return
    source = world.package / "src"
    module = world.folder / f"page_{block.line}.py"
    module.write_text(block.text, "utf-8")
    command = [sys.executable, "-m", "basedpyright", "--pythonpath", sys.executable, "--level", "error", str(module)]
    settings = {"extraPaths": [str(source)], "typeCheckingMode": "standard"}
    (world.folder / "pyrightconfig.json").write_text(json.dumps(settings), "utf-8")
    done = subprocess.run(command, cwd=world.folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "path", [str(source), str(world.folder), *sys.path])
        for name in ("PETSTORE_BASE_URL", "PETSTORE_API_KEY"):
            patch.setenv(name, world.environment[name])
        asyncio.run(eval(block.about["run"], vars(import_module(module.stem))))


def template(block: Block, world: World) -> None:
    """A template passes the check; a line that extends nothing stands in a file of its own, for a group."""
    folder = world.folder / "own"
    extended = re.search(r'extends "builtin:(.+?)"', block.text)
    path = folder / (extended[1] if extended else "docs/GROUP.md.jinja")
    path.parent.mkdir(parents=True)
    text = block.text if extended else f"{{% for tool in group.tools %}}\n{block.text}{{% endfor %}}\n"
    path.write_text(text, "utf-8")
    if not extended:
        (folder / "templates.toml").write_text('additions = ["docs/GROUP.md.jinja"]\n', "utf-8")
    found = toolcast.check_templates(folder, DOCUMENT)
    assert not found.of("error"), found.diagnostics


def ignored(block: Block, world: World) -> None:
    """A .toolcastignore: what it names does not come back."""
    before = {path for path in world.package.rglob("*") if path.is_file()}
    (world.package / ".toolcastignore").write_text(block.text, "utf-8")
    shutil.rmtree(world.package / "tests", ignore_errors=True)
    shutil.rmtree(world.package / "deploy", ignore_errors=True)
    (world.package / "TOOLS.md").unlink()
    assert toolcast.generate(None, world.package).applied
    gone = {path.relative_to(world.package).parts[0] for path in before if not path.exists()}
    named = {line.strip("/") for line in block.text.splitlines() if line.startswith("/")}
    assert named
    assert named <= gone and not (world.package / "TOOLS.md").exists()


def tree(block: Block, world: World) -> None:
    """A picture of a folder: each file and folder that it names is there."""
    root, *lines = block.text.splitlines()
    found = {path.as_posix() for path in (world.folder / root).rglob("*")}
    for line in lines:
        names = re.split(r" {2,}", line.strip())[0]
        for name in names.replace("…", "").split():
            assert any(path.endswith(f"/{name.strip('/')}") for path in found), f"there is no {name} in {root}"


CHECKS: Mapping[str, Callable[[Block, World], None]] = {
    "sh": shell,
    "console": console,
    "toml": configuration,
    "yaml": markup,
    "json": data,
    "python": code,
    "jinja": template,
    "gitignore": ignored,
    "tree": tree,
}


def test_a_block_is_found_with_what_is_said_of_it() -> None:
    found = list(of("page", "Text\n\n<!-- test: status=0,10 in='a b' -->\n```sh\nls\n```\n\n~~~\nx\n~~~\n\n    y\n"))
    assert [(block.line, block.language, block.text, dict(block.about)) for block in found] == [
        (4, "sh", "ls\n", {"status": "0,10", "in": "a b"}),
        (8, "", "x\n", {}),
        (12, "indented", "y\n", {}),
    ]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("```sh\ntoolcast inspekt openapi.yaml\n```\n", "status 2"),
        ("```sh\ntoolcast generate openapi.yaml --ouput x\n```\n", "status 2"),
        ("```toml\n[tools.list_pets]\nnmae = 'x'\n```\n", "nmae"),
        ("```console\n$ toolcast explain TC001\nTC001  Something else\n…\n```\n", "expected"),
        ("```sh\npip install petstore-mcp\n```\n", "status 1"),
        ('```json\n{"mcpServers": {"x": {"command": "petstore"}}}\n```\n', "no command"),
        ("```cobol\nx\n```\n", "no test knows"),
        ("```\nx\n```\n", "no test knows"),
        ("    x\n", "no test knows"),
    ],
)
def test_a_block_that_is_wrong_fails(text: str, words: str, whole: World, tmp_path: Path) -> None:
    (block,) = of("page", text)
    with pytest.raises(AssertionError, match=words):
        check(block, whole.copied(tmp_path / "world", before=""))
