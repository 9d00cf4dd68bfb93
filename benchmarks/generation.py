"""Generation: each stage beside its limit, the whole of it with a cold and a warm cache, growth, and the command."""

from __future__ import annotations

import gc
import importlib
import math
import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import orjson
import yaml as pyyaml

import documents
from measuring import ROOT, Measure, interleaved, ran, timed
from toolcast.diagnostics import Report
from toolcast.load import validation, yaml
from toolcast.load.document import load
from toolcast.mapping.catalog import catalog
from toolcast.model.config import Config
from toolcast.model.json import Json
from toolcast.model.lock import Lock
from toolcast.parse.api import parse

CORPUS = ROOT.parent / "shared" / "corpus"
_LARGE_YAML = 5_000_000  # bytes from which a bound beside CSafeLoader holds


def large(folder: Path) -> Path:
    """A large JSON document: a real one where it is at hand, else one that is made."""
    real = CORPUS / "github-api" / "openapi.json"
    if real.exists():
        return real
    path = folder / "large.json"
    path.write_bytes(orjson.dumps(documents.family(1_200)))
    return path


def large_yaml(folder: Path) -> Path:
    """A large document in YAML."""
    path = folder / "large.yaml"
    value = orjson.loads(large(folder).read_bytes())
    text = pyyaml.dump(value, Dumper=pyyaml.CSafeDumper, sort_keys=False, allow_unicode=True, width=120)
    path.write_text(text[: len(text)], "utf-8")
    return path


