from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from toolcast.diagnostics import Diagnostic, Failure, Location, Report
from toolcast.load.document import load
from toolcast.model.document import Document

from .conftest import Web

API = """\
openapi: 3.0.3
info: {title: Pets, version: 1.10}
paths:
  /pets:
    get:
      responses:
        200:
          description: all of them
          content:
            application/json:
              schema: {type: array, nullable: true, items: {$ref: '#/components/schemas/Pet'}}
components:
  schemas:
    Pet: {type: object, properties: {name: {type: string}}}
"""


def opened(tmp_path: Path, data: str | bytes, report: Report | None = None, **options: Any) -> Document:
    path = tmp_path / "api.yaml"
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return load(str(path), Report() if report is None else report, **options)


def refusal(tmp_path: Path, data: str | bytes) -> Diagnostic:
    with pytest.raises(Failure) as caught:
        opened(tmp_path, data)
    assert caught.value.diagnostic.help
    return caught.value.diagnostic


def test_a_yaml_document(tmp_path: Path) -> None:
    report = Report()
    document = opened(tmp_path, API, report)
    assert report.diagnostics == []
    assert document.address == document.file == str(tmp_path / "api.yaml")
    assert (document.version, document.url, document.files) == ("3.0.3", None, {})
    root: Any = document.root
    assert root["info"]["version"] == "1.10"
    answer = root["paths"]["/pets"]["get"]["responses"]["200"]
    assert answer["content"]["application/json"]["schema"]["type"] == ["array", "null"]
    assert document.lines(Location(file=document.file, pointer="/paths/~1pets/get")) == 5


def test_a_url_is_where_relative_servers_start(web: Web) -> None:
    document = load(web.serves("/docs/api.yaml", API.encode()), Report())
    assert document.url == document.file == f"{web.url}/docs/api.yaml"


def test_the_digest_is_of_what_is_said(tmp_path: Path) -> None:
    first = opened(tmp_path, API).digest
    assert first == opened(tmp_path, API.replace("  ", "    ")).digest
    assert first == opened(tmp_path, "# a comment\n" + API).digest
    assert first != opened(tmp_path, API.replace("all", "none")).digest
    data = {"openapi": "3.1.0", "info": {"title": "é", "version": "1"}, "paths": {}, "x": [2**63, 1.5, None]}
    twins = {
        opened(tmp_path, text).digest
        for text in (json.dumps(data), json.dumps(dict(reversed(data.items())), indent=1), "---\n" + json.dumps(data))
    }
    assert len(twins) == 1


def test_json_that_only_lenient_readers_take(tmp_path: Path) -> None:
    report = Report()
    document = opened(tmp_path, '{"openapi": "3.1.0",\n "info": {"title": "A", "version": "1"}, "paths": {},}', report)
    assert document.version == "3.1.0"
    (found,) = report.diagnostics
    assert (found.code, found.severity) == ("TC103", "warning")
    assert found.location is not None
    assert found.location.line == 2


def test_json_with_a_fault_is_refused_in_words_of_json(tmp_path: Path) -> None:
    found = refusal(tmp_path, '{"openapi": "3.1.0",\n "info" {"title": 1}}')
    assert (found.code, "JSON" in found.message, "column" in found.message) == ("TC020", True, True)
    assert found.location is not None
    assert found.location.line == 2


def test_a_lone_surrogate_is_refused(tmp_path: Path) -> None:
    assert refusal(tmp_path, '{"openapi": "3.1.0", "info": {"title": "\\ud800"}}').code == "TC020"


def test_equal_keys_in_json_are_reported_with_their_line(tmp_path: Path) -> None:
    report = Report()
    text = '{"openapi": "3.1.0",\n"info": {"title": "A", "version": "1",\n"title": "B"},\n"paths": {}}'
    document = opened(tmp_path, text, report)
    root: Any = document.root
    assert root["info"]["title"] == "B"
    (found,) = report.diagnostics
    assert (found.code, found.location) == (
        "TC100",
        Location(file=document.file, pointer="/info/title", line=3),
    )


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        ("", "TC030", "empty"),
        ("# only a comment\n", "TC030", "empty"),
        ("[]", "TC030", "a list"),
        ("just words", "TC030", "plain text"),
        ("42", "TC030", "single value"),
        ("<!DOCTYPE html>\n<html><body>&nbsp;</body></html>", "TC032", "an HTML page"),
        ("\n<?xml version='1.0'?><definitions/>", "TC032", "an XML file"),
        ("#%RAML 1.0\ntitle: A\n", "TC032", "a RAML document"),
        ("swagger: '2.1'\npaths: {}", "TC033", "Swagger 2.1 is not supported"),
        ("swagger: '1.2'\npaths: {}", "TC033", "Swagger 1.2"),
        ("swagger:\npaths: {}", "TC033", "no version"),
        ("swagger: [2]", "TC033", "no version"),
        ("swaggerVersion: '1.2'\nbasePath: /", "TC032", "a Swagger 1 document"),
        ("asyncapi: 3.0.0", "TC032", "an AsyncAPI document"),
        ("arazzo: 1.0.0", "TC032", "an Arazzo description"),
        ("overlay: 1.0.0\nactions: []", "TC032", "an OpenAPI Overlay"),
        ("$schema: https://json-schema.org/draft/2020-12/schema\ntype: object", "TC032", "a JSON Schema"),
        ("{info: {_postman_id: 5}, item: []}", "TC032", "a Postman collection"),
        ("paths: {}", "TC032", "The key `openapi` is missing"),
        ("name: web\nservices: {}", "TC032", "(its keys: name, services)"),
        ("{}", "TC032", "(its keys: none)"),
        ("openapi: 4.0.0", "TC033", "OpenAPI 4.0.0 is not supported"),
        ("openapi: 2.0", "TC033", "OpenAPI 2.0 is not supported"),
        ("openapi: three", "TC033", "'three'"),
        ("openapi:", "TC033", "no version"),
        ("openapi: true", "TC033", "'True'"),
        ("openapi: [3]", "TC033", "no version"),
        ("openapi: 3.1.0\npaths: {a: 1}\n---\n", "TC021", "second"),
    ],
)
def test_what_is_no_openapi_document(tmp_path: Path, text: str, code: str, words: str) -> None:
    found = refusal(tmp_path, text)
    assert found.code == code
    assert words in found.message


