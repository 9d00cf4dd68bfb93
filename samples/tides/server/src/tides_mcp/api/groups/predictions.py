"""Predictions: When the water is high and low."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..._runtime.operation import Operation, Path, Query

if TYPE_CHECKING:
    from ..types import Day, GetCurveArguments, GetTidesArguments

GET_CURVE: Operation[GetCurveArguments, str] = Operation(
    name="get_curve",
    method="GET",
    path="/harbours/{harbour}/curve.svg",
    bindings=(Path("harbour"), Query("date")),
    accept=("image/svg+xml", "application/problem+json"),
)
"""Draw the tides of a day"""

GET_TIDES: Operation[GetTidesArguments, Day] = Operation(
    name="get_tides",
    method="GET",
    path="/harbours/{harbour}/tides",
    bindings=(Path("harbour"), Query("date"), Query("datum")),
    accept=("application/json", "application/problem+json"),
)
"""Tell the tides of a day."""
