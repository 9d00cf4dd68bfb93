"""Faults of owners' templates: the file, the line, the name that is wrong, and what to write instead."""

from __future__ import annotations

import pytest

from toolcast.model.catalog import Catalog

from .conftest import Folder, refusal

EXTENDS = '{% extends "builtin:README.md.jinja" %}\n'


@pytest.mark.parametrize(
    ("text", "code", "line", "message", "cure"),
    [
        ("# A\n{% for tool in %}\n", "TC703", 2, "README.md.jinja is no template: ", "Jinja"),
        ("# A\n{{ package.title\n", "TC703", 2, "is no template", "Jinja"),
        ("{% block a %}", "TC703", 1, "is no template", "Jinja"),
        ("\n{{ package.title|tolm }}", "TC703", 2, "no filter named 'tolm'", "Did you mean `toml`?"),
        ("\n{{ package.title|safe }}", "TC703", 2, "no filter named 'safe'", "The filters are annotation, "),
        ("{% filter py %}x{% endfilter %}", "TC703", 1, "not allowed here", "only way"),
        ("\n\n{{ package.titel|markdown }}", "TC704", 3, "no `package.titel`; the nearest is `package.title`", "list"),
        ("{{ pakage.title|markdown }}", "TC704", 1, "There is no variable `pakage` here", "list"),
        (
            "{% for group in package.groups %}\n{% for tool in group.tools %}\n{{ tool.sumary|markdown }}\n"
            "{% endfor %}\n{% endfor %}",
            "TC704",
            3,
            "There is no `tool.sumary`; the nearest is `tool.summary`",
            "It stands in {{ tool.sumary|markdown }}; `toolcast templates list --variables` shows",
        ),
        ("{{ group.title|markdown }}", "TC704", 1, "There is no variable `group` here", "list"),
        (
            "\n{{ package.title }}",
            "TC705",
            2,
            "{{ package.title }} puts something into the file that comes through no filter: str 'Ferry lines'",
            "`markdown` writes text",
        ),
        ("{{ package.title|markdown }} {{ package.title }}", "TC705", 1, "{{ package.title }} puts", "`markdown`"),
        ("{{ package.title|markdown ~ package.title }}", "TC705", 1, "comes through no filter", "`markdown`"),
        ("\n{{ package.title|identifier }}", "TC706", 2, "{{ package.title|identifier }} fails: 'Ferry lines' is", ""),
        ("{{ (1 // 0)|py }}", "TC706", 1, "{{ (1 // 0)|py }} fails: ", ""),
        ("{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}", "TC706", 1, "never ends", ""),
        ('{% extends "README.md.jinja" %}', "TC707", 1, "README.md.jinja extends itself", '"builtin:README.md.jinja"'),
        ('{% extends "builtin:README" %}', "TC703", 1, "no template 'builtin:README'", "`builtin:README.md.jinja`"),
        ('\n{% include "header.md" %}', "TC703", 2, "There is no template 'header.md'", "builtin:"),
        (
            EXTENDS + "{% block headng %}{% endblock %}",
            "TC707",
            2,
            "`headng` overrides none",
            "Did you mean `heading`?",
        ),
        (EXTENDS + "\nHello", "TC707", 2, "text outside of its blocks", "The blocks are heading, run, "),
        (EXTENDS + "{{ package.title|markdown }}", "TC707", 2, "text outside of its blocks", "Put it into a block"),
    ],
)
def test_a_fault_is_told_where_it_is(
    catalog: Catalog, folder: Folder, text: str, code: str, line: int, message: str, cure: str
) -> None:
    mine = folder({"README.md.jinja": text})
    found = refusal(catalog, mine)
    assert (found.code, message) == (code, message if message in found.message else found.message)
    assert cure in found.help
    assert found.location is not None
    assert (found.location.file, found.location.line) == (str(mine / "README.md.jinja"), line)
    assert found.message[0].isupper() or found.message[0] in "{R"
    assert not found.message.endswith(".")


def test_a_fault_in_a_part_is_told_there(catalog: Catalog, folder: Folder) -> None:
    mine = folder(
        {
            "templates.toml": 'parts = ["parts/macros.jinja"]',
            "parts/macros.jinja": "{% macro heading(text) %}\n# {{ text }}\n{% endmacro %}\n",
            "README.md.jinja": '{% import "parts/macros.jinja" as m %}\n\n{{ m.heading(package.title) }}\n',
        }
    )
    found = refusal(catalog, mine)
    assert found.code == "TC705"
    assert found.location is not None
    assert (found.location.file, found.location.line) == (str(mine / "parts/macros.jinja"), 2)


def test_a_block_may_hold_blocks_of_its_own_and_set_what_it_needs(catalog: Catalog, folder: Folder) -> None:
    from .conftest import made

    mine = folder(
        {
            "README.md.jinja": EXTENDS + "{% set who = 'us'|markdown %}\n"
            "{% block heading %}# By {{ who }}{% block more %}.{% endblock %}\n{% endblock %}\n"
        }
    )
    assert made(catalog, mine)["README.md"].startswith("# By us.\n")


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("src/PACKAGE/extra.py.jinja", "x = (\n", "no Python: '(' was never closed; its line 1 is 'x = ('"),
        ("src/PACKAGE/extra.py", "def f(:\n", "no Python"),
        ("extra.toml.jinja", "x = \n", "no TOML"),
        ("extra.json.jinja", '{"a": 1,}', "no JSON"),
        ("extra.yaml.jinja", "a: [1", "no YAML"),
    ],
)
def test_what_a_template_makes_must_be_what_its_name_says(
    catalog: Catalog, folder: Folder, name: str, text: str, told: str
) -> None:
    mine = folder({"templates.toml": f"additions = ['{name}']", name: text})
    found = refusal(catalog, mine)
    assert found.code == "TC708"
    assert told in found.message
    assert name in found.message
