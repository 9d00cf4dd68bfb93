"""The security schemes of the API, and the environment variables that hold their credentials."""

from __future__ import annotations

from collections.abc import Mapping

from .._runtime.security import OAuth, Scheme

SCHEMES: Mapping[str, Scheme] = {
    "operator": OAuth(
        "FLEET_OPERATOR",
        flows=("clientCredentials", "deviceAuthorization"),
        token_url="https://login.fleet.example/token",
        device_url="https://login.fleet.example/device",
        discovery="https://login.fleet.example/.well-known/oauth-authorization-server",
        scopes=("fleet.control", "fleet.plan", "fleet.read"),
    )
}
