"""Seals: what the server hands out and must recognise when it comes back, from any replica that shares its keys.

A seal proves who made a value, for what, and until when; it hides nothing. (HMAC-SHA-256, RFC 2104.)
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import secrets
import time
from collections.abc import Mapping, Sequence
from typing import Any, Final

from .credentials import read_secret
from .errors import SettingsError

_SHORTEST_KEY: Final = 32  # characters
_LONGEST: Final = 64 * 1024  # of a sealed text


class Seals:
    """Seals values with the first of its keys, and knows those of every one: keys are rotated by adding in front."""

    def __init__(self, keys: Sequence[str] = ()) -> None:
        # Without a key to share, what this process sealed is known to this process only.
        self._keys = [hashlib.sha256(key.encode()).digest() for key in keys] or [secrets.token_bytes(32)]

    @classmethod
    def read(cls, prefix: str, environ: Mapping[str, str]) -> Seals:
        """The seals of ``PREFIX_STATE_KEYS``, one key or more with spaces between; raises ``SettingsError``."""
        variable = f"{prefix}_STATE_KEYS"
        keys = (read_secret(environ, variable) or "").split()
        if any(len(key) < _SHORTEST_KEY for key in keys):
            raise SettingsError(f"{variable}: each key needs at least {_SHORTEST_KEY} characters, as random as can be")
        return cls(keys)

    def __repr__(self) -> str:
        return f"Seals({len(self._keys)} keys)"

    def sealed(self, purpose: str, value: Mapping[str, Any], seconds: float) -> str:
        """The value as a text that can stand in a URL, good for some seconds and for one purpose."""
        content = json.dumps([int(time.time() + seconds), value], separators=(",", ":"), sort_keys=True).encode()
        return f"{_text(content)}.{_text(self._mark(self._keys[0], purpose, content))}"

    def opened(self, purpose: str, text: str) -> dict[str, Any] | None:
        """The value of a sealed text; None when it is altered, foreign, for another purpose or too old."""
        whole, _, mark = text.partition(".")
        try:
            content, given = _bytes(whole), _bytes(mark)
        except ValueError:
            return None
        if len(text) > _LONGEST or not any(
            hmac.compare_digest(self._mark(key, purpose, content), given) for key in self._keys
        ):
            return None
        until, value = json.loads(content)
        return value if time.time() < until else None

    def _mark(self, key: bytes, purpose: str, content: bytes) -> bytes:
        return hmac.digest(key, purpose.encode() + b"\0" + content, "sha256")


def _text(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).decode().rstrip("=")


def _bytes(text: str) -> bytes:
    """The bytes of a text in base64url; raises ``ValueError`` on any other spelling of the same bytes."""
    content = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    if _text(content) != text:
        raise ValueError(text)
    return content
