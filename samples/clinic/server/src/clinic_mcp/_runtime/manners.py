"""Manners towards the API: how long a call may take, how often it is tried, and after which pause."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Final

from .environment import number, numbers

# RFC 9110 section 9.2.2; QUERY is safe, too.
_IDEMPOTENT: Final = frozenset({"GET", "HEAD", "OPTIONS", "QUERY", "TRACE", "PUT", "DELETE"})
_REFUSED: Final = 429  # nothing was done, so that any method can be sent again
_PASSING: Final = frozenset({502, 503, 504})
_FIRST_PAUSE: Final = 0.25  # seconds
_LONGEST_PAUSE: Final = 8.0
_NONE: Final[Mapping[str, str]] = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class Manners:
    """Limits of calls; times are in seconds, rates in calls per second, and 0 sets no limit.

    ``timeouts`` has the time of tools that need another one than ``timeout``; ``polling`` is how long an operation
    that the API has only accepted (202) is followed.
    """

    prefix: str = ""
    timeout: float = 30.0
    timeouts: Mapping[str, float] = field(default_factory=dict[str, float])
    connect_timeout: float = 10.0
    read_timeout: float = 0.0
    retries: int = 2
    concurrency: int = 100
    rate: float = 0.0
    caller_rate: float = 0.0
    redirects: int = 0
    polling: float = 0.0

    @classmethod
    def read(cls, prefix: str, environ: Mapping[str, str], earlier: Mapping[str, str] = _NONE) -> Manners:
        """The limits in an environment; ``earlier`` has names of tools that have changed. Raises ``SettingsError``."""
        timeouts = numbers(f"{prefix}_TIMEOUTS", environ, least=0.001)
        return cls(
            prefix=prefix,
            timeout=number(f"{prefix}_TIMEOUT", environ, 30.0, least=0.001),
            timeouts={earlier.get(name, name): seconds for name, seconds in timeouts.items()},
            connect_timeout=number(f"{prefix}_CONNECT_TIMEOUT", environ, 10.0, least=0.001),
            read_timeout=number(f"{prefix}_READ_TIMEOUT", environ, 0, least=0),
            retries=int(number(f"{prefix}_RETRIES", environ, 2, least=0)),
            concurrency=int(number(f"{prefix}_CONCURRENCY", environ, 100, least=0)),
            rate=number(f"{prefix}_RATE", environ, 0, least=0),
            caller_rate=number(f"{prefix}_RATE_PER_CALLER", environ, 0, least=0),
            redirects=int(number(f"{prefix}_REDIRECTS", environ, 0, least=0)),
            polling=number(f"{prefix}_POLL", environ, 0, least=0),
        )

    def time(self, tool: str) -> float:
        """The seconds that a call of a tool may take, every try and every pause included."""
        return self.timeouts.get(tool, self.timeout)

    def pause(self, attempt: int) -> float:
        """The seconds before another try after this one, from 0: exponential, with full jitter."""
        # Not for secrets: callers who failed together shall not come again together.
        return random.uniform(0, min(_LONGEST_PAUSE, _FIRST_PAUSE * 2**attempt))


def repeatable(method: str) -> bool:
    """Whether a request that may have been carried out can be sent again."""
    return method.upper() in _IDEMPOTENT


def passing(method: str, status: int) -> bool:
    """Whether an answer is one that another try may mend."""
    return status == _REFUSED or (status in _PASSING and repeatable(method))


def asked_pause(retry_after: str) -> float | None:
    """The seconds that a ``Retry-After`` header asks for (RFC 9110 section 10.2.3); None when it says nothing."""
    text = retry_after.strip()
    if text.isascii() and text.isdigit():
        return float(text[:9])
    import email.utils  # only for a date, which is rare

    try:
        when = email.utils.parsedate_to_datetime(text)
    except (ValueError, TypeError):
        return None
    moment = when if when.tzinfo else when.replace(tzinfo=UTC)
    return max(0.0, (moment - datetime.now(UTC)).total_seconds())
