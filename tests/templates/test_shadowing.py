"""Owners' templates: what shadows, extends and adds, and what fits nowhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from toolcast.model.catalog import Catalog

from .conftest import Folder, made, refusal


def test_a_folder_that_is_empty_changes_nothing(catalog: Catalog, tmp_path: Path) -> None:
    assert made(catalog, tmp_path) == made(catalog, None)


def test_a_whole_file_takes_the_place_of_the_built_in_one_and_of_no_other(catalog: Catalog, folder: Folder) -> None:
    mine = folder({"README.md.jinja": "# {{ package.title|markdown }} of ours\n"})
    before, after = made(catalog, None), made(catalog, mine)
    assert after.pop("README.md") == "# Ferry lines of ours\n"
    assert before.pop("README.md")
    assert after == before


def test_a_plain_file_shadows_a_template_and_a_template_a_plain_file(catalog: Catalog, folder: Folder) -> None:
    mine = folder({"README.md": "{{ as it is }}\n", ".gitignore.jinja": "/{{ package.package|identifier }}\n"})
    after = made(catalog, mine)
    assert after["README.md"] == "{{ as it is }}\n"
    assert after[".gitignore"] == "/ferry_lines_mcp\n"


def test_one_block_is_overridden_and_the_rest_follows(catalog: Catalog, folder: Folder) -> None:
    mine = folder(
        {
            "README.md.jinja": '{% extends "builtin:README.md.jinja" %}\n'
            "{% block heading %}\n{{ super() }}\nAsk the harbour master.\n{% endblock %}\n"
        }
    )
    before, after = made(catalog, None)["README.md"], made(catalog, mine)["README.md"]
    assert "Ask the harbour master." in after
    assert after.replace("\nAsk the harbour master.\n", "") == before


def test_a_template_for_groups_overrides_what_each_of_them_says(catalog: Catalog, folder: Folder) -> None:
    mine = folder(
        {
            "src/PACKAGE/api/groups/GROUP.py.jinja": '{% extends "builtin:src/PACKAGE/api/groups/GROUP.py.jinja" %}\n'
            "{% block operation %}\n# {{ tool.key|comment }} in {{ group.title|comment }}\n{{ super() }}"
            "{% endblock %}\n"
        }
    )
    after = made(catalog, mine)
    assert "# GET /boats in Boats\nLIST_BOATS: " in after["src/ferry_lines_mcp/api/groups/boats.py"]
    assert "# GET /piers in Piers\nLIST_PIERS: " in after["src/ferry_lines_mcp/api/groups/piers.py"]


def test_files_are_added_one_each_or_one_for_each_group(catalog: Catalog, folder: Folder) -> None:
    mine = folder(
        {
            "templates.toml": 'additions = ["docs/GROUP.md.jinja", "src/PACKAGE/VERSION"]\nonce = ["Makefile.jinja"]\n'
            'parts = ["parts/line.jinja"]\n',
            "docs/GROUP.md.jinja": "# {{ group.title|markdown }}\n\n{% for tool in group.tools %}"
            '{% include "parts/line.jinja" %}{% endfor %}',
            "parts/line.jinja": "- {{ tool.title|markdown }}\n",
            "src/PACKAGE/VERSION": "1\n",
            "Makefile.jinja": "run:\n\t{{ package.distribution|shell }}\n",
        }
    )
    after = made(catalog, mine)
    assert {path: after[path] for path in after.keys() - made(catalog, None).keys()} == {
        "docs/boats.md": "# Boats\n\n- List the boats\n- Launch a boat\n",
        "docs/piers.md": "# Piers\n\n- List the piers\n",
        "src/ferry_lines_mcp/VERSION": "1\n",
        "Makefile": "run:\n\tferry-lines-mcp\n",
    }


def test_a_file_may_be_written_once_though_the_built_in_one_is_generated(catalog: Catalog, folder: Folder) -> None:
    from toolcast.emit.sources import sources

    mine = folder({"templates.toml": 'once = ["TOOLS.md.jinja"]', "TOOLS.md.jinja": "# Tools\n"})
    owners = {template.target: template.owner for template in sources(mine).templates}
    assert (owners["TOOLS.md"], owners["README.md"]) == ("yours", "shared")


def test_windows_line_ends_and_marks_of_byte_order_are_read_as_what_they_are(catalog: Catalog, folder: Folder) -> None:
    mine = folder({})
    mine.mkdir()
    (mine / "README.md.jinja").write_bytes(b"\xef\xbb\xbf# {{ package.title|markdown }}\r\n")
    assert made(catalog, mine)["README.md"] == "# Ferry lines\n"


@pytest.mark.parametrize(
    ("files", "code", "message", "cure"),
    [
        ({"READM.md.jinja": ""}, "TC701", "READM.md.jinja shadows no built-in", "Did you mean `README.md.jinja`?"),
        ({"server.py.jinja": ""}, "TC701", "shadows no", "Did you mean `src/PACKAGE/server.py.jinja`?"),
        ({"src/ferry_lines_mcp/server.py.jinja": ""}, "TC701", "shadows no", "`src/PACKAGE/server.py.jinja`"),
        ({"Makefile": ""}, "TC701", "Makefile shadows no", "additions = ['Makefile']"),
        ({"README.md": "", "README.md.jinja": ""}, "TC701", "make the same file", "Remove one"),
        ({"src/PACKAGE/_runtime/server.py": ""}, "TC701", "no template makes this file", "listed in templates.toml"),
        (
            {"templates.toml": 'additions = ["src/PACKAGE/api/tools.json"]', "src/PACKAGE/api/tools.json": "{}"},
            "TC701",
            "no template can make",
            "toolcast.toml",
        ),
        ({"templates.toml": 'additions = ["con.txt"]', "con.txt": ""}, "TC701", "not every system takes", "device"),
        ({"templates.toml": 'additions = ["a b.txt"]', "a b.txt": ""}, "TC701", "not every system takes", "letters"),
        ({"templates.toml": 'aditions = ["x"]'}, "TC702", "unknown key 'aditions'", "Did you mean `additions`?"),
        ({"templates.toml": 'additions = "x"'}, "TC702", "no list of texts", "additions = ["),
        ({"templates.toml": 'additions = ["x"'}, "TC702", "no TOML", "Correct it"),
        (
            {"templates.toml": 'parts = []\nadditions = ["Makefil"]\nonce = ["Makefile"]', "Makefile": ""},
            "TC702",
            "lists 'Makefil', which is not there",
            "Did you mean `Makefile`?",
        ),
        ({"templates.toml": 'parts = ["x"]\nonce = ["x"]', "x": ""}, "TC702", "lists 'x' twice", "Leave one out"),
    ],
)
def test_what_fits_nowhere_is_said(
    catalog: Catalog, folder: Folder, files: dict[str, str], code: str, message: str, cure: str
) -> None:
    found = refusal(catalog, folder(files))
    assert (found.code, found.severity) == (code, "error")
    assert message in found.message
    assert cure in found.help


def test_a_list_is_told_with_the_line(catalog: Catalog, folder: Folder) -> None:
    mine = folder({"templates.toml": "# mine\nparts = []\nonce = [\n  'gone.md',\n]\n"})
    location = refusal(catalog, mine).location
    assert location is not None
    assert (location.file, location.line) == (str(mine / "templates.toml"), 4)


def test_a_folder_that_is_not_there(catalog: Catalog, tmp_path: Path) -> None:
    found = refusal(catalog, tmp_path / "nowhere")
    assert found.code == "TC700"
    assert str(tmp_path / "nowhere") in found.message


def test_what_is_no_text_is_refused(catalog: Catalog, folder: Folder) -> None:
    mine = folder({"templates.toml": 'additions = ["logo.png"]'})
    (mine / "logo.png").write_bytes(b"\x89PNG\xff")
    assert refusal(catalog, mine).code == "TC700"


def test_what_editors_and_caches_leave_behind_is_no_template(catalog: Catalog, folder: Folder) -> None:
    litter = [".DS_Store", "README.md.jinja~", "src/.README.md.jinja.swp", "__pycache__/x.pyc", ".git/config"]
    assert made(catalog, folder(dict.fromkeys(litter, "x"))) == made(catalog, None)
