"""Encodings: how the parts of a form or multipart body are written (OpenAPI Encoding Object)."""

from __future__ import annotations

from typing import cast, get_args

from toolcast.model.openapi import Encoding, Header, Style
from toolcast.parse.reader import Node, Reader

_STYLES: frozenset[str] = frozenset(get_args(Style))


def encodings(reader: Reader, node: Node) -> dict[str, Encoding]:
    """How parts are written: by the names of properties, or those of a list by their index, all others as ``*``."""
    found = {
        name: _encoding(reader, Node(encoding, node.below("encoding", name)))
        for name, encoding in node.members("encoding")
        if isinstance(encoding, dict)
    }
    for index, encoding in node.items("prefixEncoding"):
        if isinstance(encoding, dict):
            found[str(index)] = _encoding(reader, Node(encoding, node.below("prefixEncoding", index)))
    others = node.value.get("itemEncoding")
    if isinstance(others, dict):
        found["*"] = _encoding(reader, Node(others, node.below("itemEncoding")))
    return found


def _encoding(reader: Reader, node: Node) -> Encoding:
    style = node.text("style")
    headers: list[Header] = []
    for name, value in node.members("headers"):
        header = reader.node(value, node.below("headers", name), f"The header {name}")
        headers.append(Header(name=name, schema=header.value.get("schema"), required=header.flag("required")))
    return Encoding(
        media_type=node.text("contentType") or None,
        style=cast("Style", style) if style in _STYLES else None,
        explode=node.flag("explode") if "explode" in node.value else None,
        allow_reserved=node.flag("allowReserved") if "allowReserved" in node.value else None,
        headers=tuple(headers),
        encoding=encodings(reader, node),
    )
