"""What becomes of a call, and of the server's memory, whatever the API does: it prints the table of docs/runtime.md.

    python benchmarks/faults.py

An emitted server on stdio calls the API of ``tests/independent/unruly.py``; a call has two seconds, two further tries
and five redirects. Memory is the most that the server's process held meanwhile, above what it held before (Linux).
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path

import anyio
from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp.types import CallToolResult, TextContent

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT)]

from tests.independent import unruly  # noqa: E402

from toolcast import pipeline  # noqa: E402
from toolcast.diagnostics import Report  # noqa: E402

DOCUMENT = """\
openapi: 3.1.0
info: {title: Unruly, version: "1"}
paths:
  /{fault}:
    get:
      operationId: ask
      parameters: [{name: fault, in: path, required: true, schema: {type: string}}]
      responses:
        "200": {description: OK, content: {application/json: {schema: {type: array, items: {type: object}}}}}
"""
SECONDS = 2
_SHOWN = 110


async def measured(package: Path, url: str) -> None:
    """Print a row for each fault."""
    environment = {
        **os.environ,
        "PYTHONPATH": str(package / "src"),
        "UNRULY_BASE_URL": url,
        "UNRULY_TIMEOUT": str(SECONDS),
        "UNRULY_REDIRECTS": "5",
    }
    server = StdioServerParameters(command=sys.executable, args=["-m", "unruly_mcp"], env=environment)
    async with Client(server, mode="2026-07-28") as client:
        await client.list_tools()
        process = _child()
        await client.call_tool("ask", {"fault": unruly.path("sends HTML as JSON")})  # everything is loaded
        for fault in unruly.FAULTS:
            (process / "clear_refs").write_text("5")
            before, begin = _memory(process, "VmRSS"), time.monotonic()
            result = await client.call_tool("ask", {"fault": unruly.path(fault)})
            seconds = time.monotonic() - begin
            grown = max(0, _memory(process, "VmHWM") - before)
            print(f"| {fault} | {seconds:.1f} s | {grown:.0f} MB | {_told(result)} |", flush=True)


def _told(result: CallToolResult) -> str:
    texts = [block.text for block in result.content if isinstance(block, TextContent)]
    text = " ".join(texts[-1].split())
    shown = text if len(text) <= _SHOWN else text[:_SHOWN].rpartition(" ")[0] + " …"
    return f"{'failed' if result.is_error else 'answered'}: {shown.replace('|', chr(92) + '|').replace('<', '&lt;')}"


def _child() -> Path:
    """What the system says of the server, which is this process's only child."""
    (child,) = Path("/proc/self/task").joinpath(str(os.getpid()), "children").read_text().split()
    return Path("/proc") / child


def _memory(process: Path, name: str) -> float:
    lines = (process / "status").read_text().splitlines()
    return next(int(line.split()[1]) / 1000 for line in lines if line.startswith(name))


def main() -> None:
    """Make the server, and measure."""
    with tempfile.TemporaryDirectory() as folder, unruly.serving() as url:
        document, package = Path(folder) / "unruly.yaml", Path(folder) / "package"
        document.write_text(DOCUMENT, "utf-8")
        pipeline.generate(str(document), package, report=Report(), name="unruly")
        print("| The API … | the call ends after | memory | and its result says |\n|---|---|---|---|")
        anyio.run(measured, package, url)


if __name__ == "__main__":
    main()
