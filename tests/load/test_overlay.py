"""Overlays: what they change, what they must not, and that what is said of the result names the overlay."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, cast

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolcast.diagnostics import Diagnostic, Failure, Report
from toolcast.load.authored import authored
from toolcast.load.document import load
from toolcast.load.origins import Origins
from toolcast.load.overlay_actions import Actions
from toolcast.model.pointer import join

from .conftest import Web

API = """\
openapi: 3.1.0
info:
  title: Ferries
  version: "1"
tags: [{name: boats}]
paths:
  /boats:
    get:
      summary: Boats
      tags: [boats, internal]
      parameters:
      - {name: dock, in: query, schema: {type: string}}
      - {name: debug, in: query, schema: {type: boolean}}
      - {name: size, in: query, schema: {type: integer}}
      responses: {"200": {description: OK}}
  /docks:
    get:
      summary: Docks
      responses: {"200": {description: OK}}
"""
HEAD = 'overlay: {version}\ninfo: {{title: Changes, version: "1"}}\n'


def overlay(path: Path, actions: str, version: str = "1.1.0", extends: str = "") -> str:
    path.write_text(HEAD.format(version=version) + extends + f"actions:\n{actions}", "utf-8")
    return str(path)


def result(tmp_path: Path, *actions: str, version: str = "1.1.0", report: Report | None = None, api: str = API) -> Any:
    """The ferries' document with overlays of these actions."""
    path = tmp_path / "api.yaml"
    path.write_text(api, "utf-8")
    overlays = [overlay(tmp_path / f"{n}.overlay.yaml", text, version) for n, text in enumerate(actions)]
    return authored(str(path), report or Report(), overlays=overlays).root


def refusal(tmp_path: Path, action: str, **options: Any) -> Diagnostic:
    with pytest.raises(Failure) as caught:
        result(tmp_path, action, **options)
    assert caught.value.diagnostic.help
    return caught.value.diagnostic


def test_objects_merge_lists_grow_and_values_are_replaced(tmp_path: Path) -> None:
    boats = result(
        tmp_path,
        "- target: $.paths['/boats'].get\n"
        "  update: {summary: All boats, tags: [afloat], externalDocs: {url: 'https://f.example'}}\n",
    )["paths"]["/boats"]["get"]
    assert boats["summary"] == "All boats"
    assert boats["tags"] == ["boats", "internal", "afloat"]
    assert boats["externalDocs"] == {"url": "https://f.example"}
    assert [p["name"] for p in boats["parameters"]] == ["dock", "debug", "size"]


def test_a_list_takes_one_entry_or_several(tmp_path: Path) -> None:
    made = result(
        tmp_path, "- {target: $.tags, update: {name: docks}}\n- {target: $.tags, update: [{name: a}, {name: b}]}\n"
    )
    assert [tag["name"] for tag in made["tags"]] == ["boats", "docks", "a", "b"]


def test_single_values_are_replaced_and_removed(tmp_path: Path) -> None:
    made = result(
        tmp_path,
        "- {target: $.paths.*.get.summary, update: Listed}\n"
        "- {target: \"$.paths.*.get.tags[?@ == 'internal']\", remove: true}\n",
    )
    assert [item["get"]["summary"] for item in made["paths"].values()] == ["Listed", "Listed"]
    assert made["paths"]["/boats"]["get"]["tags"] == ["boats"]


def test_several_parts_of_a_list_are_removed_at_once(tmp_path: Path) -> None:
    made = result(tmp_path, "- {target: \"$.paths['/boats'].get.parameters[0,1,0]\", remove: true}\n")
    assert [p["name"] for p in made["paths"]["/boats"]["get"]["parameters"]] == ["size"]


def test_nothing_is_removed_twice_when_one_part_lies_in_another(tmp_path: Path) -> None:
    assert result(tmp_path, "- {target: '$.paths..*', remove: true}\n")["paths"] == {}


def test_actions_and_overlays_follow_one_another(tmp_path: Path) -> None:
    made = result(
        tmp_path,
        "- {target: $.paths, update: {/ships: {}}}\n"
        "- {target: \"$.paths['/ships']\", copy: \"$.paths['/boats']\"}\n"
        "- {target: \"$.paths['/boats']\", remove: true}\n",
        "- {target: \"$.paths['/ships'].get\", update: {summary: Ships}}\n",
    )
    assert list(made["paths"]) == ["/docks", "/ships"]
    assert made["paths"]["/ships"]["get"]["summary"] == "Ships"


