"""The requests that the samples' own tests expect are those of an encoder that knows nothing of the runtime."""

from __future__ import annotations

import ast
import base64
import json
from collections.abc import Iterator, Mapping
from email.parser import BytesParser
from email.policy import HTTP
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from tests.independent.encode import Encoder, Part

from toolcast import pipeline
from toolcast.diagnostics import Report
from toolcast.emit import render
from toolcast.load import yaml

TESTS = Path(__file__).parents[1]
SAMPLES = sorted(path.parent for path in TESTS.parent.glob("samples/*/openapi.yaml"))
# Documents of tests, with more of what the specification allows than a sample has.
DOCUMENTS = sorted(
    [
        *TESTS.glob("documents/alike/*/*.yaml"),
        *(TESTS / f"documents/accepted/{name}.yaml" for name in ("parameters_of_every_style", "bodies_of_every_kind")),
        *(TESTS / f"documents/accepted/{name}/openapi.yaml" for name in ("values_as_text", "one_name_in_every_place")),
    ]
)

Case = tuple[str, dict[str, Any], dict[str, Any]]  # a tool, its arguments, the request


def read(path: Path) -> dict[str, Any]:
    """A document as its author wrote it."""
    value: Any = yaml.read(path.read_text("utf-8"), path.name).value
    return value


def cases(source: str) -> Iterator[Case]:
    """The cases of a module of emitted tests."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.target.id == "CASES":
            assert node.value is not None
            yield from ast.literal_eval(node.value)


def parts(media_type: str, body: bytes) -> list[Part]:
    """The parts of a multipart body, by the standard library's parser."""
    message = BytesParser(policy=HTTP).parsebytes(f"Content-Type: {media_type}\r\n\r\n".encode() + body)
    found: list[Part] = []
    for part in message.iter_parts():
        data: Any = part.get_payload(decode=True)
        name = part["content-disposition"].params.get("name") if part["content-disposition"] else None
        found.append(Part(name, part.get_filename(), part["content-type"] and part.get_content_type(), data))
    return found


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.name)
def test_the_samples_expect_what_the_specification_says(sample: Path) -> None:
    [path] = [found for found in sample.glob("openapi.*") if found.suffix in (".yaml", ".json")]
    lock = json.loads((sample / "server" / "toolcast.lock").read_text("utf-8"))
    found = [case for module in sample.glob("server/tests/test_*.py") for case in cases(module.read_text("utf-8"))]
    check(read(path), found, lock["names"], lock["arguments"])


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_packages_expect_what_the_specification_says(path: Path) -> None:
    made = pipeline.inspect(str(path), report=Report())
    files = render.files(made.catalog, path.name, with_types=False)
    found = [case for file in files if file.path.startswith("tests/test_") for case in cases(file.text)]
    check(read(path), found, made.lock.names, made.lock.arguments)


def check(
    document: dict[str, Any],
    found: list[Case],
    names: Mapping[str, str],
    arguments: Mapping[str, Mapping[str, str]],
) -> None:
    """Every request is the encoder's; ``names`` are those of tools by key, ``arguments`` theirs by place and name."""
    encoder = Encoder(document)
    keys = {name: key for key, name in names.items()}
    assert {tool for tool, _, _ in found} == {*keys}
    for tool, given, request in found:
        method, _, path = keys[tool].partition(" ")
        places = {argument: place for place, argument in arguments.get(keys[tool], {}).items()}
        values = {(place, name): given[a] for a in given for place, _, name in [places[a].partition(" ")]}
        expected = encoder.message(method, path, values)
        headers = {name: text for name, text in request["headers"].items() if name not in ("accept", "content-type")}
        query = check_credentials(encoder, keys[tool], headers, request["query"])
        assert (request["method"], request["path"], query) == (method, expected.path, expected.query), tool
        assert headers == expected.headers, tool
        kind: str = request["headers"].get("content-type", "")
        if expected.parts is not None:
            assert (kind.partition(";")[0], parts(kind, request["body"])) == (expected.media_type, expected.parts), tool
            continue
        assert kind.removesuffix("; charset=utf-8") == (expected.media_type or ""), tool
        bodies = [request["body"], expected.body]
        if "xml" in kind:
            bodies = [ElementTree.canonicalize(body.decode()) for body in bodies]
        assert bodies[0] == bodies[1], tool


def check_credentials(encoder: Encoder, key: str, headers: dict[str, str], query: str) -> str:
    """Take the credentials of an operation out of its headers and its query, once it is sure that they are there."""
    document = encoder.document
    method, _, path = key.partition(" ")
    required = encoder.operation(method, path).get("security", document.get("security", []))
    if encoder.old:
        schemes = document.get("securityDefinitions", {})
    else:
        schemes = document.get("components", {}).get("securitySchemes", {})
    for name in required[0] if required else ():
        scheme = encoder.at(schemes[name])
        match scheme["type"], scheme.get("in"):
            case "apiKey", "header":
                assert headers.pop(scheme["name"].lower()).startswith("test-")
            case "apiKey", "query":
                rest, _, last = query.rpartition("&")
                assert last.startswith(f"{scheme['name']}=test-")
                query = rest
            case "apiKey", _:
                others, _, last = headers.pop("cookie").rpartition("; ")
                assert last.startswith(f"{scheme['name']}=test-")
                headers |= {"cookie": others} if others else {}
            case _ if scheme.get("scheme", "").lower() == "basic" or scheme["type"] == "basic":
                kind, _, secret = headers.pop("authorization").partition(" ")
                assert kind == "Basic" and base64.b64decode(secret).startswith(b"test-")
            case _:
                assert headers.pop("authorization").startswith("Bearer test-")
    return query
