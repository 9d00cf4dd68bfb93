"""XML bodies from the document to the bytes: the examples of the OpenAPI specification, and what they leave open.

Each case goes the whole way: document, catalog, emitted code, request.
"""

from __future__ import annotations

import json
from typing import Any
from xml.etree import ElementTree

import pytest
from runtime.operation import Field
from runtime.request import ArgumentError, build

from toolcast.model.json import Json

from .conftest import ORIGIN, Callee, Offer

HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
XML = "application/xml"


class Maker:
    """Makes tools with one body, and what calls of them send."""

    def __init__(self, offer: Offer) -> None:
        self._offer = offer

    def tool(self, content: Any, *, version: str = "3.0.4", **schemas: Any) -> Callee:
        """The tool of an operation with this body."""
        sent = {
            "operationId": "send",
            "requestBody": {"required": True, "content": content},
            "responses": {"204": {"description": "Done"}},
        }
        return self._offer({"/x": {"post": sent}}, version=version, **schemas)["send"]

    def sent(self, tool: Callee, value: Json) -> str:
        """The body that a call sends; the members of an object are arguments where the body is flat."""
        names = {b.wire_name: b.argument for b in tool.operation.bindings if isinstance(b, Field)}
        arguments: dict[str, Any] = {"body": value}
        if names:
            assert isinstance(value, dict)
            arguments = {names[name]: item for name, item in value.items()}
        body = build(tool.operation, arguments, ORIGIN).body
        assert body is not None
        return body.decode()

    def xml(self, schema: Any, value: Json, *, version: str = "3.0.4", **schemas: Any) -> str:
        """A value as XML, without the declaration."""
        text = self.sent(self.tool({XML: {"schema": schema}}, version=version, **schemas), value)
        assert text.startswith(HEAD)
        ElementTree.fromstring(text)
        return text.removeprefix(HEAD)


@pytest.fixture
def make(offer: Offer) -> Maker:
    """What makes tools of schemas."""
    return Maker(offer)


def pets(animals: dict[str, Any], **xml: Any) -> dict[str, Any]:
    """The schema that most examples of the specification vary."""
    return {"type": "object", "xml": {"name": "document"}, "properties": {"animals": {**animals, **xml}}}


STRING: dict[str, Any] = {"type": "string"}
ANIMAL: dict[str, Any] = {"type": "string", "xml": {"name": "animal"}}
PETS: Json = {"animals": ["dog", "cat"]}


@pytest.mark.parametrize("version", ["3.0.4", "3.1.2", "3.2.0"])
@pytest.mark.parametrize(
    ("animals", "expected"),
    [
        ({"type": "array", "items": STRING}, "<animals>dog</animals><animals>cat</animals>"),
        ({"type": "array", "items": ANIMAL}, "<animal>dog</animal><animal>cat</animal>"),
        ({"type": "array", "items": ANIMAL, "xml": {"name": "aliens"}}, "<animal>dog</animal><animal>cat</animal>"),
        (
            {"type": "array", "items": STRING, "xml": {"name": "aliens"}},
            "<animals>dog</animals><animals>cat</animals>",
        ),
        (
            {"type": "array", "items": STRING, "xml": {"wrapped": True}},
            "<animals><animals>dog</animals><animals>cat</animals></animals>",
        ),
        (
            {"type": "array", "items": ANIMAL, "xml": {"wrapped": True}},
            "<animals><animal>dog</animal><animal>cat</animal></animals>",
        ),
        (
            {"type": "array", "items": ANIMAL, "xml": {"name": "aliens", "wrapped": True}},
            "<aliens><animal>dog</animal><animal>cat</animal></aliens>",
        ),
        (
            {"type": "array", "items": STRING, "xml": {"name": "aliens", "wrapped": True}},
            "<aliens><aliens>dog</aliens><aliens>cat</aliens></aliens>",
        ),
    ],
)
def test_lists(make: Maker, version: str, animals: dict[str, Any], expected: str) -> None:
    assert make.xml(pets(animals), PETS, version=version) == f"<document>{expected}</document>"
    newer = json.loads(json.dumps(animals).replace('"wrapped": true', '"nodeType": "element"'))
    if version == "3.2.0":
        assert make.xml(pets(newer), PETS, version=version) == f"<document>{expected}</document>"


