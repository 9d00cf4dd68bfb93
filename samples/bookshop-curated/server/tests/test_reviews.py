"""Reviews: the request that each tool becomes."""

from __future__ import annotations

from typing import Any

import pytest

from .conftest import Sent

CASES: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    (
        "list_reviews",
        {"bookId": 1, "at_least": 4, "cursor": "abc", "limit": 10},
        {
            "method": "GET",
            "path": "/books/1/reviews",
            "query": "minRating=4&cursor=abc&limit=10",
            "headers": {"accept": "application/json, application/problem+json", "x-api-key": "test-bookdesk-api-key"},
            "body": b"",
        },
    ),
    (
        "add_review",
        {"bookId": 1, "customerId": 3, "rating": 4, "text": "Wittier than I remembered."},
        {
            "method": "POST",
            "path": "/books/1/reviews",
            "query": "",
            "headers": {
                "accept": "application/json, application/problem+json",
                "content-type": "application/json",
                "x-api-key": "test-bookdesk-api-key",
            },
            "body": b'{"customerId":3,"rating":4,"text":"Wittier than I remembered."}',
        },
    ),
]


@pytest.mark.parametrize(("tool", "arguments", "request_"), CASES, ids=[case[0] for case in CASES])
def test_request(tool: str, arguments: dict[str, Any], request_: dict[str, Any], sent: Sent) -> None:
    """The request is the one that was reviewed."""
    assert sent(tool, arguments) == request_
