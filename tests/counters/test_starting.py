"""What is loaded at the start: what is needed for it, and nothing that does the work."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.counters.counting import loaded

BOOKSHOP = Path(__file__).parents[2] / "samples" / "bookshop" / "server" / "src"

# Each takes a tenth of a second or more, or is needed by some commands only.
HEAVY = {
    "datamodel_code_generator", "openapi_spec_validator", "jinja2", "mcp", "httpx2", "jsonschema", "jsonschema_rs",
    "yaml", "orjson", "tomlkit", "watchfiles", "anyio", "asyncio",
}  # fmt: skip
# In ``sys.modules`` as a promise; executed, they would have loaded these.
WORK = {"toolcast.load", "toolcast.parse", "toolcast.mapping", "toolcast.emit", "toolcast.write", "toolcast.contract"}


@pytest.mark.parametrize("options", [["--help"], ["--version"], ["generate", "--help"]])
def test_help_loads_nothing_that_does_the_work(options: list[str]) -> None:
    found = loaded(
        f"import sys; sys.argv = ['toolcast', *{options}]\n"
        "from toolcast.__main__ import main\n"
        "try: main()\n"
        "except SystemExit as done: assert not done.code, done"
    )
    assert "toolcast.cli.generate" in found
    assert not found & (HEAVY | WORK)


def test_a_server_loads_neither_operations_nor_what_calls_need_before_the_first_call() -> None:
    found = loaded(
        "from bookshop_mcp._runtime.command import run\n"
        "from bookshop_mcp.server import build\n"
        "assert not run(build, [])",
        {"PYTHONPATH": str(BOOKSHOP)},
    )
    assert {"mcp.server", "bookshop_mcp._runtime.protocol"} <= found
    assert not [name for name in found if name.startswith(("bookshop_mcp.api.groups", "bookshop_mcp.api.types"))]
    assert not found & {"jsonschema_rs", "jsonschema", "referencing", "httpcore2"}
    late = {"answer", "upstream", "telemetry", "turns", "xml", "http", "verification", "login", "doctor", "search"}
    assert not found & {f"bookshop_mcp._runtime.{name}" for name in late}
