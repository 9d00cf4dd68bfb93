"""Categories: the request that each tool becomes."""

from __future__ import annotations

from typing import Any

import pytest

from .conftest import Sent

CASES: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    (
        "list_categories",
        {},
        {
            "method": "GET",
            "path": "/categories",
            "query": "",
            "headers": {"accept": "application/json, application/problem+json"},
            "body": b"",
        },
    ),
    (
        "create_category",
        {
            "parent": "non-fiction",
            "slug": "history",
            "name": "History",
            "description": "abc",
            "children": [
                {"slug": "ancient-history", "name": "Ancient history"},
                {"slug": "modern-history", "name": "Modern history", "description": "From 1789."},
            ],
        },
        {
            "method": "POST",
            "path": "/categories",
            "query": "parent=non-fiction",
            "headers": {
                "accept": "application/json, application/problem+json",
                "authorization": "Bearer test-bookdesk-staff-token",
                "content-type": "application/json",
                "x-api-key": "test-bookdesk-api-key",
            },
            "body": b'{"slug":"history","name":"History","description":"abc","children":[{"slug":"ancient-history","name":"Ancient history"},{"slug":"modern-history","name":"Modern history","description":"From 1789."}]}',
        },
    ),
]


@pytest.mark.parametrize(("tool", "arguments", "request_"), CASES, ids=[case[0] for case in CASES])
def test_request(tool: str, arguments: dict[str, Any], request_: dict[str, Any], sent: Sent) -> None:
    """The request is the one that was reviewed."""
    assert sent(tool, arguments) == request_
