from __future__ import annotations

import copy
import json
import time
from typing import Any

import pytest

from toolcast.load import yaml
from toolcast.load.upgrade import upgrade

NULL = {"type": "null"}


def upgraded(text: str) -> Any:
    root: Any = yaml.read(text, "api.yaml").value
    upgrade(root)
    once = copy.deepcopy(root)
    upgrade(root)
    assert root == once
    return root


def schema(text: str) -> Any:
    """A schema after the upgrade."""
    other = "Other: {type: string}"
    return upgraded(f"openapi: 3.0.3\ncomponents: {{schemas: {{{other}, It: {text}}}}}")["components"]["schemas"]["It"]


SCHEMAS: list[tuple[str, object]] = [
    ("{type: string, nullable: true}", {"type": ["string", "null"]}),
    ("{type: string, nullable: false}", {"type": "string"}),
    ("{type: [string, 'null'], nullable: true}", {"type": ["string", "null"]}),
    ("{type: string, enum: [a], nullable: true}", {"type": ["string", "null"], "enum": ["a", None]}),
    ("{enum: [a, null], nullable: true}", {"enum": ["a", None]}),
    ("{enum: [a], nullable: true}", {"enum": ["a", None]}),
    ("{type: string, const: a, nullable: true}", {"type": ["string", "null"], "enum": ["a", None]}),
    ("{nullable: true, description: any}", {"description": "any"}),
    (
        "{$ref: '#/components/schemas/Other', nullable: true, description: d, x-a: 1}",
        {"description": "d", "x-a": 1, "anyOf": [{"$ref": "#/components/schemas/Other"}, NULL]},
    ),
    (
        "{allOf: [{$ref: '#/components/schemas/Other'}], nullable: true}",
        {"anyOf": [{"allOf": [{"$ref": "#/components/schemas/Other"}]}, NULL]},
    ),
    (
        "{type: object, nullable: true, required: [a], properties: {a: {}}, allOf: [{type: object}]}",
        {
            "anyOf": [
                {"type": "object", "required": ["a"], "properties": {"a": {}}, "allOf": [{"type": "object"}]},
                NULL,
            ]
        },
    ),
    ("{anyOf: [{type: string}], nullable: true}", {"anyOf": [{"type": "string"}, NULL]}),
    ("{oneOf: [{type: string}], nullable: true}", {"oneOf": [{"type": "string"}, NULL]}),
    (
        "{oneOf: [{type: string, nullable: true}], nullable: true}",
        {"oneOf": [{"type": ["string", "null"]}]},
    ),
    (
        "{oneOf: [{type: object}], discriminator: {propertyName: t}, nullable: true}",
        {"anyOf": [{"oneOf": [{"type": "object"}], "discriminator": {"propertyName": "t"}}, NULL]},
    ),
    ("{minimum: 1, exclusiveMinimum: true}", {"exclusiveMinimum": 1}),
    ("{maximum: 0, exclusiveMaximum: true}", {"exclusiveMaximum": 0}),
    ("{maximum: 9, exclusiveMaximum: false}", {"maximum": 9}),
    ("{exclusiveMinimum: true}", {}),
    ("{exclusiveMinimum: 3, minimum: 1}", {"exclusiveMinimum": 3, "minimum": 1}),
    ("{example: null}", {"examples": [None]}),
    ("{example: 1, examples: [2]}", {"examples": [1, 2]}),
    ("{example: 1, examples: [1]}", {"examples": [1]}),
    ("{items: [{type: string, nullable: true}]}", {"prefixItems": [{"type": ["string", "null"]}]}),
    ("{items: []}", {}),
    ("{items: [{}], additionalItems: {type: string}}", {"prefixItems": [{}], "items": {"type": "string"}}),
    ("{definitions: {a: {nullable: true, type: string}}}", {"$defs": {"a": {"type": ["string", "null"]}}}),
    (
        "{properties: {a: {type: string, required: true}, b: {required: false}}, required: [c]}",
        {"properties": {"a": {"type": "string"}, "b": {}}, "required": ["c", "a"]},
    ),
    (
        "{required: true, properties: {a: {required: true, properties: {b: {required: true}}}}}",
        {"properties": {"a": {"properties": {"b": {}}, "required": ["b"]}}, "required": ["a"]},
    ),
    (
        "{properties: {a: {$ref: '#/components/schemas/Other', nullable: true, required: true}}}",
        {"properties": {"a": {"anyOf": [{"$ref": "#/components/schemas/Other"}, NULL]}}, "required": ["a"]},
    ),
    ("{type: string, required: true}", {"type": "string"}),
]


