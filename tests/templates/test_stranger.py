"""A stranger's project: templates, names and code of its own, all still in force when the document changes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import toolcast

from .conftest import DOCUMENT, Folder

MINE = {
    "templates.toml": 'additions = ["docs/GROUP.md.jinja"]\n'
    'once = ["Makefile.jinja"]\nparts = ["parts/notice.jinja"]\n',
    "README.md.jinja": '{% extends "builtin:README.md.jinja" %}\n'
    "{% block ownership %}\n## Who keeps this\n\n"
    "The harbour office, for {{ package.title|markdown }} in version {{ package.api_version|markdown }}.\n"
    "{% endblock %}\n",
    ".env.example.jinja": "# Ask the office for the key.\n"
    "{% for variable in package.credentials %}\n{{ variable.name|identifier }}=\n{% endfor %}\n",
    "docs/GROUP.md.jinja": '# {{ group.title|markdown }}\n\n{% include "parts/notice.jinja" %}\n\n'
    "{% for tool in group.tools %}\n- {{ tool.name|code_span }}: {{ tool.summary|markdown }}\n{% endfor %}\n",
    "parts/notice.jinja": "Tools for {{ package.distribution|code_span }}.\n",
    "Dockerfile": "FROM harbour/python\nCOPY . /ferry\n",
    "Makefile.jinja": "list:\n\t{{ package.distribution|shell }} --list\n",
}
SERVER = """\
from __future__ import annotations

from ._runtime.server import Server
from .api import API
from .api.groups.boats import SHOW_BOATS


def build() -> Server:
    return Server(API).describe(SHOW_BOATS, "All boats, afloat or not.")
"""
CHANGED = (
    DOCUMENT.replace('version: "3"', 'version: "4"')
    .replace("List the piers", "List all piers")
    .replace(
        "components:",
        "  /crews:\n    get: {operationId: listCrews, tags: [crews], summary: List the crews, "
        'responses: {"200": {description: OK}}}\ncomponents:',
    )
)


def listed(package: Path) -> dict[str, str]:
    """The descriptions of the tools that the package's own command lists."""
    done = subprocess.run(
        [sys.executable, "-m", "ferry_mcp", "--json"],
        env={**os.environ, "PYTHONPATH": str(package / "src")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return {tool["name"]: tool["description"] for tool in json.loads(done.stdout)["tools"]}


def test_everything_is_still_in_force_when_the_document_changes(folder: Folder, tmp_path: Path) -> None:
    document, package = tmp_path / "ferry.yaml", tmp_path / "ferry-mcp"
    document.write_text(DOCUMENT, "utf-8")
    mine = folder(MINE)
    assert toolcast.generate(document, package, name="ferry", templates=mine).applied
    with (package / "toolcast.toml").open("a", encoding="utf-8") as configuration:
        configuration.write('[tools.list_boats]\nname = "show_boats"\n[tools.launch_boat]\nname = "float_boat"\n')
    assert toolcast.generate(None, package).applied
    (package / "src/ferry_mcp/server.py").write_text(SERVER, "utf-8")
    (package / "Makefile").write_text("list:\n\tferry-mcp --list | sort\n", "utf-8")
    assert listed(package)["show_boats"] == "All boats, afloat or not."
    assert listed(package).keys() == {"show_boats", "float_boat", "list_piers"}

    document.write_text(CHANGED, "utf-8")
    command = [sys.executable, "-m", "toolcast", "update", str(package)]
    assert subprocess.run(command, check=False).returncode == 0
    assert listed(package).keys() == {"show_boats", "float_boat", "list_piers", "list_crews"}
    assert listed(package)["show_boats"] == "All boats, afloat or not."
    readme = (package / "README.md").read_text("utf-8")
    assert readme.startswith("# ferry-mcp\n")  # a block of the built-in one
    assert readme.endswith("## Who keeps this\n\nThe harbour office, for Ferry lines in version 4.\n")
    assert (package / ".env.example").read_text("utf-8") == "# Ask the office for the key.\nFERRY_KEY=\n"
    assert (package / "Makefile").read_text("utf-8") == "list:\n\tferry-mcp --list | sort\n"
    assert (package / "Dockerfile").read_text("utf-8") == MINE["Dockerfile"]
    assert {path.name for path in (package / "docs").iterdir()} == {"boats.md", "piers.md", "crews.md"}
    assert (package / "docs/piers.md").read_text("utf-8") == (
        "# Piers\n\nTools for `ferry-mcp`.\n\n- `list_piers`: List all piers\n"
    )
    # And what the project no longer wants goes with its cause.
    (mine / "docs/GROUP.md.jinja").unlink()
    (mine / "templates.toml").write_text('once = ["Makefile.jinja"]\nparts = ["parts/notice.jinja"]\n', "utf-8")
    assert toolcast.generate(None, package).applied
    assert not (package / "docs").exists()
    assert (package / "Makefile").exists()
