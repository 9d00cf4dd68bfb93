from __future__ import annotations

import copy
import json
import posixpath
import shutil
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from toolcast.diagnostics import Diagnostic, Location, Report
from toolcast.load import neighbours, yaml
from toolcast.load.document import load
from toolcast.model.document import Document
from toolcast.model.pointer import Missing, resolve

from .conftest import Web

HEAD = "openapi: 3.1.0\ninfo: {title: A, version: '1'}\n"
ANSWERS = "responses: {'200': {description: d}}"


def write(folder: Path, files: dict[str, str]) -> Path:
    """A folder of files; gives the one called api.yaml."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        # A flow mapping is YAML, but a file that begins with one is taken for JSON.
        path.write_text(f"---\n{text}" if text.startswith("{") and path.suffix == ".yaml" else text, "utf-8")
    return folder / "api.yaml"


def opened(folder: Path, files: dict[str, str], report: Report | None = None, **options: Any) -> Document:
    return load(str(write(folder, files)), Report() if report is None else report, **options)


def quiet(folder: Path, files: dict[str, str], **options: Any) -> Document:
    """A document in which nothing is odd."""
    report = Report()
    document = opened(folder, files, report, **options)
    assert report.diagnostics == []
    return document


def said(folder: Path, files: dict[str, str], **options: Any) -> list[Diagnostic]:
    report = Report()
    opened(folder, files, report, validate=False, **options)
    assert all(found.severity == "warning" and found.help for found in report.diagnostics)
    return report.diagnostics


def at(document: Document, reference: str) -> Any:
    return resolve(document, reference)


def schema_of(text: str) -> str:
    return HEAD + f"paths: {{}}\ncomponents: {{schemas: {{It: {text}}}}}\n"


def referring(document: Document) -> Any:
    """What the schema of `schema_of` is, behind its references."""
    found = at(document, "#/components/schemas/It")
    for _ in range(8):
        if not isinstance(found, dict) or "$ref" not in found:
            break
        found = at(document, str(found["$ref"]))  # pyright: ignore[reportUnknownArgumentType]
    return found  # pyright: ignore[reportUnknownVariableType]


SPLIT = {
    "api.yaml": HEAD
    + """
paths:
  /books: {$ref: paths/books.yaml}
  /pages:
    get: {$ref: 'paths/pages.json#/get'}
components:
  schemas: {Book: {$ref: 'parts/book.yaml'}, Own: {type: boolean}}
""",
    "paths/books.yaml": """
post:
  parameters:
    - {$ref: '../shared.yaml#/components/parameters/Trace'}
    - {$ref: '../shared.yaml#/components/parameters/Own'}
  requestBody: {$ref: '../shared.yaml#/components/requestBodies/Book'}
  responses: {'200': {$ref: '../shared.yaml#/components/responses/Book'}}
""",
    "paths/pages.json": json.dumps(
        {"get": {"operationId": "p", "responses": {"200": {"$ref": "../shared.yaml#/components/responses/Book"}}}}
    ),
    "shared.yaml": """
components:
  parameters:
    Trace: {name: trace, in: query, schema: {$ref: '#/flag'}}
    Own: {name: own, in: query, schema: {$ref: 'api.yaml#/components/schemas/Own'}}
  requestBodies:
    Book: {content: {application/json: {schema: {$ref: 'parts/book.yaml'}}}}
  responses:
    Book:
      description: d
      headers: {X-Rate: {$ref: '#/components/headers/Rate'}}
      content: {application/json: {schema: {$ref: 'parts/book.yaml'}, examples: {e: {$ref: '#/components/examples/e'}}}}
  headers: {Rate: {schema: {type: integer, nullable: true}}}
  examples: {e: {value: {$ref: nowhere}}}
flag: {type: boolean}
""",
    "parts/book.yaml": """
type: object
properties:
  author: {$ref: '#/definitions/Author'}
  next: {$ref: 'book.yaml'}
  own: {$ref: '../api.yaml#/components/schemas/Own'}
definitions:
  Author: {type: string, nullable: true}