@pytest.mark.parametrize(("old", "new"), SCHEMAS)
def test_a_schema(old: str, new: object) -> None:
    assert schema(old) == new


DATA = "{nullable: true, type: string, example: 1, required: true}"


@pytest.mark.parametrize(
    "place",
    [
        "{default: DATA}",
        "{enum: [DATA]}",
        "{const: DATA}",
        "{examples: [DATA]}",
        "{x-extension: DATA}",
        "{x-extension: {schema: DATA, properties: {a: DATA}}}",
        "{properties: {example: {type: string}, nullable: {type: boolean}, default: {type: string}}}",
        "{dependentRequired: {a: [b]}}",
    ],
)
def test_data_stays_as_it_is(place: str) -> None:
    text = place.replace("DATA", DATA)
    assert schema(text) == yaml.read(text, "").value


def test_an_example_keeps_its_value() -> None:
    assert schema(f"{{example: {DATA}}}") == {"examples": [yaml.read(DATA, "").value]}


PLACES = [
    "paths: {/a: {parameters: [{schema: SCHEMA}]}}",
    "paths: {/a: {get: {parameters: [{content: {a/b: {schema: SCHEMA}}}]}}}",
    "paths: {/a: {query: {requestBody: {content: {a/b: {schema: SCHEMA}}}}}}",
    "paths: {/a: {additionalOperations: {COPY: {responses: {'200': {content: {a/b: {itemSchema: SCHEMA}}}}}}}}",
    "paths: {/a: {get: {responses: {'200': {headers: {x-rate: {schema: SCHEMA}}}}}}}",
    "paths: {/a: {put: {requestBody: {content: {a/b: {encoding: {p: {headers: {h: {schema: SCHEMA}}}}}}}}}}",
    "paths: {/a: {put: {callbacks: {c: {'{$url}': {post: {parameters: [{schema: SCHEMA}]}}}}}}}",
    "webhooks: {a: {post: {requestBody: {content: {a/b: {schema: SCHEMA}}}}}}",
    "components: {schemas: {x-name: SCHEMA}}",
    "components: {parameters: {a: {schema: SCHEMA}}}",
    "components: {headers: {a: {schema: SCHEMA}}}",
    "components: {requestBodies: {a: {content: {a/b: {schema: SCHEMA}}}}}",
    "components: {responses: {a: {content: {a/b: {schema: SCHEMA}}}}}",
    "components: {pathItems: {a: {get: {parameters: [{schema: SCHEMA}]}}}}",
    "components: {mediaTypes: {a: {schema: SCHEMA}}}",
    "paths: {/a: {get: {parameters: [{schema: {$ref: '#/x-models/a~1b'}}]}}}\nx-models: {a/b: SCHEMA}",
]
INSIDE = [
    "SCHEMA",
    *(f"{{{word}: SCHEMA}}" for word in ("items", "not", "additionalProperties", "contains", "if", "then", "else")),
    *(f"{{{word}: SCHEMA}}" for word in ("propertyNames", "unevaluatedItems", "unevaluatedProperties")),
    *(f"{{{word}: [SCHEMA]}}" for word in ("allOf", "anyOf", "oneOf", "prefixItems")),
    *(f"{{{word}: {{x-a: SCHEMA}}}}" for word in ("properties", "patternProperties", "dependentSchemas", "$defs")),
]


@pytest.mark.parametrize("place", PLACES)
def test_every_place_of_a_schema_is_visited(place: str) -> None:
    for inside in INSIDE:
        text = place.replace("SCHEMA", inside)
        new = upgraded(text.replace("SCHEMA", "{type: string, nullable: true}"))
        assert new == yaml.read(text.replace("SCHEMA", "{type: [string, 'null']}"), "").value


