"""Appointments: the request that each tool becomes."""

from __future__ import annotations

from typing import Any

import pytest

from .conftest import Sent

CASES: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    (
        "cancel_appointment",
        {"id": 1},
        {
            "method": "DELETE",
            "path": "/appointments/1",
            "query": "",
            "headers": {
                "accept": "application/json, application/xml",
                "authorization": "Basic dGVzdC1jbGluaWMtc3RhZmYtdXNlcm5hbWU6dGVzdC1jbGluaWMtc3RhZmYtcGFzc3dvcmQ=",
            },
            "body": b"",
        },
    ),
    (
        "make_appointment",
        {"patientId": 17, "at": "2026-01-31T12:00:00Z", "minutes": 15, "reason": "check"},
        {
            "method": "POST",
            "path": "/patients/17/appointments",
            "query": "",
            "headers": {
                "accept": "application/json",
                "authorization": "Basic dGVzdC1jbGluaWMtc3RhZmYtdXNlcm5hbWU6dGVzdC1jbGluaWMtc3RhZmYtcGFzc3dvcmQ=",
                "content-type": "application/x-www-form-urlencoded",
            },
            "body": b"at=2026-01-31T12%3A00%3A00Z&minutes=15&reason=check",
        },
    ),
]


@pytest.mark.parametrize(("tool", "arguments", "request_"), CASES, ids=[case[0] for case in CASES])
def test_request(tool: str, arguments: dict[str, Any], request_: dict[str, Any], sent: Sent) -> None:
    """The request is the one that was reviewed."""
    assert sent(tool, arguments) == request_
