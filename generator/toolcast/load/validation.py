"""What the rules of OpenAPI say about a document: warnings, never a reason to stop."""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import sys
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import orjson

from toolcast import process
from toolcast.diagnostics import Diagnostic, Location
from toolcast.load.dangling import dangling
from toolcast.load.places import WRITTEN, Kind, walk
from toolcast.model.cache import Cache, Forgetful
from toolcast.model.json import Json, JsonObject
from toolcast.model.pointer import join, lookup

MAX_FINDINGS = 50
_MAX_MESSAGE = 200
_LARGE = 1_000_000  # bytes, from which on another process looks for faults, while this one goes on
_NO_FILES: Mapping[str, Json] = {}
_NOTHING_KEPT: Cache = Forgetful()


def findings(root: JsonObject, version: str, file: str, files: Mapping[str, Json] = _NO_FILES) -> list[Diagnostic]:
    """The faults of a document of this version, such as "3.1.0", before it is converted and upgraded.

    TC112 for targets of references that do not exist, TC110 for what openapi-spec-validator finds (the first 50,
    then how many more), TC111 where it gave up. It looks at the document itself, not at the ``files`` that belong to
    it. Nothing is fetched or opened.
    """
    return begin(root, version, file, files)()


def begin(
    root: JsonObject,
    version: str,
    file: str,
    files: Mapping[str, Json] = _NO_FILES,
    cache: Cache = _NOTHING_KEPT,
) -> Callable[[], list[Diagnostic]]:
    """Let the faults be found, as ``findings`` has them, or take them from the cache; what is returned waits for them.

    The document is no longer needed when this returns.
    """
    found = dangling(root, file, files)
    with _alone(root, files):
        given = orjson.dumps([version, file]) + b"\n" + orjson.dumps(root)
        key = f"findings-{_digest(given)}"
        kept = cache.get(key)
        if kept is not None:
            return lambda: [*found, *_read(kept)]
        if len(given) < _LARGE:
            checked = _checked(root, version, file)
            cache.put(key, _written(checked))
            return lambda: [*found, *checked]
    making = process.begin(__name__, given)

    def finish() -> list[Diagnostic]:
        made = making()
        cache.put(key, made)
        return [*found, *_read(made)]

    return finish


def _digest(given: bytes) -> str:
    """What the findings depend on: the document, the validators, and what this package makes of their words."""
    versions = [importlib.metadata.version(name) for name in ("openapi-spec-validator", "jsonschema-rs")]
    own = [Path(__file__).with_name(name).read_bytes() for name in ("validation.py", "validator.py")]
    return hashlib.sha256(b"\n".join([*map(str.encode, versions), *own, given])).hexdigest()


def _written(checked: list[Diagnostic]) -> bytes:
    return json.dumps([asdict(diagnostic) for diagnostic in checked]).encode()


def _read(written: bytes) -> list[Diagnostic]:
    listed: list[dict[str, Any]] = json.loads(written)
    return [replace(Diagnostic(**values), location=Location(**values["location"])) for values in listed]


@contextmanager
def _alone(root: JsonObject, files: Mapping[str, Json]) -> Generator[None]:
    """Meanwhile, what stands in other files is in the document, as far as its rules ask for it."""
    kept: list[tuple[JsonObject, JsonObject]] = []
    old = "swagger" in root
    try:
        for kind, node, _ in list(walk(root, _NO_FILES, WRITTEN)):
            reference = node.get("$ref")
            if isinstance(reference, str) and not reference.startswith("#"):
                kept.append((node, dict(node)))
                target = _resolved(root, files, node) or {"name": reference}
                stub = _stub(kind, target, root, files, old=old)
                node.clear()
                node |= stub
        yield
    finally:
        for node, content in kept:
            node.clear()
            node |= content


