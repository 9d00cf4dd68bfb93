"""Catalogs to emit, and packages made of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from toolcast import pipeline
from toolcast.diagnostics import Report
from toolcast.model.catalog import Catalog

BOOKSHOP = Path(__file__).parents[2] / "samples" / "bookshop" / "openapi.yaml"

Generate = Callable[..., Path]


@pytest.fixture(scope="session")
def bookshop() -> Catalog:
    """The catalog of the sample: every kind of binding, body, answer and scheme that it has."""
    return pipeline.inspect(str(BOOKSHOP), report=Report()).catalog


@pytest.fixture
def generate(tmp_path: Path) -> Generate:
    """Make a package of a document's text, and give its folder."""

    def make(text: str, folder: str = "package", suffix: str = ".yaml") -> Path:
        document = tmp_path / f"document{suffix}"
        document.write_text(text, "utf-8")
        made = pipeline.generate(str(document), tmp_path / folder, report=Report(), name="sample")
        assert made.applied
        return tmp_path / folder

    return make
