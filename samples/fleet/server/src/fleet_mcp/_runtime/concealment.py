"""Concealment: what a request proved does not come back to an agent, when the API says it in an answer."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from .credentials import Pairs, Proof, spelled
from .response import Response

_SHORTEST: Final = 8  # characters; what is shorter may be a word or a number of the API's own
_INSTEAD: Final = b"[redacted]"
# Of the headers that an operator fixes: others say a version, a media type or a language, as answers may.
_SECRET: Final = re.compile(r"(?i)auth|token|key|secret|passw|credential|session|cookie")


def concealed(response: Response, proof: Proof, fixed: Pairs) -> Response:
    """The answer without the credentials of its request, and without those among the operator's ``fixed`` headers."""
    body = response.body
    secrets = {secret for secret in _sent(proof, fixed) if len(secret) >= _SHORTEST}
    for spelling in {spelling.encode() for secret in secrets for spelling in spelled(secret)}:
        if spelling in body:
            body = body.replace(spelling, _INSTEAD)
    return response if body is response.body else replace(response, body=body)


def _sent(proof: Proof, fixed: Pairs) -> Iterator[str]:
    own = [pair for pair in fixed if _SECRET.search(pair[0])]
    for _, value in (*own, *proof.headers):
        yield from (value, value.rpartition(" ")[2])  # of "Bearer abc" either
    yield from (value for _, value in (*proof.query, *proof.cookies))
    yield from (value for _, _, value in proof.parts)
