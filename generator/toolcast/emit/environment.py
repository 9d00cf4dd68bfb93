"""The Jinja environment: strict, without globals, and with nothing but literals in and out."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any, NoReturn

from jinja2 import BaseLoader, Environment, FileSystemLoader, StrictUndefined, nodes
from jinja2.exceptions import TemplateAssertionError

from toolcast.emit.literals import FILTERS, Code, joined


class RefusedError(Exception):
    """A template put something into a file that did not come through a filter."""


def templates_root() -> Path:
    """The folder of the built-in templates: beside the package when installed, at the top of a checkout."""
    package = Path(__file__).resolve().parent.parent
    installed = package / "templates"
    return installed if installed.is_dir() else package.parent.parent / "templates"


class Missing(StrictUndefined):
    """What a template names and nothing is: the message says of which value, and what its nearest member is."""

    __slots__ = ()

    def complain(self) -> NoReturn:
        """Raise what any use of it raises."""
        self._fail_with_undefined_error()

    @property
    def _undefined_message(self) -> str:
        value, name = self._undefined_obj, self._undefined_name
        if self._undefined_hint is not None or name is None:
            return str(self._undefined_hint or "Something undefined is used")
        if not is_dataclass(value):
            return f"There is no variable `{name}` here"
        spoken = type(value).__name__.removesuffix("View").lower()
        near = difflib.get_close_matches(str(name), members(type(value)), 1)
        return f"There is no `{spoken}.{name}`" + (f"; the nearest is `{spoken}.{near[0]}`" if near else "")


def members(kind: type) -> list[str]:
    """The fields and properties of a class of values that templates see."""
    properties = [name for name, member in vars(kind).items() if isinstance(member, property)]
    return [*(field.name for field in fields(kind)), *properties]


def _finalize(value: object) -> object:
    """Let ``Code`` and integers through, and nothing else."""
    if type(value) is Code or type(value) is int:
        return value
    known = ", ".join(sorted(FILTERS))
    raise RefusedError(f"{type(value).__name__} {str(value)[:60]!r} needs a filter: one of {known}")


def _concat(parts: Iterable[str]) -> str:
    """Join what was finalised; macros, blocks and ``super()`` give ``Code`` again."""
    return joined(list(parts))


def _of_something(write: Callable[..., Code]) -> Callable[..., Code]:
    """A filter that says of something undefined that it is, before it says that it cannot write it."""

    def filtered(value: object) -> Code:
        if isinstance(value, Missing):
            value.complain()
        return write(value)

    return filtered


class Templates(Environment):
    """Renders the templates of emitted files, from a folder or another loader.

    Autoescape is off: ``finalize`` refuses whatever is no ``Code``, and every operation on ``Code`` gives plain text.
    ``{% filter %}`` and ``{% autoescape %}`` are refused, as Jinja does not finalise what they give.
    """

    concat = staticmethod(_concat)

    def __init__(self, templates: Path | BaseLoader) -> None:
        super().__init__(
            loader=FileSystemLoader(templates) if isinstance(templates, Path) else templates,
            undefined=Missing,
            finalize=_finalize,
            autoescape=False,
            keep_trailing_newline=True,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self.filters = {name: _of_something(write) for name, write in FILTERS.items()}
        self.globals = {}

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        tree = super()._parse(source, name, filename)
        for node in tree.find_all((nodes.FilterBlock, nodes.ScopedEvalContextModifier)):
            raise TemplateAssertionError("This block is not allowed here: use a filter", node.lineno, name, filename)
        return tree

    def rendered(self, template: str, variables: Mapping[str, Any]) -> str:
        """The text of one emitted file; raises ``RefusedError`` where a template forgets a filter."""
        return str(self.get_template(template).render(variables))
