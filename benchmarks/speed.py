"""How fast it is, beside what limits it: ``python benchmarks/speed.py`` prints the table of docs/speed.md.

Every ratio is between figures of this one run, taken in turns, since machines drift. ``--only load,map`` measures some
parts, ``--rounds N`` takes more or fewer, ``--json FILE`` writes the figures, ``--fastmcp PYTHON`` compares with
FastMCP as that interpreter has it. Exits with 1 when a bound is passed.

Large real documents are taken where they are at hand, else such as ``documents.py`` makes.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import generation
import serving
from measuring import HEAD, Measure, written

Part = Callable[[Path, argparse.Namespace], Iterator[Measure]]
PARTS: Mapping[str, Part] = {
    "load": lambda folder, options: generation.loading(folder, options.rounds),
    "map": lambda folder, options: generation.mapping(folder, options.rounds),
    "validate": lambda folder, options: generation.validating(folder),
    "generate": lambda folder, options: generation.whole(folder, max(1, options.rounds // 3)),
    "growth": lambda folder, options: generation.growth(folder, options.sizes),
    "command": lambda folder, options: generation.command(options.rounds),
    "start": lambda folder, options: serving.starting(folder, options.rounds, options.fastmcp),
    "list": lambda folder, options: serving.listing(folder, options.rounds),
    "call": lambda folder, options: serving.calling(folder, options.rounds, options.fastmcp),
    "http": lambda folder, options: serving.transporting(folder, options.rounds),
}


def main() -> None:
    """Measure, and print rows as they come."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", type=lambda text: text.split(","), default=list(PARTS), metavar="PART,…")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--sizes", type=lambda text: [*map(int, text.split(","))], default=[10, 100, 1_000, 10_000])
    parser.add_argument("--fastmcp", type=Path, metavar="PYTHON")
    parser.add_argument("--json", type=Path, metavar="FILE")
    options = parser.parse_args()
    unknown = set(options.only) - PARTS.keys()
    if unknown:
        parser.error(f"there is no part {', '.join(sorted(unknown))}; the parts are {', '.join(PARTS)}")
    found: list[Measure] = []
    print(HEAD)
    with generation.folder() as folder:
        for name in options.only:
            for measure in PARTS[name](Path(folder), options):
                found.append(measure)
                print(measure.row, flush=True)
    if options.json:
        options.json.write_text(written(found), "utf-8")
    sys.exit(not all(measure.holds for measure in found))


if __name__ == "__main__":
    main()
