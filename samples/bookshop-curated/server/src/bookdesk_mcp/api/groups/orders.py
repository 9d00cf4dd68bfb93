"""The till: Orders, from the first line to the cancellation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..._runtime.operation import Content, Field, Header, Operation, Path, Query

if TYPE_CHECKING:
    from ..types import (
        AddOrderLineArguments,
        CancelOrderArguments,
        CreateOrderArguments,
        GetOrderArguments,
        ListOrdersArguments,
        ListOrdersResult,
        OrderOutput,
    )

LIST_ORDERS: Operation[ListOrdersArguments, ListOrdersResult] = Operation(
    name="list_orders",
    method="GET",
    path="/orders",
    bindings=(
        Query("customerId"),
        Query("filter_status", name="filter[status]", explode=False),
        Query("placedSince"),
        Query("cursor"),
        Query("limit"),
    ),
    accept=("application/json", "application/problem+json"),
    security=(("apiKey",),),
)
"""Lists orders from the newest to the oldest."""

CREATE_ORDER: Operation[CreateOrderArguments, OrderOutput] = Operation(
    name="create_order",
    method="POST",
    path="/orders",
    bindings=(Header("Idempotency-Key"), Field("customerId"), Field("lines"), Field("payment"), Field("note")),
    body=Content(required=True),
    accept=("application/json", "application/problem+json"),
    security=(("apiKey",),),
)
"""Place an order."""

GET_ORDER: Operation[GetOrderArguments, OrderOutput] = Operation(
    name="get_order",
    method="GET",
    path="/orders/{orderId}",
    bindings=(Path("orderId"),),
    accept=("application/json", "application/problem+json"),
    security=(("apiKey",),),
)
"""Get an order"""

CANCEL_ORDER: Operation[CancelOrderArguments, OrderOutput] = Operation(
    name="cancel_order",
    method="POST",
    path="/orders/{orderId}/cancel",
    bindings=(Path("orderId"), Field("reason"), Field("comment")),
    body=Content(),
    accept=("application/json", "application/problem+json"),
    security=(("apiKey",),),
    defaults=(("reason", "changed_mind"),),
)
"""Cancel an open order."""

ADD_ORDER_LINE: Operation[AddOrderLineArguments, OrderOutput] = Operation(
    name="add_order_line",
    method="POST",
    path="/orders/{orderId}/lines",
    bindings=(Path("orderId"), Field("bookId"), Field("quantity")),
    body=Content(required=True),
    accept=("application/json", "application/problem+json"),
    security=(("apiKey",),),
)
"""Add a line to an open order."""
