"""People: the request that each tool becomes."""

from __future__ import annotations

from typing import Any

import pytest

from .conftest import Sent

CASES: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    (
        "list_customers",
        {"filter_email": "ada@example.org", "cursor": "abc", "limit": 10},
        {
            "method": "GET",
            "path": "/customers",
            "query": "filter%5Bemail%5D=ada%40example.org&cursor=abc&limit=10",
            "headers": {
                "accept": "application/json, application/problem+json",
                "authorization": "Bearer test-bookdesk-staff-token",
                "x-api-key": "test-bookdesk-api-key",
            },
            "body": b"",
        },
    ),
    (
        "get_customer",
        {"customerId": 1},
        {
            "method": "GET",
            "path": "/customers/1",
            "query": "",
            "headers": {"accept": "application/json, application/problem+json", "x-api-key": "test-bookdesk-api-key"},
            "body": b"",
        },
    ),
]


@pytest.mark.parametrize(("tool", "arguments", "request_"), CASES, ids=[case[0] for case in CASES])
def test_request(tool: str, arguments: dict[str, Any], request_: dict[str, Any], sent: Sent) -> None:
    """The request is the one that was reviewed."""
    assert sent(tool, arguments) == request_