""",
}  # fmt: skip


def test_a_document_in_files(tmp_path: Path) -> None:
    document = quiet(tmp_path, SPLIT)
    assert sorted(document.files) == ["parts/book.yaml", "paths/books.yaml", "paths/pages.json", "shared.yaml"]
    paths: Any = document.root["paths"]
    assert paths == {
        "/books": {"$ref": "paths/books.yaml#"},
        "/pages": {"get": {"$ref": "paths/pages.json#/get"}},
    }
    post = at(document, "paths/books.yaml#/post")
    assert [entry["$ref"] for entry in post["parameters"]] == [
        "shared.yaml#/components/parameters/Trace",
        "shared.yaml#/components/parameters/Own",
    ]
    assert post["requestBody"] == {"$ref": "shared.yaml#/components/requestBodies/Book"}
    answer = at(document, "shared.yaml#/components/responses/Book")
    assert answer["headers"] == {"X-Rate": {"$ref": "shared.yaml#/components/headers/Rate"}}
    media = answer["content"]["application/json"]
    assert media["examples"] == {"e": {"$ref": "shared.yaml#/components/examples/e"}}
    assert media["schema"] == {"$ref": "#/components/schemas/Book"}
    assert at(document, "shared.yaml#/components/headers/Rate/schema") == {"type": ["integer", "null"]}


def test_schemas_of_other_files_become_components(tmp_path: Path) -> None:
    document = quiet(tmp_path, SPLIT)
    components: Any = document.root["components"]
    assert list(components["schemas"]) == ["Book", "Own", "Author", "flag"]
    book = components["schemas"]["Book"]
    assert book is document.files["parts/book.yaml"]
    assert book["properties"] == {
        "author": {"$ref": "#/components/schemas/Author"},
        "next": {"$ref": "#/components/schemas/Book"},
        "own": {"$ref": "#/components/schemas/Own"},
    }
    assert components["schemas"]["Author"] == {"type": ["string", "null"]}


def test_the_names_of_components_depend_on_no_order(tmp_path: Path) -> None:
    files = {
        "a/pet.yaml": "{type: string}",
        "b/pet.yaml": "{type: integer}",
        "a/all.yaml": "{Pet Shop: {type: string}, Owner: {type: string}, list: [{type: boolean}]}",
        "b/all.yaml": "{Owner: {type: integer}, Own: {properties: {deep: {type: number}}}}",
    }
    uses = ["a/pet.yaml", "b/pet.yaml", "a/all.yaml#/Pet%20Shop", "a/all.yaml#/Owner", "b/all.yaml#/Owner",
            "b/all.yaml#/Own", "b/all.yaml#/Own/properties/deep", "a/all.yaml#/list/0"]  # fmt: skip
    names: list[dict[str, str]] = []
    for index, order in enumerate((uses, uses[::-1])):
        text = schema_of("{allOf: [" + ", ".join(f"{{$ref: '{use}'}}" for use in order) + "]}")
        text = text.replace("It:", "own: {type: object}, It:")
        document = quiet(tmp_path / str(index), {"api.yaml": text, **files})
        found = [entry["$ref"] for entry in at(document, "#/components/schemas/It")["allOf"]]
        names.append({use: name.rpartition("/")[2] for use, name in zip(order, found, strict=True)})
    assert names[0] == names[1]
    assert [names[0][use] for use in uses] == [
        *("a.pet", "b.pet", "Pet_Shop", "a.all.Owner", "b.all.Owner", "all.Own", "all.deep", "all.0")
    ]


@pytest.mark.parametrize(
    ("reference", "file"),
    [
        ("parts/my%20book.yaml", "parts/my book.yaml"),
        ("parts/my book.yaml", "parts/my book.yaml"),
        ("./parts/../parts/book_{id}.yaml", "parts/book_{id}.yaml"),
        ("parts/a%23b.yaml", "parts/a#b.yaml"),
        ("parts/100%.yaml", "parts/100%.yaml"),
        ("parts/100%25.yaml#", "parts/100%.yaml"),
        ("parts/é.yaml#/", "parts/é.yaml"),
        ("book.yaml?raw=1", "book.yaml"),
    ],
)
def test_names_of_files(tmp_path: Path, reference: str, file: str) -> None:
    document = quiet(tmp_path, {"api.yaml": schema_of(f"{{$ref: '{reference}'}}"), file: "{type: string, '': {}}"})
    assert len(document.files) == 1
    assert referring(document) in ({"type": "string", "": {}}, {})


def test_pointers_with_escapes(tmp_path: Path) -> None:
    part = '{"a/b~c": {"100%": {"x y": [{"type": "string"}]}}}'
    document = quiet(tmp_path, {"api.yaml": schema_of("{$ref: 'p.json#/a~1b~0c/100%25/x%20y/0'}"), "p.json": part})
    assert referring(document) == {"type": "string"}
    text = f"paths: {{/a: {{get: {{parameters: [{{$ref: 'p.json#/a~1b~0c/100%25'}}], {ANSWERS}}}}}}}"
    part = '{"a/b~c": {"100%": {"name": "q", "in": "query", "schema": {"type": "string"}}}}'
    items = quiet(tmp_path, {"api.yaml": HEAD + text, "p.json": part})
    paths: Any = items.root["paths"]
    assert at(items, paths["/a"]["get"]["parameters"][0]["$ref"])["name"] == "q"


def test_files_refer_to_each_other_in_circles_and_are_read_once(web: Web) -> None:
    web.serves(
        "/b.yaml", b"---\n{properties: {c: {$ref: 'c.yaml'}, b: {$ref: 'b.yaml'}, a: {$ref: 'api.yaml#/components'}}}"
    )
    web.serves("/c.yaml", b"---\n{properties: {b: {$ref: './b.yaml#'}, c: {$ref: '#/properties/c'}}}")
    report = Report()
    document = load(web.serves("/api.yaml", schema_of("{$ref: b.yaml}").encode()), report)
    assert report.diagnostics == []
    assert sorted(web.hits) == ["/api.yaml", "/b.yaml", "/c.yaml"]
    assert list(document.files) == [f"{web.url}/b.yaml", f"{web.url}/c.yaml"]


def test_references_lead_through_references(tmp_path: Path) -> None:
    files = {
        "api.yaml": HEAD
        + """
