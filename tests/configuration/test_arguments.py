"""What is wanted of arguments: fixed, hidden, defaulted, renamed, told, and what is a secret."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from toolcast.diagnostics import Report
from toolcast.mapping.catalog import catalog
from toolcast.model.catalog import BodyField, PathArg
from toolcast.model.lock import Lock

from .conftest import HARBOUR, Make, Refuse, configured, read


def test_fixed_and_hidden_arguments_are_not_offered(make: Make) -> None:
    found = make("[tools.listBoats.arguments]\nport.fixed = 'north'\nlimit.hidden = true\n")
    tool = found.tool("GET /boats")
    assert set(found.properties("GET /boats")) == {"filter_name"}
    assert "required" not in tool.input_schema
    assert tool.fixed == {"port": "north"}
    assert [binding.argument for binding in tool.bindings] == ["port", "filter_name"]


@pytest.mark.parametrize("value", ["50", "[1, {a = 'x'}]", "false", "''"])
def test_anything_may_be_fixed(make: Make, value: str) -> None:
    fixed = make(f"[tools.addBoat]\nbody = 'whole'\narguments.body.fixed = {value}").tool("POST /boats").fixed
    assert "body" in fixed


def test_a_default_is_told_and_makes_an_argument_optional(make: Make) -> None:
    tool = make("[tools.listBoats.arguments]\nport.default = 'north'\nlimit.default = 20").tool("GET /boats")
    properties: Any = tool.input_schema["properties"]
    assert (properties["port"]["default"], properties["limit"]["default"]) == ("north", 20)
    assert "required" not in tool.input_schema
    assert tool.defaults == {"port": "north", "limit": 20}


def test_a_default_that_the_argument_does_not_take(refuse: Refuse) -> None:
    assert 'does not take "many"' in refuse("[tools.listBoats]\narguments.limit.default = 'many'").message


def test_arguments_are_told_in_other_words(make: Make) -> None:
    found = make("[tools.listBoats.arguments]\nlimit.description = 'At <i>most</i>.'")
    assert found.properties("GET /boats")["limit"]["description"] == "At most."


@pytest.mark.parametrize("text", ["filter_name", '"filter[name]"', '"query filter[name]"'])
def test_an_argument_is_named_in_many_ways(make: Make, text: str) -> None:
    assert "filter_name" not in make(f"[tools.listBoats.arguments.{text}]\nhidden = true").properties("GET /boats")


def test_of_two_places_the_argument_of_the_name_is_meant(make: Make) -> None:
    path = make("[tools.sinkBoat.arguments.id]\nfixed = 1").tool("DELETE /boats/{id}")
    assert path.fixed == {"id": 1}
    query = make("[tools.sinkBoat.arguments.id_query]\nfixed = 'x'").tool("DELETE /boats/{id}")
    assert query.fixed == {"id_query": "x"}
    assert make('[tools.sinkBoat.arguments."query id"]\nfixed = "x"').tool("DELETE /boats/{id}").fixed == query.fixed


def test_a_renamed_argument_is_in_the_lock_and_its_table_still_means_it() -> None:
    text = "name = 'harbour'\n[tools.listBoats.arguments.filter_name]\nname = 'called'\ndescription = 'Its name.'\n"
    made, lock = catalog(read(HARBOUR), configured(text), Lock(), Report())
    again, _ = catalog(read(HARBOUR), configured(text), lock, Report())
    for one in (made, again):
        properties: Any = next(tool for tool in one.tools if tool.key == "GET /boats").input_schema["properties"]
        assert properties["called"]["description"] == "Its name." and "filter_name" not in properties
    assert lock.arguments["GET /boats"]["query filter[name]"] == "called"


def test_slashes_are_kept_in_the_path_only(make: Make, refuse: Refuse) -> None:
    tool = make("[tools.getPlan]\narguments.dock.slashes = 'keep'").tool("GET /docks/{dock}/plan")
    assert isinstance(tool.bindings[0], PathArg) and tool.bindings[0].slashes
    assert "arguments of the path only" in refuse("[tools.listBoats]\narguments.port.slashes = 'keep'").message


def test_headers_repeat_plain_arguments_that_are_no_secrets(make: Make, refuse: Refuse) -> None:
    found = make("[tools.listBoats.arguments]\nport.x-mcp-header = 'Port'\nlimit.x-mcp-header = 'Limit'")
    assert found.properties("GET /boats")["port"]["x-mcp-header"] == "Port"
    assert make().properties("GET /boats")["port"] == {"type": "string"}
    twice = refuse("[tools.listBoats.arguments]\nport.x-mcp-header = 'Port'\nlimit.x-mcp-header = 'port'")
    assert "Two arguments" in twice.message
    nested: Any = copy.deepcopy(HARBOUR)
    nested["paths"]["/boats"]["get"]["parameters"][0]["schema"] = {"type": "array", "items": {"type": "string"}}
    assert "no plain text" in refuse("[tools.listBoats.arguments]\nlimit.x-mcp-header = 'L'", nested).message
    for name in ("session", "userToken", "passwd"):
        nested["paths"]["/boats"]["get"]["parameters"][0] = {"name": name, "in": "query", "schema": {"type": "string"}}
        assert "like a secret" in refuse(f"[tools.listBoats.arguments]\n{name}.x-mcp-header = 'L'", nested).message


def test_a_secret_of_any_place_is_no_argument(make: Make) -> None:
    found = make(
        "name = 'harbour'\n[tools.addBoat.arguments]\npin.credential = true\n[tools.getPlan.arguments]\n"
        "dock.credential = 'dockKey'\n[tools.listBoats.arguments]\nport.credential = true\n"
    )
    pin, dock, port = found.tool("POST /boats"), found.tool("GET /docks/{dock}/plan"), found.tool("GET /boats")
    assert set(found.properties("POST /boats")) == {"name"}
    assert found.properties("GET /docks/{dock}/plan") == {}
    assert "port" not in found.properties("GET /boats")
    assert pin.bindings == (BodyField(argument="name", name="name"), BodyField(argument="pin", name="pin"))
    assert [b.argument for b in port.bindings] == ["limit", "filter_name"]
    assert (pin.security, dock.security, port.security) == ((("pin",), ()), (("dockKey",),), (("port",),))
    credentials = {c.scheme: (c.location, c.name, c.variables) for c in found.catalog.credentials}
    assert credentials == {
        "dockKey": ("path", "dock", ("HARBOUR_DOCK_KEY",)),
        "pin": ("body", "pin", ("HARBOUR_PIN",)),
        "port": ("query", "port", ("HARBOUR_PORT_2",)),  # HARBOUR_PORT is a setting of the server
    }
    assert dock.example == {}


def test_one_secret_in_several_places_has_several_schemes(make: Make) -> None:
    found = make("[tools.sinkBoat.arguments]\nid.credential = true\nid_query.credential = true")
    assert {c.scheme: c.location for c in found.catalog.credentials} == {"id": "path", "id_query": "query"}
    assert found.tool("DELETE /boats/{id}").security == (("id", "id_query"), ("id",))


def test_a_scheme_that_is_sent_elsewhere(refuse: Refuse) -> None:
    schemes = {"components": {"securitySchemes": {"key": {"type": "apiKey", "in": "header", "name": "X-Key"}}}}
    found = refuse("[tools.addBoat]\narguments.pin.credential = 'key'", {**HARBOUR, **schemes})
    assert found.code == "TC616"


def test_what_looks_like_a_secret_can_be_an_argument_all_the_same(make: Make) -> None:
    document: Any = copy.deepcopy(HARBOUR)
    document["paths"]["/tides"]["get"]["parameters"] = [
        {"name": "api_key", "in": "query", "schema": {"type": "string"}}
    ]
    assert make("", document).properties("GET /tides") == {}
    assert "api_key" in make("[tools.tides]\narguments.api_key.credential = false", document).properties("GET /tides")
    fixed = make("[tools.tides]\narguments.api_key.fixed = 'demo'", document).tool("GET /tides")
    assert (fixed.fixed, fixed.security) == ({"api_key": "demo"}, ())
    named = make("[tools.tides]\narguments.api_key.credential = true", document).catalog
    assert [c.scheme for c in named.credentials] == ["api_key"]


def test_a_required_argument_cannot_just_be_hidden(refuse: Refuse) -> None:
    assert "is required and cannot be hidden" in refuse("[tools.listBoats]\narguments.port.hidden = true").message


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[tools.listBoats.arguments.limits]\nhidden = true", "Did you mean `limit`?"),
        ("[tools.listBoats.arguments.prot]\nname = 'x'", "Did you mean `port`?"),
        ("[tools.tides.arguments.x]\nhidden = true", "There is none."),
        ("[[rules]]\nmatch.methods = ['GET']\narguments.nowhere.hidden = true", "No argument is called 'nowhere'"),
        ("[tools.listBoats.arguments]\nlimit.name = 'port'", "Another argument is called 'port'"),
    ],
)
def test_wishes_for_arguments_that_there_are_not(refuse: Refuse, text: str, said: str) -> None:
    found = refuse(text)
    assert said in f"{found.message}\n{found.help}"


def test_a_rule_speaks_of_arguments_wherever_they_are(make: Make) -> None:
    found = make("[[rules]]\nmatch.paths = ['/**']\narguments.id.description = 'Of the boat.'")
    assert found.properties("GET /boats/{id}")["id"]["description"] == "Of the boat."
    assert found.properties("DELETE /boats/{id}")["id"]["description"] == "Of the boat."


def test_wishes_for_tools_that_are_not_offered_are_kept_in_silence(make: Make) -> None:
    assert make("[tools.oldList]\ntitle = 'x'\narguments.nothing.hidden = true").names
