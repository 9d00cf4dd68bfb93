"""The page on configuration: its examples are what the reader takes, and it leaves no key out."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from toolcast.diagnostics import Report
from toolcast.load import reading, toml
from toolcast.load.overlay import is_overlay
from toolcast.model import keys
from toolcast.model.shape import Either, Listed, Named, Shape, Table, problems

PAGE = Path(__file__).parents[2] / "docs" / "configuration.md"
BLOCKS = re.findall(r"^```(toml|yaml)\n(.*?)^```$", PAGE.read_text("utf-8"), re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("text", [text for kind, text in BLOCKS if kind == "toml"])
def test_examples_are_configurations(text: str) -> None:
    assert list(problems(toml.values(text), keys.CONFIGURATION)) == []


@pytest.mark.parametrize("text", [text for kind, text in BLOCKS if kind == "yaml"])
def test_examples_in_yaml_are_overlays_or_documents(text: str) -> None:
    value: Any = reading.value(text, "page", Report())
    assert is_overlay(value) or list(problems(value["x-toolcast"], keys.COMMON)) == []


def test_every_key_has_an_example() -> None:
    seen: set[str] = set()
    for kind, text in BLOCKS:
        if kind == "toml":
            seen |= {part for path in toml.lines(text) for part in path if isinstance(part, str)}
    assert set(_keys(keys.CONFIGURATION)) - seen == set()


def _keys(shape: Shape) -> list[str]:
    match shape:
        case Table():
            return [key for name, (inner, _) in shape.keys.items() for key in (name, *_keys(inner))]
        case Listed() | Named():
            return _keys(shape.of)
        case Either():
            return [*_keys(shape.one), *_keys(shape.other)]
        case _:
            return []
