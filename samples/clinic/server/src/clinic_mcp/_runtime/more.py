"""Arguments that are given inside of another one, which a tool with very many has for those that it has no room for."""

from __future__ import annotations

from dataclasses import replace
from difflib import get_close_matches
from typing import Any, Final

from .naming import renamed
from .operation import Arguments, Json, Member, More, Operation
from .style import Unfit

_NAMED: Final = 2_000  # characters of the names that an argument could have had


def spread(operation: Operation[Any, Any], arguments: Arguments) -> tuple[Operation[Any, Any], Arguments]:
    """The operation and the arguments as if none had been given inside of another one.

    There is no schema for such arguments, so the API itself checks what they hold; only their names are checked here.
    Raises ``Unfit``.
    """
    bindings: list[Member] = []
    given = dict(arguments)
    for binding in operation.bindings:
        if isinstance(binding, More):
            bindings += binding.members
            given |= _members(operation, binding, given.pop(binding.argument, None))
        else:
            bindings.append(binding)
    return replace(operation, bindings=tuple(bindings)), given


def _members(operation: Operation[Any, Any], more: More, given: Json) -> Arguments:
    if given is None:
        return {}
    if not isinstance(given, dict):
        raise Unfit("must be an object")
    known = [member.argument for member in more.members]
    found = renamed(replace(operation, bindings=more.members), given)
    for name in found:
        if name not in known:
            near = get_close_matches(name, known, n=1)
            meant = f" (did you mean {near[0]}?)" if near else ""
            raise Unfit(f"must not have {name[:100]!r}{meant}; it takes {', '.join(known)[:_NAMED]}")
    return found
