"""Log lines on stderr; stdout belongs to the protocol."""

from __future__ import annotations

import logging
import sys
from collections.abc import Mapping
from typing import Final

from .errors import SettingsError

LOGGER: Final = logging.getLogger(__package__)

_LEVELS: Final = ("debug", "info", "warning", "error", "critical")


def say(text: str) -> None:
    """Tell the operator something."""
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()


def configure(prefix: str, environ: Mapping[str, str]) -> None:
    """Set up the process's logging, at the level that ``<prefix>_LOG`` names (default: warning)."""
    level = (environ.get(f"{prefix}_LOG") or "warning").strip().lower()
    if level not in _LEVELS:
        raise SettingsError(f"{prefix}_LOG must be one of {', '.join(_LEVELS)}")
    logging.basicConfig(
        stream=sys.stderr, level=level.upper(), format="%(asctime)s %(levelname)s %(name)s: %(message)s"
    )
    # They log addresses (with credentials in the query) and headers.
    for name in ("httpx2", "httpcore2"):
        logging.getLogger(name).setLevel(max(logging.WARNING, logging.getLogger().level))
