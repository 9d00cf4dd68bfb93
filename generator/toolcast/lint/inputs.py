"""Rules about arguments: what a model has to fill in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from toolcast.diagnostics import Location
from toolcast.lint.answers import listing
from toolcast.lint.rule import Finding
from toolcast.lint.schemas import Node, Piece, text, whole
from toolcast.lint.subject import Given, Subject, body
from toolcast.model.json import Json, JsonObject
from toolcast.model.openapi import Operation
from toolcast.model.verdict import Fix

_MANY_VALUES: Final = 60
_FEW_FIELDS: Final = 3
_NAMED: Final = 5
# Names that say enough where a type goes with them.
_PLAIN: Final = frozenset(
    """
    page limit offset per_page page_size pagesize size count cursor top skip sort order orderby order_by q query search
    fields format lang language locale email url name title username password first last after before
    """.split()
)
_TYPING: Final = frozenset("type $ref enum const anyOf oneOf allOf properties items format pattern not if".split())
# What the mapping says of a tool when its arguments are told in less than the document tells.
_CUTS: Final = frozenset("TC304 TC305 TC310 TC312 TC314".split())
_IDS: Final = frozenset("id ids uuid guid slug".split())
_TIMES: Final = frozenset("date time datetime timestamp at since until".split())
# What codes of two letters are known for everywhere (ISO 3166, ISO 639, ISO 4217).
_STANDARD: Final = frozenset("country countries region language languages lang locale locales currency state".split())
_FILLERS: Final = frozenset("the a an of to for this that id ids uuid guid identifier identifiers unique its".split())


def parameter_without_text(subject: Subject) -> Iterator[Finding]:
    """Parameters that nothing is said of; of a path's ids it can be said where they come from."""
    for given in subject.parameters:
        parameter = given.parameter
        schema = whole(subject.api.document, parameter.schema)
        if parameter.description.strip() or text(subject.api.document, schema) or parameter.name.lower() in _PLAIN:
            continue
        if _origin_unknown(subject, given) is not None:
            continue  # which says more
        yield Finding(
            at=parameter.at,
            message=f"Nothing is said of the {parameter.location} parameter {parameter.name} of {given.owners}",
            help="Say what it means, and what happens without it.",
            operations=given.keys,
            fix=_explained(subject, given),
        )


def _explained(subject: Subject, given: Given) -> Fix | None:
    """That a parameter of a path is what an operation above it lists."""
    if given.parameter.location != "path":
        return None
    listers = [_lister(subject, offer.operation.path, given.parameter.name) for offer in given.offers]
    lister = listers[0]
    if lister is None or any(other is not lister for other in listers):
        return None
    return Fix(at=given.parameter.at, update={"description": f"From the list that {lister.id or lister.key} gives."})


def _lister(subject: Subject, path: str, name: str) -> Operation | None:
    """The operation that lists what a placeholder stands for: the GET of the path above it, when it gives a list."""
    above, found, _ = path.partition(f"{{{name}}}")
    collection = above.rstrip("/")
    if not found or not above.endswith("/") or collection.endswith("}"):
        return None
    operation = subject.readers.get(collection)
    return operation if operation is not None and listing(subject.api.document, operation) is not None else None


def id_of_unknown_origin(subject: Subject) -> Iterator[Finding]:
    """Ids of paths that nothing explains and no operation lists."""
    for given in subject.parameters:
        why = _origin_unknown(subject, given)
        if why is not None:
            yield Finding(
                at=given.parameter.at,
                message=f"Nothing says where the {given.parameter.name} of {given.owners} comes from: {why}",
                help="Say in its description which operation gives it, or what it looks like.",
                operations=given.keys,
            )


def _origin_unknown(subject: Subject, given: Given) -> str | None:
    """Why an agent cannot know an id; None where it can, or where the parameter is none."""
    parameter = given.parameter
    words = subject.words(parameter.name)
    if parameter.location != "path" or not words or words[-1] not in _IDS:
        return None
    schema = whole(subject.api.document, parameter.schema)
    told = subject.words(parameter.description or text(subject.api.document, schema))
    if set(told) - _FILLERS - set(words) or parameter.example is not None:
        return None
    if schema.keys() & {"format", "pattern", "enum", "example", "examples", "default"}:
        return None
    paths = [offer.operation.path for offer in given.offers]
    if any(_lister(subject, path, parameter.name) is not None for path in paths):
        return None
    return "its description says no more than its name" if told else "it has neither description nor format"


def fields_without_text(subject: Subject) -> Iterator[Finding]:
    """Objects of which most fields have no description."""
    for piece in subject.inputs:
        fields = [node for node in piece.nodes if node.field]
        silent = [node for node in fields if not _told(subject, node)]
        if len(silent) >= _FEW_FIELDS and len(silent) * 2 > len(fields):
            yield Finding(
                at=piece.at,
                message=f"{len(silent)} of {len(fields)} fields of {piece.name} have no description: {_some(silent)}",
                help="Describe at least those whose names leave a choice.",
                operations=piece.operations,
            )


def _told(subject: Subject, node: Node) -> bool:
    return bool(text(subject.api.document, node.seen)) or node.name.lower() in _PLAIN or "enum" in node.seen


def _some(nodes: Sequence[Node]) -> str:
    names = list(dict.fromkeys(node.name for node in nodes))
    return ", ".join(names[:_NAMED]) + (" …" if len(names) > _NAMED else "")


