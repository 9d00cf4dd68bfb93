"""Reading a contract from ``tools.json`` and the lock beside it."""

from __future__ import annotations

import json
from typing import Any, cast

from toolcast.model.contract import Contract
from toolcast.model.json import Json
from toolcast.model.lock import Lock


def read(text: str | bytes, lock: Lock | None = None) -> Contract | None:
    """The contract in a ``tools.json``, with what a lock knows besides; None when it is no tools/list answer."""
    try:
        value: Any = json.loads(text)
    except ValueError:
        return None
    answer = cast("dict[str, Any]", value) if isinstance(value, dict) else {}
    inner = answer.get("result")  # of a whole JSON-RPC response
    answer = cast("dict[str, Any]", inner) if isinstance(inner, dict) else answer
    tools = answer.get("tools")
    if not isinstance(tools, list) or not all(_is_tool(tool) for tool in cast("list[Any]", tools)):
        return None
    listed = tuple(cast("list[Json]", tools))
    return Contract(tools=listed) if lock is None else with_lock(listed, lock)


def with_lock(tools: tuple[Json, ...], lock: Lock) -> Contract:
    """The contract of tools, with where requests and credentials go and what the tools were called before."""
    return Contract(
        tools=tools,
        origins=lock.origins,
        credentials=lock.credentials,
        keys={name: key for key, name in lock.names.items()},
        aliases=lock.aliases,
    )


def _is_tool(value: Any) -> bool:
    return isinstance(value, dict) and isinstance(cast("dict[str, Any]", value).get("name"), str)
