"""The interface of the templates: what owners rely on is documented, and each part of it works as it is said."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import Any

import pytest

from toolcast.emit.blocks import blocks
from toolcast.emit.environment import Templates
from toolcast.emit.interface import interface
from toolcast.emit.literals import FILTERS, Code
from toolcast.emit.project import Project
from toolcast.emit.requests import cases
from toolcast.emit.sources import builtin, sources
from toolcast.emit.viewing import package_view
from toolcast.emit.views import (
    ArgumentView,
    AuthorView,
    GroupView,
    HintView,
    PackageView,
    RuleView,
    ToolView,
    VariableView,
)
from toolcast.model.catalog import Catalog
from toolcast.model.templates import Block, Template, Visible

from . import reference
from .conftest import Folder

VIEWS = (PackageView, GroupView, ToolView, ArgumentView, HintView, RuleView, VariableView, AuthorView)
BLOCKS = [(template, block) for template, found in interface().blocks for block in found]


def test_the_page_says_what_the_code_has() -> None:
    """When this fails, the interface has changed: is that meant? Then run tests/templates/reference.py, and tell it."""
    assert reference.PAGE.read_text("utf-8") == reference.page()


def test_every_template_that_is_rendered_has_blocks_and_each_says_what_it_is() -> None:
    for template in builtin().templates:
        found = blocks(template)
        assert bool(found) == template.is_rendered, template.name
        assert all(block.about for block in found), template.name
        assert len({block.name for block in found}) == len(found)


@pytest.mark.parametrize(
    ("template", "block"), BLOCKS, ids=[f"{template.target} {block.name}" for template, block in BLOCKS]
)
def test_every_block_can_be_overridden_and_sees_what_is_said(
    catalog: Catalog, folder: Folder, template: Template, block: Block
) -> None:
    mark = "# overridden"
    seen = " ".join(f"{{{{ {name}.name|comment }}}}" for name in ("package", *block.variables))
    mine = folder(
        {
            template.name: f'{{% extends "builtin:{template.name}" %}}\n'
            f"{{% block {block.name} %}}\n{mark} {seen}\n{{{{ super() }}}}\n{{% endblock %}}\n"
        }
    )
    chosen = sources(mine)
    view = package_view(catalog, "x.yaml", cases(catalog), templates="templates")
    ours = {one.file.path: one.file.text for one in Project(builtin()).files(view, builtin().templates)}
    files = {one.file.path: one.file.text for one in Project(chosen).files(view, chosen.own)}
    assert len(files) == (len(view.groups) if template.is_per_group else 1)
    for path, text in files.items():
        added = [line for line in text.split("\n") if line.startswith(mark)]
        assert added
        if not block.variables:
            assert added == [f"{mark} {view.name}"]
        kept = [line for line in text.split("\n") if line and not line.startswith(mark)]
        assert kept == [line for line in ours[path].split("\n") if line]


def test_every_template_can_be_replaced(catalog: Catalog, folder: Folder) -> None:
    names = [template.name for template in builtin().templates]
    mine = folder(dict.fromkeys(names, "{}"))
    chosen = sources(mine)
    view = package_view(catalog, "x.yaml", cases(catalog))
    assert [template.name for template in chosen.own] == names
    made = list(Project(chosen).files(view, chosen.templates))
    assert {one.file.text.rstrip("\n") for one in made} == {"{}"}
    assert {one.file.path: one.file.owner for one in made} == {
        one.file.path: one.file.owner for one in Project(builtin()).files(view, builtin().templates)
    }


def writable(value: Visible, view: Any) -> Iterator[str]:
    """For each member an expression that writes it, as the page says that it can be."""
    for member in value.members:
        place = f"{value.name}.{member.name}"
        match member.type:
            case "name" | "text":
                yield f"{{{{ {place}|comment }}}}"
            case "number":
                yield f"{{{{ {place} }}}}"
            case "yes or no":
                yield f"{{% if {place} %}}yes{{% endif %}}"
            case "value" | "value, or none" | "value, by text" | "value, by name":
                yield f"{{{{ {place}|py }}}}"
            case "list of names" | "list of texts":
                yield f"{{% for one in {place} %}}{{{{ one|comment }}}}{{% endfor %}}"
            case _:
                assert member.type.startswith("list of "), member
                (inner,) = (one for one in interface().values if one.name == member.type[8:-1])
                yield f"{{% for {inner.name} in {place} %}}{''.join(expressions(inner, view))}{{% endfor %}}"


def expressions(value: Visible, view: Any) -> list[str]:
    """All of them."""
    return list(writable(value, view))


def test_every_member_can_be_written_as_its_type_says(catalog: Catalog) -> None:
    view = package_view(catalog, "x.yaml", cases(catalog), templates="templates")
    (package,) = (value for value in interface().values if value.name == "package")
    lines = expressions(package, view)
    assert len(lines) == len(package.members)
    from jinja2 import DictLoader

    text = Templates(DictLoader({"t": "\n".join(lines)})).rendered("t", {"package": view})
    for expected in ("Ferry lines", "list_boats", 'Operation(name="list_boats"', "FERRY_LINES_KEY_FILE", "limit"):
        assert expected in text


def test_every_text_says_of_which_kind_it_is() -> None:
    """What takes a new field for a plain ``str`` would escape the twins; see emit/kinds.py."""
    for view in VIEWS:
        for field in fields(view):
            assert "str" not in str(field.type), f"{view.__name__}.{field.name}: say Name or Text"
    assert {value.name for value in interface().values} == {
        view.__name__.removesuffix("View").lower() for view in VIEWS
    }


@pytest.mark.parametrize("name", [*FILTERS])
def test_every_filter_says_what_it_writes(name: str) -> None:
    about = dict(interface().filters)[name]
    assert about[0].isupper() or about.startswith("`")
    assert about.endswith(".")
    assert isinstance(FILTERS[name](("x",) if name == "names" else "x"), Code)