paths: {}
components:
  schemas:
    Alias: {$ref: 'b.yaml#/Box'}
    It: {$ref: '#/components/schemas/Alias/properties/lid/properties/knob'}
""",
        "b.yaml": "Box: {properties: {lid: {$ref: 'c.yaml'}}}",
        "c.yaml": "properties: {knob: {$ref: '#/knob'}}\nknob: {type: string}",
    }
    assert referring(quiet(tmp_path, files)) == {"type": "string"}


@pytest.mark.parametrize("target", ["#/b/x", "p.yaml#/b/x"])
def test_circles_on_the_way_end(tmp_path: Path, target: str) -> None:
    files = {
        "api.yaml": schema_of(f"{{$ref: '{target}'}}") + "a: {$ref: '#/b/x'}\nb: {$ref: '#/a/y'}\n",
        "p.yaml": "a: {$ref: '#/b/x'}\nb: {$ref: '#/a/y'}",
    }
    report = Report()
    opened(tmp_path, files, report)
    assert "TC112" in {found.code for found in report.diagnostics}


def test_a_long_chain_ends(tmp_path: Path) -> None:
    chain = {f"s{n}": {"$ref": f"#/s{n + 1}/x"} for n in range(3000)}
    text = json.dumps({"openapi": "3.1.0", "info": {}, "components": {"schemas": {"It": {"$ref": "#/s0/x"}}}, **chain})
    opened(tmp_path, {"api.yaml": text}, validate=False)


@pytest.mark.parametrize(
    ("place", "files", "found"),
    [
        ("paths: {$ref: p.yaml}", {"p.yaml": "/a: {get: {X}}\n"}, "paths"),
        ("paths: {$ref: 'p.yaml#/all'}", {"p.yaml": "all: {$ref: 'q.yaml'}", "q.yaml": "/a: {get: {X}}"}, "paths"),
        ("paths: {/b: {get: {X}}, $ref: p.yaml}", {"p.yaml": "/a: {get: {X}}\n/b: 5"}, "paths"),
    ],
)
def test_a_reference_for_all_paths(tmp_path: Path, place: str, files: dict[str, str], found: str) -> None:
    texts = {name: text.replace("X", ANSWERS) for name, text in {"api.yaml": HEAD + place, **files}.items()}
    document = quiet(tmp_path, texts)
    paths: Any = document.root[found]
    assert "$ref" not in paths
    assert at(document, paths["/a"]["$ref"]) == {"get": {"responses": {"200": {"description": "d"}}}}
    if "/b" in paths:
        assert "get" in paths["/b"]


def test_references_for_other_maps_and_lists(tmp_path: Path) -> None:
    files = {
        "api.yaml": HEAD
        + """