@pytest.mark.parametrize(
    "place",
    [
        "paths: {x-a: {get: {parameters: [{schema: SCHEMA}]}}}",
        "paths: {/a: {get: {responses: {x-a: {content: {a/b: {schema: SCHEMA}}}}}}}",
        "paths: {/a: {get: {parameters: [{example: {schema: SCHEMA}, examples: {e: {value: SCHEMA}}}]}}}",
        "components: {examples: {a: {value: {schema: SCHEMA}}}}",
        "x-schemas: {a: SCHEMA}",
        "info: {schema: SCHEMA}",
    ],
)
def test_no_other_place_is(place: str) -> None:
    text = place.replace("SCHEMA", DATA)
    assert upgraded(text) == yaml.read(text, "").value


def test_shared_nodes_are_done_once_for_every_owner() -> None:
    root = upgraded("""
components:
  schemas:
    A: &a {type: string, nullable: true, example: x}
    B: {properties: &p {id: {type: string, required: true}, a: *a}}
    C: {properties: *p, required: &r [a]}
    D: {properties: *p, required: *r}
    E: {<<: *a, maxLength: 5}
""")
    schemas = root["components"]["schemas"]
    assert schemas["A"] == {"type": ["string", "null"], "examples": ["x"]}
    assert schemas["B"]["required"] == ["id"]
    assert schemas["C"]["required"] == schemas["D"]["required"] == ["a", "id"]
    assert schemas["B"]["properties"]["id"] == {"type": "string"}
    assert schemas["E"] == {"type": ["string", "null"], "examples": ["x"], "maxLength": 5}


def test_references_follow_what_was_moved() -> None:
    root = upgraded("""
components:
  schemas:
    Box:
      type: object
      nullable: true
      allOf: [{type: object}]
      properties: {lid: {type: string}}
      definitions: {Inner: {type: object, definitions: {Deep: {type: string}}}}
    Row: {type: array, items: [{type: string}, {type: integer}]}
    Uses:
      properties:
        a: {$ref: '#/components/schemas/Box/definitions/Inner'}
        b: {$ref: '#/components/schemas/Box/definitions/Inner/definitions/Deep'}
        c: {$ref: '#/components/schemas/Row/items/1'}
        d: {$ref: '#/components/schemas/Box/properties/lid'}
        e: {$ref: '#/components/schemas/Box/properties/gone'}
        f: {$ref: '#/components/schemas/Row'}
""")
    uses = root["components"]["schemas"]["Uses"]["properties"]
    here = "#/components/schemas"
    assert uses["a"]["$ref"] == f"{here}/Box/$defs/Inner"
    assert uses["b"]["$ref"] == f"{here}/Box/$defs/Inner/$defs/Deep"
    assert uses["c"]["$ref"] == f"{here}/Row/prefixItems/1"
    assert uses["d"]["$ref"] == f"{here}/Box/anyOf/0/properties/lid"
    assert uses["e"]["$ref"] == f"{here}/Box/properties/gone"
    assert uses["f"]["$ref"] == f"{here}/Row"


def test_references_in_circles_end() -> None:
    text = "components: {schemas: {A: {$ref: '#/components/schemas/B'}, B: {$ref: '#/components/schemas/A'}}}"
    assert upgraded(text) == yaml.read(text, "").value
    assert upgraded("components: {schemas: {A: {$ref: '#'}}}")


def test_depth_and_size_do_not_matter() -> None:
    deep: Any = {"type": "string", "nullable": True}
    for _ in range(5000):
        deep = {"items": deep}
    wide = {f"S{n}": {"type": "string", "nullable": True} for n in range(50_000)}
    root: Any = {"components": {"schemas": {"Deep": deep, **wide}}}
    began = time.monotonic()
    upgrade(root)
    assert time.monotonic() - began < 3
    for _ in range(5000):
        deep = deep["items"]
    assert deep == root["components"]["schemas"]["S49999"] == {"type": ["string", "null"]}


@pytest.mark.parametrize("text", ["{schema: 1}", "[1]", "'text'", "{a: [{b: null}]}", "null", "5"])
@pytest.mark.parametrize("place", ["paths", "components", "webhooks"])
def test_odd_shapes_are_left_alone(place: str, text: str) -> None:
    root: Any = json.loads(json.dumps(yaml.read(f"{place}: {text}", "").value))
    assert upgraded(f"{place}: {text}") == root
