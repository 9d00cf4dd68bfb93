from __future__ import annotations

import keyword
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolcast.mapping.names import argument_names, slug, tool_name_limit, words
from toolcast.model.lock import Lock

from .documents import mapped, properties, tool

NAME = re.compile(r"[a-z][a-z0-9_]*")


def names(*operations: tuple[str, str, str | None], lock: Lock | None = None, name: str = "api") -> dict[str, str]:
    """The names of operations, given as method, path and operationId."""
    paths: dict[str, Any] = {}
    for method, path, id_ in operations:
        paths.setdefault(path, {})[method] = {"operationId": id_} if id_ else {}
    return mapped(paths, lock=lock, name=name).names


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("getHTTPResponses-v2", "get http responses v2"),
        ("listURLs", "list urls"),
        ("pets/list-all", "pets list all"),
        ("Straße_größer", "strasse grosser"),
        ("получитьДом", "poluchit dom"),
        ("中文", "u4e2d u6587"),
        ("🎉", ""),
        ("__init__", "init"),
    ],
)
def test_words(text: str, expected: str) -> None:
    assert " ".join(words(text)) == expected


@pytest.mark.parametrize(
    ("method", "path", "id_", "expected"),
    [
        ("get", "/pets", "listPets", "list_pets"),
        ("get", "/pets", None, "get_pets"),
        ("get", "/", None, "get_root"),
        ("get", "/v1/pets/{petId}", None, "get_pets_by_pet_id"),
        ("put", "/pets/{id}/toys", None, "replace_pets_toys"),
        ("post", "/x", "2faEnable", "post_2fa_enable"),
        ("get", "/pets", "🎉", "get_pets"),
        ("get", "/pets", "___", "get_pets"),
        ("get", "/x", "Åpne dør", "apne_dor"),
        ("get", "/x", "获取用户", "u83b7_u53d6_u7528_u6237"),
    ],
)
def test_a_name(method: str, path: str, id_: str | None, expected: str) -> None:
    assert [*names((method, path, id_)).values()] == [expected]


@pytest.mark.parametrize("reserved", ["search_tools", "describe_tool", "call_tool"])
def test_the_names_of_the_search_are_reserved(reserved: str) -> None:
    (name,) = names(("get", "/x", reserved)).values()
    assert re.fullmatch(reserved + "_[0-9a-f]{4}", name)


def test_fillers_go_first_and_are_enough() -> None:
    (name,) = names(("get", "/x", "listTheOrdersOfTheCustomersForTheRegionWithTotals")).values()
    assert name == "list_orders_customers_region_totals"


def test_a_long_name_keeps_its_ends_and_takes_a_digest() -> None:
    id_ = "listParcelsInsideTheHistoricalRegionsOrderedByTheirEstimatedMarketValueDescending"
    (name,) = names(("get", "/x", id_)).values()
    assert len(name) <= tool_name_limit("api") and name.startswith("list_parcels_")
    assert re.search(r"descending_[0-9a-f]{4}$", name)


@pytest.mark.parametrize(
    ("id_", "expected"),
    [
        # what is there twice goes first, then what people abbreviate; verbs stay
        ("parcels/list-parcels-of-shelved-and-returned-kind-everywhere", "parcels_list_shelved_kind_everywhere_"),
        ("getOrganizationConfigurationAuthenticationParameters", "get_org_config_auth_params"),
        ("shelves_attach_label_to_every_parcel_that_waits_in_it", "shelves_attach_label_every"),
        ("GetShopsShopParcelsParcelLabelsLabelPrintingHistory", "get_shops_parcels_labels_printing_history_"),
    ],
)
def test_what_tells_siblings_apart_survives_shortening(id_: str, expected: str) -> None:
    (name,) = names(("get", "/x", id_)).values()
    assert name.startswith(expected), name
    assert len(name) <= tool_name_limit("api")


@pytest.mark.parametrize(("server", "limit"), [("api", 46), ("a" * 20, 39), ("a" * 60, 32)])
def test_a_long_server_name_leaves_less(server: str, limit: int) -> None:
    assert tool_name_limit(server) == limit
    (name,) = names(("get", "/x", "word" * 30), name=server).values()
    assert len(name) <= limit


def test_all_equal_candidates_take_a_digest() -> None:
    found = names(("get", "/a", "list.pets"), ("get", "/b", "list/pets"), ("get", "/c", "listPets"))
    assert len(set(found.values())) == 3
    assert all(re.fullmatch(r"list_pets_[0-9a-f]{4}", name) for name in found.values())


def test_an_id_that_is_the_name_keeps_it() -> None:
    found = names(("get", "/a", "stock.list"), ("get", "/d", "stock_list"), ("get", "/e", "stock-list"))
    assert found["GET /d"] == "stock_list"
    assert len(set(found.values())) == 3


