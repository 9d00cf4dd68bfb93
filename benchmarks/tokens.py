"""How far the estimate of tokens is from real tokenizers: it prints a table of docs/mapping.md.

It measures against what is installed: ``bpe-openai`` (a wheel with the vocabularies o200k_base and cl100k_base), and
``tokenizers`` with the file that CLAUDE_TOKENIZER names (``anthropic/tokenizer.json`` of the wheel anthropic 0.34.2, a
vocabulary that was published). None of these is a dependency; in an environment of its own:

    pip install bpe-openai tokenizers . && python benchmarks/tokens.py
"""

from __future__ import annotations

import importlib
import json
import os
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from statistics import mean, quantiles
from typing import Any, TypeAlias

import documents
from lists import CORPUS, ROOT
from toolcast.diagnostics import Report
from toolcast.emit.render import listed
from toolcast.load.document import load
from toolcast.mapping.catalog import catalog
from toolcast.mapping.tokens import Sizes
from toolcast.model.config import Config
from toolcast.model.json import JsonObject
from toolcast.model.lock import Lock
from toolcast.parse.api import parse

Counter: TypeAlias = Callable[[str], int]
_OF_EACH = 40  # tools that are measured of one document, spread over its list


def counters() -> Mapping[str, Counter]:
    """The tokenizers that are at hand, by name."""
    found: dict[str, Counter] = {}
    try:
        library: Any = importlib.import_module("bpe_openai")
    except ImportError:
        pass
    else:
        for name in ("o200k_base", "cl100k_base"):
            encode = library.get_encoding(name).encode
            found[name] = _counting(lambda text, encode=encode: encode(text, disallowed_special=()))
    path = os.environ.get("CLAUDE_TOKENIZER")
    if path:
        claude: Any = importlib.import_module("tokenizers").Tokenizer.from_file(path)
        found["Claude 2"] = _counting(lambda text: claude.encode(text).ids)
    return found


def _counting(encode: Callable[[str], Any]) -> Counter:
    return lambda text: len(encode(text))


def tools(path: Path) -> list[JsonObject]:
    """Some of the tools of a document, without their output schemas."""
    report = Report()
    made, _ = catalog(parse(load(str(path), report, validate=False), report), Config(name="api"), Lock(), report)
    step = max(1, len(made.tools) // _OF_EACH)
    return [{k: v for k, v in listed(tool).items() if k != "outputSchema"} for tool in made.tools[::step]]


def samples() -> Iterator[tuple[str, list[JsonObject]]]:
    """Tools of our own documents, and of real ones where they are at hand."""
    own = tools(ROOT / "samples/bookshop/openapi.yaml")
    with tempfile.TemporaryDirectory() as folder:
        for make in documents.MADE:
            path = Path(folder) / f"{make.__name__}.json"
            path.write_text(json.dumps(make()))
            own += tools(path)
    yield "ours", own
    real = [path for path in sorted(CORPUS.glob("*/openapi.*")) if path.stat().st_size < 15_000_000]
    yield "real", [tool for path in real if "bad" not in path.parent.name for tool in tools(path)]


def main() -> None:
    """Print the table."""
    found = counters()
    print("| tokenizer | documents | tools | error of the sum | mean error of a tool | 5 % to 95 % of the tools |")
    print("|---|---|---:|---:|---:|---:|")
    sizes = Sizes()
    for kind, listing in samples():
        texts = [json.dumps(tool, ensure_ascii=False, separators=(",", ":")) for tool in listing]
        estimated = [sizes.tokens(tool) for tool in listing]
        for name, count in found.items() if listing else ():
            real = [count(text) for text in texts]
            errors = [guess / counted - 1 for guess, counted in zip(estimated, real, strict=True)]
            ends = quantiles(errors, n=20)
            figures = [
                f"{len(listing):,}",
                f"{sum(estimated) / sum(real) - 1:+.1%}",
                f"{mean(map(abs, errors)):.1%}",
                f"{ends[0]:+.0%} to {ends[-1]:+.0%}",
            ]
            print(f"| {' | '.join([name, kind, *figures])} |")


if __name__ == "__main__":
    main()
