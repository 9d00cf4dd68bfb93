"""``toolcast diff`` as a user calls it."""

from __future__ import annotations

import json
from pathlib import Path

from .conftest import SHELTER, Run


def test_the_status_says_how_grave_it_is(run: Run, shelter: Path) -> None:
    (shelter.parent / "new.yaml").write_text(SHELTER.replace("limit", "count").replace("1.0.0", "2.0.0"), "utf-8")
    same = run("diff", "shelter.yaml", "shelter.yaml")
    assert (same.returncode, same.stdout, same.stderr) == (0, "Nothing changes for agents.\n", "")
    grave = run("diff", "shelter.yaml", "new.yaml")
    assert grave.returncode == 20
    assert "argument limit is gone" in grave.stdout
    (shelter.parent / "more.yaml").write_text(SHELTER.replace("/pets:", "/dogs: {get: {responses: {}}}\n  /pets:"))
    added = run("diff", "shelter.yaml", "more.yaml", "--json")
    assert added.returncode == 10
    value = json.loads(added.stdout)
    assert (value["verdict"], value["advice"]) == ("compatible", "minor")


def test_markdown_for_a_comment(run: Run, shelter: Path) -> None:
    piped = SHELTER.replace("https://shelter.example", "https://other.example")
    found = run("diff", "shelter.yaml", "-", "--markdown", stdin=piped)
    assert found.returncode == 20
    assert found.stdout.startswith("### What agents see: 1 risk, 1 compatible: a major version\n")
    assert "| risk |  | requests go to `https://other.example` |" in found.stdout


def test_what_cannot_be_is_told_in_a_line(run: Run, shelter: Path) -> None:
    (shelter.parent / "broken.yaml").write_text("a: [", "utf-8")
    for arguments, status, told in (
        (("shelter.yaml",), 2, "NEW"),
        (("shelter.yaml", "shelter.yaml", "--json", "--markdown"), 2, "--markdown"),
        (("-", "-"), 2, "standard input"),
        (("shelter.yaml", "broken.yaml"), 1, "broken.yaml:"),
    ):
        found = run("diff", *arguments)
        assert (found.returncode, found.stdout) == (status, "")
        assert told in found.stderr and "Traceback" not in found.stderr