def test_one_id_of_several_operations() -> None:
    found = mapped({"/r/{t}": {"get": {"operationId": "relay"}, "put": {"operationId": "relay"}}})
    assert len(set(found.names.values())) == 2
    assert "TC262" in found.codes


def test_a_trailing_slash_is_another_operation() -> None:
    found = names(("get", "/items/{id}", None), ("get", "/items/{id}/", None))
    assert len(set(found.values())) == 2


def test_methods_of_one_s_own() -> None:
    item: dict[str, Any] = {
        "additionalOperations": {"M-SEARCH": {"responses": {}}, "1!": {"responses": {}}, "COPY": {"responses": {}}}
    }
    found = mapped({"/x": item}, version="3.2.0")
    assert all(NAME.fullmatch(name) for name in found.names.values())
    assert len(found.names) == 3


# --- the lock


def test_adding_an_operation_renames_nothing() -> None:
    first = mapped({"/a": {"get": {"operationId": "list.pets"}}})
    second = mapped(
        {"/a": {"get": {"operationId": "list.pets"}}, "/b": {"get": {"operationId": "list_pets"}}}, lock=first.lock
    )
    assert second.names["GET /a"] == first.names["GET /a"] == "list_pets"
    assert second.names["GET /b"] != "list_pets"


def test_a_name_is_never_given_to_another_operation() -> None:
    first = mapped({"/a": {"get": {"operationId": "listPets"}}})
    second = mapped({"/b": {"post": {"operationId": "list_pets"}}}, lock=first.lock)
    assert second.names["POST /b"] != "list_pets"
    assert second.lock.retired == {"list_pets": "GET /a"}


def test_an_operation_that_moves_takes_its_name_along() -> None:
    first = mapped({"/a": {"get": {"operationId": "listPets"}}})
    second = mapped({"/v2/a": {"get": {"operationId": "listPets"}}}, lock=first.lock)
    assert second.names == {"GET /v2/a": "list_pets"}
    assert second.lock.names == {"GET /v2/a": "list_pets"}
    third = mapped(
        {"/v2/a": {"get": {"operationId": "listPets"}}, "/a": {"get": {"operationId": "old"}}}, lock=second.lock
    )
    assert third.names["GET /v2/a"] == "list_pets" and third.names["GET /a"] == "old"


def test_an_operation_with_its_place_in_the_lock_does_not_give_its_name_to_a_copy() -> None:
    first = mapped({"/a": {"get": {"operationId": "listPets"}}})
    second = mapped(
        {"/a": {"get": {"operationId": "other"}}, "/b": {"get": {"operationId": "listPets"}}}, lock=first.lock
    )
    assert second.names["GET /a"] == "list_pets"
    assert second.names["GET /b"] != "list_pets"


# --- groups


def groups(*tags: str) -> list[str]:
    """The group of an operation with each tag, in the order of the tags."""
    found = mapped({f"/{i}": {"get": {"tags": [tag]}} for i, tag in enumerate(tags)})
    by_key = {key: one.group for key, one in found.tools.items()}
    return [by_key[f"GET /{i}"] for i in range(len(tags))]


@pytest.mark.parametrize(
    "tag",
    [
        "CON",
        "nul",
        "com1",
        "class",
        "import",
        "match",
        "../../etc",
        "Ünïcode",
        "中文",
        "🎉",
        "1st",
        "a" * 300,
        "a.b",
        "types",
    ],
)
def test_a_group_is_a_module(tag: str) -> None:
    (group,) = groups(tag)
    assert re.fullmatch(r"[a-z][a-z0-9_]{0,40}", group)
    assert not keyword.iskeyword(group) and not keyword.issoftkeyword(group)
    assert group not in {"con", "nul", "com1", "types"}


def test_groups_that_come_out_alike() -> None:
    found = groups("Pet Store", "pet-store", "PET.STORE", "🎉", "🎈")
    assert len({*found}) == 5


def test_without_a_tag_the_path_gives_the_group() -> None:
    found = mapped({"/v1/pets/{id}": {"get": {}}, "/{id}": {"get": {}}})
    assert found.tools["GET /v1/pets/{id}"].group == "pets"
    assert found.tools["GET /{id}"].group == "operations"


def test_a_group_stays_with_its_operation() -> None:
    first = mapped({"/a": {"get": {"tags": ["Pets"]}}})
    second = mapped({"/a": {"get": {"tags": ["Animals"]}}}, lock=first.lock)
    assert second.tools["GET /a"].group == "pets"


@pytest.mark.parametrize(
    ("title", "expected"), [("Pet Store", "pet-store"), ("3scale", "api-3scale"), ("", "api"), ("class", "class-api")]
)
def test_slug(title: str, expected: str) -> None:
    assert slug(title) == expected
    assert len(slug("long " * 30)) <= 40


# --- arguments


def query(*names: str) -> dict[str, str]:
    """The arguments of query parameters, by wire name."""
    return {name: argument for (_, name), argument in argument_names([("query", n) for n in names], {}).items()}


