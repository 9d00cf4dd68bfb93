"""What a tool gives up until it is within its budget, and that nothing becomes unreachable by it."""

from __future__ import annotations

import json
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from runtime.request import ArgumentError

from toolcast.emit.render import listed
from toolcast.mapping.tokens import Sizes
from toolcast.model.catalog import BodyField, MoreArg, PathArg, QueryArg, Tool, WholeBody
from toolcast.model.config import Config

from .conftest import Offer
from .documents import Mapped, json_body, mapped, properties

WORDS = "Chooses which of the parcels on the shelf are counted, by what is written on their labels. "


def size(tool: Tool) -> int:
    """The tokens that a tool costs in a list, without its output schema."""
    entry = {key: value for key, value in listed(tool).items() if key != "outputSchema"}
    return Sizes().tokens(json.loads(json.dumps(entry)))


def query(name: str, text: str = WORDS, **more: Any) -> dict[str, Any]:
    return {"name": name, "in": "query", "description": text, "schema": {"type": "string"}, **more}


def listing(parameters: list[dict[str, Any]], **config: Any) -> tuple[Mapped, Tool]:
    """The tool of ``GET /parcels/{shelf}`` with further parameters."""
    path = {"name": "shelf", "in": "path", "required": True, "schema": {"type": "integer"}}
    operation = {"operationId": "countParcels", "summary": "Count parcels.", "parameters": [path, *parameters]}
    found = mapped({"/parcels/{shelf}": {"get": operation}}, config=Config(name="api", **config))
    return found, found.catalog.tools[0]


def more(tool: Tool) -> MoreArg:
    """The argument that holds others."""
    (found,) = [binding for binding in tool.bindings if isinstance(binding, MoreArg)]
    return found


def test_what_is_within_the_budget_is_whole() -> None:
    found, tool = listing([query("label", example="red", schema={"type": "string", "example": "blue"})])
    assert properties(tool)["label"] == {"type": "string", "examples": ["blue"], "description": WORDS.strip()}
    assert not {code for code in found.codes if code.startswith("TC3")} & {"TC304", "TC305", "TC310", "TC313"}


def test_examples_go_first_then_texts_inside_of_arguments() -> None:
    def tool(fields: int) -> dict[str, Any]:
        inner = {f"field{i}": {"type": "string", "description": WORDS * 3, "example": "abc"} for i in range(fields)}
        found = mapped({"/x": {"post": json_body({"type": "object", "properties": {"it": {"properties": inner}}})}})
        return properties(found.catalog.tools[0])["it"]["properties"]["field0"]

    assert [tool(24)["description"], tool(24)["examples"]] == [(WORDS * 3).strip(), ["abc"]]
    assert tool(28) == {"type": "string", "description": (WORDS * 3).strip()}
    assert len(tool(60)["description"]) <= 120 and tool(60)["description"].startswith(WORDS[:60])


def test_the_arguments_own_texts_stay_when_those_inside_are_shortened() -> None:
    inner = {f"field{i}": {"type": "string", "description": WORDS * 3} for i in range(60)}
    body = {
        "type": "object",
        "properties": {"own": {"type": "string", "description": WORDS * 3}, "it": {"properties": inner}},
    }
    made = properties(mapped({"/x": {"post": json_body(body)}}).catalog.tools[0])
    assert made["own"]["description"] == (WORDS * 3).strip()


def test_a_long_enumeration_is_told_by_some_of_its_values() -> None:
    values = [f"parcel.kind.number{i}.was.moved" for i in range(400)]
    found, tool = listing([query("kind", schema={"type": "string", "enum": values})])
    kind = properties(tool)["kind"]
    assert kind["type"] == "string" and "enum" not in kind
    assert "One of 400 values: parcel.kind.number0.was.moved, parcel" in kind["description"]
    assert size(tool) <= 2_000 and "TC312" in found.codes


# --- further arguments inside of one


def test_optional_arguments_beyond_the_first_move_into_one_that_names_them() -> None:
    found, tool = listing([query(f"label{i}") for i in range(70)])
    assert size(tool) <= 2_000
    assert properties(tool)["more"]["type"] == "object" and [*properties(tool)][-1] == "more"
    members = [member.argument for member in more(tool).members]
    kept = [name for name in properties(tool) if name not in ("more", "shelf")]
    assert [*kept, *members] == [f"label{i}" for i in range(70)]
    told = properties(tool)["more"]["description"].split("\n")
    assert [line.split(":")[0] for line in told[1:]] == members
    assert all(len(line) > 40 for line in told[1:]), "there was room for a text of each"
    assert [d.severity for d in found.report.diagnostics if d.code == "TC310"] == ["warning"]


