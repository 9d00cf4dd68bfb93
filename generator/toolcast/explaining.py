"""Explaining a diagnostic: its code, as people write it, → what it means."""

from __future__ import annotations

import re
from typing import Final

from toolcast.lint.rules import RULES
from toolcast.model.explanation import Explanation, Stage, stages

_NEAREST: Final = 3


def explanations() -> tuple[Stage, ...]:
    """All codes by stage, with what each means."""
    return stages({rule.code: rule.name for rule in RULES})


def explained(text: str) -> Explanation | None:
    """What a code means, which may be written in small letters or without ``TC``; None where there is no such code."""
    number = _number(text)
    return next((one for one in _all() if _number(one.code) == number), None)


def nearest(text: str) -> tuple[str, ...]:
    """The codes that are nearest to one that does not exist; none where the text is no code at all."""
    number = _number(text)
    if number is None:
        return ()
    return tuple(sorted((one.code for one in _all()), key=lambda code: abs((_number(code) or 0) - number))[:_NEAREST])


def _all() -> list[Explanation]:
    return [one for stage in explanations() for one in stage.explanations]


def _number(text: str) -> int | None:
    found = re.fullmatch(r"(?:TC)?([0-9]{1,3})", text.strip(), re.IGNORECASE | re.ASCII)
    return int(found[1]) if found else None
