"""The till: the request that each tool becomes."""

from __future__ import annotations

from typing import Any

import pytest

from .conftest import Sent

CASES: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    (
        "list_orders",
        {
            "customerId": 1,
            "filter_status": ["open", "shipped"],
            "placedSince": "2025-12-01T00:00:00Z",
            "cursor": "abc",
            "limit": 10,
        },
        {
            "method": "GET",
            "path": "/orders",
            "query": "customerId=1&filter%5Bstatus%5D=open,shipped&placedSince=2025-12-01T00%3A00%3A00Z&cursor=abc&limit=10",
            "headers": {"accept": "application/json, application/problem+json", "x-api-key": "test-bookdesk-api-key"},
            "body": b"",
        },
    ),
    (
        "create_order",
        {
            "Idempotency-Key": "basket-2291",
            "customerId": 1,
            "lines": [{"bookId": 1, "quantity": 2}, {"bookId": 5, "quantity": 1}],
            "payment": {"type": "invoice", "vatId": None},
            "note": "Please wrap as a gift.",
        },
        {
            "method": "POST",
            "path": "/orders",
            "query": "",
            "headers": {
                "accept": "application/json, application/problem+json",
                "content-type": "application/json",
                "idempotency-key": "basket-2291",
                "x-api-key": "test-bookdesk-api-key",
            },
            "body": b'{"customerId":1,"lines":[{"bookId":1,"quantity":2},{"bookId":5,"quantity":1}],"payment":{"type":"invoice","vatId":null},"note":"Please wrap as a gift."}',
        },
    ),
    (
        "get_order",
        {"orderId": 1002},
        {
            "method": "GET",
            "path": "/orders/1002",
            "query": "",
            "headers": {"accept": "application/json, application/problem+json", "x-api-key": "test-bookdesk-api-key"},
            "body": b"",
        },
    ),
    (
        "cancel_order",
        {"orderId": 1002, "reason": "ordered_twice", "comment": "The first order is enough."},
        {
            "method": "POST",
            "path": "/orders/1002/cancel",
            "query": "",
            "headers": {
                "accept": "application/json, application/problem+json",
                "content-type": "application/json",
                "x-api-key": "test-bookdesk-api-key",
            },
            "body": b'{"reason":"ordered_twice","comment":"The first order is enough."}',
        },
    ),
    (
        "add_order_line",
        {"orderId": 1002, "bookId": 7, "quantity": 1},
        {
            "method": "POST",
            "path": "/orders/1002/lines",
            "query": "",
            "headers": {
                "accept": "application/json, application/problem+json",
                "content-type": "application/json",
                "x-api-key": "test-bookdesk-api-key",
            },
            "body": b'{"bookId":7,"quantity":1}',
        },
    ),
]


@pytest.mark.parametrize(("tool", "arguments", "request_"), CASES, ids=[case[0] for case in CASES])
def test_request(tool: str, arguments: dict[str, Any], request_: dict[str, Any], sent: Sent) -> None:
    """The request is the one that was reviewed."""
    assert sent(tool, arguments) == request_
