from __future__ import annotations

import json

import pytest

from toolcast.diagnostics import Location
from toolcast.load.positions import TextLines

YAML = """\
# a comment
openapi: 3.1.0
paths:
  /a/{b}~c:
    get:
      parameters:
        - name: b
          in: path

        - name: c
          in: query
      tags: [x,
        y]
components: {schemas: {A: &a {type: string},
  B: *a, A: {x: 1}}}
"""


@pytest.mark.parametrize(
    ("pointer", "line"),
    [
        ("", 2),
        ("/openapi", 2),
        ("/paths/~1a~1{b}~0c", 4),
        ("#/paths/~1a~1{b}~0c/get", 5),
        ("/paths/~1a~1{b}~0c/get/parameters/0", 7),
        ("/paths/~1a~1{b}~0c/get/parameters/1", 10),
        ("/paths/~1a~1{b}~0c/get/parameters/1/in", 11),
        ("/paths/~1a~1{b}~0c/get/parameters/7/in", 6),
        ("/paths/~1a~1{b}~0c/get/tags/1", 13),
        ("/components/schemas/B/type", 15),
        ("/components/schemas/A/x", 15),
        ("/nowhere/at/all", 2),
        ("/paths/~1other/get", 3),
    ],
)
def test_the_line_of_a_pointer(pointer: str, line: int) -> None:
    assert TextLines("api.yaml", YAML)(Location(file="api.yaml", pointer=pointer)) == line


def test_json_too() -> None:
    data: dict[str, object] = {"openapi": "3.1.0", "x": {"emoji 🎉": "🎉", "deep": [{"a": 1}, {"b": 2}]}, "y": []}
    lines = TextLines("api.json", json.dumps(data, indent=2))
    assert lines(Location(file="api.json", pointer="/x/deep/1/b")) == 10
    assert lines(Location(file="api.json", pointer="/y")) == 14


def test_a_known_line_is_kept_and_other_files_are_not_ours() -> None:
    lines = TextLines("api.yaml", YAML)
    assert lines(Location(file="api.yaml", pointer="/openapi", line=99)) == 99
    assert lines(Location(file="other.yaml", pointer="/openapi")) is None


@pytest.mark.parametrize("text", ["", "5", "a: [1\nb", '{"a": 1, "b": "\x7f"}', "[1, [2]]", "a: 1\n---\nb: 2"])
def test_any_text_has_lines(text: str) -> None:
    assert TextLines("f", text)(Location(file="f", pointer="/a/b/0")) == 1


def test_what_was_read_before_a_fault_has_its_lines() -> None:
    text = '{\n"a": {\n"b": [1,\n2]},\n"c": \x07}'
    lines = TextLines("f", text)
    assert lines(Location(file="f", pointer="/a/b/1")) in (1, 4)


def test_a_large_document_is_walked_once() -> None:
    text = "paths:\n" + "".join(f"  /p{n}:\n    get: {{}}\n" for n in range(20_000))
    lines = TextLines("f", text)
    assert [lines(Location(file="f", pointer=f"/paths/~1p{n}/get")) for n in (0, 9_999, 19_999)] == [3, 20_001, 40_001]