PERSON: dict[str, Any] = {
    "type": "object",
    "properties": {
        "id": {"type": "integer", "xml": {"attribute": True}},
        "name": {"type": "string", "xml": {"namespace": "https://example.com/schema/sample", "prefix": "sample"}},
    },
}
KIND = {"type": "string", "xml": {"nodeType": "attribute"}}
CDATA: dict[str, Any] = {"content": {"type": "string", "xml": {"nodeType": "cdata"}}}
PRODUCT: dict[str, Any] = {
    "xml": {"name": "product"},
    "type": "object",
    "properties": {
        "count": {"type": ["number", "null"], "xml": {"nodeType": "attribute"}},
        "rating": KIND,
        "description": STRING,
        "related": {"type": ["object", "null"]},
    },
}
NIL = '<related xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:nil="true"/>'


@pytest.mark.parametrize(
    ("schema", "value", "expected"),
    [
        (pets(STRING), {"animals": "dog, cat"}, "<document><animals>dog, cat</animals></document>"),
        (pets(ANIMAL), {"animals": "dog"}, "<document><animal>dog</animal></document>"),
        (
            {"$ref": "#/components/schemas/Person"},
            {"id": 123, "name": "example"},
            '<Person id="123"><sample:name xmlns:sample="https://example.com/schema/sample">example</sample:name></Person>',
        ),
        (
            {
                "type": "array",
                "xml": {"nodeType": "element", "name": "animals"},
                "items": {
                    "xml": {"name": "animal"},
                    "properties": {"kind": KIND, "name": {"type": "string", "xml": {"nodeType": "text"}}},
                },
            },
            [{"kind": "Cat", "name": "Fluffy"}, {"kind": "Dog", "name": "Fido"}],
            '<animals><animal kind="Cat">Fluffy</animal><animal kind="Dog">Fido</animal></animals>',
        ),
        (
            {"$ref": "#/components/schemas/Documentation"},
            {"content": "<html></html>"},
            "<Documentation><![CDATA[<html></html>]]></Documentation>",
        ),
        (
            {"xml": {"nodeType": "element", "name": "Stored"}, "$ref": "#/components/schemas/Bare"},
            {"content": "<html></html>"},
            "<Stored><![CDATA[<html></html>]]></Stored>",
        ),
        (
            {"xml": {"nodeType": "element", "name": "Stored"}, "$ref": "#/components/schemas/Documentation"},
            {"content": "x"},
            "<Stored><Documentation><![CDATA[x]]></Documentation></Stored>",
        ),
        (
            {
                "xml": {"nodeType": "element", "name": "OneTwoThree"},
                "type": "array",
                "prefixItems": [
                    {"xml": {"name": "One"}, "type": "string"},
                    {
                        "xml": {"name": "Two"},
                        "type": "object",
                        "properties": {"unit": KIND, "value": {"type": "number", "xml": {"nodeType": "text"}}},
                    },
                    {"xml": {"name": "Three"}, "type": ["boolean", "null"]},
                ],
            },
            ["Some text", {"unit": "cubits", "value": 42}, None],
            f'<OneTwoThree><One>Some text</One><Two unit="cubits">42</Two>'
            f"{NIL.replace('related', 'Three')}</OneTwoThree>",
        ),
        (
            {
                "xml": {"nodeType": "element", "name": "Report"},
                "type": "array",
                "prefixItems": [
                    {"xml": {"nodeType": "text"}, "type": "string"},
                    {"xml": {"name": "data"}, "type": "number"},
                    {"xml": {"nodeType": "text"}, "type": "string"},
                ],
            },
            ["Some preamble text.", 42, "Some postamble text."],
            "<Report>Some preamble text.<data>42</data>Some postamble text.</Report>",
        ),
        (
            PRODUCT,
            {"count": None, "description": "Thing", "related": None},
            f"<product><description>Thing</description>{NIL}</product>",
        ),
        (
            PRODUCT,
            {"count": 42, "description": "Thing", "related": {}},
            '<product count="42"><description>Thing</description><related/></product>',
        ),
    ],
)
def test_the_examples_of_the_specification(make: Maker, schema: Any, value: Json, expected: str) -> None:
    documentation: dict[str, Any] = {"type": "object", "properties": CDATA}
    bare: dict[str, Any] = {**documentation, "xml": {"nodeType": "none"}}
    assert make.xml(schema, value, version="3.2.0", Person=PERSON, Documentation=documentation, Bare=bare) == expected


