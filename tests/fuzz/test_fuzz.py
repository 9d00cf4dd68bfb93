"""A short run of each target, the same one each time; and what longer ones have found."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from toolcast import pipeline
from toolcast.diagnostics import Diagnostic, Failure, Report

from .choices import Seeded
from .documents import VERSIONS, document, documents
from .laws import emitted, mapped, sound, told
from .run import run, shrunk
from .target_calls import Answers, Calls
from .target_documents import Documents

HEAD: dict[str, Any] = {"openapi": "3.1.0", "info": {"title": "Harbour", "version": "1"}}


def of(paths: Any, **more: Any) -> dict[str, Any]:
    """A document with these paths."""
    return {**HEAD, "paths": paths, **more}


def test_documents(tmp_path: Path) -> None:
    target = Documents(tmp_path)
    tried, found = run(target, seconds=60, seed=1, most=150)
    assert (tried, found) == (150, {})
    assert target.counts["mapped"] > 60 and target.counts["tools"] > 100, target.counts
    assert target.counts["emitted"] > 2 and target.counts["mapped twice"] > 5, target.counts


@settings(
    max_examples=15,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(documents)
def test_documents_that_hypothesis_makes(made: dict[str, Any]) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "api.json"
        path.write_text(json.dumps(made))
        found = mapped(path)
    if not isinstance(found, Diagnostic):
        sound(found[0])


def test_every_version_is_made_and_many_documents_are_sound() -> None:
    made = [document(Seeded(seed)) for seed in range(300)]
    found = [one.get("openapi", one.get("swagger")) for one in made]
    assert all(found.count(version) > 10 for version in VERSIONS)


class Small:
    """Of which target a run in the suite is: fewer packages, the same laws."""

    packages = 4


class SomeCalls(Small, Calls):
    """Calls of a few packages."""


class SomeAnswers(Small, Answers):
    """Answers to calls of a few packages."""


@pytest.mark.parametrize("kind", [SomeCalls, SomeAnswers])
def test_calls_and_answers(kind: type[Calls], tmp_path: Path) -> None:
    target = kind(tmp_path)
    tried, found = run(target, seconds=60, seed=1, most=1_500)
    assert (tried, found) == (1_500, {})
    assert target.counts["sent"] > 300 and target.counts["refused"] > 300, target.counts


def test_a_fault_is_found_and_shrunk() -> None:
    """Else a run that finds nothing would say nothing."""

    class Wrong:
        def __init__(self) -> None:
            from collections import Counter

            self.counts: Counter[str] = Counter()

        def case(self, seed: int) -> Any:
            return document(Seeded(seed))

        def check(self, case: Any) -> None:
            if "paths" in case and any("{" in path for path in case["paths"]):
                raise KeyError("{")

    tried, found = run(Wrong(), seconds=30, seed=0, most=40)
    assert tried == 40
    ((seed, case, words),) = found.values()
    assert set(case) == {"paths"} and len(case["paths"]) == 1 and "KeyError" in words
    assert document(Seeded(seed)) == document(Seeded(seed))
    assert shrunk({"a": [1, 2, {"b": 3}]}, lambda value: "a" in value) == {"a": []}


FOUND: dict[str, dict[str, Any]] = {
    "a server's URL that is none": of({"/a": {"get": {}}}, servers=[{"url": "http://["}]),
    "a path's server whose port is none": of({"/a": {"get": {}, "servers": [{"url": "https://a:b/"}]}}),
    "an identifier that is none": of(
        {"/a": {"get": {}}}, components={"schemas": {"A": {"$id": "http://["}, "B": {"$ref": "http://["}}}
    ),
    "a document that calls itself something odd": {**of({"/a": {"get": {}}}), "openapi": "3.2.0", "$self": "http://["},
    "a union of itself that has properties": of(
        {"/a": {"get": {"parameters": [{"name": "t", "in": "query", "schema": {"$ref": "#/components/schemas/A"}}]}}},
        components={"schemas": {"A": {"properties": {"x": {}}, "anyOf": [{"$ref": "#/components/schemas/A"}]}}},
    ),
    "unions of one another that have properties": of(
        {"/a": {"get": {"parameters": [{"name": "t", "in": "query", "schema": {"$ref": "#/components/schemas/A0"}}]}}},
        components={
            "schemas": {
                f"A{one}": {
                    "properties": {"x": {"type": "string"}},
                    "anyOf": [{"$ref": f"#/components/schemas/A{other}"} for other in range(6)],
                }
                for one in range(6)
            }
        },
    ),
    "a branch that its own parts lead back to": of(
        {
            "/a": {
                "put": {
                    "requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/A"}}}}
                }
            }
        },
        components={
            "schemas": {
                "A": {"oneOf": [{"allOf": [{"oneOf": [{"format": "uri"}, {}]}, {"$ref": "#/components/schemas/A"}]}]}
            }
        },
    ),
    "a format that is a list": of(
        {"/a": {"get": {"parameters": [{"name": "t", "in": "query", "schema": {"format": []}}]}}}
    ),
    "a reference of a shared schema to nothing": of(
        {}, components={"schemas": {"A": {"properties": {"b": {"$ref": "#/components/schemas/B"}}}}}
    ),
    "a default that ends a line": of(
        {
            "/a": {
                "get": {
                    "parameters": [
                        {"name": "a", "in": "query", "schema": {"type": "integer", "default": "\u2028\x1b[31m"}}
                    ]
                }
            }
        }
    ),
}


@pytest.mark.parametrize("made", FOUND.values(), ids=FOUND.keys())
def test_what_was_found_stays_found(made: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "api.json"
    path.write_text(json.dumps(made))
    found = mapped(path, validate=True)
    if not isinstance(found, Diagnostic):
        sound(found[0])
        emitted(found[0])


def test_a_url_that_is_none_is_told(tmp_path: Path) -> None:
    path = tmp_path / "api.json"
    path.write_text(json.dumps(FOUND["a server's URL that is none"]))
    found = mapped(path)
    assert not isinstance(found, Diagnostic)
    assert ("TC212", "/servers/0/url") in [(one.code, one.location and one.location.pointer) for one in found[1]]


def test_a_message_is_one_line_that_shows_what_is_not_seen() -> None:
    text = "a\nb\x1b[31m\u2028\u202e\u200b\U000e0041"
    made = Diagnostic(code="TC999", severity="error", message=text, help=text)
    assert made.message == made.help == r"a\nb\x1b[31m\u2028\u202e\u200b\U000e0041"


def test_a_document_without_any_sense_is_refused_in_words(tmp_path: Path) -> None:
    path = tmp_path / "api.json"
    for data in (
        b"\x00\x00\x00",
        b"\xff\xfe",
        b"{" * 50_000,
        b"[" * 50_000,
        b"&a [*a]",
        b"- " * 20_000,
        b"%YAML 9\n---\n",
    ):
        path.write_bytes(data)
        report = Report()
        with pytest.raises(Failure) as refusal:
            pipeline.inspect(str(path), report=report)
        told([refusal.value.diagnostic], report)
