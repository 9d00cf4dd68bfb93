"""Each folder of an accepted document says what becomes of it: its tools, the requests of calls, their results."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import anyio
import pytest

from .conftest import ACCEPTED, Made, Upstream, label
from .expected import answer, check_request, check_result, check_tool, read

DESCRIBED = [document for document in ACCEPTED if (document.parent / "expected.yaml").is_file()]


@pytest.fixture
def package(document: Path, made: Mapping[Path, Made], monkeypatch: pytest.MonkeyPatch) -> Made:
    """The package of a document, importable."""
    monkeypatch.syspath_prepend(str(made[document].folder / "src"))
    return made[document]


@pytest.mark.parametrize("document", DESCRIBED, ids=label)
def test_a_document_becomes_what_is_expected(document: Path, package: Made, upstream: Upstream) -> None:
    expected = read(document.parent / "expected.yaml")
    assert not expected.keys() - {"findings", "tools", "calls"}
    found = [one for one in package.report.diagnostics if one.severity != "info"]
    assert sorted(one.code for one in found) == sorted(expected.get("findings", [])), found
    runtime, api = import_module(f"{package.module}._runtime.server"), import_module(f"{package.module}.api")
    tools = {name: tool.entry for name, tool in runtime.Server(api.API, environ={}).contract.tools.items()}
    assert {*tools} == {*expected["tools"]}
    for name, said in expected["tools"].items():
        check_tool(said, tools[name])
    for call in expected.get("calls", []):
        environment = {f"{package.environment}_{name}": value for name, value in call.get("environment", {}).items()}
        check_call(call, runtime.Server(api.API, environ=environment), upstream)


def check_call(call: dict[str, Any], server: Any, upstream: Upstream) -> None:
    """A call sends what it should, and gives what it should."""
    assert not call.keys() - {"tool", "arguments", "environment", "request", "answer", "result", "refused"}
    upstream.answer, upstream.received = answer(call.get("answer")), []

    async def made() -> Any:
        async with server:
            return await server.call(call["tool"], call.get("arguments", {}))

    result = anyio.run(made)
    if "refused" in call:
        assert upstream.received == []
        check_result({"error": True, "text": call["refused"]}, result)
        return
    check_result(call.get("result", {}), result)
    if call.get("request") is not None:
        (request,) = upstream.received
        check_request(call["request"], request)
