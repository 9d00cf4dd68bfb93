"""``check``: in which direction a package and its document have drifted, and how grave that is."""

from __future__ import annotations

from pathlib import Path

import pytest

from toolcast import drift, pipeline
from toolcast.diagnostics import Report

from .conftest import DOCUMENT, PETS, TOOLS, TOYS, Owner, tree


def check(owner: Owner, document: str | None = None) -> drift.Drift:
    """Check the package against a document, and see that nothing was written."""
    if document is not None:
        owner.write(document)
    before = owner.tree()
    found = drift.check(owner.package, report=Report())
    assert owner.tree() == before
    return found


@pytest.fixture
def made(owner: Owner) -> Owner:
    """An owner with a package that is up to date."""
    owner.generate()
    return owner


def test_all_agree(made: Owner) -> None:
    found = check(made)
    assert (found.status, found.verdict, found.steps, found.seen.changes, found.reasons) == (0, "none", [], (), ())


def test_another_notation_is_no_drift(made: Owner) -> None:
    assert check(made, DOCUMENT.replace("  ", "    ").replace("{title: Pets", '{"title": Pets')).status == 0


@pytest.mark.parametrize(
    ("old", "new", "status"),
    [
        ("List the pets", "List all pets", 10),
        ("/toys:", "/toys/all:", 10),
        ("schema: {type: integer}}]", "schema: {type: integer}}, {name: kind, in: query, schema: {type: string}}]", 10),
        ("schema: {type: integer}}]", "schema: {type: integer}}, {name: kind, in: query, required: true}]", 20),
        ("{name: limit, in: query, schema: {type: integer}}", "", 20),
        (DOCUMENT[DOCUMENT.index("  /toys:") :], "", 20),
        ("https://pets.example", "https://pets.example.net", 20),
    ],
    ids=["text", "path", "argument", "required argument", "argument gone", "tool gone", "origin"],
)
def test_the_document_went_on(made: Owner, old: str, new: str, status: int) -> None:
    found = check(made, DOCUMENT.replace(old, new))
    assert found.status == status, found.seen
    assert found.reasons == ("the document has changed",)


def test_the_configuration_went_on(made: Owner) -> None:
    settings = made.package / "toolcast.toml"
    settings.write_text(settings.read_text("utf-8").replace('version = "0.1.0"', 'version = "0.2.0"'), "utf-8")
    found = check(made)
    assert found.status == 10
    assert "pyproject.toml" in [step.path for step in found.steps]
    made.update()
    assert check(made).status == 0


def test_the_generator_went_on(made: Owner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipeline, "__version__", "9.0.0")
    found = check(made)
    assert (found.status, found.steps, found.lock) == (10, [], True)
    assert "not 9.0.0" in found.reasons[0]
    made.update()
    assert check(made).status == 0


@pytest.mark.parametrize("path", [PETS, "README.md", "src/pets_mcp/_runtime/server.py", "tests/test_pets.py"])
def test_an_owners_edit_is_told_and_is_no_drift(made: Owner, path: str) -> None:
    made.edit(path, append="\n# mine\n" if path.endswith(".py") else "\nmine\n")
    found = check(made)
    assert found.status == 0
    assert [(s.path, s.action, s.note) for s in found.made.plan.steps if s.rendition and s.note] == [
        (path, "keep", "edited by you")
    ]


def test_a_generated_file_that_is_gone_is_drift(made: Owner) -> None:
    (made.package / TOYS).unlink()
    assert [(step.path, step.action) for step in check(made).steps] == [(TOYS, "create")]
    assert check(made).status == 10


@pytest.mark.parametrize(
    ("old", "new", "status"),
    [
        ("List the pets", "Show me", 10),
        ('"name": "list_toys"', '"name": "toys"', 20),
        ('"limit": {', '"most": {', 20),
        ("{\n", "{\n<<<<<<< HEAD\n", 20),
    ],
    ids=["text", "name", "argument", "broken"],
)
def test_a_contract_that_was_changed_by_hand_is_drift(made: Owner, old: str, new: str, status: int) -> None:
    text = made.text(TOOLS)
    assert old in text
    (made.package / TOOLS).write_text(text.replace(old, new, 1), "utf-8")
    found = check(made)
    assert found.status == status, found.seen
    assert [(step.path, step.action) for step in found.steps] == [(TOOLS, "conflict")]


def test_a_contract_that_is_gone_breaks_agents(made: Owner) -> None:
    (made.package / TOOLS).unlink()
    assert check(made).status == 20


def test_a_lock_that_was_changed_by_hand_is_drift(made: Owner) -> None:
    lock = made.package / "toolcast.lock"
    text = lock.read_text("utf-8")
    lock.write_text(text.replace('"format": 2', '"format":  2'), "utf-8")
    found = check(made)
    assert (found.status, found.lock, found.reasons) == (10, True, ("toolcast.lock was changed by hand",))
    lock.write_text(text.replace('"list_toys"', '"show_toys"'), "utf-8")
    assert check(made).status == 20  # another name for a tool
    made_lock = made.package / "toolcast.lock"
    made_lock.write_bytes(text.replace("\n", "\r\n").encode())
    assert check(made).status == 0


def test_drift_is_gone_after_an_update(made: Owner) -> None:
    (made.package / TOYS).unlink()
    made.edit("README.md", append="\nmine\n")
    assert check(made, DOCUMENT.replace("List the pets", "List all pets")).status == 10
    made.update()
    assert check(made).status == 0


def test_a_contract_that_the_owner_does_not_want_is_no_drift(made: Owner) -> None:
    (made.package / ".toolcastignore").write_text("tools.json\n")
    (made.package / TOOLS).unlink()
    made.update()
    assert check(made).status == 0


def test_templates_went_on(made: Owner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The built-in ones, as another version of the generator brings them."""
    import shutil

    from toolcast.emit import environment, render

    other = tmp_path / "templates"
    shutil.copytree(environment.templates_root(), other)
    template = other / "project" / "TOOLS.md.jinja"
    template.write_text(template.read_text("utf-8").replace("# Tools of", "# All tools of"), "utf-8")
    monkeypatch.setattr(render, "templates_root", lambda: other)
    found = check(made)
    assert (found.status, [step.path for step in found.steps]) == (10, ["TOOLS.md"])
    assert tree(made.package)
