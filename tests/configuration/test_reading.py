"""The file itself: whatever stands in it, what is said of it names the line and what to do."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any, cast

import pytest
import tomlkit
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from toolcast.diagnostics import Failure
from toolcast.load import configuration, toml
from toolcast.model import keys
from toolcast.model.shape import problems

from .conftest import Make, Refuse

SCHEMA = Path(keys.__file__).with_name("toolcast.schema.json")


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("\nnmae = 'x'", 2, "Did you mean `name`?"),
        ("version = 3", 1, "`version` should be a text"),
        ("version = 'one'", 1, "no version of a package"),
        ("name = 'Not A Name'", 1, "cannot be the name of a package"),
        ("name =", 1, "is no TOML"),
        ("name = 'a'\nname = 'b'", 2, "is no TOML"),
        ("[select]\ninclude = ['pets']", 2, "`select.include` should be a table"),
        ("[select.include]\ntag = ['pets']", 2, "Did you mean `tags`?"),
        ("[[rules]]\ntool = false", 1, "has no `match`"),
        ("[[rules]]\nmatch = {}\n[[rules]]\nmatch.paths = [1]", 4, "`rules[2].match.paths[1]` should be a text"),
        ("[tools.a]\nhints.readonly = true", 2, "Did you mean `read_only`?"),
        ("[tools.a]\nhints.read_only = 'yes'", 2, "`tools.a.hints.read_only` should be true or false"),
        ("[tools.a]\nname = 'Bad-Name'", 2, "cannot be 'Bad-Name'"),
        ("[tools.a]\nas = 'resources'", 2, "Did you mean `resource`?"),
        ("[tools.a]\nbudget = 5", 2, "at least 100"),
        ("[tools.a]\ntitle = '''a\nb'''", 2, "has several lines"),
        ('[tools."GET /a".arguments.x]\nslashes = true', 2, '`tools."GET /a".arguments.x.slashes` should be one of'),
        ("[tools.a]\narguments.x.fixed = 1979-05-27", 2, "a date or a time"),
        ("[tools.a]\narguments.x.default = {a = [nan]}", 2, "no number that JSON has"),
        ("[tools.a]\nicons = 'http://a.example/x.png'", 2, "cannot be 'http://a.example/x.png'"),
        ("[tools.a]\nicons = [{sizes = ['48x48']}]", 2, "has no `src`"),
        ("[schemas]\noutput_schema = 'none'", 2, "cannot be 'none'"),
        ("[server]\nbase_url = 'api.example'", 2, "cannot be 'api.example'"),
        ("[package]\nlicense = 'a;b'", 2, "cannot be 'a;b'"),
        ("[files]\n'README.md' = false", 2, "is an unknown key"),
        ("[tools]\na = 1", 2, "`tools.a` should be a table"),
    ],
)  # fmt: skip
def test_what_cannot_be_meant_is_said_with_its_line(refuse: Refuse, text: str, line: int, said: str) -> None:
    found = refuse(text)
    assert said in f"{found.message}\n{found.help}"
    assert found.location is not None and found.location.line == line


def test_the_first_of_several_faults_is_told_and_the_others_counted(refuse: Refuse) -> None:
    found = refuse("[server]\nicon = 1\n[tools.x]\nnam = 1\n[select]\ntags = []")
    assert "`server.icon`" in found.message and "2 more" in found.message


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"name = 'caf\xe9'", "is not UTF-8"),
        (b"\xff\xfen\x00", "is not UTF-8"),
        (b"# " + b"a" * configuration.MAX_BYTES, "is larger than"),
        (b"a = " + b"[" * 20_000, "nested too deeply"),
        (b"\x00", "no TOML"),
    ],
)
def test_files_that_are_no_configuration(tmp_path: Path, data: bytes, said: str) -> None:
    (tmp_path / "toolcast.toml").write_bytes(data)
    with pytest.raises(Failure) as caught:
        configuration.read(tmp_path)
    assert said in caught.value.diagnostic.message


def test_a_folder_in_place_of_the_file(tmp_path: Path) -> None:
    (tmp_path / "toolcast.toml").mkdir()
    with pytest.raises(Failure) as caught:
        configuration.read(tmp_path)
    assert caught.value.diagnostic.code == "TC600"


def test_none_where_there_is_none(tmp_path: Path) -> None:
    assert configuration.read(tmp_path) is None
    assert configuration.read(tmp_path / "nowhere") is None


def test_files_as_windows_writes_them(tmp_path: Path) -> None:
    (tmp_path / "toolcast.toml").write_bytes(b"\xef\xbb\xbfname = 'x'\r\n[tools.a]\r\ntitle = 'T'\r\n")
    config = configuration.read(tmp_path)
    assert config is not None and config.name == "x"
    assert config.tools[0].at.line == 2


def test_what_is_missing_is_added_and_all_that_is_there_stays() -> None:
    text = "# Mine.\n\n# About tools.\n[tools.a] # here\ntitle = 'x'  # there\n"
    whole = configuration.completed(text, document="../a.yaml", name='n"')
    assert tomllib.loads(whole) == {**tomllib.loads(text), "document": "../a.yaml", "name": 'n"'}
    assert whole.startswith("# Mine.\n") and whole.endswith(text.removeprefix("# Mine.\n\n"))
    assert configuration.completed(whole, document="other", name="other") == whole
    assert configuration.completed("a.b = 1\r\n", name="x") == 'name = "x"\r\na.b = 1\r\n'


_KEYS = st.sampled_from(["a", "b-c", "d.e", 'f"g', "h i", "ä", ""])
_VALUES: st.SearchStrategy[Any] = st.recursive(
    st.booleans() | st.integers(-9, 9) | st.text("ab\"'\\\n#[]{}=,", max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_KEYS, inner, max_size=3),
)


@given(st.dictionaries(_KEYS, _VALUES, max_size=4))
def test_every_key_has_a_line_in_any_toml(values: dict[str, Any]) -> None:
    text = tomlkit.dumps(values)
    lines = toml.lines(text)
    rows = text.split("\n")
    for path in _paths(toml.values(text), ()):
        assert path in lines
        last = path[-1]
        if isinstance(last, str) and last.isalnum() and last.isascii():
            assert last in rows[lines[path] - 1]


def _paths(node: Any, path: tuple[Any, ...]) -> list[tuple[Any, ...]]:
    members: dict[Any, Any] = {}
    if isinstance(node, dict):
        members = cast("dict[Any, Any]", node)
    elif isinstance(node, list):
        members = dict(enumerate(cast("list[Any]", node)))
    return [found for key, value in members.items() for found in ((*path, key), *_paths(value, (*path, key)))]


def test_the_schema_for_editors_is_that_of_the_reader() -> None:
    """Write it again: python -c 'import json; from toolcast.model.keys import schema; …'."""
    assert json.loads(SCHEMA.read_text("utf-8")) == keys.schema()
    Draft202012Validator.check_schema(keys.schema())


_TABLES: st.SearchStrategy[Any] = st.recursive(
    st.booleans()
    | st.integers(0, 200)
    | st.sampled_from(["x", "x\ny", "loose", "flat", "tool", "48x48", "a/b", "https://a.example"]),
    lambda inner: st.lists(inner, max_size=2)
    | st.dictionaries(
        st.sampled_from(
            "document name select include tags rules match tools hints read_only arguments fixed credential icons src "
            "sizes schemas budget as files TOOLS.md _meta x".split()
        ),
        inner,
        max_size=3,
    ),
    max_leaves=6,
)  # fmt: skip


@given(_TABLES)
def test_reader_and_schema_agree_on_any_table(value: Any) -> None:
    validator: Any = Draft202012Validator(keys.schema())
    assert (not list(problems(value, keys.CONFIGURATION))) is validator.is_valid(value)


def test_an_empty_configuration_changes_nothing(make: Make) -> None:
    assert len(make("").catalog.tools) == 7
    assert make("").catalog.left_out == ("GET /old",)
