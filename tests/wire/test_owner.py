"""The owner's code: every example of docs/owner.md runs, and a type checker sees what is wrong with a call."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Awaitable, Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError

from .conftest import CREDENTIALS, Shop

PAGE = Path(__file__).parents[2] / "docs" / "owner.md"
EXAMPLES = dict(
    re.findall(r"^## (.+?)\n(?:(?!^## ).)*?^```python\n(.*?)^```$", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
)

Check = Callable[[Any, Client, Shop], Awaitable[None]]


@pytest.fixture(scope="module")
def owner(package: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package in which every example of the page is a module."""
    folder = tmp_path_factory.mktemp("owner")
    shutil.copytree(package / "src" / "bookshop_mcp", folder / "owned_mcp")
    for title, source in EXAMPLES.items():
        (folder / "owned_mcp" / f"{slug(title)}.py").write_text(source, "utf-8")
    return folder


def slug(title: str) -> str:
    """The name of a module."""
    return re.sub(r"\W+", "_", title.lower())


def text(result: Any) -> str:
    """The text of a result."""
    return "\n".join(block.text for block in result.content if block.type == "text")


async def picked(module: Any, client: Client, shop: Shop) -> None:
    names = {tool.name for tool in (await client.list_tools()).tools}
    assert {"list_books", "add_review", "list_orders"} <= names
    assert names.isdisjoint({"delete_book", "put_cover", "create_order"})
    with pytest.raises(MCPError, match="Unknown tool: delete_book"):
        await client.call_tool("delete_book", {"bookId": 1})


async def told(module: Any, client: Client, shop: Shop) -> None:
    tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    assert tools["list_books"].description == (
        "List books, newest first. Prices are in euro cents. For words in the text of a book take search_books."
    )
    assert tools["list_books"].title == "Books in the shop"
    assert tools["get_book"].title != "Books in the shop"


async def wrapped(module: Any, client: Client, shop: Shop) -> None:
    order = {"customerId": 1, "lines": [{"bookId": 1, "quantity": 1}], "payment": {"type": "invoice"}}
    before = shop.requests()
    made = await client.call_tool("create_order", order)
    assert not made.is_error, text(made)
    assert made.structured_content is not None
    assert made.structured_content["note"] == "Ordered."
    assert json.loads(text(made))["note"] == "Ordered."
    kept = await client.call_tool("get_order", {"orderId": made.structured_content["id"]})
    assert kept.structured_content is not None and kept.structured_content["note"] == "Ordered by an agent."
    assert [line.split()[0:2] for line in shop.requests()[len(before) :]] == [
        ["GET", "/v1/books/1"],
        ["POST", "/v1/orders"],
        ["GET", f"/v1/orders/{made.structured_content['id']}"],
    ]
    order["lines"] = [{"bookId": 1, "quantity": 90}]
    refused = await client.call_tool("create_order", order)
    assert refused.is_error
    assert "Ask for fewer." in text(refused)
    wrong = await client.call_tool("create_order", {**order, "lines": "many"})
    assert wrong.is_error
    assert "nothing was sent" in text(wrong)


async def replaced(module: Any, client: Client, shop: Shop) -> None:
    done = await client.call_tool("delete_book", {"bookId": 3})
    assert not done.is_error, text(done)
    assert not any(line.startswith("DELETE /v1/books/3 ") for line in shop.requests())
    book = await client.call_tool("get_book", {"bookId": 3})
    assert book.structured_content is not None and book.structured_content["stock"] == 0


async def added(module: Any, client: Client, shop: Shop) -> None:
    tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    assert "update_book" not in tools
    assert tools["restock"].title == "Restock"
    hints = tools["restock"].annotations
    assert hints is not None
    assert (hints.read_only_hint, hints.destructive_hint, hints.idempotent_hint) == (False, False, False)
    done = await client.call_tool("restock", {"title": "Moby", "copies": 2})
    assert not done.is_error, text(done)
    answer = json.loads(text(done))
    assert "Moby" in answer["book"]
    book = await client.call_tool("list_books", {"q": "Moby"})
    assert book.structured_content is not None
    assert book.structured_content["items"][0]["stock"] == answer["stock"] >= 2
    assert text(await client.call_tool("restock", {"title": "No such book", "copies": 2})) == "null"
    bad = await client.call_tool("restock", {"title": "Moby", "copies": 0})
    assert bad.is_error
    assert "copies must be at least 1" in text(bad)


