"""Arguments that come by the names that the API has for them."""

from __future__ import annotations

from typing import Any

import pytest
from runtime.naming import renamed
from runtime.operation import Arguments, Body, Cookie, Field, Header, Operation, Path, Query, Querystring

from .conftest import Upstream, call, text

OPERATION: Operation[Any, Any] = Operation(
    name="t",
    method="POST",
    path="/{pet-id}",
    bindings=(
        Path("pet_id", name="pet id"),
        Query("filter_status", name="filter[status]"),
        Query("grosse", name="größe"),
        Query("id"),
        Query("page_size", name="page size"),
        Header("trace", name="X-Trace-Id"),
        Header("id_header", name="id"),
        Cookie("page_size_cookie", name="page size"),
        Cookie("theme", name="the-theme"),
        Querystring("all", media_type="application/json"),
        Field("type", name="@type"),
        Field("lt", name="<"),
        Body("body"),
    ),
)


@pytest.mark.parametrize(
    ("given", "taken"),
    [
        ({"filter[status]": "open"}, {"filter_status": "open"}),
        ({"größe": 1, "pet id": 2, "the-theme": 3}, {"grosse": 1, "pet_id": 2, "theme": 3}),
        ({"@type": "T", "<": 5}, {"type": "T", "lt": 5}),
        ({"X-Trace-Id": "a"}, {"trace": "a"}),
        ({"x-trace-ID": "a"}, {"trace": "a"}),
        ({"filter[status]": None}, {"filter_status": None}),
        ({"body": {"<": 1}, "all": {"größe": 1}}, {"body": {"<": 1}, "all": {"größe": 1}}),
    ],
)
def test_a_name_on_the_wire_is_the_argument_that_it_means(given: Arguments, taken: Arguments) -> None:
    assert renamed(OPERATION, given) == taken


@pytest.mark.parametrize(
    "given",
    [
        {"filter[status]": "a", "filter_status": "b"},  # the argument itself was given
        {"id": 1},  # an argument's own name, whatever else is called so on the wire
        {"page size": 1},  # two arguments are called so
        {"x-trace-id": "a", "X-TRACE-ID": "b"},  # one argument, twice
        {"Filter[Status]": "a"},  # only names of headers mind no case
        {"other": 1},
        {},
    ],
)
def test_what_is_not_clear_stays(given: Arguments) -> None:
    assert renamed(OPERATION, given) == given


def test_the_order_stays() -> None:
    assert [*renamed(OPERATION, {"<": 1, "id": 2, "größe": 3})] == ["lt", "id", "grosse"]


def test_a_call_takes_them(server: Any, upstream: Upstream) -> None:
    result = call(server, "list_pets", {"filter[status]": "sold", "limit": 1})
    assert not result.is_error, text(result)
    assert upstream.received[-1].target.startswith("/pets?limit=1&filter%5Bstatus%5D=sold")
    refused = call(server, "list_pets", {"filter[status]": "sold", "filter_status": "sold"})
    assert "unknown: filter[status]" in text(refused)
    assert "must be" in text(call(server, "list_pets", {"filter[status]": "lost"}))
    assert len(upstream.received) == 1


def test_what_is_no_object_is_left_to_the_check(server: Any) -> None:
    assert "must be an object" in text(call(server, "list_pets", ["limit"]))
