"""``toolcast demo``: the main job, seen from both ends."""

from __future__ import annotations

import json
import queue
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from toolcast import pipeline, templating
from toolcast.cli.app import app, examples
from toolcast.cli.screen import OUT, failures
from toolcast.diagnostics import Report
from toolcast.view import terminal

if TYPE_CHECKING:
    from mcp import Client
    from mcp.types import CallToolResult

    from toolcast.model.catalog import Catalog

# What the demo shop's document says of its credentials; they are no secrets.
_CREDENTIALS = {"BOOKSHOP_API_KEY": "demo-key", "BOOKSHOP_STAFF_TOKEN": "demo-staff-token"}
_CALLS: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("A read", "list_books", {"q": "whale", "limit": 2}),
    ("A create", "add_review", {"bookId": 7, "customerId": 1, "rating": 5, "text": "A whale of a tale."}),
    ("A bad call: nothing is sent, and the answer says what to mend", "add_review", {"bookId": 7, "rating": 9}),
    ("A destructive call, which the hints announce", "delete_book", {"bookId": 2}),
)
_LONGEST = 420  # characters of an answer that are shown


@dataclass(frozen=True, slots=True)
class _Upstream:
    """The running bookshop: its base URL, and the requests that it has logged."""

    url: str
    log: queue.SimpleQueue[str]

    def requests(self) -> list[str]:
        """The requests that came since the last time."""
        time.sleep(0.05)  # the line is written when the answer is out
        found: list[str] = []
        while not self.log.empty():
            found.append(self.log.get())
        return found


@contextmanager
def _upstream(script: Path) -> Generator[_Upstream]:
    command = [sys.executable, str(script), "--port", "0", "--log"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:  # noqa: S603
        assert process.stdout is not None and process.stderr is not None
        lines, log = process.stderr, queue.SimpleQueue[str]()
        reader = threading.Thread(target=lambda: [log.put(line.rstrip()) for line in lines])
        reader.start()
        try:
            yield _Upstream(process.stdout.readline().split()[-1], log)
        finally:
            process.terminate()
            process.wait()
            reader.join()


@app.command(epilog=examples("toolcast demo"))
def demo() -> None:
    """Generate a bookshop's server, start it with the shop behind it, and call its tools as an agent would."""
    import anyio

    shop = templating.sample()
    report = Report()
    with failures(report), tempfile.TemporaryDirectory(prefix="toolcast-demo-") as folder:
        package = Path(folder) / "bookshop-mcp"
        begin = time.perf_counter()
        made = pipeline.generate(str(shop / "openapi.yaml"), package, report=report, name="bookshop")
        catalog = made.inspection.catalog
        OUT.print(
            f"Generated {catalog.distribution} with {len(catalog.tools)} tools from openapi.yaml "
            f"in {time.perf_counter() - begin:.1f} s."
        )
        with _upstream(shop / "upstream.py") as upstream:
            OUT.print(f"The shop itself runs at {upstream.url}; the server talks to an agent over stdio.")
            environment = {**_CREDENTIALS, "PYTHONPATH": str(package / "src"), "BOOKSHOP_BASE_URL": upstream.url}
            anyio.run(_talk, catalog, environment, upstream)
    OUT.print()
    OUT.print("Next:", style="dim")
    OUT.print("  toolcast generate openapi.yaml --output my-server")


async def _talk(catalog: Catalog, environment: Mapping[str, str], upstream: _Upstream) -> None:
    from mcp import Client
    from mcp.client.stdio import StdioServerParameters

    server = StdioServerParameters(command=sys.executable, args=["-m", catalog.package], env=dict(environment))
    async with Client(server) as client:
        await _list(client, catalog)
        for title, tool, arguments in _CALLS:
            result = await client.call_tool(tool, arguments)
            _show(title, tool, arguments, upstream.requests(), result)


async def _list(client: Client, catalog: Catalog) -> None:
    tools = (await client.list_tools()).tools
    hints = {tool.name: terminal.hint_words(tool) for tool in catalog.tools}
    OUT.print()
    OUT.print(Rule(Text(f"tools/list: {len(tools)} tools", "bold"), align="left"))
    table = Table.grid(padding=(0, 2))
    for tool in tools:
        table.add_row(Text(tool.name, "cyan"), hints[tool.name], Text(tool.title or "", overflow="ellipsis"))
    OUT.print(table)


def _show(title: str, tool: str, arguments: Mapping[str, Any], requests: list[str], result: CallToolResult) -> None:
    answer = "\n".join(block.text for block in result.content if block.type == "text")
    sent = Text("\n".join(requests) or "(no request)", "" if requests else "dim")
    told = Text(answer if len(answer) <= _LONGEST else f"{answer[:_LONGEST]}…", "red" if result.is_error else "")
    OUT.print()
    OUT.print(Rule(Text(title, "bold"), align="left"))
    OUT.print(Text.assemble((tool, "cyan"), " ", json.dumps(arguments, ensure_ascii=False)))
    heading = "answer (isError)" if result.is_error else "answer"
    if OUT.width >= 80:
        table = Table(box=None, padding=(0, 2, 0, 0), expand=True, show_edge=False)
        table.add_column(Text("HTTP request", "dim"), ratio=2, overflow="fold")
        table.add_column(Text(heading, "dim"), ratio=3, overflow="fold")
        table.add_row(sent, told)
        OUT.print(table)
        return
    for name, text in (("HTTP request", sent), (heading, told)):
        OUT.print(Text(name, "dim"))
        OUT.print(Padding(text, (0, 0, 0, 2)))
