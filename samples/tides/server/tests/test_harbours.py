"""Harbours: the request that each tool becomes."""

from __future__ import annotations

from typing import Any

import pytest

from .conftest import Sent

CASES: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    (
        "list_harbours",
        {"near": [53.55, 9.99], "limit": 20},
        {
            "method": "GET",
            "path": "/harbours",
            "query": "near=53.55,9.99&limit=20",
            "headers": {"accept": "application/json, application/problem+json"},
            "body": b"",
        },
    ),
]


@pytest.mark.parametrize(("tool", "arguments", "request_"), CASES, ids=[case[0] for case in CASES])
def test_request(tool: str, arguments: dict[str, Any], request_: dict[str, Any], sent: Sent) -> None:
    """The request is the one that was reviewed."""
    assert sent(tool, arguments) == request_
