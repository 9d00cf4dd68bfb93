"""What the author of a document wants: x-toolcast, and the extensions of others."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from toolcast import pipeline
from toolcast.diagnostics import Report
from toolcast.mapping.catalog import catalog
from toolcast.model.config import Config
from toolcast.model.lock import Lock

from .conftest import HARBOUR, Made, Make, read


def extended(make: Make, toml: str = "", /, **places: Any) -> Made:
    """The harbour with extensions at "root", "boats" (the tag), "/path", "GET /path" or "GET /path parameter"."""
    document: Any = copy.deepcopy(HARBOUR)
    for place, extensions in places.items():
        _place(document, place).update(extensions)
    return make(toml, document)


def _place(document: Any, place: str) -> Any:
    if place in ("root", "tag"):
        return document if place == "root" else document["tags"][0]
    method, path, *name = place.split(" ")
    item = document["paths"][path]
    if method == "PATH":
        return item
    operation = item[method.lower()]
    if not name:
        return operation
    if "requestBody" in operation:
        return operation["requestBody"]["content"]["application/json"]["schema"]["properties"][name[0]]
    return next(parameter for parameter in operation["parameters"] if parameter["name"] == name[0])


def own(**wish: Any) -> dict[str, Any]:
    return {"x-toolcast": wish}


def told(found: Made, code: str) -> list[str]:
    return [f"{d.message} {d.help}" for d in found.report.diagnostics if d.code == code]


def test_the_nearest_wish_counts(make: Make) -> None:
    found = extended(
        make,
        root=own(group="everything", budget=300),
        tag=own(group="of the tag"),
        **{
            "PATH /boats/{id}": own(group="of the path"),
            "GET /boats/{id}": own(group="of the operation", title="T", hints={"open_world": False}),
        },
    )
    groups = {tool.key: tool.group for tool in found.catalog.tools}
    assert groups["GET /tides"] == "everything"
    assert groups["GET /boats"] == "of_the_tag"
    assert groups["DELETE /boats/{id}"] == "of_the_path"
    assert groups["GET /boats/{id}"] == "of_the_operation"
    tool = found.tool("GET /boats/{id}")
    assert (tool.title, tool.hints.open_world.reason) == ("T", "the document: x-toolcast")


def test_the_owner_counts_before_the_document(make: Make) -> None:
    found = extended(
        make,
        "[tools.get_boat]\ntitle = 'Owner'\nhints.idempotent = true\n[tools.list_boats.arguments.limit]\ndefault = 5\n",
        **{
            "GET /boats/{id}": own(title="Author", description="Author's."),
            "GET /boats limit": own(default=50, description="Said."),
        },
    )
    tool = found.tool("GET /boats/{id}")
    assert (tool.title, tool.description) == ("Owner", "Author's.")
    assert found.properties("GET /boats")["limit"]["default"] == 5
    assert found.properties("GET /boats")["limit"]["description"] == "Said."


def test_a_parameter_counts_before_its_operation_and_a_property_too(make: Make) -> None:
    found = extended(
        make,
        **{
            "GET /boats": own(arguments={"limit": {"default": 1}, "port": {"fixed": "a"}}),
            "GET /boats limit": own(default=2),
            "POST /boats": own(arguments={"pin": {"description": "far"}}),
            "POST /boats pin": own(description="near"),
        },
    )
    assert found.properties("GET /boats")["limit"]["default"] == 2
    assert found.tool("GET /boats").fixed == {"port": "a"}
    assert found.properties("POST /boats")["pin"]["description"] == "near"


def test_whether_an_operation_is_a_tool_is_inherited(make: Make) -> None:
    found = extended(make, root={"x-toolcast": False}, **{"GET /tides": own(tool=True), "GET /old": own(tool=True)})
    assert set(found.names) == {"GET /tides", "GET /old"}
    found = extended(make, root={"x-mcp": False}, **{"PATH /boats": {"x-mcp": True}, "POST /boats": {"x-mcp": False}})
    assert set(found.names) == {"GET /boats"}
    assert "GET /old" not in extended(make, root={"x-mcp": True}).names


def test_other_meanings_of_x_mcp_are_noted(make: Make) -> None:
    found = extended(make, root={"x-mcp": {"servers": []}})
    assert len(found.names) == 7
    assert any("says nothing of tools" in text for text in told(found, "TC271"))


def test_speakeasy(make: Make) -> None:
    key = "x-speakeasy-mcp"
    found = extended(
        make,
        **{
            "GET /tides": {key: {"disabled": True}},
            "GET /boats": {
                key: {
                    "name": "find-boats",
                    "title": "Find",
                    "description": "Finds.",
                    "scopes": ["read", "boats"],
                    "annotations": {"openWorldHint": False},
                    "idempotentHint": True,
                    "disabled": False,
                }
            },
            "POST /boats": {key: {"title": 5}},
            "POST /tides": {key: "yes"},
        },
    )
    assert "GET /tides" not in found.names
    tool = found.tool("GET /boats")
    assert (tool.name, tool.title, tool.description, tool.group) == ("find_boats", "Find", "Finds.", "read")
    assert tool.hints.open_world.reason == "the document: x-speakeasy-mcp"
    assert len(told(found, "TC271")) == 2


def test_operations_that_are_no_tools_by_the_words_of_others(make: Make) -> None:
    found = extended(
        make,
        **{
            "GET /tides": {"x-mcp-server": {"name": "tides"}},
            "POST /tides": {"x-ms-visibility": "internal"},
            "PATH /boats/{id}": {"x-fern-ignore": True},
        },
    )
    assert set(found.names) == {"GET /boats", "POST /boats", "GET /docks/{dock}/plan"}


@pytest.mark.parametrize(("consequential", "destructive", "read_only"), [(True, True, False), (False, False, False)])
def test_consequential(make: Make, consequential: bool, destructive: bool, read_only: bool) -> None:
    key = "x-openai-isConsequential"
    hints = extended(make, **{"DELETE /boats/{id}": {key: consequential}}).tool("DELETE /boats/{id}").hints
    assert (hints.destructive.value, hints.read_only.value) == (destructive, read_only)
    assert hints.destructive.reason == f"the document: {key}"
    read = extended(make, **{"GET /tides": {key: consequential}}).tool("GET /tides").hints
    assert (read.read_only.value, read.destructive.value) == (not consequential, consequential)


def test_what_power_platform_says_of_parameters(make: Make) -> None:
    document: Any = copy.deepcopy(HARBOUR)
    parameters = document["paths"]["/boats"]["get"]["parameters"]
    parameters[0] |= {"x-ms-visibility": "internal", "schema": {"type": "integer", "default": 20}}
    parameters[1] |= {"x-ms-summary": "The port", "x-ms-visibility": "internal"}
    parameters[2] |= {"x-ms-visibility": "internal"}
    document["paths"]["/docks/{dock}/plan"]["get"]["parameters"][0]["x-ms-skip-url-encoding"] = True
    found = make("", document)
    assert set(found.properties("GET /boats")) == {"port"}
    assert found.properties("GET /boats")["port"]["description"] == "The port"
    assert found.tool("GET /boats").fixed == {"limit": 20}
    assert any("cannot be internal" in text for text in told(found, "TC271"))
    assert getattr(found.tool("GET /docks/{dock}/plan").bindings[0], "slashes", None) is True


def test_what_azure_says_of_operations(make: Make) -> None:
    pages = {"x-ms-pageable": {"nextLinkName": "next"}, "x-ms-long-running-operation": True}
    text = extended(make, **{"GET /tides": pages}).tool("GET /tides").description
    assert "`next` in it leads to the next one." in text and "goes on after the answer" in text


def test_inside_of_an_object_properties_can_be_hidden_and_told(make: Make) -> None:
    crew = {
        "type": "object",
        "required": ["rank"],
        "properties": {
            "name": {"type": "string", "description": "N.", "x-toolcast": {"description": "Full name."}},
            "etag": {"type": "string", "x-ms-visibility": "internal"},
            "trace": {"type": "string", "x-toolcast": {"hidden": True}},
            "rank": {"type": "string", "x-ms-visibility": "internal", "x-ms-summary": "The rank"},
            "watch": {
                "type": "string",
                "enum": ["a", "b"],
                "x-ms-enum": {
                    "name": "Watch",
                    "values": [{"value": "a", "description": "Before noon"}, {"value": "b", "name": "b"}, 5],
                },
            },
        },
    }
    document: Any = copy.deepcopy(HARBOUR)
    schema = document["paths"]["/boats"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    schema["properties"]["crew"] = {"type": "array", "items": crew}
    told_ = make("", document).properties("POST /boats")["crew"]["items"]["properties"]
    assert {name: inner.get("description") for name, inner in told_.items()} == {
        "name": "Full name.", "rank": "The rank", "watch": "a: Before noon",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("place", "extension"),
    [
        ("GET /tides", {"x-toolcast": 5}),
        ("GET /tides", {"x-toolcast": {"tittle": "x"}}),
        ("GET /tides", {"x-toolcast": {"title": 5, "budget": 5}}),
        ("GET /tides", {"x-toolcast": {"icons": [{"src": "http://i.example"}]}}),
        ("root", {"x-toolcast": {"name": "x"}}),
        ("GET /boats limit", {"x-toolcast": {"tool": False}}),
        ("GET /boats limit", {"x-toolcast": False}),
        ("POST /boats pin", {"x-toolcast": {"fixedd": 1}}),
        ("GET /tides", {"x-mcp": "no"}),
        ("GET /tides", {"x-openai-isConsequential": "no"}),
        ("GET /tides", {"x-ms-visibility": 5}),
        ("GET /tides", {"x-ms-pageable": True}),
        ("GET /tides", {"x-ms-long-running-operation": "yes"}),
        ("GET /boats limit", {"x-ms-skip-url-encoding": 1}),
    ],
)
def test_malformed_extensions_have_no_effect_and_are_said_with_their_place(
    make: Make, place: str, extension: dict[str, Any]
) -> None:
    found = extended(make, **{place: extension})
    assert len(found.names) == 7
    said = [d for d in found.report.diagnostics if d.code in ("TC270", "TC271")]
    assert said and all(d.location is not None and next(iter(extension)) in d.location.pointer for d in said)


@pytest.mark.parametrize(
    ("place", "extension", "said"),
    [
        ("GET /tides", own(name="call_tool"), "a tool of the server's own"),
        ("GET /tides", {"x-speakeasy-mcp": {"name": "§"}}, "cannot be the name"),
        ("GET /tides", own(hints={"destructive": True}), "What only reads"),
        ("GET /boats", {"x-toolcast": {"as": "resource"}}, "cannot be a resource"),
        ("POST /boats", own(media_type="text/csv"), "cannot be sent"),
        ("GET /boats port", own(hidden=True), "cannot be hidden"),
        ("GET /boats limit", own(default="x"), "does not take"),
        ("GET /boats limit", own(slashes="keep"), "of the path only"),
        ("POST /tides", own(body="flat"), "cannot be flat"),
    ],
)
def test_wishes_of_a_document_that_cannot_be_are_warnings(
    make: Make, place: str, extension: dict[str, Any], said: str
) -> None:
    found = extended(make, **{place: extension})
    assert len(found.names) == 7
    assert any(said in text for text in told(found, "TC272"))


def test_a_documents_name_is_for_tools_that_have_none_yet(make: Make) -> None:
    document: Any = copy.deepcopy(HARBOUR)
    _, lock = catalog(read(document), Config(name="harbour"), Lock(), Report())
    document["paths"]["/tides"]["get"]["x-toolcast"] = {"name": "ebb_and_flow", "group": "water"}
    made, _ = catalog(read(document), Config(name="harbour"), lock, Report())
    tool = next(tool for tool in made.tools if tool.key == "GET /tides")
    assert (tool.name, tool.group) == ("tides", "tides")
    fresh, _ = catalog(read(document), Config(name="harbour"), Lock(), Report())
    tool = next(tool for tool in fresh.tools if tool.key == "GET /tides")
    assert (tool.name, tool.group) == ("ebb_and_flow", "water")


def test_an_overlay_is_a_way_to_say_it(tmp_path: Path) -> None:
    (tmp_path / "api.json").write_text(json.dumps(HARBOUR))
    (tmp_path / "o.yaml").write_text(
        "overlay: 1.0.0\ninfo: {title: T, version: '1'}\nactions:\n- target: $.paths['/tides'].get\n"
        "  update:\n    x-toolcast:\n      name: ebb_and_flow\n      budgte: 1\n"
    )
    report = Report()
    found = pipeline.inspect(str(tmp_path / "api.json"), report=report, overlays=[str(tmp_path / "o.yaml")])
    assert "ebb_and_flow" in {tool.name for tool in found.catalog.tools}
    (malformed,) = [d for d in report.diagnostics if d.code == "TC270"]
    assert malformed.location is not None
    assert (malformed.location.file, malformed.location.line) == (str(tmp_path / "o.yaml"), 8)
