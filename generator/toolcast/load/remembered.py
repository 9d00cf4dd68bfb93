"""Answers that are remembered, so that a server need only say that nothing has changed (RFC 9110 section 13).

They are in the user's cache folder, readable to nobody else; a cache that cannot be used is none.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    import httpx2

_VALIDATORS = {"etag": "If-None-Match", "last-modified": "If-Modified-Since"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Remembered:
    """An earlier answer, and the header fields that ask whether there is another."""

    data: bytes
    headers: dict[str, str]


def recall(address: str) -> Remembered | None:
    """What was answered last at an address."""
    try:
        head, _, data = _file(address).read_bytes().partition(b"\n")
        entry = cast("dict[str, Any]", json.loads(head))
        if entry["digest"] != hashlib.sha256(data).hexdigest():
            return None
        return Remembered(data=data, headers={str(name): str(value) for name, value in entry["headers"].items()})
    except (OSError, RuntimeError, ValueError, KeyError, TypeError, AttributeError):
        return None


def remember(address: str, response: httpx2.Response, data: bytes) -> None:
    """Keep an answer that can be asked for again, unless the server does not want that."""
    found = {asks: response.headers[told] for told, asks in _VALIDATORS.items() if told in response.headers}
    if not found or "no-store" in response.headers.get("cache-control", "").lower():
        return
    head = json.dumps({"digest": hashlib.sha256(data).hexdigest(), "headers": found}).encode()
    with suppress(OSError, RuntimeError):
        path = _file(address)
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor, name = tempfile.mkstemp(dir=path.parent)  # which only its owner can read
        try:
            with os.fdopen(descriptor, "wb") as stream:
                stream.write(head + b"\n" + data)
            Path(name).replace(path)
        finally:
            Path(name).unlink(missing_ok=True)


def _file(address: str) -> Path:
    """Where an address has its answer; the name tells nothing of it, since it may hold secrets."""
    base = os.environ.get("XDG_CACHE_HOME") or (os.environ.get("LOCALAPPDATA") if os.name == "nt" else None)
    folder = Path(base or Path.home() / ".cache") / "toolcast" / "documents"
    return folder / hashlib.sha256(address.encode("utf-8", "surrogatepass")).hexdigest()
