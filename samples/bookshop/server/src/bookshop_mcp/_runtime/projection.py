"""Projections: the part of an answer that an agent asks for, by an expression of JMESPath.

Expressions come from a model and answers from elsewhere, so both the steps of an evaluation and the size of what it
makes are bounded: a short expression could otherwise double a value again and again.
"""

from __future__ import annotations

import importlib
import math
from dataclasses import dataclass
from typing import Any, Final, cast

from .errors import CallError
from .operation import Json
from .style import Unfit

LONGEST: Final = 1_000  # characters of an expression
_MOST_STEPS: Final = 500_000
_MOST_MADE: Final = 1_000_000  # values in all that an evaluation makes, sixteen characters of a text as one
_NAMED: Final = 20


class _TooMuch(Exception):
    """An evaluation that went beyond its bounds."""


@dataclass(frozen=True, slots=True)
class Projection:
    """An expression that was understood."""

    text: str
    parsed: Any

    def of(self, value: Json) -> Json:
        """What the expression gives of a value; raises ``Unfit`` that says why it gives nothing."""
        errors: Any = importlib.import_module("jmespath.exceptions")
        try:
            found = _bounded().visit(self.parsed, value)
            _made(found)
        except _TooMuch:
            raise Unfit("asks for more than this server computes") from None
        except RecursionError:
            raise Unfit("is nested too deeply") from None
        except (errors.JMESPathError, TypeError, ValueError, OverflowError) as error:
            # The library's functions meet values that they were not made for.
            raise Unfit(f"cannot be carried out: {_first_line(error)}") from None
        return cast("Json", found)

    def value(self, whole: Json) -> Json:
        """What the expression gives, for code; raises ``CallError`` where it gives nothing."""
        try:
            return self.of(whole)
        except Unfit as unfit:
            raise CallError(f"The call was carried out; its projection {unfit}.") from None


def projection(text: Json) -> Projection:
    """The projection that an argument holds; raises ``Unfit`` with what is wrong with it."""
    if not isinstance(text, str):
        raise Unfit("must be a string with a JMESPath expression")
    if len(text) > LONGEST:
        raise Unfit(f"must have at most {LONGEST:,} characters")
    try:
        jmespath: Any = importlib.import_module("jmespath")
    except ImportError:
        raise CallError("This server cannot project answers: its operator has to install jmespath.") from None
    errors: Any = importlib.import_module("jmespath.exceptions")
    try:
        return Projection(text, jmespath.compile(text).parsed)
    except RecursionError:
        raise Unfit("is nested too deeply") from None
    except (errors.JMESPathError, ValueError) as error:
        raise Unfit(f"is no JMESPath expression: {_first_line(error)}") from None


def hint(value: Json) -> str:
    """What an expression could begin with, for one that found nothing."""
    match value:
        case dict():
            shown = ", ".join(list(value)[:_NAMED])
            return f"The answer is an object with {shown}." if shown else "The answer is an empty object."
        case list():
            inner = next((item for item in value if isinstance(item, dict)), None)
            members = f" of objects with {', '.join(list(inner)[:_NAMED])}" if inner else ""
            return f"The answer is a list of {len(value):,}{members}: begin with []."
        case _:
            return "The answer is a single value: @ gives it."


def _bounded() -> Any:
    """An interpreter that counts what it does and makes."""
    interpreter: Any = importlib.import_module("jmespath.visitor").TreeInterpreter()
    plain: Any = interpreter.visit
    steps = made = 0

    def visit(node: Any, *arguments: Any, **more: Any) -> Any:
        nonlocal steps, made
        steps += 1
        if steps > _MOST_STEPS:
            raise _TooMuch
        found: Any = plain(node, *arguments, **more)
        # Whatever else a step gives is a part of what was there before.
        if node["type"] in ("multi_select_list", "multi_select_dict", "flatten", "function_expression"):
            made += _made(found, _MOST_MADE - made)
        elif isinstance(found, list):
            made += len(cast("list[Any]", found))
        if made > _MOST_MADE:
            raise _TooMuch
        return cast("Any", found)

    interpreter.visit = visit  # which its own methods call, too
    return interpreter


def _made(value: Any, most: int = _MOST_MADE) -> int:
    """How many values a value holds, as often as they stand in it; raises ``_TooMuch``, and ``ValueError`` for what
    JSON does not have.
    """
    number = 0
    waiting: list[Any] = [value]
    while waiting:
        found = waiting.pop()
        if isinstance(found, dict):
            waiting += cast("dict[str, Any]", found).values()
        elif isinstance(found, list):
            waiting += cast("list[Any]", found)
        elif isinstance(found, str):
            number += len(found) >> 4
        elif not (found is None or isinstance(found, int) or (isinstance(found, float) and math.isfinite(found))):
            raise ValueError(f"{type(found).__name__} is nothing that an answer has")
        number += 1
        if number + len(waiting) > most:
            raise _TooMuch
    return number


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0][:200]
