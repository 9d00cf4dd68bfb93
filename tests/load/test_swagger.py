from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolcast.diagnostics import Location, Report
from toolcast.load import yaml
from toolcast.load.document import load
from toolcast.load.source import Source
from toolcast.load.swagger import convert
from toolcast.load.upgrade import upgrade
from toolcast.model.document import Document

NOWHERE = Source(address="", file="", url=None, data=b"")
HEAD = "swagger: '2.0'\ninfo: {title: A, version: '1'}\n"


def opened(tmp_path: Path, text: str, report: Report | None = None, name: str = "api.yaml") -> Document:
    path = tmp_path / name
    path.write_text(text, "utf-8")
    return load(str(path), Report() if report is None else report)


def root(text: str, url: str | None = None) -> Any:
    """The root of a document of Swagger 2.0 after its conversion."""
    made: Any = yaml.read(HEAD + text, "api.yaml").value
    convert(made, {}, Source(address="", file="", url=url, data=b""), Report())
    assert not {"swagger", "host", "basePath", "schemes", "consumes", "produces", "definitions"} & made.keys()
    return made


def operation(text: str, rest: str = "") -> Any:
    """The operation of a document that has one."""
    return root(f"paths: {{/a: {{post: {text}}}}}\n{rest}")["paths"]["/a"]["post"]


PARAMETERS: list[tuple[str, object]] = [
    (
        "{name: q, in: query, type: string, required: true, description: d, x-a: 1}",
        {"name": "q", "in": "query", "required": True, "description": "d", "x-a": 1, "schema": {"type": "string"}},
    ),
    (
        "{name: q, in: query, type: integer, format: int64, minimum: 1, maximum: 9, exclusiveMaximum: true,"
        " default: 2}",
        {
            "name": "q",
            "in": "query",
            "schema": {
                "type": "integer",
                "format": "int64",
                "default": 2,
                "maximum": 9,
                "exclusiveMaximum": True,
                "minimum": 1,
            },
        },
    ),
    (
        "{name: q, in: query, type: string, enum: [a, b], x-nullable: true, allowEmptyValue: true}",
        {
            "name": "q",
            "in": "query",
            "allowEmptyValue": True,
            "schema": {"type": "string", "enum": ["a", "b"], "x-nullable": True},
        },
    ),
    (
        "{name: q, in: query, type: string, x-example: a}",
        {"name": "q", "in": "query", "schema": {"type": "string"}, "example": "a"},
    ),
    ("{name: q, in: query}", {"name": "q", "in": "query"}),
    ("{name: q, in: query, schema: {type: string}}", {"name": "q", "in": "query", "schema": {"type": "string"}}),
]


@pytest.mark.parametrize(("old", "new"), PARAMETERS)
def test_a_parameter(old: str, new: object) -> None:
    assert operation(f"{{parameters: [{old}]}}")["parameters"] == [new]


@pytest.mark.parametrize(
    ("place", "written", "style"),
    [
        ("query", "", {"style": "form", "explode": False}),
        ("query", "csv", {"style": "form", "explode": False}),
        ("query", "ssv", {"style": "spaceDelimited", "explode": False}),
        ("query", "tsv", {"style": "tabDelimited", "explode": False}),
        ("query", "pipes", {"style": "pipeDelimited", "explode": False}),
        ("query", "multi", {}),
        ("query", "nonsense", {"style": "form", "explode": False}),
        ("path", "", {}),
        ("path", "csv", {}),
        ("path", "pipes", {"style": "pipeDelimited", "explode": False}),
        ("header", "csv", {}),
        ("header", "tsv", {"style": "tabDelimited", "explode": False}),
        ("header", "multi", {}),
    ],
)
def test_a_list(place: str, written: str, style: dict[str, object]) -> None:
    format_ = f", collectionFormat: {written}" if written else ""
    (found,) = operation(f"{{parameters: [{{name: a, in: {place}, type: array, items: {{type: string}}{format_}}}]}}")[
        "parameters"
    ]
    assert found == {"name": "a", "in": place, "schema": {"type": "array", "items": {"type": "string"}}, **style}


