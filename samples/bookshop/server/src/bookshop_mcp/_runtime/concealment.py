"""Concealment: what a request proved does not come back to an agent, when the API says it in an answer."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Final
from urllib.parse import quote, quote_plus

from .credentials import Pairs, Proof
from .response import Response

_SHORTEST: Final = 8  # characters; what is shorter may be a word or a number of the API's own
_INSTEAD: Final = b"[redacted]"


def concealed(response: Response, proof: Proof, fixed: Pairs) -> Response:
    """The answer without the credentials of its request, and without the operator's ``fixed`` headers."""
    body = response.body
    for spelling in {spelling for secret in _sent(proof, fixed) for spelling in _spelled(secret)}:
        if spelling in body:
            body = body.replace(spelling, _INSTEAD)
    return response if body is response.body else replace(response, body=body)


def _sent(proof: Proof, fixed: Pairs) -> Iterator[str]:
    for _, value in (*fixed, *proof.headers):
        yield from (value, value.rpartition(" ")[2])  # of "Bearer abc" either
    yield from (value for _, value in (*proof.query, *proof.cookies))
    yield from (value for _, _, value in proof.parts)


def _spelled(secret: str) -> Iterator[bytes]:
    """A secret as bodies write it: as it is, in URLs and forms, and in JSON, whose writers may escape a slash."""
    if len(secret) < _SHORTEST:
        return
    escaped = json.dumps(secret)[1:-1]
    for text in (secret, quote(secret, safe=""), quote_plus(secret), escaped, escaped.replace("/", "\\/")):
        yield text.encode()
