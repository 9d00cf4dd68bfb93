"""The owner's code: operations are values that can be called, and a type checker sees what is wrong with a call."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import anyio
import pytest

from .conftest import CREDENTIALS, Shop

COMPOSITION = """
from __future__ import annotations

from collections.abc import Mapping

from bookshop_mcp._runtime.errors import CallError
from bookshop_mcp._runtime.server import Server
from bookshop_mcp.api import API
from bookshop_mcp.api.groups.books import GET_BOOK, LIST_BOOKS


async def dearest(server: Server, category: str) -> str:
    page = await LIST_BOOKS(server, {"filter_category": [category], "sort": "-priceCents", "limit": 1})
    book = await GET_BOOK(server, {"bookId": page["items"][0]["id"]})
    return f"{book['title']} by {', '.join(book['authors'])}"


def served(environ: Mapping[str, str]) -> Server:
    return Server(API, environ=environ)


async def absent(server: Server) -> str:
    try:
        await GET_BOOK(server, {"bookId": 999_999})
    except CallError as error:
        return str(error)
    return ""
"""

MISUSED = """
from bookshop_mcp._runtime.server import Server
from bookshop_mcp.api.groups.books import GET_BOOK, LIST_BOOKS


async def misused(server: Server) -> None:
"""
MISUSES = {
    'GET_BOOK(server, {"bookId": "one"})': "reportArgumentType",
    "GET_BOOK(server, {})": "reportArgumentType",
    'GET_BOOK(server, {"bookId": 1, "colour": "red"})': "reportArgumentType",
    'LIST_BOOKS(server, {"filter_status": ["gone"]})': "reportArgumentType",
    'GET_BOOK({"bookId": 1})': "reportCallIssue",
}


@pytest.fixture(scope="module")
def owner(package: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the owner's module ``composition``."""
    folder = tmp_path_factory.mktemp("owner")
    (folder / "composition.py").write_text(COMPOSITION, "utf-8")
    return folder


def test_operations_compose(owner: Path, shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [str(owner), *sys.path])
    composition = import_module("composition")

    async def talk(environ: Mapping[str, str]) -> tuple[str, str]:
        async with composition.served(environ) as server:
            return await composition.dearest(server, "novels"), await composition.absent(server)

    dearest, absent = anyio.run(talk, {**CREDENTIALS, "BOOKSHOP_BASE_URL": shop.url})
    assert " by " in dearest
    assert "404" in absent


class Finding(NamedTuple):
    """What a type checker says about a line."""

    file: str
    line: int
    rule: str


def checked(folder: Path, package: Path) -> list[Finding]:
    """What basedpyright says about the modules in a folder."""
    settings = {"typeCheckingMode": "strict", "extraPaths": [str(package / "src")], "include": ["."]}
    (folder / "pyrightconfig.json").write_text(json.dumps(settings))
    command = [shutil.which("basedpyright", path=str(Path(sys.executable).parent)) or "basedpyright", "--outputjson"]
    done = subprocess.run(
        [*command, "--pythonpath", sys.executable], cwd=folder, capture_output=True, text=True, check=False, timeout=120
    )
    findings: list[dict[str, Any]] = json.loads(done.stdout)["generalDiagnostics"]
    return sorted(
        Finding(Path(found["file"]).name, found["range"]["start"]["line"] + 1, found["rule"]) for found in findings
    )


def test_a_type_checker_takes_what_is_right_and_flags_what_is_wrong(owner: Path, package: Path) -> None:
    lines = [f"    await {call}" for call in MISUSES]
    (owner / "misused.py").write_text(MISUSED + "\n".join(lines) + "\n", "utf-8")
    first = MISUSED.count("\n") + 1
    assert checked(owner, package) == [
        Finding("misused.py", line, rule) for line, rule in enumerate(MISUSES.values(), first)
    ]
