"""The tree law: whatever a document's texts hold, each emitted file has the tree that it has with harmless texts.

Every text of a catalog is replaced, once by a hostile and once by a harmless one, and both are rendered. Python is
compared without its constants, TOML and JSON by shape, Markdown by its blocks and inlines.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar, cast

import pytest

from toolcast.diagnostics import Location
from toolcast.emit import render
from toolcast.emit.hostile import HOSTILE
from toolcast.emit.requests import cases
from toolcast.emit.structure import structure
from toolcast.model.catalog import Catalog, CookieArg, Credential, HeaderArg
from toolcast.model.files import File

T = TypeVar("T")

HARMLESS = "some plain text"
# What earlier stages make or check: identifiers, names of files, words of a closed list, and what HTTP restricts.
GIVEN = {
    "name": (Catalog, HeaderArg, CookieArg),
    "package": (Catalog,),
    "distribution": (Catalog,),
    "environment": (),
    "version": (Catalog,),
    "group": (),
    "method": (),
    "style": (),
    "kind": (Credential,),
    "location": (Credential,),
    "prefix": (Credential,),
    "stem": (Credential,),
    "variables": (Credential,),
    "media_type": (),
    "accept": (),
    "argument": (),
    "arguments_type": (),
    "result_type": (),
}
GIVEN_GROUP_AND_TOOL = ("Group.name", "Tool.name", "Credential.name")


def replaced(value: T, text: str) -> T:
    """A value with this text at the end of each of its texts."""
    if isinstance(value, Location):
        return value
    if isinstance(value, bytes):
        return cast("T", value + text.encode())
    if is_dataclass(value) and not isinstance(value, type):
        kind = type(value)
        changed = {
            field.name: getattr(value, field.name)
            if _given(kind, field.name)
            else replaced(getattr(value, field.name), text)
            for field in fields(value)
        }
        return kind(**changed)
    if isinstance(value, str):
        return cast("T", value + text)
    if isinstance(value, tuple):
        return cast("T", tuple(replaced(item, text) for item in cast("tuple[Any, ...]", value)))
    if isinstance(value, Mapping):
        return cast("T", _schema(cast("Mapping[str, Any]", value), text))
    return value


def _given(kind: type, field: str) -> bool:
    if f"{kind.__name__}.{field}" in GIVEN_GROUP_AND_TOOL:
        return True
    kinds = GIVEN.get(field)
    return kinds is not None and (not kinds or kind in kinds)


def _schema(value: Any, text: str, key: str = "") -> Any:
    """A schema or example with the text in descriptions, enums, examples and the names of properties."""
    if isinstance(value, Mapping):
        members = cast("Mapping[str, Any]", value)
        if key in ("", "$defs", "items", "additionalProperties", "anyOf", "allOf"):
            return {name: _schema(item, text, name) for name, item in members.items()}
        return {f"{name}{text}": _schema(item, text) for name, item in members.items()}
    if isinstance(value, list):
        return [_schema(item, text, "" if key == "anyOf" else key) for item in cast("list[Any]", value)]
    if isinstance(value, str) and key in ("description", "title", "enum", "const", "default", "required", "pattern"):
        return value + text
    return value


def tree(file: File) -> Any:
    """What a file says, without its texts."""
    name = file.path.rpartition("/")[2]
    if name in (".gitignore", ".gitattributes", ".dockerignore", ".mcpbignore", "py.typed", "LICENSE"):
        return file.text
    found = structure(file.path, file.text)
    assert found is not None, f"no comparison for {file.path}"
    return found


def made(catalog: Catalog, text: str) -> dict[str, File]:
    """The files of a catalog with this text in all of its texts; the runtime is nobody's text.

    Which requests can be made depends on texts (a header holds no line breaks), so those of the catalog are taken.
    """
    types = {name: _schema(schema, text) for name, schema in catalog.types.items()}
    expected = {name: replaced(case, text) for name, case in cases(catalog).items()}

    def given(_: Catalog) -> Mapping[str, Any]:
        return expected

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(render, "cases", given)
        found = render.files(replace(replaced(catalog, text), types=types), f"../{text}.yaml")
    return {file.path: file for file in found if file.owner != "runtime"}


@pytest.fixture(scope="module")
def harmless(bookshop: Catalog) -> dict[str, File]:
    """The files with harmless texts."""
    return made(bookshop, HARMLESS)


@pytest.mark.parametrize("kind", [kind for kind, text in HOSTILE.items() if text.strip()])
def test_a_text_stays_a_text(bookshop: Catalog, harmless: dict[str, File], kind: str) -> None:
    hostile = made(bookshop, HOSTILE[kind])
    assert hostile.keys() == harmless.keys()
    for path, file in hostile.items():
        assert tree(file) == tree(harmless[path]), path


def test_the_texts_do_arrive(harmless: dict[str, File]) -> None:
    """Else the law would hold of nothing."""
    having = {path for path, file in harmless.items() if HARMLESS in file.text}
    assert {path for path in harmless if "LICENSE" not in path} - having <= {
        ".dockerignore",
        ".gitattributes",
        ".gitignore",
        ".mcpbignore",
        "compose.yaml",
        "deploy/kubernetes.yaml",
        "deploy/nginx.conf",
        "src/bookshop_mcp/__main__.py",
        "src/bookshop_mcp/api/groups/__init__.py",
        "src/bookshop_mcp/py.typed",
        "src/bookshop_mcp/server.py",
        "tests/__init__.py",
        "tests/conftest.py",
    }
