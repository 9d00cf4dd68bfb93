"""Invented answers: what a mock says is what the document shows, fits what the tool promises, and needs no API."""

from __future__ import annotations

import base64
import importlib
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

BOOK: dict[str, Any] = {
    "type": "object",
    "required": ["id", "title"],
    "properties": {
        "id": {"type": "integer", "minimum": 7},
        "title": {"type": "string", "minLength": 1},
        "added": {"type": "string", "format": "date"},
        "kind": {"enum": ["novel", "poem"]},
        "parent": {"$ref": "#/components/schemas/Book"},
        "note": {"anyOf": [{"type": "null"}, {"type": "string", "maxLength": 3}]},
    },
}
REF = {"$ref": "#/components/schemas/Book"}


def answers(content: dict[str, Any] | None, status: str = "200") -> dict[str, Any]:
    return {status: {"description": "An answer", **({} if content is None else {"content": content})}}


PATHS: dict[str, Any] = {
    "get_example": answers({"application/json": {"schema": REF, "example": {"id": 8, "title": "Told"}}}),
    "get_made": answers({"application/json": {"schema": REF}}),
    "get_list": answers({"application/json": {"schema": {"type": "array", "items": REF}}}),
    "get_long": answers({"application/json": {"schema": {"type": "array"}, "example": list(range(50))}}),
    "get_huge": answers({"application/json": {"schema": {"type": "array"}, "example": ["x" * 20_000]}}),
    "get_number": answers({"application/json": {"schema": {"type": "number"}}}),
    "get_text": answers({"text/plain": {"schema": {"type": "string"}, "example": "Told"}}),
    "get_xml": answers({"application/xml": {"schema": REF}}),
    "get_picture": answers({"image/png": {}}),
    "get_file": answers({"application/pdf": {}}),
    "get_lines": answers({"application/x-ndjson": {"itemSchema": REF}}),
    "get_events": answers({"text/event-stream": {"itemSchema": {"type": "object"}}}),
    "get_nothing": answers(None, "204"),
    "get_accepted": answers({"application/json": {"schema": REF}}, "202"),
    "get_undocumented": {},
}
DOCUMENT: dict[str, Any] = {
    "openapi": "3.2.0",
    "info": {"title": "Play", "version": "1"},
    "security": [{"key": []}],
    "paths": {
        f"/{name}": {"get": {"operationId": name, **({"responses": told} if told else {})}}
        for name, told in PATHS.items()
    },
    "components": {
        "schemas": {"Book": BOOK},
        "securitySchemes": {"key": {"type": "apiKey", "in": "header", "name": "X-Key"}},
    },
}


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the package of the document can be imported from."""
    folder = tmp_path_factory.mktemp("mock")
    (folder / "play.json").write_text(json.dumps(DOCUMENT))
    assert pipeline.generate(str(folder / "play.json"), folder / "made", report=Report()).applied
    return folder / "made" / "src"


@pytest.fixture(scope="module")
def server(source: Path) -> Any:
    sys.path.insert(0, str(source))
    try:
        api = importlib.import_module("play_mcp.api").API
        return importlib.import_module("play_mcp._runtime.server").Server(api, environ={"PLAY_MOCK": "1"})
    finally:
        sys.path.remove(str(source))


def called(server: Any, tool: str) -> Any:
    arguments: dict[str, Any] = {}
    result = anyio.run(server.call, tool, arguments)
    assert not result.is_error, result
    return result


@pytest.mark.parametrize("tool", PATHS)
def test_an_answer_is_right_and_the_same_each_time(server: Any, tool: str) -> None:
    result = called(server, tool)
    assert result == called(server, tool)
    assert not {"_unmatched", "_truncated"} & set(result.structured_content or ())
    assert not any("Note:" in getattr(block, "text", "") for block in result.content)


def test_what_the_document_shows_comes_first(server: Any) -> None:
    assert called(server, "get_example").structured_content == {"id": 8, "title": "Told"}
    assert called(server, "get_text").content[0].text == "Told"
    assert called(server, "get_long").structured_content == {"result": [0, 1, 2]}


def test_what_is_made_keeps_to_the_schema(server: Any) -> None:
    made = called(server, "get_made").structured_content
    assert (made["id"], made["title"], made["kind"]) == (7, "some title", "novel")
    one, other = called(server, "get_list").structured_content["result"]
    assert (one["id"], other["id"]) == (7, 8)
    assert [json.loads(line)["id"] for line in called(server, "get_lines").content[0].text.split("\n") if line] == [
        7,
        7,
    ]


def test_other_kinds_of_content_are_of_their_kind(server: Any) -> None:
    picture = called(server, "get_picture").content[0]
    assert picture.type == "image" and base64.b64decode(picture.data).startswith(b"\x89PNG")
    assert called(server, "get_file").content[0].resource.mime_type == "application/pdf"
    assert "204" in called(server, "get_nothing").content[0].text


def test_answers_that_are_too_large_are_not_kept(source: Path, server: Any) -> None:
    told = (source / "play_mcp/api/answers.json").read_text()
    assert "x" * 100 not in told and called(server, "get_huge").structured_content == {"result": ["abc", "abc"]}


def test_an_operator_and_a_model_are_told_that_answers_are_invented(source: Path, tmp_path: Path) -> None:
    async def go() -> tuple[str, str]:
        parameters = StdioServerParameters(
            command=sys.executable, args=["-m", "play_mcp", "--mock"], env={"PYTHONPATH": str(source)}
        )
        with (tmp_path / "log").open("w+") as log:
            async with Client(stdio_client(parameters, errlog=log)) as client:
                assert not (await client.call_tool("get_made", {})).is_error
                instructions = client.instructions or ""
            log.seek(0)
            return instructions, log.read()

    instructions, log = anyio.run(go)
    assert "invented" in instructions and "invented" in log


def test_without_its_file_a_server_answers_as_little_as_it_may(source: Path, server: Any, tmp_path: Path) -> None:
    mock: Any = importlib.import_module("play_mcp._runtime.mock")
    least = mock.Mock(server.settings, "test/1", "json", server.described)  # a package without answers
    request: Any = importlib.import_module("play_mcp._runtime.request").Request(
        "GET", "https://api.invalid/x", (), None
    )

    async def body(tool: str) -> bytes:
        return (await least.send(request, None, tool=tool)).body

    assert [anyio.run(body, tool) for tool in ("get_list", "get_made", "get_number", "get_text")] == [
        b"[]", b"{}", b"0", b"",
    ]  # fmt: skip


def test_the_owner_can_do_without(tmp_path: Path) -> None:
    (tmp_path / "play.json").write_text(json.dumps(DOCUMENT))
    made = tmp_path / "made"
    pipeline.generate(str(tmp_path / "play.json"), made, report=Report())
    with (made / "toolcast.toml").open("a") as file:
        file.write('\n[files]\n"answers.json" = false\n')
    assert pipeline.update(made, report=Report()).applied
    assert not (made / "src/play_mcp/api/answers.json").exists()
