"""Routes: Where vans go."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..._runtime.operation import Content, Field, Operation

if TYPE_CHECKING:
    from ..types import PlanRouteArguments, Route, SearchRoutesArguments

PLAN_ROUTE: Operation[PlanRouteArguments, Route] = Operation(
    name="plan_route",
    method="POST",
    path="/routes",
    bindings=(Field("day"), Field("van"), Field("stops")),
    body=Content(required=True),
    accept=("application/json", "application/problem+json"),
    security=(("operator",),),
)
"""Plan a route"""

SEARCH_ROUTES: Operation[SearchRoutesArguments, list[Route]] = Operation(
    name="search_routes",
    method="QUERY",
    path="/routes",
    bindings=(Field("around"), Field("kilometres"), Field("day"), Field("full")),
    body=Content(required=True),
    accept=("application/json", "application/problem+json"),
    security=(("operator",),),
    wrapped=True,
)
"""Search routes."""
