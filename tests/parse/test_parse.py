from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from toolcast.diagnostics import Report
from toolcast.load.document import load
from toolcast.model.document import Document
from toolcast.model.openapi import Api, Operation, Parameter
from toolcast.parse.api import parse


class Parsed:
    """What a document says, and what was found on the way."""

    def __init__(self, api: Api, report: Report) -> None:
        self.api = api
        self.report = report

    @property
    def operations(self) -> dict[str, Operation]:
        """The operations by key."""
        return {operation.key: operation for operation in self.api.operations}

    @property
    def codes(self) -> list[str]:
        """The codes of what was found."""
        return [diagnostic.code for diagnostic in self.report.diagnostics]


def parsed(root: dict[str, Any], url: str | None = None, version: str = "3.1.0") -> Parsed:
    """What a document says, read from ``url`` or from a file; one without servers gets one."""
    report = Report()
    if url is None:
        root = {"servers": [{"url": "https://api.example"}], **root}
    document = Document(
        address="openapi.yaml",
        file="openapi.yaml",
        url=url,
        version=version,
        root=json.loads(json.dumps(root)),
        files={},
        digest="",
        lines=lambda _: None,
    )
    return Parsed(parse(document, report), report)


def operation(item: dict[str, Any], path: str = "/x", **root: Any) -> Operation:
    """The operation GET of a path item."""
    found = parsed({"paths": {path: item}, **root})
    return found.operations[f"GET {path}"]


def parameters(*listed: dict[str, Any], path: str = "/x", **root: Any) -> list[Parameter]:
    return list(operation({"get": {"parameters": [*listed]}}, path, **root).parameters)


def test_an_empty_document() -> None:
    found = parsed({})
    assert found.api.operations == () and found.api.title == ""
    assert [server.url for server in found.api.servers] == ["https://api.example"]


def test_yaml_with_numbers_and_dates_for_texts(tmp_path: Path) -> None:
    file = tmp_path / "openapi.yaml"
    file.write_text(
        "openapi: 3.1.0\ninfo: {title: 2024-01-01, version: 1.0}\n"
        "paths:\n  /x:\n    get:\n      responses:\n        200: {description: 7}\n        2xx: {description: ok}\n",
        "utf-8",
    )
    report = Report()
    api = parse(load(str(file), report, validate=False), report)
    assert (api.title, api.version) == ("2024-01-01", "1.0")
    assert [(r.status, r.description) for r in api.operations[0].responses] == [("200", "7"), ("2XX", "ok")]


# --- operations


def test_every_method_and_those_of_3_2() -> None:
    methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"]
    item: dict[str, Any] = {method: {} for method in methods}
    found = parsed({"paths": {"/x": item | {"additionalOperations": {"COPY": {}}, "summary": "S", "x-get": {}}}})
    assert {*found.operations} == {*(f"{method.upper()} /x" for method in methods), "COPY /x"}
    assert found.operations["GET /x"].summary == "S"


@pytest.mark.parametrize(
    "broken",
    [
        None,
        [],
        "text",
        {"$ref": "#/gone"},
        {"parameters": [{"$ref": "#/gone"}]},
        {"requestBody": {"$ref": "#/gone"}},
        {"requestBody": 3},
        {"$ref": "#/paths/~1x/get"},
        {"parameters": ["text"]},
    ],
)
def test_an_operation_that_cannot_be_read_is_left_out_alone(broken: Any) -> None:
    found = parsed({"paths": {"/x": {"get": broken, "post": {}}, "/y": {"get": {}}}})
    assert {*found.operations} == {"POST /x", "GET /y"}
    (lost,) = [d for d in found.report.diagnostics if d.operation == "GET /x"]
    assert lost.message.startswith("GET /x is left out: ") and lost.location is not None


@pytest.mark.parametrize("broken", [None, 1, "text", [], {"$ref": "#/gone"}])
def test_a_path_that_cannot_be_read_is_left_out_alone(broken: Any) -> None:
    found = parsed({"paths": {"/x": broken, "/y": {"get": {}}, "x-note": broken}})
    assert {*found.operations} == {"GET /y"} and len(found.codes) == 1


def test_paths_that_are_none() -> None:
    assert parsed({"paths": []}).codes == []
    assert parsed({"paths": "text"}).codes == ["TC202"]


def test_a_path_without_its_slash() -> None:
    found = parsed({"paths": {"x": {"get": {}}}})
    assert {*found.operations} == {"GET /x"} and found.codes == ["TC201"]


