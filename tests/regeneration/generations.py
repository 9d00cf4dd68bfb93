"""Generates documents in two surroundings that should not matter, and compares the packages.

By hand, for every document in the folders of a folder: ``python tests/regeneration/generations.py FOLDER [KB]``, where
larger ones are left out.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from toolcast import pipeline
from toolcast.diagnostics import Failure, Report
from toolcast.load import reading
from toolcast.load.text import decode

# Time zone, locale, hash seed and encoding of two machines.
SURROUNDINGS: tuple[Mapping[str, str], ...] = (
    {"TZ": "Asia/Tokyo", "LC_ALL": "C", "PYTHONHASHSEED": "1", "PYTHONUTF8": "0"},
    {"TZ": "America/Lima", "LC_ALL": "C.UTF-8", "PYTHONHASHSEED": "2", "PYTHONUTF8": "1"},
)


def generate(output: Path, addresses: Sequence[str]) -> None:
    """Make a package of each document, in a folder with its number; one that cannot be made leaves its reason."""
    for number, address in enumerate(addresses):
        folder = output / str(number)
        try:
            pipeline.generate(address, folder, report=Report(), name="sample")
        except Failure as failure:
            folder.mkdir(parents=True)
            (folder / "failure.txt").write_text(failure.diagnostic.code, "utf-8")


def in_surroundings(which: int, output: Path, addresses: Sequence[str]) -> None:
    """Make packages of documents in a process of its own, in one of the surroundings."""
    command = [sys.executable, str(Path(__file__).resolve()), "--generate", str(output), *addresses]
    subprocess.run(command, env={**os.environ, **SURROUNDINGS[which]}, check=True, timeout=3600)


def package(folder: Path) -> dict[str, bytes]:
    """Every file but the one that says where the document is."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name != "toolcast.toml"
    }


def as_json(source: Path, target: Path) -> str:
    """The JSON form of a document, and its path."""
    value = reading.value(decode(source.read_bytes(), str(source)), str(source), Report())
    target.write_text(json.dumps(value, ensure_ascii=False), "utf-8")
    return str(target)


def _compare(root: Path, largest: int) -> int:
    documents = sorted(
        path
        for path in root.glob("*/*")
        if path.suffix in (".yaml", ".yml", ".json") and path.is_file() and path.stat().st_size < largest * 1024
    )
    different = 0
    for document in documents:
        with tempfile.TemporaryDirectory() as scratch:
            for which in (0, 1):
                in_surroundings(which, Path(scratch) / ("one" if which else "another/below"), [str(document)])
            one, another = Path(scratch) / "one/0", Path(scratch) / "another/below/0"
            same = package(one) == package(another)
            different += not same
            failed = (one / "failure.txt").is_file()
            print("same" if same else "DIFFERENT", "(refused)" if failed else "", document.relative_to(root))  # noqa: T201
    print(f"{len(documents)} documents, {different} of them different")  # noqa: T201
    return different


if __name__ == "__main__":
    if sys.argv[1] == "--generate":
        generate(Path(sys.argv[2]), sys.argv[3:])
    else:
        raise SystemExit(bool(_compare(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1024)))
