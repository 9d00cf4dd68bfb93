"""The security schemes of the API, and the environment variables that hold their credentials."""

from __future__ import annotations

from collections.abc import Mapping

from .._runtime.security import ApiKey, Scheme, Token

SCHEMES: Mapping[str, Scheme] = {
    "apiKey": ApiKey("BOOKDESK_API_KEY", "header", "X-API-Key"),
    "staffToken": Token("BOOKDESK_STAFF_TOKEN"),
}
