"""Injection: hundreds of texts that break out of something, in every text field of a document, are read as text."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any, Final

import pytest
from markdown_it import MarkdownIt

from toolcast import pipeline
from toolcast.diagnostics import Report
from toolcast.emit import render
from toolcast.emit.hostile import HOSTILE
from toolcast.emit.project import Project
from toolcast.emit.proof import faults
from toolcast.emit.requests import cases
from toolcast.emit.sources import builtin
from toolcast.emit.viewing import package_view
from toolcast.model.catalog import Catalog

# What ends the literal, comment, tag or line that a text may stand in, and what a reader would do then.
_ENDS: Final = (
    "",
    "'",
    '"',
    "'''",
    '"""',
    '\\"',
    "\\'",
    "\\",
    "\n",
    "\r\n",
    "\r",
    "\u2028",
    "\x0c",
    "\x00",
    "#\n",
    "*/",
    "-->",
    "]]>",
    "`",
    "```\n",
    "</script>",
    "</title>",
    '">',
    "'>",
    "}",
    "}}",
    "%}",
    "#}",
    ")",
    "'),",
    '"),',
    '"]\n',
    "\n---\n",
    "\n\n",
    "|",
    "$(",
    "${",
    "EOF\n",
    ",\n",
    ";\n",
)
_DOES: Final = (
    "open('PWNED.txt', 'w')",
    "__import__('os').system('touch PWNED.txt')",
    "\nimport os\nos.mkdir('PWNED.txt')\n#",
    "{{ open('PWNED.txt', 'w') }}",
    "{% raw %}{{ 7 * 7 }}",
    "[tool.evil]\nkey = 1\n",
    "key: !!python/object/apply:os.mkdir [PWNED.txt]\n",
    "<script>alert(1)</script>",
    "[x](javascript:alert(1))",
    "touch PWNED.txt",
    "RUN touch PWNED.txt\n",
    '"evil": true, ',
    "{x!r} %(x)s",
    "\u202egnp.exe",
)
STRINGS: Final = tuple(dict.fromkeys([*HOSTILE.values(), *(f"x{end}{does}{end}" for end in _ENDS for does in _DOES)]))
_KEYS: Final = {str(at): text for at, text in enumerate(STRINGS) if text.strip()}


def _operation(at: str, text: str, *, named: bool) -> dict[str, Any]:
    """An operation that has the text in each of its fields; with ``named``, also where names are made of it."""
    told = f"it {text} end"
    name = text if named else f"n{at}"
    schema = {"type": "string", "title": told, "description": told, "default": told, "example": told}
    listed = {**schema, "enum": [told, text, f"{text}x"], "x-enum-descriptions": [told, told, told]}
    whole = {
        "type": "object",
        "title": told,
        "description": told,
        "properties": {
            name: {
                **schema,
                "pattern": re.escape(text) if text.isprintable() else "a",
                "xml": {"name": name, "prefix": name},
            },
            f"{name}2": listed,
            "x": {"const": told, "$comment": told, "contentMediaType": told},
        },
        "examples": [{"x": told}],
        "example": {"x": told},
    }
    content = {
        "application/json": {
            "schema": whole,
            "example": {"x": told},
            "examples": {told: {"summary": told, "value": told}},
        }
    }
    return {
        "operationId": name if named else f"op{at}",
        "summary": told,
        "description": told,
        "tags": [text if named else "all"],
        "externalDocs": {"url": f"https://x.example/{text}", "description": told},
        "parameters": [
            {"name": f"{name}q", "in": "query", "description": told, "schema": schema, "example": told},
            {"name": f"{name}h", "in": "header", "description": told, "schema": listed},
            {"name": f"{name}c", "in": "cookie", "deprecated": True, "schema": schema, "x-note": told},
            {"name": "j", "in": "query", "content": {"application/json": {"schema": whole}}},
        ],
        "requestBody": {
            "description": told,
            "content": content if not named else {**content, f"application/{text}+json": {"schema": whole}},
        },
        "responses": {
            "200": {
                "description": told,
                "headers": {"X-Y": {"description": told, "schema": schema}},
                "content": content,
            },
            "default": {"description": told, "links": {told: {"operationId": told, "description": told}}},
        },
        "security": [{"oauth": [text]}] if named else [],
        "servers": [
            {
                "url": f"https://x.example/{{v}}/{text if named else 'a'}",
                "description": told,
                "variables": {"v": {"default": told, "enum": [told], "description": told}},
            }
        ],
        "x-speakeasy-name-override": told if named else "x",
        "x-anything": {told: [told]},
    }


def hostile(texts: dict[str, str], first: str, *, named: bool = False) -> dict[str, Any]:
    """A document of one operation for each text; ``first`` is in the fields that there are once."""
    told = f"it {first} end"
    return {
        "openapi": "3.1.0",
        "info": {
            "title": told,
            "version": told,
            "summary": told,
            "description": told,
            "termsOfService": told,
            "contact": {"name": told, "url": told, "email": told},
            "license": {"name": told, "identifier": told},
        },
        "jsonSchemaDialect": "https://json-schema.org/draft/2020-12/schema",
        "externalDocs": {"url": told, "description": told},
        "servers": [{"url": "https://api.example/v1", "description": told}],
        "tags": [{"name": first if named else "all", "description": told, "externalDocs": {"url": told}}],
        "paths": {
            f"/p{at}"
            + (f"/{text}/{{{text}}}".replace("{{", "{") if named and "{" not in text and "}" not in text else ""): {
                "post": _operation(at, text, named=named),
                "summary": told,
            }
            for at, text in texts.items()
        },
        "components": {
            "schemas": {
                text if named else f"S{at}": {"type": "object", "description": text} for at, text in texts.items()
            },
            "securitySchemes": {
                "oauth": {
                    "type": "oauth2",
                    "description": told,
                    "flows": {
                        "clientCredentials": {
                            "tokenUrl": "https://id.example/t",
                            "scopes": dict.fromkeys(texts.values(), told),
                        }
                    },
                },
                (first if named else "key"): {"type": "apiKey", "name": "k", "in": "header", "description": told},
            },
        },
        "x-logo": {"url": told, "altText": told},
    }


