"""Real documents, where they are at hand: a folder beside the repository."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from toolcast.diagnostics import Failure, Report
from toolcast.load import yaml
from toolcast.load.dangling import dangling
from toolcast.load.document import load
from toolcast.load.text import decode

CORPUS = Path(__file__).parents[2].parent / "shared" / "corpus"
pytestmark = pytest.mark.skipif(not CORPUS.is_dir(), reason=f"no documents in {CORPUS}")
BROKEN = "5gc-charging-badyaml"


def documents(suffix: str) -> list[Path]:
    found = sorted(CORPUS.glob(f"*/*{suffix}")) if CORPUS.is_dir() else []
    return [path for path in found if path.is_file() and path.stat().st_size < 1_000_000]


def test_json_read_as_yaml_is_what_json_says() -> None:
    paths = documents(".json")
    assert len(paths) > 20
    for path in paths:
        text = decode(path.read_bytes(), path.name)
        if "\\ud8" in text.lower():  # YAML knows no halves of surrogate pairs
            continue
        found, expected = yaml.read(text, path.name).value, json.loads(text)
        _spell(found, expected)
        assert found == expected, path


def _spell(found: Any, expected: Any) -> None:
    """Make good the one difference that is meant: the spelling of `info.version`."""
    if isinstance(found, dict) and isinstance(found.get("info"), dict) and "version" in found["info"]:  # pyright: ignore[reportUnknownMemberType]
        found["info"]["version"] = expected["info"]["version"]


def test_yaml_documents_load() -> None:
    paths = [path for path in documents(".yaml") + documents(".yml") if path.parent.name != BROKEN]
    assert len(paths) > 30
    loaded = 0
    for path in paths:
        reading = yaml.read(decode(path.read_bytes(), path.name), path.name)
        if isinstance(reading.value, dict) and "openapi" in reading.value:
            report = Report()
            document = load(str(path), report, validate=False)
            assert document.root
            assert report.diagnostics == [], path
            loaded += 1
    assert loaded > 25


def test_the_broken_one_is_refused_with_its_line() -> None:
    with pytest.raises(Failure) as caught:
        load(str(CORPUS / BROKEN / "openapi.yaml"), Report())
    found = caught.value.diagnostic
    assert found.code == "TC020"
    assert found.location is not None
    assert found.location.line == 2205


@pytest.mark.parametrize(
    ("entry", "version", "files"),
    [
        ("opensearch-core/namespaces/_core.yaml", "3.1.0", 28),
        ("redocly-cafe-split/cafe.yaml", "3.2.0", 39),
        ("petstore-separate/spec/swagger.json", "2.0", 4),
        ("docker-engine/openapi.yaml", "2.0", 0),
        ("slack/openapi.json", "2.0", 0),
    ],
)
def test_documents_in_files_and_of_swagger(entry: str, version: str, files: int) -> None:
    report = Report()
    document = load(str(CORPUS / entry), report, validate=False)
    assert (document.version, len(document.files)) == (version, files)
    assert report.diagnostics == []
    assert dangling(document.root, document.file, document.files) == []