def loading(folder: Path, rounds: int) -> Iterator[Measure]:
    """Reading JSON beside orjson, YAML beside libyaml's events and beside PyYAML's C loader."""
    path = large(folder)
    data = path.read_bytes()
    found = interleaved(
        {
            "orjson": lambda: timed(lambda: orjson.loads(data)),
            "load": lambda: timed(lambda: load(str(path), Report(), validate=False)),
        },
        rounds,
    )
    size = f"{len(data) / 1e6:.1f} MB"
    yield Measure(
        what=f"load JSON, {size}, with references",
        figure=found["load"],
        unit="ms",
        against="orjson",
        limit=found["orjson"],
    )
    text = large_yaml(folder).read_text("utf-8")

    def silent(action: Callable[[], object]) -> float:
        gc.disable()
        try:
            return timed(action)
        finally:
            gc.enable()

    def events() -> None:
        loader: Any = pyyaml.CSafeLoader(text)
        while loader.check_event():
            loader.get_event()

    found = interleaved(
        {
            "events": lambda: silent(events),
            "C loader": lambda: timed(lambda: pyyaml.load(text, Loader=pyyaml.CSafeLoader)),
            "read": lambda: timed(lambda: yaml.read(text, "large.yaml")),
        },
        max(1, rounds // 2),
    )
    size = f"{len(text) / 1e6:.1f} MB"
    yield Measure(
        what=f"read YAML, {size}, with lines",
        figure=found["read"],
        unit="ms",
        against="libyaml's events",
        limit=found["events"],
        bound=2,
    )
    yield Measure(
        what=f"read YAML, {size}",
        figure=found["read"],
        unit="ms",
        against="PyYAML's CSafeLoader",
        limit=found["C loader"],
        bound=0.15 if len(text) >= _LARGE_YAML else None,
    )


def mapping(folder: Path, rounds: int) -> Iterator[Measure]:
    """From the document to the catalog, beside orjson on the same bytes."""
    path = large(folder)
    data = path.read_bytes()
    document = load(str(path), Report(), validate=False)

    def mapped() -> None:
        report = Report()
        catalog(parse(document, report), Config(name="api"), Lock(), report)

    def visited() -> None:
        waiting: list[Json] = [document.root]
        while waiting:
            value = waiting.pop()
            if isinstance(value, dict):
                waiting.extend(value.values())
            elif isinstance(value, list):
                waiting.extend(value)

    gc.set_threshold(500_000)  # as the command line does
    found = interleaved(
        {
            "orjson": lambda: timed(lambda: orjson.loads(data)),
            "visit": lambda: timed(visited),
            "map": lambda: timed(mapped),
        },
        max(1, rounds // 2),
    )
    gc.set_threshold(700)
    limit = found["orjson"]
    yield Measure(what="visit every value once", figure=found["visit"], unit="ms", against="orjson", limit=limit)
    yield Measure(what="parse and map", figure=found["map"], unit="ms", against="orjson", limit=limit, bound=3)


def validating(folder: Path) -> Iterator[Measure]:
    """The findings about a document, beside openapi-spec-validator as it comes."""
    path = large(folder)
    root: Any = orjson.loads(path.read_bytes())
    version: str = root["openapi"]
    validator: Any = importlib.import_module("openapi_spec_validator")
    theirs_of = validator.OpenAPIV30SpecValidator if version.startswith("3.0") else validator.OpenAPIV31SpecValidator
    ours = timed(lambda: validation.findings(root, version, path.name))
    os.environ["OPENAPI_SPEC_VALIDATOR_SCHEMA_VALIDATOR_BACKEND"] = "jsonschema"
    theirs = timed(lambda: list(theirs_of(root).iter_errors()))
    yield Measure(what="validate", figure=ours, unit="ms", against="openapi-spec-validator", limit=theirs, bound=0.3)


def whole(folder: Path, rounds: int) -> Iterator[Measure]:
    """``toolcast generate`` in a process of its own, with an empty cache and with what that run left."""
    path = large(folder)
    data = path.read_bytes()
    cold: list[float] = []
    warm: list[float] = []
    peaks: list[float] = []
    limits: list[float] = []
    for number in range(rounds):
        cache = {"XDG_CACHE_HOME": str(folder / f"cache{number}"), "XDG_STATE_HOME": str(folder / "state")}
        limits.append(timed(lambda: orjson.loads(data)))
        for times, output in ((cold, f"cold{number}"), (warm, f"warm{number}")):
            command = (sys.executable, "-m", "toolcast", "generate", path, "--output", folder / output, "--name", "api")
            done = ran(*command, environment=cache)
            times.append(done.milliseconds)
            peaks.append(done.megabytes)
            limits.append(timed(lambda: orjson.loads(data)))
    limit = _middle(limits)
    yield Measure(what="generate, warm cache", figure=_middle(warm), unit="ms", against="orjson", limit=limit, bound=45)
    yield Measure(
        what="generate, cold cache", figure=_middle(cold), unit="ms", against="orjson", limit=limit, bound=130
    )
    yield Measure(what="generate, memory of the largest process", figure=max(peaks), unit="MB", bound=300)


def growth(folder: Path, sizes: Sequence[int]) -> Iterator[Measure]:
    """Time and memory for one family of documents: the exponent by which they grow."""
    times: list[float] = []
    peaks: list[float] = []
    for size in sizes:
        path = folder / f"family{size}.json"
        path.write_bytes(orjson.dumps(documents.family(size)))
        caches = {"XDG_CACHE_HOME": str(folder / f"family{size}"), "XDG_STATE_HOME": str(folder / "state")}
        command = (
            sys.executable,
            "-m",
            "toolcast",
            "generate",
            path,
            "--output",
            folder / f"out{size}",
            "--name",
            "api",
        )
        done = ran(*command, environment=caches)
        times.append(done.milliseconds)
        peaks.append(done.megabytes)
        yield Measure(what=f"generate {size:,} operations", figure=done.milliseconds, unit="ms")
        yield Measure(what=f"generate {size:,} operations, memory", figure=done.megabytes, unit="MB")
    yield Measure(what="growth of time, exponent", figure=exponent(sizes, times), unit="", bound=1.1)
    yield Measure(what="growth of memory, exponent", figure=exponent(sizes, peaks), unit="", bound=1.1)


def exponent(sizes: Sequence[int], figures: Sequence[float]) -> float:
    """The slope of the line through the logarithms (least squares)."""
    points = [(math.log(size), math.log(figure)) for size, figure in zip(sizes, figures, strict=True)]
    middle = [sum(part) / len(points) for part in zip(*points, strict=True)]
    above = sum((x - middle[0]) * (y - middle[1]) for x, y in points)
    return above / sum((x - middle[0]) ** 2 for x, _ in points)


_BARE = """
import typer
app = typer.Typer(help="Nothing.")
for number in range(14):
    @app.command(f"command{number}")
    def nothing(folder: str = typer.Option("", help="A folder.")) -> None:
        "Do nothing."
app()
"""


def command(rounds: int) -> Iterator[Measure]:
    """``toolcast --help`` beside an interpreter that does nothing and one that imports typer."""
    found = interleaved(
        {
            "pass": lambda: ran(sys.executable, "-c", "pass").milliseconds,
            "typer": lambda: ran(sys.executable, "-c", "import typer").milliseconds,
            "bare": lambda: ran(sys.executable, "-c", _BARE, "--help").milliseconds,
            "help": lambda: ran(sys.executable, "-m", "toolcast", "--help").milliseconds,
        },
        rounds,
    )
    limits = {
        "3 × python -c pass, and typer's import": 3 * found["pass"] + found["typer"] - found["pass"],
        "3 × python -c 'import typer'": 3 * found["typer"],
    }
    for against, limit in limits.items():
        yield Measure(what="toolcast --help", figure=found["help"], unit="ms", against=against, limit=limit, bound=1)
    yield Measure(
        what="toolcast --help", figure=found["help"], unit="ms",
        against="the help of as many commands that do nothing", limit=found["bare"],
    )  # fmt: skip


def _middle(figures: Sequence[float]) -> float:
    return sorted(figures)[len(figures) // 2]


def folder() -> tempfile.TemporaryDirectory[str]:
    """A place for what is generated."""
    return tempfile.TemporaryDirectory(prefix="toolcast-speed-")
