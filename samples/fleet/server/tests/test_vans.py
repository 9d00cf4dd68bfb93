"""Vans: the request that each tool becomes."""

from __future__ import annotations

from typing import Any

import pytest

from .conftest import Sent

CASES: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    (
        "list_vans",
        {"where": {"depot": "abc", "state": ["parked"], "limit": 50}},
        {
            "method": "GET",
            "path": "/vans",
            "query": "depot=abc&state=parked&limit=50",
            "headers": {
                "accept": "application/json, application/problem+json",
                "authorization": "Bearer test-fleet-operator-token",
            },
            "body": b"",
        },
    ),
    (
        "get_van",
        {"van": "van-07"},
        {
            "method": "GET",
            "path": "/vans/van-07",
            "query": "",
            "headers": {
                "accept": "application/json, application/problem+json",
                "authorization": "Bearer test-fleet-operator-token",
            },
            "body": b"",
        },
    ),
    (
        "lock_van",
        {"van": "van-07"},
        {
            "method": "LOCK",
            "path": "/vans/van-07",
            "query": "",
            "headers": {"accept": "application/problem+json", "authorization": "Bearer test-fleet-operator-token"},
            "body": b"",
        },
    ),
    (
        "watch_van",
        {"van": "van-07"},
        {
            "method": "GET",
            "path": "/vans/van-07/events",
            "query": "",
            "headers": {
                "accept": "text/event-stream, application/problem+json",
                "authorization": "Bearer test-fleet-operator-token",
            },
            "body": b"",
        },
    ),
]


@pytest.mark.parametrize(("tool", "arguments", "request_"), CASES, ids=[case[0] for case in CASES])
def test_request(tool: str, arguments: dict[str, Any], request_: dict[str, Any], sent: Sent) -> None:
    """The request is the one that was reviewed."""
    assert sent(tool, arguments) == request_
