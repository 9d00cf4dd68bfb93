"""Findings: the request that each tool becomes."""

from __future__ import annotations

from typing import Any

import pytest

from .conftest import Sent

CASES: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    (
        "get_finding_file",
        {"id": 1},
        {
            "method": "GET",
            "path": "/findings/1/file",
            "query": "",
            "headers": {
                "accept": "image/png, application/pdf",
                "authorization": "Basic dGVzdC1jbGluaWMtc3RhZmYtdXNlcm5hbWU6dGVzdC1jbGluaWMtc3RhZmYtcGFzc3dvcmQ=",
            },
            "body": b"",
        },
    ),
    (
        "add_finding",
        {"patientId": 17, "title": "abc", "file": "aGVsbG8=", "tags": ["abc"]},
        {
            "method": "POST",
            "path": "/patients/17/findings",
            "query": "",
            "headers": {
                "accept": "application/json",
                "authorization": "Basic dGVzdC1jbGluaWMtc3RhZmYtdXNlcm5hbWU6dGVzdC1jbGluaWMtc3RhZmYtcGFzc3dvcmQ=",
                "content-type": "multipart/form-data; boundary=931c2501ff50c7939e2dea7c93f89ea8",
            },
            "body": b'--931c2501ff50c7939e2dea7c93f89ea8\r\nContent-Disposition: form-data; name="title"\r\n\r\nabc\r\n--931c2501ff50c7939e2dea7c93f89ea8\r\nContent-Disposition: form-data; name="file"; filename="file"\r\nContent-Type: application/octet-stream\r\n\r\nhello\r\n--931c2501ff50c7939e2dea7c93f89ea8\r\nContent-Disposition: form-data; name="tags"\r\n\r\nabc\r\n--931c2501ff50c7939e2dea7c93f89ea8--\r\n',
        },
    ),
]


@pytest.mark.parametrize(("tool", "arguments", "request_"), CASES, ids=[case[0] for case in CASES])
def test_request(tool: str, arguments: dict[str, Any], request_: dict[str, Any], sent: Sent) -> None:
    """The request is the one that was reviewed."""
    assert sent(tool, arguments) == request_
