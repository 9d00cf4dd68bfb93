"""Continuity: a tool keeps its name, its arguments and its body's form, whatever becomes of its API's document."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolcast.diagnostics import Failure
from toolcast.model.lock import Lock

from .documents import Mapped, mapped, properties


def api(*operations: tuple[str, str | None], lock: Lock | None = None, chosen: dict[str, str] | None = None) -> Mapped:
    """The catalog of operations, given as "GET /path" and operationId."""
    paths: dict[str, Any] = {}
    for key, id_ in operations:
        method, path = key.split(" ", 1)
        names = [part.split("}")[0] for part in path.split("{")[1:]]
        parameters = [{"name": n, "in": "path", "required": True, "schema": {"type": "string"}} for n in names]
        operation: dict[str, Any] = {"parameters": parameters} | ({"operationId": id_} if id_ else {})
        paths.setdefault(path, {})[method.lower()] = operation
    return mapped(paths, lock=lock, chosen=chosen or {})


# --- moves


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("GET /pets/{id}", "GET /pets/{petId}"),
        ("GET /pets/{id}.json", "GET /pets/{pet}.json"),
        ("GET /pets", "GET /v2/pets"),
        ("GET /v1/pets", "GET /v2/pets"),
        ("GET /api/v1beta1/pets/{id}", "GET /pets/{pet_id}"),
        ("GET /2025-01-31/pets", "GET /2026-07-01/pets"),
        ("GET /pets/{id}", "GET /shelter/pets/{id}"),
        ("GET /shelter/pets/{id}", "GET /pets/{id}"),
        ("GET /shelter/pets/{id}", "GET /kennel/pets/{id}"),
        ("GET /pets", "GET /pets/"),
    ],
)
def test_an_operation_that_moves_is_known_by_its_shape(before: str, after: str) -> None:
    first = api((before, None), ("GET /other", None))
    second = api(("GET /other", None), (after, None), lock=first.lock)
    assert second.names[after] == first.names[before]
    assert not second.lock.retired


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("GET /pets", "POST /pets"),
        ("GET /pets", "GET /pets/{id}"),
        ("GET /pets/{id}/toys", "GET /owners/{id}/toys"),
        ("GET /pets", "GET /owners"),
        ("GET /", "GET /pets"),
    ],
)
def test_what_only_looks_a_little_like_it_is_another(before: str, after: str) -> None:
    first = api((before, None))
    second = api((after, None), lock=first.lock)
    assert second.names[after] != first.names[before]
    assert second.lock.retired == {first.names[before]: before}


def test_of_several_that_it_could_be_it_is_none() -> None:
    first = api(("GET /pets", "listPets"))
    second = api(("GET /v2/pets", None), ("GET /v3/pets", None), lock=first.lock)
    assert "list_pets" not in second.names.values()
    first = api(("GET /v1/pets", "listOld"), ("GET /v2/pets", "listNew"))
    second = api(("GET /v2/pets", "listNew"), ("GET /v3/pets", "listNewest"), lock=first.lock)
    assert second.names == {"GET /v2/pets": "list_new", "GET /v3/pets": "list_newest"}


def test_a_place_that_others_have_not_left_is_no_prefix() -> None:
    first = api(("GET /users", "listUsers"), ("GET /users/{id}", "getUser"))
    second = api(("GET /users/{id}", "getUser"), ("GET /admin/users", "listAdmins"), lock=first.lock)
    assert second.names["GET /admin/users"] == "list_admins"
    assert second.lock.retired == {"list_users": "GET /users"}


def test_a_place_where_others_were_already_is_another() -> None:
    first = api(("GET /users", "listUsers"), ("POST /admin/users", "addAdmin"))
    second = api(("POST /admin/users", "addAdmin"), ("GET /admin/users", "listAdmins"), lock=first.lock)
    assert second.names["GET /admin/users"] == "list_admins"


def test_the_id_tells_before_the_shape() -> None:
    first = api(("GET /a/pets", "listPets"), ("GET /b/pets", "listDogs"))
    second = api(("GET /c/pets", "listDogs"), ("GET /d/pets", "listPets"), lock=first.lock)
    assert second.names == {"GET /c/pets": "list_dogs", "GET /d/pets": "list_pets"}


def test_the_key_tells_before_the_id() -> None:
    first = api(("GET /pets", "listPets"), ("GET /dogs", "listDogs"))
    second = api(("GET /pets", "listDogs"), ("GET /dogs", "listPets"), lock=first.lock)
    assert second.names == first.names


def test_an_id_that_was_given_up_is_free_for_others() -> None:
    first = api(("GET /pets", "list"))
    second = api(("GET /pets", "listPets"), lock=first.lock)
    third = api(("GET /dogs", "list"), lock=second.lock)
    assert third.names["GET /dogs"] != "list"
    assert third.lock.retired == {"list": "GET /pets"}


def test_an_operation_that_comes_back_takes_its_name_again() -> None:
    first = api(("GET /pets", "listPets"), ("GET /dogs", None))
    second = api(("GET /dogs", None), ("GET /cats", "list_pets"), lock=first.lock)
    assert second.lock.retired == {"list_pets": "GET /pets"}
    third = api(("GET /pets", "allPets"), ("GET /dogs", None), ("GET /cats", "list_pets"), lock=second.lock)
    assert third.names["GET /pets"] == "list_pets"
    assert third.names["GET /cats"] == second.names["GET /cats"] != "list_pets"
    assert not third.lock.retired
    elsewhere = api(("GET /animals", "listPets"), ("GET /dogs", None), lock=second.lock)
    assert elsewhere.names["GET /animals"] == "list_pets"


def test_one_that_moves_to_where_another_was_keeps_its_own_name() -> None:
    first = api(("GET /old", "old"), ("GET /new", "new"))
    second = api(("GET /new", "new"), lock=first.lock)
    third = api(("GET /old", "new"), lock=second.lock)
    assert third.names == {"GET /old": "new"}
    assert third.lock.retired == {"old": "GET /old"}


def test_a_new_collision_leaves_the_old_name_alone() -> None:
    first = api(("GET /a", "list.pets"))
    second = api(("GET /a", "list.pets"), ("GET /b", "listPets"), ("GET /c", "list_pets"), lock=first.lock)
    assert second.names["GET /a"] == "list_pets"
    assert len({*second.names.values()}) == 3


def test_arguments_group_and_body_go_along_with_a_move() -> None:
    schema = {"type": "object", "properties": {"name": {"type": "string"}}}
    post: dict[str, Any] = {
        "tags": ["Pets"],
        "parameters": [
            {"name": "shop[id]", "in": "path", "required": True, "schema": {"type": "string"}},
            {"name": "filter[x]", "in": "query", "schema": {"type": "string"}},
        ],
        "requestBody": {"content": {"application/json": {"schema": {"type": "array", "items": {}}}}},
    }
    first = mapped({"/{shop[id]}/pets": {"post": post}})
    post["parameters"][0]["name"] = "store"
    post["tags"] = ["Animals"]
    post["requestBody"]["content"]["application/json"]["schema"] = schema
    second = mapped({"/v2/{store}/pets": {"post": post}}, lock=first.lock)
    (before,), (after,) = first.catalog.tools, second.catalog.tools
    assert {*properties(before)} == {*properties(after)} == {"shop_id", "filter_x", "body"}
    assert (before.name, before.group) == (after.name, after.group)


@pytest.mark.parametrize(
    ("required", "schema"),
    [
        (False, {"required": ["name"]}),
        (True, {"additionalProperties": True}),
        (True, {"patternProperties": {"^x-": {}}}),
    ],
)
def test_fields_that_are_arguments_stay_arguments(required: bool, schema: dict[str, Any]) -> None:
    def body(required: bool, more: dict[str, Any]) -> dict[str, Any]:
        whole = {"type": "object", "properties": {"name": {"type": "string"}}, **more}
        return {"requestBody": {"required": required, "content": {"application/json": {"schema": whole}}}}

    first = mapped({"/pets": {"post": body(True, {})}})
    assert {*properties(first.tools["POST /pets"])} == {"name"}
    fresh = mapped({"/pets": {"post": body(required, schema)}})
    assert {*properties(fresh.tools["POST /pets"])} == {"body"}
    second = mapped({"/pets": {"post": body(required, schema)}}, lock=first.lock)
    assert {*properties(second.tools["POST /pets"])} == {"name"}
    assert second.lock.bodies == {"POST /pets": "fields"}


def test_a_body_that_has_no_fields_any_more_is_one_argument() -> None:
    def body(schema: Any) -> dict[str, Any]:
        return {"requestBody": {"required": True, "content": {"application/json": {"schema": schema}}}}

    first = mapped({"/pets": {"post": body({"type": "object", "properties": {"name": {"type": "string"}}})}})
    second = mapped({"/pets": {"post": body({"type": "array", "items": {"type": "string"}})}}, lock=first.lock)
    assert {*properties(second.tools["POST /pets"])} == {"body"}
    assert second.lock.bodies == {"POST /pets": "whole"}


def test_names_outlive_the_dialect() -> None:
    schema = {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}}}
    old = {
        "swagger": "2.0",
        "info": {"title": "Api", "version": "1"},
        "host": "api.test",
        "basePath": "/v1",
        "consumes": ["application/json"],
        "paths": {
            "/pets/{petId}": {
                "put": {
                    "parameters": [
                        {"name": "petId", "in": "path", "required": True, "type": "string"},
                        {"name": "pet", "in": "body", "required": True, "schema": schema},
                    ],
                    "responses": {"200": {"description": "OK"}},
                }
            }
        },
    }
    first = mapped({}, whole=old)
    put = {
        "operationId": "putPet",
        "parameters": [{"name": "petId", "in": "path", "required": True, "schema": {"type": "string"}}],
        "requestBody": {"required": True, "content": {"application/json": {"schema": schema}}},
    }
    second = mapped({"/pets/{petId}": {"put": put}}, lock=first.lock)
    assert second.names == first.names
    assert {*properties(second.tools["PUT /pets/{petId}"])} == {*properties(first.tools["PUT /pets/{petId}"])}


# --- names that the owner chooses


def test_a_chosen_name_makes_the_old_one_an_alias() -> None:
    pets, dogs = ("GET /pets", "listPets"), ("GET /dogs", "listDogs")
    first = api(pets, dogs)
    second = api(pets, dogs, lock=first.lock, chosen={"GET /pets": "pets"})
    assert second.names == {"GET /pets": "pets", "GET /dogs": "list_dogs"}
    assert second.catalog.aliases == {"list_pets": "pets"}
    third = api(pets, dogs, lock=second.lock, chosen={"GET /pets": "animals"})
    assert third.catalog.aliases == {"list_pets": "animals", "pets": "animals"}
    without = api(pets, dogs, lock=third.lock)
    assert without.names == third.names and without.catalog.aliases == third.catalog.aliases
    back = api(pets, dogs, lock=third.lock, chosen={"GET /pets": "list_pets"})
    assert back.names == first.names
    assert back.catalog.aliases == {"animals": "list_pets", "pets": "list_pets"}


def test_a_chosen_name_at_first_has_no_alias() -> None:
    found = api(("GET /a", "pets"), ("GET /b", "listB"), chosen={"GET /b": "pets"})
    assert found.names["GET /b"] == "pets" and found.names["GET /a"] != "pets"
    assert not found.catalog.aliases


def test_the_aliases_of_a_tool_that_is_gone_retire_with_it_and_come_back() -> None:
    pets, dogs = ("GET /pets", "listPets"), ("GET /dogs", "listDogs")
    first = api(pets, dogs)
    second = api(pets, dogs, lock=first.lock, chosen={"GET /pets": "pets"})
    third = api(dogs, lock=second.lock)
    assert third.catalog.aliases == {}
    assert third.catalog.retired == {"list_pets": "", "pets": ""}
    fourth = api(dogs, pets, ("GET /cats", "list_pets"), lock=third.lock)
    assert fourth.names["GET /pets"] == "pets" and fourth.catalog.aliases == {"list_pets": "pets"}
    assert fourth.names["GET /cats"] not in ("pets", "list_pets")


@pytest.mark.parametrize("name", ["", "Pets", "2pets", "list-pets", "päts", "_pets", "a" * 47, "search_tools"])
def test_a_name_that_cannot_be_is_refused(name: str) -> None:
    with pytest.raises(Failure) as failure:
        api(("GET /pets", "listPets"), chosen={"GET /pets": name})
    told = failure.value.diagnostic
    assert told.code == "TC613" and told.location is not None and told.location.pointer == "/tools/GET /pets"
    assert told.help


def test_the_name_of_another_is_refused_now_and_ever() -> None:
    pets, dogs = ("GET /pets", "listPets"), ("GET /dogs", "listDogs")
    first = api(pets, dogs)
    renamed = api(pets, dogs, lock=first.lock, chosen={"GET /dogs": "dogs"})
    gone = api(pets, lock=first.lock)
    tries = (
        (first.lock, {"GET /pets": "list_dogs"}, "name of GET /dogs"),
        (first.lock, {"GET /pets": "list_dogs", "GET /dogs": "list_pets"}, "name of"),
        (renamed.lock, {"GET /pets": "list_dogs"}, "was the name of GET /dogs"),
        (Lock(), {"GET /pets": "x", "GET /dogs": "x"}, "2 tools would be called 'x'"),
    )
    for lock, chosen, reason in tries:
        with pytest.raises(Failure) as failure:
            api(pets, dogs, lock=lock, chosen=chosen)
        assert failure.value.diagnostic.code == "TC613"
        assert reason in failure.value.diagnostic.message
    with pytest.raises(Failure, match="was the name of GET /dogs"):
        api(pets, lock=gone.lock, chosen={"GET /pets": "list_dogs"})


def test_what_took_the_place_of_a_tool_is_known() -> None:
    first = api(("GET /v1/pets", "listPets"), ("GET /v2/pets", "searchPets"), ("GET /dogs", "listDogs"))
    second = api(("GET /v2/pets", "searchPets"), lock=first.lock)
    assert second.catalog.retired == {"list_dogs": "", "list_pets": "search_pets"}


# --- where requests and credentials go


def test_the_lock_says_where_requests_and_credentials_go() -> None:
    flows = {
        "clientCredentials": {"tokenUrl": "https://id.test/token", "scopes": {"read": "", "write": "", "admin": ""}}
    }
    root: dict[str, Any] = {
        "servers": [
            {"url": "https://{region}.Api.test:443/v1", "variables": {"region": {"default": "eu"}}},
            {"url": "http://localhost:8080"},
            {"url": "/relative"},
        ],
        "components": {
            "securitySchemes": {
                "key": {"type": "apiKey", "in": "header", "name": "X-Key"},
                "oauth": {"type": "oauth2", "flows": flows},
                "unused": {"type": "http", "scheme": "basic"},
                "basic": {"type": "http", "scheme": "Basic"},
            }
        },
        "security": [{"key": []}, {"oauth": ["read"]}],
    }
    paths: dict[str, Any] = {
        "/a": {"get": {}, "servers": [{"url": "https://files.test/x"}]},
        "/b": {"get": {"security": [{"oauth": ["write"], "basic": []}]}},
        "/c": {"get": {"deprecated": True, "security": [{"oauth": ["admin"]}]}},
    }
    lock = mapped(paths, **root).lock
    assert lock.origins == ("http://localhost:8080", "https://eu.api.test", "https://files.test")
    assert lock.credentials == {
        "basic": {"type": "http", "scheme": "basic"},
        "key": {"type": "apiKey", "in": "header", "name": "X-Key"},
        "oauth": {
            "type": "oauth2",
            "flows": {"clientCredentials": {"tokenUrl": "https://id.test/token"}},
            "scopes": ["read", "write"],
        },
    }


# --- laws


@dataclass(frozen=True)
class Op:
    """An operation with an identity of its own, which the generator does not see."""

    number: int
    method: str
    prefix: str
    placeholder: str
    id: str | None

    @property
    def key(self) -> str:
        """What the document calls it."""
        return f"{self.method} {self.prefix}/kind{self.number}/{{{self.placeholder}}}"


_METHODS = st.sampled_from(["GET", "POST", "DELETE"])
_PREFIXES = st.sampled_from(["", "/v1", "/v2", "/api/v3", "/shop"])
_EDITS = st.lists(
    st.tuples(
        st.sampled_from(
            ["add", "collide", "remove", "return", "id", "no id", "placeholder", "move", "release", "turn"]
        ),
        st.integers(0, 9),
        _METHODS,
        _PREFIXES,
    ),
    min_size=1,
    max_size=4,
)


def edited(ops: list[Op], gone: list[Op], used: list[str], edit: tuple[str, int, str, str]) -> None:
    """Carry out one edit of an API."""
    kind, at, method, prefix = edit
    number = len(used)
    here = ops[at % len(ops)] if ops else None
    match kind:
        case "add" | "collide":
            # One whose id gives the name that another has, or had.
            id_ = f"op{number}" if kind == "add" else used[at % len(used)].replace("op", "op_") if used else None
            id_ = None if id_ in used else id_
            ops.insert(at % (len(ops) + 1), Op(number, method, ops[0].prefix if ops else "", "id", id_))
            used.append(id_ or f"op{number}")
        case "return" if gone:
            op = gone.pop(at % len(gone))
            ops.append(op)
        case "release":  # the whole API moves
            ops[:] = [replace(op, prefix=prefix) for op in ops]
        case "turn":
            ops.reverse()
        case _ if here is None:
            pass
        case "remove":
            ops.remove(here)
            gone.append(here)
        case "id" | "no id":
            used.append(f"new{number}")
            ops[ops.index(here)] = replace(here, id=f"new{number}" if kind == "id" else None)
        case "placeholder":
            ops[ops.index(here)] = replace(here, placeholder=f"id{number % 3}")
        case "move" if here.id is not None:
            ops[ops.index(here)] = replace(here, prefix=f"/moved{at}")
        case _:
            pass


@settings(max_examples=60, deadline=None)
@given(st.lists(_EDITS, min_size=2, max_size=6))
def test_names_survive_and_never_pass_from_one_operation_to_another(versions: list[Any]) -> None:
    ops: list[Op] = []
    gone: list[Op] = []
    used: list[str] = []
    owners: dict[str, int] = {}  # of every name that was ever given
    names: dict[int, str] = {}
    lock = Lock()
    for edits in versions:
        before, away = {op.number: op for op in ops}, {op.number for op in gone}
        for edit in edits:
            # An operation of which id and path change at once is another one, for all that a document says; so is one
            # that comes back elsewhere.
            changed = [op for op in ops if before.get(op.number, op) != op]
            back = any(op.number in away for op in ops)
            if edit[0] in ("add", "collide", "return", "turn", "remove") or not (changed or back):
                edited(ops, gone, used, edit)
        found = api(*((op.key, op.id) for op in ops), lock=lock)
        lock = found.lock
        now = {op.number: found.names[op.key] for op in ops}
        assert len({*now.values()}) == len(now)
        for number, name in now.items():
            assert names.get(number, name) == name
            assert owners.setdefault(name, number) == number
        names |= now
