"""People."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..._runtime.operation import Operation, Path, Query

if TYPE_CHECKING:
    from ..types import CustomerOutput, GetCustomerArguments, ListCustomersArguments, ListCustomersResult

LIST_CUSTOMERS: Operation[ListCustomersArguments, ListCustomersResult] = Operation(
    name="list_customers",
    method="GET",
    path="/customers",
    bindings=(Query("filter_email", name="filter[email]"), Query("cursor"), Query("limit")),
    accept=("application/json", "application/problem+json"),
    security=(("apiKey", "staffToken"),),
)
"""Lists customers by id. For staff."""

GET_CUSTOMER: Operation[GetCustomerArguments, CustomerOutput] = Operation(
    name="get_customer",
    method="GET",
    path="/customers/{customerId}",
    bindings=(Path("customerId"),),
    accept=("application/json", "application/problem+json"),
    security=(("apiKey",),),
)
"""Get a customer"""
