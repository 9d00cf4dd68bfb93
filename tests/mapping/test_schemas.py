from __future__ import annotations

import json
import time
from typing import Any, cast

import jsonschema_rs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolcast.diagnostics import Report
from toolcast.mapping.directions import Direction
from toolcast.mapping.references import References
from toolcast.mapping.schemas import Schemas
from toolcast.mapping.tokens import Sizes
from toolcast.mapping.trimming import Aim
from toolcast.model.document import Document

from .documents import answer_of, body_of, json_body, mapped, properties, tool

NULL = {"type": "null"}
CLEARS = {"type": "string", "maxLength": 0, "description": "empty: clears the value"}


def components(**schemas: Any) -> dict[str, Any]:
    """The root's components."""
    return {"schemas": schemas}


def ref(name: str) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{name}"}


def subschemas(value: Any) -> list[dict[str, Any]]:
    """Every object in a value."""
    if isinstance(value, dict):
        named = cast("dict[str, Any]", value)
        return [named, *(sub for part in named.values() for sub in subschemas(part))]
    return [sub for part in cast("list[Any]", value) for sub in subschemas(part)] if isinstance(value, list) else []


KEYWORDS: list[tuple[dict[str, Any], dict[str, Any]]] = [
    # types
    ({"type": "string"}, {"type": "string"}),
    ({"type": ["string", "null"]}, {"type": ["string", "null"]}),
    ({"type": "String"}, {"type": "string"}),
    ({"type": "datetime"}, {"type": "string"}),
    ({"type": "nonsense"}, {}),
    ({"minLength": 1}, {"type": "string", "minLength": 1}),
    ({"properties": {"a": {}}}, {"type": "object", "properties": {"a": {}}}),
    ({"items": {"type": "string"}}, {"type": "array", "items": {"type": "string"}}),
    # enums
    ({"type": "string", "enum": ["a", "b", "a"]}, {"type": "string", "enum": ["a", "b"]}),
    ({"enum": ["a"]}, {"type": "string", "enum": ["a"]}),
    ({"const": 1}, {"type": "integer", "enum": [1]}),
    ({"type": "string", "enum": [1, True]}, {"type": "string", "enum": ["1", "true"]}),
    ({"type": "integer", "enum": ["1", "2"]}, {"type": "integer", "enum": [1, 2]}),
    ({"type": "integer", "enum": ["a"]}, {"type": "string", "enum": ["a"]}),
    ({"type": "string", "enum": ["a", ""]}, {"anyOf": [{"type": "string", "enum": ["a"]}, CLEARS]}),
    ({"type": "string", "enum": [""]}, CLEARS),
    ({"enum": [None]}, NULL),
    ({"const": None}, NULL),
    ({"type": ["string", "null"], "enum": ["a", None]}, {"type": ["string", "null"], "enum": ["a", None]}),
    ({"type": ["string", "null"], "enum": ["a"]}, {"type": "string", "enum": ["a"]}),
    # strings
    (
        {"type": "string", "format": "binary"},
        {"type": "string", "format": "byte", "description": "Bytes, as base64."},
    ),
    ({"type": "string", "format": "date"}, {"type": "string", "format": "date"}),
    ({"type": "string", "pattern": "^a"}, {"type": "string", "pattern": "^a"}),
    ({"type": "string", "pattern": "("}, {"type": "string", "description": "Pattern: ("}),
    ({"type": "string", "pattern": r"\p{L}"}, {"type": "string", "description": r"Pattern: \p{L}"}),
    ({"type": "string", "pattern": "[a[b]"}, {"type": "string", "description": "Pattern: [a[b]"}),
    ({"type": "string", "pattern": "/^a$/i"}, {"type": "string", "description": "Pattern: /^a$/i"}),
    ({"type": "string", "pattern": "/a/"}, {"type": "string", "pattern": "/a/"}),
    ({"type": "string", "contentEncoding": "base64"}, {"type": "string", "description": "Encoded as base64."}),
    # numbers and counts
    ({"type": "integer", "minimum": 1, "minLength": 2}, {"type": "integer", "minimum": 1}),
    ({"type": "number", "minimum": "1"}, {"type": "number"}),
    ({"type": "number", "multipleOf": 0}, {"type": "number"}),
    ({"type": "array", "minItems": 1.0}, {"type": "array", "items": {}, "minItems": 1}),
    # arrays
    ({"type": "array"}, {"type": "array", "items": {}}),
    ({"type": "array", "items": True}, {"type": "array", "items": {}}),
    (
        {"type": "array", "prefixItems": [{"type": "string"}], "items": False},
        {"type": "array", "prefixItems": [{"type": "string"}], "items": {}, "maxItems": 1},
    ),
    # objects
    ({"type": "object", "additionalProperties": True}, {"type": "object"}),
    ({"type": "object", "additionalProperties": False}, {"type": "object", "additionalProperties": False}),
    (
        {"type": "object", "additionalProperties": {"type": "string"}},
        {"type": "object", "additionalProperties": {"type": "string"}},
    ),
    ({"type": "object", "required": ["a"]}, {"type": "object", "properties": {"a": {}}, "required": ["a"]}),
    (
        {"type": "object", "properties": {"a": True, "b": False}, "required": ["a", "b", "a"]},
        {"type": "object", "properties": {"a": {}}, "required": ["a"]},
    ),
    (
        {"type": "object", "properties": {"a": {}, "b[]": {}}, "additionalProperties": False},
        {"type": "object", "properties": {"a": {}}, "description": "Also takes `b[]`."},
    ),
    (
        {"type": "object", "properties": {"a": {"type": "string", "readOnly": True}, "b": {"writeOnly": True}}},
        {"type": "object", "properties": {"b": {}}},
    ),
    (
        {"type": "object", "propertyNames": {"enum": ["a"]}},
        {"type": "object", "propertyNames": {"type": "string", "enum": ["a"]}},
    ),
    # unions
    (
        {"oneOf": [{"type": "string"}, {"type": "integer"}]},
        {"anyOf": [{"type": "string"}, {"type": "integer"}]},
    ),
    ({"anyOf": [{"type": "string"}, NULL]}, {"type": ["string", "null"]}),
    ({"anyOf": [{"type": "string", "enum": ["a"]}, NULL]}, {"type": ["string", "null"], "enum": ["a", None]}),
    ({"anyOf": [{"type": "string"}, {"type": "string"}]}, {"type": "string"}),
    ({"anyOf": [{"type": "string"}, {}]}, {}),
    (
        {"oneOf": [{"const": "a", "description": "First"}, {"const": "b"}]},
        {"type": "string", "enum": ["a", "b"], "description": "a: First"},
    ),
    (
        {"anyOf": [{"anyOf": [{"type": "string"}, {"type": "boolean"}]}, {"type": "integer"}]},
        {"anyOf": [{"type": "string"}, {"type": "boolean"}, {"type": "integer"}]},
    ),
    (
        {"type": "object", "properties": {"a": {}, "b": {}}, "anyOf": [{"required": ["a"]}, {"required": ["b"]}]},
        {"type": "object", "properties": {"a": {}, "b": {}}, "description": "Needs `a` or `b`."},
    ),
    # allOf
    (
        {"allOf": [{"properties": {"a": {}}, "required": ["a"]}, {"properties": {"b": {}}}]},
        {"type": "object", "properties": {"a": {}, "b": {}}, "required": ["a"]},
    ),
    ({"allOf": [{"type": "integer", "minimum": 1}, {"minimum": 3}]}, {"type": "integer", "minimum": 3}),
    # conditions are told, not checked
    (
        {"type": "object", "properties": {"a": {}}, "if": {}, "then": {"properties": {"b": {}}, "required": ["b"]}},
        {"type": "object", "properties": {"a": {}, "b": {}}},
    ),
    (
        {"type": "object", "properties": {"a": {}}, "dependentSchemas": {"a": {"properties": {"b": {}}}}},
        {"type": "object", "properties": {"a": {}, "b": {}}},
    ),
    # annotations
    ({"type": "string", "title": "A title"}, {"type": "string", "description": "A title"}),
    ({"type": "string", "description": "<b>Bold</b>"}, {"type": "string", "description": "Bold"}),
    ({"type": "string", "deprecated": True}, {"type": "string", "description": "Deprecated."}),
    ({"type": "integer", "default": 1}, {"type": "integer", "default": 1}),
    ({"type": "integer", "default": "one"}, {"type": "integer"}),
    (
        {"anyOf": [{"type": "integer", "default": 1}, {"type": "string"}], "default": 1},
        {"anyOf": [{"type": "integer"}, {"type": "string"}]},
    ),
    ({"type": "string", "example": "a"}, {"type": "string", "examples": ["a"]}),
    ({"type": "string", "example": 1}, {"type": "string"}),
    ({"type": "string", "xml": {}, "externalDocs": {}, "x-a": 1, "not": {}, "$comment": "c"}, {"type": "string"}),
]


