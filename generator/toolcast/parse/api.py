"""The whole document: what it says of the API, operation by operation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from toolcast.diagnostics import Report
from toolcast.model.document import Document
from toolcast.model.json import Json
from toolcast.model.openapi import Api, Operation, Requirement, SecurityScheme, Server, Tag
from toolcast.parse.bodies import request_body, responses
from toolcast.parse.parameters import parameters
from toolcast.parse.reader import Node, Reader, Unusable
from toolcast.parse.security import requirements, schemes, scopes
from toolcast.parse.servers import default_server, servers

# In the order of the Path Item Object (OpenAPI 3.2 section 4.9); `query` is new in 3.2.
_METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace", "query")


@dataclass(frozen=True, slots=True)
class _Inherited:
    """What operations take over from the document."""

    schemes: Mapping[str, SecurityScheme]
    security: tuple[Requirement, ...]
    scopes: Mapping[str, tuple[str, ...]]


def parse(document: Document, report: Report) -> Api:
    """What the document says; an operation that cannot be read is reported and left out, alone."""
    reader = Reader(document, report)
    root = Node(document.root, "#")
    info = root.value.get("info")
    described = Node(info if isinstance(info, dict) else {}, root.below("info"))
    components = root.value.get("components")
    declared = schemes(reader, Node(components if isinstance(components, dict) else {}, root.below("components")))
    inherited = _Inherited(declared, requirements(reader, root, declared, ()), scopes(root, {}))
    return Api(
        title=described.text("title").strip(),
        version=described.text("version"),
        description=described.text("description"),
        servers=servers(reader, root) or (default_server(reader),),
        tags=tuple(_tags(root)),
        operations=tuple(_operations(reader, root, inherited)),
        security_schemes=declared,
        document=document,
    )


def _tags(root: Node) -> Iterator[Tag]:
    for index, value in root.items("tags"):
        if isinstance(value, dict):
            tag = Node(value, root.below("tags", index))
            if tag.text("name"):
                yield Tag(name=tag.text("name"), description=tag.text("description") or tag.text("summary"))


def _operations(reader: Reader, root: Node, inherited: _Inherited) -> Iterator[Operation]:
    try:
        paths = reader.node(root.value.get("paths") or {}, root.below("paths"), "`paths`")
    except Unusable as unusable:
        reader.report.add(unusable.diagnostic)
        return
    for path in (path for path in paths.value if not path.startswith("x-")):
        at = paths.below(path)
        if not path.startswith("/"):
            reader.warn("TC201", f"The path {path!r} does not start with a slash", at, "Write it as `/…`.")
        try:
            item = reader.node(paths.value[path], at, f"The path {path}")
        except Unusable as unusable:
            reader.report.add(replace(unusable.diagnostic, severity="warning"))
            continue
        for method, value, place in _methods(item):
            key = f"{method} {path}"
            try:
                operation = reader.node(value, place, key)
                yield _operation(reader, method, path, item, operation, inherited)
            except Unusable as unusable:
                reader.report.add(
                    replace(
                        unusable.diagnostic,
                        severity="warning",
                        message=f"{key} is left out: {unusable.diagnostic.message}",
                        operation=key,
                    )
                )


def _methods(item: Node) -> Iterator[tuple[str, Json, str]]:
    """The operations of a path item: method in upper case, value, place."""
    for method in _METHODS:
        if method in item.value:
            yield method.upper(), item.value[method], item.below(method)
    for method, value in item.members("additionalOperations"):
        yield method, value, item.below("additionalOperations", method)


def _operation(reader: Reader, method: str, path: str, item: Node, node: Node, inherited: _Inherited) -> Operation:
    own: tuple[Server, ...] = servers(reader, node) or servers(reader, item)
    return Operation(
        method=method,
        path=path if path.startswith("/") else f"/{path}",
        id=node.text("operationId").strip() or None,
        summary=node.text("summary") or item.text("summary"),
        description=node.text("description") or item.text("description"),
        tags=tuple(tag for _, tag in node.items("tags") if isinstance(tag, str)),
        deprecated=node.flag("deprecated"),
        parameters=parameters(reader, path, item, node),
        body=request_body(reader, node),
        responses=responses(reader, node),
        security=requirements(reader, node, inherited.schemes, inherited.security),
        scopes=scopes(node, inherited.scopes),
        servers=own,
        extensions=node.extensions,
        at=reader.location(node.at),
    )