def test_there_is_room_for_names_when_there_is_none_for_texts() -> None:
    _, tool = listing([query(f"label{i}") for i in range(400)])
    assert size(tool) <= 2_000 and len(json.dumps(listed(tool))) <= 16_000
    told = [*properties(tool), *properties(tool)["more"]["description"].split(": ")[1].split(", ")]
    assert {f"label{i}" for i in range(400)} <= {*told} and len(properties(tool)) > 10


def test_required_arguments_never_move_and_the_body_as_a_whole_does_not() -> None:
    needed = [query(f"must{i}", required=True) for i in range(20)]
    parameters = [*(query(f"label{i}") for i in range(150)), *needed]
    body = {"content": {"application/json": {"schema": {"type": "array", "items": {"type": "integer"}}}}}
    operation = {"operationId": "send", "parameters": parameters, "requestBody": body}
    tool = mapped({"/x": {"post": operation}}).catalog.tools[0]
    names = [*properties(tool)]
    assert {f"must{i}" for i in range(20)} <= {*names} and "body" in names
    assert not any(isinstance(member, WholeBody) for member in more(tool).members)
    assert tool.input_schema["required"] == [f"must{i}" for i in range(20)]


def test_fields_of_the_body_stay_before_parameters_and_deprecated_ones_go_first() -> None:
    parameters = [query(f"label{i}", deprecated=i == 0) for i in range(150)]
    fields = {f"field{i}": {"type": "string", "description": WORDS} for i in range(20)}
    operation = {**json_body({"type": "object", "properties": fields}), "parameters": parameters}
    tool = mapped({"/x": {"post": operation}}).catalog.tools[0]
    members = [member.argument for member in more(tool).members]
    assert {*fields} <= {*properties(tool)}
    assert members[0] == "label0" and "label1" in properties(tool)


def test_one_that_is_called_so_keeps_its_name() -> None:
    _, tool = listing([query("more", required=True), *(query(f"label{i}") for i in range(150))])
    assert more(tool).argument == "more_arguments" and properties(tool)["more"]["type"] == "string"
    _, tool = listing([query("more"), query("more_arguments"), *(query(f"label{i}") for i in range(150))])
    assert more(tool).argument == "more_arguments_2"


def test_the_lock_keeps_the_names_wherever_they_stand() -> None:
    few = mapped({"/x": {"get": {"parameters": [query(f"l[{i}]") for i in range(5)]}}})
    many = mapped({"/x": {"get": {"parameters": [query(f"l[{i}]") for i in range(150)]}}}, lock=few.lock)
    assert few.lock.arguments["GET /x"].items() <= many.lock.arguments["GET /x"].items()
    assert len(many.lock.arguments["GET /x"]) == 150
    names = {b.argument: b.name for b in more(many.catalog.tools[0]).members if isinstance(b, QueryArg)}
    assert names["l_149"] == "l[149]"


def test_a_call_reaches_every_argument(offer: Offer) -> None:
    parameters = [query(f"filter[{i}]") for i in range(150)]
    fields = {f"field{i}": {"type": "array", "items": {"type": "integer"}, "description": WORDS} for i in range(80)}
    operation = {**json_body({"type": "object", "properties": fields}), "parameters": parameters}
    callee = offer({"/x": {"post": operation}})["send"]
    inner = {"filter_7": "a b", "field79": [1]}
    assert {*inner} <= {member.argument for member in more(callee.tool).members}
    request = callee.request(field0=[0], more=inner)
    assert request.url.endswith("/x?filter%5B7%5D=a%20b")
    assert json.loads(request.body or b"") == {"field0": [0], "field79": [1]}
    with pytest.raises(ArgumentError, match="did you mean field79"):
        callee.request(more={"fild79": [1]})


def test_the_example_of_a_tool_has_what_has_moved_in_its_place() -> None:
    _, tool = listing([query(f"label{i}", example=f"v{i}") for i in range(150)])
    assert tool.example is not None
    inner = cast("dict[str, Any]", tool.example["more"])
    assert {*inner} == {member.argument for member in more(tool).members}


def test_the_types_have_every_argument() -> None:
    found, tool = listing([query(f"label{i}", schema={"type": "integer"}) for i in range(150)])
    types = found.catalog.types
    assert tool.arguments_type == {"$ref": "#/$defs/CountParcelsArguments"}
    outer = cast("dict[str, Any]", types["CountParcelsArguments"])
    assert outer["properties"]["more"] == {"$ref": "#/$defs/CountParcelsArgumentsMore"}
    inner = cast("dict[str, Any]", types["CountParcelsArgumentsMore"])
    assert inner["properties"]["label149"] == {"type": "integer"} and "required" not in inner


# --- what cannot move