@pytest.mark.parametrize(("schema", "expected"), KEYWORDS, ids=lambda value: json.dumps(value)[:60])
def test_a_keyword(schema: dict[str, Any], expected: dict[str, Any]) -> None:
    assert body_of(schema) == expected


def test_references_are_inlined_wherever_they_stand() -> None:
    box = {"type": "object", "properties": {"n": {"type": "integer"}}}
    schema = {
        "type": "object",
        "propertyNames": ref("Key"),
        "additionalProperties": ref("Box"),
    }
    made = body_of(schema, components=components(Box=box, Key={"enum": ["box"]}))
    assert made["additionalProperties"]["properties"]["n"] == {"type": "integer"}
    assert made["propertyNames"] == {"type": "string", "enum": ["box"]}


def test_escaped_pointers() -> None:
    paths = {"/books/{id}": {"get": {"parameters": [{"name": "id", "in": "path", "schema": {"minimum": 7}}]}}}
    pointer = "#/paths/~1books~1%7Bid%7D/get/parameters/0/schema"
    made = mapped(paths | {"/x": {"post": json_body({"type": "object", "properties": {"it": {"$ref": pointer}}})}})
    assert properties(made.tools["POST /x"])["it"] == {"minimum": 7}


@pytest.mark.parametrize(
    ("version", "expected"),
    [
        ("3.1.0", {"type": "string", "description": "Here", "maxLength": 5}),
        ("3.0.3", {"type": "string", "description": "Here"}),
    ],
)
def test_beside_a_reference(version: str, expected: dict[str, Any]) -> None:
    schema = {**ref("Text"), "description": "Here", "maxLength": 5}
    assert body_of(schema, version=version, components=components(Text={"type": "string"})) == expected


