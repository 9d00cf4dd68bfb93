"""The interface of the templates: what they see and which parts of them can be overridden, read off the code itself."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields
from inspect import getdoc

from toolcast.emit.blocks import blocks
from toolcast.emit.literals import FILTERS
from toolcast.emit.sources import builtin
from toolcast.emit.views import (
    ArgumentView,
    AuthorView,
    GroupView,
    HintView,
    PackageView,
    RuleView,
    ToolView,
    VariableView,
)
from toolcast.model.templates import Interface, Member, Visible

_VIEWS = (PackageView, GroupView, ToolView, ArgumentView, HintView, RuleView, VariableView, AuthorView)


def interface() -> Interface:
    """What owners' templates can rely on."""
    return Interface(
        values=tuple(_visible(view) for view in _VIEWS),
        blocks=tuple((template, blocks(template)) for template in builtin().templates),
        filters=tuple((name, _sentence(write.__doc__)) for name, write in sorted(FILTERS.items())),
    )


def _visible(view: type) -> Visible:
    about = getdoc(view) or ""
    return Visible(name=_spoken(view.__name__), about=" ".join(about.split()), members=tuple(_members(view)))


def _members(view: type) -> Iterator[Member]:
    for field in fields(view):
        yield Member(name=field.name, type=_type(str(field.type)), about="")
    for name, member in vars(view).items():
        if isinstance(member, property) and member.fget is not None:
            annotation = str(member.fget.__annotations__["return"])
            yield Member(name=name, type=_type(annotation), about=_sentence(member.__doc__))


def _type(annotation: str) -> str:
    """A type in words; the kinds of texts keep their names."""
    simple = {"Name": "name", "Text": "text", "bool": "yes or no", "int": "number", "Call": "value", "Literal": "value"}
    if annotation in simple:
        return simple[annotation]
    if annotation.endswith(" | None"):
        return f"{_type(annotation.removesuffix(' | None'))}, or none"
    inner = re.fullmatch(r"(?:tuple|list)\[(\w+)(?:, \.\.\.)?\]", annotation)
    if inner:
        return "value" if inner[1] == "Literal" else f"list of {_type(inner[1])}s"
    pair = re.fullmatch(r"Mapping\[(\w+), (\w+)\]", annotation)
    if pair:
        return f"value, by {_type(pair[1])}"
    return _spoken(annotation)


def _spoken(view: str) -> str:
    return view.removesuffix("View").lower()


def _sentence(doc: str | None) -> str:
    """The first sentence of a docstring."""
    return " ".join((doc or "").split("\n\n")[0].split())