def test_required_arguments_that_are_too_large_are_cut_deeper() -> None:
    def deep(levels: int) -> dict[str, Any]:
        fields = {f"part{levels}{i}": {"type": "string", "description": WORDS} for i in range(12)}
        inner = {"inner": deep(levels - 1)} if levels else {}
        made: dict[str, Any] = {"type": "object", "properties": {**fields, **inner}}
        return {**made, "required": [*made["properties"]]}

    found = mapped({"/x": {"post": json_body({"type": "object", "required": ["it"], "properties": {"it": deep(9)}})}})
    tool = found.catalog.tools[0]
    assert size(tool) <= 2_000 and not any(isinstance(binding, MoreArg) for binding in tool.bindings)
    assert "Fields: part" in json.dumps(tool.input_schema) and "TC304" not in found.codes


def test_what_fits_in_no_way_is_said() -> None:
    found, tool = listing([query(f"a_long_name_of_a_parameter_{i}", required=True) for i in range(500)])
    assert "TC304" in found.codes and "TC314" in found.codes
    assert len(properties(tool)) == 501


def test_the_budget_is_the_owner_s() -> None:
    parameters = [query(f"label{i}") for i in range(30)]
    for budget in (400, 800, 1_600):
        _, tool = listing(parameters, budget=budget)
        assert size(tool) <= budget
    assert "more" in properties(listing(parameters, budget=400)[1])
    assert "more" not in properties(listing(parameters, budget=1_600)[1])


def test_no_budget_takes_a_tool_over_what_clients_take() -> None:
    _, tool = listing([query(f"label{i}") for i in range(700)], budget=100_000)
    entry = {key: value for key, value in listed(tool).items() if key != "outputSchema"}
    assert 15_000 < len(json.dumps(entry, ensure_ascii=False)) <= 16_000


@settings(max_examples=40, deadline=None)
@given(
    st.lists(
        st.tuples(st.sampled_from(["a", "b[x]", "more", "é"]), st.integers(0, 300), st.booleans(), st.integers(0, 40)),
        max_size=60,
    ),
    st.integers(150, 2_000),
)
def test_whatever_is_asked_every_argument_is_in_one_place_and_what_fits_fits(
    wanted: list[tuple[str, int, bool, int]], budget: int
) -> None:
    parameters = [
        query(
            f"{name}{i}",
            "word " * length,
            required=needed,
            schema={"enum": [f"v{n}" for n in range(values)]} if values else {},
        )
        for i, (name, length, needed, values) in enumerate(wanted)
    ]
    found, tool = listing(parameters, budget=budget)
    flat = [m for b in tool.bindings for m in (b.members if isinstance(b, MoreArg) else (b,))]
    assert {m.name for m in flat if isinstance(m, QueryArg)} == {p["name"] for p in parameters}
    assert {b.argument for b in tool.bindings} == {*properties(tool)}
    assert not any(
        isinstance(m, (PathArg, BodyField)) for b in tool.bindings if isinstance(b, MoreArg) for m in b.members
    )
    if "TC304" not in found.codes:
        assert size(tool) <= budget


# --- definitions


def address() -> dict[str, Any]:
    names = ("street", "house", "town", "region", "country", "note")
    return {"type": "object", "properties": {name: {"type": "string", "description": WORDS} for name in names}}


def parcel(places: int) -> Mapped:
    fields: dict[str, Any] = {
        f"stop{i}": {"$ref": "#/components/schemas/Address", "description": f"Stop {i}."} for i in range(places)
    }
    body = json_body({"type": "object", "properties": fields})
    return mapped({"/x": {"post": body}}, components={"schemas": {"Address": address()}})


def test_references_are_inlined_while_there_is_room() -> None:
    found = parcel(3)
    assert "$ref" not in json.dumps(found.catalog.tools[0].input_schema) and "TC311" not in found.codes


def test_what_is_said_several_times_is_told_once_when_that_alone_is_too_much() -> None:
    found = parcel(40)
    tool = found.catalog.tools[0]
    assert size(tool) <= 2_000 and "TC311" in found.codes
    definitions: Any = tool.input_schema["$defs"]
    assert {*definitions} == {"Address"} and {*definitions["Address"]["properties"]} == {*address()["properties"]}
    assert properties(tool)["stop7"] == {"$ref": "#/$defs/Address", "type": "object", "description": "Stop 7."}


def test_definitions_are_what_was_there_before(offer: Offer) -> None:
    callee = offer(
        {
            "/x": {
                "post": json_body(
                    {"type": "object", "properties": {f"s{i}": {"$ref": "#/components/schemas/A"} for i in range(40)}}
                )
            }
        },
        A={**address(), "additionalProperties": False},
    )["send"]
    request = callee.request(s0={"town": "Ulm"}, s1='{"town": "Bonn"}')
    assert json.loads(request.body or b"") == {"s0": {"town": "Ulm"}, "s1": {"town": "Bonn"}}
    with pytest.raises(Exception, match="s1 has no property"):
        callee.request(s1={"city": "Bonn"})
    assert callee.tool.example is not None and "s0" in callee.tool.example
