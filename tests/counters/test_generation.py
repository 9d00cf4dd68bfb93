"""How much is done to read a document and to map it: in proportion to it, and once for what it shares."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

import documents
from tests.counters.counting import calls
from toolcast.diagnostics import Report
from toolcast.load.document import load
from toolcast.mapping.catalog import catalog
from toolcast.model.config import Config
from toolcast.model.lock import Lock
from toolcast.parse.api import parse

SOURCE = "/generator/toolcast/"
# A fifth above what they take now; what makes them take more has to be worth it.
CALLS_OF_AN_OPERATION = 1_500
CALLS_TO_LOAD_AN_OPERATION = 125


def written(folder: Path, document: Any, *, as_yaml: bool = False) -> str:
    path = folder / f"api.{'yaml' if as_yaml else 'json'}"
    path.write_text(yaml.safe_dump(document) if as_yaml else json.dumps(document), "utf-8")
    return str(path)


def loading(folder: Path, document: Any, *, as_yaml: bool = False) -> int:
    """The calls that it takes to load a document."""
    address = written(folder, document, as_yaml=as_yaml)
    with calls(SOURCE) as found:
        load(address, Report(), validate=False)
    return found.total()


def mapping(folder: Path, document: Any) -> int:
    """The calls that it takes to map a document that is loaded."""
    loaded = load(written(folder, document), Report(), validate=False)
    report = Report()
    with calls(SOURCE) as found:
        catalog(parse(loaded, report), Config(name="api"), Lock(), report)
    return found.total()


def _document(paths: Any, schemas: Any) -> Any:
    components = {"schemas": schemas}
    return {"openapi": "3.1.0", "info": {"title": "A", "version": "1"}, "paths": paths, "components": components}


def sharing(operations: int, fields: int) -> Any:
    """Operations that all take, and give, an object inside of which is the same large one."""
    large = {"type": "object", "properties": {f"field_{n}": {"type": "string"} for n in range(fields)}}
    holder = {"type": "object", "properties": {"inner": {"$ref": "#/components/schemas/Large"}}}
    content = {"application/json": {"schema": holder}}
    paths = {
        f"/thing{n}": {
            "put": {
                "operationId": f"replace_thing{n}",
                "summary": "Replace it",
                "requestBody": {"content": content},
                "responses": {"200": {"description": "Done", "content": content}},
            }
        }
        for n in range(operations)
    }
    return _document(paths, {"Large": large})


def circle(count: int) -> Any:
    """So many schemas, each of which has a field for each of the others."""
    schemas = {
        f"S{n}": {
            "type": "object",
            "properties": {f"s{m}": {"$ref": f"#/components/schemas/S{m}"} for m in range(count) if m != n},
        }
        for n in range(count)
    }
    content = {"application/json": {"schema": {"$ref": "#/components/schemas/S0"}}}
    paths = {"/s": {"put": {"operationId": "put_s", "requestBody": {"content": content}, "responses": {}}}}
    return _document(paths, schemas)


def test_what_mapping_takes_grows_with_the_operations(tmp_path: Path) -> None:
    mapping(tmp_path, documents.family(5))  # so that what is imported and compiled once is there
    small, middle, large = (mapping(tmp_path, documents.family(count)) for count in (20, 40, 80))
    assert large - middle <= 2.2 * (middle - small)
    assert (large - middle) / 40 <= CALLS_OF_AN_OPERATION


@pytest.mark.parametrize("as_yaml", [False, True])
def test_what_loading_takes_grows_with_the_document(tmp_path: Path, *, as_yaml: bool) -> None:
    loading(tmp_path, documents.family(5), as_yaml=as_yaml)
    small, middle, large = (loading(tmp_path, documents.family(count), as_yaml=as_yaml) for count in (20, 40, 80))
    assert large - middle <= 2.2 * (middle - small)
    assert (large - middle) / 40 <= CALLS_TO_LOAD_AN_OPERATION


def test_what_operations_share_is_mapped_once(tmp_path: Path) -> None:
    """Of one operation more, a shared field takes what its example takes, and nothing else."""
    mapping(tmp_path, sharing(2, 2))
    one, other = (mapping(tmp_path, sharing(20, n)) - mapping(tmp_path, sharing(10, n)) for n in (10, 40))
    assert (other - one) / (10 * 30) <= 6


def test_schemas_that_all_hold_all_others_take_as_much_as_there_are_references(tmp_path: Path) -> None:
    small, large = (mapping(tmp_path, circle(count)) for count in (10, 20))
    assert large <= 4.4 * small
