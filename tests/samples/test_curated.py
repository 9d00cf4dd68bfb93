"""The curated bookshop: what its configuration, overlay, extensions, templates and server.py come to, together."""

from __future__ import annotations

import sys
from collections.abc import Generator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp.types import CallToolResult, TextContent
from tests.wire.conftest import Shop, running_shop

from toolcast import drift
from toolcast.diagnostics import Report

CURATED = Path(__file__).parents[2] / "samples" / "bookshop-curated"

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    """The event loop of asynchronous tests."""
    return "asyncio"


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Generator[Shop]:
    """The API of the sample, on loopback."""
    with running_shop(tmp_path_factory.mktemp("shop") / "requests.log") as running:
        yield running


@pytest.fixture(scope="module")
def desk() -> Generator[Any]:
    """The committed package, as a module that can be imported."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "path", [str(CURATED / "server" / "src"), *sys.path])
        yield import_module("bookdesk_mcp.server")


def connected(desk: Any, shop: Shop) -> Client:
    """A client of the server that the owner builds."""
    server = desk.build()
    server.configure({
        "BOOKDESK_BASE_URL": shop.url,
        "BOOKDESK_API_KEY": "demo-key",
        "BOOKDESK_STAFF_TOKEN": "demo-staff-token",
        "BOOKDESK_GUARD": "off",
    })  # fmt: skip
    return Client(server.lowlevel())


def text(result: CallToolResult) -> str:
    """The text of a result."""
    return "\n".join(block.text for block in result.content if isinstance(block, TextContent))


def test_generating_it_again_changes_nothing() -> None:
    found = drift.check(CURATED / "server", report=Report())
    assert (found.status, found.steps, found.lock) == (0, [], False)


async def test_all_depths_are_in_force(desk: Any, shop: Shop) -> None:
    async with connected(desk, shop) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        resources = (await client.list_resources()).resources
        prompts = (await client.list_prompts()).prompts
        # configuration
        assert "browse_books" in tools and not {"list_books", "export_books", "create_customer"} & tools.keys()
        assert "Use it when somebody wants to look around" in (tools["browse_books"].description or "")
        assert "limit" not in tools["browse_books"].input_schema["properties"]
        assert [str(resource.uri) for resource in resources] == ["bookdesk:///categories"]
        # overlay and extensions
        assert not {"get_cover", "put_cover"} & tools.keys()
        assert tools["create_order"].title == "Sell books"
        assert "at_least" in tools["list_reviews"].input_schema["properties"]
        # server.py
        assert "take_in" in tools and "update_book" not in tools
        assert [prompt.name for prompt in prompts] == ["greet"]
    # templates
    assert "The desk's handbook" in (CURATED / "server/README.md").read_text("utf-8")
    assert "`list_customers`" in (CURATED / "server/docs/people.md").read_text("utf-8")


async def test_calls_go_the_owners_way(desk: Any, shop: Shop) -> None:
    async with connected(desk, shop) as client:
        before = len(shop.requests())
        assert not (await client.call_tool("browse_books", {})).is_error
        assert shop.requests()[before:] == ["GET /v1/books?limit=20 200"]
        lines, payment = [{"bookId": 1, "quantity": 90}], {"type": "invoice"}
        refused = await client.call_tool("create_order", {"customerId": 1, "lines": lines, "payment": payment})
        assert refused.is_error and "on the shelf. Ask for fewer." in text(refused)
        taken = await client.call_tool("take_in", {"bookId": 1, "copies": 2})
        assert not taken.is_error and '"stock"' in text(taken)
        assert [line.split()[0] for line in shop.requests()[-2:]] == ["GET", "PATCH"]
