"""Help: whole at 60 columns, with examples that are understood, without colours; and completion."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from typing import Any

import pytest
import typer.main

from toolcast.__main__ import app  # with its commands

ROOT: Any = typer.main.get_command(app)
NAMES: list[tuple[str, ...]] = [
    *((name,) for name in ROOT.commands),
    *(("templates", name) for name in ROOT.commands["templates"].commands),
]


def shown(*words: str, columns: int = 80) -> str:
    command, context = ROOT, typer.Context(ROOT, info_name="toolcast", terminal_width=columns)
    for word in words:
        command = command.commands[word]
        context = typer.Context(command, parent=context, info_name=word)
    return command.get_help(context)


@pytest.mark.parametrize("columns", [60, 80])
@pytest.mark.parametrize("words", [(), *NAMES], ids=" ".join)
def test_help_is_whole_in_its_width(words: tuple[str, ...], columns: int) -> None:
    text = shown(*words, columns=columns)
    assert [line for line in text.splitlines() if len(line) > columns] == []
    assert "…" not in text and "..." not in re.sub(r"(ARGS\]|PATH\.\.\.\}?)(\.\.\.)?", "", text)
    assert "\x1b" not in text


@pytest.mark.parametrize("words", [(), *NAMES], ids=" ".join)
def test_examples_are_understood(words: tuple[str, ...]) -> None:
    _, _, given = shown(*words).rpartition("Example")
    examples = [line.strip() for line in given.splitlines()[1:] if line.strip()]
    assert examples
    for example in examples:
        _, _, command = example.partition("toolcast ")
        called = [word for word in shlex.split(command.split(" | ")[0]) if word != ">"]
        depth = 2 if called[0] == "templates" else 1
        options = {word for word in called if word.startswith("-")}
        known = set(re.findall(r"(?<!\w)--?[a-z-]+", shown(*called[:depth])))
        assert options <= known, example


def test_commands_stand_in_groups() -> None:
    text = shown()
    for name in ROOT.commands:
        assert len(re.findall(rf"^  {name} ", text, re.MULTILINE)) == 1, name
    titles = re.findall(r"^(\S.+):$", text, re.MULTILINE)
    assert titles == ["Options", "Look at a document", "Try it", "Make a package", "Keep it"]


@pytest.mark.parametrize(("typed", "offered"), [("ge", {"generate"}), ("generate --ov", {"--overlay"})])
def test_completion_offers_what_can_follow(typed: str, offered: set[str]) -> None:
    words = f"toolcast {typed}"
    environment = {
        **os.environ,
        "_TOOLCAST_COMPLETE": "complete_bash",
        "COMP_WORDS": words,
        "COMP_CWORD": str(len(words.split()) - 1),
    }
    script = "import sys; sys.argv[0] = 'toolcast'; from toolcast.__main__ import main; main()"
    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=False)
    assert set(done.stdout.split()) == offered, done.stderr
