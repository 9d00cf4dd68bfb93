"""XML from values, read back by a parser that is not ours."""

from __future__ import annotations

import re
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from runtime.operation import Body, Content, Field, Json, Operation, Part, Xml
from runtime.request import ArgumentError, build

HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
XSI = "http://www.w3.org/2001/XMLSchema-instance"


def sent(xml: Xml, value: Json, media_type: str = "application/xml") -> bytes:
    operation: Operation[Any, Any] = Operation(
        name="t", method="POST", path="/x", bindings=(Body(),), body=Content(media_type, xml=xml)
    )
    body = build(operation, {"body": value}, "http://h").body
    assert body is not None
    ElementTree.fromstring(body)  # well-formed, with its namespaces
    return body


def written(xml: Xml, value: Json) -> str:
    text = sent(xml, value).decode()
    assert text.startswith(HEAD)
    return text.removeprefix(HEAD)


def refused(xml: Xml, value: Json) -> str:
    with pytest.raises(ArgumentError) as caught:
        sent(xml, value)
    assert len(caught.value.message) < 250
    return caught.value.message


A = Xml(node="attribute")
TEXT = Xml(node="text")


@pytest.mark.parametrize(
    ("xml", "value", "expected"),
    [
        (Xml("d"), {"a": "x", "b": [1, True, 0.5]}, "<d><a>x</a><b>1</b><b>true</b><b>0.5</b></d>"),
        (Xml("d"), {}, "<d/>"),
        (Xml("d"), {"a": "", "b": [], "c": {}}, "<d><a></a><c/></d>".replace("<a></a>", "<a/>")),
        (Xml(), {"a": {"b": {"c": 1}}}, "<root><a><b><c>1</c></b></a></root>"),
        (Xml("n"), 5.0, "<n>5</n>"),
        (
            Xml(node="none", fields=(("a", Xml("x", namespace="urn:x")),)),
            {"a": {"b": 1}},
            '<x xmlns="urn:x"><b>1</b></x>',
        ),
        (Xml(node="none"), {"a": {}}, "<a/>"),
        (Xml(node="none"), {}, "<root/>"),
        (Xml(node="none"), {"a": 1, "b": 2}, "<root><a>1</a><b>2</b></root>"),
        (Xml("n"), "x", "<n>x</n>"),
        (Xml("l"), ["a", "b"], "<l><l>a</l><l>b</l></l>"),
        (Xml("l", wrapped=True, items=Xml("i")), [[1, 2], []], "<l><i>1</i><i>2</i></l>"),
        (
            Xml("d", fields=(("id", A), "b", "a")),
            {"a": 1, "b": 2, "id": 3, "c": 4},
            '<d id="3"><b>2</b><a>1</a><c>4</c></d>',
        ),
        (Xml("d", fields=(("a", Xml("x")),)), {"a": ["1", "2"]}, "<d><x>1</x><x>2</x></d>"),
        (Xml("d", fields=(("a", A), ("t", TEXT))), {"t": 5, "a": False}, '<d a="false">5</d>'),
        (Xml("d", fields=(("a", A), ("t", TEXT))), {"t": None, "a": None}, "<d/>"),
        (Xml("d", fields=(("a", A), ("t", TEXT))), {"t": ["x", "y"], "a": [1, None, 2]}, '<d a="1 2">x y</d>'),
        (
            Xml("d", fields=(("o", Xml(node="none", fields=(("id", A),))),)),
            {"o": {"id": 1, "n": 2}},
            '<d id="1"><n>2</n></d>',
        ),
        (Xml("d", fields=(("o", Xml(node="none")),)), {"o": None}, "<d/>"),
        (Xml("d", fields=(("o", Xml(inner=Xml("In"))),)), {"o": {"n": 2}}, "<d><o><In><n>2</n></In></o></d>"),
        (Xml("d", others=A), {"x": 1, "y": "2"}, '<d x="1" y="2"/>'),
        (Xml("d"), {"a": None}, f'<d><a xmlns:xsi="{XSI}" xsi:nil="true"/></d>'),
        (Xml("d"), {"a": ["x", None]}, f'<d><a>x</a><a xmlns:xsi="{XSI}" xsi:nil="true"/></d>'),
        (Xml("d", fields=(("a", Xml(wrapped=True)),)), {"a": None}, f'<d><a xmlns:xsi="{XSI}" xsi:nil="true"/></d>'),
        (Xml("d", fields=(("a", A),)), {"a": " \t\r\n\"<&>'"}, '<d a=" &#9;&#13;&#10;&quot;&lt;&amp;&gt;\'"/>'),
        (Xml("d"), {"a": '"<&]]>\r\n'}, '<d><a>"&lt;&amp;]]&gt;&#13;\n</a></d>'),
        (Xml("d"), {"größe": "é😀"}, "<d><größe>é😀</größe></d>"),
    ],
)
def test_values(xml: Xml, value: Json, expected: str) -> None:
    assert written(xml, value) == expected


