"""What becomes of calls while one of three replicas is killed and comes back.

    python benchmarks/replicas.py [CALLS]

Three replicas of an emitted server stand behind nginx, with the configuration that the package brings (or, where nginx
is not installed, behind a proxy of a few lines); clients of MCP 2026-07-28 and of the revisions before it call them,
four fifths of the calls reading and one fifth writing. After a third of the calls one replica gets SIGKILL, after two
thirds it is started again. Prints a Markdown table.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
import time
from pathlib import Path

import anyio

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT)]

from tests.deployment import replicas  # noqa: E402

from toolcast import pipeline  # noqa: E402
from toolcast.diagnostics import Report  # noqa: E402

CLIENTS = 4  # of each kind


async def measured(site: replicas.Site, url: str, calls: int) -> tuple[replicas.Tally, float]:
    """What became of so many calls, and how long they took."""
    tally, begin = replicas.Tally(), time.monotonic()

    async def trouble() -> None:
        while tally.calls < calls // 3:
            await anyio.sleep(0.01)
        await anyio.to_thread.run_sync(site.kill, replicas.HOSTS[1])
        while tally.calls < 2 * calls // 3:
            await anyio.sleep(0.01)
        await anyio.to_thread.run_sync(site.start, replicas.HOSTS[1])

    async with anyio.create_task_group() as group:
        group.start_soon(trouble)
        group.start_soon(replicas.load, url, range(calls), ("2026-07-28", "legacy"), CLIENTS, tally)
    return tally, time.monotonic() - begin


def main() -> None:
    """Measure, and print."""
    calls = int(sys.argv[1]) if sys.argv[1:] else 10_000
    with tempfile.TemporaryDirectory() as folder:
        document, package = Path(folder) / "stations.yaml", Path(folder) / "package"
        document.write_text(replicas.DOCUMENT, "utf-8")
        pipeline.generate(str(document), package, report=Report(), name="stations")
        with replicas.site(package, "stations_mcp") as site, replicas.proxied(site) as url:
            tally, seconds = anyio.run(measured, site, url, calls)
            written = [line for line in site.carried_out if line.startswith("POST")]
    twice = len(written) - len(set(written))
    rows = {
        "proxy": "nginx" if shutil.which("nginx") else "of our own",
        "calls": f"{tally.calls:,}",
        "right at once": f"{tally.right - tally.again:,}",
        "right by a new try of the client": f"{tally.again:,}",
        "told as a failure of the API": f"{tally.told:,}",
        "wrong": f"{tally.wrong:,}",
        "broken connections": ", ".join(f"{name}: {times}" for name, times in sorted(tally.broken.items())) or "0",
        "writes carried out, of those asked for": f"{len(set(written)):,} of {len(range(0, calls, 5)):,}",
        "writes carried out twice, as the client tried again": f"{twice:,}",
        "slowest call": f"{tally.slowest:.2f} s",
        "calls a second": f"{tally.calls / seconds:.0f}",
    }
    print("| | |\n|---|---|")
    for name, value in rows.items():
        print(f"| {name} | {value} |")


if __name__ == "__main__":
    main()
