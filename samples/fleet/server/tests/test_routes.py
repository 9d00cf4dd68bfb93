"""Routes: the request that each tool becomes."""

from __future__ import annotations

from typing import Any

import pytest

from .conftest import Sent

CASES: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    (
        "plan_route",
        {"day": "2026-01-31", "van": "abc", "stops": [{"place": {"latitude": 1, "longitude": 1}}]},
        {
            "method": "POST",
            "path": "/routes",
            "query": "",
            "headers": {
                "accept": "application/json, application/problem+json",
                "authorization": "Bearer test-fleet-operator-token",
                "content-type": "application/json",
            },
            "body": b'{"day":"2026-01-31","van":"abc","stops":[{"place":{"latitude":1,"longitude":1}}]}',
        },
    ),
    (
        "search_routes",
        {"around": {"latitude": 1, "longitude": 1}, "kilometres": 5, "day": "2026-01-31", "full": True},
        {
            "method": "QUERY",
            "path": "/routes",
            "query": "",
            "headers": {
                "accept": "application/json, application/problem+json",
                "authorization": "Bearer test-fleet-operator-token",
                "content-type": "application/json",
            },
            "body": b'{"around":{"latitude":1,"longitude":1},"kilometres":5,"day":"2026-01-31","full":true}',
        },
    ),
]


@pytest.mark.parametrize(("tool", "arguments", "request_"), CASES, ids=[case[0] for case in CASES])
def test_request(tool: str, arguments: dict[str, Any], request_: dict[str, Any], sent: Sent) -> None:
    """The request is the one that was reviewed."""
    assert sent(tool, arguments) == request_