def untyped_body(subject: Subject) -> Iterator[Finding]:
    """Bodies of which nothing is known."""
    for offer in subject.offers:
        sent = body(offer)
        if sent is None or offer.tool.body is None or offer.tool.body.file or not _structured(sent.media_type):
            continue
        schema = whole(subject.api.document, sent.schema)
        if not _says_something(schema):
            yield Finding(
                at=sent.at,
                message=f"Nothing says what the body of {offer.key} looks like",
                help="Give it a schema with properties; a model has to guess them.",
                operations=(offer.key,),
            )


def _structured(media_type: str) -> bool:
    kind = media_type.partition(";")[0].strip().lower()
    return kind.endswith(("json", "xml", "form-urlencoded")) or kind.startswith("multipart/") or kind == "*/*"


def _says_something(schema: JsonObject) -> bool:
    """Has a schema more than a type of objects or lists?"""
    free = schema.get("additionalProperties")
    items = schema.get("items")
    return bool(
        "properties" in schema
        or free is False
        or schema.keys() & {"enum", "const", "anyOf", "oneOf", "allOf", "$ref", "prefixItems"}
        or (isinstance(free, dict) and free)
        or (isinstance(items, dict) and items)
        or schema.get("type") not in (None, "object", "array")
    )


def untyped_field(subject: Subject) -> Iterator[Finding]:
    """Parameters and fields without any type."""
    for piece in subject.inputs:
        for node in piece.nodes:
            settled = node.refines or node.own.keys() & _TYPING
            if (node.field or node.at == piece.at) and not settled and piece.name != "the body":
                yield Finding(
                    at=node.at,
                    message=f"Nothing says what kind of value {node.name} is",
                    help="Give it a type.",
                    operations=piece.operations,
                )
    for given in subject.parameters:
        if given.parameter.schema is None:
            yield Finding(
                at=given.parameter.at,
                message=f"Nothing says what kind of value {given.parameter.name} is",
                help="Give it a schema with a type.",
                operations=given.keys,
            )


def huge_enum(subject: Subject) -> Iterator[Finding]:
    """Enumerations that cost more than they help."""
    for node, piece in _nodes(subject):
        values = node.own.get("enum")
        if isinstance(values, list) and len(values) > _MANY_VALUES:
            cost = subject.means.tokens(values)
            yield Finding(
                at=node.at,
                message=f"{node.name} lists {len(values)} values, which cost about {cost:,} tokens in every list",
                help="Describe them by a format or a pattern, or leave out those that nobody takes.",
                operations=piece.operations,
            )


def codes_without_meaning(subject: Subject) -> Iterator[Finding]:
    """Enumerations of bare codes that nothing explains."""
    document = subject.api.document
    described = {at for given in subject.parameters if given.parameter.description for at in _below(given)}
    for node, piece in _nodes(subject):
        values = node.own.get("enum")
        if not isinstance(values, list) or len(values) < 2 or text(document, node.seen) or node.at in described:
            continue
        if set(subject.words(node.name)) & _STANDARD:
            continue
        if all(map(_is_code, values)) and not node.own.keys() & {"x-enum-varnames", "x-enum-descriptions", "x-ms-enum"}:
            shown = ", ".join(map(str, values[:_NAMED])) + (" …" if len(values) > _NAMED else "")
            yield Finding(
                at=node.at,
                message=f"Nothing says what the values of {node.name} mean: {shown}",
                help="Say in the description what each stands for.",
                operations=piece.operations,
            )


def _below(given: Given) -> Iterator[Location]:
    """Where the schemas of a parameter are."""
    at = given.parameter.at
    for below in ("/schema", "/schema/items"):
        yield Location(file=at.file, pointer=at.pointer + below)


def _is_code(value: Json) -> bool:
    """Is a value a number, or a letter or two?"""
    if isinstance(value, bool):
        return False
    return isinstance(value, int) or (isinstance(value, str) and len(value) <= 2 and value.isalnum())


def time_without_format(subject: Subject) -> Iterator[Finding]:
    """Dates and times that may be written in any way."""
    document = subject.api.document
    described = {at for given in subject.parameters if given.parameter.description for at in _below(given)}
    for node, piece in _nodes(subject):
        words = subject.words(node.name)
        if not (node.field or node.at == piece.at) or not words or words[-1] not in _TIMES or node.at in described:
            continue
        if node.own.get("type") != "string" or node.own.keys() & {"format", "pattern", "enum", "example", "examples"}:
            continue
        if not text(document, node.seen):
            yield Finding(
                at=node.at,
                message=f"Nothing says how {node.name} is written",
                help="Add `format: date` or `format: date-time`, or describe it.",
                operations=piece.operations,
            )


def over_budget(subject: Subject) -> Iterator[Finding]:
    """Tools of which something had to be cut, as they would cost more than a tool should."""
    for offer in subject.offers:
        codes = {said.code for said in subject.means.said.get(offer.tool.name, ())}
        if not codes & _CUTS:
            continue
        arguments = offer.tool.input_schema.get("properties")
        costs = {n: subject.means.tokens(v) for n, v in arguments.items()} if isinstance(arguments, dict) else {}
        heaviest = max(costs, key=lambda name: costs[name], default="")
        part = f"; {heaviest} alone costs {costs[heaviest]:,} tokens" if heaviest else ""
        yield Finding(
            at=offer.operation.at,
            message=f"The arguments of {offer.tool.name} are cut to keep its budget{part}",
            help="Shorten the texts of its arguments, or split it; `toolcast inspect` says what is cut.",
            operations=(offer.key,),
        )


def _nodes(subject: Subject) -> Iterator[tuple[Node, Piece]]:
    for piece in subject.inputs:
        for node in piece.nodes:
            yield node, piece