@pytest.mark.parametrize(
    ("xml", "value", "expected"),
    [
        (Xml("d", namespace="urn:d"), {"a": {"b": 1}}, '<d xmlns="urn:d"><a><b>1</b></a></d>'),
        (Xml("d", namespace="urn:d", prefix="p"), {"a": 1}, '<p:d xmlns:p="urn:d"><a>1</a></p:d>'),
        (
            Xml("d", namespace="urn:d", prefix="p", fields=(("a", Xml(prefix="p", namespace="urn:d")),)),
            {"a": [[1], 2]},
            '<p:d xmlns:p="urn:d"><p:a>1</p:a><p:a>2</p:a></p:d>',
        ),
        (
            Xml("d", namespace="urn:d", prefix="p", fields=(("a", Xml(prefix="p", namespace="urn:e")),)),
            {"a": 1, "b": 2},
            '<p:d xmlns:p="urn:d"><p:a xmlns:p="urn:e">1</p:a><b>2</b></p:d>',
        ),
        (
            Xml(
                "d",
                namespace="urn:d",
                prefix="p",
                fields=(("a", Xml(node="attribute", prefix="p", namespace="urn:e")),),
            ),
            {"a": 1},
            '<p:d xmlns:p="urn:d" xmlns:p2="urn:e" p2:a="1"/>',
        ),
        (
            Xml("d", fields=(("a", Xml(node="attribute", namespace="urn:e")),)),
            {"a": 1},
            '<d xmlns:ns="urn:e" ns:a="1"/>',
        ),
        (
            Xml(
                "d",
                namespace="urn:d",
                prefix="ns",
                fields=(("o", Xml(prefix="ns", others=Xml(node="attribute", namespace="urn:e"))),),
            ),
            {"o": {"a": 1}},
            '<ns:d xmlns:ns="urn:d"><ns:o xmlns:ns2="urn:e" ns2:a="1"/></ns:d>',
        ),
        (Xml("d", prefix="lost"), {}, "<d/>"),
        (Xml("d", prefix="xmlns"), {}, "<d/>"),
        (Xml("d", fields=(("lang", Xml(node="attribute", prefix="xml")),)), {"lang": "en"}, '<d xml:lang="en"/>'),
        (
            Xml(
                "d",
                fields=(("t", Xml("type", node="attribute", prefix="x")), ("x", Xml(node="attribute", prefix="xmlns"))),
            ),
            {"t": "k", "x": "urn:x"},
            '<d xmlns:x="urn:x" x:type="k"/>',
        ),
        (Xml("d", namespace='a"b<'), {}, '<d xmlns="a&quot;b&lt;"/>'),
    ],
)
def test_namespaces(xml: Xml, value: Json, expected: str) -> None:
    assert written(xml, value) == expected


@pytest.mark.parametrize("text", ["", "x", "<b>&amp;</b>", "]]>", "a]]>b]]>", "]]", "\r\n", "]]]]><![CDATA[>", "é"])
def test_sections_of_characters(text: str) -> None:
    document = written(Xml("d", fields=(("t", Xml(node="cdata")),)), {"t": text})
    assert "<![CDATA[" in document
    assert (ElementTree.fromstring(document).text or "") == text


@pytest.mark.parametrize(
    ("xml", "value", "message"),
    [
        (Xml("d"), {"a": "x\x00"}, "Argument 'body', property 'a' must not contain the character U+0000"),
        (
            Xml("d"),
            {"a": {"b": ["\x0b"]}},
            "property 'a', property 'b', property '0' must not contain the character U+000B",
        ),
        (Xml("d"), {"a": "\ufffe"}, "U+FFFE"),
        (Xml("d"), {"a": "\ud800"}, "U+D800"),
        (Xml("d", fields=(("a", A),)), {"a": "\x1f"}, "U+001F"),
        (Xml("d", fields=(("a", Xml(node="cdata")),)), {"a": "\x1f"}, "U+001F"),
        (Xml("d"), {"a b": 1}, "the name 'a b'"),
        (Xml("d"), {"": 1}, "the name ''"),
        (Xml("d"), {"1a": 1}, "the name '1a'"),
        (Xml("d"), {"a:b": 1}, "the name 'a:b'"),
        (Xml("d"), {"a/><b": 1}, "the name 'a/><b'"),
        (Xml("d"), {"a\n": 1}, "the name"),
        (Xml("d", others=A), {'x="1" y': 1}, "the name"),
        (Xml("d", others=A), {"xmlns:p": "urn:x"}, "the name 'xmlns:p'"),
        (Xml("d", fields=(("a", A),)), {"a": ["x y"]}, "white space"),
        (Xml("d", fields=(("a", A),)), {"a": ["x", ""]}, "white space"),
        (Xml("d", fields=(("a", A), ("b", Xml("a", node="attribute")))), {"a": 1, "b": 2}, "attribute 'a' twice"),
        (Xml("d", fields=(("p", Xml(node="attribute", prefix="xmlns")),)), {"p": ""}, "namespace"),
        (
            Xml("d", fields=(("p", Xml("xmlns", node="attribute")),)),
            {"p": "http://www.w3.org/2000/xmlns/"},
            "namespace",
        ),
        (Xml("d"), {"a": float("nan")}, "finite"),
    ],
)
def test_what_xml_cannot_hold_is_refused(xml: Xml, value: Json, message: str) -> None:
    assert message in refused(xml, value)


