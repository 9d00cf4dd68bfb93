"""The pictures of the pages are what their scripts make."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

from tests.pages import architecture, recording
from tests.pages.world import made, site


def test_the_picture_of_the_architecture_is_as_the_imports_are() -> None:
    """After a change: ``python -m tests.pages.architecture``."""
    assert architecture.PICTURE.read_text("utf-8") == architecture.svg()
    ElementTree.fromstring(architecture.svg())


def test_every_import_leads_downwards() -> None:
    layers = architecture.rows()
    row = {part: number for number, layer in enumerate(layers) for part in layer}
    found = architecture.imports(row)
    assert ("pipeline", "mapping") in found and ("mapping", "model") in found
    assert all(row[importing] < row[imported] for importing, imported in found)


def test_the_terminal_shows_what_its_commands_print(tmp_path: Path) -> None:
    """After a change: ``python -m tests.pages.recording``."""
    with site() as address:
        (tmp_path / "first").mkdir()
        world = made(tmp_path / "first", address).copied(tmp_path / "second", before="document")
        try:
            drawn = recording.svg(recording.lines(world))
        finally:
            world.end()
    committed = recording.PICTURE.read_text("utf-8")
    assert recording.words(committed) == recording.words(drawn)
    assert not re.search(r"@font-face|url\(http|href=", committed)
