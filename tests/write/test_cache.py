"""The cache on disk, and the stages that keep their results there."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from toolcast import process
from toolcast.emit import types
from toolcast.load import validation
from toolcast.model.cache import Forgetful
from toolcast.model.json import JsonObject
from toolcast.write import cache
from toolcast.write.cache import DiskCache

FAULTY: dict[str, Any] = {"openapi": "3.1.0", "info": {"title": "t"}, "paths": {"/a": {"get": {"responses": 3}}}}
SCHEMAS: dict[str, JsonObject] = {
    f"Item{number}": {"type": "object", "properties": {"b": {"type": "string"}, "a": {"type": "integer"}}}
    for number in range(210)
}


def test_what_was_put_is_there_and_the_rest_is_not(tmp_path: Path) -> None:
    kept = DiskCache(tmp_path / "deep" / "cache")
    assert kept.get("a") is None
    kept.put("a", b"1")
    assert (kept.get("a"), kept.get("b")) == (b"1", None)


def test_a_cache_that_cannot_be_used_is_no_cache(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file")
    kept = DiskCache(tmp_path / "cache")
    kept.put("a", b"1")
    assert kept.get("a") is None


def test_the_least_used_results_go_when_there_are_too_many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "_MOST", 30)
    monkeypatch.setattr(cache, "_ROOM", 20)
    kept = DiskCache(tmp_path)
    for age, key in enumerate("cba"):
        kept.put(key, b"x" * 10)
        os.utime(tmp_path / key, (1_000_000 - age, 1_000_000 - age))
    assert kept.get("a") is not None, "which makes it the one that was used last"
    kept.put("d", b"x" * 10)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "d"]


def test_the_folder_is_that_of_the_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    DiskCache.of_user().put("a", b"1")
    assert (tmp_path / "toolcast" / "a").read_bytes() == b"1"


def refused(*given: object) -> Any:
    pytest.fail(f"made again: {given[:1]}")


def test_types_are_made_once_by_another_process_with_the_same_result(tmp_path: Path) -> None:
    first = types.begin(SCHEMAS, DiskCache(tmp_path))()
    assert first == types.types_module(SCHEMAS)
    assert first.index("b: ") < first.index("a: "), "fields stay in the document's order"


def test_types_that_are_kept_are_not_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    few = {name: SCHEMAS[name] for name in ("Item1", "Item2")}
    first = types.begin(few, DiskCache(tmp_path))()
    monkeypatch.setattr(types, "types_module", refused)
    assert types.begin(few, DiskCache(tmp_path))() == first
    with pytest.raises(pytest.fail.Exception):
        types.begin({"Item1": SCHEMAS["Item1"]}, DiskCache(tmp_path))()


def test_findings_are_the_same_from_here_from_another_process_and_from_the_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = validation.findings(FAULTY, "3.1.0", "api.yaml")
    assert {finding.code for finding in here} >= {"TC110"}
    monkeypatch.setattr(validation, "_LARGE", 0)
    kept = DiskCache(tmp_path)
    assert validation.begin(FAULTY, "3.1.0", "api.yaml", {}, kept)() == here
    monkeypatch.setattr(process, "begin", refused)
    assert validation.begin(FAULTY, "3.1.0", "api.yaml", {}, kept)() == here


def test_a_process_that_fails_is_told_with_its_last_line() -> None:
    waiting = process.begin("toolcast.emit.types", b"no json")
    with pytest.raises(ChildProcessError, match="JSONDecodeError"):
        waiting()


def test_nothing_is_kept_without_a_cache() -> None:
    kept = Forgetful()
    kept.put("a", b"1")
    assert kept.get("a") is None