def test_a_broken_reference_is_said_once_and_takes_anything() -> None:
    item = json_body({"type": "object", "properties": {"it": ref("Gone"), "b": ref("Gone")}})
    found = mapped({"/x": {"post": item}})
    assert found.codes.count("TC250") == 1
    assert "type" not in properties(found.tools["POST /x"])["it"]


def test_two_unions_that_hold_together_keep_every_field_reachable() -> None:
    schema: dict[str, Any] = {
        "allOf": [
            {"oneOf": [{"properties": {"a": {}}, "required": ["a"]}, {"properties": {"b": {}}, "required": ["b"]}]},
            {"oneOf": [{"properties": {"c": {}}}, {"properties": {"d": {}}}]},
        ]
    }
    made = body_of(schema)
    assert [{*branch["properties"]} for branch in made["anyOf"]] == [{"a", "c", "d"}, {"b", "c", "d"}]


# --- discriminators

PET: dict[str, Any] = {
    "type": "object",
    "required": ["kind"],
    "properties": {"kind": {"type": "string"}},
    "discriminator": {"propertyName": "kind", "mapping": {"cat": "#/components/schemas/Cat", "dog": "Dog"}},
}
CAT = {"allOf": [ref("Pet"), {"properties": {"claws": {"type": "integer"}}}]}
DOG = {"allOf": [ref("Pet"), {"properties": {"owner": ref("Pet")}}]}


def test_a_mapping_leads_to_the_children_each_with_its_tag() -> None:
    made = body_of(ref("Pet"), components=components(Pet=PET, Cat=CAT, Dog=DOG))
    cat, dog = made["anyOf"]
    assert cat["properties"]["kind"]["enum"] == ["cat"] and "claws" in cat["properties"]
    assert dog["properties"]["kind"]["enum"] == ["dog"] and "owner" in dog["properties"]