def test_charsets() -> None:
    latin = sent(Xml("d"), {"a": "é"}, "application/xml; charset=iso-8859-1")
    assert latin == '<?xml version="1.0" encoding="iso-8859-1"?>\n<d><a>é</a></d>'.encode("latin-1")
    assert sent(Xml("d"), {}, "text/xml") == f"{HEAD}<d/>".encode()


def test_fields_and_parts() -> None:
    operation: Operation[Any, Any] = Operation(
        name="t",
        method="POST",
        path="/x",
        bindings=(Field("id"), Field("the_tag", name="tag")),
        body=Content("application/xml", required=True, xml=Xml("d", fields=(("id", A), "tag"))),
    )
    request = build(operation, {"the_tag": "x", "id": 1}, "http://h")
    assert request.body == f'{HEAD}<d id="1"><tag>x</tag></d>'.encode()
    assert build(operation, {}, "http://h").body == f"{HEAD}<d/>".encode()
    with pytest.raises(ArgumentError, match="'the_tag' must not contain"):
        build(operation, {"the_tag": "\x01"}, "http://h")
    part = Part("extra", media_type="application/xml", xml=Xml("extra"))
    form = Content("application/x-www-form-urlencoded", (part,))
    operation = Operation(name="t", method="POST", path="/x", bindings=(Body(),), body=form)
    body = build(operation, {"body": {"extra": {"info": "abc"}}}, "http://h").body
    assert body is not None
    assert body.endswith(b"%3Cextra%3E%3Cinfo%3Eabc%3C%2Finfo%3E%3C%2Fextra%3E")


# Arbitrary values

NAMES = st.from_regex(r"[A-Za-z_\u00e9\u4e2d][A-Za-z0-9_.\u00e9-]{0,8}", fullmatch=True)
CHARACTERS = st.characters(codec="utf-8", exclude_characters="\ufffe\uffff", exclude_categories=("Cc", "Cs"))
TEXTS = st.text(CHARACTERS | st.sampled_from("\t\n\r<>&\"']]>"), max_size=12)
VALUES: st.SearchStrategy[Any] = st.recursive(
    TEXTS | st.integers() | st.booleans() | st.none(),
    lambda inner: st.dictionaries(NAMES, inner, max_size=4) | st.lists(inner, max_size=3),
    max_leaves=12,
)


def expected_children(value: Any) -> list[tuple[str, Any]]:
    """What the default rule makes of an object: its members, a list being one element for each of its items."""
    return [(name, one) for name, item in value.items() for one in flattened(item)]


def flattened(value: Any) -> list[Any]:
    return [one for item in value for one in flattened(item)] if isinstance(value, list) else [value]  # pyright: ignore[reportUnknownVariableType]


def check(element: ElementTree.Element, value: Any) -> None:
    if value is None:
        assert element.attrib == {f"{{{XSI}}}nil": "true"}
    elif isinstance(value, dict):
        children = expected_children(value)
        assert [child.tag for child in element] == [name for name, _ in children]
        for child, (_, item) in zip(element, children, strict=True):
            check(child, item)
    else:
        shown = str(value).lower() if isinstance(value, bool) else str(value)
        assert (element.text or "") == shown


@given(st.dictionaries(NAMES, VALUES, max_size=5))
def test_any_value_is_read_back(value: dict[str, Any]) -> None:
    check(ElementTree.fromstring(sent(Xml("d"), value)), value)


@given(TEXTS)
def test_any_text_is_read_back_from_any_node(text: str) -> None:
    nodes = (("a", A), ("c", Xml(node="cdata")))
    root = ElementTree.fromstring(sent(Xml("d", fields=nodes), {"a": text, "c": text}))
    assert root.attrib["a"] == text
    assert (root.text or "") == text


@given(st.text(st.characters(max_codepoint=255), max_size=8), st.text(max_size=8))
def test_nothing_gets_out_of_its_place(name: str, text: str) -> None:
    try:
        root = ElementTree.fromstring(sent(Xml("d", fields=(("at", A),)), {"at": text, name: text, "last": "1"}))
    except ArgumentError:
        return
    assert set(root.attrib) <= {"at"}
    assert [re.sub(r"\{.*\}", "", child.tag) for child in root if child.tag != "last"] in ([name], [])
