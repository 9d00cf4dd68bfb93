"""Earlier names of tools: an alias is callable and not listed, a tool that is gone says so to the model."""

from __future__ import annotations

import sys
from collections.abc import AsyncGenerator, Generator, Mapping
from contextlib import asynccontextmanager
from importlib import import_module
from itertools import starmap
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp.shared.exceptions import MCPError
from mcp.types import CallToolResult, TextContent

from tests.mapping.documents import named
from toolcast.diagnostics import Report
from toolcast.emit import render
from toolcast.load.document import load
from toolcast.mapping.catalog import catalog
from toolcast.model.config import Config
from toolcast.model.lock import Lock
from toolcast.parse.api import parse

from .conftest import LEGACY, MODERN, Shop

pytestmark = pytest.mark.anyio

WAYS = [("in process", MODERN), ("in process", LEGACY), ("stdio", MODERN)]

FIRST = """\
openapi: 3.1.0
info: {title: Shelf, version: "1"}
servers: [{url: "https://shelf.test"}]
paths:
  /v1/books: {get: {operationId: listBooks, responses: {"200": {description: OK}}}}
  /books: {get: {operationId: searchBooks, responses: {"200": {description: OK}}}}
  /books/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
    get: {operationId: getBook, responses: {"200": {description: OK}}}
    delete: {operationId: dropBook, responses: {"204": {description: Gone}}}
"""
SECOND = """\
openapi: 3.1.0
info: {title: Shelf, version: "2"}
servers: [{url: "https://shelf.test"}]
paths:
  /books: {get: {operationId: searchBooks, responses: {"200": {description: OK}}}}
  /books/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
    get: {operationId: getBook, responses: {"200": {description: OK}}}
"""


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Generator[Path]:
    """A package of the second document, of which the first was generated before, with a tool that was renamed."""
    folder = tmp_path_factory.mktemp("shelf")
    lock = Lock()
    for text, chosen in ((FIRST, dict[str, str]()), (SECOND, {"GET /books/{id}": "read_book"})):
        (folder / "openapi.yaml").write_text(text, "utf-8")
        report = Report()
        api = parse(load(str(folder / "openapi.yaml"), report), report)
        config = Config(name="shelf", tools=tuple(starmap(named, chosen.items())))
        offered, lock = catalog(api, config, lock, report)
    for file in render.files(offered, "openapi.yaml", with_tests=False, with_types=False):
        path = folder / file.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(file.text, "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "path", [str(folder / "src"), *sys.path])
        yield folder


@asynccontextmanager
async def connected(shelf: Path, shop: Shop, transport: str, mode: str) -> AsyncGenerator[Client]:
    """A client of a server of the package, for which the bookshop answers."""
    settings = {"SHELF_BASE_URL": shop.url, "SHELF_HEADERS": '{"X-API-Key": "demo-key"}', "NO_PROXY": "127.0.0.1"}
    if transport == "stdio":
        environment = {**settings, "PYTHONPATH": str(shelf / "src")}
        parameters = StdioServerParameters(command=sys.executable, args=["-m", "shelf_mcp"], env=environment)
        async with Client(parameters, mode=mode) as client:
            yield client
    else:
        runtime, api = import_module("shelf_mcp._runtime.server"), import_module("shelf_mcp.api")
        async with Client(runtime.Server(api.API, environ=settings).lowlevel(), mode=mode) as client:
            yield client


def text(result: CallToolResult) -> str:
    """The text of a result."""
    return "\n".join(block.text for block in result.content if isinstance(block, TextContent))


@pytest.mark.parametrize(("transport", "mode"), WAYS)
async def test_earlier_names(shelf: Path, shop: Shop, transport: str, mode: str) -> None:
    async with connected(shelf, shop, transport, mode) as client:
        assert [tool.name for tool in (await client.list_tools()).tools] == ["search_books", "read_book"]

        async def sent(tool: str, arguments: Mapping[str, Any]) -> tuple[CallToolResult, list[str]]:
            before = len(shop.requests())
            return await client.call_tool(tool, dict(arguments)), shop.requests()[before:]

        by_alias, requests = await sent("get_book", {"id": 7})
        by_name, same = await sent("read_book", {"id": 7})
        assert by_alias == by_name and requests == same == ["GET /v1/books/7 200"]

        refused, nothing = await sent("get_book", {"id": "seven"})
        assert refused.is_error and "read_book" in text(refused) and not nothing

        gone, nothing = await sent("drop_book", {"id": 7})
        assert gone.is_error and "drop_book is gone" in text(gone) and not nothing
        replaced, nothing = await sent("list_books", {})
        assert replaced.is_error and "Call search_books instead" in text(replaced) and not nothing

        with pytest.raises(MCPError) as error:
            await client.call_tool("never_there", {})
        assert error.value.error.code == -32602


@asynccontextmanager
async def ruled(shelf: Path, shop: Shop, **rules: str) -> AsyncGenerator[Client]:
    """A client of a server with these rules."""
    settings = {"SHELF_BASE_URL": shop.url, "SHELF_HEADERS": '{"X-API-Key": "demo-key"}', **rules}
    runtime, api = import_module("shelf_mcp._runtime.server"), import_module("shelf_mcp.api")
    async with Client(runtime.Server(api.API, environ=settings).lowlevel()) as client:
        yield client


@pytest.mark.parametrize(
    ("variable", "value", "left"),
    [
        ("SHELF_EXCLUDE_TOOLS", "get_book,drop_book", ["search_books"]),
        ("SHELF_TOOLS", "get_book drop_book", ["read_book"]),
        ("SHELF_GUARD", "get_book=required drop_book=ask", ["search_books", "read_book"]),
    ],
)
async def test_rules_with_earlier_names_hold(
    shelf: Path, shop: Shop, variable: str, value: str, left: list[str]
) -> None:
    async with ruled(shelf, shop, **{variable: value}) as client:
        assert [tool.name for tool in (await client.list_tools()).tools] == left
        before = len(shop.requests())
        for name in ("get_book", "read_book"):
            if variable == "SHELF_EXCLUDE_TOOLS":
                with pytest.raises(MCPError):
                    await client.call_tool(name, {"id": 7})
            else:
                assert (await client.call_tool(name, {"id": 7})).is_error is (variable == "SHELF_GUARD")
        assert len(shop.requests()) == before + (2 if variable == "SHELF_TOOLS" else 0)


async def test_in_search_mode_earlier_names_mean_the_same(shelf: Path, shop: Shop) -> None:
    async with ruled(shelf, shop, SHELF_MODE="search") as client:
        described = await client.call_tool("describe_tool", {"name": "get_book"})
        assert '"read_book"' in text(described)
        called = await client.call_tool("call_tool", {"name": "get_book", "arguments": {"id": 7}})
        assert not called.is_error and shop.requests()[-1] == "GET /v1/books/7 200"
        gone = await client.call_tool("call_tool", {"name": "list_books", "arguments": {}})
        assert gone.is_error and "Call search_books instead" in text(gone)


async def test_an_owner_may_name_a_tool_by_its_earlier_name(shelf: Path, shop: Shop) -> None:
    settings = {"SHELF_BASE_URL": shop.url, "SHELF_HEADERS": '{"X-API-Key": "demo-key"}'}
    runtime, api = import_module("shelf_mcp._runtime.server"), import_module("shelf_mcp.api")
    server = runtime.Server(api.API, environ=settings).without("get_book")
    async with Client(server.lowlevel()) as client:
        assert [tool.name for tool in (await client.list_tools()).tools] == ["search_books"]
