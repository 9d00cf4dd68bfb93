"""Chosen names: what an owner may call a tool, given all names that agents know already."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from toolcast.diagnostics import Diagnostic, Failure
from toolcast.model.limits import RESERVED_TOOL_NAMES
from toolcast.model.lock import Lock

NOTHING_CHOSEN: Final[Mapping[str, str]] = MappingProxyType({})
_NAME: Final = re.compile(r"[a-z][a-z0-9_]*")


def checked(chosen: Mapping[str, str], limit: int, lock: Lock) -> Mapping[str, str]:
    """The chosen names by key, none longer than ``limit``, and none another operation's now or ever.

    Raises ``Failure``: TC341 for what cannot be a name, TC342 for the name of another; its ``operation`` is the key.
    """
    owners = {name: key for key, name in lock.names.items()}
    owners |= {name: key for name, key in lock.retired.items() if name not in owners}
    owners |= {alias: owners.get(name, "another operation") for alias, name in lock.aliases.items()}
    for key, name in sorted(chosen.items()):
        if not _NAME.fullmatch(name) or len(name) > limit:
            cure = f"Use at most {limit} small letters, digits and underscores, beginning with a letter: `list_pets`."
            raise _refused("TC341", key, f"{name[:100]!r} cannot be the name of a tool", cure)
        if name in RESERVED_TOOL_NAMES:
            raise _refused(
                "TC341", key, f"{name!r} is a name that servers keep for tools of their own", "Choose another."
            )
        owner = owners.setdefault(name, key)
        if owner != key:
            verb = "is" if name in (lock.names.get(owner), chosen.get(owner)) else "was"
            cure = "Prompts and permission rules refer to tools by name: choose one that no other tool had."
            raise _refused("TC342", key, f"{name!r} {verb} the name of {owner}", cure)
    return chosen


def _refused(code: str, key: str, message: str, cure: str) -> Failure:
    told = f"{key} cannot be called so: {message}"
    return Failure(Diagnostic(code=code, severity="error", message=told, help=cure, operation=key))
