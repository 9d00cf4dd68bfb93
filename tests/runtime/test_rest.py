"""The rest of an answer that was cut: it is read on at sealed URIs, element by element, without a gap."""

from __future__ import annotations

import base64
import json
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import anyio
import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError
from mcp.types import CallToolResult, ResourceLink, TextContent, TextResourceContents
from runtime.operation import Api
from runtime.server import Server

from runtime import seal

from .conftest import CREDENTIALS, SECRETS, Upstream

T = TypeVar("T")

ERAS = ["2026-07-28", "legacy"]
KEY = "k" * 40
SMALL = 20_000
PNG = b"\x89PNG\r\n\x1a\n"


def replica(api: Api, upstream: Upstream, **settings: str) -> Server:
    """A server that shares its key with others."""
    environ = {
        "PETSTORE_BASE_URL": upstream.url,
        "PETSTORE_MAX_RESULT_BYTES": str(SMALL),
        "PETSTORE_STATE_KEYS": KEY,
        **CREDENTIALS,
        **settings,
    }
    return Server(api, environ=environ)


def used(server: Server, work: Callable[[Client], Awaitable[T]], mode: str = "2026-07-28") -> T:
    """What a client of a server gets; raises ``MCPError``."""

    async def go() -> T | MCPError:
        async with Client(server.lowlevel(), mode=mode) as client:
            try:
                return await work(client)
            except MCPError as error:  # which the client's tasks would wrap
                return error

    found = anyio.run(go)
    if isinstance(found, MCPError):
        raise found
    return found


def called(server: Server, tool: str = "fetch", arguments: dict[str, Any] | None = None, mode: str = ERAS[0]) -> Any:
    """A result, and the link in it if there is one."""
    result: CallToolResult = used(server, lambda client: client.call_tool(tool, arguments or {}), mode)
    assert not result.is_error, result
    links = [block for block in result.content if isinstance(block, ResourceLink)]
    assert len(links) <= 1
    return result, links[0] if links else None


def read(server: Server, uri: str, mode: str = ERAS[0]) -> tuple[Any, str | None]:
    """A piece, and the URI at which it goes on."""
    answer = used(server, lambda client: client.read_resource(uri), mode)
    piece, note = answer.contents
    assert isinstance(note, TextResourceContents)
    assert len(answer.model_dump_json()) < 2 * SMALL
    _, _, following = note.text.partition("It goes on at ")
    assert following or note.text.endswith("This is the end.")
    return piece, following or None


def text(result: CallToolResult) -> str:
    """The first text of a result."""
    assert isinstance(result.content[0], TextContent)
    return result.content[0].text


@pytest.mark.parametrize("mode", ERAS)
@pytest.mark.parametrize("at", ["", "/deep~1er/rows~0"])
def test_every_element_is_read_once_through_any_replica(mode: str, at: str, api: Api, upstream: Upstream) -> None:
    rows = [{"row": row, "text": "ä" * (row % 90)} for row in range(400)]
    upstream.reply_json("/fetch", {"deep/er": {"rows~": rows}} if at else rows)
    replicas = [replica(api, upstream) for _ in range(3)]
    result, link = called(replicas[0], mode=mode)
    assert link is not None and link.mime_type == "application/json"
    assert "The linked resource has the rest." in result.content[1].text
    told = json.loads(text(result))
    seen = told["deep/er"]["rows~"] if at else told
    following, turns = link.uri, 0
    while following:
        turns += 1
        piece, following = read(replicas[turns % 3], following, mode)
        assert piece.mime_type == "application/json"
        assert json.loads(piece.text)
        seen += json.loads(piece.text)
    assert seen == rows
    assert turns > 2


def test_an_element_that_is_larger_than_a_result_is_cut_and_passed(api: Api, upstream: Upstream) -> None:
    upstream.reply_json("/fetch", ["a", "b" * 3 * SMALL, "c" * 3 * SMALL, "d"])
    server = replica(api, upstream)
    result, link = called(server)
    assert (json.loads(text(result)), link is not None) == (["a"], True)
    first, following = read(server, link.uri)
    assert "more characters]" in json.loads(first.text)[0] and following
    second, following = read(server, following)
    assert json.loads(second.text)[0].startswith("ccc") and following
    third, following = read(server, following)
    assert (json.loads(third.text), following) == (["d"], None)


@pytest.mark.parametrize(
    "value", [{"one": ["a" * 100] * 300, "two": ["b" * 100] * 300}, {"text": "ü" * 3 * SMALL}], ids=["two", "text"]
)
def test_what_was_cut_in_several_places_is_read_as_a_whole(value: Any, api: Api, upstream: Upstream) -> None:
    upstream.reply_json("/fetch", value)
    server = replica(api, upstream)
    _, link = called(server)
    following, whole = link.uri, ""
    while following:
        piece, following = read(server, following)
        whole += piece.text
    assert json.loads(whole) == value


def test_a_text_goes_on_where_it_was_cut(api: Api, upstream: Upstream) -> None:
    lines = "".join(f'{line} "é"\n' for line in range(9_000))
    upstream.reply("/fetch", body=lines.encode(), content_type="text/plain; charset=utf-8")
    server = replica(api, upstream)
    result, link = called(server)
    whole = text(result).partition("\n[cut: ")[0]
    following = link.uri
    while following:
        piece, following = read(server, following)
        whole += piece.text
    assert whole == lines


