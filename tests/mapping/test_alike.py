from __future__ import annotations

import time
from typing import Any

from toolcast.mapping.alike import nearly_alike

from .documents import mapped


def _pairs(*operations: tuple[str, str]) -> list[tuple[str, str]]:
    paths: dict[str, Any] = {
        f"/p{at}": {"get": {"operationId": id_, "description": text, "tags": ["pets"]}}
        for at, (id_, text) in enumerate(operations)
    }
    tools = mapped(paths).catalog.groups[0].tools
    return [(one.name, other.name) for one, other in nearly_alike(tools)]


def test_tools_that_say_the_same_are_named() -> None:
    text = "Returns the pets of the shop. They are sorted by name."
    assert _pairs(("petsA", text), ("petsB", text), ("other", "Returns toys.")) == [("pets_a", "pets_b")]
    assert _pairs(("petsA", text), ("petsB", text.replace("are", "come")), ("petsC", text)) == [
        ("pets_a", "pets_b"),
        ("pets_a", "pets_c"),
    ]


def test_what_tells_the_names_apart_tells_the_texts_apart() -> None:
    text = "Lists accounts of the user. These are those that are {}."
    assert _pairs(("listBlocked", text.format("blocked")), ("listMuted", text.format("muted"))) == []
    assert _pairs(("getDog", "Returns the dog."), ("getCat", "Returns the cat.")) == []


def test_a_large_group_takes_little_time() -> None:
    tools = (
        mapped(
            {
                f"/p{at}": {"get": {"operationId": f"op{at}", "description": "Returns the same.", "tags": ["x"]}}
                for at in range(300)
            }
        )
        .catalog.groups[0]
        .tools
    )
    began = time.process_time()
    assert len([*nearly_alike(tools * 10)]) == 2999
    assert time.process_time() - began < 3
