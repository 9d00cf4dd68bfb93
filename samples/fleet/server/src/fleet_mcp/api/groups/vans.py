"""Vans: Vans, and where they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..._runtime.operation import Operation, Path, Querystring

if TYPE_CHECKING:
    from ..types import GetVanArguments, ListVansArguments, LockVanArguments, Van, WatchVanArguments

LIST_VANS: Operation[ListVansArguments, list[Van]] = Operation(
    name="list_vans",
    method="GET",
    path="/vans",
    bindings=(Querystring("where", media_type="application/x-www-form-urlencoded"),),
    accept=("application/json", "application/problem+json"),
    security=(("operator",),),
    wrapped=True,
)
"""Lists vans, those that are on their way first."""

GET_VAN: Operation[GetVanArguments, Van] = Operation(
    name="get_van",
    method="GET",
    path="/vans/{van}",
    bindings=(Path("van"),),
    accept=("application/json", "application/problem+json"),
    security=(("operator",),),
)
"""Get a van"""

LOCK_VAN: Operation[LockVanArguments, None] = Operation(
    name="lock_van",
    method="LOCK",
    path="/vans/{van}",
    bindings=(Path("van"),),
    accept=("application/problem+json",),
    security=(("operator",),),
)
"""Locks the doors of a van and stops its engine as soon as it stands."""

WATCH_VAN: Operation[WatchVanArguments, str] = Operation(
    name="watch_van",
    method="GET",
    path="/vans/{van}/events",
    bindings=(Path("van"),),
    accept=("text/event-stream", "application/problem+json"),
    security=(("operator",),),
)
"""Watch a van."""
