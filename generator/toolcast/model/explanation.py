"""What diagnostics mean: the texts of ``diagnostics.toml``."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

FILE: Final = Path(__file__).with_name("diagnostics.toml")


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """What one code means, why it comes up and what to do.

    ``language`` is that of the example, as Markdown names it; "text" where a line of it is wrong on purpose.
    ``finds`` and ``fix`` are set for rules of lint: what a rule looks for, and what it can put right itself.
    """

    code: str
    title: str
    means: str
    cause: str
    cure: str
    example: str = ""
    language: str = ""
    finds: str = ""
    fix: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """The codes that begin alike: what toolcast does when they come up."""

    prefix: str  # "TC2", of TC200 to TC299
    title: str
    explanations: tuple[Explanation, ...]


def stages(rules: Mapping[str, str]) -> tuple[Stage, ...]:
    """All codes by stage, in order; ``rules`` has the titles of lint's rules, by code."""
    tables: dict[str, Any] = tomllib.loads(FILE.read_text("utf-8"))
    titles: dict[str, str] = tables.pop("stages")
    found = [_explanation(code, rules.get(code, ""), table) for code, table in sorted(tables.items())]
    return tuple(
        Stage(prefix=prefix, title=title, explanations=tuple(one for one in found if one.code.startswith(prefix)))
        for prefix, title in titles.items()
    )


def _explanation(code: str, title: str, table: dict[str, str]) -> Explanation:
    if "finds" in table:
        offered = f" `--overlay` writes a fix: {table['fix']}." if "fix" in table else ""
        table = {**table, "title": title, "means": f"`toolcast lint` looks for {table['finds']}.{offered}"}
    return Explanation(code=code, **table)
