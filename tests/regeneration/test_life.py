"""The life of an API: ten versions of its document, and an owner who edits the package between them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from typing import Any, cast

import pytest
import yaml

from toolcast import comparing, drift, pipeline
from toolcast.diagnostics import Report

from .conftest import Owner

CONTRACT = "src/orchard_mcp/api/tools.json"
TREES = "src/orchard_mcp/api/groups/trees.py"
TREE_TESTS = "tests/test_trees.py"
SERVER = "src/orchard_mcp/server.py"

ANSWER = {"200": {"description": "OK."}}
TREE_ID = {"name": "id", "in": "path", "required": True, "schema": {"type": "integer"}}

Document = dict[str, Any]


def operation(name: str, *parameters: Mapping[str, Any], tag: str = "trees", **more: Any) -> dict[str, Any]:
    """An operation with what every one of them has."""
    found: dict[str, Any] = {"operationId": name, "tags": [tag], "responses": ANSWER, **more}
    return found | ({"parameters": list(parameters)} if parameters else {})


def query(name: str, kind: str = "string", **more: Any) -> dict[str, Any]:
    """A query parameter."""
    return {"name": name, "in": "query", "schema": {"type": kind}, **more}


def first() -> Document:
    """The document as it was published, in the dialect of its time."""
    limit = {"name": "limit", "in": "query", "type": "integer"}
    identity = {"name": "id", "in": "path", "required": True, "type": "integer"}
    body = {"name": "body", "in": "body", "required": True, "schema": {"$ref": "#/definitions/Tree"}}
    return {
        "swagger": "2.0",
        "info": {"title": "Orchard", "version": "1.0"},
        "host": "orchard.example",
        "schemes": ["https"],
        "consumes": ["application/json"],
        "produces": ["application/json"],
        "paths": {
            "/trees": {
                "get": operation("listTrees", limit, summary="List the trees"),
                "post": operation("plantTree", body, summary="Plant a tree"),
            },
            "/trees/{id}": {
                "get": operation("getTree", identity, summary="One tree"),
                "delete": operation("fellTree", identity, summary="Fell a tree"),
            },
            "/harvests": {"get": operation("listHarvests", tag="harvests", summary="List the harvests")},
        },
        "definitions": {"Tree": {"type": "object", "required": ["kind"], "properties": {"kind": {"type": "string"}}}},
    }


def upgraded() -> Document:
    """The same in OpenAPI 3.1."""
    tree = {"type": "object", "required": ["kind"], "properties": {"kind": {"type": "string"}}}
    body = {"required": True, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Tree"}}}}
    return {
        "openapi": "3.1.0",
        "info": {"title": "Orchard", "version": "1.0"},
        "servers": [{"url": "https://orchard.example"}],
        "paths": {
            "/trees": {
                "get": operation("listTrees", query("limit", "integer"), summary="List the trees"),
                "post": operation("plantTree", summary="Plant a tree", requestBody=body),
            },
            "/trees/{id}": {
                "get": operation("getTree", TREE_ID, summary="One tree"),
                "delete": operation("fellTree", TREE_ID, summary="Fell a tree"),
            },
            "/harvests": {"get": operation("listHarvests", tag="harvests", summary="List the harvests")},
        },
        "components": {"schemas": {"Tree": tree}},
    }


def grown() -> Document:
    """With operations more, one of them in a group of its own."""
    document = upgraded()
    document["paths"]["/trees/{id}/notes"] = {"get": operation("listNotes", TREE_ID, summary="Notes on a tree")}
    document["paths"]["/ladders"] = {"get": operation("listLadders", tag="ladders", summary="List the ladders")}
    return document


def renamed() -> Document:
    """With an operationId that somebody found better."""
    document = grown()
    document["paths"]["/trees/{id}"]["get"]["operationId"] = "retrieveTree"
    return document


def moved() -> Document:
    """With a path that is another."""
    document = renamed()
    document["paths"]["/yields"] = document["paths"].pop("/harvests")
    return document


def retyped() -> Document:
    """With a parameter of another type, and one more that can be given."""
    document = moved()
    document["paths"]["/trees"]["get"]["parameters"] = [query("limit"), query("kind")]
    return document


def reordered() -> Document:
    """With everything in another order."""

    def turned(value: Any) -> Any:
        if isinstance(value, dict):
            table = cast("Document", value)
            return {key: turned(item) for key, item in reversed(list(table.items()))}
        return value

    return turned(retyped())


def collided() -> Document:
    """With an operation that would have the name of an old one."""
    document = reordered()
    document["paths"]["/archive/trees"] = {"get": operation("list_trees", tag="trees", summary="List felled trees")}
    return document


def shrunk() -> Document:
    """Without the ladders, and without notes."""
    document = collided()
    del document["paths"]["/ladders"], document["paths"]["/trees/{id}/notes"]
    return document


def demanding() -> Document:
    """With a parameter that has to be given."""
    document = shrunk()
    document["paths"]["/trees"]["get"]["parameters"].append(query("orchard", required=True))
    return document


VERSIONS = {
    "the dialect": (upgraded, 10),
    "operations more": (grown, 10),
    "an operationId": (renamed, 10),
    "a path": (moved, 10),
    "a type": (retyped, None),
    "the order": (reordered, 0),
    "a collision": (collided, 10),
    "operations fewer": (shrunk, 20),
    "a demand": (demanding, 20),
}

# After which version the owner edits, and what.
EDITS = {
    "": (TREES, "from __future__", "PLANTED = 1  # mine"),
    "the dialect": (SERVER, "return Server(API)", "# mine: a server of my own"),
    "operations more": ("README.md", "# orchard-mcp", "\nThese words are mine."),
    "an operationId": (TREE_TESTS, "from .conftest import Sent", "# mine: what I try myself"),
    "a path": ("pyproject.toml", "requires-python", "# mine: why this version"),
    "a collision": (TREES, "PLANTED = 1", "FELLED = 2  # mine"),
}


def names(owner: Owner) -> dict[str, str]:
    """The tools' names by the keys of their operations."""
    return json.loads(owner.text("toolcast.lock"))["names"]


