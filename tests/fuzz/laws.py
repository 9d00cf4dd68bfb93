"""What holds for every document; a law that is broken is an ``AssertionError``, and so is any exception but Failure."""

from __future__ import annotations

import ast
import json
import keyword
import re
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import jsonschema_rs

from toolcast.diagnostics import Diagnostic, Failure, Report
from toolcast.emit import render
from toolcast.load.document import load
from toolcast.mapping.catalog import catalog
from toolcast.model.catalog import Catalog, MoreArg
from toolcast.model.config import Config
from toolcast.model.lock import Lock
from toolcast.parse.api import parse

_DEVICES = re.compile(r"(?i)(con|prn|aux|nul|com\d|lpt\d)(\..*)?")
_PART = re.compile(r"[A-Za-z0-9_.-]{1,255}")


def mapped(path: Path, *, validate: bool = False) -> tuple[Catalog, list[Diagnostic]] | Diagnostic:
    """What a document becomes and what is said of it, or why nothing."""
    report = Report()
    try:
        document = load(str(path), report, validate=validate)
        report.lines = document.lines
        made = catalog(parse(document, report), Config(), Lock(), report)[0]
    except Failure as failure:
        told([failure.diagnostic], report)
        return failure.diagnostic
    told(report.diagnostics, report)
    return made, list(report.diagnostics)


def told(found: Iterable[Diagnostic], report: Report) -> None:
    """Each diagnostic has a code and a place, and is one readable line."""
    for diagnostic in found:
        assert re.fullmatch(r"TC\d{3}", diagnostic.code), diagnostic
        assert diagnostic.message.strip(), diagnostic
        assert not re.search(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e]", diagnostic.message), diagnostic
        assert len(diagnostic.message) < 2_000, diagnostic
        diagnostic.message.encode()
        assert diagnostic.location is not None or diagnostic.code < "TC010", diagnostic
        if diagnostic.location is not None and report.lines is not None:
            line = diagnostic.location.line or report.lines(diagnostic.location)
            assert line is None or line >= 1, diagnostic


def sound(made: Catalog) -> None:
    """Names are valid and unique, schemas are JSON Schema, and what binds arguments fits them."""
    names = [tool.name for group in made.groups for tool in group.tools]
    assert len({name.lower() for name in names}) == len(names), names
    modules = [group.name for group in made.groups]
    assert len(set(modules)) == len(modules), modules
    for module in modules:
        assert re.fullmatch(r"[a-z_][a-z0-9_]*", module) and not keyword.iskeyword(module), module
    for tool in made.tools:
        assert re.fullmatch(r"[a-z][a-z0-9_]{0,45}", tool.name), tool.name
        listed = json.loads(json.dumps(render.listed(tool), allow_nan=False))
        json.dumps(listed, ensure_ascii=False).encode()
        properties: dict[str, Any] = listed["inputSchema"].get("properties", {})
        assert all(re.fullmatch(r"[A-Za-z0-9_.-]{1,64}", name) for name in properties), list(properties)
        bound: list[str] = []
        for binding in tool.bindings:
            bound.append(binding.argument)
            assert (
                binding.argument in properties or isinstance(binding, MoreArg) or binding.argument in dict(tool.fixed)
            )
        assert len(set(bound)) == len(bound), bound
        assert set(properties) <= set(bound), (properties, bound)
        for kind in ("inputSchema", "outputSchema"):
            if kind in listed:
                assert listed[kind].get("type") == "object", listed[kind]
                _is_schema(listed[kind])


def _is_schema(schema: Any) -> None:
    jsonschema_rs.meta.validate({"$schema": "https://json-schema.org/draft/2020-12/schema", **schema})

    def retrieve(uri: str) -> Any:
        raise AssertionError(f"a published schema refers to {uri}")

    jsonschema_rs.Draft202012Validator(schema, retriever=retrieve, validate_formats=False)


def emitted(made: Catalog, *, with_types: bool = False) -> dict[str, str]:
    """The files of a package: each is what its name says, and lies within its folder."""
    files = render.files(made, "api.json", with_types=with_types)
    texts = {file.path: file.text for file in files if file.owner != "runtime"}
    assert len({path.lower() for path in texts}) == len(texts)
    for path, text in texts.items():
        text.encode()
        for part in path.split("/"):
            assert _PART.fullmatch(part) and part not in (".", "..") and not part.endswith("."), path
            assert not _DEVICES.fullmatch(part), path
        if path.endswith(".py"):
            ast.parse(text)
        elif path.endswith(".json"):
            json.loads(text)
        elif path.endswith(".toml"):
            tomllib.loads(text)
    return texts
