"""Visibility: what the operator leaves of a server, and what a caller can only take away."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from runtime.audit import Audit, Entry
from runtime.errors import SettingsError
from runtime.visibility import Visibility

GROUPS = {"list_pets": "pets", "delete_pet": "pets", "list_orders": "orders", "place_order": "orders"}
READS = {"list_pets", "list_orders"}


def seen(visibility: Visibility) -> set[str]:
    return {tool for tool, group in GROUPS.items() if visibility.shows(tool, group, {"readOnlyHint": tool in READS})}


@pytest.mark.parametrize(
    ("environ", "left"),
    [
        ({}, set(GROUPS)),
        ({"P_READ_ONLY": "1"}, READS),
        ({"P_TOOLSETS": "pets"}, {"list_pets", "delete_pet"}),
        ({"P_TOOLSETS": "pets,orders"}, set(GROUPS)),
        ({"P_TOOLSETS": "all"}, set(GROUPS)),
        ({"P_TOOLS": "list_pets, place_order"}, {"list_pets", "place_order"}),
        ({"P_EXCLUDE_TOOLS": "delete_pet"}, set(GROUPS) - {"delete_pet"}),
        ({"P_TOOLSETS": "pets", "P_TOOLS": "list_pets,list_orders", "P_READ_ONLY": "on"}, {"list_pets"}),
    ],
)
def test_what_the_operator_leaves(environ: dict[str, str], left: set[str]) -> None:
    assert seen(Visibility.read("P", environ, GROUPS)) == left


@pytest.mark.parametrize(
    ("variable", "value", "told"),
    [
        ("P_TOOLS", "list_pet", "did you mean list_pets"),
        ("P_TOOLSETS", "cats", "P_TOOLSETS"),
        ("P_EXCLUDE_TOOLS", "all", "P_EXCLUDE_TOOLS"),
        ("P_READ_ONLY", "maybe", "P_READ_ONLY"),
    ],
)
def test_a_name_that_is_none_stops_the_start(variable: str, value: str, told: str) -> None:
    with pytest.raises(SettingsError, match=told):
        Visibility.read("P", {variable: value}, GROUPS)


def test_a_tool_without_hints_is_no_reading_one() -> None:
    assert not Visibility(read_only=True).shows("x", "y", {})


QUERIES = st.lists(
    st.sampled_from(
        "readonly=true readonly readonly=0 read_only=0 toolsets=pets toolsets= toolsets=all toolsets=pets,orders "
        "tools=delete_pet tools=%2A tools=a&tools=list_orders exclude_tools=list_pets".split(" ")
    ),
    max_size=4,
).map("&".join)
ENVIRONS = st.fixed_dictionaries(
    {},
    optional={
        "P_READ_ONLY": st.sampled_from(["1", "0"]),
        "P_TOOLSETS": st.sampled_from(["pets", "orders"]),
        "P_TOOLS": st.sampled_from(["list_pets", "delete_pet,list_orders"]),
        "P_EXCLUDE_TOOLS": st.sampled_from(["list_pets", "delete_pet"]),
    },
)


@given(ENVIRONS, QUERIES)
def test_a_query_string_only_takes_away(environ: dict[str, str], query: str) -> None:
    left = Visibility.read("P", environ, GROUPS)
    assert seen(left.narrowed(query)) <= seen(left)


@pytest.mark.parametrize(
    ("query", "left"),
    [
        ("", set(GROUPS)),
        ("readonly=true", READS),
        ("toolsets=orders&readonly", {"list_orders"}),
        ("tools=delete_pet", {"delete_pet"}),
        ("toolsets=", set[str]()),
        ("exclude_tools=delete_pet,place_order", READS),
    ],
)
def test_what_a_caller_asks_for(query: str, left: set[str]) -> None:
    assert seen(Visibility().narrowed(query)) == left


# Audit


def entry(**changes: Any) -> Entry:
    values: dict[str, Any] = {
        "tool": "delete_pet",
        "caller": "ann",
        "arguments": {"petId": 7, "reason": "secret-reason"},
        "decision": "confirmed",
        "outcome": "ok",
        "status": 204,
        "milliseconds": 12.6,
    }
    return Entry(**{**values, **changes})


def test_a_call_is_one_line(tmp_path: Path) -> None:
    audit = Audit.read("P", {"P_AUDIT": str(tmp_path / "audit.log")})
    audit.write(entry())
    audit.write(entry(tool="x\ny" * 200, outcome="refused", status=None))
    audit.close()
    audit.write(entry())
    first, second = (json.loads(line) for line in (tmp_path / "audit.log").read_text().splitlines())
    assert {name: value for name, value in first.items() if name not in ("time", "arguments")} == {
        "caller": "ann",
        "tool": "delete_pet",
        "decision": "confirmed",
        "outcome": "ok",
        "status": 204,
        "ms": 13,
    }
    assert "secret-reason" not in json.dumps(first)
    assert first["arguments"] == second["arguments"]
    assert len(second["tool"]) == 100
    assert (tmp_path / "audit.log").stat().st_mode & 0o777 == 0o600


def test_other_arguments_have_another_digest(capsys: pytest.CaptureFixture[str]) -> None:
    audit = Audit.read("P", {"P_AUDIT": "stderr"})
    audit.write(entry())
    audit.write(entry(arguments={"petId": 8}))
    one, other = (json.loads(line)["arguments"] for line in capsys.readouterr().err.splitlines())
    assert one != other


def test_an_audit_that_cannot_be_written_stops_the_start(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="P_AUDIT"):
        Audit.read("P", {"P_AUDIT": str(tmp_path / "missing" / "audit.log")})


def test_without_a_place_nothing_is_written(capsys: pytest.CaptureFixture[str]) -> None:
    Audit.read("P", {}).write(entry())
    Audit.read("P", {"P_AUDIT": "off"}).write(entry())
    assert capsys.readouterr() == ("", "")
