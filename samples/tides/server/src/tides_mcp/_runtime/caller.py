"""The caller: on whose behalf a call is made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from .visibility import Visibility


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """Who calls: ``id`` tells callers apart and shows no secret; ``name`` is for the audit.

    ``scopes`` are those that the caller's token grants, None where the server verifies no tokens. ``credentials`` are
    the caller's own for the API, by environment variable: they take the place of the server's. ``token`` is what the
    caller has for this server, where it is exchanged for another. ``narrowed`` is what the caller asked to see less of.
    """

    id: str = ""
    name: str = ""
    scopes: frozenset[str] | None = None
    credentials: Mapping[str, str] | None = field(default=None, repr=False)
    token: str = field(default="", repr=False)
    narrowed: Visibility | None = None


ANYBODY: Final = Caller()