def test_a_path_item_somewhere_else() -> None:
    item = {"get": {"operationId": "there"}}
    found = parsed({"paths": {"/x": {"$ref": "#/components/pathItems/X"}}, "components": {"pathItems": {"X": item}}})
    assert found.operations["GET /x"].id == "there"
    assert found.operations["GET /x"].at.pointer == "/components/pathItems/X/get"


def test_texts_beside_a_reference_take_the_place_of_its_own() -> None:
    components: dict[str, Any] = {
        "parameters": {"P": {"name": "p", "in": "query", "description": "There", "schema": {}}}
    }
    made = parameters({"$ref": "#/components/parameters/P", "description": "Here"}, components=components)
    assert made[0].description == "Here"


def test_references_in_another_file_are_said_apart() -> None:
    found = parsed({"paths": {"/x": {"get": {"requestBody": {"$ref": "other.yaml#/a"}}}}})
    assert found.codes == ["TC205"]


# --- parameters


def test_an_operation_s_parameter_takes_the_place_of_its_path_s() -> None:
    shared = [
        {"name": "id", "in": "path", "required": True, "schema": {"type": "string"}},
        {"name": "trace", "in": "query", "schema": {"type": "boolean"}},
    ]
    own = [{"name": "id", "in": "path", "required": True, "schema": {"type": "integer"}}]
    made = operation({"parameters": shared, "get": {"parameters": own}}, "/x/{id}").parameters
    assert [(p.name, p.schema) for p in made] == [("id", {"type": "integer"}), ("trace", {"type": "boolean"})]


def test_path_parameters_come_in_the_order_of_the_path() -> None:
    listed: list[Any] = [
        {"name": name, "in": place, "required": True, "schema": {}}
        for name, place in (("h", "header"), ("q", "query"), ("b", "path"), ("c", "cookie"), ("a", "path"))
    ]
    assert [p.name for p in parameters(*listed, path="/{a}/{b}")] == ["a", "b", "q", "h", "c"]


def test_a_placeholder_that_is_not_declared_is_a_required_string() -> None:
    found = parsed({"paths": {"/rooms/{roomId}": {"get": {}}}})
    (made,) = found.operations["GET /rooms/{roomId}"].parameters
    assert (made.name, made.location, made.required, made.schema) == ("roomId", "path", True, {"type": "string"})
    assert "roomId" in found.report.diagnostics[0].message and found.codes == ["TC233"]


def test_a_path_parameter_without_a_placeholder_is_not_sent() -> None:
    found = parsed({"paths": {"/x": {"get": {"parameters": [{"name": "ghost", "in": "path", "required": True}]}}}})
    assert found.operations["GET /x"].parameters == () and found.codes == ["TC232"]


def test_a_parameter_that_is_declared_twice() -> None:
    one = {"name": "a", "in": "query", "schema": {"type": "string"}}
    found = parsed({"paths": {"/x": {"get": {"parameters": [one, one | {"schema": {}}]}}}})
    assert [p.schema for p in found.operations["GET /x"].parameters] == [{"type": "string"}]
    assert found.codes == ["TC231"]


@pytest.mark.parametrize("broken", [{"in": "query"}, {"name": "a"}, {"name": "a", "in": "form"}])
def test_a_parameter_that_makes_no_sense_is_left_out(broken: dict[str, Any]) -> None:
    found = parsed({"paths": {"/x": {"get": {"parameters": [broken]}}}})
    assert found.operations["GET /x"].parameters == () and found.codes == ["TC230"]


@pytest.mark.parametrize("name", ["Accept", "content-type", "AUTHORIZATION"])
def test_headers_that_are_no_parameters(name: str) -> None:
    assert parameters({"name": name, "in": "header", "required": True, "schema": {}}) == []
    assert len(parameters({"name": name, "in": "query", "schema": {}})) == 1


@pytest.mark.parametrize(
    ("place", "given", "expected"),
    [
        ("query", {}, ("form", True)),
        ("header", {}, ("simple", False)),
        ("cookie", {}, ("form", True)),
        ("query", {"style": "pipeDelimited"}, ("pipeDelimited", False)),
        ("query", {"style": "deepObject"}, ("deepObject", True)),
        ("query", {"explode": False}, ("form", False)),
        ("query", {"style": "nonsense"}, ("form", True)),
        ("cookie", {"style": "cookie"}, ("cookie", True)),
    ],
)
def test_styles(place: str, given: dict[str, Any], expected: tuple[str, bool]) -> None:
    (made,) = parameters({"name": "a", "in": place, "schema": {}, **given})
    assert (made.style, made.explode) == expected


