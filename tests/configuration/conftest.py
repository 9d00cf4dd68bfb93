"""A small document and a configuration, and what they come to."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from toolcast import pipeline
from toolcast.diagnostics import Diagnostic, Failure, Report
from toolcast.load import configuration
from toolcast.load.document import load
from toolcast.model.catalog import Catalog, Tool
from toolcast.model.config import Config
from toolcast.model.openapi import Api
from toolcast.parse.api import parse

# A harbour: lists, reads, writes, a deprecated operation, a body that cannot be flat, and tags of two kinds.
HARBOUR: dict[str, Any] = {
    "openapi": "3.2.0",
    "info": {"title": "Harbour", "version": "7"},
    "servers": [{"url": "https://harbour.example/v1"}],
    "tags": [{"name": "boats", "description": "What floats."}, {"name": "new", "kind": "badge"}],
    "paths": {
        "/boats": {
            "get": {
                "operationId": "listBoats",
                "summary": "List boats",
                "tags": ["new", "boats"],
                "parameters": [
                    {"name": "limit", "in": "query", "schema": {"type": "integer", "maximum": 100}},
                    {"name": "port", "in": "query", "required": True, "schema": {"type": "string"}},
                    {"name": "filter[name]", "in": "query", "schema": {"type": "string"}},
                ],
                "responses": {
                    "200": {
                        "description": "OK",
                        "content": {"application/json": {"schema": {"type": "array", "items": {"type": "string"}}}},
                    }
                },
            },
            "post": {
                "operationId": "addBoat",
                "summary": "Add a boat",
                "tags": ["boats"],
                "requestBody": {
                    "required": True,
                    "content": {
                        "application/json": {
                            "schema": {
                                "type": "object",
                                "required": ["name"],
                                "properties": {"name": {"type": "string"}, "pin": {"type": "string"}},
                            }
                        },
                        "application/x-www-form-urlencoded": {
                            "schema": {"type": "object", "properties": {"name": {"type": "string"}}}
                        },
                    },
                },
                "responses": {"201": {"description": "Created"}},
            },
        },
        "/boats/{id}": {
            "get": {
                "operationId": "getBoat",
                "summary": "One boat",
                "tags": ["boats"],
                "parameters": [{"name": "id", "in": "path", "required": True, "schema": {"type": "integer"}}],
                "responses": {"200": {"description": "OK", "content": {"application/json": {"schema": {}}}}},
            },
            "delete": {
                "operationId": "sinkBoat",
                "summary": "Sink it",
                "tags": ["boats"],
                "parameters": [
                    {"name": "id", "in": "path", "required": True, "schema": {"type": "integer"}},
                    {"name": "id", "in": "query", "schema": {"type": "string"}},
                ],
                "responses": {"204": {"description": "Gone"}},
            },
        },
        "/docks/{dock}/plan": {
            "get": {
                "operationId": "getPlan",
                "summary": "The plan of a dock",
                "parameters": [{"name": "dock", "in": "path", "required": True, "schema": {"type": "string"}}],
                "responses": {"200": {"description": "OK"}},
            }
        },
        "/tides": {
            "get": {"operationId": "tides", "summary": "Tides", "responses": {"200": {"description": "OK"}}},
            "post": {
                "operationId": "foretell",
                "summary": "Foretell",
                "requestBody": {
                    "required": True,
                    "content": {"application/json": {"schema": {"anyOf": [{"type": "object"}, {"type": "string"}]}}},
                },
                "responses": {"200": {"description": "OK"}},
            },
        },
        "/old": {
            "get": {
                "operationId": "oldList",
                "summary": "The old list",
                "deprecated": True,
                "responses": {"200": {"description": "OK"}},
            }
        },
    },
}


@dataclass(frozen=True)
class Made:
    """What a document and a configuration come to."""

    catalog: Catalog
    report: Report

    @property
    def names(self) -> dict[str, str]:
        """The names of tools by key."""
        return {tool.key: tool.name for tool in self.catalog.tools}

    def tool(self, key: str) -> Tool:
        """The tool of an operation."""
        return next(tool for tool in self.catalog.tools if tool.key == key)

    def properties(self, key: str) -> Mapping[str, Any]:
        """The properties of a tool's input schema."""
        found: Any = self.tool(key).input_schema["properties"]
        return found


def read(root: Mapping[str, Any]) -> Api:
    """What a document says."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "openapi.json"
        file.write_text(json.dumps(root), "utf-8")
        return parse(load(str(file), Report(), validate=False), Report())


def configured(text: str) -> Config:
    """What a configuration says."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "toolcast.toml"
        file.write_text(text, "utf-8")
        return configuration.read_file(file)


Make: TypeAlias = Callable[..., Made]
Refuse: TypeAlias = Callable[..., Diagnostic]


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """The catalog of the harbour, or of another document, with a configuration."""

    def made(toml: str = "", document: Mapping[str, Any] = HARBOUR) -> Made:
        (tmp_path / "openapi.json").write_text(json.dumps(document), "utf-8")
        (tmp_path / "toolcast.toml").write_text(toml, "utf-8")
        report = Report()
        settings = tmp_path / "toolcast.toml"
        found = pipeline.inspect(str(tmp_path / "openapi.json"), report=report, settings=settings)
        return Made(found.catalog, report)

    return made


@pytest.fixture
def refuse(make: Make) -> Refuse:
    """What is said against a configuration."""

    def refused(toml: str, document: Mapping[str, Any] = HARBOUR) -> Diagnostic:
        with pytest.raises(Failure) as caught:
            make(toml, document)
        found = caught.value.diagnostic
        assert found.help and found.location is not None and found.location.file.endswith("toolcast.toml")
        return found

    return refused
