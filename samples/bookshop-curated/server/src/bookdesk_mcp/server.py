"""The server: which operations it offers, and how. Yours: written once, and never touched again.

The desk sells what is there, adds copies that come in, and greets with a prompt.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, TypedDict

from ._runtime.call import Call
from ._runtime.errors import CallError
from ._runtime.own import OwnTool, Prompt
from ._runtime.server import Server
from .api import API
from .api.groups.books import GET_BOOK, UPDATE_BOOK
from .api.groups.orders import CREATE_ORDER

if TYPE_CHECKING:
    from .api.types import CreateOrderArguments, OrderOutput


class Delivery(TypedDict):
    """Copies of a book that have come in."""

    bookId: int
    copies: int


class Stock(TypedDict):
    """What is on the shelf afterwards."""

    title: str
    stock: int


async def sell(call: Call, arguments: CreateOrderArguments) -> OrderOutput:
    """Order only what is on the shelf."""
    for line in arguments["lines"]:
        book = await GET_BOOK(call, {"bookId": line["bookId"]})
        stock = book.get("stock", 0)
        if stock < line["quantity"]:
            raise CallError(f"There are {stock} copies of {book['title']} on the shelf. Ask for fewer.")
    return await CREATE_ORDER(call, arguments)


async def take_in(call: Call, arguments: Delivery) -> Stock:
    """Add copies to what is there."""
    book = await GET_BOOK(call, {"bookId": arguments["bookId"]})
    stock = book.get("stock", 0) + arguments["copies"]
    await UPDATE_BOOK(call, {"bookId": arguments["bookId"], "stock": stock})
    return {"title": book["title"], "stock": stock}


async def greet(call: Call, values: Mapping[str, str]) -> str:
    """What a conversation at the desk begins with."""
    return f"A customer asks: {values['wish']}. Find a book for them with search_books, and say what it costs."


TAKE_IN = OwnTool(
    name="take_in",
    description="Add copies of a book that have come in to the stock.",
    arguments={"bookId": {"type": "integer"}, "copies": {"type": "integer", "minimum": 1}},
    handler=take_in,
    destructive=False,
)


def build() -> Server:
    """The server that the command runs."""
    return (
        Server(API)
        .without(UPDATE_BOOK)
        .wrap(CREATE_ORDER, sell)
        .add(TAKE_IN, Prompt(name="greet", write=greet, arguments={"wish": "What the customer wants."}))
    )
