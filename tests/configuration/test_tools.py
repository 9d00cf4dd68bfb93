"""What is wanted of tools: names, texts, hints, groups, forms, and what else an agent sees."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from toolcast.diagnostics import Failure, Report
from toolcast.emit.contract import contract, listed
from toolcast.mapping.catalog import catalog
from toolcast.model.catalog import BodyField, WholeBody
from toolcast.model.config import Config
from toolcast.model.lock import Lock

from .conftest import HARBOUR, Make, Refuse, configured, read


@pytest.mark.parametrize("table", ["list_boats", "listBoats", '"GET /boats"', '"get /boats"'])
def test_a_tool_is_named_in_many_ways(make: Make, table: str) -> None:
    tool = make(f"[tools.{table}]\ntitle = 'All boats'\ndescription = 'Every <b>boat</b>.'\n").tool("GET /boats")
    assert (tool.title, tool.description, tool.name) == ("All boats", "Every boat.", "list_boats")


def test_a_chosen_name_is_in_the_lock_and_its_table_still_means_the_tool(make: Make) -> None:
    text = "name = 'harbour'\n[tools.list_boats]\nname = 'find_boats'\n"
    assert make(text).names["GET /boats"] == "find_boats"
    report = Report()
    config = configured(text)
    made, lock = catalog(read(HARBOUR), config, Lock(), report)
    assert lock.names["GET /boats"] == "find_boats"
    again, _ = catalog(read(HARBOUR), config, lock, report)
    assert [tool.name for tool in again.tools] == [tool.name for tool in made.tools]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[tools.list_boats]\nname = 'search_tools'", "a tool of the server's own"),
        ("[tools.list_boats]\nname = '" + "a" * 60 + "'", "has 60 characters"),
        ("[tools.list_boats]\nname = 'x'\n[tools.get_boat]\nname = 'x'", "2 tools would be called 'x'"),
    ],
)
def test_names_that_cannot_be(refuse: Refuse, text: str, said: str) -> None:
    assert said in refuse(text).message


def test_a_name_once_given_is_given_to_no_other_operation() -> None:
    config = configured("name = 'harbour'\n[tools.get_boat]\nname = 'list_boats'\n")
    _, lock = catalog(read(HARBOUR), Config(name="harbour"), Lock(), Report())
    earlier = Lock(names={"GET /boats": "find_boats"}, aliases={"list_boats": "find_boats"})
    for known in (lock, earlier, Lock(retired={"list_boats": "GET /boats"})):
        with pytest.raises(Failure) as caught:
            catalog(read(HARBOUR), config, known, Report())
        assert "is or was the name of GET /boats" in caught.value.diagnostic.message


def test_when_to_take_which(make: Make) -> None:
    found = make("[tools.tides]\nuse_when = 'Use it when you sail'\n[tools.getPlan]\nuse_when = 'a dock is full.'")
    assert found.tool("GET /tides").description.endswith("\nUse it when you sail.")
    assert found.tool("GET /docks/{dock}/plan").description.endswith("\nUse it when a dock is full.")


def test_hints_have_the_configuration_as_their_reason(make: Make) -> None:
    hints = make("[tools.sinkBoat]\nhints = {destructive = false, idempotent = false}").tool("DELETE /boats/{id}").hints
    assert (hints.destructive.value, hints.idempotent.value, hints.read_only.value) == (False, False, False)
    assert hints.destructive.reason == "configuration: tools.sinkBoat.hints.destructive"


def test_what_follows_from_a_hint_follows_it(make: Make) -> None:
    found = make("[tools.tides]\nhints.read_only = false\n[tools.foretell]\nhints.read_only = true")
    told = found.tool("GET /tides").hints
    assert (told.read_only.value, told.destructive.value, told.idempotent.value) == (False, True, False)
    told = found.tool("POST /tides").hints
    assert (told.read_only.value, told.destructive.value, told.idempotent.value) == (True, False, True)


def test_hints_that_contradict_one_another(refuse: Refuse) -> None:
    found = refuse("[tools.tides]\nhints.destructive = true")
    assert found.code == "TC618"


def test_groups_are_chosen_and_described(make: Make) -> None:
    found = make(
        "[[rules]]\nmatch.methods = ['GET']\ngroup = 'Looking around'\n[groups.looking_around]\ntitle = 'Look'\n"
        "description = 'What changes nothing.'\n[server]\ntoolsets = ['looking_around']"
    )
    groups = {group.name: group for group in found.catalog.groups}
    assert set(groups) == {"looking_around", "boats", "tides"}
    assert (groups["looking_around"].title, groups["looking_around"].description) == ("Look", "What changes nothing.")
    assert found.catalog.toolsets == ("looking_around",)


def test_a_tag_that_is_a_badge_is_no_group(make: Make) -> None:
    assert make().tool("GET /boats").group == "boats"
    assert next(group for group in make().catalog.groups if group.name == "boats").description == "What floats."


def test_the_owner_moves_a_tool_from_the_group_it_is_in() -> None:
    _, lock = catalog(read(HARBOUR), Config(name="harbour"), Lock(), Report())
    made, after = catalog(read(HARBOUR), configured("name = 'harbour'\n[tools.tides]\ngroup = 'boats'"), lock, Report())
    assert {tool.name for tool in made.tools if tool.group == "boats"} >= {"tides", "list_boats"}
    assert after.groups["GET /tides"] == "boats"


def test_the_form_of_a_body(make: Make) -> None:
    whole = make("[tools.addBoat]\nbody = 'whole'").tool("POST /boats")
    assert whole.bindings == (WholeBody(argument="body"),)
    everywhere = make("[schemas]\nbody = 'whole'\n[tools.addBoat]\nbody = 'flat'").tool("POST /boats")
    assert [type(binding) for binding in everywhere.bindings] == [BodyField, BodyField]


def test_a_body_that_cannot_be_flat(make: Make, refuse: Refuse) -> None:
    assert "cannot be flat" in refuse("[tools.foretell]\nbody = 'flat'").message
    assert make("[[rules]]\nmatch.methods = ['POST']\nbody = 'flat'").names  # of many, those that can


def test_the_representation_of_a_body(make: Make, refuse: Refuse) -> None:
    form = "application/x-www-form-urlencoded"
    for text in (f"[tools.addBoat]\nmedia_type = '{form}'", f"[schemas]\nmedia_types = ['text/csv', '{form}']"):
        body = make(text).tool("POST /boats").body
        assert body is not None and body.media_type == form
    assert "may be sent as application/json" in refuse("[tools.addBoat]\nmedia_type = 'text/csv'").help


def test_answers_without_a_description(make: Make) -> None:
    assert make().tool("GET /boats").output_schema is not None
    assert make("[schemas]\noutput_schema = 'off'").tool("GET /boats").output_schema is None
    found = make("[schemas]\noutput_schema = 'off'\n[tools.get_boat]\noutput_schema = 'loose'")
    assert found.tool("GET /boats/{id}").output_schema is not None


def test_a_smaller_budget_makes_a_smaller_tool(make: Make) -> None:
    wordy: Any = copy.deepcopy(HARBOUR)
    wordy["paths"]["/boats"]["get"]["parameters"][0]["description"] = "How many boats to list. " * 20
    lengths = [
        len(make(text, wordy).properties("GET /boats")["limit"]["description"])
        for text in ("", "[schemas]\nbudget = 150", "[schemas]\nbudget = 150\n[tools.listBoats]\nbudget = 5000")
    ]
    assert lengths[1] < lengths[0] == lengths[2]


def test_icons_and_meta_are_listed(make: Make) -> None:
    found = make(
        "[tools.tides]\nicons = 'https://i.example/t.svg'\n_meta = {'i.example/a' = [1, {b = true}]}\n"
        "[tools.get_boat]\nicons = [{src = 'data:image/png;base64,aGk=', mime_type = 'image/png', sizes = ['48x48'],"
        " theme = 'dark'}]\n[server]\nicons = 'https://i.example/s.png'"
    )
    tides = listed(found.tool("GET /tides"))
    assert tides["icons"] == [{"src": "https://i.example/t.svg"}]
    assert tides["_meta"] == {"i.example/a": [1, {"b": True}]}
    assert listed(found.tool("GET /boats/{id}"))["icons"] == [
        {"src": "data:image/png;base64,aGk=", "mimeType": "image/png", "sizes": ["48x48"], "theme": "dark"}
    ]
    assert [icon.src for icon in found.catalog.icons] == ["https://i.example/s.png"]


def test_the_logo_of_a_document_is_the_servers_icon(make: Make) -> None:
    logo = {"x-logo": {"url": "https://harbour.example/logo.png"}}
    document = {**HARBOUR, "info": {**HARBOUR["info"], **logo}}
    assert [icon.src for icon in make("", document).catalog.icons] == ["https://harbour.example/logo.png"]
    unsafe = {**HARBOUR, "info": {**HARBOUR["info"], "x-logo": {"url": "http://harbour.example/logo.png"}}}
    assert make("", unsafe).catalog.icons == ()


def test_the_server_as_a_whole(make: Make) -> None:
    catalog_ = make(
        "[server]\ntitle = 'The harbour'\ninstructions = '''Ask\nfirst.'''\nbase_url = 'https://other.example/api'"
    ).catalog
    assert (catalog_.title, catalog_.instructions) == ("The harbour", "Ask\nfirst.")
    assert [server.url for server in catalog_.servers] == ["https://other.example/api"]


def test_resources_are_reads_by_their_path_alone(make: Make) -> None:
    found = make("name = 'harbour'\n[[rules]]\nmatch.methods = ['GET']\nas = 'resource'\n")
    uris = {tool.key: tool.resource for tool in found.catalog.tools}
    assert uris["GET /tides"] == "harbour:///tides"
    assert uris["GET /boats/{id}"] == "harbour:///boats/{id}"
    assert uris["GET /docks/{dock}/plan"] == "harbour:///docks/{dock}/plan"
    assert uris["GET /boats"] is None  # it takes arguments of a query
    assert uris["POST /tides"] is None
    assert '"name": "tides"' in contract(found.catalog)


def test_arguments_that_nobody_gives_do_not_keep_a_read_from_being_a_resource(make: Make) -> None:
    hidden = "arguments = {limit.hidden = true, filter_name.hidden = true, port.fixed = 'north'}\n"
    assert make(f"[tools.listBoats]\nas = 'resource'\n{hidden}").tool("GET /boats").resource == "harbour:///boats"
    fixed = make("[tools.getPlan]\nas = 'resource'\narguments.dock.fixed = 'a'").tool("GET /docks/{dock}/plan")
    assert fixed.resource == "harbour:///docks/dock/plan"


@pytest.mark.parametrize("tool", ["listBoats", "sinkBoat", "addBoat"])
def test_what_cannot_be_a_resource(refuse: Refuse, tool: str) -> None:
    assert refuse(f"[tools.{tool}]\nas = 'resource'").code == "TC619"


def test_a_later_rule_counts_before_an_earlier_one_and_a_table_before_both(make: Make) -> None:
    found = make(
        "[tools.tides]\ngroup = 'third'\n[[rules]]\nmatch.methods = ['GET']\ngroup = 'first'\nbudget = 500\n"
        "[[rules]]\nmatch.paths = ['/tides', '/docks/**']\ngroup = 'second'"
    )
    groups = {tool.key: tool.group for tool in found.catalog.tools if tool.method == "GET"}
    assert groups == {
        "GET /boats": "first", "GET /boats/{id}": "first", "GET /docks/{dock}/plan": "second", "GET /tides": "third",
    }  # fmt: skip