async def resourceful(module: Any, client: Client, shop: Shop) -> None:
    listed = (await client.list_resources()).resources
    assert [(resource.uri, resource.name) for resource in listed] == [("shop://opening-hours", "opening-hours")]
    templates = (await client.list_resource_templates()).resource_templates
    assert [template.uri_template for template in templates] == ["shop://books/{bookId}/blurb"]
    hours: Any = (await client.read_resource("shop://opening-hours")).contents[0]
    assert hours.text == "Monday to Friday, 9 to 18."
    blurb: Any = (await client.read_resource("shop://books/1/blurb")).contents[0]
    assert " by " in blurb.text
    for uri, said in (
        ("shop://books/999999/blurb", "404"),
        ("shop://books/x/blurb", "failed inside of the server. Details are in its log under the reference"),
        ("shop://nothing", "Unknown resource: shop://nothing"),
        ("shop://books/1/2/blurb", "Unknown resource"),
    ):
        with pytest.raises(MCPError, match=re.escape(said)):
            await client.read_resource(uri)
    (prompt,) = (await client.list_prompts()).prompts
    assert prompt.arguments is not None
    assert [(argument.name, argument.required) for argument in prompt.arguments] == [("taste", True)]
    written = await client.get_prompt("recommend", {"taste": "whales"})
    content: Any = written.messages[0].content
    assert (written.messages[0].role, "who likes whales" in content.text) == ("user", True)
    for arguments in ({}, {"taste": "x", "colour": "y"}):
        with pytest.raises(MCPError, match="The arguments of recommend are taste"):
            await client.get_prompt("recommend", arguments)
    with pytest.raises(MCPError, match="Unknown prompt"):
        await client.get_prompt("nothing", {})


async def credited(module: Any, client: Client, shop: Shop) -> None:
    assert not (await client.call_tool("get_book", {"bookId": 1})).is_error
    module.VAULT["books"] = "key-that-is-wrong"
    refused = await client.call_tool("get_book", {"bookId": 1})
    assert refused.is_error
    assert "401" in text(refused)
    assert "key-that-is-wrong" not in text(refused)
    module.VAULT["books"] = "a\nb"
    unfit = await client.call_tool("get_book", {"bookId": 1})
    assert "BOOKSHOP_API_KEY holds a control character" in text(unfit)
    module.VAULT["books"] = "demo-key"


async def living(module: Any, client: Client, shop: Shop) -> None:
    first = await client.call_tool("rating", {"bookId": 1})
    before = len(shop.requests())
    assert text(await client.call_tool("rating", {"bookId": 1})) == text(first)
    assert len(shop.requests()) == before


async def called(module: Any, client: Client, shop: Shop) -> None:
    assert isinstance(await module.title_of(1), str)


CHECKS: dict[str, Check] = {
    "Pick operations": picked,
    "Tell something else": told,
    "Wrap a call": wrapped,
    "Replace a call": replaced,
    "Add a tool": added,
    "Add resources and prompts": resourceful,
    "Bring your own credentials": credited,
    "Open something for as long as the server runs": living,
    "Call operations from other programs": called,
}


def test_every_example_of_the_page_is_tried() -> None:
    assert [*EXAMPLES] == [*CHECKS]
    assert PAGE.read_text("utf-8").count("```python") == len(EXAMPLES)


@pytest.mark.anyio
@pytest.mark.parametrize("mode", ["2026-07-28", "legacy"])
@pytest.mark.parametrize("title", [*CHECKS])
async def test_an_example_runs(owner: Path, shop: Shop, monkeypatch: pytest.MonkeyPatch, title: str, mode: str) -> None:
    monkeypatch.setattr(sys, "path", [str(owner), *sys.path])
    environ = {**CREDENTIALS, "BOOKSHOP_BASE_URL": shop.url}
    if title == "Bring your own credentials":
        del environ["BOOKSHOP_API_KEY"]
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    module = import_module(f"owned_mcp.{slug(title)}")
    async with Client(module.build().lowlevel(), mode=mode) as client:
        await CHECKS[title](module, client, shop)


Findings = dict[tuple[str, int], set[str]]  # the rules that a line of a file breaks