def test_a_list_in_a_list_is_a_text() -> None:
    items = "{type: array, collectionFormat: pipes, items: {type: integer}}"
    (found,) = operation(f"{{parameters: [{{name: a, in: query, type: array, items: {items}}}]}}")["parameters"]
    told = "A list of integer values, joined by vertical bars (|)."
    assert found["schema"]["items"] == {"type": "string", "description": told}


@pytest.mark.parametrize(
    ("consumes", "content"),
    [
        ("", ["application/json"]),
        ("consumes: []", ["application/json"]),
        ("consumes: [application/xml, text/json]", ["application/xml", "text/json"]),
    ],
)
def test_a_body(consumes: str, content: list[str]) -> None:
    it = "{name: It, in: body, required: true, description: d, x-a: 1, schema: {type: object}}"
    for found in (
        operation(f"{{parameters: [{it}], {consumes}}}"),
        operation(f"{{parameters: [{it}]}}", consumes),
    ):
        assert "parameters" not in found
        media = {media_type: {"schema": {"type": "object"}} for media_type in content}
        assert found["requestBody"] == {"required": True, "description": "d", "x-a": 1, "content": media}


FORM = "application/x-www-form-urlencoded"


@pytest.mark.parametrize(
    ("consumes", "kind", "content"),
    [
        ("[]", "string", [FORM]),
        (f"[{FORM}]", "string", [FORM]),
        ("[multipart/form-data]", "string", ["multipart/form-data"]),
        (f"[{FORM}, multipart/form-data]", "string", [FORM, "multipart/form-data"]),
        ("[application/json]", "string", [FORM]),
        ("[]", "file", ["multipart/form-data"]),
        (f"[{FORM}]", "file", ["multipart/form-data"]),
        (f"[{FORM}, multipart/form-data]", "file", ["multipart/form-data"]),
        ("[multipart/mixed]", "file", ["multipart/mixed"]),
    ],
)
def test_a_form(consumes: str, kind: str, content: list[str]) -> None:
    parameters = f"""[
      {{name: a, in: formData, required: true, description: d, type: {kind}}},
      {{name: b, in: formData, type: array, items: {{type: string}}, collectionFormat: pipes, x-example: [x]}},
      {{name: c, in: formData, type: array, items: {{type: integer}}, collectionFormat: multi}},
      {{name: q, in: query, type: string}}]"""
    found = operation(f"{{consumes: {consumes}, parameters: {parameters}}}")
    a = {"type": "string", "description": "d"} | ({"format": "binary"} if kind == "file" else {})
    media = {
        "schema": {
            "type": "object",
            "properties": {
                "a": a,
                "b": {"type": "array", "items": {"type": "string"}, "example": ["x"]},
                "c": {"type": "array", "items": {"type": "integer"}},
            },
            "required": ["a"],
        },
        "encoding": {"b": {"style": "pipeDelimited", "explode": False}},
    }
    assert found["requestBody"] == {"required": True, "content": dict.fromkeys(content, media)}
    assert [parameter["name"] for parameter in found["parameters"]] == ["q"]


def test_a_form_of_files() -> None:
    found = operation("{parameters: [{name: a, in: formData, type: array, items: {type: file}}]}")["requestBody"]
    schema = {"type": "array", "items": {"type": "string", "format": "binary"}}
    assert found["content"]["multipart/form-data"]["schema"]["properties"] == {"a": schema}
    assert "required" not in found


