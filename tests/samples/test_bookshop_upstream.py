"""The bookshop answers as its document says."""

from __future__ import annotations

import re
import runpy
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import httpx2
import jsonschema_rs
import pytest
import yaml
from starlette.routing import Route
from starlette.testclient import TestClient

BOOKSHOP = Path(__file__).parents[2] / "samples" / "bookshop"
DOCUMENT = cast(dict[str, Any], yaml.safe_load((BOOKSHOP / "openapi.yaml").read_text()))
KEY = {"X-API-Key": "demo-key"}
STAFF = KEY | {"Authorization": "Bearer demo-staff-token"}
CREATE_APP = runpy.run_path(str(BOOKSHOP / "upstream.py"))["create_app"]
PNG = b"\x89PNG\r\n\x1a\n and the rest"


def resolved(node: dict[str, Any]) -> dict[str, Any]:
    while "$ref" in node:
        *_, kind, name = node["$ref"].split("/")
        node = DOCUMENT["components"][kind][name]
    return node


def operations() -> Iterator[tuple[str, tuple[str, str, dict[str, Any]]]]:
    for path, item in DOCUMENT["paths"].items():
        for method in item.keys() - {"parameters"}:
            operation: dict[str, Any] = item[method]
            parameters = item.get("parameters", []) + operation.get("parameters", [])
            operation["parameters"] = [resolved(parameter) for parameter in parameters]
            yield operation["operationId"], (method.upper(), path, operation)


OPERATIONS = dict(sorted(operations()))


def refuse(uri: str) -> Any:
    raise AssertionError(f"a schema refers to {uri}")


def check(response: httpx2.Response, operation: dict[str, Any]) -> None:
    """Checks a response against what the document says about its status."""
    documented = operation["responses"].get(str(response.status_code)) or operation["responses"]["default"]
    content = resolved(documented).get("content", {})
    if not content:
        assert response.content == b""
        return
    media_type = response.headers["Content-Type"].partition(";")[0]
    assert media_type in content
    if media_type.endswith("json"):
        schema = {"components": DOCUMENT["components"], **content[media_type]["schema"]}
        validator = jsonschema_rs.Draft202012Validator(schema, validate_formats=True, retriever=refuse)
        assert [error.message for error in validator.iter_errors(response.json())] == []


class Bookshop:
    """Calls operations by id, and checks every answer against the document."""

    def __init__(self, client: TestClient) -> None:
        self.client = client

    def call(self, operation_id: str, *, headers: dict[str, str] = STAFF, **options: Any) -> httpx2.Response:
        """Sends a request; path values are those of `path`, else the document's examples."""
        method, path, operation = OPERATIONS[operation_id]
        examples = {p["name"]: p["example"] for p in operation["parameters"] if p["in"] == "path"}
        target = "/v1" + path.format_map(examples | options.pop("path", {}))
        response = self.client.request(method, target, headers=headers, **options)
        check(response, operation)
        return response


@pytest.fixture
def shop() -> Iterator[Bookshop]:
    with TestClient(CREATE_APP()) as client:
        yield Bookshop(client)


def documented_requests() -> Iterator[tuple[str, dict[str, Any]]]:
    """Each operation with the bodies that the document shows, as options of a request."""
    for operation_id, (_, _, operation) in OPERATIONS.items():
        body = operation.get("requestBody", {"required": False, "content": {}})
        if not body["required"]:
            yield operation_id, {}
        for media_type, media in body["content"].items():
            if media_type == "image/png":
                yield operation_id, {"content": PNG, "headers": STAFF | {"Content-Type": "image/png"}}
            elif media_type == "multipart/form-data":
                metadata = (None, '{"title": "Chapter one", "kind": "excerpt"}', "application/json")
                yield operation_id, {"files": {"file": ("one.txt", b"It is", "text/plain"), "metadata": metadata}}
            else:
                shown = media.get("examples", {"": {"value": media.get("example")}})
                yield from ((operation_id, {"json": example["value"]}) for example in shown.values())


