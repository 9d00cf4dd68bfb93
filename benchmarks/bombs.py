"""Resource bombs: the time and the memory that each takes, and what is said of it; a table in Markdown.

``python benchmarks/bombs.py [NAME …]``. Each runs in a process of its own.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

_SECONDS: Final = 60
_HEAD: Final = b"openapi: 3.1.0\ninfo: {title: Bomb, version: '1'}\n"
_REF: Final = "#/components/schemas/"


def _of(schemas: Any, used: Any = None, **more: Any) -> bytes:
    body = {"content": {"application/json": {"schema": used or {"$ref": f"{_REF}A0"}}}}
    operation = {"requestBody": body, "responses": {"200": {"description": "", **body}}}
    document = {
        "openapi": "3.1.0",
        "info": {"title": "Bomb", "version": "1"},
        "paths": {"/a": {"post": operation}},
        "components": {"schemas": schemas},
        **more,
    }
    return json.dumps(document).encode()


def _aliases(levels: int = 9, width: int = 10) -> bytes:
    lines = [
        "openapi: 3.1.0",
        "info: {title: Bomb, version: '1'}",
        "paths: {}",
        "x-0: &a0 [x, x, x, x, x, x, x, x, x, x]",
    ]
    lines += [f"x-{at}: &a{at} [{', '.join([f'*a{at - 1}'] * width)}]" for at in range(1, levels)]
    return "\n".join(lines).encode()


def _nested(levels: int) -> bytes:
    inner: str = '{"type": "string"}'
    text = '{"type": "array", "items": ' * levels + inner + "}" * levels
    return _of({}).replace(b'"schemas": {}', b'"schemas": {"A0": ' + text.encode() + b"}")


def _doubling(levels: int, word: str) -> bytes:
    schemas: dict[str, Any] = {f"A{at}": {word: [{"$ref": f"{_REF}A{at + 1}"}] * 2} for at in range(levels)}
    return _of({**schemas, f"A{levels}": {"type": "string"}})


def _mesh(count: int, word: str) -> bytes:
    every = [{"$ref": f"{_REF}A{at}"} for at in range(count)]
    schemas = {
        f"A{at}": {"type": "object", "properties": {f"p{at}": {"type": "string"}}, word: every} for at in range(count)
    }
    return _of(schemas)


def _properties_mesh(count: int) -> bytes:
    fields = {f"p{at}": {"$ref": f"{_REF}A{at}"} for at in range(count)}
    return _of({f"A{at}": {"type": "object", "properties": fields} for at in range(count)})


def _wide(count: int) -> bytes:
    return _of({"A0": {"type": "object", "properties": {f"p{at}": {"type": "string"} for at in range(count)}}})


def _enum(count: int) -> bytes:
    return _of({"A0": {"type": "object", "properties": {"e": {"enum": [f"v{at}" for at in range(count)]}}}})


def _chain(count: int) -> bytes:
    return _of({f"A{at}": {"$ref": f"{_REF}A{at + 1}"} for at in range(count)})


def _patterns() -> bytes:
    found = [
        "(a+)+$",
        "(a|aa)+$",
        "(.*a){25}",
        "^(([a-z])+.)+[A-Z]([a-z])+$",
        "a{1,1000}{1,1000}",
        "(x+x+)+y",
        "\\w{1,99999}",
    ]
    fields = {f"p{at}": {"type": "string", "pattern": text} for at, text in enumerate(found)}
    return _of({"A0": {"type": "object", "properties": fields}})


def _many(count: int) -> bytes:
    paths: dict[str, Any] = {f"/p{at}": {"get": {"operationId": "same", "responses": {}}} for at in range(count)}
    return json.dumps({"openapi": "3.1.0", "info": {"title": "Bomb", "version": "1"}, "paths": paths}).encode()


BOMBS: Final[Mapping[str, Callable[[], bytes]]] = {
    "aliases: 10^9 values": lambda: _aliases(),
    "aliases in schemas: 2^40 schemas": lambda: (
        _of({}).replace(b'"schemas": {}', b'"schemas": {"A0": &s0 {"type": "string"}, ' + b", ".join(
            b'"B%d": &s%d {"properties": {"a": *s%d, "b": *s%d}}' % (at, at, at - 1, at - 1) for at in range(1, 41)
        ) + b"}").replace(b"#/components/schemas/A0", b"#/components/schemas/B40")
    ),
    "an alias of itself": lambda: _HEAD + b"paths: &p {/a: *p}\n",
    "merge keys: 2^30": lambda: _HEAD + b"paths: {}\nx0: &a0 {a: 1}\n" + b"\n".join(
        b"x%d: &a%d {<<: [*a%d, *a%d]}" % (at, at, at - 1, at - 1) for at in range(1, 31)
    ),
    "JSON 100,000 deep": lambda: b"[" * 100_000,
    "YAML 100,000 deep": lambda: b"- " * 100_000,
    "schema 90 deep": lambda: _nested(90),
    "schema 5,000 deep": lambda: _nested(5_000),
    "references that double: allOf, 2^40": lambda: _doubling(40, "allOf"),
    "references that double: anyOf, 2^40": lambda: _doubling(40, "anyOf"),
    "references that double: prefixItems, 2^40": lambda: _doubling(40, "prefixItems"),
    "30 schemas, each all of the others": lambda: _mesh(30, "allOf"),
    "30 schemas, each one of the others": lambda: _mesh(30, "oneOf"),
    "30 schemas, each has all others": lambda: _properties_mesh(30),
    "100,000 references in a chain": lambda: _chain(100_000),
    "1,000,000 properties": lambda: _wide(1_000_000),
    "1,000,000 enum values": lambda: _enum(1_000_000),
    "patterns that backtrack": _patterns,
    "2,000 operations with one id": lambda: _many(2_000),
    "a text of 60 MB": lambda: _of({"A0": {"description": "x " * 30_000_000}}),
    "a file of 70 MB": lambda: b" " * 70_000_000,
}  # fmt: skip


def measured(data: bytes, folder: Path, seconds: float = _SECONDS) -> dict[str, Any]:
    """Seconds, MiB and words of what becomes of a document, in a process that is stopped after a time."""
    path = folder / "bomb.yaml"
    path.write_bytes(data)
    command = [sys.executable, __file__, "--one", str(path)]
    begin = time.monotonic()
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=seconds)
    except subprocess.TimeoutExpired:
        return {"seconds": time.monotonic() - begin, "mib": 0, "said": "STOPPED: it took too long"}
    if done.returncode:
        last = (done.stderr.strip().splitlines() or [str(done.returncode)])[-1]
        return {"seconds": time.monotonic() - begin, "mib": 0, "said": f"CRASHED: {last[:200]}"}
    return json.loads(done.stdout.splitlines()[-1])


def _one(path: str) -> dict[str, Any]:
    from toolcast import pipeline
    from toolcast.diagnostics import Failure, Report

    begin = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        try:
            report = Report()
            made = pipeline.generate(path, Path(folder) / "made", report=report, name="bomb")
            codes = sorted({found.code for found in report.of("warning")})
            said = f"{len(made.inspection.catalog.tools):,} tools; {', '.join(codes)}"
        except Failure as failure:
            said = f"{failure.diagnostic.code}: {failure.diagnostic.message[:100]}"
    own, others = (resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return {"seconds": time.monotonic() - begin, "mib": max(own, others) // 1024, "said": said}


def _inspected(names: list[str]) -> dict[str, Any]:
    """What ``inspect`` says of each of these, in one process, with the seconds of the longest and the MiB of all."""
    from toolcast import pipeline
    from toolcast.diagnostics import Failure, Report

    said: dict[str, str] = {}
    longest = 0.0
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "bomb.yaml"
        for name in names:
            path.write_bytes(BOMBS[name]())
            begin, report = time.monotonic(), Report()
            try:
                found = pipeline.inspect(str(path), report=report)
                codes = sorted({one.code for one in report.of("warning")})
                said[name] = f"{len(found.catalog.tools):,} tools; {', '.join(codes)}"
            except Failure as failure:
                said[name] = failure.diagnostic.code
            longest = max(longest, time.monotonic() - begin)
    return {"said": said, "seconds": longest, "mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024}


def main() -> None:
    """Print the table."""
    if sys.argv[1:2] == ["--one"]:
        print(json.dumps(_one(sys.argv[2])))
        return
    if sys.argv[1:2] == ["--inspect"]:
        print(json.dumps(_inspected(sys.argv[2:])))
        return
    print("| bomb | bytes | seconds | MiB | what is said |\n|---|--:|--:|--:|---|")
    for name, make in BOMBS.items():
        if sys.argv[1:] and not any(word in name for word in sys.argv[1:]):
            continue
        data = make()
        with tempfile.TemporaryDirectory() as folder:
            found = measured(data, Path(folder))
        print(f"| {name} | {len(data):,} | {found['seconds']:.1f} | {found['mib']:,} | {found['said']} |", flush=True)


if __name__ == "__main__":
    main()