paths:
  /a:
    get:
      parameters: {$ref: 'more.yaml#/parameters'}
      responses: {$ref: 'more.yaml#/responses'}
components: {$ref: components.yaml}
""",
        "more.yaml": """
parameters: [{name: q, in: query, schema: {$ref: 'api.yaml#/components/schemas/Pet/properties/name'}}]
responses: {'200': {description: d}}
""",
        "components.yaml": "schemas: {$ref: 'schemas/index.yaml'}",
        "schemas/index.yaml": "Pet: {$ref: pet.yaml}\nYes: true\n",
        "schemas/pet.yaml": "type: object\nproperties: {$ref: 'fields.yaml'}",
        "schemas/fields.yaml": "name: {type: string}",
    }
    document = quiet(tmp_path, files)
    root: Any = document.root
    operation = root["paths"]["/a"]["get"]
    assert operation["parameters"] == [{"$ref": "more.yaml#/parameters/0"}]
    assert operation["responses"] == {"200": {"$ref": "more.yaml#/responses/200"}}
    schemas = root["components"]["schemas"]
    assert schemas["Pet"]["properties"] == {"name": {"$ref": "#/components/schemas/name"}}
    assert schemas["Yes"] is True
    assert at(document, "more.yaml#/parameters/0")["schema"] == {"$ref": "#/components/schemas/name"}
    assert schemas["name"] == {"type": "string"}


def test_texts_and_values_from_other_files(tmp_path: Path) -> None:
    files = {
        "api.yaml": """
openapi: 3.1.0
info: {title: A, version: '1', description: {$ref: 'docs/info.md'}}
tags: [{$ref: 'docs/tag.yaml'}, {name: b, description: {$ref: 'docs/texts.yaml#/b'}}]
paths:
  /a:
    get:
      summary: {$ref: '#/x-texts/a'}
      responses:
        '200':
          description: d
          content:
            application/json:
              example: {$ref: 'docs/example.json'}
              schema: {default: {$ref: 'nowhere.yaml'}, const: {$ref: '#/not/a/reference'}}
x-texts: {a: Hello}
""",
        "docs/info.md": "# Pets: an API\n",
        "docs/tag.yaml": "name: a",
        "docs/texts.yaml": "b: Bees",
        "docs/example.json": '{"a": [1]}',
    }
    document = opened(tmp_path, files, validate=False)
    root: Any = document.root
    assert root["info"]["description"] == "# Pets: an API\n"
    assert root["tags"] == [{"name": "a"}, {"name": "b", "description": "Bees"}]
    operation = root["paths"]["/a"]["get"]
    assert operation["summary"] == "Hello"
    media = operation["responses"]["200"]["content"]["application/json"]
    assert media["example"] == {"a": [1]}
    assert media["schema"] == {"default": {"$ref": "nowhere.yaml"}, "const": {"$ref": "#/not/a/reference"}}


def test_inserted_values_do_not_grow_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("toolcast.load.references._MAX_COPIED", 1000)
    uses = ", ".join(f"S{n}: {{default: {{$ref: 'big.json'}}}}" for n in range(20))
    files = {"api.yaml": HEAD + f"paths: {{}}\ncomponents: {{schemas: {{{uses}}}}}", "big.json": json.dumps("x" * 90)}
    components: Any = opened(tmp_path, files).root["components"]
    assert sum(schema["default"] == "x" * 90 for schema in components["schemas"].values()) == 10


def test_a_path_item_that_has_more_than_its_reference(tmp_path: Path) -> None:
    files = {
        "api.yaml": HEAD + f"paths: {{/a: {{$ref: p.yaml, put: {{operationId: mine, {ANSWERS}}}, summary: s}}}}",
        "p.yaml": f"{{get: {{{ANSWERS}}}, put: {{operationId: theirs, {ANSWERS}}}}}",
    }
    paths: Any = quiet(tmp_path, files).root["paths"]
    assert list(paths["/a"]) == ["get", "put", "summary"]
    assert paths["/a"]["put"]["operationId"] == "mine"


def test_discriminators(tmp_path: Path) -> None:
    files = {
        "api.yaml": HEAD
        + """
