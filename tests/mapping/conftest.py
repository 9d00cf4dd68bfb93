"""From a document to the requests of its tools: catalog, emitted code, the check of arguments, the request."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import pytest
import runtime.contract
import runtime.operation
from runtime.arguments import check
from runtime.naming import renamed
from runtime.request import Request, build

from toolcast.diagnostics import Report
from toolcast.emit.literals import py
from toolcast.emit.values import operation
from toolcast.load.document import load
from toolcast.mapping.catalog import catalog
from toolcast.model.catalog import Tool
from toolcast.model.config import Config
from toolcast.model.lock import Lock
from toolcast.parse.api import parse

ORIGIN = "https://api.test"


@dataclass(frozen=True, slots=True)
class Callee:
    """A tool of a document, and the requests that calls of it make."""

    tool: Tool

    @property
    def operation(self) -> runtime.operation.Operation[Any, Any]:
        """The operation as the emitted code has it."""
        return eval(py(operation(self.tool)), vars(runtime.operation).copy())

    def request(self, **arguments: Any) -> Request:
        """What a call sends; raises ``ArgumentProblem`` and ``ArgumentError``."""
        made = self.operation
        entry = runtime.contract.Tool({"name": self.tool.name, "inputSchema": self.tool.input_schema})
        return build(made, check(entry, renamed(made, arguments), made.parameters, made.inner), ORIGIN)

    def target(self, **arguments: Any) -> str:
        """The path and the query of a call."""
        return self.request(**arguments).url.removeprefix(ORIGIN)

    def body(self, **arguments: Any) -> tuple[str | None, bytes | None]:
        """The media type and the body of a call."""
        request = self.request(**arguments)
        return dict(request.headers).get("Content-Type"), request.body


Offer: TypeAlias = Callable[..., Mapping[str, Callee]]


@pytest.fixture
def offer(tmp_path: Path) -> Offer:
    """The tools of a document by name; it is given by its paths, and the schemas of its components."""

    def offered(paths: Any, *, version: str = "3.0.4", **schemas: Any) -> Mapping[str, Callee]:
        root: dict[str, Any] = {
            "openapi": version,
            "info": {"title": "Sample", "version": "1"},
            "servers": [{"url": ORIGIN}],
            "paths": paths,
            "components": {"schemas": schemas},
        }
        path = tmp_path / "openapi.json"
        path.write_text(json.dumps(root))
        report = Report()
        made, _ = catalog(parse(load(str(path), report), report), Config(), Lock(), report)
        assert not report.of("error")
        return {tool.name: Callee(tool) for tool in made.tools}

    return offered
