"""A newcomer's first minutes, done and timed: from nothing but Python to an answer in an agent's hands.

``python benchmarks/newcomer.py`` builds the wheel, and does in a new folder, with a new home and no caches, what the
README says; it prints a page of it, which ``--write`` puts into docs/first-hour.md. Packages come from the index.
"""

from __future__ import annotations

import argparse
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
PAGE: Final = ROOT / "docs" / "first-hour.md"
SHOP: Final = ROOT / "samples" / "bookshop"
AGENT: Final = """\
import asyncio
import os

from mcp import Client
from mcp.client.stdio import StdioServerParameters


async def main() -> None:
    server = StdioServerParameters(command="bookshop-mcp", env=dict(os.environ))
    async with Client(server) as client:
        tools = (await client.list_tools()).tools
        print(len(tools), "tools")
        found = await client.call_tool("list_books", {"q": "whale", "limit": 1})
        print(found.structured_content["items"][0]["title"])
        refused = await client.call_tool("add_review", {"bookId": 7, "rating": 9})
        print(refused.content[0].text)


asyncio.run(main())
"""
STEPS: Final = (
    ("python -m venv venv", 0),
    (". venv/bin/activate && pip install --quiet ./toolcast-*.whl", 0),
    ("toolcast inspect openapi.yaml", 12),
    ("toolcast generate openapi.yaml --output server --name bookshop", 0),
    ("pip install --quiet ./server", 0),
    ("bookshop-mcp --list", 6),
    ("python agent.py", 0),
)


@dataclass(frozen=True, slots=True)
class Step:
    """A command, what it printed, and the seconds that it took."""

    command: str
    printed: str
    seconds: float


def main() -> None:
    """Do it, and print or write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="write docs/first-hour.md")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="toolcast-newcomer-") as folder:
        text = page(first_minutes(Path(folder)))
    if options.write:
        PAGE.write_text(text, "utf-8", newline="\n")
    else:
        print(text)


def first_minutes(folder: Path) -> list[Step]:
    """Every command, in a folder in which nothing is but the wheel, the document and the agent's script."""
    built = [sys.executable, "-m", "build", "--wheel", "--outdir", str(folder), str(ROOT)]
    subprocess.run(built, check=True, stdout=subprocess.DEVNULL)
    shutil.copy(SHOP / "openapi.yaml", folder)
    (folder / "agent.py").write_text(AGENT, "utf-8")
    environment = {
        **{name: value for name, value in os.environ.items() if name.startswith(("PIP_", "HTTP", "http", "SSL"))},
        "PATH": f"{folder / 'venv' / 'bin'}:{Path(sys.base_prefix) / 'bin'}:/usr/bin:/bin",
        "HOME": str(folder / "home"),
        "PIP_NO_CACHE_DIR": "1",
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        "LC_ALL": "C.UTF-8",
        "NO_COLOR": "1",
        "COLUMNS": "100",
        "BOOKSHOP_API_KEY": "demo-key",
    }
    (folder / "home").mkdir()
    command = [sys.executable, str(SHOP / "upstream.py"), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as shop:
        try:
            assert shop.stdout is not None
            environment["BOOKSHOP_BASE_URL"] = shop.stdout.readline().split()[-1]
            return [done(line, shown, folder, environment) for line, shown in STEPS]
        finally:
            shop.terminate()


def done(command: str, shown: int, folder: Path, environment: Mapping[str, str]) -> Step:
    """A command carried out; of what it prints the first lines, when there are more than ``shown``."""
    begin = time.perf_counter()
    made = subprocess.run(
        ["/bin/sh", "-ec", command],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    seconds = time.perf_counter() - begin
    if made.returncode:
        raise SystemExit(f"{command} ended with {made.returncode}\n{made.stdout}")
    lines = made.stdout.rstrip().splitlines()
    if shown and len(lines) > shown:
        lines = [*lines[:shown], "…"]
    return Step(command, "\n".join(lines), seconds)


def page(steps: Sequence[Step]) -> str:
    """The page, in Markdown."""
    whole = sum(step.seconds for step in steps)
    rows = [f"| `{step.command}` | {step.seconds:.1f} |" for step in steps]
    transcript = [line for step in steps for line in (f"$ {step.command}", *step.printed.splitlines())]
    return "\n".join(
        (
            "# The first minutes, timed",
            "",
            "`python benchmarks/newcomer.py --write` has done this, and written this page: in an empty folder, with a "
            "new home and no caches, so that pip installed every package anew, from an index that was near. The "
            "bookshop of the samples "
            f"answered as the API. {datetime.now(UTC):%Y-%m-%d}, Python {platform.python_version()}, "
            f"{os.cpu_count()} cores of a shared machine: **{whole:.0f} seconds** from nothing to an answer.",
            "",
            "| command | seconds |",
            "|---|---:|",
            *rows,
            f"| **together** | **{whole:.1f}** |",
            "",
            "What was seen meanwhile:",
            "",
            "<!-- test: shown: the script above writes it while it does what is shown -->",
            "```console",
            *transcript,
            "```",
            "",
            "`agent.py` is a client of the MCP SDK, in the place of an agent:",
            "",
            "<!-- test: by benchmarks/newcomer.py -->",
            "```python",
            AGENT.rstrip(),
            "```",
            "",
        )
    )


if __name__ == "__main__":
    main()
