"""Hostile texts: no template, built-in or careless, lets one be read as code; generation refuses, or it is inert."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from toolcast import pipeline
from toolcast.diagnostics import Failure, Report
from toolcast.emit import render
from toolcast.emit.hostile import HOSTILE
from toolcast.emit.literals import Call
from toolcast.emit.project import Project
from toolcast.emit.proof import faults, prove
from toolcast.emit.requests import cases
from toolcast.emit.sources import builtin, sources
from toolcast.emit.structure import Broken, is_by_lines, structure
from toolcast.emit.twin import harmless, on_one_line, texts, twin
from toolcast.emit.viewing import package_view
from toolcast.emit.views import PackageView
from toolcast.model.catalog import Catalog

from .conftest import DOCUMENT, Folder, made, refusal

LOOP = "{% for group in package.groups %}{% for tool in group.tools %}\n"
END = "{% endfor %}{% endfor %}"


def each(line: str) -> str:
    """A template with this line for each tool."""
    return f"{LOOP}{line}\n{END}"


# File → what a hurried owner writes into its template; with most documents each of them works.
CARELESS: list[tuple[str, str]] = [
    ("x.py", each("A = '{{ tool.summary|py }}'")),
    ("x.py", each("A = '{{ tool.summary|comment }}'")),
    ("x.py", each('A = "{{ tool.summary|comment }}"')),
    ("x.py", each("A = '''{{ tool.summary|docstring }}'''")),
    ("x.py", each('A = f"""{{ tool.summary|docstring }}"""')),
    ("x.py", each("# {{ tool.summary|docstring }}")),
    ("x.py", each("A = 1  # {{ tool.summary|html }}")),
    ("x.py", each("A = '{{ tool.summary|shell }}'")),
    ("x.py", each("A = [{{ tool.summary|markdown }}]")),
    ("x.toml", "# {{ package.title|docstring }}\na = 1"),
    ("x.toml", 'a = "{{ package.title|comment }}"'),
    ("x.toml", "a = '{{ package.title|toml }}'"),
    ("x.toml", "a = '''{{ package.title|docstring }}'''"),
    ("x.json", '{"a": "{{ package.title|comment }}"}'),
    ("x.json", '{"a": {{ package.title|py }}}'),
    ("x.yaml", "a: {{ package.title|comment }}"),
    ("x.yaml", 'a: "{{ package.title|comment }}"'),
    ("x.yaml", "a: {{ package.title|markdown }}"),
    ("x.yaml", "a: |\n  {{ package.title|docstring }}"),
    ("x.md", "{{ package.title|comment }}"),
    ("x.md", "{{ package.title|docstring }}"),
    ("x.md", "<b>{{ package.title|comment }}</b>"),
    ("x.md", "`{{ package.title|comment }}`"),
    ("x.html", "<p>{{ package.title|comment }}</p>"),
    ("x.html", "<p title={{ package.title|html }}>x</p>"),
    ("x.html", "<script>let title = {{ package.title|json }}</script>"),
    ("Dockerfile", "FROM python\nRUN echo {{ package.title|comment }}"),
    ("Dockerfile", 'LABEL title="{{ package.title|comment }}"'),
    ("Dockerfile", "# {{ package.title|docstring }}\nFROM python"),
    ("run.sh", "# {{ package.title|docstring }}\necho"),
    ("run.sh", "echo '{{ package.title|shell }}'"),
    ("run.sh", 'echo "{{ package.title|shell }}"'),
    ("Makefile", "run:\n\techo {{ package.title|shell }}"),
    ("setup.cfg", "a = {{ package.title|docstring }}"),
]

SOUND: list[tuple[str, str]] = [
    ("x.py", each('A = {{ tool.summary|py }}  # {{ tool.summary|comment }}\n"""{{ tool.summary|docstring }}"""')),
    ("x.py", each("A = {{ tool.summary|json }}")),
    ("x.py", each('A = r"""{{ tool.summary|docstring }}"""')),
    ("x.py", "LINES = [\n{% for line in package.description.splitlines() %}    {{ line|py }},\n{% endfor %}]"),
    ("x.py", "A = {{ package.title[:10]|py }} + {{ (package.title ~ '!')|py }}"),
    ("x.toml", "a = {{ package.title|toml }}  # {{ package.title|comment }}\n" + each("{{ tool.title|toml }} = 1")),
    ("x.json", '{"a": {{ package.title|json }}}'),
    ("x.yaml", "# {{ package.title|comment }}\na: {{ package.title|yaml }}\nb: {{ package.title|json }}"),
    (
        "x.md",
        "# {{ package.title|markdown }}\n\n{{ package.title|code_span }}\n\n" + each("- {{ tool.title|markdown }}"),
    ),
    ("x.html", '<p title="{{ package.title|html }}">{{ package.title|html }}</p>'),
    ("Dockerfile", "# {{ package.title|comment }}\nLABEL a={{ package.title|shell }}"),
    ("run.sh", "echo {{ package.title|shell }} > x  # {{ package.title|comment }}"),
    ("Makefile", "# {{ package.title|comment }}\nrun:\n\techo {{ package.distribution|shell }} $(X)"),
    ("x.txt", "{{ package.title|docstring }}"),
    ("setup.cfg", "a = {{ package.title|comment }}"),
]

# What the careless templates would have read as code, in a module or anywhere else.
PAYLOADS = [
    "'+open({marker!r},'w').close()+'",
    '"+open({marker!r},"w").close()+"',
    "'''+open({marker!r},'w').close()+'''",
    '"""+open({marker!r},"w").close()+"""',
    "\nopen({marker!r},'w').close()\n",
    "{{open({marker!r},'w').close()}}",
    "x\\'+open({marker!r},'w').close()+\\'",
    "open({marker!r},'w').close()",
]


def hostile(catalog: Catalog, text: str) -> Catalog:
    """The catalog with this text for what people read."""
    groups = tuple(
        replace(group, tools=tuple(replace(tool, title=text, description=text) for tool in group.tools))
        for group in catalog.groups
    )
    return replace(catalog, title=text, description=text, groups=groups)


def addition(folder: Folder, name: str, text: str) -> Path:
    """A folder with one addition."""
    return folder({"templates.toml": f"additions = ['{name}.jinja']", f"{name}.jinja": text})


@pytest.mark.parametrize(("name", "text"), CARELESS)
def test_the_check_finds_each_careless_template(catalog: Catalog, folder: Folder, name: str, text: str) -> None:
    mine = addition(folder, name, text)
    found = list(render.findings(catalog, sources(mine)))
    assert found
    assert {(finding.severity, finding.code) for finding in found} == {("error", "TC709")}
    assert {finding.location and finding.location.file for finding in found} == {str(mine / f"{name}.jinja")}
    assert len(found) <= 3, [finding.message for finding in found]


@pytest.mark.parametrize(("name", "text"), SOUND)
def test_the_check_finds_nothing_where_nothing_is(catalog: Catalog, folder: Folder, name: str, text: str) -> None:
    assert list(render.findings(catalog, sources(addition(folder, name, text)))) == []


def test_a_finding_names_the_text_and_the_line(catalog: Catalog, folder: Folder) -> None:
    mine = addition(folder, "x.py", "A = 1\n" + each("B = {{ tool.title|py }}\nC = '{{ tool.summary|py }}'"))
    for text in ("it's", "' + x + '"):  # what is no Python then, and what is another
        found = refusal(hostile(catalog, text), mine)
        assert (found.code, found.location and found.location.line) == ("TC709", 4)
        assert found.message == "The text of `tool.summary` is read as code in x.py, which x.py.jinja makes"
        assert "`py` writes a value" in found.help


@pytest.mark.parametrize("text", [text for name, text in CARELESS if name == "x.py"])
def test_a_payload_is_refused_or_inert(catalog: Catalog, folder: Folder, tmp_path: Path, text: str) -> None:
    marker = tmp_path / "pwned"
    project = Project(sources(addition(folder, "x.py", text)))
    for payload in PAYLOADS:
        attack = package_view(hostile(catalog, payload.format(marker=str(marker))), "x.yaml", {})
        (one,) = project.files(attack, project.sources.own)
        try:
            prove(project, attack, [one])
        except Failure as failure:
            assert failure.diagnostic.code in ("TC708", "TC709")
        else:
            exec(one.file.text, {})
        assert not marker.exists()


def test_the_payloads_are_dangerous(catalog: Catalog, tmp_path: Path) -> None:
    """Else nothing would have been shown: each gets through when nobody compares."""
    marker = tmp_path / "pwned"
    for quote, payload in (("'", PAYLOADS[0]), ('"', PAYLOADS[1]), ("'''", PAYLOADS[2]), ("", PAYLOADS[7])):
        with suppress(TypeError):  # a text and nothing are not added
            exec(f"A = {quote}{payload.format(marker=str(marker))}{quote}")
        assert marker.exists()
        marker.unlink()


def test_a_declared_encoding_counts(catalog: Catalog, folder: Folder) -> None:
    """Python reads the first lines of a file for how the rest is encoded."""
    mine = addition(folder, "x.py", "# {{ package.title|comment }}\nA = {{ package.description|py }}\n")
    quoted = "+ACI-+-exit(1)+-+ACI-"  # "+exit(1)+" in UTF-7
    assert made(replace(catalog, title="x", description=quoted), mine)["x.py"] == f'# x\nA = "{quoted}"\n'
    assert refusal(replace(catalog, title="coding: utf-7", description=quoted), mine).code == "TC709"


@pytest.fixture(scope="session")
def view(catalog: Catalog) -> PackageView:
    """What templates see of the catalog."""
    return package_view(catalog, "x.yaml", cases(catalog), templates="templates")


@pytest.mark.parametrize("kind", ["quotes at both ends", "python", "line that begins a block", "code of markdown"])
def test_built_in_templates_let_no_text_be_code(view: PackageView, kind: str) -> None:
    project = Project(builtin())
    attack = twin(view, lambda text: HOSTILE[kind] + text + HOSTILE[kind])
    assert list(faults(project, attack, project.files(attack, project.sources.templates))) == []


def test_a_document_that_attacks_a_careless_project_changes_nothing_on_disk(folder: Folder, tmp_path: Path) -> None:
    mine = addition(folder, "x.py", each("A = '{{ tool.title|py }}'"))
    document = tmp_path / "ferry.yaml"
    document.write_text(DOCUMENT, "utf-8")
    report = Report()
    assert pipeline.generate(str(document), tmp_path / "out", report=report, templates=mine).applied
    before = {path: path.read_bytes() for path in (tmp_path / "out").rglob("*") if path.is_file()}
    document.write_text(DOCUMENT.replace("summary: Launch a boat", "summary: \"'+exit(1)+'\""), "utf-8")
    with pytest.raises(Failure, match=r"The text of `tool\.title` is read as code"):
        pipeline.generate(str(document), tmp_path / "out", report=Report())
    assert {path: path.read_bytes() for path in (tmp_path / "out").rglob("*") if path.is_file()} == before


@pytest.mark.parametrize("change", [harmless, on_one_line])
@pytest.mark.parametrize("text", [*HOSTILE.values(), "abc ABC 019 ~é\u2028\n"])
def test_a_harmless_text_has_the_length_of_the_other_and_none_of_its_signs(
    change: Callable[[str], str], text: str
) -> None:
    other = change(text)
    assert len(other) == len(text)
    assert all(new != old or (old.isspace() and change is harmless) for old, new in zip(text, other, strict=True))
    assert all(sign.isspace() or "a" <= sign <= "z" for sign in other)


def test_every_text_of_the_view_has_a_twin_and_no_name_has_one(view: PackageView) -> None:
    changed = twin(view, lambda text: f"<{text}>")
    assert changed.title == "<Ferry lines>"
    assert changed.groups[0].tools[0].hints[0].reason.startswith("<")
    assert changed.groups[0].tools[0].operation.keywords == {
        "name": "<list_boats>",
        "method": "<GET>",
        "path": "</boats>",
        "bindings": (Call("Query", ("<limit>",), {}),),
        "security": (("<key>",),),
    }
    assert [*changed.schemes] == ["<key>"]
    assert (changed.name, changed.groups[0].name, changed.group_index.keys()) == (
        view.name,
        view.groups[0].name,
        view.group_index.keys(),
    )
    assert {member for kind, member in texts(view) if kind == "VariableView"} == {"description", "default"}


@pytest.mark.parametrize(
    ("path", "one", "two", "equal"),
    [
        ("a.py", "x = 'a'", 'x = "b"', True),
        ("a.py", "x = 'a'", "x = a", False),
        ("a.py", "x = 'a'", "x = 1", False),
        ("a.toml", "a = 'x'\n[b]\nc = 1", "q = 'y'\n[r]\ns = 2", True),
        ("a.toml", "a = 'x'", "a = ['x']", False),
        ("a.json", '{"a": [1, "x"]}', '{"b": [2, "y"]}', True),
        ("a.json", '{"a": [1]}', '{"a": [1, 2]}', False),
        ("a.yml", "a: x\nb: [y]", "c: 'q'\nd:\n- r", True),
        ("a.yml", "a: x", "a: 1", False),
        ("a.yml", "a: x", "a: !!python/name:os.system x", False),
        ("a.md", "# a\n\nb `c`", "# x\n\ny `z`", True),
        ("a.md", "a", "# a", False),
        ("a.md", "a", "a <b>c</b>", False),
        ("a.md", "a", "[a](x)", False),
        ("a.html", "<p class='x'>a</p>", "<p class='y'>b</p>", True),
        ("a.html", "<p>a</p>", "<p>a<b></b></p>", False),
        ("a.html", "<p title=a>", "<p title=a onclick=b>", False),
        ("Dockerfile", "RUN a 'b c' # d", 'RUN x "y" # z z', True),
        ("Dockerfile", "RUN a", "RUN a; b", False),
        ("Dockerfile", "RUN a", "RUN $(a)", False),
        ("Dockerfile", 'RUN "a"', 'RUN "a $b"', False),
        ("Dockerfile", "# a\n# b\nRUN x", "# a\nRUN x", True),
        ("Makefile", "x:\n\techo 'a'", "x:\n\techo '$a'", False),
        ("a.sh", "echo 'it'\"'\"'s'", "echo its", True),
        ("a.cfg", "a = 1", "b = 2 2", True),
        ("a.cfg", "a = 1", "a = 1\nb = 2", False),
        ("a.txt", "a", "b\nc", True),
    ],
)
def test_structures(path: str, one: str, two: str, equal: bool) -> None:
    assert (structure(path, one) == structure(path, two)) is equal


def test_lines_are_compared_where_there_is_no_syntax_to_compare() -> None:
    assert [path for path in ("a.py", "a.toml", "b/Dockerfile", ".env", "x.cfg", "x.rst") if is_by_lines(path)] == [
        "b/Dockerfile",
        ".env",
        "x.cfg",
        "x.rst",
    ]
    broken: Any
    for path, broken in (("a.py", "x = "), ("a.py", "x = '\0'"), ("a.toml", "="), ("a.json", "{"), ("a.yaml", "[")):
        with pytest.raises(Broken):
            structure(path, broken)
