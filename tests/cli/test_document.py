"""``toolcast document`` and --overlay: what an overlay makes of a document, before and after it is a package."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolcast.diagnostics import Report
from toolcast.load import reading
from toolcast.view import document as written

from .conftest import Run

OVERLAY = """\
overlay: 1.1.0
info: {title: Names, version: "1"}
actions:
- target: $.paths['/pets'].get
  update: {operationId: findPets, x-toolcast: {title: Find them}}
- target: $.paths['/pets'].put
  remove: true
"""


@pytest.fixture
def overlay(tmp_path: Path) -> Path:
    path = tmp_path / "names.overlay.yaml"
    path.write_text(OVERLAY, "utf-8")
    return path


def test_the_result_is_printed_as_the_document_is_written(
    run: Run, shelter: Path, overlay: Path, tmp_path: Path
) -> None:
    done = run("document", shelter.name, "--overlay", overlay.name)
    assert done.returncode == 0, done.stderr
    value: Any = reading.value(done.stdout, "stdout", Report())
    assert value["paths"]["/pets"]["get"]["operationId"] == "findPets"
    assert done.stdout.startswith("openapi: ")
    assert "names.overlay.yaml:6: The overlay changes nothing here" in done.stderr
    (tmp_path / "shelter.json").write_text(json.dumps(value), "utf-8")
    assert json.loads(run("document", "shelter.json").stdout) == value
    assert json.loads(run("document", shelter.name, "--overlay", overlay.name, "--format", "json").stdout) == value


def test_a_failing_overlay_is_told_with_its_line(run: Run, shelter: Path, overlay: Path) -> None:
    overlay.write_text(OVERLAY.replace("$.paths['/pets'].put", "paths"), "utf-8")
    done = run("document", shelter.name, "--overlay", overlay.name)
    assert (done.returncode, done.stdout) == (1, "")
    assert "names.overlay.yaml:6:" in done.stderr and "Traceback" not in done.stderr


def test_an_overlay_is_applied_wherever_a_document_is_read(
    run: Run, shelter: Path, overlay: Path, tmp_path: Path
) -> None:
    options = (shelter.name, "--overlay", overlay.name)
    assert "find_pets" in run("inspect", *options).stdout
    assert run("generate", *options, "--output", "out").returncode == 0
    assert '"find_pets"' in (tmp_path / "out/src/pet_shelter_mcp/api/tools.json").read_text("utf-8")


def test_what_a_package_was_made_with_it_is_made_with_again(
    run: Run, shelter: Path, overlay: Path, tmp_path: Path
) -> None:
    run("generate", shelter.name, "--overlay", overlay.name, "--output", "out")
    settings = (tmp_path / "out/toolcast.toml").read_text("utf-8")
    assert 'address = "../shelter.yaml"' in settings and 'overlays = ["../names.overlay.yaml"]' in settings
    done = run("generate", "--output", "out")
    assert "nothing to write" in done.stdout, done.stderr
    overlay.write_text(OVERLAY.replace("Find them", "Look for them"), "utf-8")
    run("generate", "--output", "out")
    assert '"Look for them"' in (tmp_path / "out/src/pet_shelter_mcp/api/tools.json").read_text("utf-8")


def test_an_overlay_alone_is_a_document_too(run: Run, shelter: Path, overlay: Path, tmp_path: Path) -> None:
    overlay.write_text(OVERLAY.replace("actions:", f"extends: {shelter.name}\nactions:"), "utf-8")
    done = run("generate", overlay.name, "--output", "out")
    assert done.returncode == 0, done.stderr
    assert 'document = "../names.overlay.yaml"' in (tmp_path / "out/toolcast.toml").read_text("utf-8")
    assert "nothing to write" in run("generate", "--output", "out").stdout


_TEXTS = st.text(max_size=12) | st.sampled_from(
    ["1e3", "0o17", "0x1F", "1_000", "yes", "null", "~", "", "<<", "=", "- a", "a: b", "#", ".5", "+1", "2001-01-01"]
) | st.sampled_from(
    ["1:30", " a", "a ", "a\n", "\na", "a\n\n b\n", "'", '"', "\\", "\t", "\x7f", "\x85", "\u2028", "@", "`", "%", "!"]
) | st.sampled_from(["&a", "*a", "|", ">"]
)  # fmt: skip
_VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | _TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_TEXTS, inner, max_size=3),
)


@given(st.dictionaries(_TEXTS, _VALUES, max_size=3))
def test_what_is_printed_is_read_as_the_same(root: dict[str, Any]) -> None:
    try:
        orjson.dumps(root)
    except TypeError:
        return  # halves of characters are refused before anything is printed
    for text in (written.yaml(root), written.json(root)):
        assert reading.value(text, "stdout", Report()) == root
