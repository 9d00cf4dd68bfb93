"""Parts: how each property of a form or multipart body, or each item of one, is written (OpenAPI Encoding Object)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final, Literal

from toolcast.mapping import media
from toolcast.mapping.portable import types
from toolcast.mapping.schemas import Schemas
from toolcast.mapping.variants import branches, named
from toolcast.mapping.xml import xml
from toolcast.model.catalog import Part
from toolcast.model.json import Json, JsonObject
from toolcast.model.openapi import Encoding

_TOKEN: Final = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_HEADER_TEXT: Final = re.compile(r"[\x20-\x7e]*")
_ITEM: Final = "*"  # the encoding of items that have none of their own (``MediaType.encoding``)
_NO_ENCODING: Final = Encoding()
# Values of ``contentEncoding`` that leave bytes as they are (RFC 2045 section 6.2).
_PLAIN: Final = frozenset(["", "7bit", "8bit", "binary", "identity"])


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """What an argument holds that is bytes: one file or a list of them, or nothing where it may be null."""

    many: bool
    nullable: bool

    @property
    def schema(self) -> JsonObject:
        """The schema of the argument, in which files are text."""
        kind: Json = "array" if self.many else "string"
        schema: JsonObject = {"type": [kind, "null"] if self.nullable else kind}
        return {**schema, "items": {"type": "string"}} if self.many else schema


def file(source: Json, schemas: Schemas, declared: str | None = None) -> File | None:
    """The bytes that a schema describes (OpenAPI 3.0.4 section 4.7.14.2, 3.1.1 section 4.8.14.2), None if it does not.

    A union does where one of its branches does and no other is more than text or null. ``declared`` is the media type
    that is given beside the schema: a text of an image's type can only be its bytes.
    """
    if source is None:
        return None
    schema, levels = schemas.references.flat(source)
    choices = [schemas.flat(branch, levels) for branch in branches(schema)] or [schema]
    found = {_described(choice, schemas, declared) for choice in choices}
    if not found & {"file", "files"} or "other" in found:
        return None
    return File(many="files" in found, nullable=any("null" in types(choice) for choice in choices))


def is_structured(source: Json, schemas: Schemas) -> bool:
    """Does a schema describe more than a text?"""
    schema = schemas.flat(source)
    return not set(types(schema)) <= {"string", "null"} or bool(branches(schema) or named(schema))


def parts(
    media_type: str, source: Json, encodings: Mapping[str, Encoding], schemas: Schemas, item: Json = None
) -> tuple[Part, ...]:
    """How a body with this schema is written, as far as it is not by default; ``item`` is the schema of its items."""
    schema = schemas.flat(source)
    by_name: dict[str | None, Json] = {**_properties(schema, schemas)}
    rest = schema.get("additionalProperties")
    if isinstance(rest, dict) and rest and media.is_multipart(media_type):
        by_name[None] = rest
    positions = {} if by_name else _positions(schema, encodings, item)
    if media.essence(media_type) == "multipart/form-data":
        positions = {name: _only_member(value, schemas) for name, value in positions.items()}
    found = [
        _part(name, value, media_type, _encoding(name, encodings, is_item=not by_name), schemas, is_item=not by_name)
        for name, value in (by_name or positions).items()
    ]
    return tuple(part for part in found if part != Part(name=part.name))


def properties(source: Json, schemas: Schemas) -> Mapping[str, Json]:
    """The properties of an object, those of a union's branches among them."""
    return _properties(schemas.flat(source), schemas)


def _properties(schema: JsonObject, schemas: Schemas) -> dict[str, Json]:
    found: dict[str, Json] = {}
    for part in (schema, *(schemas.flat(branch) for branch in branches(schema))):
        declared = part.get("properties")
        for name, value in (declared if isinstance(declared, dict) else {}).items():
            found.setdefault(name, value)
    return found


def _encoding(name: str | None, encodings: Mapping[str, Encoding], *, is_item: bool) -> Encoding:
    if name is None:
        return encodings.get(_ITEM, _NO_ENCODING) if is_item else _NO_ENCODING
    return encodings.get(name, _NO_ENCODING)


def _positions(schema: JsonObject, encodings: Mapping[str, Encoding], item: Json) -> dict[str | None, Json]:
    """The parts of a body that is a list (OpenAPI 3.2 "Encoding By Position")."""
    first, items = schema.get("prefixItems"), schema.get("items", item)
    encoded: dict[str | None, Json] = {at: items for at in encodings if at != _ITEM}
    found = {str(at): source for at, source in enumerate(first if isinstance(first, list) else ())}
    return {**encoded, **found, None: items}


def _only_member(source: Json, schemas: Schemas) -> Json:
    """In a form whose order counts, an item is an object with one member: the name of the part, and its content."""
    declared = schemas.flat(source).get("properties")
    return next(iter(declared.values())) if isinstance(declared, dict) and len(declared) == 1 else source


