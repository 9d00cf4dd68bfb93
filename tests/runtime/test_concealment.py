"""Concealment: an API that says back what proved who calls, in every spelling."""

from __future__ import annotations

import base64
import json
from urllib.parse import quote, quote_plus

import pytest
from runtime.concealment import concealed
from runtime.credentials import Proof
from runtime.response import Response

KEY = 'key-of/ours "é+1'
PROOF = Proof(
    headers=(("Authorization", "Bearer token-of-ours"), ("X-Short", "short")),
    query=(("key", KEY),),
    cookies=(("sid", "session-of-ours"),),
    parts=(("body", "password", "password-of-ours"),),
)
PAIR = base64.b64encode(b"ann:secret-of-ours").decode()


def shown(body: str) -> str:
    response = Response(200, "OK", {}, body.encode(), complete=True, url="https://api.example")
    fixed = (
        ("X-Extra-Token", "extra-of-ours"),
        ("X-Api-Version", "2022-11-28"),
        ("Authorization", f"Basic {PAIR}"),
    )
    return concealed(response, PROOF, fixed).body.decode()


@pytest.mark.parametrize(
    "text",
    [
        "Bearer token-of-ours",
        "token-of-ours",
        "session-of-ours",
        "password-of-ours",
        "extra-of-ours",
        PAIR,
        KEY,
        quote(KEY, safe=""),
        quote_plus(KEY),
        json.dumps(KEY)[1:-1],
        json.dumps(KEY)[1:-1].replace("/", "\\/"),
    ],
)
def test_a_credential_is_concealed(text: str) -> None:
    assert shown(f"<{text}>") in ("<[redacted]>", "<Bearer [redacted]>")


def test_what_is_left_is_json() -> None:
    assert json.loads(shown(json.dumps({"key": KEY, "id": 7}))) == {"key": "[redacted]", "id": 7}


def test_words_stay() -> None:
    assert shown("short, Bearer and ours of 2022-11-28") == "short, Bearer and ours of 2022-11-28"