@pytest.mark.parametrize("name", ["from", "class", "1Q", "vendor.name", "__init__", "X-Api", "a" * 64])
def test_what_clients_take_keeps_its_spelling(name: str) -> None:
    assert query(name) == {name: name}


@pytest.mark.parametrize(
    ("name", "expected"),
    [("filter[status]", "filter_status"), ("ids[]", "ids"), ("$top", "top"), ("größe", "grosse"), ("🎉", "value")],
)
def test_what_they_do_not_take_is_rewritten(name: str, expected: str) -> None:
    assert query(name) == {name: expected}


def test_names_that_come_out_alike_are_spelled_out() -> None:
    assert query("StartTime<", "StartTime>", "StartTime") == {
        "StartTime": "StartTime",
        "StartTime<": "StartTime_lt",
        "StartTime>": "StartTime_gt",
    }


def test_names_that_differ_in_case_only() -> None:
    assert query("Name", "name") == {"Name": "Name", "name": "name"}


def test_one_name_in_every_place() -> None:
    places = ["path", "query", "header", "cookie", "body"]
    found = argument_names([(place, "id") for place in reversed(places)], {})
    assert [found[place, "id"] for place in places] == ["id", "id_query", "id_header", "id_cookie", "id_body"]


def test_a_name_that_looks_like_a_rewritten_one_keeps_its_own() -> None:
    found = argument_names([("path", "id"), ("query", "id"), ("query", "id_query")], {})
    assert found["query", "id_query"] == "id_query"
    assert len({*found.values()}) == 3


def test_a_body_beside_an_argument_called_body() -> None:
    operation: dict[str, Any] = {
        "parameters": [{"name": "body", "in": "query", "schema": {"type": "string"}}],
        "requestBody": {"content": {"application/json": {"schema": {"type": "array", "items": {}}}}},
    }
    assert {*properties(tool(operation))} == {"body", "request_body"}


def test_the_lock_keeps_arguments_and_the_body_s_form() -> None:
    whole = {"requestBody": {"content": {"application/json": {"schema": {"type": "object"}}}}}
    first = mapped({"/a": {"post": whole}})
    assert {*properties(first.tools["POST /a"])} == {"body"}
    fields = {"type": "object", "properties": {"x": {"type": "string"}}}
    parameter = {"name": "body", "in": "query", "schema": {"type": "string"}}
    grown = {"requestBody": {"content": {"application/json": {"schema": fields}}}, "parameters": [parameter]}
    second = mapped({"/a": {"post": grown}}, lock=first.lock)
    assert {*properties(second.tools["POST /a"])} == {"body", "body_query"}


# --- laws

_ids = st.one_of(st.none(), st.text(max_size=80), st.from_regex(r"[a-zA-Z]{1,8}[._/-]?[a-zA-Z]{0,8}", fullmatch=True))
_paths = st.lists(st.sampled_from(["pets", "{id}", "v1", "items", "日本", "~", "a.b", "%7B"]), max_size=4)
_operations = st.lists(
    st.tuples(st.sampled_from(["get", "post", "delete"]), _paths.map(lambda parts: "/" + "/".join(parts)), _ids),
    max_size=12,
    unique_by=lambda operation: operation[:2],
)


@settings(max_examples=60, deadline=None)
@given(_operations, st.randoms(use_true_random=False))
def test_tool_names_are_valid_unique_and_independent_of_order(operations: list[Any], random: Any) -> None:
    found = names(*operations)
    assert all(NAME.fullmatch(name) and len(name) <= 46 for name in found.values())
    assert len({name.lower() for name in found.values()}) == len(found)
    random.shuffle(operations)
    assert names(*operations) == found


@settings(max_examples=40, deadline=None)
@given(_operations, _operations)
def test_locked_names_never_change(first: list[Any], second: list[Any]) -> None:
    paths: dict[str, Any] = {}
    for method, path, id_ in first:
        paths.setdefault(path, {})[method] = {"operationId": id_} if id_ else {}
    before = mapped(paths)
    for method, path, id_ in second:
        paths.setdefault(path, {}).setdefault(method, {"operationId": id_} if id_ else {})
    after = mapped(paths, lock=before.lock)
    assert after.names | before.names == after.names
    assert len({*after.names.values()}) == len(after.names)


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["path", "query", "header", "cookie", "body"]),
            st.one_of(
                st.text(min_size=1, max_size=70), st.sampled_from(["id", "ID", "id_query", "i[d]", "$id", "id "])
            ),
        ),
        unique=True,
        max_size=12,
    )
)
def test_argument_names_are_valid_and_injective(wanted: list[tuple[str, str]]) -> None:
    found = argument_names(wanted, {})
    assert all(re.fullmatch(r"[A-Za-z0-9_.-]{1,64}", name) for name in found.values())
    assert len({*found.values()}) == len(found) == len(wanted)
    assert argument_names(wanted[::-1], {}) == found
