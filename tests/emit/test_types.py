"""Types: what the type generator makes of schemas, and how a type is named where it is used."""

from __future__ import annotations

import ast

import pytest

from toolcast.emit.types import expression, types_module
from toolcast.model.json import Json, Schema


def test_no_types_make_an_empty_module() -> None:
    assert len(ast.parse(types_module({})).body) == 2  # its docstring and the future import


def test_names_and_references_stay() -> None:
    types: dict[str, Schema] = {
        "Tree": {
            "type": "object",
            "properties": {"children": {"type": "array", "items": {"$ref": "#/$defs/Tree"}}, "not-a-name": {}},
            "required": ["not-a-name"],
        },
        "Kind": {"enum": ["a", "b", None]},
    }
    module = types_module(types)
    assert "from datetime" not in module
    scope: dict[str, object] = {}
    exec(compile(module, "types.py", "exec"), scope)
    assert {"Tree", "Kind"} <= scope.keys()


def test_it_does_not_depend_on_the_order_of_schemas() -> None:
    one: dict[str, Schema] = {name: {"type": "object", "properties": {"a": {"type": "string"}}} for name in "BCA"}
    assert types_module(one) == types_module(dict(sorted(one.items())))


@pytest.mark.parametrize(
    ("schema", "written"),
    [
        ({"$ref": "#/$defs/Pet"}, "Pet"),
        ({"type": "array", "items": {"$ref": "#/$defs/Pet"}}, "list[Pet]"),
        ({"type": "array"}, "list[Any]"),
        ({"type": "object"}, "dict[str, Any]"),
        ({"type": "string"}, "str"),
        ({"type": "integer"}, "int"),
        ({"type": "number"}, "float"),
        ({"type": "boolean"}, "bool"),
        ({"type": "null"}, "None"),
        ({"type": ["string", "null"]}, "Any"),
        ({}, "Any"),
    ],
)
def test_a_type_is_written_as_python_writes_it(schema: Schema, written: str) -> None:
    assert expression(schema) == written


def test_very_many_types_are_made_in_runs_of_those_that_hang_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are the same, and each stands there once."""
    reference: Json = {"$ref": "#/$defs/B"}
    schemas: dict[str, Schema] = {
        "A": {"type": "object", "properties": {"b": {"type": "array", "items": reference}}, "required": ["b"]},
        "B": {"type": "object", "properties": {"kind": {"type": "string", "enum": ["x", "y"]}}},
        "C": {"type": "object", "properties": {"any": {}}},
        "D": {"type": "object", "properties": {"if": {"type": "integer"}}},
        "E": {"type": "string"},
    }

    def made() -> dict[str, str]:
        nodes = ast.parse(types_module(schemas)).body
        named = [node for node in nodes if not isinstance(node, (ast.ImportFrom, ast.Expr))]
        assert isinstance(nodes[0], ast.Expr)  # the docstring, and what is imported from the future after it
        assert isinstance(nodes[1], ast.ImportFrom)
        assert nodes[1].module == "__future__"
        return {ast.unparse(node).split("\n")[0]: ast.unparse(node) for node in named}

    whole = made()
    monkeypatch.setattr("toolcast.emit.types._MOST", 2)
    assert made() == whole
    assert len(whole) == len(schemas)
