"""XML: how a value becomes a document (OpenAPI XML Object, XML 1.0 fifth edition, Namespaces in XML 1.0).

What OpenAPI leaves open is decided here: a list in one attribute or text is separated by spaces, as lists are in XML
Schema; ``null`` is an element with ``xsi:nil``, and no attribute or text at all.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from .operation import Json, Xml
from .style import Unfit, member, scalar_text

ROOT: Final = "root"  # where nothing gives the root a name
_XSI: Final = "http://www.w3.org/2001/XMLSchema-instance"
_XML: Final = {"xml": "http://www.w3.org/XML/1998/namespace"}  # which every document has in scope
_RESERVED: Final = {**_XML, "xmlns": "http://www.w3.org/2000/xmlns/"}
_START: Final = (
    "A-Z_a-z\xc0-\xd6\xd8-\xf6\xf8-\u02ff\u0370-\u037d\u037f-\u1fff\u200c-\u200d\u2070-\u218f\u2c00-\u2fef"
    "\u3001-\ud7ff\uf900-\ufdcf\ufdf0-\ufffd\U00010000-\U000effff"
)
_NAME: Final = re.compile(f"[{_START}][-.0-9\xb7\u0300-\u036f\u203f-\u2040{_START}]*")  # an NCName: without a colon
_IMPOSSIBLE: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
# Line ends are references, as a parser would change them (XML 1.0 §2.11); so is white space in attributes (§3.3.3).
_IN_TEXT: Final = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#13;"})
_IN_ATTRIBUTE: Final = {**_IN_TEXT, **str.maketrans({'"': "&quot;", "\t": "&#9;", "\n": "&#10;"})}
_PLAIN: Final = Xml()


def document(xml: Xml, value: Json, encoding: str = "UTF-8") -> str:
    """The value as an XML document; ``encoding`` is what its declaration says. Raises ``Unfit``.

    A root that is no node gives its place to its only member.
    """
    name = ROOT
    if xml.node == "none" and isinstance(value, dict) and len(value) == 1:
        [(name, xml, value)] = _members(xml, value)
    root = _Element(_XML, xml, xml.name or name)
    root.fill(xml, name, value)
    return f'<?xml version="1.0" encoding="{encoding}"?>\n{root}'


class _Element:
    """An element that is being written; ``scope`` has the namespaces of the prefixes that are declared around it."""

    def __init__(self, scope: Mapping[str, str], xml: Xml, name: str) -> None:
        self._scope = dict(scope)
        self._attributes: dict[str, str] = {}
        self._content: list[str] = []
        self._name = ""
        self._name = self._qualified(xml, name, unprefixed=True)

    def __str__(self) -> str:
        head = "".join(f' {name}="{text.translate(_IN_ATTRIBUTE)}"' for name, text in self._attributes.items())
        content = "".join(self._content)
        return f"<{self._name}{head}>{content}</{self._name}>" if content else f"<{self._name}{head}/>"

    def fill(self, xml: Xml, name: str, value: Json) -> None:
        """Write what a value has inside; its nodes that have no names of their own are called ``name``."""
        name = xml.name or name
        if xml.inner is not None:
            self._put(xml.inner, name, value)
            return
        match value:
            case None:
                prefix = self._declared("xsi", _XSI)
                self._attributes[f"{prefix}:nil"] = "true"
            case dict():
                for key, inner, item in sorted(_members(xml, value), key=_rank):
                    with member(key):
                        self._put(inner, key, item)
            case list():
                self._list(xml, name, value, _PLAIN)
            case _:
                self._content.append(_checked(scalar_text(value)).translate(_IN_TEXT))

    def _put(self, xml: Xml, name: str, value: Json) -> None:
        """Write the node that a value is."""
        match xml.node:
            case "attribute":
                if value is not None:
                    self._attribute(xml, xml.name or name, _flat(value))
            case "text":
                self._content.append("" if value is None else _flat(value).translate(_IN_TEXT))
            case "cdata":
                self._content.append("" if value is None else _cdata(_flat(value)))
            case "element" if isinstance(value, list) and not xml.wrapped:
                self._list(xml, xml.name or name, value, xml)
            case "element":
                child = _Element(self._scope, xml, xml.name or name)
                child.fill(xml, name, value)
                self._content.append(str(child))
            case "none":
                if value is not None:
                    self.fill(xml, name, value)

    def _list(self, xml: Xml, name: str, value: list[Json], default: Xml) -> None:
        for at, item in enumerate(value):
            inner = xml.first[at] if at < len(xml.first) else xml.items or default
            with member(str(at)):
                self._put(inner, name, item)

    def _attribute(self, xml: Xml, name: str, text: str) -> None:
        if _declares(xml, name):
            self._declare("" if name == "xmlns" else name, text)
            return
        qualified = self._qualified(xml, name, unprefixed=False)
        if self._attributes.setdefault(qualified, text) != text:
            raise Unfit(f"must not give the attribute {qualified[:60]!r} twice")

    def _qualified(self, xml: Xml, name: str, *, unprefixed: bool) -> str:
        """The name with the prefix of its namespace, which is declared here unless it is in scope."""
        prefix = xml.prefix or ""
        if xml.namespace:
            # An attribute without a prefix is in no namespace, so it needs one.
            prefix = self._declared(prefix or ("" if unprefixed else "ns"), xml.namespace)
        elif prefix not in self._scope:
            prefix = ""  # it means nothing, and a parser would refuse it
        return f"{prefix}:{_named(name)}" if prefix else _named(name)

    def _declared(self, prefix: str, namespace: str) -> str:
        """A prefix for the namespace: this one, or another one where this one means something else already."""
        wanted, number = prefix, 1
        while self._scope.get(prefix) != namespace:
            # Only the element's own name may give a prefix another meaning: nothing in it relies on the old one yet.
            if prefix not in _RESERVED and (prefix not in self._scope or not self._name):
                self._declare(prefix, namespace)
                break
            number += 1
            prefix = f"{wanted or 'ns'}{number}"
        return prefix

    def _declare(self, prefix: str, namespace: str) -> None:
        if prefix in _RESERVED or namespace in _RESERVED.values() or (prefix and not namespace):
            raise Unfit("must not be a namespace that XML keeps for itself, nor an empty one for a prefix")
        name = f"xmlns:{_named(prefix)}" if prefix else "xmlns"
        if self._attributes.setdefault(name, _checked(namespace)) != namespace:
            raise Unfit(f"must not be another namespace than {self._attributes[name][:100]!r}")
        self._scope[prefix] = namespace


def _declares(xml: Xml, name: str) -> bool:
    """Whether an attribute declares a namespace: some documents describe these as properties."""
    return xml.prefix == "xmlns" or (name == "xmlns" and not xml.prefix)


def _rank(entry: tuple[str, Xml, Json]) -> int:
    """What must be written earlier: attributes may declare the prefixes that others have."""
    name, xml, _ = entry
    return 2 if xml.node != "attribute" else 0 if _declares(xml, xml.name or name) else 1


def _members(xml: Xml, value: Mapping[str, Json]) -> Iterator[tuple[str, Xml, Json]]:
    """The members of an object in the order of its schema, then those that it does not know."""
    known = dict((field, _PLAIN) if isinstance(field, str) else field for field in xml.fields)
    for name, inner in known.items():
        if name in value:
            yield name, inner, value[name]
    for name, item in value.items():
        if name not in known:
            yield name, xml.others or _PLAIN, item


def _flat(value: Json) -> str:
    """A value as the text of one node."""
    if not isinstance(value, list):
        return _checked(scalar_text(value))
    texts = [_checked(scalar_text(item)) for item in value if item is not None]
    if any(not text or text.split() != [text] for text in texts):
        raise Unfit("must be a list of texts without white space, as it separates them")
    return " ".join(texts)


def _cdata(text: str) -> str:
    """A CDATA section; what it cannot hold stands between two of them."""
    inner = text.replace("]]>", "]]]]><![CDATA[>").replace("\r", "]]>&#13;<![CDATA[")
    return f"<![CDATA[{inner}]]>"


def _checked(text: str) -> str:
    found = _IMPOSSIBLE.search(text)
    if found is not None:
        raise Unfit(f"must not contain the character U+{ord(found[0]):04X}, which XML cannot hold")
    return text


def _named(name: str) -> str:
    if not _NAME.fullmatch(name):
        raise Unfit(f"cannot be sent as XML, where nothing can have the name {name[:60]!r}")
    return name
