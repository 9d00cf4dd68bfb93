"""Generation depends on the document and the configuration only: no clock, no place, no order of sets."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import yaml

from .conftest import BOOKSHOP


def generated(document: Path, folder: Path, **environment: str) -> None:
    """A package, made by a process of its own."""
    command = [sys.executable, "-m", "toolcast", "generate", str(document), "--output", str(folder), "--name", "shop"]
    done = subprocess.run(
        command, env={**os.environ, **environment}, capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr


def tree(folder: Path) -> dict[str, bytes]:
    """Every file but the one that says where the document is."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name != "toolcast.toml"
    }


def test_neither_hash_seed_nor_time_zone_nor_folder_nor_notation_count(tmp_path: Path) -> None:
    generated(BOOKSHOP, tmp_path / "one" / "package", PYTHONHASHSEED="1", TZ="Asia/Tokyo", LC_ALL="C")
    converted = tmp_path / "converted.json"
    converted.write_text(json.dumps(yaml.safe_load(BOOKSHOP.read_text("utf-8")), ensure_ascii=False), "utf-8")
    generated(converted, tmp_path / "another", PYTHONHASHSEED="2", TZ="America/Lima", PYTHONUTF8="1")
    assert tree(tmp_path / "one" / "package") == tree(tmp_path / "another")
    text = b"".join(tree(tmp_path / "another").values()).decode()
    assert str(tmp_path) not in text
    assert (tmp_path / "one/package/toolcast.toml").read_text("utf-8").count('\ndocument = "../') == 1
