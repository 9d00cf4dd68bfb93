"""The audit: one line for each call, with who called what and what came of it, and nothing of what was said."""

from __future__ import annotations

import hmac
import json
import os
import secrets
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import IO, Any, Final

from .errors import SettingsError

_MAX_NAME: Final = 100  # characters of a tool's name, which anybody can make up


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One call: ``outcome`` is ``ok``, ``failed`` or ``refused``; ``status`` is the API's, None when it was not asked.

    ``decision`` is the guard's: ``unguarded``, ``confirmed``, ``unconfirmed``, ``asked`` or ``refused``.
    """

    tool: str
    caller: str
    arguments: Mapping[str, Any]
    decision: str
    outcome: str
    status: int | None
    milliseconds: float


class Audit:
    """Writes entries as JSON, a line each; without a place it writes nothing."""

    def __init__(self, place: IO[str] | None = None) -> None:
        self._place = place
        self._key = secrets.token_bytes(32)

    @classmethod
    def read(cls, prefix: str, environ: Mapping[str, str]) -> Audit:
        """The audit at ``PREFIX_AUDIT``: ``off``, ``stderr`` or the path of a file; raises ``SettingsError``."""
        variable = f"{prefix}_AUDIT"
        match (environ.get(variable) or "").strip():
            case "" | "off":
                return cls()
            case "stderr":
                return cls(sys.stderr)
            case path:
                try:
                    # For its owner alone, and so that several processes can append to it line by line.
                    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
                except OSError as error:
                    raise SettingsError(f"{variable}: the file cannot be written ({error.strerror})") from None
                return cls(os.fdopen(handle, "w", buffering=1, encoding="utf-8"))

    def write(self, entry: Entry) -> None:
        """Write an entry."""
        if self._place is None:
            return
        values = {
            "time": datetime.now(UTC).isoformat(timespec="milliseconds"),
            "caller": entry.caller,
            "tool": entry.tool[:_MAX_NAME],
            "arguments": self._digest(entry.arguments),
            "decision": entry.decision,
            "outcome": entry.outcome,
            "status": entry.status,
            "ms": round(entry.milliseconds),
        }
        self._place.write(json.dumps(values, separators=(",", ":")) + "\n")
        self._place.flush()

    def close(self) -> None:
        """Close the file; whatever comes after is not written."""
        if self._place is not None and self._place is not sys.stderr:
            self._place.close()
        self._place = None

    def _digest(self, arguments: Mapping[str, Any]) -> str:
        """What tells one set of arguments from another; without the key it cannot be found by guessing."""
        content = json.dumps(arguments, sort_keys=True, separators=(",", ":"), default=str).encode()
        return hmac.digest(self._key, content, "sha256").hex()[:16]
