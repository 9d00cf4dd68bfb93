"""Where the API is, unless CLINIC_BASE_URL says otherwise."""

from __future__ import annotations

from .._runtime.operation import ServerUrl

SERVERS: tuple[ServerUrl, ...] = (ServerUrl("https://clinic.example/api"),)