TAG: dict[str, Any] = {"type": "object", "properties": {"label": {"type": "string", "xml": {"attribute": True}}}}


@pytest.mark.parametrize(
    ("version", "schema", "expected"),
    [
        # A referenced schema is written under the property's name up to 3.1; in 3.2 it is a node of its own.
        ("3.0.4", {"$ref": "#/components/schemas/Tag"}, '<mark label="a"/>'),
        ("3.1.1", {"$ref": "#/components/schemas/Tag"}, '<mark label="a"/>'),
        ("3.2.0", {"$ref": "#/components/schemas/Tag"}, '<Tag label="a"/>'),
        ("3.0.4", {"$ref": "#/components/schemas/Named"}, '<named label="a"/>'),
        ("3.2.0", {"$ref": "#/components/schemas/Named"}, '<named label="a"/>'),
        ("3.0.4", {"$ref": "#/components/schemas/Named", "xml": {"name": "own"}}, '<named label="a"/>'),
        ("3.1.1", {"$ref": "#/components/schemas/Named", "xml": {"name": "own"}}, '<own label="a"/>'),
        ("3.2.0", {"$ref": "#/components/schemas/Named", "xml": {"name": "own"}}, '<named label="a"/>'),
        ("3.0.4", {"allOf": [{"$ref": "#/components/schemas/Named"}], "xml": {"name": "own"}}, '<own label="a"/>'),
        ("3.0.4", {"allOf": [{"$ref": "#/components/schemas/Named"}], "nullable": True}, '<named label="a"/>'),
        ("3.1.1", {"anyOf": [{"$ref": "#/components/schemas/Named"}, {"type": "null"}]}, '<named label="a"/>'),
        (
            "3.0.4",
            {"allOf": [{"$ref": "#/components/schemas/Named"}, {"properties": {"x": STRING}}]},
            '<mark label="a"/>',
        ),
        ("3.1.1", {"oneOf": [TAG, {"properties": {"x": STRING}}]}, '<mark label="a"/>'),
        ("3.1.1", {**TAG, "type": ["object", "array"], "items": ANIMAL, "xml": {"name": "x"}}, '<x label="a"/>'),
    ],
)
def test_names_of_what_is_referred_to(make: Maker, version: str, schema: Any, expected: str) -> None:
    body = {"type": "object", "xml": {"name": "d"}, "properties": {"mark": schema, "n": STRING}}
    named: dict[str, Any] = {**TAG, "xml": {"name": "named"}}
    assert make.xml(body, {"mark": {"label": "a"}}, version=version, Tag=TAG, Named=named) == f"<d>{expected}</d>"


@pytest.mark.parametrize(
    ("schema", "value", "expected"),
    [
        ({"type": "object", "properties": {"a": STRING}}, {"a": "1"}, "<root><a>1</a></root>"),
        (
            {"type": "object", "properties": {"mark": {"$ref": "#/components/schemas/Tag"}}},
            {"mark": {"label": "a"}},
            '<Tag label="a"/>',
        ),
        ({"type": "object", "properties": {"mark": TAG}}, {"mark": {"label": "a"}}, '<mark label="a"/>'),
        ({"type": "object", "properties": {"mark": TAG, "n": STRING}}, {"n": "1"}, "<root><n>1</n></root>"),
        (
            {"type": "array", "items": {"$ref": "#/components/schemas/Tag"}},
            [{"label": "a"}],
            '<root><Tag label="a"/></root>',
        ),
        ({"type": "array", "items": STRING}, ["a"], "<root><item>a</item></root>"),
        ({"$ref": "#/components/schemas/Tags"}, [{"label": "a"}, {}], '<Tags><Tag label="a"/><Tag/></Tags>'),
        ({"allOf": [{"$ref": "#/components/schemas/Tag"}]}, {"label": "a"}, '<Tag label="a"/>'),
        ({"type": "integer", "xml": {"name": "n"}}, 5, "<n>5</n>"),
    ],
)
def test_the_root(make: Maker, schema: Any, value: Json, expected: str) -> None:
    tags: dict[str, Any] = {"type": "array", "items": {"$ref": "#/components/schemas/Tag", "xml": {"name": "Tag"}}}
    tagged: dict[str, Any] = {**TAG, "xml": {"name": "Tag"}}
    assert make.xml(schema, value, Tag=tagged, Tags=tags) == expected


