"""Each folder of an accepted document says what becomes of it: its tools, the requests of calls, their results."""

from __future__ import annotations

import sys
from collections.abc import Generator, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import anyio
import pytest
import runtime.operation
import runtime.security
from runtime.operation import Api
from runtime.server import Server

import runtime
from toolcast import pipeline
from toolcast.diagnostics import Diagnostic, Report
from toolcast.emit import render

from .conftest import Upstream
from .expected import answer, check_request, check_result, check_tool, read

HERE = Path(__file__).parent
DOCUMENTS = sorted(HERE.glob("accepted/*/openapi*.*"))


@dataclass(frozen=True, slots=True)
class Made:
    """What a document becomes: the API as emitted, and what was said of the document."""

    api: Api
    findings: tuple[Diagnostic, ...]


@pytest.fixture
def made(document: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Generator[Made]:
    """The emitted API of a document, with the runtime of this repository in place of its own copy."""
    report = Report()
    catalog = pipeline.inspect(str(document), report=report).catalog
    for file in render.files(catalog, document.name, with_tests=False, with_types=False):
        if file.owner == "generated" and file.path.startswith("src/"):
            path = tmp_path / file.path
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(file.text, "utf-8")
    own = f"{catalog.package}._runtime"
    sys.modules |= {own: runtime, f"{own}.operation": runtime.operation, f"{own}.security": runtime.security}
    monkeypatch.setattr(sys, "path", [str(tmp_path / "src"), *sys.path])
    yield Made(import_module(f"{catalog.package}.api").API, tuple(report.diagnostics))
    for module in [module for module in sys.modules if module.partition(".")[0] == catalog.package]:
        del sys.modules[module]


def label(document: Path) -> str:
    """The folder of a document; several documents in one folder are to become the same."""
    return document.parent.name if document.name == "openapi.yaml" else f"{document.parent.name}-{document.name}"


@pytest.mark.parametrize("document", DOCUMENTS, ids=label)
def test_a_document_becomes_what_is_expected(document: Path, made: Made, upstream: Upstream) -> None:
    expected = read(document.parent / "expected.yaml")
    assert not expected.keys() - {"findings", "tools", "calls"}
    found = [one for one in made.findings if one.severity != "info"]
    assert sorted(one.code for one in found) == sorted(expected.get("findings", [])), found
    tools = {name: tool.entry for name, tool in Server(made.api, environ={}).contract.tools.items()}
    assert {*tools} == {*expected["tools"]}
    for name, said in expected["tools"].items():
        check_tool(said, tools[name])
    anyio.run(check_calls, expected.get("calls", []), made.api, upstream)


async def check_calls(calls: list[dict[str, Any]], api: Api, upstream: Upstream) -> None:
    """Each call sends what it should, and gives what it should."""
    servers: dict[str, Server] = {}
    async with AsyncExitStack() as stack:
        for call in calls:
            assert not call.keys() - {"tool", "arguments", "environment", "request", "answer", "result", "refused"}
            given: Mapping[str, str] = call.get("environment", {})
            if str(given) not in servers:
                environ = {f"{api.environment}_{name}": value for name, value in given.items()}
                servers[str(given)] = await stack.enter_async_context(Server(api, environ=environ))
            upstream.answer, upstream.received = answer(call.get("answer")), []
            result = await servers[str(given)].call(call["tool"], call.get("arguments", {}))
            if "refused" in call:
                assert upstream.received == []
                check_result({"error": True, "text": call["refused"]}, result)
                continue
            check_result(call.get("result", {}), result)
            (request,) = upstream.received
            if "request" in call:
                check_request(call["request"], request)


def test_every_folder_says_what_is_expected_of_it() -> None:
    assert {path.parent for path in DOCUMENTS} == {*(path for path in HERE.glob("accepted/*") if path.is_dir())}
    for document in DOCUMENTS:
        assert (document.parent / "expected.yaml").is_file()
        if document.suffix == ".yaml":
            assert document.read_text("utf-8-sig").partition("\n")[0].strip().startswith("# "), document
