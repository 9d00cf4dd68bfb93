"""Arguments that came under the names that the API itself has for them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, cast

from .operation import Arguments, Binding, Body, Header, More, Operation


def renamed(operation: Operation[Any, Any], arguments: Arguments) -> Arguments:
    """The arguments by their own names: one that came by its name on the wire is taken as what it means.

    Models know APIs by the names of their documents (``filter[status]`` for ``filter_status``). A name that is an
    argument's own, that several arguments have on the wire, or whose argument was given as well, stays as it is.
    """
    if not isinstance(cast("object", arguments), Mapping):
        return arguments  # which the check refuses
    own = {binding.argument for binding in operation.bindings}
    meant: dict[str, str] = {}
    for name in arguments.keys() - own:
        found = [binding.argument for binding in operation.bindings if _is_called(binding, name)]
        if len(found) == 1 and found[0] not in arguments:
            meant[name] = found[0]
    if not meant:
        return arguments
    times = Counter(meant.values())
    return {meant[name] if times[meant.get(name, "")] == 1 else name: value for name, value in arguments.items()}


def _is_called(binding: Binding, name: str) -> bool:
    """Whether the API calls an argument by this name; names of headers mind no case (RFC 9110 §5.1)."""
    match binding:
        case Body() | More():
            return False
        case Header():
            return name.lower() == binding.wire_name.lower()
        case _:
            return name == binding.wire_name