def test_what_is_copied_or_added_in_several_places_is_not_shared(tmp_path: Path) -> None:
    made = result(
        tmp_path,
        "- {target: $.paths.*.get, update: {x-a: {b: []}}}\n- {target: \"$.paths['/boats'].get.x-a.b\", update: 1}\n",
    )
    assert made["paths"]["/boats"]["get"]["x-a"]["b"] == [1]
    assert made["paths"]["/docks"]["get"]["x-a"]["b"] == []


def test_an_alias_of_the_document_is_changed_in_one_place_only(tmp_path: Path) -> None:
    api = "openapi: 3.1.0\ninfo: {title: T, version: '1'}\npaths:\n  /a: &a {get: {responses: {}}}\n  /b: *a\n"
    made = result(tmp_path, "- {target: \"$.paths['/a'].get\", update: {summary: A}}\n", api=api)
    assert made["paths"] == {"/a": {"get": {"responses": {}, "summary": "A"}}, "/b": {"get": {"responses": {}}}}


def test_a_target_that_selects_nothing_is_a_warning_at_its_line(tmp_path: Path) -> None:
    report = Report()
    path = tmp_path / "api.yaml"
    path.write_text(API, "utf-8")
    load(str(path), report, overlays=[overlay(tmp_path / "o.yaml", "- target: $.paths['/boat']\n  remove: true\n")])
    (found,) = report.diagnostics
    assert (found.code, found.severity) == ("TC131", "warning")
    assert found.location is not None and (found.location.file, found.location.line) == (str(tmp_path / "o.yaml"), 4)


@pytest.mark.parametrize(
    ("action", "code", "said"),
    [
        ("- {target: paths, remove: true}\n", "TC041", "no JSONPath"),
        ("- {target: '$.paths[', remove: true}\n", "TC041", "no JSONPath"),
        ("- {target: '', remove: true}\n", "TC041", "no JSONPath"),
        ("- {target: '$.a|$.b', remove: true}\n", "TC041", "RFC 9535"),
        ("- {update: {}}\n", "TC041", "no `target`"),
        ("- {target: 5, remove: true}\n", "TC041", "no `target`"),
        ("- {target: $.info, remove: 'yes'}\n", "TC041", "true or false"),
        ("- {target: $.info, update: {}, copy: $.tags}\n", "TC041", "`update` and `copy`"),
        ("- {target: $, remove: true}\n", "TC042", "whole document"),
        ("- {target: '$.info[*]', update: {}}\n", "TC042", "where the document has a single value"),
        ("- {target: $.*, update: {}}\n", "TC042", "at once"),
        ("- {target: $.info, update: [1]}\n", "TC042", "a list where the document has an object"),
        ("- {target: $.info, update: {title: {a: 1}}}\n", "TC042", "an object where the document has a single value"),
        ("- {target: $.info, copy: $.nothing}\n", "TC042", "selects no parts"),
        ("- {target: $.info, copy: $.paths.*}\n", "TC042", "selects 2 parts"),
        ("  []\n", "TC041", "no `actions`"),
    ],
)  # fmt: skip
def test_actions_that_cannot_be_carried_out(tmp_path: Path, action: str, code: str, said: str) -> None:
    found = refusal(tmp_path, action)
    assert found.code == code
    assert said in found.message
    assert found.location is not None and found.location.file == str(tmp_path / "0.overlay.yaml")


def test_before_1_1_a_value_may_become_one_of_another_kind(tmp_path: Path) -> None:
    made = result(tmp_path, "- {target: $.info, update: {title: [a, b]}}\n", version="1.0.0")
    assert made["info"]["title"] == ["a", "b"]


