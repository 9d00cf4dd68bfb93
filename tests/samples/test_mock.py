"""Every tool of every sample answers on a mock, with what its contract promises."""

from __future__ import annotations

import ast
import importlib
import sys
from pathlib import Path
from typing import Any

import anyio
import pytest

# In the curated one functions of the owner's have a say, too.
SAMPLES = [
    server
    for server in sorted(Path(__file__).parents[2].glob("samples/*/server"))
    if server.parent.name != "bookshop-curated"
]


@pytest.mark.parametrize("server", SAMPLES, ids=[server.parent.name for server in SAMPLES])
def test_every_tool_answers(server: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    [package] = (folder.name for folder in (server / "src").iterdir() if (folder / "api").is_dir())
    monkeypatch.setattr(sys, "path", [str(server / "src"), *sys.path])
    own: Any = importlib.import_module(f"{package}.server")
    prefix = package.removesuffix("_mcp").upper()
    for name, value in ((f"{prefix}_MOCK", "1"), (f"{prefix}_GUARD", "off")):
        monkeypatch.setenv(name, value)
    made = own.build()
    wanted = examples(server, made)
    assert wanted

    async def calls() -> None:
        for tool, arguments in wanted.items():
            result = await made.call(tool, arguments)
            assert not result.is_error, (tool, result)
            assert not {"_unmatched", "_truncated"} & set(result.structured_content or ()), tool

    anyio.run(calls)
    for name in [name for name in sys.modules if name.partition(".")[0] == package]:
        del sys.modules[name]


def examples(server: Path, made: Any) -> dict[str, Any]:
    """The arguments in the package's own tests, by tool."""
    found: dict[str, Any] = {}
    for path in (server / "tests").glob("test_*.py"):
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.AnnAssign) and ast.unparse(node.target) == "CASES" and node.value is not None:
                found |= {case[0]: case[1] for case in ast.literal_eval(node.value)}
    return {name: arguments for name, arguments in found.items() if name in made.contract.tools}
