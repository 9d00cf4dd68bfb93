"""Small documents, and what the mapping makes of them."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import starmap
from pathlib import Path
from typing import Any

from toolcast.diagnostics import Location, Report
from toolcast.load.document import load
from toolcast.mapping.catalog import catalog
from toolcast.mapping.names import NOTHING_CHOSEN
from toolcast.model.catalog import Catalog, Tool
from toolcast.model.config import Config, ToolTable
from toolcast.model.lock import Lock
from toolcast.model.openapi import Api
from toolcast.model.wishes import Said, ToolWish
from toolcast.parse.api import parse

OK: dict[str, Any] = {"200": {"description": "OK"}}


@dataclass(frozen=True)
class Mapped:
    """A catalog with its lock and its report."""

    catalog: Catalog
    lock: Lock
    report: Report

    @property
    def tools(self) -> dict[str, Tool]:
        """The tools by key."""
        return {tool.key: tool for tool in self.catalog.tools}

    @property
    def names(self) -> dict[str, str]:
        """The tools' names by key."""
        return {tool.key: tool.name for tool in self.catalog.tools}

    @property
    def codes(self) -> list[str]:
        """The codes of what was found."""
        return [diagnostic.code for diagnostic in self.report.diagnostics]


def document(paths: Mapping[str, Any], version: str = "3.1.0", **root: Any) -> dict[str, Any]:
    """A whole document; operations without responses get one."""
    whole: dict[str, Any] = {"openapi": version, "info": {"title": "Api", "version": "1"}, "paths": paths, **root}
    items: list[dict[str, Any]] = list(paths.values())
    for item in items:
        for method in item.keys() & {"get", "put", "post", "delete", "patch", "head", "options"}:
            item[method].setdefault("responses", OK)
    return whole


def read(root: Mapping[str, Any], report: Report | None = None) -> Api:
    """What a document says."""
    report = Report() if report is None else report
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "openapi.json"
        file.write_text(json.dumps(root), "utf-8", "surrogatepass")
        return parse(load(str(file), report, validate=False), report)


def named(key: str, name: str) -> ToolTable:
    """The table of an owner who wants an operation's tool to be called so."""
    at = Location(file="toolcast.toml", pointer=f"/tools/{key}")
    return ToolTable(text=key, wish=ToolWish(name=Said(value=name, at=at, by="toolcast.toml", owner=True)), at=at)


def mapped(
    paths: Mapping[str, Any],
    *,
    lock: Lock | None = None,
    name: str = "api",
    config: Config | None = None,
    chosen: Mapping[str, str] = NOTHING_CHOSEN,
    whole: Mapping[str, Any] | None = None,
    **root: Any,
) -> Mapped:
    """The catalog of a document with these paths, or of a whole one; ``chosen`` are the owner's names by operation."""
    report = Report()
    api = read(document(paths, **root) if whole is None else whole, report)
    config = config or Config(name=name, tools=tuple(starmap(named, chosen.items())))
    offered, decided = catalog(api, config, lock or Lock(), report)
    return Mapped(offered, decided, report)


def tool(operation: dict[str, Any], path: str = "/things", method: str = "post", **root: Any) -> Tool:
    """The tool of one operation."""
    found = mapped({path: {method: operation}}, **root)
    assert len(found.catalog.tools) == 1, found.report.diagnostics
    return found.catalog.tools[0]


def body_of(schema: Any, **root: Any) -> dict[str, Any]:
    """The input schema's property ``it`` of a JSON body with one field of this schema."""
    return properties(tool(json_body({"type": "object", "properties": {"it": schema}}), **root))["it"]


def json_body(schema: Any, *, required: bool = True, media_type: str = "application/json") -> dict[str, Any]:
    """An operation with a body."""
    return {
        "operationId": "send",
        "requestBody": {"required": required, "content": {media_type: {"schema": schema}}},
    }


def properties(one: Tool) -> dict[str, Any]:
    """The properties of a tool's input schema."""
    found: Any = one.input_schema["properties"]
    return found


def answer_of(schema: Any, **root: Any) -> Tool:
    """The tool of an operation that answers JSON of this schema."""
    answered = {"200": {"description": "OK", "content": {"application/json": {"schema": schema}}}}
    return tool({"operationId": "read", "responses": answered}, method="get", **root)
