"""Predictions: the request that each tool becomes."""

from __future__ import annotations

from typing import Any

import pytest

from .conftest import Sent

CASES: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    (
        "get_curve",
        {"harbour": "hamburg", "date": "2026-05-14"},
        {
            "method": "GET",
            "path": "/harbours/hamburg/curve.svg",
            "query": "date=2026-05-14",
            "headers": {"accept": "image/svg+xml, application/problem+json"},
            "body": b"",
        },
    ),
    (
        "get_tides",
        {"harbour": "hamburg", "date": "2026-05-14", "datum": "chart"},
        {
            "method": "GET",
            "path": "/harbours/hamburg/tides",
            "query": "date=2026-05-14&datum=chart",
            "headers": {"accept": "application/json, application/problem+json"},
            "body": b"",
        },
    ),
]


@pytest.mark.parametrize(("tool", "arguments", "request_"), CASES, ids=[case[0] for case in CASES])
def test_request(tool: str, arguments: dict[str, Any], request_: dict[str, Any], sent: Sent) -> None:
    """The request is the one that was reviewed."""
    assert sent(tool, arguments) == request_
