"""Comparing what stands in files, in packages and at revisions of git."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from toolcast import pipeline
from toolcast.comparing import diff
from toolcast.contract import Comparison
from toolcast.diagnostics import Failure, Report

OLD = """\
openapi: 3.1.0
info: {title: Pet shelter, version: "1"}
servers: [{url: "https://shelter.example/v1"}]
paths:
  /pets:
    get:
      operationId: listPets
      summary: List the pets
      parameters: [{name: limit, in: query, schema: {type: integer}}]
      responses: {"200": {description: OK}}
  /pets/{id}:
    get:
      operationId: getPet
      summary: Get a pet
      parameters: [{$ref: "parts/common.yaml#/id"}]
      responses: {"200": {description: OK}}
"""
PARTS = """\
id: {name: id, in: path, required: true, schema: {$ref: "./types.yaml#/id"}}
"""
TYPES = "id: {type: integer}\n"
NEW = OLD.replace("/pets/{id}", "/v2/pets/{id}").replace("listPets", "allPets")


@pytest.fixture
def shelter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a document in three files, in which we are."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "parts").mkdir()
    (tmp_path / "openapi.yaml").write_text(OLD, "utf-8")
    (tmp_path / "parts/common.yaml").write_text(PARTS, "utf-8")
    (tmp_path / "parts/types.yaml").write_text(TYPES, "utf-8")
    return tmp_path


Git = Callable[..., None]


@pytest.fixture
def git(shelter: Path) -> Git:
    """Run git in a repository of that folder."""

    def run(*arguments: str) -> None:
        identity = ["-c", "user.name=T", "-c", "user.email=t@t.test", "-c", "commit.gpgsign=false"]
        subprocess.run(["git", *identity, *arguments], cwd=shelter, check=True, capture_output=True)

    run("init", "-q")
    run("add", ".")
    run("commit", "-qm", "one")
    return run


def compared(old: str, new: str) -> Comparison:
    """The comparison, of documents without an error."""
    report = Report()
    found = diff(old, new, report=report)
    assert not report.diagnostics
    return found


def kinds(found: Comparison) -> list[str]:
    """What has changed, sizes aside."""
    return [f"{change.tool} {change.kind}" for change in found.changes if change.kind != "size"]


def test_names_correspond_whatever_has_moved(shelter: Path) -> None:
    (shelter / "new.yaml").write_text(NEW, "utf-8")
    found = compared("openapi.yaml", "new.yaml")
    assert kinds(found) == ["get_pet operation"]
    assert found.verdict == "compatible"


def test_the_yaml_and_the_json_form_of_a_document_are_the_same(shelter: Path) -> None:
    schema = {"type": "integer"}
    value = {
        "openapi": "3.1.0",
        "paths": {"/a": {"get": {"operationId": "a", "responses": {"200": {"description": "OK"}}}}},
        "info": {"version": "1", "title": "A"},
        "components": {"schemas": {"Unused": schema}},
    }
    (shelter / "a.json").write_text(json.dumps(value), "utf-8")
    operation = "{get: {operationId: a, responses: {'200': {description: OK}}}}"
    text = f"info: {{title: A, version: '1'}}\nopenapi: 3.1.0\npaths: {{/a: {operation}}}\n"
    (shelter / "a.yaml").write_text(text, "utf-8")
    assert compared("a.json", "a.yaml").changes == ()


def test_a_package_a_contract_and_a_document(shelter: Path) -> None:
    pipeline.generate("openapi.yaml", shelter / "mcp", report=Report(), name="shelter")
    contract = "mcp/src/shelter_mcp/api/tools.json"
    for one in ("openapi.yaml", "mcp", contract):
        for other in ("openapi.yaml", "mcp", contract):
            assert compared(one, other).changes == (), (one, other)
    (shelter / "openapi.yaml").write_text(NEW.replace("shelter.example", "other.example"), "utf-8")
    for old in ("mcp", contract):
        assert kinds(compared(old, "openapi.yaml")) == [" origin-added", " origin-removed", "get_pet operation"]
    assert kinds(compared("openapi.yaml", "mcp")) == [" origin-added", " origin-removed", "get_pet operation"]
    # Without the lock beside it a contract says what the tools are, and no more.
    shutil.copy(contract, "tools.json")
    assert kinds(compared("tools.json", "openapi.yaml")) == ["all_pets tool-renamed"]


def test_a_captured_answer_is_a_contract(shelter: Path) -> None:
    tool = {"name": "a", "inputSchema": {"type": "object"}}
    (shelter / "one.json").write_text(json.dumps({"jsonrpc": "2.0", "id": 1, "result": {"tools": [tool]}}), "utf-8")
    (shelter / "two.json").write_text(json.dumps({"tools": [tool, {**tool, "name": "b"}]}), "utf-8")
    assert kinds(compared("one.json", "two.json")) == ["b tool-added"]


def test_a_document_at_a_revision_with_what_it_refers_to(
    shelter: Path, git: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    (shelter / "parts/types.yaml").write_text("id: {type: string}\n", "utf-8")
    (shelter / "parts/common.yaml").unlink()
    (shelter / "parts/renamed.yaml").write_text(PARTS, "utf-8")
    (shelter / "openapi.yaml").write_text(OLD.replace("common.yaml", "renamed.yaml"), "utf-8")
    assert kinds(compared("HEAD:openapi.yaml", "openapi.yaml")) == ["get_pet type"]
    git("add", ".")
    git("commit", "-qm", "two")
    git("tag", "v2")
    assert kinds(compared("HEAD~1:openapi.yaml", "v2:openapi.yaml")) == ["get_pet type"]
    (shelter / "sub").mkdir()
    monkeypatch.chdir(shelter / "sub")
    assert kinds(compared("HEAD~1:openapi.yaml", "HEAD:../openapi.yaml")) == ["get_pet type"]


def test_a_package_at_a_revision(shelter: Path, git: Git) -> None:
    pipeline.generate("openapi.yaml", shelter / "mcp", report=Report(), name="shelter")
    git("add", ".")
    git("commit", "-qm", "package")
    (shelter / "parts/types.yaml").write_text("id: {type: string}\n", "utf-8")
    pipeline.generate("openapi.yaml", shelter / "mcp", report=Report(), name="shelter")
    assert kinds(compared("HEAD:mcp", "mcp")) == ["get_pet type"]
    path = "mcp/src/shelter_mcp/api/tools.json"
    assert kinds(compared(f"HEAD:{path}", path)) == ["get_pet type"]
    assert kinds(compared("HEAD:mcp/", "openapi.yaml")) == ["get_pet type"]


@pytest.mark.parametrize(
    ("address", "code", "told"),
    [
        ("nowhere.yaml", "TC001", "nowhere.yaml"),
        ("parts", "TC801", "parts"),
        ("HEAD~9:openapi.yaml", "TC802", "HEAD~9"),
        ("--help:openapi.yaml", "TC802", "--help"),
        ("HEAD:common.yaml", "TC803", "HEAD:parts/common.yaml"),
        ("HEAD:parts", "TC801", "HEAD:parts"),
        ("HEAD:", "TC801", "HEAD:"),
    ],
)
def test_what_is_not_there_is_told(shelter: Path, git: Git, address: str, code: str, told: str) -> None:
    for old, new in ((address, "openapi.yaml"), ("openapi.yaml", address)):
        with pytest.raises(Failure) as failure:
            compared(old, new)
        diagnostic = failure.value.diagnostic
        assert diagnostic.code == code
        assert told in f"{diagnostic.message} {diagnostic.help}"


def test_without_a_repository_a_revision_is_no_file(shelter: Path) -> None:
    with pytest.raises(Failure) as failure:
        compared("HEAD:openapi.yaml", "openapi.yaml")
    assert failure.value.diagnostic.code in ("TC802", "TC804")


def test_a_fault_at_a_revision_is_told_with_its_place_there(shelter: Path, git: Git) -> None:
    (shelter / "openapi.yaml").write_text(OLD.replace("parts/common", "parts/absent"), "utf-8")
    git("commit", "-qam", "broken")
    report = Report()
    found = diff("HEAD:openapi.yaml", "HEAD~1:openapi.yaml", report=report)
    assert kinds(found) == ["get_pet tool-added"]
    (error,) = [d for d in report.diagnostics if d.operation]
    assert error.location is not None
    assert error.location.file == "HEAD:openapi.yaml" and error.location.line
    (shelter / "openapi.yaml").write_text("a: [", "utf-8")
    git("commit", "-qam", "worse")
    with pytest.raises(Failure) as failure:
        diff("HEAD:openapi.yaml", "openapi.yaml", report=Report())
    told = failure.value.diagnostic
    assert (
        "HEAD:openapi.yaml" in f"{told.message} {told.location}"
        and "toolcast-" not in f"{told.message} {told.location}"
    )


def test_links_and_names_with_spaces_are_followed(shelter: Path, git: Git) -> None:
    (shelter / "my parts").mkdir()
    (shelter / "my parts/a b.yaml").write_text(PARTS.replace("./types", "../parts/types"), "utf-8")
    (shelter / "spaced.yaml").write_text(OLD.replace("parts/common.yaml", "my%20parts/a%20b.yaml"), "utf-8")
    (shelter / "top.yaml").write_text(PARTS.replace("./types", "parts/types"), "utf-8")
    (shelter / "linked.yaml").symlink_to("top.yaml")
    (shelter / "through.yaml").write_text(OLD.replace("parts/common.yaml", "linked.yaml"), "utf-8")
    (shelter / "away.yaml").symlink_to("../../etc/passwd")
    git("add", ".")
    git("commit", "-qm", "links")
    for name in ("spaced.yaml", "through.yaml"):
        assert compared(f"HEAD:{name}", "openapi.yaml").changes == ()
    with pytest.raises(Failure):
        compared("HEAD:away.yaml", "openapi.yaml")
