"""What an owner has edited is there after every update, wherever the package is kept."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from ruff import find_ruff_bin

from toolcast import pipeline
from toolcast.diagnostics import Failure, Report

from .conftest import DOCUMENT, PETS, SERVER, TOOLS, TOYS, Owner, actions, git, tree

# Another text of the first operation, and one operation more, after all others.
CONFLICTING = (
    DOCUMENT.replace("List the pets", "List all pets")
    + """\
  /pets/{id}/toys:
    get:
      operationId: listToysOfPet
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      responses: {"200": {description: OK.}}
"""
)
LATER = CONFLICTING.replace(
    "      summary: One pet\n      parameters: [",
    "      summary: One pet\n      parameters: [{name: full, in: query, schema: {type: boolean}}, ",
)
SHRUNK = DOCUMENT[: DOCUMENT.index("  /toys:")]

EDITS = {
    PETS: "ALL_PETS = 1  # mine",
    SERVER: "# mine",
    "README.md": "These words are mine.",
    "pyproject.toml": "# mine",
    "tests/test_pets.py": "# mine",
}


def edited(owner: Owner) -> None:
    """Every edit of ``EDITS``, in a package that has none yet."""
    owner.edit(PETS, append=f"\n\n{EDITS[PETS]}\n")
    owner.edit(SERVER, after="return Server(API)", line=EDITS[SERVER])
    owner.edit("README.md", after="# pets-mcp", line=f"\n{EDITS['README.md']}")
    owner.edit("pyproject.toml", after="requires-python", line=EDITS["pyproject.toml"])
    owner.edit("tests/test_pets.py", after="from .conftest import Sent", line=EDITS["tests/test_pets.py"])


def kept(owner: Owner) -> bool:
    """Whether every edit is there."""
    return all(line in owner.text(path) for path, line in EDITS.items())


def grown(number: int) -> str:
    """The document after some changes, each of which adds an operation before the others."""
    more = "".join(
        f"  /pets/a{n}: {{get: {{operationId: getA{n}, responses: {{'200': {{description: OK.}}}}}}}}\n"
        for n in range(number)
    )
    return DOCUMENT.replace("paths:\n", f"paths:\n{more}")


def test_edits_survive_five_updates_in_a_row(committer: Owner) -> None:
    edited(committer)
    for number in range(1, 6):
        made = committer.update(grown(number))
        assert made.applied
        assert actions(made)[PETS] == "merge"
        assert kept(committer)
        assert f"GET_A{number - 1}" in committer.text(PETS)
        assert committer.text(f".toolcast/base/{PETS}") != committer.text(PETS)
        committer.commit()


def test_edits_survive_five_updates_outside_of_git(owner: Owner) -> None:
    owner.generate()
    edited(owner)
    for number in range(1, 6):
        assert owner.update(grown(number)).applied
        assert kept(owner)
        assert f"GET_A{number - 1}" in owner.text(PETS)


def test_an_edit_before_the_first_commit_is_merged(owner: Owner, monkeypatch: pytest.MonkeyPatch) -> None:
    owner.git("init", "--quiet")
    owner.generate()
    edited(owner)
    owner.commit()
    monkeypatch.setenv("XDG_STATE_HOME", "/nowhere")  # nothing but git knows what was generated
    assert owner.update(grown(1)).applied
    assert kept(owner)


def test_a_base_goes_when_the_edit_goes(committer: Owner) -> None:
    before = committer.text(PETS)
    edited(committer)
    committer.update(grown(1))
    assert set(tree(committer.package / ".toolcast/base")) == set(EDITS) - {SERVER}
    committer.git("checkout", "--", f"pets/{PETS}")
    assert committer.text(PETS) == before
    # The old rendition is an edit of the new one, as it comes back by hand: it is kept until it is taken back.
    (committer.package / PETS).write_text(committer.text(f".toolcast/base/{PETS}"), "utf-8")
    committer.update()
    assert PETS not in tree(committer.package / ".toolcast/base")


def test_a_shallow_clone_says_what_to_fetch_and_then_merges(
    committer: Owner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    committer.edit(PETS, append="\nMINE = 1\n")
    committer.commit()
    git(tmp_path, "clone", "--quiet", "--depth=1", (committer.folder).as_uri(), "clone")
    monkeypatch.setenv("XDG_STATE_HOME", "/nowhere")
    clone = Owner(tmp_path / "clone")
    before = tree(clone.package)
    made = clone.update(grown(1))
    assert not made.applied
    (step,) = made.plan.of("conflict")
    assert (step.path, "git fetch --unshallow" in step.note) == (PETS, True)
    assert {path: text for path, text in tree(clone.package).items() if "conflicts" not in path} == before
    clone.git("fetch", "--quiet", "--unshallow")
    assert clone.update().applied
    assert "MINE = 1" in clone.text(PETS)


def test_a_base_that_was_committed_serves_a_shallow_clone(committer: Owner, tmp_path: Path) -> None:
    committer.edit(PETS, append="\nMINE = 1\n")
    committer.update()  # nothing to generate, but the edit is seen, and what it was made from is kept
    committer.commit()
    git(tmp_path, "clone", "--quiet", "--depth=1", (committer.folder).as_uri(), "clone")
    clone = Owner(tmp_path / "clone")
    assert clone.update(grown(1)).applied
    assert "MINE = 1" in clone.text(PETS)


def test_a_squashed_branch_leaves_its_base(committer: Owner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    committer.git("checkout", "--quiet", "-b", "topic")
    committer.update(grown(1))
    committer.commit()
    committer.edit(PETS, append="\nMINE = 1\n")
    committer.commit()
    committer.update(grown(2))
    committer.commit()
    committer.git("checkout", "--quiet", "main")
    committer.git("merge", "--quiet", "--squash", "topic")
    committer.commit()
    committer.git("branch", "--quiet", "-D", "topic")
    git(tmp_path, "clone", "--quiet", (committer.folder).as_uri(), "clone")  # has no object of the branch
    monkeypatch.setenv("XDG_STATE_HOME", "/nowhere")
    clone = Owner(tmp_path / "clone")
    assert clone.update(grown(3)).applied
    assert "MINE = 1" in clone.text(PETS)
    assert "GET_A2" in clone.text(PETS)


def test_a_checkout_with_other_line_ends_is_untouched_and_stays_so(committer: Owner) -> None:
    (committer.package / ".gitattributes").write_text("* text=auto eol=crlf\n")
    committer.commit()
    for path in tree(committer.package):
        if path != ".gitattributes":
            (committer.package / path).unlink()
    committer.git("-c", "core.autocrlf=true", "checkout", "--", "pets")
    assert b"\r\n" in (committer.package / PETS).read_bytes()
    assert set(actions(committer.update()).values()) == {"keep"}  # of .gitattributes
    committer.edit(PETS, append="\nMINE = 1\n")
    (committer.package / PETS).write_bytes((committer.package / PETS).read_bytes().replace(b"\n", b"\r\n"))
    made = committer.update(grown(1))
    assert {path for path, action in actions(made).items() if action == "merge"} == {PETS}
    for path in (PETS, TOOLS, "toolcast.lock"):
        text = (committer.package / path).read_bytes()
        assert text.count(b"\r\n") == text.count(b"\n") > 0, path


@pytest.mark.parametrize("object_format", ["sha1", "sha256"])
def test_a_repository_knows_renditions_before_they_are_committed(owner: Owner, object_format: str) -> None:
    owner.git("init", "--quiet", "--object-format", object_format)
    made = owner.generate()
    for path, ids in made.lock.files.items():
        name = ids.digest if object_format == "sha256" else ids.blob
        assert owner.git("cat-file", "blob", name) == owner.text(path)
    edited(owner)
    assert owner.update(grown(1)).applied
    assert kept(owner)


def test_a_subfolder_of_a_larger_repository_and_a_hook_of_it(owner: Owner, monkeypatch: pytest.MonkeyPatch) -> None:
    """A hook runs with variables that name its own repository."""
    owner.git("init", "--quiet")
    (owner.folder / "services").mkdir()
    inner = Owner(owner.folder / "services")
    inner.generate()
    owner.commit()
    edited(inner)
    monkeypatch.setenv("GIT_DIR", "/nowhere")
    monkeypatch.setenv("GIT_INDEX_FILE", "/nowhere/index")
    monkeypatch.setenv("XDG_STATE_HOME", "/nowhere")
    assert inner.update(grown(1)).applied
    assert kept(inner)


def test_a_formatter_in_a_hook_leaves_what_is_generated(committer: Owner) -> None:
    """Neither ruff, by the emitted settings, nor a hook that trims ends of lines and files has anything to do."""
    before = committer.tree()
    for path, text in before.items():
        trimmed = b"\n".join(line.rstrip(b" \t") for line in text.rstrip(b"\n").split(b"\n")) + b"\n"
        assert text in (trimmed, b""), path
    python = [str(committer.folder / path) for path in sorted(before) if path.endswith(".py")]
    subprocess.run([find_ruff_bin(), "format", "--quiet", "--no-cache", *python], check=True)
    assert committer.tree() == before


def test_without_git_an_edit_waits_for_its_owner(owner: Owner, monkeypatch: pytest.MonkeyPatch) -> None:
    owner.generate()
    edited(owner)
    monkeypatch.setenv("PATH", "/nowhere")
    before = tree(owner.package)
    made = owner.update(grown(1))
    assert not made.applied
    assert {step.path for step in made.plan.of("conflict")} == {PETS, "tests/test_pets.py"}
    assert {step.note for step in made.plan.of("conflict")} == {"git is not installed, and merges need it"}
    assert {path: text for path, text in tree(owner.package).items() if "conflicts" not in path} == before
    for path in (PETS, "tests/test_pets.py"):
        pipeline.resolve(owner.package / path, "mine")
    assert owner.update().applied
    assert kept(owner)
    assert "GET_A0" not in owner.text(PETS)


def test_a_file_whose_cause_is_gone_stays_if_it_was_edited_and_merges_when_it_returns(committer: Owner) -> None:
    committer.edit(TOYS, after="from __future__", line="MINE = 1")
    made = committer.update(SHRUNK)
    assert (actions(made)[TOYS], actions(made)["tests/test_toys.py"]) == ("keep", "delete")
    assert not (committer.package / "tests/test_toys.py").exists()
    again = committer.update(DOCUMENT.replace("summary: List the toys", "summary: List all toys"))
    assert actions(again)[TOYS] == "merge"
    assert "MINE = 1" in committer.text(TOYS)
    assert "List all toys" in committer.text(TOYS)


def conflicting(owner: Owner) -> None:
    """Edits, one of a line that the document changes as well."""
    text = owner.text(PETS).replace('"""List the pets"""', '"""My pets"""')
    (owner.package / PETS).write_text(text, "utf-8")
    owner.edit(PETS, after="from __future__", line="MINE = 1")
    made = owner.update(CONFLICTING)
    assert not made.applied
    assert [step.path for step in made.plan.of("conflict")] == [PETS]


def test_a_conflict_changes_nothing_until_it_is_decided(committer: Owner) -> None:
    before = tree(committer.package)
    conflicting(committer)
    now = tree(committer.package)
    del before[PETS], now[PETS]
    assert set(now) - set(before) == {".toolcast/conflicts/.index.json", f".toolcast/conflicts/{PETS}"}
    assert {path: text for path, text in now.items() if path in before} == before


def test_a_conflict_is_decided_by_hand(committer: Owner) -> None:
    conflicting(committer)
    merge = committer.package / ".toolcast/conflicts" / PETS
    text = merge.read_text("utf-8")
    with pytest.raises(Failure) as failure:
        pipeline.resolve(committer.package / PETS, "edited")
    assert failure.value.diagnostic.code == "TC512"
    # The merge that is begun is not lost by another update.
    head, tail = text.split("<<<<<<< yours\n")
    merge.write_text(head + '"""Our pets"""\n' + tail.partition(">>>>>>> generated now\n")[2], "utf-8")
    assert not committer.update().applied
    assert pipeline.resolve(merge, "edited") == (committer.package, ())
    assert "Our pets" not in committer.text(PETS)
    assert committer.update().applied
    assert "Our pets" in committer.text(PETS)
    assert "MINE = 1" in committer.text(PETS)
    assert "LIST_TOYS_OF_PET" in committer.text(PETS)
    assert not (committer.package / ".toolcast/conflicts").exists()


def test_a_conflict_is_decided_for_mine(committer: Owner) -> None:
    conflicting(committer)
    mine = committer.text(PETS)
    pipeline.resolve(committer.package / PETS, "mine")
    assert committer.update().applied
    assert committer.text(PETS) == mine
    assert "list_toys_of_pet" in committer.text(TOOLS)
    # What comes later is merged into it again.
    assert committer.update(LATER).applied
    assert 'Query("full")' in committer.text(PETS)
    assert "My pets" in committer.text(PETS)


def test_a_conflict_is_decided_for_the_new(committer: Owner) -> None:
    conflicting(committer)
    pipeline.resolve(committer.package / PETS, "new")
    made = committer.update()
    assert made.applied
    assert "My pets" not in committer.text(PETS)
    assert PETS not in tree(committer.package / ".toolcast/base")


def test_a_decision_outlives_a_change_of_the_document_but_not_of_the_file(committer: Owner) -> None:
    conflicting(committer)
    pipeline.resolve(committer.package / PETS, "mine")
    assert committer.update(LATER).applied
    assert "My pets" in committer.text(PETS)
    assert 'Query("full")' in committer.text(PETS)
    assert not committer.update(CONFLICTING.replace("List all pets", "List every pet")).applied
    pipeline.resolve(committer.package / PETS, "mine")
    committer.edit(PETS, append="\nLATER = 1\n")
    assert not committer.update().applied


def test_nothing_to_decide_is_told(committer: Owner) -> None:
    with pytest.raises(Failure) as failure:
        pipeline.resolve(committer.package / PETS, "mine")
    assert failure.value.diagnostic.code == "TC511"
    with pytest.raises(Failure) as failure:
        pipeline.resolve(committer.folder / "pets.yaml", "mine")
    assert failure.value.diagnostic.code == "TC606"


def test_a_contract_that_was_changed_by_hand_is_taken_anew_or_not_at_all(committer: Owner) -> None:
    text = committer.text(TOOLS)
    (committer.package / TOOLS).write_text(text.replace("List the pets", "Show me"), "utf-8")
    assert not committer.update().applied
    for choice in ("mine", "edited"):
        with pytest.raises(Failure) as failure:
            pipeline.resolve(committer.package / TOOLS, choice)
        assert failure.value.diagnostic.code == "TC513"
    pipeline.resolve(committer.package / TOOLS, "new")
    assert committer.update().applied
    assert committer.text(TOOLS) == text


def test_new_origins_need_a_yes(committer: Owner) -> None:
    elsewhere = DOCUMENT.replace("https://pets.example", "https://pets.example.net")
    before = tree(committer.package)
    with pytest.raises(Failure) as failure:
        committer.update(elsewhere)
    assert failure.value.diagnostic.code == "TC514"
    assert "https://pets.example.net" in failure.value.diagnostic.message
    assert tree(committer.package) == before
    asked: list[str] = []
    assert committer.update(consent=lambda origins: not asked.extend(origins)).applied
    assert asked == ["https://pets.example.net"]
    assert committer.update().applied


def test_a_lock_that_knows_no_origins_accepts(committer: Owner) -> None:
    lock = committer.package / "toolcast.lock"
    kept_lines = [line for line in lock.read_text("utf-8").splitlines() if "https://" not in line]
    text = "\n".join(kept_lines).replace('"origins": [\n ]', '"origins": []') + "\n"
    lock.write_text(text, "utf-8")
    assert committer.update(DOCUMENT.replace("https://pets.example", "https://pets.example.net")).applied


def test_preview_writes_nothing(committer: Owner) -> None:
    edited(committer)
    committer.write(grown(1))
    before = {path: path.stat().st_mtime_ns for path in committer.package.rglob("*")}
    made = pipeline.preview(committer.package, report=Report())
    assert actions(made)[PETS] == "merge"
    assert {path: path.stat().st_mtime_ns for path in committer.package.rglob("*")} == before
