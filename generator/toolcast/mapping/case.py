"""Cases: what the rules of the hints look at, an operation with the evidence about it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cached_property
from typing import Final

from toolcast.mapping import media
from toolcast.mapping.evidence import changing, evidence, first
from toolcast.mapping.imperative import Verb
from toolcast.mapping.markup import clean
from toolcast.mapping.names import words
from toolcast.mapping.verbs import LANGUAGES, READING, RUNNING, SEARCHING
from toolcast.model.openapi import Operation, Parameter

# RFC 9110 section 9.2.1; QUERY is safe, too (OpenAPI 3.2 section 4.9).
_SAFE: Final = frozenset(["GET", "HEAD", "OPTIONS", "TRACE", "QUERY"])
_PAGING: Final = frozenset("limit offset cursor page pagesize count filter filters sort sorts facets".split())
_OF_PROGRAMS: Final = frozenset("source python javascript js java lua program".split())


class Case:
    """An operation with the evidence about it; ``fields`` says of its body's properties whether each may hold text."""

    def __init__(self, operation: Operation, fields: Mapping[str, bool]) -> None:
        self.operation = operation
        self.method = operation.method
        self.safe = operation.method in _SAFE
        self.fields = fields
        self.verbs = evidence(operation)

    def first(self, verbs: Collection[str]) -> Verb | None:
        """The first of some verbs."""
        return first(self.verbs, verbs)

    @cached_property
    def altering(self) -> Verb | None:
        """The verb that says that it changes things; what comes in pages is read, though it be called a run of it."""
        excused = RUNNING if self.paged else frozenset[str]()
        if self.first(READING):  # "Read the items", and not "Mark the items as read"
            excused |= {"read"}
        return changing(self.operation, [verb for verb in self.verbs if verb.word not in excused])

    @cached_property
    def paged(self) -> str | None:
        """What says that the answer comes in pages, or is what a filter leaves."""
        queries = [p.name for p in self.operation.parameters if p.location == "query"]
        return next((name for name in sorted([*self.fields, *queries]) if _PAGING.intersection(words(name)[-1:])), None)

    @cached_property
    def text(self) -> str:
        """Summary and description."""
        return clean(f"{self.operation.summary}\n{self.operation.description}")

    @cached_property
    def words(self) -> frozenset[str]:
        """The words of id, path and summary."""
        told = self.operation
        return frozenset([*words(told.id or ""), *words(told.path), *words(told.summary[:200])])

    @cached_property
    def segments(self) -> list[str]:
        """The segments of the path."""
        return [segment for segment in self.operation.path.split("/") if segment]

    @cached_property
    def statuses(self) -> set[str]:
        """The documented answers that are no errors."""
        return {response.status for response in self.operation.responses if response.status[:1] in ("2", "3")}

    @cached_property
    def command(self) -> str | None:
        """A field or parameter that may hold a language by its name."""
        texts = [p.name for p in self.operation.parameters if p.location == "query" and _is_text(p)]
        names = texts if self.safe else [*self.fields, *texts]
        return next((name for name in sorted(names) if _is_language(name, safe=self.safe)), None)

    @cached_property
    def query(self) -> str | None:
        """A field or parameter that may hold a query in a language; a phrase to search for is none."""
        if self.first(SEARCHING):
            return None
        names = [*self.fields, *(parameter.name for parameter in self.operation.parameters)]
        return next((name for name in sorted(names) if self._is_query(name)), None)

    def _is_query(self, name: str) -> bool:
        """Is it a query in words, or several of any kind, and no object that describes one?"""
        last = words(name)[-1:]
        return last == ["queries"] or (last == ["query"] and self.fields.get(name, True))

    @cached_property
    def foreign(self) -> str | None:
        """The media type of a body that is no data but another language."""
        kinds = [content.media_type for content in self.operation.body.content] if self.operation.body else []
        return kinds[0] if kinds and not any(_is_data(kind) for kind in kinds) else None


def _is_text(parameter: Parameter) -> bool:
    schema = parameter.schema if isinstance(parameter.schema, dict) else {}
    return schema.get("type") not in ("boolean", "integer", "number")


def _is_language(name: str, *, safe: bool) -> bool:
    """Can a field of this name hold anything that there is to do? A ``country_code`` cannot."""
    parts = words(name)
    last = parts[-1] if parts else ""
    if last in ("statement", "statements"):
        return len(parts) == 1 or "sql" in parts
    if last == "code":  # of a program; a GET takes codes of other kinds
        return (len(parts) == 1 and not safe) or bool(_OF_PROGRAMS & set(parts))
    return last in LANGUAGES


def _is_data(kind: str) -> bool:
    return media.is_json(kind) or media.is_form(kind) or media.is_xml(kind) or "json" in kind or "yaml" in kind
