"""Scopes and handed-over credentials: their rules, and which of them stop the start."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from runtime.errors import SettingsError
from runtime.handover import Handover, fingerprint
from runtime.scopes import Scopes

GROUPS = {"list_pets": "pets", "delete_pet": "pets", "place_order": "orders"}
VARIABLES = ("P_API_KEY", "P_BEARER_AUTH")


@pytest.mark.parametrize(
    ("rules", "tool", "hints", "needed"),
    [
        ("", "delete_pet", {}, set[str]()),
        ("api", "list_pets", {"readOnlyHint": True}, {"api"}),
        ("api write=api:write", "list_pets", {"readOnlyHint": True}, {"api"}),
        (
            "api, write=api:write",
            "place_order",
            {"readOnlyHint": False, "destructiveHint": False},
            {"api", "api:write"},
        ),
        ("write=w destructive=d", "delete_pet", {"readOnlyHint": False}, {"w", "d"}),
        ("orders=a orders=b place_order=c", "place_order", {"destructiveHint": False}, {"a", "b", "c"}),
    ],
)
def test_the_scopes_of_a_tool(rules: str, tool: str, hints: dict[str, Any], needed: set[str]) -> None:
    scopes = Scopes.read("P", {"P_REQUIRED_SCOPES": rules}, GROUPS)
    assert scopes.needed(tool, GROUPS[tool], hints) == needed


@pytest.mark.parametrize("rules", ["cats=a", "write=", "=a"])
def test_a_rule_that_names_nothing_stops_the_start(rules: str) -> None:
    with pytest.raises(SettingsError, match="P_REQUIRED_SCOPES"):
        Scopes.read("P", {"P_REQUIRED_SCOPES": rules}, GROUPS)


def handover(pairs: str, *, verifies: bool = False) -> Handover:
    return Handover.read("P", {"P_CALLER_CREDENTIALS": pairs}, VARIABLES, verifies=verifies)


def test_only_the_headers_on_the_list_are_taken() -> None:
    found = handover("X-Pet-Key=P_API_KEY Authorization=P_BEARER_AUTH")
    given = {"x-pet-key": "key", "authorization": "Bearer token", "x-other": "other", "cookie": "a=b"}
    assert found.taken(given) == {"P_API_KEY": "key", "P_BEARER_AUTH": "token"}
    assert found.taken({"x-pet-key": "a\r\nb", "authorization": ""}) == {}
    assert handover("").taken(given) == {}


def test_what_callers_have_to_bring_is_not_the_servers() -> None:
    assert handover("X-Pet-Key=P_API_KEY").without({"P_API_KEY": "own", "P_BEARER_AUTH": "own"}) == {
        "P_BEARER_AUTH": "own"
    }


@pytest.mark.parametrize(
    "pairs",
    [
        "X-Pet-Key",
        "X-Pet-Key=P_OTHER",
        "X Key=P_API_KEY",
        "Host=P_API_KEY",
        "Mcp-Session-Id=P_API_KEY",
        "Cookie=P_API_KEY",
        "X-Forwarded-For=P_API_KEY",
        "Content-Type=P_API_KEY",
        ":a=P_API_KEY",
    ],
)
def test_a_pair_that_cannot_be_meant_stops_the_start(pairs: str) -> None:
    with pytest.raises(SettingsError, match="P_CALLER_CREDENTIALS"):
        handover(pairs)


def test_a_token_for_this_server_goes_nowhere_else() -> None:
    with pytest.raises(SettingsError, match="must not name Authorization while P_ISSUER is set"):
        handover("Authorization=P_BEARER_AUTH", verifies=True)


BROUGHT = st.dictionaries(st.sampled_from(VARIABLES), st.text(min_size=8))


@given(BROUGHT, BROUGHT)
def test_callers_are_told_apart_without_showing_what_they_brought(one: dict[str, str], other: dict[str, str]) -> None:
    assert (fingerprint(one) == fingerprint(other)) is (one == other)
    assert not any(value in fingerprint(one) for value in one.values())
