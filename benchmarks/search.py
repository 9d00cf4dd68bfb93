"""How often search finds the right tool: a summary is the query, and is left out of what is searched.

    python benchmarks/search.py [DOCUMENT …]

Without documents: those of ``../shared/corpus``, where that is there, with 100 operations or more. Prints a Markdown
table: for each document the tools, the queries (different summaries; any tool with the same one is right), and the
share of queries whose tool is the first, among the first five, and among the first ten.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "templates")]

from runtime.search import Index, words  # noqa: E402

from toolcast.diagnostics import Failure, Report  # noqa: E402
from toolcast.load.document import load  # noqa: E402
from toolcast.mapping.catalog import catalog  # noqa: E402
from toolcast.model.config import Config  # noqa: E402
from toolcast.model.lock import Lock  # noqa: E402
from toolcast.parse.api import parse  # noqa: E402

LEAST = 100
DEPTHS = (1, 5, 10)


def documents(given: list[str]) -> Iterator[Path]:
    """The documents to measure."""
    if given:
        yield from map(Path, given)
        return
    for folder in sorted((ROOT.parent / "shared" / "corpus").glob("*/")):
        if not folder.name.startswith("msgraph"):  # three minutes for one row
            yield from sorted(path for path in folder.iterdir() if path.stem in ("openapi", "swagger"))[:1]


def measured(document: Path) -> tuple[int, int, list[int]] | None:
    """Tools, queries and hits at each depth; None for what cannot be read or is small."""
    report = Report()
    try:
        api = parse(load(str(document), report, validate=False), report)
    except Failure:
        return None
    if len(api.operations) < LEAST:
        return None
    offered, _ = catalog(api, Config(), Lock(), report, lambda done, total: None)
    summaries = {operation.key: operation.summary.strip() for operation in api.operations}
    entries: list[dict[str, Any]] = []
    queries: defaultdict[str, set[str]] = defaultdict(set)
    for tool in offered.tools:
        summary = summaries[tool.key]
        if summary:
            queries[summary].add(tool.name)
        entries.append(
            {
                "name": tool.name,
                "title": "" if summary else tool.title,  # which is made from it
                "description": without(tool.description, summary),
                "inputSchema": tool.input_schema,
            }
        )
    index = Index(entries, {tool.name: tool.group for tool in offered.tools})
    hits = [sum(bool(names & set(index.found(query, depth))) for query, names in queries.items()) for depth in DEPTHS]
    return len(entries), len(queries), hits


def without(description: str, summary: str) -> str:
    """The description without the summary, and without a first line that says the same in other words."""
    if not summary:
        return description
    lines = description.replace(summary, "").split("\n")
    return "\n".join(lines[1:] if set(words(lines[0])) <= set(words(summary)) else lines)


def main(given: list[str]) -> None:
    """Print the table."""
    print("| document | tools | queries | first | of 5 | of 10 |\n|---|---|---|---|---|---|")
    total = [0, 0, 0, 0, 0]
    for document in documents(given):
        found = measured(document)
        if found is None or not found[1]:
            continue
        tools, queries, hits = found
        print(row(document.parent.name, tools, queries, hits))
        total = [before + now for before, now in zip(total, (tools, queries, *hits), strict=True)]
    print(row("**all**", total[0], total[1], total[2:]))


def row(name: str, tools: int, queries: int, hits: Iterable[int]) -> str:
    """A line of the table."""
    shares = " | ".join(f"{100 * hit / (queries or 1):.1f} %" for hit in hits)
    return f"| {name} | {tools:,} | {queries:,} | {shares} |"


if __name__ == "__main__":
    main(sys.argv[1:])
