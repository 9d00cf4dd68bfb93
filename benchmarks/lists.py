"""What budgets do to lists of tools: it prints a table of docs/mapping.md.

The documents are the bookshop's, those that ``documents.py`` makes, and real ones where they are at hand.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

import documents
from toolcast.diagnostics import Report
from toolcast.emit.render import listed
from toolcast.load.document import load
from toolcast.mapping.budget import Room
from toolcast.mapping.catalog import catalog
from toolcast.mapping.inputs import inputs
from toolcast.mapping.references import References
from toolcast.mapping.schemas import Schemas
from toolcast.mapping.tokens import Sizes
from toolcast.model.catalog import Tool
from toolcast.model.config import Config
from toolcast.model.limits import TOOL_TOKENS
from toolcast.model.lock import Lock
from toolcast.parse.api import parse

ROOT = Path(__file__).parents[1]
CORPUS = ROOT.parent / "shared" / "corpus"
_REAL = ("github-api", "stripe", "openai", "kubernetes")
_NO_LIMIT = Room(tokens=10**12, characters=10**12)
_RECOGNISED = 30  # characters of a text by which it is found again
_COLUMNS = (
    *("document", "tools", "tokens, all told", "tokens", "within budget, all told", "within budget"),
    *("texts whole", "texts told"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """The figures of one document; sizes are tokens without output schemas, of each tool."""

    name: str
    whole: tuple[int, ...]
    sizes: tuple[int, ...]
    described: int
    kept: int
    told: int

    def __str__(self) -> str:
        figures = [
            f"{len(self.sizes):,}",
            f"{sum(self.whole):,}",
            f"{sum(self.sizes):,}",
            _share(sum(size <= TOOL_TOKENS for size in self.whole), len(self.whole)),
            _share(sum(size <= TOOL_TOKENS for size in self.sizes), len(self.sizes)),
            _share(self.kept, self.described),
            _share(self.told, self.described),
        ]
        return f"| {' | '.join([self.name, *figures])} |"


def _share(part: int, whole: int) -> str:
    share = 100 * part / whole if whole else 100
    return f"{share:.0f} %" if share in (0, 100) else f"{share:.1f} %"


def row(name: str, path: Path) -> Row:
    """The figures of the document in a file."""
    report = Report()
    api = parse(load(str(path), report, validate=False), report)
    made, _ = catalog(api, Config(name="api"), Lock(), report)
    sizes = Sizes()
    schemas = Schemas(References(api.document, report), sizes)
    operations = {operation.key: operation for operation in api.operations}
    whole: list[int] = []
    described = kept = told = 0
    for tool in made.tools:
        full = replace(tool, input_schema=inputs(operations[tool.key], schemas, {}, _NO_LIMIT).schema)
        whole.append(_size(full, sizes))
        for text, published in _texts(full, tool):
            described += 1
            kept += text in published
            told += text[:_RECOGNISED].rstrip("… ") in published
    small = tuple(_size(tool, sizes) for tool in made.tools)
    return Row(name=name, whole=tuple(whole), sizes=small, described=described, kept=kept, told=told)


def _size(tool: Tool, sizes: Sizes) -> int:
    return sizes.tokens({key: value for key, value in listed(tool).items() if key != "outputSchema"})


def _texts(full: Tool, tool: Tool) -> Iterator[tuple[str, str]]:
    """The text of each argument that has one, and what is published of the argument."""
    before, after = (cast("dict[str, dict[str, Any]]", one.input_schema["properties"]) for one in (full, tool))
    moved = next((schema["description"] for name, schema in after.items() if name not in before), "")
    lines: dict[str, str] = {}
    for line in str(moved).split("\n"):
        name, _, text = line.partition(": ")
        lines[name.split(" (", 1)[0]] = text
    for name, schema in before.items():
        if "description" in schema:
            published = after[name].get("description", "") if name in after else lines.get(name, "")
            yield str(schema["description"]).split("\n", 1)[0], str(published)


def main() -> None:
    """Print the table."""
    print(f"| {' | '.join(_COLUMNS)} |\n|---|{'---:|' * (len(_COLUMNS) - 1)}")
    print(row("bookshop (sample)", ROOT / "samples/bookshop/openapi.yaml"))
    with tempfile.TemporaryDirectory() as folder:
        for make in documents.MADE:
            path = Path(folder) / f"{make.__name__}.json"
            path.write_text(json.dumps(make()))
            print(row((make.__doc__ or make.__name__).rstrip("."), path))
    for name in _REAL:
        for path in sorted(CORPUS.glob(f"{name}/openapi.*")):
            print(row(name, path))


if __name__ == "__main__":
    main()