def test_children_that_only_build_on_a_base_are_reachable() -> None:
    base = PET | {"discriminator": {"propertyName": "kind"}}
    puppy: dict[str, Any] = {"allOf": [ref("Dog"), {"properties": {"age": {}}}]}
    made = body_of(ref("Pet"), components=components(Pet=base, Cat=CAT, Dog=DOG, Puppy=puppy))
    assert [{*branch["properties"]} for branch in made["anyOf"]] == [
        {"kind", "claws"},
        {"kind", "owner"},
        {"kind", "owner", "age"},
    ]
    assert made["anyOf"][0]["properties"]["kind"]["examples"] == ["Cat"]


def test_a_base_that_is_one_of_its_own_variants() -> None:
    mapping = {"pet": "Pet", "cat": "Cat"}
    base = PET | {"discriminator": {"propertyName": "kind", "mapping": mapping}}
    made = body_of(ref("Pet"), components=components(Pet=base, Cat=CAT, Dog=DOG))
    assert [branch["properties"]["kind"]["enum"] for branch in made["anyOf"]] == [["pet"], ["cat"]]


def test_a_child_on_its_own_is_no_union() -> None:
    made = body_of(ref("Cat"), components=components(Pet=PET, Cat=CAT, Dog=DOG))
    assert {*made["properties"]} == {"kind", "claws"}


# --- cycles and budgets


def test_a_cycle_is_cut_at_its_second_level() -> None:
    node = {"type": "object", "properties": {"name": {}, "next": ref("Node")}}
    made = body_of(ref("Node"), components=components(Node=node))
    assert made["properties"]["next"]["properties"]["next"] == {"type": "object", "description": "Fields: name, next."}


def test_what_is_outside_of_a_cycle_starts_anew() -> None:
    node = {"type": "object", "properties": {"next": ref("Node"), "leaf": ref("Leaf")}}
    leaf = {"type": "object", "properties": {"x": {"type": "integer"}}}
    made = body_of(ref("Node"), components=components(Node=node, Leaf=leaf))
    assert made["properties"]["next"]["properties"]["leaf"]["properties"]["x"] == {"type": "integer"}


def test_references_that_only_lead_to_themselves() -> None:
    made = body_of(ref("A"), components=components(A=ref("B"), B=ref("A"), C={"allOf": [ref("C")]}))
    assert "$ref" not in made


def test_schemas_that_all_refer_to_each_other_take_linear_time() -> None:
    names = [f"S{i}" for i in range(30)]
    schemas = {name: {"type": "object", "properties": {f"to{other}": ref(other) for other in names}} for name in names}
    began = time.process_time()
    made = mapped(
        {f"/{name}": {"post": json_body(ref(name)), "get": {}} for name in names}, components={"schemas": schemas}
    )
    assert time.process_time() - began < 5
    assert all(len(json.dumps(one.input_schema)) < 12_000 for one in made.catalog.tools)


def test_a_document_deeper_than_anything_else() -> None:
    schemas = {f"S{i}": {"type": "object", "properties": {"next": ref(f"S{i + 1}")}} for i in range(300)}
    made = mapped(
        {"/all": {"post": json_body(ref("S0"))}, "/half": {"post": json_body(ref("S150"))}},
        components={"schemas": schemas},
    )
    alone = mapped({"/half": {"post": json_body(ref("S150"))}}, components={"schemas": schemas})
    assert made.tools["POST /half"].input_schema == alone.tools["POST /half"].input_schema


def big(levels: int, width: int) -> dict[str, Any]:
    fields = {f"field{i}": {"type": "string", "description": "Some words " * 20} for i in range(width)}
    inner = {"inner": big(levels - 1, width)} if levels else {}
    return {"type": "object", "properties": {**fields, **inner}}


def test_over_the_budget_deep_objects_name_their_fields() -> None:
    found = mapped({"/x": {"post": json_body({"type": "object", "properties": {"it": big(8, 20)}})}})
    made = found.tools["POST /x"].input_schema
    assert Sizes().tokens(json.loads(json.dumps(made))) <= 2_000
    assert "Fields: field0, field1" in json.dumps(made)
    assert "TC305" in found.codes


