"""An encoder of requests: from a document and values by place and name to what must arrive.

Sources: OpenAPI 3.2.0 "Style Values", "Style Examples", "Encoding Object", "XML Object"; RFC 6570 §3.2; RFC 7578;
Swagger 2.0 "Parameter Object" (``collectionFormat``).
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeGuard
from urllib.parse import quote, quote_plus
from xml.sax.saxutils import escape, quoteattr

Value = Any
Document = dict[str, Any]
FORM = "application/x-www-form-urlencoded"


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a multipart body: its name and file name, its media type where it states one, its bytes."""

    name: str | None
    filename: str | None
    media_type: str | None
    data: bytes


@dataclass(slots=True)
class Message:
    """What must arrive; a multipart body is in ``parts``, and the names of headers are in lower case."""

    path: str
    query: str = ""
    headers: dict[str, str] = field(default_factory=dict[str, str])
    media_type: str | None = None
    body: bytes = b""
    parts: list[Part] | None = None


def is_list(value: Value) -> TypeGuard[list[Value]]:
    """Whether a value is a list."""
    return isinstance(value, list)


def is_object(value: Value) -> TypeGuard[dict[str, Value]]:
    """Whether a value is an object."""
    return isinstance(value, dict)


def text(value: Value) -> str:
    """A value without quotes."""
    if isinstance(value, str):
        return value
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def escaped(value: Value, keep: str = "") -> str:
    """A value percent-encoded but for unreserved characters; reserved ones to keep make triples pass as well."""
    told = text(value)
    if not keep:
        return quote(told, safe="")
    return "".join(piece if at % 2 else quote(piece, safe=keep) for at, piece in enumerate(TRIPLE.split(told)))


TRIPLE = re.compile("(%[0-9A-Fa-f]{2})")
DELIMITER = {"spaceDelimited": "%20", "pipeDelimited": "%7C", "tabDelimited": "%09"}
# "URL Percent-Encoding": what is reserved and has no meaning of its own in a query.
RESERVED = ":/?@!$'()*,;"


def pairs(style: str, explode: bool, name: str, value: Value, reserved: bool = False) -> list[str]:
    """The name=value pairs of a query, a form or a cookie: the rows of the table that have names."""
    key = quote(name, safe="")
    joint, keep = DELIMITER.get(style, ","), RESERVED if reserved else ""
    if style == "deepObject":
        return [f"{quote(label, safe='')}={escaped(item, keep)}" for label, item in deep(name, value)]
    flat = members(value)
    if flat is None:
        return [f"{key}={escaped(value, keep)}"]
    if not explode:
        inner = keep.replace(",", "")
        return [f"{key}={joint.join(escaped(item, inner) for pair in flat for item in pair)}"] if flat else []
    return [f"{quote(pair[0], safe='') if pair[1:] else key}={escaped(pair[-1], keep)}" for pair in flat]


def members(value: Value) -> list[tuple[Value, ...]] | None:
    """The items of a list, the names and values of an object; None for anything else."""
    if is_list(value):
        return [(item,) for item in value]
    return [*value.items()] if is_object(value) else None


def deep(name: str, value: Value) -> list[tuple[str, Value]]:
    """The bracketed names of an object, at any depth."""
    if is_object(value):
        return [pair for label, item in value.items() for pair in deep(f"{name}[{label}]", item)]
    if is_list(value):
        nested = any(isinstance(item, dict | list) for item in value)
        return [pair for at, item in enumerate(value) for pair in deep(f"{name}[{at if nested else ''}]", item)]
    return [(name, value)]


def segment(style: str, explode: bool, name: str, value: Value) -> str:
    """What stands in a path for a parameter."""
    if style == "matrix":
        return "".join(f";{pair.removesuffix('=')}" for pair in pairs("form", explode, name, value))
    prefix, joint = (".", "." if explode else ",") if style == "label" else ("", DELIMITER.get(style, ","))
    flat = members(value)
    if flat is None:
        return prefix + escaped(value)
    within = "=" if explode else joint
    return prefix + joint.join(within.join(map(escaped, pair)) for pair in flat)


def header(style: str, explode: bool, value: Value) -> str:
    """The value of a header, which is not escaped."""
    joint = {"spaceDelimited": " ", "pipeDelimited": "|", "tabDelimited": "\t"}.get(style, ",")
    flat = members(value)
    if flat is None:
        return text(value)
    return joint.join(("=" if explode else joint).join(map(text, pair)) for pair in flat)