@pytest.mark.parametrize(
    ("written", "version", "codes"),
    [
        ("3.0.0", "3.0.0", set[str]()),
        ("3.2.0", "3.2.0", set[str]()),
        ("'3.1'", "3.1.0", {"TC110"}),
        ("3.1", "3.1.0", {"TC101", "TC110"}),
        ("3", "3.0.0", {"TC101", "TC110"}),
        ("3.1.0-rc1", "3.1.0-rc1", set[str]()),
        ("3.7.0", "3.2.0", {"TC102", "TC110"}),
    ],
)
def test_versions(tmp_path: Path, written: str, version: str, codes: set[str]) -> None:
    report = Report()
    text = f"openapi: {written}\ninfo: {{title: A, version: '1'}}\npaths: {{}}\n"
    assert opened(tmp_path, text, report).version == version
    assert {found.code for found in report.diagnostics} == codes
    assert {found.severity for found in report.diagnostics} <= {"warning"}


def test_validation_can_be_left_out(tmp_path: Path) -> None:
    report = Report()
    opened(tmp_path, "openapi: 3.1.0", report, validate=False)
    assert report.diagnostics == []
    opened(tmp_path, "openapi: 3.1.0", report)
    assert {found.code for found in report.diagnostics} == {"TC110"}


@pytest.mark.parametrize("depth", [254, 600, 5000])
def test_deep_json_is_refused_with_its_line(tmp_path: Path, depth: int) -> None:
    found = refusal(tmp_path, '{"openapi": "3.1.0",\n"x":' + "[" * depth + "]" * depth + "}")
    assert found.code == "TC023"
    assert found.location is not None
    assert found.location.line == 2


def test_json_and_yaml_may_be_equally_deep(tmp_path: Path) -> None:
    text = '"openapi": "3.1.0",\n"x":' + "[" * 253 + "]" * 253
    assert opened(tmp_path, "{" + text + "}").digest == opened(tmp_path, "---\n{" + text + "}").digest


def test_loading_does_not_import_what_it_does_not_need() -> None:
    import subprocess

    code = (
        "import sys, toolcast.load.document;"
        "heavy = {'yaml', 'httpx2', 'openapi_spec_validator', 'jsonschema', 'jsonschema_rs'} & set(sys.modules);"
        "sys.exit(str(heavy) if heavy else 0)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False, capture_output=True).stderr == b""


def survives(path: Path, data: bytes) -> None:
    """Whatever the bytes are, there is a document or a reason."""
    path.write_bytes(data)
    report = Report()
    try:
        document = load(str(path), report)
    except Failure as failure:
        assert failure.diagnostic.message
    else:
        for found in report.diagnostics:
            assert found.location is not None
            assert document.lines(found.location) is not None


FUZZ = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
FRAGMENTS = st.sampled_from(
    [
        "openapi: 3.1.0\n",
        "paths:\n",
        "  /a:\n",
        "get: ",
        "{",
        "}",
        "[",
        "]",
        "- ",
        ": ",
        "&a ",
        "*a",
        "<<: *a\n",
        "$ref: '#/paths'\n",
        "!!int x",
        "'",
        '"',
        "\\ud800",
        "|\n",
        "%YAML 1.1\n",
        "---\n",
        "\t",
        "\n  ",
        "? ",
        "nullable: true\n",
        "schema: ",
        "required: true\n",
        "items: []\n",
        "components: {schemas: {A: {$ref: '#/components/schemas/A'}}}\n",
    ]
)


@FUZZ
@given(data=st.binary(max_size=200))
def test_any_bytes(tmp_path: Path, data: bytes) -> None:
    survives(tmp_path / "f", data)


@FUZZ
@given(text=st.text(max_size=200) | st.lists(FRAGMENTS, max_size=30).map("".join))
def test_any_text(tmp_path: Path, text: str) -> None:
    survives(tmp_path / "f", text.encode("utf-8", "surrogatepass"))


@FUZZ
@given(start=st.integers(0, len(API)), size=st.integers(0, 40), middle=FRAGMENTS | st.text(max_size=5))
def test_a_document_with_a_wound(tmp_path: Path, start: int, size: int, middle: str) -> None:
    survives(tmp_path / "f", (API[:start] + middle + API[start + size :]).encode("utf-8", "surrogatepass"))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "$ref",
                    "schema",
                    "properties",
                    "items",
                    "type",
                    "nullable",
                    "allOf",
                    "anyOf",
                    "required",
                    "get",
                    "in",
                    "parameters",
                    "name",
                    "content",
                    "responses",
                    "schemas",
                    "definitions",
                    "enum",
                    "example",
                    "default",
                ]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=20,
)


@FUZZ
@given(
    minor=st.sampled_from("012"),
    parts=st.dictionaries(st.sampled_from(["info", "paths", "components", "tags", "servers", "webhooks"]), JSON),
    schema=JSON,
)
def test_any_shape(tmp_path: Path, minor: str, parts: dict[str, Any], schema: Any) -> None:
    data = {"openapi": f"3.{minor}.0", "components": {"schemas": {"A": schema, "B": parts}}} | parts
    survives(tmp_path / "f", json.dumps(data).encode())