def test_null_takes_the_place_of_no_object(tmp_path: Path) -> None:
    report = Report()
    made = result(tmp_path, "- {target: $, update: {paths: null, x-empty: null}}\n", report=report)
    assert len(made["paths"]) == 2 and made["x-empty"] is None
    assert [d.code for d in report.diagnostics] == ["TC132"]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("openapi: 3.1.0\ninfo: {}\n", "TC040"),
        ("- 1\n", "TC040"),
        ("overlay: 2.0.0\nactions: [{target: $, update: {}}]\n", "TC040"),
        ("overlay: 1.0.0\n", "TC041"),
        ("overlay: [\n", "TC020"),
    ],
)
def test_what_is_no_overlay(tmp_path: Path, text: str, code: str) -> None:
    (tmp_path / "api.yaml").write_text(API, "utf-8")
    (tmp_path / "o.yaml").write_text(text, "utf-8")
    with pytest.raises(Failure) as caught:
        authored(str(tmp_path / "api.yaml"), Report(), overlays=[str(tmp_path / "o.yaml")])
    assert caught.value.diagnostic.code == code


def test_odd_overlays_are_applied_and_said(tmp_path: Path) -> None:
    report = Report()
    made = result(
        tmp_path,
        "- {target: $.info, copy: '$.tags[0]', updaet: 1}\n- {target: $.info}\n"
        "- {target: $.tags, remove: true, update: 1}\n",
        version="1.0.0",
        report=report,
    )
    assert made["info"]["name"] == "boats" and "tags" not in made
    told = "\n".join(f"{d.code} {d.message} {d.help}" for d in report.diagnostics)
    for part in ("`update`?", "`copy` is of Overlay 1.1", "does nothing", "`remove` counts"):
        assert part in told


def test_growth_is_bounded(tmp_path: Path) -> None:
    doubling = "- {target: $.x-big, copy: $.x-big}\n"
    found = refusal(tmp_path, "- {target: $, update: {x-big: ['" + "a" * 100_000 + "']}}\n" + doubling * 40)
    assert found.code == "TC043"


def test_findings_about_what_an_overlay_brought_point_at_the_overlay(tmp_path: Path) -> None:
    report = Report()
    path = tmp_path / "api.yaml"
    path.write_text(API, "utf-8")
    actions = (
        "- target: $.paths['/boats'].get.parameters[0]\n  remove: true\n"
        "- target: $.paths['/docks'].get\n  update:\n    parameters:\n    - {name: id, in: nowhere}\n"
    )
    document = load(str(path), report, overlays=[overlay(tmp_path / "o.yaml", actions)], validate=True)
    places = {(Path(d.location.file).name, d.location.line) for d in report.diagnostics if d.location is not None}
    assert ("o.yaml", 9) in places
    # What has moved up in a list is still found where its author wrote it.
    shifted = join(("paths", "/boats", "get", "parameters", "1"))
    location = next(d.location for d in report.diagnostics if d.location is not None)
    assert document.lines(type(location)(file=str(path), pointer=shifted)) == 14


def test_an_overlay_given_as_the_document_stands_for_what_it_extends(tmp_path: Path) -> None:
    (tmp_path / "apis").mkdir()
    (tmp_path / "apis/api.yaml").write_text(API, "utf-8")
    first = overlay(
        tmp_path / "first.yaml", "- {target: $.info, update: {title: One}}\n", extends="extends: apis/api.yaml\n"
    )
    second = overlay(
        tmp_path / "second.yaml", "- {target: $.info, update: {x-was: 1}}\n", extends="extends: first.yaml\n"
    )
    document = load(second, Report())
    info: Any = document.root["info"]
    assert (info["title"], info["x-was"]) == ("One", 1)
    assert document.address == second and document.file == str(tmp_path / "apis/api.yaml")
    assert load(first, Report()).digest != document.digest


def test_overlays_that_extend_one_another_without_end(tmp_path: Path) -> None:
    overlay(tmp_path / "a.yaml", "- {target: $, update: {}}\n", extends="extends: b.yaml\n")
    overlay(tmp_path / "b.yaml", "- {target: $, update: {}}\n", extends="extends: a.yaml\n")
    with pytest.raises(Failure) as caught:
        load(str(tmp_path / "a.yaml"), Report())
    assert caught.value.diagnostic.code == "TC040"


