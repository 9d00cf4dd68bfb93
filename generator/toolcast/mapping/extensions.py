"""What the author of a document wants of its operations: ``x-toolcast``, and what other extensions say."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import replace
from typing import Any, Final

from toolcast.diagnostics import Diagnostic, Location, Report
from toolcast.mapping.foreign import Foreign
from toolcast.model.json import Json
from toolcast.model.keys import ARGUMENT, COMMON, TOOL
from toolcast.model.openapi import Api, Extended, Operation, Parameter
from toolcast.model.pointer import child
from toolcast.model.shape import Path, Table, problems
from toolcast.model.wishes import ArgumentWish, Author, ToolWish, argument_wish, overridden, tool_wish

_OWN: Final = "x-toolcast"


class Extensions:
    """The wishes of a document; what of them cannot be meant goes to the report, TC270, and has no effect."""

    def __init__(self, api: Api, report: Report) -> None:
        self._report = report
        self._root = self._common(api.extended)
        self._tags = {tag.name: self._common(tag.extended) for tag in reversed(api.tags)}

    def of(self, operation: Operation) -> ToolWish:
        """What is wanted of an operation: of what the document, a tag, the path and it itself say, the nearest."""
        wish = self._root
        for tag in reversed(operation.tags):
            if tag in self._tags:
                wish = overridden(wish, self._tags[tag])
        wish = overridden(wish, self._common(operation.item))
        if wish.tool is not None and wish.tool.value:
            wish = replace(wish, tool=None)  # what is offered anyway is not asked for one by one
        own = Extended(values=operation.extensions, at=operation.at)
        wish = overridden(wish, Foreign(own, self._report).operation())
        return overridden(wish, tool_wish(*self._table(own, TOOL)))

    def of_parameter(self, parameter: Parameter, schema: Mapping[str, Json]) -> ArgumentWish:
        """What is wanted of a parameter, whose schema is given without references."""
        described = bool(parameter.description or schema.get("description"))
        own = Extended(values=parameter.extensions, at=parameter.at)
        wish = self.of_property(schema, own.at, required=parameter.required, described=described)
        wish = overridden(
            wish, Foreign(own, self._report).argument(schema, required=parameter.required, described=described)
        )
        return overridden(wish, argument_wish(*self._table(own, ARGUMENT)))

    def of_property(
        self, schema: Mapping[str, Json], at: Location, *, required: bool, described: bool | None = None
    ) -> ArgumentWish:
        """What is wanted of a property of a body, whose schema is given without references."""
        values = {key: value for key, value in schema.items() if key.startswith("x-")}
        if not values:
            return ArgumentWish()
        own = Extended(values=values, at=at)
        described = bool(schema.get("description")) if described is None else described
        wish = Foreign(own, self._report).argument(schema, required=required, described=described)
        return overridden(wish, argument_wish(*self._table(own, ARGUMENT)))

    def _common(self, extended: Extended) -> ToolWish:
        if not extended.values:
            return ToolWish()
        return overridden(Foreign(extended, self._report).everywhere(), tool_wish(*self._table(extended, COMMON)))

    def _table(self, extended: Extended, shape: Table) -> tuple[Mapping[str, Any], Author]:
        """What of ``x-toolcast`` has its shape, and who wrote it."""

        def place(path: Path) -> Location:
            return replace(extended.at, pointer=child(extended.at.pointer, _OWN, *path))

        author = Author(place, lambda _: f"the document: {_OWN}", owner=False)
        value = extended.values.get(_OWN)
        if value is None:
            return {}, author
        if isinstance(value, bool) and "tool" in shape.keys:
            return {"tool": value}, author
        if not isinstance(value, dict):
            self._malformed("`x-toolcast` should be an object", place(()), "Write it like a table of toolcast.toml.")
            return {}, author
        table: dict[str, Any] = deepcopy(value)
        for problem in list(problems(value, shape)):
            self._malformed(f"`x-toolcast`: {problem.message}", place(problem.path), problem.help)
            _prune(table, problem.path)
        return table, author

    def _malformed(self, message: str, at: Location, cure: str) -> None:
        message = f"{message}; it has no effect"
        self._report.add(Diagnostic(code="TC270", severity="warning", message=message, location=at, help=cure))


def _prune(table: dict[str, Any], path: Path) -> None:
    """Take away what stands at a path; of a list, the whole list."""
    names = path[: next((at for at, part in enumerate(path) if isinstance(part, int)), len(path))]
    for name in names[:-1]:
        table = table.get(str(name), {})
    if names:
        table.pop(str(names[-1]), None)
