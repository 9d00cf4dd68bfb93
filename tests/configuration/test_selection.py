"""Which operations are offered, and what is said of selections that select nothing."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from toolcast.diagnostics import Failure, Report
from toolcast.mapping.catalog import catalog
from toolcast.model.config import Config, Select
from toolcast.model.lock import Lock

from .conftest import HARBOUR, Make, Refuse, configured, read

ALL = {
    "GET /boats", "POST /boats", "GET /boats/{id}", "DELETE /boats/{id}", "GET /docks/{dock}/plan", "GET /tides",
    "POST /tides",
}  # fmt: skip


@pytest.mark.parametrize(
    ("select", "offered"),
    [
        ("include.tags = ['boats']", {"GET /boats", "POST /boats", "GET /boats/{id}", "DELETE /boats/{id}"}),
        ("include.tags = ['b*', 'nothing*']", None),
        ("include.paths = ['/boats/**']", {"GET /boats", "POST /boats", "GET /boats/{id}", "DELETE /boats/{id}"}),
        ("include.paths = ['/boats/*']", {"GET /boats/{id}", "DELETE /boats/{id}"}),
        ("include.paths = ['/**/plan']", {"GET /docks/{dock}/plan"}),
        ("include.paths = ['/boats/{id}']", {"GET /boats/{id}", "DELETE /boats/{id}"}),
        ("include.methods = ['get']\ninclude.tags = ['boats']", {"GET /boats", "GET /boats/{id}"}),
        ("include.operations = ['*tBoat', 'tides']", {"GET /boats/{id}", "GET /tides"}),
        ("exclude.methods = ['DELETE', 'POST']", ALL - {"DELETE /boats/{id}", "POST /boats", "POST /tides"}),
        ("exclude.tags = ['new']\nexclude.paths = ['/tides']", ALL - {"GET /boats", "GET /tides", "POST /tides"}),
        ("deprecated = true", ALL | {"GET /old"}),
        ("include.paths = ['/boats/*']\nexclude.operations = ['sinkBoat']", {"GET /boats/{id}"}),
    ],
)  # fmt: skip
def test_every_line_narrows(make: Make, refuse: Refuse, select: str, offered: set[str] | None) -> None:
    if offered is None:
        assert refuse(f"[select]\n{select}").code == "TC610"
    else:
        assert set(make(f"[select]\n{select}").names) == offered


def test_what_is_said_of_one_operation_counts_before_the_selection(make: Make) -> None:
    found = make(
        "[select]\ninclude.tags = ['boats']\n[tools.getPlan]\ntool = true\n[tools.oldList]\ntool = true\n"
        "[tools.sink_boat]\ntool = false\n[[rules]]\nmatch = {paths = ['/tides'], methods = ['GET']}\ntool = true"
    )
    assert set(found.names) == {
        "GET /boats", "POST /boats", "GET /boats/{id}", "GET /docks/{dock}/plan", "GET /old", "GET /tides",
    }  # fmt: skip
    told = next(d for d in found.report.diagnostics if d.code == "TC264")
    assert told.message.startswith("2 operations are left out")


def test_a_rule_may_mean_deprecated_operations(make: Make) -> None:
    found = make("[[rules]]\nmatch = {deprecated = true}\ntool = true")
    assert "GET /old" in found.names


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("[select]\ninclude.tags = ['boats',\n 'botas']", 3, "Did you mean `boats`?"),
        ("[select]\nexclude.paths = ['/boat']", 2, "Did you mean `/boats`?"),
        ("[select]\nexclude.methods = ['PATCH']", 2, "No operation has the method 'PATCH'"),
        ("[select]\ninclude.operations = ['listBoat']", 2, "Did you mean `listBoats`?"),
        ("[[rules]]\nmatch.tags = ['boatz']\ntool = false", 2, "Did you mean `boats`?"),
        ("[[rules]]\nmatch = {tags = ['boats'], paths = ['/tides']}", 1, "The rule means no operation"),
        ("[tools.list_boatz]\ntitle = 'x'", 1, "Did you mean `list_boats`?"),
        ('[tools."GET /boat"]\ntitle = "x"', 1, "Did you mean `GET /boats`?"),
        ("[tools.list_boats]\ntitle = 'x'\n[tools.listBoats]\ntitle = 'y'", 3, "are both GET /boats"),
        ("[groups.boat]\ntitle = 'x'", 1, "Did you mean `boats`?"),
        ("[server]\ntoolsets = ['boats', 'dock']", 2, "Did you mean `docks`?"),
    ],
)  # fmt: skip
def test_what_means_nothing_is_an_error_with_the_nearest_name(refuse: Refuse, text: str, line: int, said: str) -> None:
    found = refuse(text)
    assert said in f"{found.message}\n{found.help}"
    assert found.location is not None and found.location.line == line


def test_all_that_means_nothing_is_told_at_once(refuse: Refuse) -> None:
    found = refuse(
        "[select]\nexclude.tags = ['botas']\n[tools.nothing]\ntitle = 'x'\n[tools.get_boat.arguments.x]\nhidden = true"
    )
    assert "line 3: No operation is called 'nothing'" in found.help
    assert "line 5: No argument is called 'x'" in found.help


def test_an_earlier_name_means_the_tool_that_has_another_now() -> None:
    lock = Lock(names={"GET /boats": "find_boats"}, aliases={"boats_of_old": "find_boats"})
    config = configured("name = 'harbour'\n[tools.boats_of_old]\ntitle = 'x'\nname = 'boats_of_old'")
    made, _ = catalog(read(HARBOUR), config, lock, Report())
    assert next(tool.name for tool in made.tools if tool.title == "x") == "boats_of_old"


@pytest.mark.parametrize(
    "lock",
    [
        Lock(names={"GET /ships": "list_ships"}),
        Lock(retired={"list_ships": "GET /ships"}),
        Lock(retired={"ships": "GET /ships"}, aliases={"list_ships": "ships"}),
    ],
)
def test_an_operation_that_is_gone_is_said_to_be_gone(lock: Lock) -> None:
    with pytest.raises(Failure) as caught:
        catalog(read(HARBOUR), configured("name = 'harbour'\n[tools.list_ships]\ntitle = 'x'"), lock, Report())
    assert "was GET /ships, which the document does not have any more" in caught.value.diagnostic.message


def test_an_operation_id_of_several_operations_means_none(refuse: Refuse) -> None:
    twice: Any = copy.deepcopy(HARBOUR)
    twice["paths"]["/tides"]["get"]["operationId"] = "getBoat"
    assert "is the operationId of" in refuse("[tools.getBoat]\ntitle = 'x'", twice).message


def test_deprecated_operations_that_are_offered_already_stay_unless_they_shall_not() -> None:
    lock = Lock(names={"GET /old": "old_list"})
    for deprecated, offered in ((None, True), (False, False), (True, True)):
        config = Config(name="harbour", select=Select(deprecated=deprecated))
        made, _ = catalog(read(HARBOUR), config, lock, Report())
        assert ("GET /old" in {tool.key for tool in made.tools}) is offered