def test_an_overlay_from_the_network_extends_no_file_of_this_machine(tmp_path: Path, web: Web) -> None:
    (tmp_path / "api.yaml").write_text(API, "utf-8")
    text = HEAD.format(version="1.1.0") + "actions: [{target: $, update: {x-over: 1}}]\nextends: "
    for extends in (f"file://{tmp_path}/api.yaml", "ftp://f.example/api.yaml"):
        address = web.serves("/o.yaml", f"{text}{extends}".encode())
        with pytest.raises(Failure) as caught:
            load(address, Report())
        assert caught.value.diagnostic.code == "TC040"
    web.serves("/api.yaml", API.encode())
    assert load(web.serves("/o.yaml", f"{text}api.yaml".encode()), Report()).root["x-over"] == 1


def test_an_overlay_for_another_document_is_mentioned(tmp_path: Path) -> None:
    path = tmp_path / "api.yaml"
    path.write_text(API, "utf-8")
    for extends, codes in (("api.yaml", []), ("https://f.example/api.yaml", ["TC133"])):
        report = Report()
        one = overlay(tmp_path / "o.yaml", "- {target: $, update: {x: 1}}\n", extends=f"extends: {extends}\n")
        authored(str(path), report, overlays=[one])
        assert [d.code for d in report.diagnostics] == codes


def test_the_digest_is_that_of_the_result(tmp_path: Path) -> None:
    path, whole = tmp_path / "api.yaml", tmp_path / "whole.yaml"
    path.write_text(API, "utf-8")
    whole.write_text(API.replace("title: Ferries", "title: Boats"), "utf-8")
    one = overlay(tmp_path / "o.yaml", "- {target: $.info, update: {title: Boats}}\n")
    assert load(str(path), Report(), overlays=[one]).digest == load(str(whole), Report()).digest


def test_references_that_an_overlay_brings_are_followed(tmp_path: Path) -> None:
    path = tmp_path / "api.yaml"
    path.write_text(API, "utf-8")
    (tmp_path / "parts.yaml").write_text("dock: {name: dock, in: query, schema: {type: integer}}\n", "utf-8")
    actions = "- {target: \"$.paths['/docks'].get\", update: {parameters: [{$ref: 'parts.yaml#/dock'}]}}\n"
    assert "parts.yaml" in load(str(path), Report(), overlays=[overlay(tmp_path / "o.yaml", actions)]).files


_SCALARS = st.none() | st.booleans() | st.integers(-9, 9) | st.text("ab", max_size=2)
_VALUES: st.SearchStrategy[Any] = st.recursive(
    _SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3)
)
_TARGETS = st.sampled_from(["$", "$.a", "$.b", "$..a", "$.*", "$..*", "$.a[0]", "$.b[*]", "$..[?@.a]", "$.c.a"])
_ACTIONS: st.SearchStrategy[Any] = st.lists(
    st.fixed_dictionaries({"target": _TARGETS, "update": _VALUES})
    | st.fixed_dictionaries({"target": _TARGETS, "remove": st.just(True)})
    | st.fixed_dictionaries({"target": _TARGETS, "copy": _TARGETS}),
    max_size=5,
)


@given(st.dictionaries(st.sampled_from("abc"), _VALUES, max_size=3), _ACTIONS)
def test_every_part_of_a_result_is_where_it_is_said_to_come_from(root: Any, actions: Any) -> None:
    """Whatever actions do: what an origin leads to, in the document or in the overlay, is what stands there now."""
    written = {"api": json.loads(json.dumps(root)), "overlay": {"actions": actions}}
    made = orjson.loads(orjson.dumps(root))
    origins, report = Origins(made, "api"), Report()
    runner = Actions(made, origins, report)
    for index, action in enumerate(actions):
        try:
            runner.apply(action, ("overlay", join(("actions", index))), strict=True)
        except Failure as failure:
            assert failure.diagnostic.code in ("TC041", "TC042")
    for value, path in _leaves(made, ()):
        file, pointer = origins.of(path).place
        node: Any = written[file]
        for name in pointer.split("/")[1:]:
            node = cast("list[Any]", node)[int(name)] if isinstance(node, list) else node[name]
        assert node == value


def _leaves(node: Any, path: tuple[Any, ...]) -> list[tuple[Any, tuple[Any, ...]]]:
    if isinstance(node, list):
        return [leaf for at, value in enumerate(cast("list[Any]", node)) for leaf in _leaves(value, (*path, at))]
    if isinstance(node, dict):
        members = cast("dict[str, Any]", node).items()
        return [leaf for name, value in members for leaf in _leaves(value, (*path, name))]
    return [(node, path)]
