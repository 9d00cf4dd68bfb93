"""Where the API is, unless TIDES_BASE_URL says otherwise."""

from __future__ import annotations

from .._runtime.operation import ServerUrl

SERVERS: tuple[ServerUrl, ...] = (ServerUrl("https://tides.example/v2"),)
