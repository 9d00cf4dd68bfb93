"""Invented answers: ``answers.json``, what a server answers with ``--mock``."""

from __future__ import annotations

from typing import Final

import orjson

from toolcast.emit.literals import visible
from toolcast.model.catalog import Catalog, InventedAnswer
from toolcast.model.json import JsonObject

_MOST: Final = 512_000  # bytes; tools beyond it answer as little as they may


def invented_answers(catalog: Catalog) -> str:
    """The answers by tool, each on a line of its own; "" where there is none."""
    lines: list[str] = []
    size = 0
    for tool in catalog.tools:
        if tool.invented is None:
            continue
        line = orjson.dumps({tool.name: _told(tool.invented)}).decode()[1:-1]
        size += len(line)
        if size > _MOST:
            break
        lines.append(f"  {visible(line)}")
    return "{\n" + ",\n".join(lines) + "\n}\n" if lines else ""


def _told(answer: InventedAnswer) -> JsonObject:
    body: JsonObject = {"type": answer.media_type, answer.form: answer.body} if answer.media_type else {}
    return {"status": answer.status, **body}
