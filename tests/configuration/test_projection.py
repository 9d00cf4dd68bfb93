"""Projections: which tools have one, what agents see of it, and what the package then needs."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from toolcast import pipeline
from toolcast.diagnostics import Report

from .conftest import Make, Refuse

EVERY = "[[rules]]\nmatch.methods = ['*']\nprojection = true\n"


def test_a_tool_has_one_more_argument(make: Make) -> None:
    made = make("[tools.list_boats]\nprojection = true\n")
    tool = made.tool("GET /boats")
    assert tool.projection == "projection"
    schema: Any = tool.input_schema
    assert schema["properties"]["projection"]["maxLength"] == 1_000
    assert "projection" not in schema.get("required", [])
    assert not any(binding.argument == "projection" for binding in tool.bindings)


def test_a_rule_means_those_that_answer_with_json(make: Make) -> None:
    made = make(EVERY)
    with_one = {tool.key for tool in made.catalog.tools if tool.projection}
    assert with_one and with_one == {tool.key for tool in made.catalog.tools if tool.output_schema is not None}


def test_where_there_is_nothing_to_project_a_table_is_refused(make: Make, refuse: Refuse) -> None:
    silent = next(tool for tool in make("").catalog.tools if tool.output_schema is None)
    refused = refuse(f"[tools.{silent.name}]\nprojection = true\n")
    assert refused.code == "TC621" and "nothing to project" in refused.message


DOCUMENT = """
openapi: 3.1.0
info: {title: Pier, version: "1"}
servers: [{url: "http://127.0.0.1:9"}]
paths:
  /boats:
    get:
      operationId: listBoats
      parameters: [{name: projection, in: query, schema: {type: string}}]
      responses:
        "200": {description: Boats, content: {application/json: {schema: {type: array, items: {type: object}}}}}
"""


@pytest.fixture
def package(tmp_path: Path) -> Path:
    (tmp_path / "pier.yaml").write_text(DOCUMENT)
    made = tmp_path / "made"
    pipeline.generate(str(tmp_path / "pier.yaml"), made, report=Report())
    with (made / "toolcast.toml").open("a") as file:
        file.write(f"\n{EVERY}")
    assert pipeline.update(made, report=Report()).applied
    return made


def test_the_package_needs_the_library_and_the_argument_has_a_name_of_its_own(package: Path) -> None:
    assert '"jmespath>=1.1,<2"' in (package / "pyproject.toml").read_text()
    [tool] = json.loads((package / "src/pier_mcp/api/tools.json").read_text())["tools"]
    assert list(tool["inputSchema"]["properties"]) == ["projection", "answer_projection"]


def test_a_bad_expression_sends_nothing(package: Path) -> None:
    async def go() -> str:
        parameters = StdioServerParameters(
            command=sys.executable, args=["-m", "pier_mcp"], env={"PYTHONPATH": str(package / "src")}
        )
        async with Client(stdio_client(parameters)) as client:
            result = await client.call_tool("list_boats", {"answer_projection": "boats["})
            assert result.is_error
            return result.model_dump_json()

    told = anyio.run(go)
    assert "nothing was sent" in told and "no JMESPath expression" in told
