from __future__ import annotations

import copy
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from toolcast.diagnostics import Diagnostic
from toolcast.load import yaml
from toolcast.load.validation import findings

from .conftest import Web

HEAD = "info: {title: A, version: '1'}\n"
GET = "  /a:\n    get:\n      responses: {'200': {description: ok}}\n"


def found(text: str, version: str = "3.1.0") -> list[Diagnostic]:
    root: Any = yaml.read(f"openapi: {version}\n{HEAD}{text}", "api.yaml").value
    result = findings(root, version, "api.yaml")
    assert all(diagnostic.severity == "warning" and diagnostic.help for diagnostic in result)
    assert all(len(diagnostic.message) <= 240 for diagnostic in result)
    return result


def places(result: list[Diagnostic]) -> list[tuple[str, str]]:
    return [(diagnostic.code, diagnostic.location.pointer) for diagnostic in result if diagnostic.location]


@pytest.mark.parametrize("version", ["3.0.3", "3.1.0", "3.2.0"])
def test_a_good_document_has_none(version: str) -> None:
    assert found("paths:\n" + GET, version) == []


@pytest.mark.parametrize("version", ["3.0.3", "3.1.0", "3.2.0"])
def test_a_fault_has_its_place(version: str) -> None:
    text = "paths:\n  /a/b:\n    get:\n      responses:\n        '200': {description: 5}\n"
    (only,) = found(text, version)
    assert (only.code, only.message) == ("TC110", '5 is not of type "string"')
    assert places([only]) == [("TC110", "/paths/~1a~1b/get/responses/200/description")]


@pytest.mark.parametrize("version", ["3.0.3", "3.1.0", "3.2.0"])
def test_the_branch_that_is_meant_is_named(version: str) -> None:
    text = "paths: {}\ncomponents: {schemas: {A: {properties: {a: {items: {type: objct}}}}}}\n"
    (only,) = found(text, version)
    assert "'objct' is not one of" in only.message or "'objct' is not valid" in only.message
    assert places([only]) == [("TC110", "/components/schemas/A/properties/a/items/type")]


@pytest.mark.parametrize("version", ["3.0.3", "3.1.0", "3.2.0"])
def test_faults_of_meaning_have_their_place_too(version: str) -> None:
    text = """
paths:
  /a/{id}:
    get: {operationId: x, responses: {'200': {description: ok}}}
    put:
      operationId: x
      parameters:
        - {name: id, in: path, required: true, schema: {$ref: '#/components/schemas/A'}}
      responses: {'200': {description: ok}}
tags: [{name: t}, {name: t}]
components:
  schemas:
    A: {type: object, properties: {n: {type: integer, default: many}}}
"""
    result = found(text, version)
    assert set(places(result)) == {
        ("TC110", "/tags"),
        ("TC110", "/paths/~1a~1{id}/get"),
        ("TC110", "/paths/~1a~1{id}/put"),
        ("TC110", "/components/schemas/A/properties/n/default"),
    }


def test_whole_values_are_not_repeated() -> None:
    big = "[" + ",".join(f"value{n}" for n in range(500)) + "]"
    for version in ("3.0.3", "3.1.0"):
        for result in found(f"paths: {{}}\ncomponents: {{schemas: {{A: {{type: string, default: {big}}}}}}}", version):
            assert "value7" not in result.message


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("paths: {}\ncomponents: {schemas: {A: {$ref: '#/components/schemas/A'}}}", "RecursionError"),
        ("paths: {}\ncomponents: {schemas: {A: {$ref: '#/components/schemas/B'}}}", "nowhere"),
        ("paths: {/a: {parameters: [{in: query}]}}", "KeyError"),
        ("paths: {'/a{': {get: {responses: {}}}}", "ValueError"),
        ("paths: [1, 2]", "Error"),
    ],
)
def test_a_crash_of_the_validator_is_a_warning(text: str, reason: str) -> None:
    codes = [diagnostic.code for diagnostic in found(text)]
    assert codes.count("TC111") == 1
    (stopped,) = [diagnostic for diagnostic in found(text) if diagnostic.code == "TC111"]
    assert stopped.message.startswith("The validator could not finish: ")
    assert reason in stopped.message


