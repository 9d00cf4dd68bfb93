"""Resource bombs: a small document that could take for ever, or all memory, is refused in words or bounded."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest
from runtime.validator import Validator

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
SECONDS, MIB = 60, 512  # far more than any of them takes, far less than without bounds

# Bomb → how what is said begins. Those that take their seconds by their size alone are in the table of the docs.
SAID = {
    "aliases: 10^9 values": "TC024",
    "aliases in schemas: 2^40 schemas": "TC024",
    "an alias of itself": "TC025",
    "merge keys: 2^30": "TC024",
    "JSON 100,000 deep": "TC023",
    "YAML 100,000 deep": "TC023",
    "schema 90 deep": "1 tools",
    "schema 5,000 deep": "TC023",
    "references that double: allOf, 2^40": "1 tools",
    "references that double: anyOf, 2^40": "1 tools",
    "references that double: prefixItems, 2^40": "1 tools",
    "30 schemas, each all of the others": "1 tools; TC211, TC251",
    "30 schemas, each one of the others": "1 tools",
    "30 schemas, each has all others": "1 tools",
    "patterns that backtrack": "1 tools",
    "a file of 70 MB": "TC007",
}


def test_bombs_are_bounded_in_time_and_memory() -> None:
    command = [sys.executable, str(BENCHMARKS / "bombs.py"), "--inspect", *SAID]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=240)
    assert done.returncode == 0, done.stderr[-2000:]
    found = json.loads(done.stdout)
    assert {name: found["said"][name].startswith(said) for name, said in SAID.items()} == dict.fromkeys(SAID, True), (
        found
    )
    assert found["seconds"] < SECONDS and found["mib"] < MIB, found


@pytest.mark.parametrize("pattern", ["(a+)+$", "(a|aa)+$", "(a|a)*$", "^(a?){30}a{30}$", "(x+x+)+y", r"(?=a)(a+)+\b$"])
def test_a_pattern_that_backtracks_is_bounded_when_arguments_are_checked(pattern: str) -> None:
    validator = Validator({"type": "object", "properties": {"a": {"type": "string", "pattern": pattern}}})
    begin = time.monotonic()
    for text in ("a" * 40 + "!", "a" * 20_000 + "!", "x" * 5_000):
        list(validator.problems({"a": text}))
    assert time.monotonic() - begin < 20


def test_a_package_asks_nothing_of_the_network_when_it_is_imported(tmp_path: Path) -> None:
    """Nor does it start a process: an audit hook ends the interpreter where one is tried."""
    sample = Path(__file__).parents[2] / "samples" / "bookshop" / "server" / "src"
    code = """
import os, sys
def watch(event, args):
    quiet = ("socket.__new__", "socket.gethostname")
    if event.split(".")[0] in ("socket", "urllib", "subprocess") and event not in quiet:
        os._exit(3)
    if event in ("os.system", "os.exec", "os.posix_spawn", "os.fork"):
        os._exit(4)
sys.addaudithook(watch)
import importlib, pkgutil, bookshop_mcp
for found in pkgutil.walk_packages(bookshop_mcp.__path__, "bookshop_mcp."):
    found.name.endswith("__main__") or importlib.import_module(found.name)
from bookshop_mcp.server import build
print(len(build().contract.tools))
"""
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=sample, capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 0 and int(done.stdout) > 20, (done.returncode, done.stderr[-2000:])