@pytest.mark.parametrize(
    ("given", "media_type", "schema"),
    [
        ({"schema": {"type": "integer"}}, None, {"type": "integer"}),
        ({"schema": True}, None, True),
        ({"content": {"application/json": {"schema": {"type": "object"}}}}, "application/json", {"type": "object"}),
        ({"content": {"application/json": None}}, "application/json", {}),
        ({"content": {"application/json": {"$ref": "#/components/mediaTypes/M"}}}, "application/json", {"enum": [1]}),
        ({"type": "integer", "minimum": 1, "x-a": 1}, None, {"type": "integer", "minimum": 1}),
        ({}, None, {"type": "string"}),
    ],
)
def test_a_parameter_s_schema(given: dict[str, Any], media_type: str | None, schema: Any) -> None:
    components = {"mediaTypes": {"M": {"schema": {"enum": [1]}}}}
    (made,) = parameters({"name": "a", "in": "query", **given}, components=components)
    assert (made.media_type, made.schema) == (media_type, schema)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"example": 1}, 1),
        ({"examples": {"a": {"value": 2}, "b": {"value": 3}}}, 2),
        ({"examples": {"a": {"dataValue": 4}}}, 4),
        ({"examples": {"a": {"$ref": "#/components/examples/E"}}}, 5),
        ({}, None),
    ],
)
def test_a_parameter_s_example(given: dict[str, Any], expected: Any) -> None:
    components = {"examples": {"E": {"value": 5}}}
    (made,) = parameters({"name": "a", "in": "query", "schema": {}, **given}, components=components)
    assert made.example == expected


def test_flags_that_are_quoted() -> None:
    (made,) = parameters({"name": "a", "in": "query", "schema": {}, "required": "true", "deprecated": "false"})
    assert made.required and not made.deprecated


# --- bodies


def test_a_body_in_several_representations() -> None:
    content: dict[str, Any] = {
        "application/json": {"schema": {"type": "object"}},
        "text/plain": None,
        "application/jsonl": {"itemSchema": {}},
    }
    made = operation({"get": {"requestBody": {"required": True, "description": "D", "content": content}}}).body
    assert made is not None and made.required and made.description == "D"
    assert [(m.media_type, m.schema, m.item_schema) for m in made.content] == [
        ("application/json", {"type": "object"}, None),
        ("text/plain", None, None),
        ("application/jsonl", None, {}),
    ]


def test_a_body_without_content_is_none() -> None:
    assert operation({"get": {"requestBody": {}}}).body is None


def test_encodings() -> None:
    encoding = {
        "a": {
            "contentType": "text/csv",
            "style": "form",
            "explode": False,
            "allowReserved": True,
            "headers": {"X-A": {"schema": {"type": "string"}, "required": True}},
        },
        "b": 3,
    }
    content = {"multipart/form-data": {"schema": {}, "encoding": encoding}}
    made = operation({"get": {"requestBody": {"content": content}}}).body
    assert made is not None
    (one,) = made.content[0].encoding.values()
    assert (one.media_type, one.style, one.explode, one.allow_reserved) == ("text/csv", "form", False, True)
    assert [(header.name, header.schema, header.required) for header in one.headers] == [
        ("X-A", {"type": "string"}, True)
    ]


def test_an_answer_that_cannot_be_read_costs_only_itself() -> None:
    found = parsed(
        {"paths": {"/x": {"get": {"responses": {"200": {"$ref": "#/gone"}, "201": {"description": "Made"}}}}}}
    )
    assert [r.status for r in found.operations["GET /x"].responses] == ["201"] and found.codes == ["TC240"]


# --- servers


@pytest.mark.parametrize(
    ("url", "document", "expected"),
    [
        ("https://api.example.com/v1", "https://docs.example.com/a/openapi.yaml", "https://api.example.com/v1"),
        ("/api/v3", "https://docs.example.com/a/openapi.yaml", "https://docs.example.com/api/v3"),
        ("../v3", "https://docs.example.com/a/b/openapi.yaml", "https://docs.example.com/a/v3"),
        ("//api.example.com", "https://docs.example.com/openapi.yaml", "https://api.example.com"),
        ("", "https://docs.example.com/openapi.yaml", "https://docs.example.com/"),
        ("/api", None, "/api"),
        ("{scheme}://x", "https://docs.example.com/openapi.yaml", "{scheme}://x"),
        ("https://{region}.example.com/", None, "https://{region}.example.com/"),
        ("/{stage}/x", "https://docs.example.com/openapi.yaml", "https://docs.example.com/{stage}/x"),
    ],
)
def test_a_server_s_url(url: str, document: str | None, expected: str) -> None:
    variables = {name: {"default": "d"} for name in ("scheme", "region", "stage")}
    found = parsed({"servers": [{"url": url, "variables": variables}]}, document)
    assert [server.url for server in found.api.servers] == [expected]


