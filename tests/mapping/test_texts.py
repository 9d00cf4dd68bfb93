from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolcast.mapping.texts import clean, hidden, sentence, shorten

from .documents import mapped, tool


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<p>One</p><p>Two</p>", "One\nTwo"),
        ("a<br/>b", "a\nb"),
        ("<b>bold</b> and **strong**", "bold and strong"),
        ("<script>alert(1)</script>x<style>y", "x"),
        ("a<!-- hidden -->b<!-- open", "ab"),
        ("GET /users/<id> takes <your-token>", "GET /users/<id> takes <your-token>"),
        ("1 < 2 && 3 > 2", "1 < 2 && 3 > 2"),
        ("a &amp; b &lt;id&gt;", "a & b <id>"),
        ("[text](https://example.com/a_(b)) ![image](x.png)", "text image"),
        ("# Heading #\n\n\ntext\r\nmore", "Heading:\ntext\nmore"),
        ("> [!NOTE]\n> Soon gone.\n\n>📘\n>\n> Read this", "Soon gone.\n📘\nRead this"),
        ("more than\n> 5, and >= 6", "more than\n> 5, and >= 6"),
        ("| a | b |\n|---|:--:|\n| 1 | 2 |\n\n***\n\nend", "a | b\n1 | 2\nend"),
        (
            "an *important* word, *.json, 2 * 3 * 4 and snake_case",
            "an important word, *.json, 2 * 3 * 4 and snake_case",
        ),
        ("a \\_b\\_ and `c \\_ *d*` and ``e``", "a _b_ and `c \\_ *d*` and `e`"),
        ("see [the docs][1] at <https://example.com/x>\n\n[1]: https://example.com 'Docs'", "see the docs at"),
        ("text\nhttps://example.com/docs\n", "text"),
        ('[Blocks]({{< relref "x#y">}}) {{% note %}}it', "Blocks it"),
        (
            "a line that was wrapped somewhere in the middle of it\nand goes on",
            "a line that was wrapped somewhere in the middle of it and goes on",
        ),
        ("short\nlines\nstay", "short\nlines\nstay"),
        ("hard break\\\nhere", "hard break\nhere"),
        ("```json\n{}\n```", "{}"),
        ("a\tb   c", "a b c"),
        ("a\u200b\u202e\x00\ue000b", "a\ue000b"),
        ("\U000e0041x", "x"),
        ("👩\u200d👩 क्\u200dष", "👩\u200d👩 क्\u200dष"),
        ("snake__case __init__", "snakecase init"),
        ("&#x200b;&#8238;x", "x"),
    ],
)
def test_clean(text: str, expected: str) -> None:
    assert clean(text) == expected


@given(st.text(alphabet=st.one_of(st.characters(), st.sampled_from("<>&;[]()*_#`!-/ \n\r\tblamp3xt\u200b\u202e"))))
def test_cleaning_again_changes_nothing_and_nothing_hidden_is_left(text: str) -> None:
    once = clean(text)
    assert clean(once) == once
    assert not hidden(once)


@pytest.mark.parametrize(
    "text",
    [
        " " * 200_000,
        "[](" * 50_000,
        "<!--" * 50_000,
        "&amp;" * 50_000,
        "&" + "amp;" * 20_000,
        "<a " * 50_000,
        "**" * 100_000,
        "[" * 100_000,
        "-" * 200_000 + "x",
        "# " * 100_000,
        "| " * 100_000,
        "|-" * 100_000 + "x",
        "{{<" * 50_000,
        "*a " * 70_000,
        "`" * 200_001,
        "> " * 100_000,
    ],
)
def test_hostile_texts_take_no_time(text: str) -> None:
    began = time.process_time()
    clean(text)
    assert time.process_time() - began < 2


@given(st.text(max_size=300), st.integers(2, 200))
def test_shorten(text: str, limit: int) -> None:
    short = shorten(text, limit)
    assert len(short) <= limit or short == text
    assert short == text or short.endswith(("…", ".", "!", "?"))


def test_shorten_keeps_sentences() -> None:
    assert shorten("One sentence here. Another that is long.", 30) == "One sentence here. …"
    assert sentence("First. Second.") == "First."


def test_a_description_is_summary_and_description() -> None:
    assert tool({"summary": "List pets", "description": "All of them."}).description == "List pets.\nAll of them."
    assert tool({"summary": "List pets", "description": "List pets of a shop."}).description == "List pets of a shop."


def test_a_long_description_is_cut_and_said() -> None:
    found = mapped(
        {"/a": {"get": {"summary": "Move", "description": "Many words. " * 300}}, "/b": {"get": {"summary": "B"}}}
    )
    text = found.tools["GET /a"].description
    assert len(text) <= 1024 and text.startswith("Move.") and text.endswith("…")
    (cut,) = [d for d in found.report.diagnostics if d.code == "TC301"]
    assert "get_a" in cut.message and "3," in cut.message


def test_hidden_characters_are_said_with_their_code_points() -> None:
    found = mapped({"/a": {"get": {"summary": "Li\u200bst", "description": "\u202eabc"}}})
    (diagnostic,) = [d for d in found.report.diagnostics if d.code == "TC302"]
    assert "U+200B" in diagnostic.message and "U+202E" in diagnostic.message
    assert found.tools["GET /a"].description == "List.\nabc"


def test_an_operation_without_text_gets_one() -> None:
    found = mapped({"/pets/{id}": {"get": {"operationId": "getPet"}}})
    assert found.tools["GET /pets/{id}"].description == "Get pet for the given id (GET /pets/{id})."
    assert "TC303" in found.codes


def test_titles() -> None:
    assert tool({"operationId": "listPets", "summary": "List pets."}).title == "List pets"
    assert tool({"operationId": "listPets", "summary": "long " * 30}).title == "List pets"


def test_a_deletion_is_never_called_a_reading() -> None:
    shared = {"operationId": "getPlot"}
    found = mapped({"/plots/{id}": {"get": dict(shared), "delete": dict(shared)}})
    deletion = found.tools["DELETE /plots/{id}"]
    assert deletion.title == "Delete plots"
    assert deletion.description.startswith("Delete plots for the given id")
