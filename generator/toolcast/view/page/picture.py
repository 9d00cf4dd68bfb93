"""The picture: every tool as a rectangle of the size that it costs, group by group (a squarified treemap).

The layout is that of Bruls, Huizing and van Wijk, "Squarified Treemaps" (2000).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from toolcast.model.catalog import Group, Tool
from toolcast.view.page.html import Html, tag
from toolcast.view.survey import Survey

_HEAD: Final = 17.0  # of a group, for its title
_GAP: Final = 1.5
_LETTER: Final = 6.7  # the width of a letter of a name, about
_BOLD: Final = 7.6  # and of a title
_SMALLEST: Final = 4.0


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle."""

    x: float
    y: float
    width: float
    height: float

    def inner(self, gap: float, head: float = 0.0) -> Box:
        """The rectangle without a margin, and without a strip at its top."""
        width, height = max(self.width - 2 * gap, 0.0), max(self.height - 2 * gap - head, 0.0)
        return Box(self.x + gap, self.y + gap + head, width, height)


def squarified(sizes: Sequence[float], box: Box) -> list[Box]:
    """A rectangle for each size, as square as they get; sizes are positive, the large ones first."""
    boxes: list[Box] = []
    left = list(sizes)
    while left:
        short = min(box.width, box.height)
        scale = box.width * box.height / sum(left)
        row = 1
        while row < len(left) and _worst(left[: row + 1], scale, short) <= _worst(left[:row], scale, short):
            row += 1
        placed, box = _row(left[:row], sum(left), box)
        boxes += placed
        left = left[row:]
    return boxes


def _worst(row: Sequence[float], scale: float, side: float) -> float:
    """The largest ratio of sides in a row."""
    total = sum(row) * scale
    if not total or not side:
        return 1.0
    return max(side**2 * max(row) * scale / total**2, total**2 / (side**2 * min(row) * scale))


def _row(row: Sequence[float], total: float, box: Box) -> tuple[list[Box], Box]:
    """The rectangles of a row along the shorter side, and the room that is left."""
    share = sum(row) / total
    boxes: list[Box] = []
    offset = 0.0
    for size in row:
        part = size / sum(row)
        if box.width >= box.height:
            boxes.append(Box(box.x, box.y + offset, box.width * share, box.height * part))
            offset += box.height * part
        else:
            boxes.append(Box(box.x + offset, box.y, box.width * part, box.height * share))
            offset += box.width * part
    if box.width >= box.height:
        return boxes, Box(box.x + box.width * share, box.y, box.width * (1 - share), box.height)
    return boxes, Box(box.x, box.y + box.height * share, box.width, box.height * (1 - share))


def kind(tool: Tool) -> str:
    """What a tool may do, as the class that colours it."""
    return "reads" if tool.hints.read_only.value else "destroys" if tool.hints.destructive.value else "writes"


def picture(survey: Survey, width: int, height: int) -> Html:
    """The treemap as SVG; the list of tools says the same in words, so it is one image to a screen reader."""
    sizes = {group.name: float(sum(survey.sizes[t.name] for t in group.tools)) for group in survey.catalog.groups}
    groups = sorted(survey.catalog.groups, key=lambda group: (-sizes[group.name], group.name))
    boxes = squarified([sizes[group.name] for group in groups], Box(0, 0, width, height))
    largest = ", ".join(f"{group.title} {sizes[group.name]:,.0f}" for group in groups[:3])
    return tag(
        "svg",
        *(_group(survey, group, box) for group, box in zip(groups, boxes, strict=True)),
        viewBox=f"0 0 {width} {height}",
        role="img",
        aria_label=f"Tokens of each tool, by group. The largest groups: {largest}",
    )


def _group(survey: Survey, group: Group, box: Box) -> Html:
    box = box.inner(_GAP)
    titled = box.width > 5 * _BOLD and box.height > 2.2 * _HEAD
    tools = sorted(group.tools, key=lambda tool: (-survey.sizes[tool.name], tool.name))
    room = box.inner(0, _HEAD) if titled else box
    parts: list[Html] = [*_title(group.title, box)] if titled else []
    boxes = squarified([float(survey.sizes[tool.name]) for tool in tools], room)
    for tool, place in zip(tools, boxes, strict=True):
        parts += _tool(tool, survey.sizes[tool.name], place.inner(0.5))
    return tag("g", *parts)


def _title(title: str, box: Box) -> Iterator[Html]:
    yield tag("text", _fitting(title, box.width, _BOLD), x=_number(box.x + 1), y=_number(box.y + 12), class_="title")


def _tool(tool: Tool, size: int, box: Box) -> Iterator[Html]:
    if min(box.width, box.height) <= 0:
        return
    yield tag(
        "rect",
        tag("title", f"{tool.name}: {size:,} tokens"),
        x=_number(box.x),
        y=_number(box.y),
        width=_number(box.width),
        height=_number(box.height),
        class_=kind(tool),
        data_tool=tool.name,
    )
    if box.height > 16 and box.width > (_SMALLEST + 2) * _LETTER:
        yield tag("text", _fitting(tool.name, box.width - 8), x=_number(box.x + 4), y=_number(box.y + 13))


def _fitting(text: str, width: float, letter: float = _LETTER) -> str:
    """As much of a text as fits."""
    letters = int(width / letter)
    return text if len(text) <= letters else f"{text[: max(letters - 1, 0)]}…"


def _number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
