"""A grammar of OpenAPI documents of every version, and of documents that are almost ones."""

# Values of any shape are what this is about.
# pyright: basic

from __future__ import annotations

import json
from copy import deepcopy
from typing import Any, cast

from .choices import Choices, rarely, strategy
from .texts import NAMES, name, text

VERSIONS = ("2.0", "3.0.0", "3.0.3", "3.0.4", "3.1.0", "3.1.1", "3.2.0")
TYPES = ("string", "integer", "number", "boolean", "array", "object", "null")
FORMATS = (
    "date-time",
    "int32",
    "int64",
    "byte",
    "binary",
    "uuid",
    "password",
    "uri",
    "float",
    "email",
    "date",
    "regex",
)
MEDIA_TYPES = (
    "application/json",
    "application/x-www-form-urlencoded",
    "multipart/form-data",
    "application/xml",
    "text/plain",
    "application/octet-stream",
    "application/problem+json",
    "image/png",
    "*/*",
    "application/x-ndjson",
    "text/csv",
    "application/merge-patch+json",
    "text/event-stream",
    "application/json; charset=utf-8",
    "multipart/mixed",
    "text/xml",
)
STYLES = (
    "form",
    "simple",
    "label",
    "matrix",
    "spaceDelimited",
    "pipeDelimited",
    "deepObject",
    "tabDelimited",
    "cookie",
)
PATTERNS = (
    r"^[a-z]+$",
    r"^\d{3}-\d{4}$",
    r"(a+)+$",
    r"^(?!x)y",
    r"\p{L}+",
    "[",
    r"^[\w.-]+@x$",
    "(?<a>b)\\k<a>",
    "^$",
    r"\/\u0041",
)
METHODS = ("get", "put", "post", "delete", "patch", "head", "options", "trace")
SCHEMAS = ("Pet", "Order", "Node", "Error", "List", "a.b", "Pet_1", "Missing")
ODDITIES: tuple[Any, ...] = (
    None,
    True,
    False,
    0,
    -1,
    1.5,
    10**30,
    "",
    "x",
    [],
    {},
    [None],
    {"": None},
    "#",
    "#/",
    {"$ref": "#"},
    ["a", 1],
    {"$ref": 5},
    [[]],
)

Node = dict[str, Any]


def document(choices: Choices) -> Node:
    """A document, as JSON has it: about half of them are as they should be."""
    made = _Grammar(choices).document()
    for _ in range(choices.one((0, 0, 0, 1, 1, 2, 4))):
        _damage(choices, made)
    return made


def written(choices: Choices, made: Node) -> str:
    """The text of a document, JSON, which is YAML too; few of them are broken."""
    written = json.dumps(made, ensure_ascii=not rarely(choices, 3))
    if "\\ud8" not in written:
        written = written.encode("utf-8", "replace").decode()
    if not rarely(choices, 20):
        return written
    at = choices.number(0, len(written))
    match choices.number(0, 4):
        case 0:
            return written[:at]
        case 1:
            return (
                written[:at]
                + choices.one(
                    (
                        "\t",
                        "\n",
                        "&a ",
                        "*a ",
                        "!!python/object:os.system ",
                        "<<: ",
                        "\x00",
                        "# ",
                        ": ",
                        "- ",
                        "|\n",
                        "%",
                    )
                )
                + written[at:]
            )
        case 2:
            return written[:at] + written[at + choices.number(1, 9) :]
        case 3:
            return written[:at] + text(choices).encode("utf-8", "replace").decode() + written[at:]
        case _:
            return written + choices.one(("\n---\n{}", "}", "\n...\n", "\ufeff", "  x"))


documents = strategy(document)