def test_equal_findings_are_given_once_and_many_are_counted() -> None:
    paths = "".join(f"  /p{n}: {{get: {{responses: {{'200': {{}}}}}}}}\n" for n in range(80))
    result = found("paths:\n" + paths)
    assert len(result) == 51
    assert result[-1].message == "30 more findings of the validator are not shown"
    assert len(set(places(result[:-1]))) == 50


def test_references_that_lead_nowhere() -> None:
    text = """
paths:
  /a:
    parameters: [{$ref: '#/components/parameters/Limt'}]
    get:
      responses:
        '200': {$ref: '#/components/responses/Gone'}
        '404': {description: no, content: {a/b: {schema: {$ref: '#/components/schemas/Pett'}}}}
components:
  parameters: {Limit: {name: limit, in: query, schema: {}}}
  schemas:
    Pet:
      $anchor: pet
      properties:
        a: {$ref: '#/components/schemas/Pett'}
        b: {$ref: '#pet'}
        c: {$ref: '#dog'}
        d: {$ref: '#/components/schemas/Pet/properties/a'}
        e: {$ref: '#/components/schemas/%50et'}
        $ref: {type: string}
      example: {$ref: '#/not/a/reference'}
      x-note: {$ref: '#/not/a/reference'}
      default: {$ref: '#/not/a/reference'}
"""
    result = [diagnostic for diagnostic in found(text) if diagnostic.code == "TC112"]
    assert {place for _, place in places(result)} == {
        "/paths/~1a/parameters/0/$ref",
        "/paths/~1a/get/responses/200/$ref",
        "/paths/~1a/get/responses/404/content/a~1b/schema/$ref",
        "/components/schemas/Pet/properties/c/$ref",
    }
    helps = {diagnostic.message: diagnostic.help for diagnostic in result}
    assert helps["The reference #/components/parameters/Limt leads nowhere"] == "Did you mean Limit instead of Limt?"
    pett = "The reference #/components/schemas/Pett leads nowhere (and 1 more of the same)"
    assert helps[pett] == "Did you mean Pet instead of Pett?"
    assert len(result) == 4


def test_many_references_that_lead_nowhere_are_counted() -> None:
    schemas = ", ".join(f"S{n}: {{$ref: '#/nowhere/{n}'}}" for n in range(60))
    result = [d for d in found(f"paths: {{}}\ncomponents: {{schemas: {{{schemas}}}}}") if d.code == "TC112"]
    assert len(result) == 51
    assert result[-1].message.startswith("10 more")


hooks: list[Any] = []  # an audit hook cannot be removed: there is one
opened_files: list[str] = []


def _note(event: str, arguments: tuple[Any, ...]) -> None:
    if event == "open":
        opened_files.append(str(arguments[0]))


@pytest.mark.parametrize("version", ["3.0.3", "3.1.0", "3.2.0"])
@pytest.mark.parametrize(
    "place",
    [
        "paths: {/a: {$ref: 'URL'}}",
        "paths: {/a: {get: {parameters: [{$ref: 'URL'}], responses: {'200': {$ref: 'URL#/x'}}}}}",
        "paths: {}\ncomponents: {schemas: {A: {$ref: 'URL#/A'}, B: {type: string, default: 5}}}",
        "paths: {}\ncomponents: {schemas: {A: {allOf: [{$ref: 'URL'}], default: {a: 1}}}}",
        "paths: {}\ncomponents: {schemas: {A: {$schema: 'URL', $id: 'URL', $dynamicRef: 'URL#x', default: 1}}}",
        "paths: {}\njsonSchemaDialect: 'URL'\ncomponents: {schemas: {A: {type: string}}}",
        "$schema: 'URL'\n$id: 'URL'\n$self: 'URL'\npaths: {}",
    ],
)
def test_nothing_is_fetched_or_opened(web: Web, tmp_path: Path, place: str, version: str) -> None:
    secret = tmp_path / "secret.json"
    secret.write_text('{"type": "nonsense", "A": {}}')
    url = web.serves("/schema.json", secret.read_bytes())
    if _note not in hooks:
        sys.addaudithook(_note)
        hooks.append(_note)
    for target in (url, secret.as_uri(), str(secret), "secret.json", "data:application/json,{}"):
        opened_files.clear()
        here = Path.cwd()
        os.chdir(tmp_path)
        try:
            found(place.replace("URL", target), version)
        finally:
            os.chdir(here)
        assert not [name for name in opened_files if "secret" in name]
    assert web.hits == []


