from __future__ import annotations

from typing import Any

import pytest

from toolcast.mapping.tokens import text_tokens

from .documents import json_body, mapped

PET: dict[str, Any] = {"type": "object", "properties": {"id": {"type": "string"}, "name": {"type": "string"}}}
PETS: dict[str, Any] = {
    "200": {"description": "OK", "content": {"application/json": {"schema": {"type": "array", "items": PET}}}}
}
ID: dict[str, Any] = {"name": "petId", "in": "path", "required": True, "schema": {"type": "string"}}
LIST = {"operationId": "listPets", "summary": "All pets", "responses": PETS, "tags": ["pets"]}
SEARCH = {"summary": "Finds", **json_body(PET), "operationId": "searchPets", "responses": PETS, "tags": ["pets"]}
GET = {"operationId": "getPet", "summary": "A pet", "parameters": [ID], "tags": ["pets"]}


def _said(paths: dict[str, Any]) -> dict[str, list[str]]:
    """What each tool says after its first line and before its answer."""
    lines = {tool.name: tool.description.split("\n")[1:] for tool in mapped(paths).catalog.tools}
    return {name: [line for line in said if not line.startswith("Answer: ")] for name, said in lines.items()}


def test_each_says_which_to_take_when() -> None:
    said = _said({"/pets": {"get": LIST}, "/pets/search": {"post": SEARCH}, "/pets/{petId}": {"get": GET}})
    assert said == {
        "list_pets": ["To search, take search_pets; by petId, get_pet."],
        "search_pets": ["To list all, take list_pets; by petId, get_pet."],
        "get_pet": ["list_pets or search_pets give the petId."],
    }


def test_where_an_id_comes_from_is_told_where_the_document_says_so() -> None:
    assert _said({"/pets": {"get": LIST}, "/pets/{petId}": {"get": GET}}) == {
        "list_pets": [],
        "get_pet": ["list_pets gives the petId."],
    }
    nameless: dict[str, Any] = {
        "200": {"description": "OK", "content": {"application/json": {"schema": {"type": "array"}}}}
    }
    assert _said({"/pets": {"get": {**LIST, "responses": nameless}}, "/pets/{petId}": {"get": GET}})["get_pet"] == []
    slug = {**ID, "name": "slug"}
    assert _said({"/pets": {"get": LIST}, "/pets/{slug}": {"get": {**GET, "parameters": [slug]}}})["get_pet"] == []


def test_an_envelope_lists_as_well() -> None:
    page = {"type": "object", "properties": {"data": {"type": "array", "items": PET}}}
    paged: dict[str, Any] = {"200": {"description": "OK", "content": {"application/json": {"schema": page}}}}
    assert _said({"/pets": {"get": {**LIST, "responses": paged}}, "/pets/{petId}": {"get": GET}})["get_pet"]


def test_only_a_reading_search_is_one() -> None:
    saved = {**SEARCH, "summary": "Saves a search", "operationId": "saveSearch"}
    assert _said({"/pets": {"get": LIST}, "/pets/search": {"post": saved}})["list_pets"] == []


def test_siblings_are_those_of_a_group() -> None:
    other = {**SEARCH, "tags": ["others"]}
    assert _said({"/pets": {"get": LIST}, "/pets/search": {"post": other}})["list_pets"] == []


@pytest.mark.parametrize(("alone", "method"), [(True, "put"), (True, "patch"), (False, "")])
def test_a_replacement_and_a_change_name_each_other(alone: bool, method: str) -> None:
    one = {
        "put": {**json_body(PET), "operationId": "replacePet", "summary": "Puts", "parameters": [ID]},
        "patch": {**json_body(PET), "operationId": "updatePet", "summary": "Patches", "parameters": [ID]},
    }
    said = _said({"/pets/{petId}": {method: one[method]} if alone else one})
    if alone:
        assert [*said.values()] == [[]]
    else:
        assert said == {
            "replace_pet": ["To change only some fields, take update_pet."],
            "update_pet": ["To replace the whole, take replace_pet."],
        }


def test_one_and_several() -> None:
    said = _said(
        {
            "/pets": {"post": {"operationId": "createPet", "summary": "Makes"}},
            "/pets/batch": {"post": {"operationId": "createPets", "summary": "Makes more"}},
        }
    )
    assert said == {
        "create_pet": ["For several at once, take create_pets."],
        "create_pets": ["For one, take create_pet."],
    }


def test_two_scopes_of_one_text() -> None:
    shop = {"name": "shop", "in": "path", "required": True, "schema": {"type": "string"}}
    said = _said(
        {
            "/pets": {"get": {"operationId": "listAll", "summary": "List pets", "tags": ["pets"]}},
            "/shops/{shop}/pets": {
                "get": {"operationId": "listOfShop", "summary": "List pets", "tags": ["pets"], "parameters": [shop]}
            },
        }
    )
    assert said == {"list_all": ["For one shop, take list_of_shop."], "list_of_shop": ["Without shop, take list_all."]}


def test_a_sentence_costs_little_and_stays_when_the_text_is_cut() -> None:
    found = mapped(
        {
            "/pets": {"get": {**LIST, "description": "Many words. " * 300}},
            "/pets/search": {"post": SEARCH},
            "/pets/{petId}": {"get": GET},
        }
    )
    for tool in found.catalog.tools:
        assert len(tool.description) <= 1024
        said = [line for line in tool.description.split("\n") if " take " in line or " give " in line]
        assert len(said) == 1 and text_tokens(said[0]) <= 20
    assert "TC301" in found.codes


def test_no_order_matters() -> None:
    paths = {"/pets": {"get": LIST}, "/pets/search": {"post": SEARCH}, "/pets/{petId}": {"get": GET}}
    assert _said(paths) == _said(dict(reversed(paths.items())))