RESPONSES: list[tuple[str, str, object]] = [
    ("{description: d}", "[text/csv]", {"description": "d"}),
    ("{description: d, schema: {type: object}}", "", {"application/json": {"schema": {"type": "object"}}}),
    (
        "{description: d, schema: {type: string}}",
        "[a/b, c/d]",
        {"a/b": {"schema": {"type": "string"}}, "c/d": {"schema": {"type": "string"}}},
    ),
    (
        "{description: d, schema: {type: file}}",
        "",
        {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
    ),
    (
        "{description: d, schema: {type: file}}",
        "[image/png]",
        {"image/png": {"schema": {"type": "string", "format": "binary"}}},
    ),
    (
        "{description: d, schema: {}, examples: {application/json: 1}}",
        "",
        {"application/json": {"schema": {}, "example": 1}},
    ),
    ("{description: d, examples: {text/plain: x}}", "", {"text/plain": {"example": "x"}}),
]


@pytest.mark.parametrize(("old", "produces", "content"), RESPONSES)
def test_a_response(old: str, produces: str, content: dict[str, Any]) -> None:
    expected = content if "description" in content else {"description": "d", "content": content}
    own = f", produces: {produces}" if produces else ""
    assert operation(f"{{responses: {{'200': {old}}}{own}}}")["responses"] == {"200": expected}


def test_headers_of_a_response() -> None:
    header = "{description: d, type: array, items: {type: integer}, collectionFormat: csv}"
    found = operation(f"{{responses: {{'200': {{description: d, headers: {{X-Rate: {header}}}}}}}}}")
    new = {"description": "d", "schema": {"type": "array", "items": {"type": "integer"}}}
    assert found["responses"]["200"]["headers"] == {"X-Rate": new}


@pytest.mark.parametrize(
    ("text", "url", "servers"),
    [
        ("", None, None),
        ("basePath: /", None, None),
        ("schemes: [https]", None, None),
        ("basePath: /v1/", None, ["/v1"]),
        ("basePath: v1", None, ["/v1"]),
        ("host: a.test", None, ["https://a.test"]),
        ("host: a.test", "http://b.test/x", ["http://a.test"]),
        ("host: a.test:81\nbasePath: /v1\nschemes: [http]", None, ["http://a.test:81/v1"]),
        ("host: a.test\nschemes: [http, https]", None, ["https://a.test", "http://a.test"]),
        ("host: a.test\nschemes: [ws, http]", None, ["http://a.test"]),
        ("host: https://a.test/\nbasePath: /v1", None, ["https://a.test/v1"]),
        ("host: 5\nschemes: 7\nbasePath: [1]", None, None),
    ],
)
def test_servers(text: str, url: str | None, servers: list[str] | None) -> None:
    found = root("paths: {}\n" + text, url).get("servers")
    assert found == (None if servers is None else [{"url": server} for server in servers])


def test_an_operation_with_its_own_schemes() -> None:
    found = operation("{schemes: [http]}", "host: a.test\nbasePath: /v1\nschemes: [https]")
    assert found["servers"] == [{"url": "http://a.test/v1"}]
    assert "servers" not in operation("{schemes: [https]}", "host: a.test\nschemes: [https]")


SECURITY: list[tuple[str, object]] = [
    ("{type: basic, description: d}", {"type": "http", "scheme": "basic", "description": "d"}),
    ("{type: apiKey, in: header, name: K}", {"type": "apiKey", "in": "header", "name": "K"}),
    (
        "{type: oauth2, flow: implicit, authorizationUrl: a, scopes: {r: read}, x-a: 1}",
        {"type": "oauth2", "flows": {"implicit": {"scopes": {"r": "read"}, "authorizationUrl": "a"}}, "x-a": 1},
    ),
    (
        "{type: oauth2, flow: password, tokenUrl: t}",
        {"type": "oauth2", "flows": {"password": {"scopes": {}, "tokenUrl": "t"}}},
    ),
    (
        "{type: oauth2, flow: application, tokenUrl: t}",
        {"type": "oauth2", "flows": {"clientCredentials": {"scopes": {}, "tokenUrl": "t"}}},
    ),
    (
        "{type: oauth2, flow: accessCode, authorizationUrl: a, tokenUrl: t}",
        {"type": "oauth2", "flows": {"authorizationCode": {"scopes": {}, "authorizationUrl": "a", "tokenUrl": "t"}}},
    ),
    ("{type: other}", {"type": "other"}),
]


@pytest.mark.parametrize(("old", "new"), SECURITY)
def test_a_security_definition(old: str, new: object) -> None:
    assert root(f"paths: {{}}\nsecurityDefinitions: {{s: {old}}}")["components"]["securitySchemes"] == {"s": new}


SCHEMAS: list[tuple[str, object]] = [
    ("{type: string, x-nullable: true}", {"type": ["string", "null"]}),
    ("{discriminator: kind, type: object}", {"discriminator": {"propertyName": "kind"}, "type": "object"}),
    ("{type: file}", {"type": "string", "format": "binary"}),
    ("{example: 1}", {"examples": [1]}),
    ("{properties: {a: {x-nullable: true, type: integer}}}", {"properties": {"a": {"type": ["integer", "null"]}}}),
    ("{default: {x-nullable: true, discriminator: a}}", {"default": {"x-nullable": True, "discriminator": "a"}}),
]


@pytest.mark.parametrize(("old", "new"), SCHEMAS)
def test_a_schema(old: str, new: object) -> None:
    made = root(f"paths: {{}}\ndefinitions: {{It: {old}}}")
    upgrade(made)
    assert made["components"] == {"schemas": {"It": new}}


def test_references_follow_what_was_moved() -> None:
    made = root("""
consumes: [application/xml]
produces: [application/xml]
paths:
  /a:
    post:
      parameters:
        - $ref: '#/parameters/Limit'
        - $ref: '#/parameters/Pet'
        - {name: last, in: query, type: array, items: {type: string, enum: [a]}}
      responses:
        '200': {$ref: '#/responses/Pet'}
        '201': {description: d, schema: {properties: {a: {type: integer}}}}
    put:
      consumes: [application/json]
      produces: [application/json]
      parameters: [{$ref: '#/parameters/Pet'}, {$ref: '#/parameters/Name'}]
      responses: {'200': {$ref: '#/responses/Pet'}}
  /b:
    post:
      parameters:
        - {name: b, in: body, schema: {$ref: '#/paths/~1a/post/responses/201/schema'}}
        - {name: last, in: query, type: array, items: {type: integer}}
      responses:
        '200': {description: d, schema: {$ref: '#/definitions/Pet/properties/name'}}
        '201': {description: d, schema: {$ref: '#/paths/~1b/post/parameters/0/schema'}}
        '202': {description: d, schema: {$ref: '#/definitions/a%20b'}}
        '203': {description: d, schema: {$ref: '#/definitions/Gone'}}
        '204': {description: d, schema: {$ref: '#/parameters/Pet/schema'}}
parameters:
  Limit: {name: limit, in: query, type: integer}
  Pet: {name: pet, in: body, schema: {$ref: '#/definitions/Pet'}}
  Name: {name: name, in: formData, type: string}
responses:
  Pet: {description: d, schema: {$ref: '#/definitions/Pet'}}
definitions:
  Pet: {type: object, properties: {name: {type: string}, again: {$ref: '#/definitions/Pet'}}}
  a b: {type: string}
""")
    schemas = "#/components/schemas"
    first, second = made["paths"]["/a"]["post"], made["paths"]["/a"]["put"]
    assert first["parameters"][0] == {"$ref": "#/components/parameters/Limit"}
    assert first["requestBody"] == {"$ref": "#/components/requestBodies/Pet"}
    assert first["responses"]["200"] == {"$ref": "#/components/responses/Pet"}
    pet = {"schema": {"$ref": f"{schemas}/Pet"}}
    assert second["requestBody"] == {"content": {"application/json": pet}}
    assert second["responses"]["200"] == {"description": "d", "content": {"application/json": pet}}
    other = made["paths"]["/b"]["post"]
    moved = "#/paths/~1a/post/responses/201/content/application~1xml/schema"
    assert other["requestBody"]["content"]["application/xml"]["schema"] == {"$ref": moved}
    found = [answer["content"]["application/xml"]["schema"]["$ref"] for answer in other["responses"].values()]
    assert found == [
        f"{schemas}/Pet/properties/name",
        "#/paths/~1b/post/requestBody/content/application~1xml/schema",
        f"{schemas}/a%20b",
        "#/definitions/Gone",
        "#/paths/~1a/put/requestBody/content/application~1json/schema",  # which is the very same schema
    ]
    components = made["components"]
    assert components["requestBodies"] == {"Pet": {"content": {"application/xml": pet}}}
    assert list(components["parameters"]) == ["Limit"]
    assert components["schemas"]["Pet"]["properties"]["again"] == {"$ref": f"{schemas}/Pet"}


def test_a_path_item_hands_its_body_to_its_operations() -> None:
    item = root("""
paths:
  /a:
    parameters: [{name: It, in: body, schema: {type: string}}, {name: q, in: query, type: string}]
    post: {responses: {}}
    put: {parameters: [{name: Mine, in: body, schema: {type: integer}}], responses: {}}
    patch: {parameters: [{name: h, in: header, type: string}], responses: {}}
  /b:
    parameters: [{name: a, in: formData, type: string}, {name: b, in: formData, type: string}]
    post: {parameters: [{name: b, in: formData, type: integer}], responses: {}}
""")["paths"]
    assert [parameter["name"] for parameter in item["/a"]["parameters"]] == ["q"]
    types = {
        method: item["/a"][method]["requestBody"]["content"]["application/json"]["schema"]["type"]
        for method in ("post", "put", "patch")
    }
    assert types == {"post": "string", "put": "integer", "patch": "string"}
    fields = item["/b"]["post"]["requestBody"]["content"][FORM]["schema"]["properties"]
    assert fields == {"b": {"type": "integer"}, "a": {"type": "string"}}


LINES = """\
swagger: '2.0'
info: {title: A, version: '1'}
paths:
  /a:
    post:
      parameters:
        - name: body
          in: body
          schema:
            type: object
        - name: q
          in: query
          type: array
          items:
            type: string
      responses:
        '200':
          description: d
          schema:
            properties:
              a: {type: string}
definitions:
  Pet:
    properties:
      name: {type: string}
securityDefinitions:
  key: {type: apiKey, in: header, name: K}
"""


@pytest.mark.parametrize(
    ("pointer", "line"),
    [
        ("/paths/~1a/post", 5),
        ("/paths/~1a/post/requestBody", 7),
        ("/paths/~1a/post/requestBody/content/application~1json/schema/type", 10),
        ("/paths/~1a/post/parameters/0", 11),
        ("/paths/~1a/post/parameters/0/in", 12),
        ("/paths/~1a/post/responses/200/content/application~1json/schema/properties/a", 21),
        ("#/components/schemas/Pet/properties/name", 25),
        ("/definitions/Pet/properties/name", 25),
        ("/components/securitySchemes/key", 27),
    ],
)
def test_pointers_lead_to_the_lines_of_the_author(tmp_path: Path, pointer: str, line: int) -> None:
    document = opened(tmp_path, LINES)
    assert document.version == "2.0"
    assert document.lines(Location(file=document.file, pointer=pointer)) == line


def test_what_was_found_before_the_conversion_keeps_its_line(tmp_path: Path) -> None:
    report = Report()
    opened(tmp_path, LINES.replace("in: query\n          type", "in: query\n          x: 1\n          type"), report)
    (found,) = report.diagnostics
    assert found.location is not None
    assert (found.code, found.location.pointer, found.location.line) == ("TC110", "/paths/~1a/post/parameters/1/in", 12)


POST = HEAD + "paths: {/a: {post: {"
ACCEPTED: list[tuple[str, set[str]]] = [
    ("swagger: 2.0\ninfo: {title: A, version: '1'}\npaths: {}", {"TC101", "TC110"}),
    ("swagger: '2'\ninfo: {title: A, version: '1'}\npaths: {}", {"TC101", "TC110"}),
    ("swagger: '2.0'", {"TC110"}),
    (HEAD + "paths: {/a: {get: {}}}", {"TC110"}),
    (HEAD + "paths: {/a: {get: {responses: {'200': {$ref: '#/responses/R'}}}}}", {"TC112", "TC111"}),
    (POST + "parameters: [{name: q, in: query}], responses: {default: {description: d}}}}}", {"TC110"}),
    (POST + "parameters: [{name: q, in: cookie, type: string}], responses: {default: {description: d}}}}}", {"TC110"}),
    (POST + "parameters: [{in: body}], responses: {default: {description: d}}}}}", {"TC110", "TC111"}),
    (POST + "parameters: 5, consumes: 5, produces: {}, schemes: a, responses: []}}}", {"TC110", "TC111"}),
    (HEAD + "paths: {}\nhost: 5\nschemes: {}\nparameters: []\ndefinitions: 1\nresponses: null", {"TC110"}),
    (HEAD + "paths: {}\nsecurityDefinitions: x\nbasePath: []", {"TC110"}),
    (HEAD + "paths: {}\ndefinitions: {A: {type: objct}, B: {discriminator: 5}, C: {x-nullable: 1}}", {"TC110"}),
    (
        POST
        + "parameters: [{name: a, in: body, schema: {}}, {name: b, in: formData, type: string}],"
        + " responses: {default: {description: d}}}}}",
        {"TC130"},
    ),
]


@pytest.mark.parametrize(("text", "codes"), ACCEPTED)
def test_faults_that_are_put_up_with(tmp_path: Path, text: str, codes: set[str]) -> None:
    report = Report()
    document = opened(tmp_path, text, report)
    assert {found.code for found in report.diagnostics} == codes
    assert {found.severity for found in report.diagnostics} <= {"warning"}
    assert document.version == "2.0"
    assert "swagger" not in document.root


OLD = """
host: a.test
basePath: /v1
schemes: [https]
consumes: [application/json]
produces: [application/json]
security: [{key: []}]
paths:
  /pets/{id}:
    parameters: [{name: id, in: path, required: true, type: integer}]
    get:
      operationId: getPet
      parameters: [{$ref: '#/parameters/Fields'}]
      responses:
        '200': {description: d, schema: {$ref: '#/definitions/Pet'}, headers: {X-Rate: {type: integer}}}
        default: {$ref: '#/responses/Error'}
    put:
      operationId: putPet
      parameters: [{name: pet, in: body, required: true, schema: {$ref: '#/definitions/Pet'}}]
      responses: {'204': {description: d}}
    post:
      operationId: sendPhoto
      consumes: [multipart/form-data]
      parameters: [{name: photo, in: formData, type: file, required: true}, {name: note, in: formData, type: string}]
      responses: {'204': {description: d}}
parameters:
  Fields: {name: fields, in: query, type: array, items: {type: string}, collectionFormat: pipes}
responses:
  Error: {description: d, schema: {$ref: '#/definitions/Error'}}
definitions:
  Pet:
    type: object
    discriminator: kind
    required: [kind]
    properties: {kind: {type: string}, age: {type: integer, x-nullable: true}}
  Cat: {allOf: [{$ref: '#/definitions/Pet'}, {type: object}]}
  Error: {type: object, properties: {code: {type: integer, minimum: 0, exclusiveMinimum: true}}}
securityDefinitions:
  key: {type: apiKey, in: header, name: X-Key}
"""
NEW = """
openapi: 3.1.0
info: {title: A, version: '1'}
servers: [{url: https://a.test/v1}]
security: [{key: []}]
paths:
  /pets/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
    get:
      operationId: getPet
      parameters: [{$ref: '#/components/parameters/Fields'}]
      responses:
        '200':
          description: d
          content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}
          headers: {X-Rate: {schema: {type: integer}}}
        default: {$ref: '#/components/responses/Error'}
    put:
      operationId: putPet
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}
      responses: {'204': {description: d}}
    post:
      operationId: sendPhoto
      requestBody:
        required: true
        content:
          multipart/form-data:
            schema:
              type: object
              properties: {photo: {type: string, format: binary}, note: {type: string}}
              required: [photo]
      responses: {'204': {description: d}}
components:
  parameters:
    Fields:
      {name: fields, in: query, style: pipeDelimited, explode: false, schema: {type: array, items: {type: string}}}
  responses:
    Error: {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Error'}}}}
  schemas:
    Pet:
      type: object
      discriminator: {propertyName: kind}
      required: [kind]
      properties: {kind: {type: string}, age: {type: [integer, 'null']}}
    Cat: {allOf: [{$ref: '#/components/schemas/Pet'}, {type: object}]}
    Error: {type: object, properties: {code: {type: integer, exclusiveMinimum: 0}}}
  securitySchemes:
    key: {type: apiKey, in: header, name: X-Key}
"""


def test_a_document_and_its_twin(tmp_path: Path) -> None:
    reports = Report(), Report()
    old, new = opened(tmp_path, HEAD + OLD, reports[0]), opened(tmp_path, NEW, reports[1])
    assert [report.diagnostics for report in reports] == [[], []]
    assert {**old.root, "openapi": ""} == {**new.root, "openapi": ""}


NAMES = st.sampled_from(["a", "b", "X-C", "d e", "é"])
TYPES = st.sampled_from([{"type": "string"}, {"type": "integer", "minimum": 1}, {"type": "boolean", "default": True}])
MEDIA = st.lists(st.sampled_from(["application/json", "application/xml", "text/plain"]), unique=True, max_size=2)
VALUES = st.one_of(
    TYPES.map(lambda schema: (schema, None)),
    st.tuples(
        TYPES.map(lambda schema: {"type": "array", "items": schema}),
        st.sampled_from(["csv", "ssv", "tsv", "pipes", "multi"]),
    ),
)
STYLES = {"csv": "form", "ssv": "spaceDelimited", "tsv": "tabDelimited", "pipes": "pipeDelimited"}


@st.composite
def twins(draw: st.DrawFn) -> tuple[dict[str, Any], dict[str, Any]]:
    """An operation in both dialects."""
    consumes, produces = draw(MEDIA), draw(MEDIA)
    old: dict[str, Any] = {"parameters": [], "responses": {}}
    new: dict[str, Any] = {"parameters": [], "responses": {}}
    for name, (schema, listed), required in draw(
        st.lists(st.tuples(NAMES, VALUES, st.booleans()), max_size=4, unique_by=lambda entry: entry[0])
    ):
        common = {"name": name, "in": "query", "required": required}
        old["parameters"].append({**common, **schema, **({"collectionFormat": listed} if listed else {})})
        style = {"style": STYLES[listed], "explode": False} if listed in STYLES else {}
        new["parameters"].append({**common, **style, "schema": schema})
    if draw(st.booleans()):
        schema = draw(TYPES)
        place = draw(st.integers(0, len(old["parameters"])))
        old["parameters"].insert(place, {"name": "body", "in": "body", "required": True, "schema": schema})
        content = {media_type: {"schema": schema} for media_type in consumes or ["application/json"]}
        new["requestBody"] = {"required": True, "content": content}
    for status, schema in draw(st.dictionaries(st.sampled_from(["200", "404"]), st.none() | TYPES)).items():
        old["responses"][status] = {"description": "d", **({"schema": schema} if schema else {})}
        content = {media_type: {"schema": schema} for media_type in produces or ["application/json"]}
        new["responses"][status] = {"description": "d", **({"content": content} if schema else {})}
    if not new["parameters"]:
        del new["parameters"]
        if "requestBody" not in new:
            old.pop("parameters")
    return {**old, "consumes": consumes, "produces": produces}, new


@given(twins())
def test_an_operation_and_its_twin(pair: tuple[dict[str, Any], dict[str, Any]]) -> None:
    old, new = pair
    made: Any = {"swagger": "2.0", "paths": {"/a": {"post": copy.deepcopy(old)}}}
    convert(made, {}, NOWHERE, Report())
    assert made["paths"]["/a"]["post"] == new


def test_a_file_of_an_older_dialect(tmp_path: Path) -> None:
    (tmp_path / "old.json").write_text(
        json.dumps(
            {
                "swagger": "2.0",
                "produces": ["text/csv"],
                "parameters": {"q": {"name": "q", "in": "query", "type": "integer"}},
                "responses": {"R": {"description": "d", "schema": {"$ref": "#/definitions/Pet"}}},
                "definitions": {"Pet": {"type": "string", "x-nullable": True}},
            }
        )
    )
    report = Report()
    document = opened(
        tmp_path,
        """
openapi: 3.1.0
info: {title: A, version: '1'}
paths:
  /a:
    get:
      parameters: [{$ref: 'old.json#/parameters/q'}]
      responses: {'200': {$ref: 'old.json#/responses/R'}}
""",
        report,
    )
    assert report.diagnostics == []
    old: Any = document.files["old.json"]
    assert old["parameters"]["q"]["schema"] == {"type": "integer"}
    assert old["responses"]["R"]["content"] == {"text/csv": {"schema": {"$ref": "#/components/schemas/Pet"}}}
    assert document.root["components"] == {"schemas": {"Pet": {"type": ["string", "null"]}}}


def test_parts_of_a_document(tmp_path: Path) -> None:
    (tmp_path / "parts.yaml").write_text("""
body: {name: pet, in: body, schema: {$ref: '#/Pet'}}
field: {name: name, in: formData, type: string}
limit: {name: limit, in: query, type: integer}
answer: {description: d, schema: {$ref: '#/Pet'}}
item: {post: {parameters: [{$ref: '#/field'}], responses: {'200': {$ref: '#/answer'}}}}
Pet: {type: object, discriminator: kind, required: [kind], properties: {kind: {type: string}}}
""")
    report = Report()
    document = opened(
        tmp_path,
        HEAD
        + """
paths:
  /a:
    post:
      parameters: [{$ref: 'parts.yaml#/body'}, {$ref: 'parts.yaml#/limit'}]
      responses: {'200': {$ref: 'parts.yaml#/answer'}}
  /b: {$ref: 'parts.yaml#/item'}
definitions:
  Pet: {$ref: 'parts.yaml#/Pet'}
""",
        report,
    )
    assert report.diagnostics == []
    paths: Any = document.root["paths"]
    assert paths["/a"]["post"]["requestBody"] == {"$ref": "parts.yaml#/body"}
    parts: Any = document.files["parts.yaml"]
    pet = {"application/json": {"schema": {"$ref": "#/components/schemas/Pet"}}}
    assert parts["body"] == {"content": pet}
    assert parts["limit"] == {"name": "limit", "in": "query", "schema": {"type": "integer"}}
    assert parts["answer"] == {"description": "d", "content": pet}
    assert list(parts["item"]["post"]["requestBody"]["content"]) == [FORM]
    components: Any = document.root["components"]
    assert components["schemas"]["Pet"]["discriminator"] == {"propertyName": "kind"}
    assert document.lines(Location(file="parts.yaml", pointer="/item/post/requestBody")) == 6


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.sampled_from(["#/parameters/A", "body", "formData", "array", "a"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    *("$ref", "parameters", "responses", "schema", "in", "name", "type", "items", "collectionFormat"),
                    *("get", "post", "consumes", "produces", "schemes", "examples", "headers", "200", "A", "default"),
                    *("discriminator", "x-nullable", "flow", "scopes", "allOf", "properties", "required"),
                ]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=20,
)
PARTS = ("paths", "definitions", "parameters", "responses", "securityDefinitions", "host", "basePath",
         "schemes", "consumes", "produces", "components", "servers")  # fmt: skip


@given(st.dictionaries(st.sampled_from(PARTS), JSON), JSON)
def test_any_shape(parts: dict[str, Any], item: Any) -> None:
    made: Any = {"swagger": "2.0", "paths": {"/a": item}, "parameters": {"A": item}} | parts
    convert(made, {}, NOWHERE, Report())
    upgrade(made)
    assert "swagger" not in made