def test_bytes_that_are_too_many_are_linked(api: Api, upstream: Upstream) -> None:
    image = PNG + bytes(range(256)) * 300
    upstream.reply("/fetch", body=image, content_type="image/png")
    server = replica(api, upstream)
    result, link = called(server)
    assert text(result) == f"The answer is {len(image):,} bytes of image/png, too many to hand over at once; " + (
        "the linked resource has them."
    )
    assert (link.mime_type, link.size) == ("image/png", len(image))
    following, whole = link.uri, b""
    while following:
        piece, following = read(server, following)
        assert piece.mime_type == "image/png"
        whole += base64.b64decode(piece.blob)
    assert whole == image


def test_a_tool_that_pages_by_itself_is_not_linked(api: Api, upstream: Upstream) -> None:
    upstream.reply_json("/pets", [{"id": row, "name": "n" * 90} for row in range(900)])
    result, link = called(replica(api, upstream), "list_pets")
    assert link is None
    assert "Page through it with limit" in result.content[1].text


def test_what_fits_is_not_linked(api: Api, upstream: Upstream) -> None:
    upstream.reply_json("/fetch", [1, 2, 3])
    assert called(replica(api, upstream))[1] is None


def test_what_changes_something_is_not_called_again(api: Api, upstream: Upstream) -> None:
    """Its hints decide, as they do for the guard."""
    upstream.reply_json("/fetch", ["x" * 100] * 900)
    server = replica(api, upstream)
    server.described.tool("fetch").entry["annotations"]["readOnlyHint"] = False  # type: ignore[index]
    result, link = called(server)
    assert link is None
    assert "This tool has no argument that asks for less." in result.content[1].text


def refused(server: Server, uri: str) -> str:
    """Why a URI is not read."""
    with pytest.raises(MCPError) as failure:
        used(server, lambda client: client.read_resource(uri))
    assert failure.value.error.code == -32602
    return failure.value.error.message


def test_a_uri_is_read_only_by_whom_it_is_for(api: Api, upstream: Upstream, monkeypatch: pytest.MonkeyPatch) -> None:
    upstream.reply_json("/fetch", ["x" * 100] * 900)
    server = replica(api, upstream)
    _, link = called(server)
    asked = len(upstream.received)
    uri: str = link.uri
    mark = uri[-1]
    old = "too old, or not of this server"
    assert old in refused(server, f"{uri[:-1]}{'A' if mark != 'A' else 'B'}")
    assert old in refused(server, "petstore://rest/")
    assert old in refused(replica(api, upstream, PETSTORE_STATE_KEYS="o" * 40), uri)
    assert "fetch" in refused(replica(api, upstream, PETSTORE_EXCLUDE_TOOLS="fetch"), uri)
    now = seal.time.time()
    with monkeypatch.context() as patch:
        patch.setattr(seal.time, "time", lambda: now + 3_700)
        assert old in refused(server, uri)
    assert len(upstream.received) == asked
    assert read(server, uri)[0].text


def test_a_server_of_another_api_does_not_take_it(api: Api, upstream: Upstream) -> None:
    from runtime.rest import Place, Rest, opened
    from runtime.seal import Seals

    uri = Rest(server="petstore", seals=Seals([KEY]), tool="fetch", arguments={}).uri(Place())
    assert uri is not None
    assert opened("petstore", Seals([KEY]), uri) is not None
    assert opened("zoo", Seals([KEY]), uri.replace("petstore", "zoo")) is None


def test_an_api_that_fails_meanwhile_is_told(api: Api, upstream: Upstream) -> None:
    upstream.reply_json("/fetch", ["x" * 100] * 900)
    server = replica(api, upstream)
    _, link = called(server)
    upstream.reply("/fetch", status=404)
    with pytest.raises(MCPError, match="The API answered 404"):
        used(server, lambda client: client.read_resource(link.uri))
    upstream.reply_json("/fetch", [1])
    piece, following = read(server, link.uri)
    assert (json.loads(piece.text), following) == ([], None)


def test_arguments_that_are_too_long_for_a_uri_get_no_link() -> None:
    from runtime.rest import Place, Rest
    from runtime.seal import Seals

    assert Rest(server="x", seals=Seals(), tool="t", arguments={"q": "y" * 4_000}).uri(Place()) is None


def test_what_goes_on_is_redacted_as_its_beginning_was(api: Api, upstream: Upstream) -> None:
    key = CREDENTIALS["PETSTORE_API_KEY"]
    upstream.reply("/fetch", body=b'{"echo": ' + f"{key} ".encode() * 9_000)  # declared as JSON, and none
    server = replica(api, upstream)
    result, link = called(server)
    assert key not in result.model_dump_json()
    following = link.uri
    while following:
        piece, following = read(server, following)
        assert "[redacted]" in piece.text and key not in piece.text


def test_the_address_of_a_piece_shows_no_key(api: Api, upstream: Upstream) -> None:
    upstream.reply("/pets", body=PNG + bytes(range(256)) * 300, content_type="image/png")
    server = replica(api, upstream)
    result: CallToolResult = used(server, lambda client: client.call_tool("list_pets", {}))
    links = [block for block in result.content if isinstance(block, ResourceLink)]
    pieces = [read(server, link.uri)[0] for link in links]
    assert pieces and not any(secret in piece.model_dump_json() for piece in pieces for secret in SECRETS)
