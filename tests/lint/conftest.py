"""From a document to what the rules find in it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import pytest
import yaml

from toolcast import pipeline
from toolcast.diagnostics import Report

Lint: TypeAlias = Callable[..., pipeline.Linting]
_ANSWER = {"type": "object", "properties": {"id": {"type": "string"}}}
_RESPONSES = {
    "200": {"description": "The shelf", "content": {"application/json": {"schema": _ANSWER}}},
    "default": {"description": "What went wrong"},
}


@pytest.fixture
def lint(tmp_path: Path) -> Lint:
    """What is found in a document, given by some of its keys, which stands in ``openapi.yaml``."""

    def linted(ignored: tuple[str, ...] = (), **keys: Any) -> pipeline.Linting:
        path = tmp_path / "openapi.yaml"
        path.write_text(yaml.safe_dump(document(**keys), sort_keys=False), "utf-8")
        return pipeline.lint(str(path), report=Report(), ignored=ignored)

    return linted


def document(**keys: Any) -> dict[str, Any]:
    """A document in which no rule finds anything but what its paths and other keys are to blame for."""
    root: dict[str, Any] = {
        "openapi": "3.1.0",
        "info": {"title": "Library", "version": "1"},
        "servers": [{"url": "https://library.example"}],
        "security": [{"key": []}],
        **keys,
    }
    schemes = {"key": {"type": "apiKey", "in": "header", "name": "X-Key"}}
    root["components"] = {"securitySchemes": schemes, **keys.get("components", {})}
    item: dict[str, Any]
    for item in root["paths"].values():
        for method in item.keys() - {"parameters", "$ref"}:
            item[method].setdefault("responses", _RESPONSES)
    return root