OTHERS = """
paths:
  /a/{id}: {$ref: 'x.yaml#/item'}
  /b/{id}:
    parameters: [{$ref: 'x.yaml#/id'}]
    get:
      parameters: [{$ref: 'x.yaml#/limit'}, {$ref: 'x.yaml#/page'}]
      responses: {'200': {$ref: 'x.yaml#/answer'}, '404': {$ref: 'other.yaml'}}
    put: {$ref: 'x.yaml#/operation'}
  /c/{id}: {put: {$ref: 'x.yaml#/operation'}}
"""
PARTS: dict[str, Any] = {
    "x.yaml": {
        "item": {"get": 5},
        "id": {"name": "id", "in": "path"},
        "limit": {"name": "limit", "in": "query"},
        "page": {"$ref": "x.yaml#/number"},
        "number": {"name": "page", "in": "query"},
        "operation": {"parameters": [{"$ref": "x.yaml#/id"}]},
        "answer": {"description": 5},
        **{name: {} for name in "AHELCRS"},
    }
}


@pytest.mark.parametrize("version", ["3.0.3", "3.1.0", "3.2.0"])
def test_what_stands_in_other_files_is_not_missed(version: str) -> None:
    more = """
components:
  schemas: {A: {$ref: 'x.yaml#/A'}, B: {allOf: [{$ref: 'http://a.test/b'}], default: {}}}
  headers: {H: {$ref: 'x.yaml#/H'}}
  examples: {E: {$ref: 'x.yaml#/E'}}
  links: {L: {$ref: 'x.yaml#/L'}}
  callbacks: {C: {$ref: 'x.yaml#/C'}}
  requestBodies: {R: {$ref: 'x.yaml#/R'}}
  securitySchemes: {S: {$ref: 'x.yaml#/S'}}
"""
    root: Any = yaml.read(f"openapi: {version}\n{HEAD}{OTHERS}{more}", "api.yaml").value
    before = copy.deepcopy(root)
    assert findings(root, version, "api.yaml", PARTS) == []
    codes = {diagnostic.message for diagnostic in findings(root, version, "api.yaml")}  # files that are not to be had
    assert all(message.startswith("Path parameter 'id'") for message in codes)
    assert root == before


def test_nor_in_a_document_of_swagger() -> None:
    more = "definitions: {A: {$ref: 'x.yaml#/A'}}\nsecurityDefinitions: {S: {$ref: 'x.yaml#/S'}}\n"
    root: Any = yaml.read(f"swagger: '2.0'\n{HEAD}{OTHERS}{more}", "api.yaml").value
    before = copy.deepcopy(root)
    assert findings(root, "2.0", "api.yaml", PARTS) == []
    assert root == before


def test_the_environment_neither_matters_nor_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAPI_SPEC_VALIDATOR_SCHEMA_VALIDATOR_BACKEND", "jsonschema")
    monkeypatch.setenv("OPENAPI_SPEC_VALIDATOR_RESOLVED_CACHE_MAXSIZE", "nonsense")
    before = dict(os.environ)
    assert found("paths:\n" + GET) == []
    assert dict(os.environ) == before
