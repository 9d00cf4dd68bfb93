"""Rules about answers: what a model gets to read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from toolcast.lint.rule import Finding
from toolcast.lint.schemas import whole
from toolcast.lint.subject import Subject
from toolcast.model.document import Document
from toolcast.model.json import JsonObject
from toolcast.model.openapi import MediaType, Operation

_SAFE: Final = frozenset(["GET", "QUERY"])
_TOLD: Final = frozenset(["200", "201", "203", "206", "2XX"])
_PAGING: Final = frozenset(
    """
    page pages limit offset cursor size after before top skip take start first last token marker rows max count num
    since until from continue per pagesize pagination
    """.split()
)
# What a list is called in an object around it.
_LISTS: Final = frozenset(
    "data items results result values value records entries list content rows elements objects collection".split()
)


def no_answer(subject: Subject) -> Iterator[Finding]:
    """Operations of which no success is documented."""
    for offer in subject.offers:
        operation = offer.operation
        if not any(r.status[:1] in ("1", "2", "3") or r.status == "default" for r in operation.responses):
            yield Finding(
                at=operation.at,
                message=f"{offer.key} documents no successful answer",
                help="Describe the answer with its schema.",
                operations=(offer.key,),
            )


def answer_without_schema(subject: Subject) -> Iterator[Finding]:
    """Answers of which nothing is known."""
    for offer in subject.offers:
        operation = offer.operation
        reads = offer.tool.hints.read_only.value and operation.method != "HEAD"
        for response in operation.responses:
            if response.status not in _TOLD:
                continue
            unknown = [c for c in response.content if _is_json(c) and not _known(subject.api.document, c)]
            if unknown or (reads and not response.content):
                yield Finding(
                    at=unknown[0].at if unknown else response.at,
                    message=f"Nothing says what {offer.key} answers with {response.status}",
                    help="Give the answer a schema: without it a model calls the tool to find out.",
                    operations=(offer.key,),
                )
                break


def _is_json(content: MediaType) -> bool:
    kind = content.media_type.partition(";")[0].strip().lower()
    return kind == "application/json" or kind.endswith("+json")


def _known(document: Document, content: MediaType) -> bool:
    if content.item_schema is not None:
        return True
    schema = whole(document, content.schema)
    told = schema.keys() & {"properties", "items", "allOf", "anyOf", "oneOf", "enum", "additionalProperties", "$ref"}
    return bool(told) or schema.get("type") not in (None, "object", "array")


def errors_undocumented(subject: Subject) -> Iterator[Finding]:
    """Operations of which no failure is documented."""
    for offer in subject.offers:
        statuses = [response.status for response in offer.operation.responses]
        if not any(status[:1] in ("4", "5") or status == "default" for status in statuses):
            yield Finding(
                at=offer.operation.at,
                message=f"{offer.key} documents no error",
                help="Say which errors there are, and what to do about each.",
                operations=(offer.key,),
            )


def list_without_paging(subject: Subject) -> Iterator[Finding]:
    """Lists that are always given whole."""
    document = subject.api.document
    for offer in subject.offers:
        operation = offer.operation
        items = listing(document, operation)
        if items is None or not ("properties" in items or "allOf" in items):
            continue
        names = [parameter.name for parameter in operation.parameters if parameter.location in ("query", "querystring")]
        if not set(subject.words(*names)) & _PAGING:
            yield Finding(
                at=operation.at,
                message=f"{offer.key} answers with a list, and takes no page or limit",
                help="Offer a limit and a cursor; else a long list is cut where an agent cannot go on.",
                operations=(offer.key,),
            )


def listing(document: Document, operation: Operation) -> JsonObject | None:
    """The schema of the items of the list that a reading operation answers with; None where it does not."""
    if operation.method not in _SAFE or operation.path.rstrip("/").endswith("}"):
        return None
    for response in operation.responses:
        for content in response.content if response.status.startswith("2") else ():
            schema = whole(document, content.schema)
            found = _items(document, schema)
            if found is not None:
                return found
            properties = schema.get("properties")
            if isinstance(properties, dict):
                lists = {
                    n: whole(document, p) for n, p in properties.items() if n.lower() in _LISTS or len(properties) == 1
                }
                inner = [_items(document, member) for member in lists.values()]
                return next((items for items in inner if items is not None), None)
    return None


def _items(document: Document, schema: JsonObject) -> JsonObject | None:
    if "items" not in schema or "maxItems" in schema:
        return None
    return whole(document, schema["items"])
