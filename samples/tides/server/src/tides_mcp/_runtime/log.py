"""Log lines on stderr; stdout belongs to the protocol."""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Final

from .errors import SettingsError

LOGGER: Final = logging.getLogger(__package__)

_LEVELS: Final = ("debug", "info", "warning", "error", "critical")


def say(text: str) -> None:
    """Tell the operator something."""
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()


def configure(prefix: str, environ: Mapping[str, str]) -> None:
    """Set up the process's logging, at the level that ``<prefix>_LOG`` names (default: warning).

    ``<prefix>_LOG_FORMAT`` is ``text``, or ``json`` for an object on each line.
    """
    level = (environ.get(f"{prefix}_LOG") or "warning").strip().lower()
    if level not in _LEVELS:
        raise SettingsError(f"{prefix}_LOG must be one of {', '.join(_LEVELS)}")
    form = (environ.get(f"{prefix}_LOG_FORMAT") or "text").strip().lower()
    if form not in ("text", "json"):
        raise SettingsError(f"{prefix}_LOG_FORMAT must be text or json")
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        _Structured() if form == "json" else logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s")
    )
    logging.basicConfig(level=level.upper(), handlers=[handler])
    # They log addresses (with credentials in the query) and headers.
    for name in ("httpx2", "httpcore2"):
        logging.getLogger(name).setLevel(max(logging.WARNING, logging.getLogger().level))


class _Structured(logging.Formatter):
    """A line of JSON: time (RFC 3339, UTC), level, logger, message, and the traceback where there is one."""

    def format(self, record: logging.LogRecord) -> str:
        told = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if record.exc_info:
            told["traceback"] = self.formatException(record.exc_info)
        return json.dumps(told, ensure_ascii=False)