paths: {}
components:
  schemas:
    Pet:
      oneOf: [{$ref: 'cat.yaml'}, {$ref: 'all.yaml#/Dog'}]
      discriminator:
        propertyName: kind
        mapping: {cat: cat.yaml, dog: './all.yaml#/Dog', own: Own, local: '#/components/schemas/Own', odd: NoSuch}
        defaultMapping: cat.yaml
    Own: {type: object}
    Far: {$ref: 'all.yaml#/components/schemas/Far'}
""",
        "cat.yaml": "type: object",
        "all.yaml": """
Dog: {type: object}
components:
  schemas:
    Far: {discriminator: {propertyName: a, mapping: {near: Near, own: Own}}}
    Near: {type: object}
""",
    }
    document = opened(tmp_path, files)
    schemas = "#/components/schemas"
    discriminator = at(document, f"{schemas}/Pet")["discriminator"]
    assert discriminator["mapping"] == {
        "cat": f"{schemas}/cat",
        "dog": f"{schemas}/Dog",
        "own": "Own",
        "local": f"{schemas}/Own",
        "odd": "NoSuch",
    }
    assert discriminator["defaultMapping"] == f"{schemas}/cat"
    far = at(document, f"{schemas}/Far")["discriminator"]["mapping"]
    assert far == {"near": f"{schemas}/Near", "own": "Own"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{$ref: '#dog'}\n    A: {$anchor: dog, type: string}", {"$anchor": "dog", "type": "string"}),
        ("{$ref: '#dog'}\n    A: {$dynamicAnchor: dog}", {"$dynamicAnchor": "dog"}),
        ("{$ref: '#dog'}\n    A: {$id: '#dog'}", {"$id": "#dog"}),
        ("{$ref: 'http://a.test/x#d'}\n    A: {$id: 'http://a.test/x', $defs: {d: {$anchor: d}}}", {"$anchor": "d"}),
        ("{$ref: 'http://a.test/x'}\n    A: {$id: 'http://a.test/x'}", {"$id": "http://a.test/x"}),
        ("{$ref: 'urn:a:b'}\n    A: {$id: 'urn:a:b'}", {"$id": "urn:a:b"}),
        ("{$ref: 'http://a.test/x#/$defs/d'}\n    A: {$id: 'http://a.test/x', $defs: {d: {title: d}}}", {"title": "d"}),
        ("{$ref: 'other'}\n    A: {$id: 'other', type: string}", {"$id": "other", "type": "string"}),
        ("{$id: 'http://a.test/x', $ref: 'y'}\n    A: {$id: 'http://a.test/y'}", {"$id": "http://a.test/y"}),
        ("{$id: 'http://a.test/x', $ref: '#/$defs/d', $defs: {d: {type: string}}}", {"type": "string"}),
        ("{$id: 'http://a.test/x', $ref: '#/components/schemas/A'}\n    A: {type: string}", {"type": "string"}),
        ("{$id: 'http://a.test/x', $ref: 'part.yaml'}", {"type": "integer"}),
        ("{$ref: 'part.yaml#cat'}", {"$anchor": "cat"}),
        ("{$ref: 'http://a.test/named'}\n    A: {$ref: 'named.yaml'}", {"$id": "http://a.test/named"}),
    ],
)  # fmt: skip
def test_identifiers_and_anchors(tmp_path: Path, text: str, expected: object) -> None:
    files = {
        "api.yaml": HEAD + f"paths: {{}}\ncomponents:\n  schemas:\n    First: {{$ref: named.yaml}}\n    It: {text}\n",
        "part.yaml": "{type: integer, $defs: {c: {$anchor: cat}}}" if "cat" in text else "{type: integer}",
        "named.yaml": "{$id: 'http://a.test/named'}",
    }
    report = Report()
    document = opened(tmp_path, files, report, validate=False)
    assert report.diagnostics == []
    assert referring(document) == expected


def test_a_document_that_names_itself(tmp_path: Path) -> None:
    text = schema_of(
        "{properties: {a: {$ref: 'https://a.test/v1/api#/components/schemas/It'}, b: {$ref: 'part.yaml'}}}"
    )
    text = text.replace("3.1.0", "3.2.0").replace("info:", "$self: https://a.test/v1/api\ninfo:")
    files = {"api.yaml": text, "part.yaml": "{properties: {it: {$ref: 'api#/components/schemas/It'}}}"}
    document = quiet(tmp_path, files)
    properties = at(document, "#/components/schemas/It")["properties"]
    assert properties["a"] == {"$ref": "#/components/schemas/It"}
    assert properties["b"] == {"$ref": "#/components/schemas/part"}


BROKEN: list[tuple[str, dict[str, str], str, str]] = [
    ("gone.yaml", {}, "TC120", "The reference to gone.yaml does not exist"),
    ("parts", {"parts/x.yaml": ""}, "TC120", "parts is no file"),
    ("bad.yaml#/A", {"bad.yaml": "a: b: c"}, "TC122", "bad.yaml cannot be used: Not well-formed YAML"),
    ("bad.json", {"bad.json": '{"a": 1'}, "TC122", "Not well-formed JSON"),
    ("page.html", {"page.html": "<!DOCTYPE html><html>"}, "TC122", "an HTML page"),
    ("zip.yaml", {"zip.yaml": "PK\x03\x04\udcff"}, "TC122", "a ZIP archive"),
    ("http://[", {}, "TC120", "is no address"),
    ("http://a.test:x/", {}, "TC120", "is no address"),
    ("urn:a:b", {}, "TC121", "urn:"),
    ("ftp://a.test/x", {}, "TC121", "ftp:"),
    ("x" * 300, {}, "TC1", "x"),
    ('a\\0b', {}, "TC12", ""),
]  # fmt: skip


@pytest.mark.parametrize(("reference", "files", "code", "words"), BROKEN)
def test_references_that_lead_to_no_file(
    tmp_path: Path, reference: str, files: dict[str, str], code: str, words: str
) -> None:
    text = schema_of(f'{{\n  properties: {{a: {{\n  $ref: "{reference}"}}, b: {{$ref: "{reference}"}}}}}}')
    path = write(tmp_path, {"api.yaml": text})
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(content.encode("utf-8", "surrogateescape"))
    report = Report()
    document = load(str(path), report, validate=False)
    (found,) = report.diagnostics
    assert found.code.startswith(code)
    assert words in found.message
    assert found.message.endswith("(and 1 more to the same)")
    assert found.location is not None
    assert (found.location.pointer, document.lines(found.location)) == (
        "/components/schemas/It/properties/a/$ref",
        6,
    )
    (first, second) = at(document, "#/components/schemas/It")["properties"].values()
    assert first == second
    with pytest.raises(Missing):
        resolve(document, first["$ref"])


def test_a_missing_file_is_not_taken_for_another(tmp_path: Path) -> None:
    files = {
        "api.yaml": schema_of("{properties: {a: {$ref: 'sub/x.yaml'}, b: {$ref: 'book.yaml'}}}"),
        "sub/x.yaml": "{properties: {b: {$ref: 'book.yaml#'}}}",
        "book.yaml": "{title: decoy}",
    }
    report = Report()
    document = opened(tmp_path, files, report)
    (found,) = report.diagnostics
    assert found.location == Location(file="sub/x.yaml", pointer="/properties/b/$ref")
    inner: Any = document.files["sub/x.yaml"]
    assert inner["properties"]["b"] == {"$ref": "sub/book.yaml#"}


def test_pointers_that_lead_nowhere(tmp_path: Path) -> None:
    files = {
        "api.yaml": schema_of("{\n  properties: {a: {$ref: 'p.yaml#/Pett'}, b: {$ref: 'p.yaml#/Pet'}}}"),
        "p.yaml": "Pet:\n  properties: {a: {$ref: '#/Gone'}, b: {$ref: '#gone'}, c: {$ref: 'api.yaml#/nowhere'}}\n",
    }
    report = Report()
    document = opened(tmp_path, files, report)
    found = {item.message: (item.help, item.location and document.lines(item.location)) for item in report.diagnostics}
    assert {item.code for item in report.diagnostics} == {"TC112"}
    assert found == {
        "The reference p.yaml#/Pett leads nowhere": ("Did you mean Pet instead of Pett?", 5),
        "The reference p.yaml#/Gone leads nowhere": ("Add what it refers to, or correct the reference.", 2),
        "The reference p.yaml#gone leads nowhere": ("Add what it refers to, or correct the reference.", 2),
        "The reference #/nowhere leads nowhere": ("Add what it refers to, or correct the reference.", 2),
    }


def test_odd_keys_in_a_file_are_told_with_their_file(tmp_path: Path) -> None:
    (found,) = said(tmp_path, {"api.yaml": schema_of("{$ref: p.yaml}"), "p.yaml": "type: string\ntype: object"})
    assert (found.code, found.location) == ("TC100", Location(file="p.yaml", pointer="/type", line=2))


def test_lines_of_all_files(tmp_path: Path) -> None:
    document = quiet(tmp_path, SPLIT)
    assert document.lines(Location(file="parts/book.yaml", pointer="/definitions/Author")) == 8
    assert document.lines(Location(file=document.file, pointer="/paths/~1pages")) == 6
    assert document.lines(Location(file="other.yaml", pointer="/a")) is None


def test_the_digest_covers_all_files(tmp_path: Path, web: Web) -> None:
    first = quiet(tmp_path / "a", SPLIT).digest
    assert first == quiet(tmp_path / "b", SPLIT).digest
    again = {**SPLIT, "shared.yaml": json.dumps(yaml.read(SPLIT["shared.yaml"], "").value)}
    assert first == quiet(tmp_path / "c", again).digest
    changed = {**SPLIT, "parts/book.yaml": SPLIT["parts/book.yaml"].replace("string", "integer")}
    assert first != quiet(tmp_path / "d", changed).digest
    moved = {
        **SPLIT,
        "api.yaml": SPLIT["api.yaml"].replace("pages.json", "p.json"),
        "paths/p.json": SPLIT["paths/pages.json"],
    }
    assert first != quiet(tmp_path / "e", moved).digest
    for name, text in SPLIT.items():
        web.serves(f"/v1/{name}", text.encode())
    assert first == load(f"{web.url}/v1/api.yaml", Report()).digest
    shutil.rmtree(tmp_path / "a")


def test_too_many_files_are_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(neighbours, "MAX_FILES", 3)
    uses = ", ".join(f"p{n}: {{$ref: 'p{n}.yaml'}}" for n in range(60))
    files = {f"p{n}.yaml": "{type: string}" for n in range(60)}
    found = said(tmp_path, {"api.yaml": schema_of(f"{{properties: {{{uses}}}}}"), **files})
    assert {item.code for item in found} == {"TC123"}
    assert len(found) == 51
    assert found[-1].message == "7 more references lead to files that cannot be used"


def test_too_many_bytes_are_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(neighbours, "MAX_BYTES", 20)
    uses = ", ".join(f"p{n}: {{$ref: 'p{n}.yaml'}}" for n in range(4))
    files = {f"p{n}.yaml": "{type: string}" for n in range(4)}
    assert {item.code for item in said(tmp_path, {"api.yaml": schema_of(f"{{properties: {{{uses}}}}}"), **files})} == {
        "TC123"
    }


BOOKS: Any = yaml.read(
    HEAD
    + """
