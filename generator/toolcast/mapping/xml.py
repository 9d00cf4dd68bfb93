"""XML: how the values of a schema are written as XML (OpenAPI 3.0.4 section 4.7.26, OpenAPI 3.2.0 "XML Object").

A schema in place of another (the parts of an ``allOf``, the branches of a union) is no node of its own: what it says of
the node counts where the schema around it is silent. Up to 3.1 the same holds for the target of a ``$ref``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final, cast, get_args

from toolcast.mapping.portable import types
from toolcast.mapping.references import CUT, Levels
from toolcast.mapping.schemas import Schemas
from toolcast.mapping.variants import branches, named
from toolcast.model.catalog import Xml, XmlNode
from toolcast.model.json import Json, JsonObject
from toolcast.model.pointer import Missing, resolve

_NODES: Final[frozenset[str]] = frozenset(get_args(XmlNode))
_COMPONENTS: Final = "#/components/schemas/"
_DEEPEST: Final = 10  # levels of elements; what is deeper is written by the default rule
_MOST: Final = 2_000  # nodes of one body; what comes after them is, too
_LONGEST_CHAIN: Final = 32
_ITEM: Final = "item"  # in a list that is the body, where nothing gives its items a name
_KEY: Final = ""  # in place of an inherited name: that of the member, which only the argument knows


def xml(source: Json, schemas: Schemas, name: str | None = None) -> Xml:
    """How a document with this schema is written; ``name`` is that of the root where its schema gives none."""
    root = _Reader(schemas).node(source, None, (), 0)
    items = root.items
    if items is not None and items.name is None and items.node == "element" and not items.wrapped:
        items = replace(items, name=_ITEM)
    name = root.name or name
    is_only = name is None and (root.node == "none" or _is_wrapping(source, schemas))
    return replace(root, name=name, node="none" if is_only else "element", items=items)


def _is_wrapping(source: Json, schemas: Schemas) -> bool:
    """Is it an object with one member, an object again? Where nothing names the root, that one is the root."""
    properties = schemas.flat(source).get("properties")
    inner = [schemas.flat(value) for value in properties.values()] if isinstance(properties, dict) else []
    return len(inner) == 1 and types(inner[0]) == ["object"]


class _Reader:
    """Reads what one document says of XML."""

    def __init__(self, schemas: Schemas) -> None:
        self._schemas = schemas
        self._left = _MOST
        version = schemas.references.document.version
        self._obeys_siblings = not version.startswith(("2", "3.0"))
        self._refers_by_node = not version.startswith(("2", "3.0", "3.1"))

    def node(self, source: Json, name: str | None, levels: Levels, depth: int) -> Xml:
        """The node of a schema's values; ``name`` is what it inherits, and is not repeated in the result."""
        said, component = self._said(source)
        beside = self._beside_reference(source)
        if beside is not None:
            inner = self.node({"$ref": cast("JsonObject", source)["$ref"]}, None, levels, depth)
            outer = self._own(beside, name, None, is_list=False)
            if outer.node in ("element", "none") and inner.node == "none":
                return replace(inner, name=outer.name, node=outer.node, namespace=outer.namespace, prefix=outer.prefix)
            return replace(outer, inner=inner) if outer.node == "element" else outer
        flat, levels = self._schemas.references.flat(source, levels)
        is_list = set(types(flat)) - {"null"} == {"array"}
        by_component = name is None or (self._refers_by_node and name != _KEY and _is_reference(source))
        if depth == 0 and is_list:
            said = {**said, "nodeType": "element"}  # a document has one root
        own = self._own(said, name, component if by_component else None, is_list=is_list)
        self._left -= 1
        if depth >= _DEEPEST or self._left < 0 or CUT in flat:
            return own
        if is_list:
            # Nothing gives a name to the items of a list that is the body; other items have the list's name.
            return self._list(own, flat, (own.name or name) if depth else None, levels, depth)
        if "items" in flat:
            own = self._list(own, flat, own.name or name, levels, depth)
        return self._object(own, flat, levels, depth)

    def _said(self, source: Json) -> tuple[JsonObject, str | None]:
        """The XML Object of a schema and of what stands in its place, and the name of the component that it is."""
        said: JsonObject = {}
        component: str | None = None
        schema = source if isinstance(source, dict) else {}
        for _ in range(_LONGEST_CHAIN):
            reference, own, parts = schema.get("$ref"), schema.get("xml"), schema.get("allOf")
            if isinstance(own, dict) and (reference is None or (self._obeys_siblings and not self._refers_by_node)):
                said = {**own, **said}
            if isinstance(reference, str):
                component = _component(reference) or component
                following = self._target(reference)
            else:
                listed = parts if isinstance(parts, list) else [b for b in branches(schema) if b != {"type": "null"}]
                following = listed[0] if len(listed) == 1 else None
                for part in listed if isinstance(parts, list) and following is None else ():
                    # What one of several bases is called is not the name of what builds on them.
                    inline = part.get("xml") if isinstance(part, dict) and "$ref" not in part else None
                    said = {**inline, **said} if isinstance(inline, dict) else said
            if not isinstance(following, dict):
                break
            schema = following
        return said, component

    def _target(self, reference: str) -> Json:
        try:
            return resolve(self._schemas.references.document, reference)
        except Missing:
            return None

    def _beside_reference(self, source: Json) -> JsonObject | None:
        """What makes a schema with a ``$ref`` a node beside the one that it refers to; by default it is none (3.2)."""
        if not self._refers_by_node or not isinstance(source, dict) or not _is_reference(source):
            return None
        own = source.get("xml")
        if not isinstance(own, dict) or not (own.get("attribute") is True or "nodeType" in own):
            return None
        return None if own.get("nodeType") == "none" else own

    def _own(self, said: JsonObject, name: str | None, component: str | None, *, is_list: bool) -> Xml:
        """A node without what is in it."""
        declared = said.get("nodeType")
        node = declared if isinstance(declared, str) and declared in _NODES else None
        wrapped = is_list and (node == "element" or (node is None and said.get("wrapped") is True))
        if node is None and said.get("attribute") is True:
            node = "attribute"
        if is_list and node == "none":
            node = None
        if node in ("text", "cdata", "none") or (is_list and not wrapped and node != "attribute"):
            return Xml(node=cast("XmlNode", node or "element"))  # without a name
        given, prefix, namespace = said.get("name"), said.get("prefix"), said.get("namespace")
        found = given if isinstance(given, str) and given else component
        # Some documents write the prefix into the name.
        before, colon, after = (found or name or "").partition(":")
        if colon and not isinstance(prefix, str):
            prefix, found = before, after
        return Xml(
            name=found if found and found != name else None,
            node=cast("XmlNode", node or "element"),
            wrapped=wrapped,
            namespace=namespace if isinstance(namespace, str) and namespace else None,
            prefix=prefix if isinstance(prefix, str) and prefix else None,
        )

    def _list(self, own: Xml, flat: JsonObject, name: str | None, levels: Levels, depth: int) -> Xml:
        first = flat.get("prefixItems")
        items = self.node(flat.get("items"), name, levels, depth + 1)
        return replace(
            own,
            items=None if items == Xml() and depth else items,
            first=tuple(self.node(item, name, levels, depth + 1) for item in first) if isinstance(first, list) else (),
        )

    def _object(self, own: Xml, flat: JsonObject, levels: Levels, depth: int) -> Xml:
        fields: dict[str, Xml] = {}
        others: Json = None
        for schema, inner in self._in_place(flat, levels):
            properties = schema.get("properties")
            for name, value in (properties if isinstance(properties, dict) else {}).items():
                if name not in fields and self._schemas.flat(value, inner).get("readOnly") is not True:
                    fields[name] = self.node(value, name, inner, depth + 1)
            others = others or schema.get("additionalProperties")
        rest = self.node(others, _KEY, levels, depth + 1) if isinstance(others, dict) else Xml()
        # The order of fields is told as well: servers that read by a sequence of elements mind it.
        told = len(fields) > 1 or any(field != Xml() for field in fields.values())
        return replace(own, fields=fields if told else {}, others=None if rest == Xml() else rest)

    def _in_place(self, flat: JsonObject, levels: Levels) -> Iterator[tuple[JsonObject, Levels]]:
        """The schema itself, and its variants."""
        yield flat, levels
        for variant in branches(flat) or [{"$ref": target} for target in named(flat).values()]:
            yield self._schemas.references.flat(variant, levels)


def _is_reference(source: Json) -> bool:
    return isinstance(source, Mapping) and isinstance(source.get("$ref"), str)


def _component(reference: str) -> str | None:
    name = reference.removeprefix(_COMPONENTS)
    return None if name == reference or "/" in name else name.replace("~1", "/").replace("~0", "~")
