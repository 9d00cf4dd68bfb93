"""The types of arguments and answers, as the API's document describes them; for type checkers only."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict


class GetVanArguments(TypedDict):
    van: str


class ListVansArgumentsWhere(TypedDict):
    depot: NotRequired[str]
    state: NotRequired[list[Literal["parked", "loading", "driving", "broken"]]]
    limit: NotRequired[int]


class LockVanArguments(TypedDict):
    van: str


class Place(TypedDict):
    latitude: float
    longitude: float


class PlanRouteArgumentsStopsItem(TypedDict):
    place: Place
    parcels: NotRequired[int]


class RouteStopsItem(TypedDict):
    place: Place
    parcels: NotRequired[int]


class SearchRoutesArguments(TypedDict):
    around: NotRequired[Place]
    kilometres: NotRequired[float]
    day: NotRequired[str]
    full: NotRequired[bool]


class Van(TypedDict):
    id: str
    plate: str
    state: Literal["parked", "loading", "driving", "broken"]
    at: NotRequired[Place]


class WatchVanArguments(TypedDict):
    van: str


class ListVansArguments(TypedDict):
    where: NotRequired[ListVansArgumentsWhere]


class PlanRouteArguments(TypedDict):
    day: str
    van: NotRequired[str]
    stops: list[PlanRouteArgumentsStopsItem]


class Route(TypedDict):
    id: NotRequired[str]
    day: str
    van: NotRequired[str]
    stops: list[RouteStopsItem]