paths:
  /books/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: integer, nullable: true}}]
    get:
      parameters:
        - {$ref: '#/components/parameters/Limit'}
        - {name: a~b/c%, in: query, schema: {$ref: '#/components/schemas/Kind'}}
      responses: {'200': {$ref: '#/components/responses/Book'}, default: {description: d}}
    put:
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Book'}}}}
      responses:
        '200':
          description: d
          content: {application/json: {schema: {$ref: '#/components/schemas/Book/properties/tags/items'}}}
  /shelves:
    post:
      requestBody: {$ref: '#/components/requestBodies/Shelf'}
      responses: {'201': {$ref: '#/components/responses/Book'}}
components:
  parameters: {Limit: {name: limit, in: query, schema: {type: integer}}}
  responses:
    Book:
      description: d
      headers: {X-Rate: {$ref: '#/components/headers/Rate'}}
      content: {application/json: {schema: {$ref: '#/components/schemas/Book'}}}
  headers: {Rate: {schema: {type: integer}}}
  requestBodies: {Shelf: {content: {application/json: {schema: {$ref: '#/components/schemas/Shelf'}}}}}
  schemas:
    Kind: {type: string, enum: [a, b]}
    Book:
      type: object
      properties:
        kind: {$ref: '#/components/schemas/Kind'}
        tags: {type: array, items: {type: object, properties: {up: {$ref: '#/components/schemas/Book'}}}}
    Shelf:
      allOf:
        - {$ref: '#/components/schemas/Book'}
        - {type: object, properties: {books: {type: array, items: {$ref: '#/components/schemas/Shelf'}}}}
