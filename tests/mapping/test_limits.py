"""Every tool keeps to the limits of every client."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest

from toolcast.diagnostics import Report
from toolcast.emit.render import listed
from toolcast.load.document import load
from toolcast.mapping.catalog import catalog
from toolcast.mapping.expressions import portable
from toolcast.model import limits
from toolcast.model.config import Config
from toolcast.model.lock import Lock
from toolcast.parse.api import parse

from .documents import mapped

ROOT = Path(__file__).parents[2]
DOCUMENTS = sorted([*(ROOT / "tests/documents/accepted").glob("*.yaml"), ROOT / "samples/bookshop/openapi.yaml"])
FOREIGN = {"oneOf", "allOf", "not", "const", "if", "then", "else", "nullable", "discriminator", "xml", "example"}


def tools(path: Path) -> list[dict[str, Any]]:
    """The list of a document's tools."""
    report = Report()
    made, _ = catalog(parse(load(str(path), report, validate=False), report), Config(name="api"), Lock(), report)
    return json.loads(json.dumps([listed(tool) for tool in made.tools]))


def schemas(schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """A schema and those inside of it."""
    yield schema
    inner: list[Any] = [schema.get(key) for key in ("items", "additionalProperties", "propertyNames")]
    inner += [part for key in ("properties", "$defs") for part in schema.get(key, {}).values()]
    inner += [part for key in ("anyOf", "prefixItems") for part in schema.get(key, [])]
    for part in inner:
        assert not isinstance(part, bool) or part is schema.get("additionalProperties"), part
        if isinstance(part, dict):
            yield from schemas(cast("dict[str, Any]", part))


def test_each_limit_has_a_name_and_a_source() -> None:
    ids = [limit.id for limit in limits.LIMITS]
    assert len(ids) == len({*ids}) and all(limit.source and limit.what and limit.client for limit in limits.LIMITS)
    assert all(re.fullmatch(r"[a-z]+(-[a-z]+)*", id_) for id_ in ids)


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.stem)
def test_every_tool_keeps_to_them(path: Path) -> None:
    found = tools(path)
    for tool in found:
        assert re.fullmatch(r"[a-z][a-z0-9_]*", tool["name"]) and len(tool["name"]) <= limits.TOOL_NAME
        assert 0 < len(tool["description"]) <= limits.DESCRIPTION
        size = len(json.dumps({k: v for k, v in tool.items() if k != "outputSchema"}, ensure_ascii=False))
        assert size <= limits.TOOL_CHARACTERS
        root = tool["inputSchema"]
        assert root["type"] == "object" and root["additionalProperties"] is False
        assert not root.keys() - {"type", "properties", "required", "additionalProperties", "$defs"}
        assert tool.get("outputSchema", root)["type"] == "object"
        for schema in schemas(root):
            assert not FOREIGN & schema.keys() and not any(key.startswith("x-") for key in schema), schema
            assert {*schema.get("required", [])} <= {*schema.get("properties", {})}
            assert all(limits.PROPERTY_KEY.fullmatch(key) for key in schema.get("properties", {}))
            assert "items" in schema or "array" not in str(schema.get("type"))
            assert portable(schema.get("pattern", "")) == schema.get("pattern", "")
            assert not ("default" in schema and "anyOf" in schema)
            values = schema.get("enum", ["a"])
            assert "" not in values and len({json.dumps(value) for value in values}) == len(values) > 0
    names = [tool["name"] for tool in found]
    assert len({*names}) == len(names)


def test_an_independent_judge_agrees() -> None:
    judge = ROOT.parent / "shared/judge/clients.py"
    if not judge.is_file():
        pytest.skip("there is no ../shared/judge")
    scope: dict[str, Any] = {"__name__": "judge"}
    exec(compile(judge.read_text("utf-8"), str(judge), "exec"), scope)
    for path in DOCUMENTS:
        assert scope["check"](tools(path), "api") == {}, path.name


def test_an_object_with_very_many_properties_is_looked_at_in_part() -> None:
    schema = {"type": "object", "properties": {f"p{number}": {"type": "string"} for number in range(6_000)}}
    answer = {"200": {"description": "All", "content": {"application/json": {"schema": schema}}}}
    made = mapped({"/x": {"get": {"responses": answer}}})
    assert made.codes.count("TC252") == 1


def test_what_stands_beside_a_reference_to_such_an_object_stays() -> None:
    schema = {"type": "object", "properties": {f"p{number}": {"type": "string"} for number in range(6_000)}}
    fields = {name: {"$ref": "#/components/schemas/Wide", "description": f"The {name}."} for name in ("one", "other")}
    body = {"content": {"application/json": {"schema": {"type": "object", "properties": fields}}}}
    made = mapped({"/x": {"post": {"requestBody": body}}}, components={"schemas": {"Wide": schema}})
    told = json.dumps(made.catalog.tools[0].input_schema)
    assert "The one." in told and "The other." in told
