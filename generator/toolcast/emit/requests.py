"""Requests: what each tool's example arguments become on the wire, by the runtime's own code.

The result is written into the emitted tests as a literal, so that whatever changes a request is seen in a review.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Iterable, Mapping
from functools import lru_cache
from types import ModuleType
from typing import Any, cast
from urllib.parse import urlsplit

from toolcast.emit.environment import templates_root
from toolcast.emit.literals import Call, Literal
from toolcast.emit.values import operation, scheme
from toolcast.emit.views import placeholder
from toolcast.model.catalog import Catalog, Request, Tool

_ORIGIN = "http://127.0.0.1"


@lru_cache(maxsize=1)
def _runtime() -> Mapping[str, ModuleType]:
    """The modules of the runtime that make requests, loaded from the templates."""
    folder = templates_root() / "runtime"
    name = "toolcast_runtime"
    spec = importlib.util.spec_from_file_location(
        name, folder / "__init__.py", submodule_search_locations=[str(folder)]
    )
    assert spec is not None and spec.loader is not None
    package = importlib.util.module_from_spec(spec)
    sys.modules[name] = package
    spec.loader.exec_module(package)
    modules = ("operation", "security", "request", "credentials")
    return {module: importlib.import_module(f"{name}.{module}") for module in modules}


def cases(catalog: Catalog) -> dict[str, tuple[Literal, ...] | None]:
    """For each tool its name, example arguments, and the request that they become; None where there is no example."""
    made = requests(catalog)
    return {tool.name: _case(tool, made[tool.name]) for tool in catalog.tools}


def requests(catalog: Catalog) -> dict[str, Request | None]:
    """For each tool the request that its example arguments become; None where there is no example."""
    runtime = _runtime()
    schemes = {c.scheme: _built(scheme(c)) for c in catalog.credentials}
    environ = {variable: placeholder(variable) for c in catalog.credentials for variable in c.variables}
    credentials = runtime["credentials"].Credentials.read(schemes, environ)
    return {tool.name: _request(tool, credentials) for tool in catalog.tools}


def _case(tool: Tool, made: Request | None) -> tuple[Literal, ...] | None:
    if made is None:
        return None
    expected: dict[str, Literal] = {
        "method": made.method,
        "path": made.path,
        "query": made.query,
        "headers": dict(made.headers),
        "body": made.body,
    }
    return tool.name, cast("Mapping[str, Literal]", tool.example), expected


def _request(tool: Tool, credentials: Any) -> Request | None:
    if tool.example is None:
        return None
    runtime = _runtime()
    made = _built(operation(tool))
    try:
        proof = credentials.proof(made)
        request = runtime["request"].build(made, proof.filled(made, tool.example), _ORIGIN)
        sent = runtime["credentials"].proven(request, proof)
    except runtime["request"].ArgumentError:
        return None  # a made-up value that its place cannot hold
    parts = urlsplit(cast("str", sent.url))
    pairs = cast("Iterable[tuple[str, str]]", sent.headers)
    return Request(
        method=sent.method,
        path=parts.path,
        query=parts.query,
        headers=tuple(sorted({name.lower(): value for name, value in pairs}.items())),
        body=sent.body or b"",
    )


def _built(value: Literal) -> Any:
    """A value of emitted code, made with the runtime's classes."""
    if isinstance(value, Call):
        runtime = _runtime()
        made = getattr(runtime["operation"], value.name, None) or getattr(runtime["security"], value.name)
        return made(*map(_built, value.positional), **{k: _built(v) for k, v in (value.keywords or {}).items()})
    return tuple(_built(item) for item in value) if isinstance(value, tuple) else value