def _stub(kind: Kind, target: JsonObject, root: JsonObject, files: Mapping[str, Json], *, old: bool) -> JsonObject:
    """The least that is valid in place of an object; the parameters of the path are counted by the rules."""
    match kind:
        case "parameter":
            place, name = target.get("in", "query"), target.get("name", "")
            value: JsonObject = {"type": "string"} if old and place != "body" else {"schema": {}}
            return {"name": name, "in": place, **value, **({"required": True} if place == "path" else {})}
        case "operation":
            listed = target.get("parameters")
            known = [_resolved(root, files, entry) for entry in (listed if isinstance(listed, list) else ())]
            stubs: list[Json] = [
                _stub("parameter", entry, root, files, old=old) for entry in known if entry.get("in") == "path"
            ]
            return {"parameters": stubs, "responses": {"default": {"description": ""}}}
        case "response":
            return {"description": ""}
        case "header":
            return {"type": "string"} if old else {"schema": {}}
        case "requestBody":
            return {"content": {}}
        case "link":
            return {"operationId": ""}
        case "securityScheme":
            return {"type": "basic"} if old else {"type": "http", "scheme": "basic"}
        case _:
            return {}


def _resolved(root: JsonObject, files: Mapping[str, Json], value: Json) -> JsonObject:
    """The object behind any references; an empty one where there is none."""
    for _ in range(32):
        if not isinstance(value, dict) or not isinstance(value.get("$ref"), str):
            break
        found = lookup(root, files, str(value["$ref"]))
        value = found[0] if found is not None else None
    return value if isinstance(value, dict) and "$ref" not in value else {}


def _checked(root: JsonObject, version: str, file: str) -> list[Diagnostic]:
    from referencing.exceptions import PointerToNowhere

    from toolcast.load.validator import Unreachable, errors

    found: dict[tuple[str, str], Diagnostic] = {}
    left = 0
    stopped: list[Diagnostic] = []
    try:
        for path, text in errors(root, version):
            message, pointer = _cut(text[:1].upper() + text[1:]), join(path)
            if (message, pointer) in found:
                continue
            if len(found) == MAX_FINDINGS:
                left += 1
                continue
            found[message, pointer] = Diagnostic(
                code="TC110",
                severity="warning",
                message=message,
                location=Location(file=file, pointer=pointer),
                help="Correct the document, or tell whoever publishes it.",
            )
    except Exception as error:  # noqa: BLE001 - on a document with faults the validator raises anything at all
        if _is_or_comes_from(error, Unreachable):
            reason = "the document refers to other files"
        elif _is_or_comes_from(error, PointerToNowhere):
            reason = "a reference leads nowhere"
        else:
            reason = _reason(error)
        stopped.append(
            Diagnostic(
                code="TC111",
                severity="warning",
                message=_cut(f"The validator could not finish: {reason}"),
                location=Location(file=file),
                help="What it had not yet looked at is used unchecked.",
            )
        )
    if left:
        stopped.append(
            Diagnostic(
                code="TC110",
                severity="warning",
                message=f"{left} more findings of the validator are not shown",
                location=Location(file=file),
                help="Correct the ones above first.",
            )
        )
    return [*found.values(), *stopped]


def _is_or_comes_from(error: BaseException | None, kind: type[Exception]) -> bool:
    for _ in range(10):
        if error is None or isinstance(error, kind):
            break
        error = error.__cause__ or error.__context__
    return isinstance(error, kind)


def _reason(error: Exception) -> str:
    """The kind of an exception, with its text where that is short: it may hold the whole document."""
    text = str(error)
    return f"{type(error).__name__}: {text}" if text and len(text) <= 120 else type(error).__name__


def _cut(text: str) -> str:
    line = " ".join(text[: 4 * _MAX_MESSAGE].split())
    return line if len(line) <= _MAX_MESSAGE else line[: _MAX_MESSAGE - 1] + "…"


if __name__ == "__main__":  # in a process of its own: see ``begin``
    named, _, document = sys.stdin.buffer.read().partition(b"\n")
    sys.stdout.buffer.write(_written(_checked(orjson.loads(document), *orjson.loads(named))))
