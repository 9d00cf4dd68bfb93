"""Search: which tools a few words find."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from runtime.search import Index, words


def entry(name: str, description: str = "", **arguments: str) -> dict[str, Any]:
    properties = {argument: {"description": text} for argument, text in arguments.items()}
    title = name.replace("_", " ").capitalize()
    return {"name": name, "title": title, "description": description, "inputSchema": {"properties": properties}}


ENTRIES = [
    entry("list_pets", "List the pets of the shop.", limit="How many at most."),
    entry("get_pet", "Get one pet."),
    entry("delete_pet", "Delete a pet for good."),
    entry("delete_pet_photo", "Delete a photo of a pet.", photoId="Which photo."),
    entry("create_order", "Place an order.", couponCode="A voucher that lowers the price."),
    entry("list_invoices", "オンラインの請求書を一覧で取得"),
]
INDEX = Index(ENTRIES, {"create_order": "store checkout"})


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("list pets", "list_pets"),
        ("remove a pet", "delete_pet"),
        ("removing the photos of a pet", "delete_pet_photo"),
        ("use a voucher", "create_order"),
        ("couponCode", "create_order"),
        ("checkout", "create_order"),
        ("fetch one pet", "get_pet"),
        ("請求書", "list_invoices"),
        ("delete_pet_photo", "delete_pet_photo"),
    ],
)
def test_what_is_meant_comes_first(query: str, name: str) -> None:
    assert INDEX.found(query, 5)[0] == name


def test_what_is_not_there_is_not_found() -> None:
    assert INDEX.found("weather in Paris", 5) == []
    assert INDEX.found("", 5) == []
    assert Index([], {}).found("pets", 5) == []


def test_no_more_are_found_than_asked_for() -> None:
    assert len(INDEX.found("pet", 2)) == 2


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("repositories", "repository"),
        ("boxes", "box"),
        ("statuses", "status"),
        ("stopped", "stop"),
        ("getPets", "get_pet"),
    ],
)
def test_forms_of_a_word_are_one(one: str, other: str) -> None:
    assert list(words(one)) == list(words(other))


@given(st.lists(st.sampled_from(ENTRIES), unique_by=lambda one: one["name"]), st.text(max_size=40))
def test_the_answer_depends_on_nothing_else(entries: list[dict[str, Any]], query: str) -> None:
    first = Index(entries, {}).found(query, 5)
    assert first == Index(entries, {}).found(query, 5)
    assert set(first) <= {one["name"] for one in entries}
    assert len(first) == len(set(first))