def test_over_the_budget_required_objects_stay_longer_than_optional_ones() -> None:
    body = {"type": "object", "required": ["must"], "properties": {"must": big(1, 12), "may": big(3, 30)}}
    made = properties(tool(json_body(body)))
    assert "properties" in made["must"]
    assert "properties" not in made["may"]["properties"]["inner"]


def test_within_the_budget_nothing_is_cut() -> None:
    made = properties(tool(json_body({"type": "object", "properties": {"it": big(1, 3)}})))
    assert made["it"]["properties"]["field0"]["description"].startswith("Some words Some words")


def test_a_union_of_many_objects_is_cut_to_one_that_tells_their_tags() -> None:
    def branch(i: int) -> dict[str, Any]:
        fields: dict[str, Any] = {f"f{i}_{j}": {"type": "object", "properties": {"x": {}}} for j in range(30)}
        return {"type": "object", "properties": {"kind": {"const": f"k{i}"}, **fields}}

    made = body_of({"oneOf": [branch(i) for i in range(40)]})
    assert made["type"] == "object"
    assert "`kind` is one of k0, k1" in made["description"] and "Fields: kind, f0_0" in made["description"]


def test_hidden_characters_and_vendor_keys_are_nowhere() -> None:
    made = tool(
        json_body({"type": "object", "properties": {"it": {"type": "string", "description": "a\u200bb\u202e"}}})
    )
    assert "\\u200b" not in json.dumps(made.input_schema)


# --- laws

_names = st.sampled_from(["a", "b", "kind", "it", "x y", "é", "readOnly"])
_leaf: st.SearchStrategy[Any] = st.one_of(
    st.booleans(),
    st.none(),
    st.integers(-3, 3),
    st.text(max_size=4),
    st.fixed_dictionaries({"type": st.sampled_from(["string", "integer", "null", "object", "array", "file", "?"])}),
    st.fixed_dictionaries({"$ref": st.sampled_from(["#/components/schemas/A", "#/components/schemas/B", "#/x", "no"])}),
    st.fixed_dictionaries({"enum": st.lists(st.one_of(st.none(), st.text(max_size=2), st.integers(), st.booleans()))}),
    st.fixed_dictionaries({"pattern": st.one_of(st.text(max_size=6), st.sampled_from(["(", "[a[", r"\p{L}", "a++"]))}),
)


