"""The subject: an API with the tools that it becomes, arranged as the rules ask for it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from toolcast.diagnostics import Diagnostic, Location
from toolcast.lint.schemas import Piece, Start, pieces
from toolcast.model.catalog import Catalog, CookieArg, HeaderArg, ParameterBinding, PathArg, QueryArg, Tool
from toolcast.model.json import Json
from toolcast.model.openapi import Api, MediaType, Operation, Parameter
from toolcast.model.pointer import child

_LOCATIONS: Mapping[type, str] = {PathArg: "path", QueryArg: "query", HeaderArg: "header", CookieArg: "cookie"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Means:
    """What rules need of the mapping.

    ``words`` splits a name, ``clean`` gives a text as agents see it, ``sentence`` its first sentence, ``hidden`` its
    invisible characters, ``alike`` the tools whose texts hardly differ, ``tokens`` what a value costs. ``names`` are
    those that tools would have without operationIds, by key; ``said`` is what was found about each tool, by its name.
    """

    words: Callable[[str], Sequence[str]]
    clean: Callable[[str], str]
    sentence: Callable[[str], str]
    hidden: Callable[[str], set[str]]
    alike: Callable[[Sequence[Tool]], Iterable[tuple[Tool, Tool]]]
    tokens: Callable[[Json], int]
    names: Mapping[str, str]
    said: Mapping[str, Sequence[Diagnostic]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """An operation and the tool that it becomes."""

    operation: Operation
    tool: Tool

    @property
    def key(self) -> str:
        """What identifies the operation."""
        return self.operation.key


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """A parameter that agents fill, and the operations that take it; a shared one is there once."""

    parameter: Parameter
    offers: tuple[Offer, ...]

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of those operations."""
        return tuple(offer.key for offer in self.offers)

    @property
    def owners(self) -> str:
        """Those operations in words: the first, and how many more there are."""
        more = len(self.offers) - 1
        return f"{self.offers[0].key}{f' and {more} more' if more else ''}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """What rules look at: what is offered, and each parameter and schema of it once.

    ``tools`` are the offers by the tool's name, ``readers`` the operations of GET by path, ``shared_places`` where
    operations of several paths stand; ``snake`` says that most operationIds are written in snake case.
    """

    api: Api
    catalog: Catalog
    means: Means
    offers: tuple[Offer, ...]
    parameters: tuple[Given, ...]
    inputs: tuple[Piece, ...]
    answers: tuple[Piece, ...]
    tools: Mapping[str, Offer]
    readers: Mapping[str, Operation]
    shared_places: frozenset[Location]
    snake: bool

    def words(self, *texts: str) -> list[str]:
        """The words of names and texts."""
        return [word for text in texts for word in self.means.words(text)]


def subject(api: Api, catalog: Catalog, means: Means) -> Subject:
    """The subject of a lint."""
    tools = {tool.key: tool for tool in catalog.tools}
    offers = tuple(
        Offer(operation=operation, tool=tools.pop(operation.key))
        for operation in api.operations
        if operation.key in tools
    )
    places = Counter(offer.operation.at for offer in offers)
    ids = [offer.operation.id for offer in offers if offer.operation.id]
    return Subject(
        api=api,
        catalog=catalog,
        means=means,
        offers=offers,
        parameters=tuple(_parameters(offers)),
        inputs=pieces(api.document, (start for offer in offers for start in _inputs(offer)), skipped="readOnly"),
        answers=pieces(api.document, (start for offer in offers for start in _answers(offer)), skipped="writeOnly"),
        readers={o.path.rstrip("/"): o for o in (offer.operation for offer in offers) if o.method == "GET"},
        tools={offer.tool.name: offer for offer in offers},
        shared_places=frozenset(place for place, number in places.items() if number > 1),
        snake=sum("_" in id_ for id_ in ids) * 2 > len(ids),
    )


def taken(offer: Offer) -> Iterator[Parameter]:
    """The parameters of an operation that are arguments of its tool."""
    bound = {
        (_LOCATIONS.get(type(binding), "querystring"), binding.name)
        for binding in offer.tool.bindings
        if isinstance(binding, ParameterBinding)
    }
    return (p for p in offer.operation.parameters if (p.location, p.name) in bound)


def body(offer: Offer) -> MediaType | None:
    """The representation in which the body of an operation is sent."""
    if offer.operation.body is None or offer.tool.body is None:
        return None
    sent = offer.tool.body.media_type
    return next((m for m in offer.operation.body.content if m.media_type == sent), offer.operation.body.content[0])


def _parameters(offers: Sequence[Offer]) -> Iterator[Given]:
    found: defaultdict[Location, list[tuple[Parameter, Offer]]] = defaultdict(list)
    for offer in offers:
        for parameter in taken(offer):
            found[parameter.at].append((parameter, offer))
    for uses in found.values():
        yield Given(parameter=uses[0][0], offers=tuple(offer for _, offer in uses))


def _inputs(offer: Offer) -> Iterator[Start]:
    for parameter in taken(offer):
        at = parameter.at
        below = ("schema",) if parameter.media_type is None else ("content", parameter.media_type, "schema")
        place = Location(file=at.file, pointer=child(at.pointer, *below))
        yield Start(operation=offer.key, name=parameter.name, schema=parameter.schema, at=place)
    sent = body(offer)
    if sent is not None:
        yield _start(offer, "the body", sent)


def _answers(offer: Offer) -> Iterator[Start]:
    for response in offer.operation.responses:
        if response.status.startswith("2"):
            for content in response.content:
                yield _start(offer, "the answer", content)


def _start(offer: Offer, name: str, content: MediaType) -> Start:
    place = Location(file=content.at.file, pointer=child(content.at.pointer, "schema"))
    return Start(operation=offer.key, name=name, schema=content.schema, at=place)
