"""The answer of an API to one request."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Response:
    """An answer of the API; header names are in lower case.

    ``complete`` is false when the body was longer than the server reads, or its end did not come in time;
    ``url`` has neither query nor user, so that it can be shown.
    """

    status: int
    reason: str
    headers: Mapping[str, str] = field(repr=False)
    body: bytes = field(repr=False)
    complete: bool
    url: str