HEAD = """\
from __future__ import annotations

from collections.abc import Mapping, Set
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, TypedDict

from ._runtime.call import Call
from ._runtime.own import OwnTool, Prompt, Resource
from ._runtime.server import Server
from .api import API
from .api.groups.books import GET_BOOK, LIST_BOOKS

if TYPE_CHECKING:
    from .api.types import Book, GetBookArguments


class Wish(TypedDict):
    title: str


async def right(call: Call, arguments: GetBookArguments) -> Book:
    return await GET_BOOK(call, arguments)


async def for_another(call: Call, arguments: Wish) -> Book: ...


async def without_call(arguments: GetBookArguments) -> Book: ...


async def without_answer(call: Call, arguments: GetBookArguments) -> None: ...


def not_async(call: Call, arguments: GetBookArguments) -> Book: ...


async def wish(call: Call, arguments: Wish) -> list[Book]: ...


async def sets(call: Call, arguments: Wish) -> Set[str]: ...


async def secrets(call: Call) -> Mapping[str, str]: ...


async def one_secret(call: Call) -> str: ...


async def read(call: Call, values: Mapping[str, str]) -> bytes: ...


async def number(call: Call, values: Mapping[str, str]) -> int: ...


@asynccontextmanager
async def opened():
    yield


async def calls(server: Server) -> None:
"""
RIGHT = [
    "Server(API).wrap(GET_BOOK, right).wrap(GET_BOOK, right)",
    "Server(API).only(lambda tool: tool.read_only and tool.group != 'orders').without(GET_BOOK, 'list_books')",
    "Server(API).add(OwnTool(name='wish', description='', handler=wish, arguments={'title': {'type': 'string'}}))",
    "Server(API).add(Resource(uri='a://b', name='b', read=read)).lifespan(opened).credentials(secrets)",
    "Server(API).describe(GET_BOOK, title='One book')",
    "await GET_BOOK(server, {'bookId': 1})",
]
MISUSES = {
    'await GET_BOOK(server, {"bookId": "one"})': "reportArgumentType",
    "await GET_BOOK(server, {})": "reportArgumentType",
    'await GET_BOOK(server, {"bookId": 1, "colour": "red"})': "reportArgumentType",
    'await LIST_BOOKS(server, {"filter_status": ["gone"]})': "reportArgumentType",
    'await GET_BOOK({"bookId": 1})': "reportCallIssue",
    "Server(API).wrap(GET_BOOK, for_another)": "reportArgumentType",
    "Server(API).wrap(GET_BOOK, without_call)": "reportArgumentType",
    "Server(API).wrap(GET_BOOK, without_answer)": "reportArgumentType",
    "Server(API).wrap(GET_BOOK, not_async)": "reportArgumentType",
    "Server(API).wrap('get_book', right)": "reportArgumentType",
    "Server(API).without(1)": "reportArgumentType",
    "Server(API).only('books')": "reportArgumentType",
    "Server(API).only(lambda tool: tool.colour)": "reportAttributeAccessIssue",
    "Server(API).describe(GET_BOOK, 1)": "reportArgumentType",
    "Server(API).add(wish)": "reportArgumentType",
    "OwnTool(name='x', description='', handler=sets)": "reportArgumentType",
    "OwnTool(name='x', handler=wish)": "reportCallIssue",
    "Resource(uri='a://b', name='b', read=number)": "reportArgumentType",
    "Prompt(name='b', write=read)": "reportArgumentType",
    "Server(API).credentials(one_secret)": "reportArgumentType",
    "Server(API).lifespan(secrets)": "reportArgumentType",
    "Server()": "reportCallIssue",
}


def checked(folder: Path) -> Findings:
    """What basedpyright says about the modules in a folder."""
    settings = {
        "typeCheckingMode": "strict",
        "include": ["owned_mcp/*.py"],
        "reportUnusedCoroutine": False,
        "reportMissingParameterType": False,
        "reportUnknownParameterType": False,
    }
    (folder / "pyrightconfig.json").write_text(json.dumps(settings))
    command = [shutil.which("basedpyright", path=str(Path(sys.executable).parent)) or "basedpyright", "--outputjson"]
    done = subprocess.run(
        [*command, "--pythonpath", sys.executable], cwd=folder, capture_output=True, text=True, check=False, timeout=120
    )
    found: Findings = {}
    for finding in json.loads(done.stdout)["generalDiagnostics"]:
        place = Path(finding["file"]).name, finding["range"]["start"]["line"] + 1
        found.setdefault(place, set()).add(finding["rule"])
    return found


def test_a_type_checker_takes_what_is_right_and_flags_what_is_wrong(owner: Path) -> None:
    """The examples of the page among what is right."""
    lines = [*RIGHT, *MISUSES]
    (owner / "owned_mcp" / "snippets.py").write_text(
        HEAD + "".join(f"    {'' if line.startswith('await ') else '_ = '}{line}\n" for line in lines), "utf-8"
    )
    first = HEAD.count("\n") + 1 + len(RIGHT)
    found = checked(owner)
    (owner / "owned_mcp" / "snippets.py").unlink()
    assert found.keys() == {("snippets.py", line) for line in range(first, first + len(MISUSES))}
    for line, (misuse, rule) in enumerate(MISUSES.items(), first):
        assert rule in found["snippets.py", line], misuse
