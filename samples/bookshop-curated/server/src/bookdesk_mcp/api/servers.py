"""Where the API is, unless BOOKDESK_BASE_URL says otherwise."""

from __future__ import annotations

from .._runtime.operation import ServerUrl, ServerVariable

SERVERS: tuple[ServerUrl, ...] = (
    ServerUrl(
        "http://{host}:{port}/v1",
        variables=(
            ServerVariable(name="host", default="localhost", environment="BOOKDESK_SERVER_HOST"),
            ServerVariable(name="port", default="8080", environment="BOOKDESK_SERVER_PORT"),
        ),
    ),
)