def test_the_order_of_the_schema_is_kept(make: Maker) -> None:
    inner: dict[str, Any] = {"type": "object", "properties": {"street": STRING, "city": STRING, "zip": STRING}}
    body: dict[str, Any] = {"type": "object", "xml": {"name": "d"}, "properties": {"home": inner, "n": STRING}}
    value: Json = {"n": "1", "home": {"zip": "Z", "more": "M", "street": "S"}}
    text = make.xml(body, value)
    assert text == "<d><home><street>S</street><zip>Z</zip><more>M</more></home><n>1</n></d>"


def test_a_cycle_is_written_by_the_default_rule_where_it_is_cut(make: Maker) -> None:
    part: dict[str, Any] = {
        "type": "object",
        "xml": {"name": "part"},
        "properties": {
            "id": {"type": "integer", "xml": {"attribute": True}},
            "sub": {"type": "array", "items": {"$ref": "#/components/schemas/Part"}, "xml": {"wrapped": True}},
        },
    }
    value: Json = {"id": 1, "sub": [{"id": 2, "sub": [{"id": 3}]}]}
    text = make.xml({"$ref": "#/components/schemas/Part"}, value, Part=part)
    assert text == '<part id="1"><sub><part id="2"><sub><part><id>3</id></part></sub></part></sub></part>'


def test_free_keys(make: Maker) -> None:
    schema: dict[str, Any] = {
        "type": "object",
        "xml": {"name": "d"},
        "properties": {"id": {"type": "integer", "xml": {"attribute": True}}},
        "additionalProperties": {"type": "array", "items": ANIMAL, "xml": {"wrapped": True}},
    }
    assert make.xml(schema, {"id": 1, "zoo": ["x"]}) == '<d id="1"><zoo><animal>x</animal></zoo></d>'
    with pytest.raises(ArgumentError, match="name 'a><b'"):
        make.xml(schema, {"a><b": ["x"]})


def test_prefixes_in_names(make: Maker) -> None:
    attribute = {"xml": {"attribute": True}}
    schema: dict[str, Any] = {
        "type": "object",
        "xml": {"name": "soap:Envelope", "namespace": "urn:soap"},
        "properties": {
            "kind": {"type": "string", "xml": {"name": "xsi:type", "attribute": True}},
            "xmlns": {"type": "string", **attribute},
            "xmlns:xsi": {"type": "string", **attribute},
            "soap:Body": STRING,
            "lost:Name": STRING,
        },
    }
    value: Json = {"kind": "k", "xmlns": "urn:d", "xmlns:xsi": "urn:x", "soap:Body": "b", "lost:Name": "n"}
    assert make.xml(schema, value) == (
        '<soap:Envelope xmlns:soap="urn:soap" xmlns="urn:d" xmlns:xsi="urn:x" xsi:type="k">'
        "<soap:Body>b</soap:Body><Name>n</Name></soap:Envelope>"
    )


@pytest.mark.parametrize(
    "schema", [None, {}, STRING, {"type": "string", "xml": {"name": "x"}}, {"type": "string", "nullable": True}]
)
def test_xml_without_a_structure_is_text(make: Maker, schema: Any) -> None:
    tool = make.tool({XML: {} if schema is None else {"schema": schema}})
    assert tool.operation.body is not None
    assert tool.operation.body.xml is None
    assert make.sent(tool, "<a/>") == "<a/>"


def test_parts_of_forms(make: Maker) -> None:
    encoding = {"extra": {"contentType": XML}, "tags": {"contentType": XML}, "plain": {"contentType": XML}}
    info = {"type": "object", "properties": {"info": STRING}}
    properties = {"extra": info, "tags": {"type": "array", "items": {**TAG, "xml": {"name": "tag"}}}, "plain": STRING}
    schema = {"type": "object", "properties": properties}
    tool = make.tool({"multipart/form-data": {"schema": schema, "encoding": encoding}})
    text = make.sent(tool, {"extra": {"info": "abc"}, "tags": [{"label": "a"}, {"label": "b"}], "plain": "<p/>"})
    assert f'name="extra"\r\nContent-Type: {XML}\r\n\r\n{HEAD}<extra><info>abc</info></extra>\r\n' in text
    assert text.count(f'name="tags"\r\nContent-Type: {XML}\r\n\r\n{HEAD}<tag label=') == 2
    assert f"Content-Type: {XML}\r\n\r\n<p/>\r\n" in text