""",
    "api.yaml",
).value  # fmt: skip
CUTS = [
    "/paths/~1books~1{id}",
    "/paths/~1books~1{id}/get",
    "/paths/~1books~1{id}/put/requestBody",
    "/paths/~1books~1{id}/parameters/0",
    "/paths/~1books~1{id}/parameters/0/schema",
    "/paths/~1books~1{id}/get/parameters/1",
    "/paths/~1books~1{id}/get/parameters/1/schema",
    "/paths/~1books~1{id}/get/responses/default",
    "/paths/~1shelves",
    "/paths/~1shelves/post/requestBody",
    "/components/parameters/Limit",
    "/components/responses/Book",
    "/components/responses/Book/headers/X-Rate",
    "/components/headers/Rate",
    "/components/requestBodies/Shelf",
    "/components/requestBodies/Shelf/content/application~1json/schema",
    "/components/schemas",
    "/components/schemas/Book",
    "/components/schemas/Book/properties",
    "/components/schemas/Book/properties/tags",
    "/components/schemas/Book/properties/tags/items",
    "/components/schemas/Shelf",
    "/components/schemas/Shelf/allOf/1",
    "/paths",
]


class Splitting:
    """Writes a document into files, cut at some pointers; the place of each cut says into which file, and where."""

    def __init__(self, cuts: dict[str, tuple[str, str]]) -> None:
        self.cuts = cuts
        self.files: dict[str, Any] = {"api.json": {}}

    def write(self, node: Any, pointer: str, file: str) -> Any:
        if pointer in self.cuts:
            target, name = self.cuts[pointer]
            whole = self.files.setdefault(target, {})
            whole[name] = self.inner(node, pointer, target)
            return {"$ref": f"{self.relative(target, file)}#/{name}"}
        return self.inner(node, pointer, file)

    def inner(self, node: Any, pointer: str, file: str) -> Any:
        if isinstance(node, list):
            return [self.write(value, f"{pointer}/{index}", file) for index, value in enumerate(node)]  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
        if not isinstance(node, dict):
            return node
        made: dict[str, Any] = {}
        for key, value in node.items():  # pyright: ignore[reportUnknownVariableType]
            escaped = str(key).replace("~", "~0").replace("/", "~1")  # pyright: ignore[reportUnknownArgumentType]
            made[str(key)] = self.write(value, f"{pointer}/{escaped}", file)  # pyright: ignore[reportUnknownArgumentType]
        if isinstance(made.get("$ref"), str) and made["$ref"].startswith("#") and file != "api.json":
            made["$ref"] = self.relative("api.json", file) + made["$ref"]
        return made

    @staticmethod
    def relative(target: str, file: str) -> str:
        return posixpath.relpath(target, posixpath.dirname(file) or ".") if target != file else ""


def expanded(document: Document, node: Any, depth: int = 14) -> Any:
    """A part of a document without references, down to a depth."""
    while isinstance(node, dict) and isinstance(node.get("$ref"), str):  # pyright: ignore[reportUnknownMemberType]
        node = at(document, str(node["$ref"]))  # pyright: ignore[reportUnknownArgumentType]
    if depth == 0 or not isinstance(node, dict | list):
        return node if not isinstance(node, dict | list) else "…"
    if isinstance(node, list):
        return [expanded(document, value, depth - 1) for value in node]  # pyright: ignore[reportUnknownVariableType]
    return {key: expanded(document, value, depth - 1) for key, value in node.items()}  # pyright: ignore[reportUnknownVariableType]


FILES = st.sampled_from(["a.json", "b.json", "sub/a.json", "sub/deep/b c.json"])


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(cuts=st.dictionaries(st.sampled_from(CUTS), FILES))
def test_a_document_means_the_same_however_it_is_cut(tmp_path: Path, cuts: dict[str, str]) -> None:
    splitting = Splitting({pointer: (file, f"part{CUTS.index(pointer)}") for pointer, file in cuts.items()})
    splitting.files["api.json"] = splitting.write(copy.deepcopy(BOOKS), "", "api.json")
    for name, value in splitting.files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(value))
    (tmp_path / "whole.json").write_text(json.dumps(BOOKS))
    reports = Report(), Report()
    whole = load(str(tmp_path / "whole.json"), reports[0])
    split = load(str(tmp_path / "api.json"), reports[1])
    assert [report.diagnostics for report in reports] == [[], []]
    assert expanded(split, split.root["paths"]) == expanded(whole, whole.root["paths"])