def test_every_operation_of_the_document_has_a_route_and_no_route_more():
    routes = [route for route in CREATE_APP().routes if isinstance(route, Route)]
    offered = {(method, route.path) for route in routes for method in (route.methods or set()) - {"HEAD"}}
    assert offered == {(method, "/v1" + path) for method, path, _ in OPERATIONS.values()}


@pytest.mark.parametrize(("operation_id", "options"), list(documented_requests()))
def test_an_operation_answers_its_examples_as_documented(shop: Bookshop, operation_id: str, options: dict[str, Any]):
    operation = OPERATIONS[operation_id][2]
    if operation_id == "restoreBook":
        shop.call("deleteBook")
    required = {p["name"]: p["example"] for p in operation["parameters"] if p["in"] == "query" and p.get("required")}
    response = shop.call(operation_id, params=required, **options)
    assert response.is_success, response.text
    assert str(response.status_code) in operation["responses"]


@pytest.mark.parametrize("sort", DOCUMENT["components"]["schemas"]["BookSort"]["enum"])
def test_paging_walks_every_book_once_and_in_order(shop: Bookshop, sort: str):
    page: dict[str, Any] = {"nextCursor": None}
    books: list[dict[str, Any]] = []
    while not books or page["nextCursor"]:
        cursor = {"cursor": page["nextCursor"]} if page["nextCursor"] else {}
        page = shop.call("listBooks", params={"sort": sort, "limit": 5} | cursor).json()
        books += page["items"]
    assert sorted(book["id"] for book in books) == list(range(1, page["total"] + 1)) == list(range(1, 13))
    keys = [book[sort.removeprefix("-")] for book in books]
    assert keys == sorted(keys, reverse=sort.startswith("-"))


@pytest.mark.parametrize(
    ("operation_id", "params", "ids"),
    [
        ("listBooks", {"q": "MÄRCHEN"}, [12]),
        ("listBooks", {"filter[status]": "sold_out,withdrawn"}, [13, 10]),
        ("listBooks", {"filter[category]": ["gothic", "non-fiction"]}, [4, 3, 9, 10]),
        ("listBooks", {"filter[language]": "fr|de"}, [8, 12, 6]),
        ("listBooks", {"price[min]": 1290, "price[max]": 1350}, [7, 6]),
        ("listBooks", {"publishedFrom": 1890, "sort": "-publishedYear"}, [4, 5]),
        ("listOrders", {"filter[status]": "open,shipped", "customerId": 1}, [1002, 1001]),
        ("listOrders", {"placedSince": "2026-01-05T10:00:00+01:00"}, [1002, 1001]),
        ("listReviews", {"minRating": 5}, [1]),
        ("listCustomers", {"filter[email]": "ADA@example.org"}, [1]),
    ],
)
def test_lists_are_filtered(shop: Bookshop, operation_id: str, params: dict[str, Any], ids: list[int]):
    assert [item["id"] for item in shop.call(operation_id, params=params).json()["items"]] == ids


def test_search_takes_all_parts_of_the_filter(shop: Bookshop):
    wanted = {"authors": ["Jane Austen"], "price": {"max": 950}, "published": {"from": 1800}, "categories": ["fiction"]}
    assert [book["title"] for book in shop.call("searchBooks", json=wanted).json()["items"]] == ["Emma"]


def test_the_export_has_the_columns_that_are_asked_for(shop: Bookshop):
    export = shop.call("exportBooks", params={"columns": "title,stock", "filter[status]": "sold_out"})
    assert export.text == "title,stock\r\nWalden,0\r\n"


def test_a_withdrawn_book_leaves_the_lists_and_comes_back(shop: Bookshop):
    assert [shop.call("deleteBook").status_code for _ in range(2)] == [204, 204]
    assert shop.call("getBook").json()["status"] == "withdrawn"
    assert shop.call("listBooks").json()["total"] == 11
    assert shop.call("restoreBook").json()["withdrawnAt"] is None
    assert shop.call("restoreBook").status_code == 409


