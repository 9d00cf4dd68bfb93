"""The lock on disk: what was decided comes back as it was, and what cannot be used is told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from toolcast.diagnostics import Failure
from toolcast.model.lock import Lock, Rendition
from toolcast.write import lock as lock_file

LOCK = Lock(
    names={"GET /b": "get_b", "GET /a": "get_ä"},
    groups={"GET /a": "a"},
    arguments={"GET /a": {"query x": "x"}, "GET /b": {}},
    variables={"key": "KEY"},
    files={"src/a.py": Rendition(digest="0" * 64, blob="1" * 40)},
    given=("src/server.py",),
    digest="d",
    generator="0.1.0",
)


def test_a_lock_comes_back(tmp_path: Path) -> None:
    (tmp_path / lock_file.FILE).write_text(lock_file.text(LOCK), "utf-8")
    found = lock_file.read(tmp_path)
    assert found is not None
    assert (found.names, found.groups, found.variables, found.files) == (
        LOCK.names,
        LOCK.groups,
        LOCK.variables,
        LOCK.files,
    )
    assert found.given == LOCK.given
    assert (found.arguments, found.digest, found.generator) == ({"GET /a": {"query x": "x"}}, "d", "0.1.0")


def test_its_text_does_not_depend_on_the_order_of_decisions() -> None:
    turned = Lock(names=dict(reversed(list(LOCK.names.items()))), digest="d")
    assert lock_file.text(turned) == lock_file.text(Lock(names=LOCK.names, digest="d"))


def test_the_first_format_is_read(tmp_path: Path) -> None:
    values = json.loads(lock_file.text(LOCK)) | {"format": 1, "files": {"src/a.py": "0" * 64}}
    del values["given"]
    (tmp_path / lock_file.FILE).write_text(json.dumps(values), "utf-8")
    found = lock_file.read(tmp_path)
    assert found is not None
    assert (found.names, found.files, found.given) == (LOCK.names, {"src/a.py": Rendition(digest="0" * 64)}, ())


def test_there_need_not_be_one(tmp_path: Path) -> None:
    assert lock_file.read(tmp_path) is None
    (tmp_path / "file").write_text("")
    assert lock_file.read(tmp_path / "file") is None


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "[]",
        '{"format": 3}',
        '{"format": 1}',
        lock_file.text(LOCK).replace('"names": {', '"names": 1, "x": {'),
        "<<<<<<< HEAD\n",
        "\udcff",
    ],
)
def test_a_lock_that_cannot_be_used_is_told(tmp_path: Path, text: str) -> None:
    (tmp_path / lock_file.FILE).write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(Failure) as failure:
        lock_file.read(tmp_path)
    assert failure.value.diagnostic.code == "TC510"


def test_what_was_decided_about_names_and_destinations_comes_back(tmp_path: Path) -> None:
    lock = Lock(
        names={"GET /a": "a"},
        bodies={"POST /a": "whole"},
        retired={"old": "GET /old"},
        aliases={"former": "a"},
        origins=("https://a.test", "https://b.test:8443"),
        credentials={
            "oauth": {"type": "oauth2", "flows": {"implicit": {"authorizationUrl": "https://id"}}, "scopes": ["r"]}
        },
    )
    (tmp_path / lock_file.FILE).write_text(lock_file.text(lock), "utf-8")
    found = lock_file.read(tmp_path)
    assert found is not None
    assert (found.bodies, found.retired, found.aliases) == (lock.bodies, lock.retired, lock.aliases)
    assert (found.origins, found.credentials) == (lock.origins, lock.credentials)
    assert lock_file.text(found) == lock_file.text(lock)


def test_a_lock_from_before_there_was_that_has_none_of_it(tmp_path: Path) -> None:
    text = lock_file.text(LOCK)
    for name in ("bodies", "retired", "aliases", "origins", "credentials"):
        text = text.replace(f'"{name}":', f'"not {name}":')
    (tmp_path / lock_file.FILE).write_text(text, "utf-8")
    found = lock_file.read(tmp_path)
    assert found is not None and found.names == LOCK.names
    assert (found.bodies, found.retired, found.aliases, found.origins, found.credentials) == ({}, {}, {}, (), {})
