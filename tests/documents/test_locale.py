"""Texts beyond ASCII stay whole where neither the files' encoding nor the terminal's is UTF-8."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent / "accepted" / "texts_beyond_ascii"
PLAIN = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}


@pytest.mark.parametrize("document", ["openapi.yaml", "openapi.json"])
def test_a_package_is_made_and_runs_in_the_locale_c(document: str, tmp_path: Path) -> None:
    def run(*command: str, **environment: str) -> bytes:
        done = subprocess.run(
            [sys.executable, *command],
            env={**os.environ, **PLAIN, **environment},
            cwd=tmp_path,
            capture_output=True,
            check=False,
            timeout=60,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert "Länge — „genau“ 🍰" in run("-m", "toolcast", "inspect", "--json", str(FOLDER / document)).decode("utf-8")
    run("-m", "toolcast", "generate", str(FOLDER / document), "--output", "package", "--name", "lengths")
    for path in (tmp_path / "package").rglob("*"):
        if path.is_file():
            text = path.read_bytes().decode("utf-8")
            assert "\r" not in text and not text.startswith("\ufeff"), path
    [tool] = json.loads(run("-m", "lengths_mcp", "--json", PYTHONPATH=str(tmp_path / "package" / "src")))["tools"]
    assert "Länge — „genau“ 🍰" in tool["description"]