def test_a_document_without_servers_is_its_own() -> None:
    root: dict[str, Any] = {"paths": {"/x": {"get": {}}}}
    found = parsed(root, "https://docs.example.com/a/openapi.yaml")
    assert found.api.servers[0].url == "https://docs.example.com/"


def test_server_variables() -> None:
    variables = {"a": {"default": "x", "enum": ["x", 8443]}, "b": {"enum": ["y"]}, "unused": {"default": "z"}}
    found = parsed({"servers": [{"url": "https://{a}.{b}.{c}", "variables": variables}]})
    assert [(v.name, v.default, v.enum) for v in found.api.servers[0].variables] == [
        ("a", "x", ("x", "8443")),
        ("b", "y", ("y",)),
        ("c", "", ()),
    ]
    assert found.codes == ["TC210"]


@pytest.mark.parametrize("servers", [[], [{"url": "/v1"}]])
def test_a_file_that_does_not_say_where_the_api_is_is_warned_about(servers: list[dict[str, str]]) -> None:
    root: dict[str, Any] = {"servers": servers, "paths": {"/x": {"get": {}}}}
    assert parsed(root).codes == ["TC211"]
    assert parsed(root, "https://docs.example/openapi.yaml").codes == []


def test_the_nearest_servers_count() -> None:
    item = {"servers": [{"url": "https://path"}], "get": {"servers": [{"url": "https://operation"}]}, "post": {}}
    found = parsed({"servers": [{"url": "https://root"}], "paths": {"/x": item, "/y": {"get": {}}}}).operations
    assert [s.url for s in found["GET /x"].servers] == ["https://operation"]
    assert [s.url for s in found["POST /x"].servers] == ["https://path"]
    assert found["GET /y"].servers == ()


# --- security

SCHEMES: dict[str, Any] = {
    "key": {"type": "apiKey", "in": "query", "name": "k"},
    "token": {"type": "http", "scheme": "Bearer"},
    "tls": {"type": "mutualTLS"},
    "login": {"type": "oauth2", "flows": {}},
    "linked": {"$ref": "#/components/securitySchemes/key"},
}


REQUIREMENTS: list[tuple[Any, ...]] = [
    (None, (("key",),)),
    ([], ()),
    ([{}], ((),)),
    ([{"token": []}], (("token",),)),
    ([{"token": [], "key": []}], (("token", "key"),)),
    ([{"token": []}, {"key": []}, {}], (("token",), ("key",), ())),
    ([{"tls": []}], (("tls",),)),
    ([{"tls": [], "key": []}], (("tls", "key"),)),
    ([{"gone": []}, {"key": []}], (("key",),)),
    ([{"token": []}, {"token": []}], (("token",),)),
    ([3, {"key": []}], (("key",),)),
]


@pytest.mark.parametrize(
    ("declared", "expected"),
    REQUIREMENTS,
)
def test_requirements(declared: Any, expected: Any) -> None:
    own = {} if declared is None else {"security": declared}
    made = operation({"get": own}, components={"securitySchemes": SCHEMES}, security=[{"key": []}])
    assert made.security == expected


def test_schemes() -> None:
    broken: dict[str, Any] = {"a": {"type": "apiKey"}, "b": {"type": "magic"}, "c": {"$ref": "#/gone"}, "d": 3}
    found = parsed({"components": {"securitySchemes": SCHEMES | broken}})
    assert {*found.api.security_schemes} == {*SCHEMES}
    assert found.api.security_schemes["linked"].name == "k" and found.api.security_schemes["linked"].id == "linked"
    assert found.codes == ["TC221", "TC220", "TC204", "TC202"]


def test_a_scheme_that_is_not_declared_is_said() -> None:
    found = parsed({"paths": {"/x": {"get": {"security": [{"gone": []}]}}}})
    assert found.operations["GET /x"].security == () and found.codes == ["TC222"]


def test_a_method_in_capitals_is_one_all_the_same() -> None:
    found = parsed({"paths": {"/x": {"GET": {}, "Post": {}, "get": {"operationId": "meant"}, "X-Get": {}}}})
    assert {key: operation.id for key, operation in found.operations.items()} == {"GET /x": "meant", "POST /x": None}
    assert found.codes == ["TC206"]


def test_where_nothing_is_called_nothing_is_said_of_where() -> None:
    assert parsed({"servers": [], "paths": {}}).codes == []
