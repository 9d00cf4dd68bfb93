"""From a document to what is shown of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from toolcast import pipeline
from toolcast.diagnostics import Report
from toolcast.view.survey import Survey

Look: TypeAlias = Callable[..., Survey]
LIBRARY = Path(__file__).parent / "library.yaml"


@pytest.fixture
def look(tmp_path: Path) -> Look:
    """The survey of a document, given by its paths and by other keys of its root."""

    def looked(paths: Any, **keys: Any) -> Survey:
        root = {"openapi": "3.1.0", "info": {"title": "Library", "version": "1"}, "paths": paths, **keys}
        path = tmp_path / "openapi.json"
        path.write_text(json.dumps(root))
        return pipeline.survey(pipeline.inspect(str(path), report=Report()))

    return looked