class _Grammar:
    """The rules, for one document."""

    def __init__(self, choices: Choices) -> None:
        self.choices = choices
        self.version = choices.one(VERSIONS)
        self.old = self.version == "2.0"
        self.depth = 0

    def maybe(self, node: Node, key: str, value: Any, times: int = 2) -> None:
        """A member that may be there; ``value`` makes it when it is."""
        if self.choices.number(1, times) == 1:
            node[key] = value() if callable(value) else value

    def text(self) -> str:
        return text(self.choices)

    def one(self, options: Any) -> Any:
        return self.choices.one(options)

    def some(self, make: Any, most: int = 3) -> list[Any]:
        return [make() for _ in range(self.choices.number(0, most))]

    def flag(self) -> bool:
        return self.choices.number(0, 1) == 1

    def document(self) -> Node:
        root: Node = {"swagger": "2.0"} if self.old else {"openapi": self.version}
        info: Node = {"title": self.text(), "version": self.text()}
        self.maybe(info, "description", self.text)
        self.maybe(info, "license", lambda: {"name": self.text(), "url": self.text()}, 5)
        self.maybe(info, "contact", lambda: {"name": self.text(), "email": self.text()}, 5)
        root["info"] = info
        root["paths"] = {self.path(): self.item() for _ in range(self.choices.number(1, 3))}
        self.maybe(root, "tags", lambda: self.some(lambda: {"name": self.text(), "description": self.text()}), 3)
        self.maybe(root, "security", self.security, 3)
        schemas = {self.one(SCHEMAS): self.schema() for _ in range(self.choices.number(0, 3))}
        schemes = {
            self.one(("key", "bearer", "oauth", "basic")): self.scheme() for _ in range(self.choices.number(0, 2))
        }
        if self.old:
            root["definitions"], root["securityDefinitions"] = schemas, schemes
            self.maybe(root, "host", lambda: self.one(("api.example", "a:8", "", "http://x")))
            self.maybe(root, "basePath", lambda: self.one(("/v1", "v1", "", "/")))
            self.maybe(root, "schemes", lambda: self.some(lambda: self.one(("https", "http", "ws"))))
            self.maybe(root, "consumes", lambda: self.some(self.media_type), 3)
            self.maybe(root, "parameters", lambda: {"shared": self.parameter()}, 3)
        else:
            root["components"] = {"schemas": schemas, "securitySchemes": schemes}
            self.maybe(root["components"], "parameters", lambda: {"shared": self.parameter()}, 3)
            self.maybe(root["components"], "responses", lambda: {"shared": self.response()}, 3)
            self.maybe(root["components"], "requestBodies", lambda: {"shared": self.body()}, 3)
            self.maybe(root, "servers", lambda: self.some(self.server))
            self.maybe(root, "webhooks", lambda: {"hook": self.item()}, 8)
        self.maybe(
            root, "x-" + self.one(("mcp", "toolcast", "logo", "webhooks")), lambda: deepcopy(self.one(ODDITIES)), 8
        )
        return root

    def path(self) -> str:
        parts = [
            self.one(
                (
                    "pets",
                    "{id}",
                    "{petId}",
                    "orders",
                    "a{id}b",
                    "{id}.{name}",
                    "{",
                    "..",
                    "{id}:cancel",
                    "x y",
                    "é",
                    "{a}/{b}",
                    "",
                )
            )
            for _ in range(self.choices.number(1, 3))
        ]
        return (
            ("" if rarely(self.choices, 40) else "/")
            + "/".join(parts)
            + ("?x={id}" if rarely(self.choices, 30) else "")
        )

    def item(self) -> Node:
        methods = (*METHODS, "query") if self.version == "3.2.0" else METHODS
        node = {self.one(methods): self.operation() for _ in range(self.choices.number(1, 2))}
        self.maybe(node, "parameters", lambda: self.some(self.parameter), 4)
        self.maybe(node, "summary", self.text, 8)
        if self.version == "3.2.0":
            self.maybe(
                node, "additionalOperations", lambda: {self.one(("COPY", "LINK", "x y", "get")): self.operation()}, 5
            )
        if not self.old:
            self.maybe(node, "servers", lambda: self.some(self.server, 2), 8)
        return node

    def operation(self) -> Node:
        node: Node = {}
        self.maybe(node, "operationId", lambda: name(self.choices))
        self.maybe(node, "summary", self.text)
        self.maybe(node, "description", self.text, 3)
        self.maybe(node, "tags", lambda: self.some(self.text, 2))
        self.maybe(node, "deprecated", self.flag, 8)
        self.maybe(node, "parameters", lambda: self.some(self.parameter, 4), 1)
        self.maybe(node, "security", self.security, 4)
        if self.old:
            self.maybe(node, "consumes", lambda: self.some(self.media_type, 2))
            self.maybe(node, "produces", lambda: self.some(self.media_type, 2))
        else:
            self.maybe(node, "requestBody", self.body)
            self.maybe(node, "callbacks", lambda: {"done": {"{$request.body#/url}": self.item()}}, 20)
            self.maybe(node, "servers", lambda: self.some(self.server, 2), 12)
        node["responses"] = {
            self.one(("200", "201", "204", "default", "2XX", "404")): self.response()
            for _ in range(self.choices.number(0, 2))
        }
        self.maybe(
            node,
            "x-" + self.one(("mcp", "toolcast", "speakeasy-mcp", "ms-visibility")),
            lambda: deepcopy(self.one(ODDITIES)),
            10,
        )
        return node

    def parameter(self) -> Node:
        if rarely(self.choices, 12):
            where = "#/parameters/" if self.old else "#/components/parameters/"
            return {"$ref": where + self.one(("shared", "gone"))}
        places = ["path", "query", "header"] + (["body", "formData"] if self.old else ["cookie"])
        place = self.one([*places, "querystring"] if self.version == "3.2.0" else places)
        node: Node = {
            "name": self.one(("id", "petId", "name", "a", "b")) if place == "path" else name(self.choices),
            "in": place,
        }
        if place == "path" or rarely(self.choices, 4):
            node["required"] = True
        self.maybe(node, "description", self.text, 3)
        if self.old and place != "body":
            schema = self.schema()
            node |= {
                key: schema[key] for key in ("type", "format", "enum", "pattern", "items", "default") if key in schema
            }
            self.maybe(node, "collectionFormat", lambda: self.one(("csv", "ssv", "tsv", "pipes", "multi")), 3)
        elif self.old or not rarely(self.choices, 6):
            node["schema"] = self.schema()
            self.maybe(node, "style", lambda: self.one(STYLES), 4)
            self.maybe(node, "explode", self.flag, 4)
            self.maybe(node, "allowReserved", self.flag, 10)
        else:
            node["content"] = {self.media_type(): {"schema": self.schema()}}
        self.maybe(node, "example", lambda: self.value(), 5)
        return node

    def body(self) -> Node:
        if rarely(self.choices, 12):
            return {"$ref": "#/components/requestBodies/" + self.one(("shared", "gone"))}
        node: Node = {"content": {self.media_type(): self.media() for _ in range(self.choices.number(1, 2))}}
        self.maybe(node, "required", self.flag)
        self.maybe(node, "description", self.text, 5)
        return node

    def media(self) -> Node:
        node: Node = {"schema": self.schema()}
        self.maybe(node, "encoding", lambda: {name(self.choices): self.encoding() for _ in range(2)}, 4)
        self.maybe(node, "example", self.value, 5)
        self.maybe(node, "examples", lambda: {self.text(): {"value": self.value()}}, 8)
        if self.version == "3.2.0":
            self.maybe(node, "itemSchema", self.schema, 6)
        return node

    def encoding(self) -> Node:
        node: Node = {}
        self.maybe(node, "contentType", self.media_type)
        self.maybe(node, "style", lambda: self.one(STYLES), 3)
        self.maybe(node, "explode", self.flag, 3)
        self.maybe(
            node, "headers", lambda: {name(self.choices): {"schema": {"type": "string", "default": self.text()}}}, 4
        )
        return node

    def response(self) -> Node:
        if not self.old and rarely(self.choices, 12):
            return {"$ref": "#/components/responses/" + self.one(("shared", "gone"))}
        node: Node = {"description": self.text()}
        if self.old:
            self.maybe(node, "schema", self.schema)
        else:
            self.maybe(node, "content", lambda: {self.media_type(): self.media()})
        return node

    def media_type(self) -> str:
        return self.text() if rarely(self.choices, 25) else self.one(MEDIA_TYPES)

    def server(self) -> Node:
        url = self.one(
            (
                "https://api.example/v1",
                "/v1",
                "",
                "https://{region}.example",
                "http://[",
                "../x",
                "ftp://x",
                "https://u:p@h",
            )
        )
        node: Node = {"url": url}
        variables = {"region": {"default": self.one(("eu", "", "a/b")), "enum": ["eu", "us"]}}
        self.maybe(node, "variables", lambda: variables, 3)
        self.maybe(node, "description", self.text, 4)
        return node

    def security(self) -> list[Any]:
        return self.some(
            lambda: {
                self.one(("key", "bearer", "oauth", "basic", "gone")): [] for _ in range(self.choices.number(0, 2))
            },
            2,
        )

    def scheme(self) -> Node:
        kind = self.one(("apiKey", "http", "oauth2", "openIdConnect", "mutualTLS", "basic"))
        node: Node = {"type": kind}
        if kind == "apiKey":
            node |= {"name": name(self.choices), "in": self.one(("header", "query", "cookie"))}
        elif kind == "http":
            node["scheme"] = self.one(("basic", "bearer", "Bearer", "digest", self.text()))
        elif kind == "oauth2":
            flow: Node = {
                "tokenUrl": self.one(("https://id.example/token", "/token", "x")),
                "scopes": {self.text(): self.text()},
            }
            node |= (
                {"flow": "application", **flow}
                if self.old
                else {
                    "flows": {
                        self.one(("clientCredentials", "authorizationCode", "password", "implicit")): {
                            **flow,
                            "authorizationUrl": "https://id.example/a",
                        }
                    }
                }
            )
        elif kind == "openIdConnect":
            node["openIdConnectUrl"] = self.one(("https://id.example/.well-known/openid-configuration", ""))
        self.maybe(node, "description", self.text, 4)
        return node

    def schema(self) -> Any:
        self.depth += 1
        try:
            return self._schema()
        finally:
            self.depth -= 1

    def _schema(self) -> Any:
        modern = self.version.startswith(("3.1", "3.2"))
        if rarely(self.choices, 5):
            where = "#/definitions/" if self.old else "#/components/schemas/"
            found: Node = {"$ref": where + self.one(SCHEMAS)}
            self.maybe(found, "description", self.text, 5)
            return found
        if modern and rarely(self.choices, 30):
            return self.flag()
        deep = self.depth > 3
        kind = self.one(TYPES[:4] if deep else TYPES if modern else TYPES[:6])
        node: Node = {}
        if not rarely(self.choices, 10):
            node["type"] = [kind, self.one(TYPES)] if modern and rarely(self.choices, 8) else kind
        match kind:
            case "string":
                self.maybe(node, "format", lambda: self.one(FORMATS), 3)
                self.maybe(node, "pattern", lambda: self.one(PATTERNS), 6)
                self.maybe(node, "minLength", lambda: self.choices.number(-1, 3), 8)
                self.maybe(node, "maxLength", lambda: self.choices.number(0, 99), 8)
                if modern:
                    self.maybe(node, "contentMediaType", self.media_type, 15)
                    self.maybe(node, "contentEncoding", lambda: self.one(("base64", "base64url", "x")), 15)
            case "integer" | "number":
                self.maybe(node, "minimum", lambda: self.one((0, 1, -5, 1e10)), 4)
                self.maybe(node, "exclusiveMinimum", lambda: self.choices.number(0, 5) if modern else self.flag(), 8)
                self.maybe(node, "multipleOf", lambda: self.one((1, 2, 0.01, 0)), 10)
                self.maybe(node, "format", lambda: self.one(FORMATS), 4)
            case "array":
                node["items"] = self.schema()
                self.maybe(node, "minItems", lambda: self.choices.number(0, 2), 5)
                self.maybe(node, "uniqueItems", self.flag, 8)
                if modern:
                    self.maybe(node, "prefixItems", lambda: self.some(self.schema, 2), 8)
            case "object":
                node["properties"] = {name(self.choices): self.schema() for _ in range(self.choices.number(0, 4))}
                self.maybe(
                    node, "required", lambda: self.some(lambda: self.one([*node["properties"], *NAMES[:3]]), 2), 3
                )
                self.maybe(node, "additionalProperties", lambda: self.flag() or self.schema(), 4)
                if modern:
                    self.maybe(node, "patternProperties", lambda: {self.one(PATTERNS): self.schema()}, 12)
                    self.maybe(node, "unevaluatedProperties", self.flag, 12)
                    self.maybe(node, "dependentRequired", lambda: {"a": ["b"]}, 15)
                    self.maybe(node, "propertyNames", lambda: {"pattern": self.one(PATTERNS)}, 15)
                self.maybe(
                    node,
                    "discriminator",
                    lambda: (
                        "type" if self.old else {"propertyName": "type", "mapping": {"a": "#/components/schemas/Pet"}}
                    ),
                    10,
                )
            case _:
                pass
        if not deep:
            self.maybe(node, self.one(("allOf", "anyOf", "oneOf")), lambda: self.some(self.schema, 3), 6)
            self.maybe(node, "not", self.schema, 25)
        if modern and not deep:
            self.maybe(node, "$defs", lambda: {"inner": self.schema()}, 25)
            self.maybe(node, "if", self.schema, 25)
            self.maybe(node, "$id", lambda: self.one(("https://x.example/s", "s", "")), 40)
            self.maybe(node, "$anchor", lambda: self.one(("here", "1", "a b")), 40)
            self.maybe(node, "$dynamicRef", lambda: self.one(("#here", "#", "#node")), 40)
            self.maybe(node, "const", self.value, 12)
        self.maybe(node, "enum", lambda: self.some(self.value, 3), 8)
        self.maybe(node, "default", self.value, 6)
        self.maybe(node, "example", self.value, 6)
        self.maybe(node, "title", self.text, 6)
        self.maybe(node, "description", self.text, 3)
        self.maybe(node, "nullable", self.flag, 6)
        self.maybe(node, self.one(("readOnly", "writeOnly", "deprecated")), self.flag, 8)
        self.maybe(
            node,
            "xml",
            lambda: {
                self.one(("name", "namespace", "prefix")): self.text(),
                self.one(("wrapped", "attribute")): True,
                "nodeType": self.one(("element", "text", "none")),
            },
            12,
        )
        return node

    def value(self) -> Any:
        match self.choices.number(0, 7):
            case 0:
                return self.text()
            case 1:
                return self.choices.number(-3, 1000)
            case 2:
                return self.one((0.5, 1e300, -0.0, 1e-9, 10**22))
            case 3:
                return deepcopy(self.one(ODDITIES))
            case 4:
                return [self.text(), self.choices.number(0, 3)]
            case 5:
                return {name(self.choices): self.text()}
            case _:
                return self.one(("available", "sold", True, None, "2020-01-01"))


def _damage(choices: Choices, root: Node) -> None:
    """Change one place, wherever it is."""
    place: Any = root
    parents: list[tuple[Any, Any]] = []
    for _ in range(choices.number(1, 9)):
        keys: list[Any] = (
            list(place)
            if isinstance(place, dict)
            else list(range(len(cast("list[Any]", place))))
            if isinstance(place, list)
            else []
        )
        if not keys:
            break
        key = choices.one(keys)
        parents.append((place, key))
        place = place[key]
    parent, key = parents[-1]
    match choices.number(0, 5):
        case 0:
            del parent[key]
        case 1 if isinstance(parent, dict):
            parent[text(choices)] = cast("Node", parent).pop(key)
        case 2 if isinstance(place, (dict, list)):
            parent[key] = [place] if isinstance(place, dict) else {"a": place}
        case 3:
            parent[key] = text(choices)
        case _:
            parent[key] = deepcopy(choices.one(ODDITIES))