class Encoder:
    """Encodes requests of the operations of one document; references lead to places in it."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.old = "swagger" in document

    def at(self, node: Value) -> Value:
        """What is meant, behind references."""
        while is_object(node) and isinstance(node.get("$ref"), str):
            target: Value = self.document
            for step in node["$ref"].removeprefix("#/").split("/"):
                step = step.replace("~1", "/").replace("~0", "~")
                target = target[int(step)] if is_list(target) else target[step]
            node = target
        return node

    def schema(self, node: Value) -> Document:
        """A schema with its references and its ``allOf`` at the top undone."""
        node = self.at(node) or {}
        found: Document = {**node, "properties": dict(node.get("properties", {}))}
        for part in node.get("allOf", []):
            inner = self.schema(part)
            found["properties"] = {**inner["properties"], **found["properties"]}
            found = {**inner, **found}
        return found

    def operation(self, method: str, path: str) -> Document:
        """An operation with the parameters of its path."""
        item = self.at(self.document["paths"][path])
        node = item.get(method.lower()) or item["additionalOperations"][method]
        own = [self.at(parameter) for parameter in node.get("parameters", [])]
        taken = {(parameter["in"], parameter["name"]) for parameter in own}
        shared = [self.at(parameter) for parameter in item.get("parameters", [])]
        return {**node, "parameters": [*(p for p in shared if (p["in"], p["name"]) not in taken), *own]}

    def message(self, method: str, path: str, values: Mapping[tuple[str, str], Value]) -> Message:
        """The request for values by place and name; ("body", "") is the body as a whole."""
        operation = self.operation(method, path)
        message = Message(path)
        queries: list[tuple[int, list[str]]] = []
        cookies: list[str] = []
        for at, parameter in enumerate(operation["parameters"]):
            place, name = parameter["in"], parameter["name"]
            if place in ("body", "formData") or (place, name) not in values:
                continue
            value = values[place, name]
            style, explode = self.style(parameter)
            media_type = next(iter(parameter.get("content", {})), None)
            match place:
                case "path":
                    told = escaped(json.dumps(value)) if media_type else segment(style, explode, name, value)
                    message.path = message.path.replace(f"{{{name}}}", told)
                case "query" if media_type:
                    queries.append((at, [f"{quote(name, safe='')}={escaped(json_text(value))}"]))
                case "query":
                    queries.append((at, pairs(style, explode, name, value, parameter.get("allowReserved", False))))
                case "querystring" if media_type == FORM:
                    # The same form as a body's (OpenAPI 3.2.0, in: querystring), so that a list repeats its name.
                    form = parameter["content"][FORM]
                    queries.append((at, [pair for key, item in value.items() for pair in self.field(key, item, form)]))
                case "querystring":
                    queries.append((at, [escaped(value)]))
                case "header":
                    message.headers[name.lower()] = json_text(value) if media_type else header(style, explode, value)
                case "cookie" if style == "cookie":
                    cookies += [f"{name}={text(item)}" for item in (value if is_list(value) else [value])]
                case "cookie":
                    cookies += pairs(style, explode, name, value)
                case _:
                    raise AssertionError(place)
        message.query = "&".join(pair for _, found in queries for pair in found)
        if cookies:
            message.headers["cookie"] = "; ".join(cookies)
        given = {name: value for (place, name), value in values.items() if place == "body"}
        if given:
            self.put_body(operation, given.get("", given), message)
        return message

    def style(self, parameter: Document) -> tuple[str, bool]:
        """The style of a parameter, and whether it explodes."""
        place = parameter["in"]
        if self.old:
            kind = parameter.get("collectionFormat", "csv")
            words = {"ssv": "spaceDelimited", "tsv": "tabDelimited", "pipes": "pipeDelimited"}
            return words.get(kind, "form" if place == "query" else "simple"), kind == "multi"
        style = parameter.get("style", "form" if place in ("query", "cookie") else "simple")
        return style, parameter.get("explode", style in ("form", "cookie", "deepObject"))

    def put_body(self, operation: Document, value: Value, message: Message) -> None:
        """Write a body in the representation that says most."""
        content = self.content(operation)
        message.media_type = media_type = min(content, key=_rank)
        media = content[media_type]
        schema = self.schema(media.get("schema"))
        if media_type.startswith("multipart/"):
            message.parts = [part for name, item in value.items() for part in self.sections(name, item, schema, media)]
        elif media_type == FORM:
            fields = [self.field(name, item, media) for name, item in value.items()]
            message.body = "&".join(pair for found in fields for pair in found).encode()
        elif "json" in media_type:
            message.body = json_text(value).encode()
        elif "xml" in media_type and not isinstance(value, str):
            message.body = self.element(self.xml_name(media.get("schema")), media.get("schema"), value).encode()
        elif media_type.startswith("text/") or "xml" in media_type:
            message.body = str(value).encode()
        else:
            message.body = base64.b64decode(value)

    def content(self, operation: Document) -> Document:
        """The representations of a body, by media type."""
        if not self.old:
            return self.at(operation["requestBody"])["content"]
        consumes = operation.get("consumes") or self.document.get("consumes") or ["application/json"]
        parameters = operation["parameters"]
        for parameter in parameters:
            if parameter["in"] == "body":
                return {media_type: {"schema": parameter["schema"]} for media_type in consumes}
        fields = {p["name"]: p for p in parameters if p["in"] == "formData"}
        files = any(p["type"] == "file" for p in fields.values())
        encoding = {
            name: dict(zip(("style", "explode"), self.style({**p, "in": "query"}), strict=True))
            for name, p in fields.items()
            if p["type"] == "array" and p.get("collectionFormat") != "multi"
        }
        properties = {
            name: {"type": "string", "format": "binary"} if p["type"] == "file" else p for name, p in fields.items()
        }
        media_type = "multipart/form-data" if files or consumes[0].startswith("multipart/") else FORM
        return {media_type: {"schema": {"properties": properties}, "encoding": encoding}}

    def field(self, name: str, value: Value, media: Document) -> list[str]:
        """The pairs of one field of a form."""
        encoding = media.get("encoding", {}).get(name, {})
        if encoding.keys() & {"style", "explode", "allowReserved"}:
            style = encoding.get("style", "form")
            explode = encoding.get("explode", style == "form")
            return pairs(style, explode, name, value, encoding.get("allowReserved", False))
        return [form_pair(name, item) for item in (value if is_list(value) else [value])]

    def sections(self, name: str, value: Value, schema: Document, media: Document) -> list[Part]:
        """The parts of one field of a multipart body."""
        own = self.schema(schema["properties"].get(name))
        is_list = own.get("type") == "array"
        inner = self.schema(own.get("items")) if is_list else own
        declared = media.get("encoding", {}).get(name, {}).get("contentType")
        is_file = inner.get("format") == "binary" or ("contentMediaType" in inner and "contentEncoding" not in inner)
        found: list[Part] = []
        for item in value if is_list else [value]:
            if is_file:
                found.append(Part(name, name, declared or "application/octet-stream", base64.b64decode(item)))
            elif isinstance(item, dict | list):
                found.append(Part(name, None, declared or "application/json", json_text(item).encode()))
            else:
                found.append(Part(name, None, declared, text(item).encode()))
        return found

    def xml_name(self, node: Value, usual: str = "root") -> str:
        """What an element is called: its own name, else its component's."""
        own = self.schema(node).get("xml", {}).get("name")
        component = node.get("$ref", "").rpartition("/")[2] if is_object(node) else ""
        return own or component or usual

    def element(self, name: str, node: Value, value: Value) -> str:
        """An element for a value."""
        schema = self.schema(node)
        said = schema.get("xml", {})
        space = said.get("namespace")
        prefix = f"{said['prefix']}:" if said.get("prefix") else ""
        attributes = f" xmlns{':' + said['prefix'] if prefix else ''}={quoteattr(space)}" if space else ""
        inside = ""
        if is_object(value):
            order = [*(key for key in schema["properties"] if key in value)]
            for key in [*order, *(key for key in value if key not in order)]:
                child = schema["properties"].get(key, {})
                own = self.schema(child).get("xml", {})
                if own.get("attribute") or own.get("nodeType") == "attribute":
                    attributes += f" {own.get('name', key)}={quoteattr(text(value[key]))}"
                else:
                    inside += self.member(key, child, value[key])
        elif is_list(value):
            inside = "".join(self.element(self.xml_name(schema.get("items"), name), schema["items"], i) for i in value)
        else:
            inside = escape(text(value))
        return f"<{prefix}{name}{attributes}>{inside}</{prefix}{name}>"

    def member(self, key: str, node: Value, value: Value) -> str:
        """The elements of a member of an object."""
        schema = self.schema(node)
        name = schema.get("xml", {}).get("name", key)
        if not is_list(value):
            return self.element(name, node, value)
        items = schema.get("items", {})
        if schema.get("xml", {}).get("wrapped"):
            inner = self.schema(items).get("xml", {}).get("name", name)
            return f"<{name}>{''.join(self.element(inner, items, item) for item in value)}</{name}>"
        inner = self.schema(items).get("xml", {}).get("name", key)
        return "".join(self.element(inner, items, item) for item in value)


def json_text(value: Value) -> str:
    """Compact JSON."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def form_pair(name: str, value: Value) -> str:
    """A pair of a form without a style."""
    return f"{quote_plus(name)}={quote_plus(text(value))}"


def _rank(media_type: str) -> int:
    order = ("json", FORM, "multipart/", "xml", "text/")
    return next((at for at, word in enumerate(order) if word in media_type), len(order))
