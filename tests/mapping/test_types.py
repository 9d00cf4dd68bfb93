from __future__ import annotations

import json
import keyword
from typing import Any

from .documents import Mapped, json_body, mapped


def ref(name: str) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{name}"}


def typed(found: Mapped) -> dict[str, Any]:
    return {name: dict(schema) for name, schema in found.catalog.types.items()}


def answered(schema: Any, **more: Any) -> dict[str, Any]:
    content = {"application/json": {"schema": schema}}
    return {"responses": {"200": {"description": "", "content": content}}, **more}


PET: dict[str, Any] = {
    "type": "object",
    "required": ["id", "name"],
    "properties": {
        "id": {"type": "integer", "readOnly": True},
        "name": {"type": "string"},
        "secret": {"type": "string", "writeOnly": True},
        "owner": {"type": "object", "properties": {"mail": {"type": "string"}}},
        "friends": {"type": "array", "items": ref("Pet")},
    },
}
PETS: dict[str, Any] = {
    "/pets": {
        "get": answered({"type": "array", "items": ref("Pet")}, operationId="listPets"),
        "post": answered(ref("Pet"), operationId="addPet", requestBody=json_body(ref("Pet"))["requestBody"]),
    }
}


def test_a_component_is_one_type_in_each_direction_that_differs() -> None:
    found = mapped(PETS, components={"schemas": {"Pet": PET}})
    types = typed(found)
    assert {*types["PetOutput"]["properties"]} == {"id", "name", "owner", "friends"}
    assert {*types["PetInput"]["properties"]} == {"name", "secret", "owner", "friends"}
    assert {*types["AddPetArguments"]["properties"]} == {"name", "secret", "owner", "friends"}
    assert found.tools["GET /pets"].result_type == {"type": "array", "items": {"$ref": "#/$defs/PetOutput"}}
    assert types["PetOutput"]["properties"]["friends"]["items"] == {"$ref": "#/$defs/PetOutput"}


def test_a_component_without_such_members_is_one_type() -> None:
    schemas = {"Pet": {"type": "object", "properties": {"name": {"type": "string"}}}}
    body = {"type": "object", "properties": {"pet": ref("Pet")}}
    found = mapped(
        {"/p": {"post": answered(ref("Pet"), operationId="p", requestBody=json_body(body)["requestBody"])}},
        components={"schemas": schemas},
    )
    assert {*typed(found)} == {"PArguments", "Pet"}


def test_objects_in_line_are_named_by_their_place() -> None:
    types = typed(mapped(PETS, components={"schemas": {"Pet": PET}}))
    assert types["PetOutput"]["properties"]["owner"] == {"$ref": "#/$defs/PetOutputOwner"}
    assert types["PetOutputOwner"]["properties"]["mail"] == {"type": "string"}


def test_names_are_unique_and_no_python() -> None:
    schemas: dict[str, Any] = {name: {"type": "object", "properties": {"a": {}}} for name in
               ("pet", "Pet", "PET", "pe-t", "any", "None", "1st", "中", "class", "TypedDict", "🎉")}  # fmt: skip
    paths = {f"/{i}": {"get": answered(ref(name))} for i, name in enumerate(schemas)}
    types = typed(mapped(paths, components={"schemas": schemas}))
    assert len({name.lower() for name in types}) == len(types)
    assert all(name.isidentifier() and not keyword.iskeyword(name) for name in types)
    assert not {"Any", "None", "TypedDict"} & types.keys()
    assert "Pet" in types


def test_a_component_called_like_a_tool_s_type() -> None:
    schemas: dict[str, Any] = {"ListPetsArguments": {"type": "object", "properties": {"a": {}}}}
    types = typed(mapped({"/p": {"get": answered(ref("ListPetsArguments"), operationId="listPets")}},
                         components={"schemas": schemas}))  # fmt: skip
    assert types["ListPetsArguments"]["properties"] == {}
    assert len(types) == 2


def test_dropping_an_operation_changes_its_own_types_only() -> None:
    schemas = {"Pet": PET, "Shop": {"type": "object", "properties": {"pets": {"type": "array", "items": ref("Pet")}}}}
    paths = PETS | {"/shops": {"get": answered(ref("Shop"), operationId="getShop")}}
    whole = typed(mapped(json.loads(json.dumps(paths)), components={"schemas": schemas}))
    for path in paths:
        rest = {key: item for key, item in json.loads(json.dumps(paths)).items() if key != path}
        types = typed(mapped(rest, components={"schemas": schemas}))
        assert {name: whole[name] for name in types} == types
    turned = dict(reversed(json.loads(json.dumps(paths)).items()))
    assert typed(mapped(turned, components={"schemas": dict(reversed(schemas.items()))})) == whole


def test_unions_and_nullable_references() -> None:
    schemas = {
        "Cat": {"type": "object", "properties": {"claws": {"type": "integer"}}},
        "Dog": {"type": ["object", "null"], "properties": {"bark": {"type": "string"}}},
        "Any": {"oneOf": [ref("Cat"), ref("Dog"), {"type": "string", "enum": ["fish"]}]},
    }
    found = mapped({"/p": {"get": answered(ref("Any"), operationId="p")}}, components={"schemas": schemas})
    (name,) = [name for name in typed(found) if name.startswith("Any")]
    assert typed(found)[name]["anyOf"] == [
        {"$ref": "#/$defs/Cat"}, {"anyOf": [{"$ref": "#/$defs/Dog"}, {"type": "null"}]}, {"enum": ["fish"]},
    ]  # fmt: skip


def test_a_base_among_its_own_variants_is_no_alias_of_itself() -> None:
    mapping = {"pet": "Pet", "cat": "Cat"}
    base: dict[str, Any] = {
        "type": "object",
        "properties": {"kind": {}},
        "discriminator": {"propertyName": "kind", "mapping": mapping},
    }
    schemas: dict[str, Any] = {"Pet": base, "Cat": {"allOf": [ref("Pet"), {"properties": {"claws": {}}}]}}
    found = mapped({"/p": {"get": answered(ref("Pet"), operationId="p")}}, components={"schemas": schemas})
    assert {"$ref": "#/$defs/Pet"} not in typed(found)["Pet"]["anyOf"]
    assert len(typed(found)["Pet"]["anyOf"]) == 2


def test_references_that_only_lead_to_themselves() -> None:
    schemas = {"A": ref("B"), "B": ref("A"), "C": {"type": "array", "items": ref("C")}}
    paths = {f"/{name}": {"get": answered(ref(name))} for name in schemas}
    assert len(mapped(paths, components={"schemas": schemas}).tools) == 3


def test_a_chain_of_a_thousand_references() -> None:
    schemas = {f"S{i}": {"type": "object", "properties": {"next": ref(f"S{i + 1}")}} for i in range(1000)}
    found = mapped({"/x": {"get": answered(ref("S0"), operationId="x")}}, components={"schemas": schemas})
    assert len(found.catalog.types) == 1001


def test_files_are_texts() -> None:
    one = {"type": "string", "format": "binary"}
    body = {"type": "object", "properties": {"a": one, "b": {"type": "array", "items": one}}}
    found = mapped({"/x": {"post": json_body(body, media_type="multipart/form-data")}})
    assert typed(found)["SendArguments"]["properties"] == {
        "a": {"type": "string"}, "b": {"type": "array", "items": {"type": "string"}},
    }  # fmt: skip
