"""The types of arguments and answers, as the API's document describes them; for type checkers only."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict


class DayTidesItem(TypedDict):
    kind: Literal["high", "low"]
    at: str
    metres: float


class GetCurveArguments(TypedDict):
    harbour: str
    date: str


class GetTidesArguments(TypedDict):
    harbour: str
    date: str
    datum: NotRequired[Literal["chart", "mean"]]


class Harbour(TypedDict):
    id: str
    name: str
    latitude: float
    longitude: float


class ListHarboursArguments(TypedDict):
    near: NotRequired[list[float]]
    limit: NotRequired[int]


class Day(TypedDict):
    harbour: str
    date: str
    tides: list[DayTidesItem]