def made(folder: Path, document: dict[str, Any]) -> Catalog:
    path = folder / "api.json"
    path.write_text(json.dumps(document))
    settings = folder / "toolcast.toml"
    settings.write_text('name = "harbour"\n')
    report = Report()
    catalog = pipeline.inspect(str(path), report=report, settings=settings).catalog
    assert all(found.severity != "error" for found in report.diagnostics)  # waits for the process that looks for them
    return catalog


class _Data(ast.NodeTransformer):
    """Literals as one thing, whatever they hold: which example a test has depends on what a place can carry."""

    def generic_visit(self, node: ast.AST) -> ast.AST:
        """A literal, or a node whose parts may be some."""
        try:
            ast.literal_eval(node)  # type: ignore[arg-type]
        except ValueError:
            return super().generic_visit(node)
        return ast.Constant("data") if isinstance(node, (ast.Dict, ast.Tuple, ast.List)) else node


def shape(path: str, text: str) -> str:
    """The syntax tree of a module without its texts."""
    tree = ast.parse(text)
    if path.startswith("tests/"):
        tree = _Data().visit(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, (str, bytes)):
            node.value = "text"
    return ast.dump(tree)


def parsed(path: str, text: str) -> None:
    """Each file is what its name says, and has no markup of a text's."""
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f\u2028\u202e]", text), path
    if path.endswith(".json"):
        json.loads(text)
    elif path.endswith(".toml"):
        assert "evil" not in tomllib.loads(text).get("tool", {}), path
    elif path.endswith(".md"):
        page = MarkdownIt("commonmark").enable("table").render(text)
        assert not re.search(r"(?i)<script|<img|<iframe|(href|src)=\"(?!https?:|#|[\w./-]+\.(?:md|json)\")", page), path


def test_there_are_enough_of_them() -> None:
    assert len(_KEYS) >= 400


def test_modules_differ_from_their_harmless_twins_in_texts_only(tmp_path: Path) -> None:
    """The syntax tree of every emitted Python file, types and tests too, is that of the harmless document's."""
    chosen = dict(list(_KEYS.items())[:: max(1, len(_KEYS) // 60)])
    plain = {at: f"plain{at}" for at in chosen}
    twins = [
        {file.path: file.text for file in render.files(made(tmp_path, hostile(texts, first)), "api.json")}
        for texts, first in ((chosen, HOSTILE["python"]), (plain, "plain"))
    ]
    assert twins[0].keys() == twins[1].keys()
    compared = 0
    for path, text in twins[0].items():
        if "/_runtime/" in path:
            continue
        parsed(path, text)
        if path.endswith(".py"):
            assert shape(path, text) == shape(path, twins[1][path]), path
            compared += text != twins[1][path]
    assert compared >= 4


@pytest.fixture(scope="module")
def everywhere(tmp_path_factory: pytest.TempPathFactory) -> tuple[Catalog, dict[str, str]]:
    """All texts in all fields, those too that names are made of, and the files that come of it."""
    catalog = made(tmp_path_factory.mktemp("all"), hostile(_KEYS, HOSTILE["quotes"], named=True))
    return catalog, {file.path: file.text for file in render.files(catalog, "api.json", with_types=False)}


def test_every_text_in_every_field_is_text_in_every_file(everywhere: tuple[Catalog, dict[str, str]]) -> None:
    catalog, files = everywhere
    assert len(catalog.tools) >= 400
    project = Project(builtin())
    view = package_view(catalog, "api.json", cases(catalog))
    assert list(faults(project, view, project.files(view, project.sources.templates))) == []
    for path, text in files.items():
        assert all(re.fullmatch(r"[A-Za-z0-9_.-]{1,255}", part) for part in path.split("/")), path
        if "/_runtime/" not in path:
            parsed(path, text)
        if path.endswith(".py") and "/api/" in path:
            for node in ast.walk(ast.parse(text)):
                if isinstance(node, ast.Call):  # nothing is called but the runtime's classes
                    assert isinstance(node.func, ast.Name) and node.func.id[0].isupper(), ast.unparse(node)[:200]


def test_importing_and_listing_does_nothing(everywhere: tuple[Catalog, dict[str, str]], tmp_path: Path) -> None:
    catalog, files = everywhere
    for path, text in files.items():
        if path.startswith("src/"):
            target = tmp_path / path.removeprefix("src/")
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, "utf-8")
    code = (
        f"import importlib, pkgutil, {catalog.package} as package\n"
        "for found in pkgutil.walk_packages(package.__path__, package.__name__ + '.'):\n"
        "    found.name.endswith('__main__') or importlib.import_module(found.name)\n"
        f"from {catalog.package}.server import build\n"
        "print(len(build().contract.tools))\n"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert int(done.stdout) == len(catalog.tools)
    assert not list(tmp_path.rglob("PWNED*"))