def test_an_order_takes_from_the_stock_and_its_cancellation_puts_back(shop: Bookshop):
    order = {
        "customerId": 1,
        "lines": [{"bookId": 9, "quantity": 2}],
        "payment": {"type": "voucher", "code": "SPRING26"},
    }
    headers = KEY | {"Idempotency-Key": "once"}
    placed = shop.call("createOrder", json=order, headers=headers)
    again = shop.call("createOrder", json=order, headers=headers)
    assert (placed.status_code, again.status_code) == (201, 200)
    assert placed.json() == again.json()
    assert shop.call("createOrder", json=order | {"customerId": 2}, headers=headers).status_code == 409
    line = {"bookId": 9, "quantity": 1}
    assert shop.call("addOrderLine", json=line, path={"orderId": placed.json()["id"]}).status_code == 409
    shop.call("cancelOrder", path={"orderId": placed.json()["id"]})
    assert shop.call("getBook", path={"bookId": 9}).json()["stock"] == 2


def test_an_order_that_fails_leaves_nothing_behind(shop: Bookshop):
    lines = [{"bookId": 1, "quantity": 1}, {"bookId": 10, "quantity": 1}]
    order = {"customerId": 1, "lines": lines, "payment": {"type": "invoice"}}
    assert shop.call("createOrder", json=order).status_code == 409
    assert shop.call("listOrders").json()["total"] == 2
    assert shop.call("getBook").json()["stock"] == 12


@pytest.mark.parametrize(
    ("operation_id", "options", "status", "told"),
    [
        ("listBooks", {"params": {"limit": "many"}}, 400, "limit must be of type integer"),
        ("listBooks", {"params": {"colour": "red"}}, 400, "colour cannot be set"),
        ("listBooks", {"params": {"cursor": "bm8="}}, 400, "cursor"),
        ("listOrders", {"params": {"placedSince": "2026-01-05"}}, 400, "a time with an offset"),
        ("getBook", {"path": {"bookId": "one"}}, 400, "bookId must be a positive integer"),
        ("getBook", {"path": {"bookId": 99}}, 404, "no book 99"),
        ("createBook", {"content": b"{", "headers": STAFF | {"Content-Type": "application/json"}}, 400, "as JSON"),
        ("createBook", {"json": {"title": 7}}, 422, "/title must be of type string"),
        ("updateBook", {"json": {"category": "cookery"}}, 422, "/category"),
        ("putCover", {"content": b"GIF89a", "headers": STAFF | {"Content-Type": "image/png"}}, 422, "PNG"),
        ("addOrderLine", {"json": {"bookId": 1, "quantity": 0}}, 422, "/quantity must be from 1 to 99"),
        ("addReview", {"json": {"customerId": 1, "rating": 5}}, 409, "reviewed the book already"),
        ("cancelOrder", {"path": {"orderId": 1001}}, 409, "shipped"),
        ("listBooks", {"headers": {}}, 401, "X-API-Key"),
        ("deleteBook", {"headers": KEY}, 401, "staff token"),
        ("deleteBook", {"headers": KEY | {"Authorization": "Bearer demo-trainee-token"}}, 403, "trainee"),
    ],
)
def test_a_refusal_tells_what_is_wrong(
    shop: Bookshop, operation_id: str, options: dict[str, Any], status: int, told: str
):
    response = shop.call(operation_id, **options)
    assert (response.status_code, response.headers["Content-Type"]) == (status, "application/problem+json")
    assert told in response.json()["detail"]


def test_categories_are_public_and_every_other_operation_asks_for_the_key(shop: Bookshop):
    open_to_all = {
        operation_id for operation_id in OPERATIONS if shop.call(operation_id, headers={}).status_code != 401
    }
    assert open_to_all == {"listCategories"}


def test_the_script_says_where_it_listens_logs_requests_and_ends_on_a_signal():
    command = [sys.executable, str(BOOKSHOP / "upstream.py"), "--port", "0", "--log"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert select.select([process.stdout], [], [], 30)[0]
        found = re.fullmatch(r"listening on (http://127\.0\.0\.1:\d+/v1)\n", process.stdout.readline())
        assert found is not None
        url = f"{found[1]}/books?filter%5Bstatus%5D=sold_out"
        assert httpx2.get(url, headers=KEY, timeout=30).json()["total"] == 1
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate(timeout=10)
    assert (out, err) == ("", "GET /v1/books?filter%5Bstatus%5D=sold_out 200\n")