def tools(owner: Owner) -> list[str]:
    """The tools that an agent sees."""
    return [tool["name"] for tool in json.loads(owner.text(CONTRACT))["tools"]]


def emitted_tests(owner: Owner) -> None:
    """Run the package's own tests, with what the owner has made of them."""
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "."],
        cwd=owner.package,
        env={name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
        | {"PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout


class Orchard(Owner):
    """An owner of this package."""

    __slots__ = ()

    @property
    def package(self) -> Any:
        """The package's folder."""
        return self.folder / "orchard"


@pytest.mark.slow
def test_an_apis_life(owner: Owner) -> None:
    owner = Orchard(owner.folder)
    owner.git("init", "--quiet")
    document = owner.folder / "orchard.yaml"
    document.write_text(yaml.safe_dump(first(), sort_keys=False), "utf-8")
    pipeline.generate(str(document), owner.package, report=Report(), name="orchard")
    given = dict(names(owner))
    assert sorted(given.values()) == ["fell_tree", "get_tree", "list_harvests", "list_trees", "plant_tree"]
    edits: dict[str, list[str]] = {}
    for version in ("", *VERSIONS):
        if version:
            make, status = VERSIONS[version]
            document.write_text(yaml.safe_dump(make(), sort_keys=False), "utf-8")
            seen = drift.check(owner.package, report=Report())
            assert status is None or seen.status == status, (version, seen.changes)
            compared = comparing.diff(str(owner.package), str(document), report=Report())
            assert (compared.verdict in ("risk", "breaking")) == (seen.status == drift.BREAKING), version
            made = owner.update()
            assert made.applied, (version, made.plan.of("conflict"))
            assert drift.check(owner.package, report=Report()).status == 0, version
        if version in EDITS:
            path, after, line = EDITS[version]
            edits.setdefault(path, []).append(owner.edit(path, after=after, line=line))
        for path, lines in edits.items():
            assert all(line in owner.text(path) for line in lines), (version, path)
        now = names(owner)
        for key, name in given.items():  # a name once given is never another's
            assert now.get(key, name) == name, version
            assert list(now.values()).count(name) <= 1, version
        given |= now
        if version in ("", "the dialect", "a path", "a collision", "a demand"):
            emitted_tests(owner)
        owner.commit()
    assert {"list_trees", "get_tree", "plant_tree", "fell_tree", "list_harvests"} <= set(tools(owner))
    assert names(owner)["GET /yields"] == "list_harvests"
    assert names(owner)["GET /trees"] == "list_trees"
    assert names(owner)["GET /archive/trees"] != "list_trees"
    assert owner.text("toolcast.lock").count('"list_ladders"') > 0  # it is not given away
