"""Every transport and both eras of the protocol: what agents see, and what the API gets and gives."""

from __future__ import annotations

import base64
import json
from collections.abc import AsyncGenerator, Iterator, Mapping
from itertools import count, product
from pathlib import Path
from typing import Any, cast, get_args

import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError
from mcp.types import CallToolResult, TextContent

from .conftest import LEGACY, MODERN, Servers, Shop, Transport

pytestmark = pytest.mark.anyio

WAYS = [*product(get_args(Transport), (MODERN, LEGACY))]
PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


@pytest.fixture(scope="module", params=WAYS, ids=[f"{transport}-{mode}" for transport, mode in WAYS])
async def client(request: pytest.FixtureRequest, servers: Servers) -> AsyncGenerator[Client]:
    """A client with all credentials, for one transport and one era."""
    async with servers.connect(*request.param) as connected:
        yield connected


@pytest.fixture(scope="session")
def isbns() -> Iterator[str]:
    """Numbers that no book has yet."""
    return (f"978{number:010}" for number in count(4_000_000_000))


async def call(client: Client, tool: str, **arguments: Any) -> CallToolResult:
    """The result of a call."""
    return await client.call_tool(tool, arguments)


async def answer(client: Client, tool: str, **arguments: Any) -> Mapping[str, Any]:
    """The structured result of a call that succeeds."""
    result = await call(client, tool, **arguments)
    assert not result.is_error, text(result)
    assert result.structured_content is not None
    return cast("Mapping[str, Any]", result.structured_content)


def text(result: CallToolResult) -> str:
    """The text of a result."""
    return "\n".join(block.text for block in result.content if isinstance(block, TextContent))


async def created(client: Client, isbn: str) -> int:
    """The id of a new book."""
    book = await answer(
        client,
        "create_book",
        isbn=isbn,
        title="Middlemarch",
        authors=["George Eliot"],
        category="novels",
        publishedYear=1871,
        priceCents=1450,
    )
    return book["id"]


async def test_the_list_is_the_contract(client: Client, package: Path) -> None:
    contract = json.loads((package / "src/bookshop_mcp/api/tools.json").read_text("utf-8"))["tools"]
    listed = (await client.list_tools()).tools
    assert [tool.model_dump(mode="json", by_alias=True, exclude_unset=True) for tool in listed] == contract


async def test_a_read_reaches_the_api_as_written(client: Client, shop: Shop) -> None:
    before = len(shop.requests())
    page = await answer(client, "list_books", filter_status=["available"], price={"max": 1200}, limit=2)
    assert len(page["items"]) == 2
    assert shop.requests()[before:] == [
        "GET /v1/books?filter%5Bstatus%5D=available&price%5Bmax%5D=1200&limit=2 200",
    ]


async def test_a_book_is_created_changed_withdrawn_and_restored(client: Client, isbns: Iterator[str]) -> None:
    book = await created(client, next(isbns))
    changed = await answer(client, "update_book", bookId=book, priceCents=850, subtitle=None)
    assert (changed["priceCents"], changed["subtitle"]) == (850, None)
    assert not (await call(client, "delete_book", bookId=book)).is_error
    assert (await answer(client, "get_book", bookId=book))["status"] == "withdrawn"
    assert (await answer(client, "restore_book", bookId=book))["status"] != "withdrawn"


async def test_files_are_sent_raw_and_in_parts_and_come_back(client: Client, isbns: Iterator[str]) -> None:
    book = await created(client, next(isbns))
    assert not (await call(client, "put_cover", bookId=book, body=base64.b64encode(PNG).decode())).is_error
    (picture,) = (block for block in (await call(client, "get_cover", bookId=book)).content if block.type == "image")
    assert (picture.mime_type, base64.b64decode(picture.data)) == ("image/png", PNG)
    attachment = await answer(
        client,
        "add_attachment",
        bookId=book,
        file="data:text/plain;base64," + base64.b64encode(b"It was the best of times").decode(),
        metadata={"title": "Excerpt", "kind": "excerpt"},
    )
    assert (attachment["title"], attachment["size"]) == ("Excerpt", 24)


async def test_a_table_comes_as_text(client: Client) -> None:
    result = await call(client, "export_books", columns=["isbn", "title"])
    assert not result.is_error
    assert text(result).splitlines()[0] == "isbn,title"


@pytest.mark.parametrize(
    ("tool", "arguments", "named"),
    [
        ("get_book", {"bookId": "one"}, "bookId"),
        ("get_book", {}, "bookId"),
        ("list_books", {"limit": 0}, "limit"),
        ("list_books", {"filter_status": ["gone"]}, "filter_status"),
        ("list_books", {"colour": "red"}, "colour"),
    ],
)
async def test_bad_arguments_send_nothing_and_are_told(
    client: Client, shop: Shop, tool: str, arguments: dict[str, Any], named: str
) -> None:
    before = shop.requests()
    result = await call(client, tool, **arguments)
    assert result.is_error
    assert named in text(result)
    assert shop.requests() == before


async def test_refusals_of_the_api_are_readable(client: Client, isbns: Iterator[str]) -> None:
    absent = await call(client, "get_book", bookId=999_999)
    assert absent.is_error
    assert "404" in text(absent)
    isbn = next(isbns)
    book = await created(client, isbn)
    twice = await call(
        client,
        "create_book",
        isbn=isbn,
        title="Emma",
        authors=["Jane Austen"],
        category="novels",
        publishedYear=1815,
        priceCents=900,
    )
    assert twice.is_error
    assert "409" in text(twice)
    assert f"Book {book} has the ISBN {isbn} already" in text(twice)
    homeless = await call(client, "update_book", bookId=book, category="no-such-category")
    assert homeless.is_error
    assert "422" in text(homeless)
    assert "category" in text(homeless)


async def test_an_unknown_tool_is_an_error_of_the_protocol(client: Client) -> None:
    with pytest.raises(MCPError, match="list_book") as error:
        await call(client, "list_boks")
    assert error.value.error.code == -32602


@pytest.mark.parametrize(("transport", "mode"), WAYS)
async def test_a_missing_credential_is_named_and_nothing_is_sent(
    servers: Servers, shop: Shop, transport: Transport, mode: str
) -> None:
    before = shop.requests()
    async with servers.connect(transport, mode, credentials={"BOOKSHOP_API_KEY": "demo-key"}) as client:
        assert (await client.list_tools()).tools
        result = await call(client, "delete_book", bookId=1)
        assert result.is_error
        assert "BOOKSHOP_STAFF_TOKEN" in text(result)
        assert "demo-key" not in text(result)
        assert shop.requests() == before
        assert not (await call(client, "get_book", bookId=1)).is_error
