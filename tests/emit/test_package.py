"""The emitted package: what ruff, a type checker, pytest and packaging say about it, and what its files hold."""

from __future__ import annotations

import ast
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from toolcast import pipeline
from toolcast.diagnostics import Report
from toolcast.emit.environment import templates_root

from .conftest import BOOKSHOP, Generate

# The names of schemas and tools are those of the runtime's classes, of constants and of modules.
CLASHES = """\
openapi: 3.1.0
info: {title: "Clashes 🚀", version: "1"}
servers: [{url: "https://{region}.example/v1", variables: {region: {default: eu, enum: [eu, us]}}}]
security: [{basic: []}, {key: []}]
x-references:
  - &A1 {$ref: "#/components/schemas/A1"}
  - &Any {$ref: "#/components/schemas/Any"}
  - &Content {$ref: "#/components/schemas/Content"}
  - &Field {$ref: "#/components/schemas/Field"}
  - &Operation {$ref: "#/components/schemas/Operation"}
paths:
  /a:
    get:
      operationId: type_checking
      parameters: [{name: n, in: query, schema: {type: integer}}, {name: X-Trace, in: header, schema: {type: string}}]
      responses: {"200": {description: OK, content: {application/json: {schema: *Content}}}}
    post:
      operationId: a1
      requestBody: {content: {application/json: {schema: *Field}}}
      responses: {"200": {description: OK, content: {application/json: {schema: *A1}}}}
    put:
      operationId: api
      servers: [{url: "https://{zone}.example/v2", variables: {zone: {default: z}}}]
      requestBody:
        content:
          multipart/form-data:
            schema:
              type: object
              properties: {x: {type: string, format: binary}, kind: {anyOf: [{const: one}, {const: two}]}}
      responses: {"200": {description: OK, content: {application/json: {schema: *Operation}}}}
  /b/{class}:
    get:
      tags: [import]
      operationId: any
      parameters: [{name: class, in: path, required: true, schema: {type: string}}]
      responses: {"200": {description: OK, content: {application/json: {schema: {type: array, items: *Any}}}}}
    delete:
      tags: [types]
      operationId: operation
      security: []
      parameters: [{name: class, in: path, required: true, schema: {type: string}}]
      responses: {"204": {description: Gone}}
components:
  securitySchemes: {basic: {type: http, scheme: basic}, key: {type: apiKey, in: cookie, name: session}}
  schemas:
    A1: {type: object, properties: {a: {type: string}}}
    Any: {type: object, properties: {a: {type: string}, "not an identifier": {type: integer}}}
    Content: {type: object, properties: {a: {$ref: "#/components/schemas/ContentType"}}}
    ContentType: {type: object, properties: {a: {anyOf: [{type: string, enum: [x]}, {type: string, enum: [y]}]}}}
    Field: {type: object, properties: {a: {type: string}}}
    Operation: {type: object, properties: {a: {$ref: "#/components/schemas/Operation"}}}
"""


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The packages of the sample and of a document full of clashes."""
    root = tmp_path_factory.mktemp("packages")
    (root / "clashes.yaml").write_text(CLASHES, "utf-8")
    documents = {"bookshop": BOOKSHOP, "clashes": root / "clashes.yaml"}
    for name, document in documents.items():
        assert pipeline.generate(str(document), root / name, report=Report(), name=name).applied
    return {name: root / name for name in documents}


@pytest.fixture(scope="module", params=["bookshop", "clashes"])
def package(request: pytest.FixtureRequest, packages: dict[str, Path]) -> Path:
    """One of the packages."""
    return packages[request.param]


def run(folder: Path, *command: str, environment: Mapping[str, str] = os.environ) -> subprocess.CompletedProcess[str]:
    """A tool of this environment, in a folder."""
    program = shutil.which(command[0], path=str(Path(sys.executable).parent)) or command[0]
    return subprocess.run(
        [program, *command[1:]], cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=120
    )


@pytest.mark.parametrize(
    "command",
    [
        ("ruff", "check", "."),
        ("ruff", "format", "--check", "."),
        ("ruff", "check", "--isolated", "--line-length", "120", "."),
        ("ruff", "format", "--isolated", "--line-length", "120", "--check", "."),
    ],
    ids=" ".join,
)
def test_ruff_finds_nothing(package: Path, command: tuple[str, ...]) -> None:
    done = run(package, *command)
    assert done.returncode == 0, done.stdout + done.stderr


def test_its_own_settings_leave_generated_files_alone_even_when_they_are_named(package: Path) -> None:
    """As commit hooks do; a formatter that changed them would make them look edited."""
    (module,) = package.glob("src/*/api/security.py")
    text = module.read_text("utf-8")
    module.write_text(text + "x=1\n", "utf-8")
    try:
        run(package, "ruff", "format", str(module))
        assert module.read_text("utf-8") == text + "x=1\n"
    finally:
        module.write_text(text, "utf-8")


def test_a_type_checker_finds_nothing(packages: dict[str, Path]) -> None:
    """With the settings that each package has; in one run, as reading the SDK takes longest."""
    (root,) = {package.parent for package in packages.values()}
    settings: dict[str, Any] = {"include": [], "extraPaths": []}
    for name, package in packages.items():
        own = tomllib.loads((package / "pyproject.toml").read_text("utf-8"))["tool"]["pyright"]
        assert own == {"include": ["src", "tests"], "typeCheckingMode": "strict"}
        settings["include"] += [f"{name}/{folder}" for folder in own["include"]]
        settings["extraPaths"].append(f"{name}/src")
    (root / "pyrightconfig.json").write_text(json.dumps({**settings, "typeCheckingMode": "strict"}))
    done = run(root, "basedpyright", "--pythonpath", sys.executable)
    assert done.returncode == 0, done.stdout


def test_its_own_tests_pass(package: Path) -> None:
    done = run(package, sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-W", "error")
    assert done.returncode == 0, done.stdout
    assert "skipped" not in done.stdout


def test_it_runs_as_a_module(package: Path) -> None:
    (module,) = (folder.name for folder in (package / "src").iterdir() if folder.name.endswith("_mcp"))
    environment = {**os.environ, "PYTHONPATH": str(package / "src")}
    done = run(package, sys.executable, "-m", module, "--version", environment=environment)
    assert (done.returncode, done.stdout) == (0, f"{package.name} 0.1.0\n"), done.stderr


def project(package: Path) -> dict[str, Any]:
    """The ``[project]`` table of a package."""
    return tomllib.loads((package / "pyproject.toml").read_text("utf-8"))["project"]


def test_every_distribution_that_is_imported_is_declared(package: Path) -> None:
    """And nothing else is, and none without an upper bound."""
    imported: set[str] = set()
    for path in package.glob("src/**/*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                imported |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and not node.level:
                imported.add((node.module or "").partition(".")[0])
    declared = {re.split(r"[<>=;]", entry)[0].strip().replace("-", "_") for entry in project(package)["dependencies"]}
    distributions = {
        {"jwt": "PyJWT", "opentelemetry": "opentelemetry_api"}.get(name, name)
        for name in imported - set(sys.stdlib_module_names)
    }
    assert distributions == declared
    assert all(re.search(r",<\d", entry) for entry in project(package)["dependencies"])
    assert "mcp>=2.3,<3" in project(package)["dependencies"]


def test_the_vendored_runtime_is_the_templates_byte_for_byte_with_its_license(package: Path) -> None:
    (runtime,) = package.glob("src/*/_runtime")
    template = templates_root() / "runtime"
    ours = {path.name: path.read_bytes() for path in template.iterdir() if path.is_file()}
    assert {path.name: path.read_bytes() for path in runtime.iterdir() if path.is_file()} == ours
    assert b"BSD Zero Clause License" in ours["LICENSE"]
    assert project(package)["license-files"] == [(runtime / "LICENSE").relative_to(package).as_posix()]
    assert (runtime.parent / "py.typed").read_bytes() == b""


def test_names_that_the_module_has_already_are_renamed_in_the_import_only(packages: dict[str, Path]) -> None:
    text = (packages["clashes"] / "src/clashes_mcp/api/groups/a.py").read_text("utf-8")
    assert "    from ..types import A1 as A1Type\n" in text
    assert "    from ..types import Content as ContentType\n" in text
    assert "A1: Operation[A1Arguments, A1Type] = Operation(" in text


def test_every_setting_that_the_runtime_reads_is_documented(packages: dict[str, Path]) -> None:
    package = packages["clashes"]
    read = {
        name
        for path in package.glob("src/*/_runtime/*.py")
        for name in re.findall(r'f"\{prefix\}_([A-Z_]+)"', path.read_text("utf-8"))
    }
    read |= {"BASIC_USERNAME", "BASIC_PASSWORD", "KEY", "SERVER_REGION", "SERVER_ZONE"}
    for file in ("README.md", ".env.example"):
        text = (package / file).read_text("utf-8")
        named = set(re.findall(r"CLASHES_([A-Z_]+)", text))
        assert named - {f"{name}_FILE" for name in read} == read - {"SERVER_"}, file


def test_the_license_of_the_runtime_is_in_the_wheel(packages: dict[str, Path], tmp_path: Path) -> None:
    pytest.importorskip("hatchling", reason="needs the build backend")
    done = run(packages["bookshop"], sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path))
    assert done.returncode == 0, done.stderr
    (wheel,) = tmp_path.glob("*.whl")
    names = set(run(tmp_path, sys.executable, "-m", "zipfile", "-l", str(wheel)).stdout.split())
    assert any(name.endswith(".dist-info/licenses/src/bookshop_mcp/_runtime/LICENSE") for name in names)
    assert {"bookshop_mcp/py.typed", "bookshop_mcp/api/tools.json"} <= names


def test_a_document_without_operations_still_makes_a_package(generate: Generate) -> None:
    folder = generate("openapi: 3.1.0\ninfo: {title: Nothing, version: '1'}\npaths: {}\n")
    done = run(folder, "ruff", "check", "--isolated", "--line-length", "120", ".")
    assert done.returncode == 0, done.stdout
    assert "0 tools, 0 read-only" in (folder / "TOOLS.md").read_text("utf-8")