def _part(
    name: str | None, source: Json, media_type: str, encoding: Encoding, schemas: Schemas, *, is_item: bool = False
) -> Part:
    declared = encoding.media_type
    nested = declared is not None and media.is_multipart(declared)
    # A property that is a list is as many parts; a list that is an item is one, and so is one whose items are parts.
    schema = schemas.flat(source)
    items = schema.get("items") if _is_list(schema) else None
    is_one = is_item or items is None or (nested and not _is_list(schemas.flat(items)))
    each = source if is_one else items
    structured = declared is not None and media.is_xml(declared) and is_structured(each, schemas)
    part = Part(
        name=name, media_type=declared, xml=xml(each, schemas, None if is_item else name) if structured else None
    )
    if media.is_multipart(media_type):
        bytes_ = file(source, schemas, declared)
        is_file = bytes_ is not None and not (is_item and bytes_.many)
        encoded = not is_file and _is_encoded(schemas.flat(each))
        part = replace(
            part,
            file=is_file,
            encoded=encoded,
            media_type=declared or ("application/octet-stream" if encoded else None),
            headers=_headers(encoding, schemas),
            parts=parts(declared, each, encoding.encoding, schemas) if nested and declared is not None else (),
        )
    return _styled(part, encoding) if _takes_styles(media_type, schemas) else part


def _styled(part: Part, encoding: Encoding) -> Part:
    """The part with its style; any word of it is enough (OpenAPI 3.0.4 section 4.7.15.1.2)."""
    style = encoding.style
    if style is None and (encoding.explode is not None or encoding.allow_reserved is not None):
        style = "form"
    if style is None:
        return part
    explode = style == "form" if encoding.explode is None else encoding.explode
    return replace(
        part, style=style, explode=explode or style == "deepObject", reserved=encoding.allow_reserved is True
    )


def _takes_styles(media_type: str, schemas: Schemas) -> bool:
    """Multipart forms do since 3.1, and in Swagger 2.0 by ``collectionFormat``; other multipart bodies never do."""
    if not media.is_multipart(media_type):
        return True
    version = schemas.references.document.version
    return media.essence(media_type) == "multipart/form-data" and not version.startswith("3.0")


def _is_list(schema: JsonObject) -> bool:
    return set(types(schema)) - {"null"} == {"array"}


def _described(schema: JsonObject, schemas: Schemas, declared: str | None) -> Literal["file", "files", "text", "other"]:
    if _is_bytes(schema, schemas, declared):
        return "file"
    if _is_list(schema):
        told = "items" in schema and "title" not in schema
        items: JsonObject = schemas.flat(schema["items"]) if told else {"title": ""}
        return "files" if _is_bytes(items, schemas, declared) else "other"
    return "text" if types(schema) and set(types(schema)) <= {"string", "null"} else "other"


def _is_bytes(schema: JsonObject, schemas: Schemas, declared: str | None) -> bool:
    if not set(types(schema)) <= {"string", "null"} or _is_encoded(schema):
        return False
    if (
        schema.get("format") == "binary"
        or schema.get("type") == "file"
        or isinstance(schema.get("contentMediaType"), str)
    ):
        return True
    if declared is not None and media.is_binary(declared) and not is_structured(schema, schemas):
        return True
    # What has no type is bytes (OpenAPI 3.1.1 section 4.8.15.1.1). Many documents leave types out of what are plain
    # values to them, but then say something else, if only a title or a description.
    return not schemas.references.document.version.startswith(("2", "3.0")) and not schema.keys() - {"$comment"}


def _is_encoded(schema: JsonObject) -> bool:
    """Is it text that stands for bytes? It is sent as text (OpenAPI 3.1.1 section 4.8.15.4)."""
    if not set(types(schema)) <= {"string", "null"} or not types(schema):
        return False
    encoding = schema.get("contentEncoding")
    return schema.get("format") == "byte" or (isinstance(encoding, str) and encoding.lower() not in _PLAIN)


def _headers(encoding: Encoding, schemas: Schemas) -> tuple[tuple[str, str], ...]:
    """The headers of a part whose values the document itself gives."""
    found: list[tuple[str, str]] = []
    for header in encoding.headers:
        schema = schemas.flat(header.schema)
        listed = schema.get("enum")
        only = listed[0] if isinstance(listed, list) and len(listed) == 1 else schema.get("default")
        value = schema.get("const", only)
        if isinstance(value, (str, int, float)):
            text = str(value).lower() if isinstance(value, bool) else str(value)
            if _TOKEN.fullmatch(header.name) and _HEADER_TEXT.fullmatch(text):
                found.append((header.name, text))
    return tuple(found)
