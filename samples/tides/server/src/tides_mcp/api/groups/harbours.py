"""Harbours: Where tides are told for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..._runtime.operation import Operation, Query

if TYPE_CHECKING:
    from ..types import Harbour, ListHarboursArguments

LIST_HARBOURS: Operation[ListHarboursArguments, list[Harbour]] = Operation(
    name="list_harbours",
    method="GET",
    path="/harbours",
    bindings=(Query("near", explode=False), Query("limit")),
    accept=("application/json", "application/problem+json"),
    wrapped=True,
)
"""Lists harbours by name, those near a point first when one is given."""
