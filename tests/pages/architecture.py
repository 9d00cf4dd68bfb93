"""The picture of the generator's folders, made from their imports; run as a module, this file writes it."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterable, Iterator
from typing import Final

from tests.pages.blocks import ROOT

PICTURE: Final = ROOT / "docs" / "images" / "architecture.svg"
_SOURCE: Final = ROOT / "generator" / "toolcast"
_WIDTH, _HEIGHT, _GAP, _ROW = 84, 34, 10, 84  # of a box, between two, and from row to row
_STYLE: Final = """\
<style>
text { font: 13px system-ui, sans-serif; fill: #1f2328; text-anchor: middle }
rect { fill: #f6f8fa; stroke: #57606a }
path { stroke: #57606a; fill: none; opacity: .8 }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3 } rect { fill: #21262d; stroke: #8b949e } path { stroke: #9aa4ae }
}
</style>"""


def rows() -> list[list[str]]:
    """The layers that import-linter holds, from above, each with its folders and modules."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    (contract,) = project["tool"]["importlinter"]["contracts"]
    layers = ([part.strip(" ()") for part in layer.split("|")] for layer in contract["layers"])
    return [[part.removeprefix("toolcast.") for part in layer] for layer in layers]


def imports(parts: Iterable[str]) -> set[tuple[str, str]]:
    """Which part imports which, wherever in a module the import stands."""
    known = set(parts)
    found: set[tuple[str, str]] = set()
    for path in sorted(_SOURCE.rglob("*.py")):
        importing = path.relative_to(_SOURCE).parts[0].removesuffix(".py")
        for name in _imported(ast.parse(path.read_text("utf-8"))):
            imported = name.split(".")[1] if name.startswith("toolcast.") else ""
            if importing in known and imported in known and importing != imported:
                found.add((importing, imported))
    return found


def told(found: set[tuple[str, str]]) -> set[tuple[str, str]]:
    """The imports that do not follow from others: from one part to a second, when none between leads there."""
    reached: dict[str, set[str]] = {}

    def reach(part: str) -> set[str]:
        if part not in reached:
            reached[part] = set()
            direct = {imported for importing, imported in found if importing == part}
            reached[part] = direct.union(*map(reach, direct))
        return reached[part]

    return {
        (importing, imported)
        for importing, imported in found
        if not any(imported in reach(between) for other, between in found if other == importing)
    }


def _imported(module: ast.Module) -> Iterator[str]:
    for node in ast.walk(module):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield from (f"{node.module}.{name.name}" for name in node.names)


def svg() -> str:
    """The picture, as it is committed."""
    layers = rows()
    widest = max(len(layer) for layer in layers)
    width = widest * (_WIDTH + _GAP) + 3 * _GAP
    height = len(layers) * _ROW - _ROW + _HEIGHT + 2 * _GAP
    places: dict[str, tuple[float, float]] = {}
    for number, layer in enumerate(layers):
        begin = (width - len(layer) * _WIDTH - (len(layer) - 1) * _GAP) / 2
        for column, part in enumerate(layer):
            places[part] = (begin + column * (_WIDTH + _GAP) + _WIDTH / 2, _GAP + number * _ROW)
    lines: list[str] = []
    for importing, imported in sorted(told(imports(places))):
        (x, y), (to_x, to_y) = places[importing], places[imported]
        y += _HEIGHT
        bend = (to_y - y) / 2
        lines.append(f'<path d="M{x:g} {y:g}C{x:g} {y + bend:g} {to_x:g} {to_y - bend:g} {to_x:g} {to_y:g}"/>')
    for part, (x, y) in places.items():
        lines.append(f'<rect x="{x - _WIDTH / 2:g}" y="{y:g}" width="{_WIDTH}" height="{_HEIGHT}" rx="5"/>')
        lines.append(f'<text x="{x:g}" y="{y + 22:g}">{part.strip("_")}</text>')
    title = "<title>Which part of the generator imports which, but for what follows from other imports</title>"
    opening = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" role="img">'
    return "\n".join((opening, title, _STYLE, *lines, "</svg>", ""))


if __name__ == "__main__":
    PICTURE.parent.mkdir(exist_ok=True)
    PICTURE.write_text(svg(), "utf-8", newline="\n")
