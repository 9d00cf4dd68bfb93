"""URLs that a stranger wrote, which may be none."""

from __future__ import annotations

from typing import Final
from urllib.parse import SplitResult, urljoin, urlsplit

PORTS: Final = {"http": 80, "https": 443}


def parts(url: str) -> SplitResult | None:
    """The parts of a URL; None for what is none, such as ``http://[``."""
    try:
        found = urlsplit(url)
        _ = found.port
    except ValueError:
        return None
    return found


def resolved(base: str, url: str) -> str:
    """What a URL means beside another one (RFC 3986 section 5); what is no URL stays as it is."""
    try:
        return urljoin(base, url)
    except ValueError:
        return url


def origin(parts: SplitResult) -> tuple[str, str, int | None]:
    """Scheme, host and port of a URL (RFC 6454 section 4)."""
    scheme = parts.scheme.lower()
    return scheme, (parts.hostname or "").lower(), parts.port or PORTS.get(scheme)