def _schemas(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    listed, named = st.lists(inner, max_size=3), st.dictionaries(_names, inner, max_size=3)
    return st.fixed_dictionaries(
        {},
        optional={
            "type": st.one_of(
                st.sampled_from(["string", "integer", "object", "array"]), st.lists(st.sampled_from(["null", "object"]))
            ),
            "properties": named,
            "items": inner,
            "prefixItems": listed,
            "allOf": listed,
            "anyOf": listed,
            "oneOf": listed,
            "not": inner,
            "then": inner,
            "dependentSchemas": named,
            "additionalProperties": inner,
            "patternProperties": named,
            "propertyNames": inner,
            "required": st.lists(_names, max_size=2),
            "enum": st.lists(
                st.one_of(st.none(), st.text(max_size=2), st.floats(allow_nan=False, allow_infinity=False)), max_size=3
            ),
            "default": inner,
            "example": inner,
            "description": st.text(max_size=10),
            "minimum": st.one_of(st.integers(), st.text(max_size=2)),
            "maxLength": st.integers(-2, 5),
            "readOnly": st.booleans(),
            "$ref": st.sampled_from(["#/components/schemas/A", "#/components/schemas/B", "#"]),
            "discriminator": st.fixed_dictionaries(
                {"propertyName": _names},
                optional={"mapping": st.dictionaries(_names, st.sampled_from(["A", "B", "C"]), max_size=2)},
            ),
        },
    )


_anything = st.recursive(_leaf, _schemas, max_leaves=14)


@settings(max_examples=200, deadline=None)
@given(_anything, _anything, _anything, st.sampled_from(["3.0.3", "3.1.0"]), st.integers(0, 3))
def test_whatever_is_written_what_comes_out_is_a_schema(a: Any, b: Any, it: Any, version: str, depth: int) -> None:
    root: Any = {"components": {"schemas": {"A": a, "B": b}}}
    source = Document(
        address="", file="", url=None, version=version, root=root, files={}, digest="", lines=lambda _: None
    )

    def made(direction: Direction, aim: Aim) -> Any:
        schemas = Schemas(References(source, Report()), Sizes())
        return schemas.trimmed(schemas.draft(it, direction), aim)

    directions: tuple[Direction, ...] = ("input", "output")
    for direction in directions:
        for aim in (Aim(), Aim(text=20, optional=0, depth=depth, values=2, examples=False), Aim(text=20, rules=False)):
            schema = made(direction, aim)
            text = json.dumps(schema)
            assert json.dumps(made(direction, aim)) == text
            assert jsonschema_rs.meta.is_valid({"$schema": "https://json-schema.org/draft/2020-12/schema", **schema})
            jsonschema_rs.Draft202012Validator(schema)
            keys = {key for sub in subschemas(_without_values(schema)) for key in sub}
            assert not keys & {"$ref", "oneOf", "allOf", "not", "const", "discriminator", "example", "then"}
            assert not any(key.startswith("$") for key in keys)


def _without_values(schema: Any) -> Any:
    """A schema without members that hold values, and without the names of properties."""
    if isinstance(schema, list):
        return [_without_values(part) for part in cast("list[Any]", schema)]
    if not isinstance(schema, dict):
        return schema
    members = cast("dict[str, Any]", schema).items()
    kept = {key: value for key, value in members if key not in ("enum", "default", "examples", "required")}
    named: dict[str, Any] = kept.pop("properties", {})
    return {
        **{key: _without_values(value) for key, value in kept.items()},
        "": [_without_values(v) for v in named.values()],
    }


# --- answers


@pytest.mark.parametrize(
    ("schema", "expected", "wrapped"),
    [
        (
            {"type": "object", "required": ["a"], "properties": {"a": {"type": "integer", "minimum": 1}}},
            {"type": "object", "properties": {"a": {"type": ["integer", "string", "null"]}}},
            False,
        ),
        (
            {"type": "array", "items": {"type": "string", "enum": ["a"]}},
            {
                "type": "object",
                "properties": {"result": {"type": ["array", "null"], "items": {"type": ["string", "null"]}}},
            },
            True,
        ),
        (
            {"type": "integer"},
            {"type": "object", "properties": {"result": {"type": ["integer", "string", "null"]}}},
            True,
        ),
        ({}, {"type": "object", "properties": {"result": {}}}, True),
        ({"type": ["object", "null"]}, {"type": "object"}, False),
        (
            {"oneOf": [{"properties": {"a": {"type": "string"}}}, {"properties": {"a": {"type": "boolean"}, "b": {}}}]},
            {"type": "object", "properties": {"a": {}, "b": {}}},
            False,
        ),
        (
            {"type": "object", "properties": {"a": {"type": "string", "writeOnly": True}, "b": {"readOnly": True}}},
            {"type": "object", "properties": {"b": {}}},
            False,
        ),
    ],
)
def test_an_answer_is_an_object_and_loose(schema: Any, expected: Any, wrapped: bool) -> None:
    made = answer_of(schema)
    assert (made.output_schema, made.wrapped) == (expected, wrapped)


def test_an_answer_without_json_has_no_schema() -> None:
    made = tool({"responses": {"204": {"description": "Gone"}}}, method="delete")
    assert made.output_schema is None and made.result_type == {"type": "null"}


def test_all_answers_count() -> None:
    def answer(name: str) -> dict[str, Any]:
        schema = {"type": "object", "properties": {name: {"type": "string"}}}
        return {"description": "", "content": {"application/json": {"schema": schema}}}

    made = tool({"responses": {"200": answer("a"), "202": answer("b"), "400": answer("c")}})
    assert made.output_schema is not None
    assert made.output_schema["properties"] == {"a": {"type": ["string", "null"]}, "b": {"type": ["string", "null"]}}


def test_an_answer_has_a_budget() -> None:
    made = answer_of(big(8, 30))
    assert Sizes().tokens(json.loads(json.dumps(made.output_schema))) <= 1_000
