"""Patients: the request that each tool becomes."""

from __future__ import annotations

from typing import Any

import pytest

from .conftest import Sent

CASES: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    (
        "find_patients",
        {"name": "abc", "born": "2026-01-31", "allergies": ["abc"], "page": 1},
        {
            "method": "GET",
            "path": "/patients",
            "query": "name=abc&born=2026-01-31&allergies=abc&page=1",
            "headers": {
                "accept": "application/json",
                "authorization": "Basic dGVzdC1jbGluaWMtc3RhZmYtdXNlcm5hbWU6dGVzdC1jbGluaWMtc3RhZmYtcGFzc3dvcmQ=",
            },
            "body": b"",
        },
    ),
    (
        "register_patient",
        {"name": "abc", "born": "2026-01-31", "allergies": ["abc"]},
        {
            "method": "POST",
            "path": "/patients",
            "query": "",
            "headers": {
                "accept": "application/xml",
                "authorization": "Basic dGVzdC1jbGluaWMtc3RhZmYtdXNlcm5hbWU6dGVzdC1jbGluaWMtc3RhZmYtcGFzc3dvcmQ=",
                "content-type": "application/xml",
            },
            "body": b'<?xml version="1.0" encoding="UTF-8"?>\n<patient xmlns="https://clinic.example/ns"><name>abc</name><born>2026-01-31</born><allergies><allergy>abc</allergy></allergies></patient>',
        },
    ),
    (
        "get_patient",
        {"patientId": 17},
        {
            "method": "GET",
            "path": "/patients/17",
            "query": "",
            "headers": {
                "accept": "application/json",
                "authorization": "Basic dGVzdC1jbGluaWMtc3RhZmYtdXNlcm5hbWU6dGVzdC1jbGluaWMtc3RhZmYtcGFzc3dvcmQ=",
            },
            "body": b"",
        },
    ),
]


@pytest.mark.parametrize(("tool", "arguments", "request_"), CASES, ids=[case[0] for case in CASES])
def test_request(tool: str, arguments: dict[str, Any], request_: dict[str, Any], sent: Sent) -> None:
    """The request is the one that was reviewed."""
    assert sent(tool, arguments) == request_
