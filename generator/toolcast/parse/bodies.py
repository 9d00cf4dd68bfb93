"""Bodies: what an operation takes and what it answers, in each representation."""

from __future__ import annotations

from toolcast.model.openapi import MediaType, RequestBody, Response
from toolcast.parse.encodings import encodings
from toolcast.parse.parameters import example
from toolcast.parse.reader import Node, Reader, Unusable


def request_body(reader: Reader, operation: Node) -> RequestBody | None:
    """The request body of an operation; raises ``Unusable``."""
    value = operation.value.get("requestBody")
    if value is None:
        return None
    node = reader.node(value, operation.below("requestBody"), "The request body")
    content = media_types(reader, node)
    if not content:
        return None
    return RequestBody(
        required=node.flag("required"),
        description=node.text("description"),
        content=content,
        at=reader.location(node.at),
    )


def responses(reader: Reader, operation: Node) -> tuple[Response, ...]:
    """The documented answers in order; one that cannot be read is reported and left out."""
    found: list[Response] = []
    for status, value in operation.members("responses"):
        try:
            node = reader.node(value, operation.below("responses", status), f"The response {status}")
            found.append(
                Response(
                    status=status if status == "default" else status.upper(),
                    description=node.text("description"),
                    content=media_types(reader, node),
                    at=reader.location(node.at),
                )
            )
        except Unusable as unusable:
            reader.warn("TC240", f"{unusable.diagnostic.message}; the answer is not described", operation.at,
                        unusable.diagnostic.help)  # fmt: skip
    return tuple(found)


def media_types(reader: Reader, owner: Node) -> tuple[MediaType, ...]:
    """The representations under ``content`` (OpenAPI Media Type Object); raises ``Unusable``."""
    found: list[MediaType] = []
    for name, value in owner.members("content"):
        node = reader.node({} if value is None else value, owner.below("content", name), f"The content {name}")
        found.append(
            MediaType(
                media_type=name,
                schema=node.value.get("schema"),
                item_schema=node.value.get("itemSchema"),
                example=example(reader, node),
                encoding=encodings(reader, node),
                at=reader.location(node.at),
            )
        )
    return tuple(found)
