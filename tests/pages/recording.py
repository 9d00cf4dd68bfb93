"""The terminal in README.md, made by carrying out what it shows; run as a module, this file draws it."""

from __future__ import annotations

import io
import re
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Final
from xml.etree import ElementTree

from rich.console import Console
from rich.text import Text

from tests.pages.blocks import ROOT
from tests.pages.world import World, made, site

PICTURE: Final = ROOT / "docs" / "images" / "terminal.svg"
COMMANDS: Final = (
    "toolcast generate openapi.yaml --output bookshop-mcp 2>/dev/null",
    "pip install ./bookshop-mcp",
    "bookshop-mcp --list | head -n 5",
    """bookshop-mcp call add_review '{"bookId": 7, "rating": 9}' || true""",
    """bookshop-mcp call add_review '{"bookId": 7, "customerId": 1, "rating": 5, "text": "A whale of a tale."}'""",
)
_HIDDEN: Final = (" 2>/dev/null", " || true")  # of a command, what the reader need not see
_WIDTH: Final = 108
_FONT: Final = "ui-monospace, SFMono-Regular, Menlo, Consolas, monospace"


def lines(world: World) -> list[Text]:
    """Each command with what it prints, in a world where nothing has been made of the bookshop yet."""
    shop = world.folder / "bookshop"
    world.environment.update(BOOKSHOP_API_KEY="demo-key", BOOKSHOP_STAFF_TOKEN="demo-staff-token", COLUMNS=str(_WIDTH))
    world.environment.pop("NO_COLOR", None)
    world.environment["FORCE_COLOR"] = "1"
    world.start("python upstream.py", shop)
    shown: list[Text] = []
    for command in COMMANDS:
        seen = command
        for hidden in _HIDDEN:
            seen = seen.replace(hidden, "")
        shown.append(Text.assemble(("$ ", "bold green"), (seen, "bold")))
        printed = world.run(f"{command} 2>&1", shop).rstrip()
        shown += Text.from_ansi(printed).split("\n") if printed else []
        shown.append(Text())
    return shown[:-1]


def svg(shown: Iterable[Text]) -> str:
    """The picture: a window of its own, dark, that asks for no font of a network."""
    console = Console(record=True, width=_WIDTH, file=io.StringIO(), force_terminal=True, color_system="truecolor")
    for line in shown:
        console.print(line, no_wrap=False, overflow="fold")
    text = console.export_svg(title="From an OpenAPI document to a tool call", unique_id="terminal")
    text = re.sub(r"\s*@font-face \{.*?\}", "", text, flags=re.DOTALL)
    text = text.replace("Fira Code, monospace", _FONT).replace("font-family: arial", f"font-family: {_FONT}")
    return "\n".join(line.rstrip() for line in text.splitlines()) + "\n"


def words(picture: str) -> list[str]:
    """What stands in a picture, without how it looks, and without how many files a package has."""
    texts = ElementTree.fromstring(picture).iter("{http://www.w3.org/2000/svg}text")
    return [re.sub(r"^\d+(?=\sfiles\swritten)", "", "".join(text.itertext())) for text in texts]


def main() -> None:
    """Draw the picture."""
    with tempfile.TemporaryDirectory() as name, site() as address:
        (Path(name) / "first").mkdir()
        world = made(Path(name) / "first", address).copied(Path(name) / "second", before="document")
        try:
            PICTURE.write_text(svg(lines(world)), "utf-8", newline="\n")
        finally:
            world.end()


if __name__ == "__main__":
    main()
