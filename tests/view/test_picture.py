"""The picture: areas that are what they stand for."""

from __future__ import annotations

import itertools
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolcast.view.page.picture import Box, picture, squarified

from .conftest import Look

SIZES = st.lists(st.integers(1, 10_000), min_size=1, max_size=40).map(lambda sizes: sorted(sizes, reverse=True))


@given(SIZES, st.integers(50, 2_000), st.integers(50, 2_000))
def test_areas_are_sizes_side_by_side(sizes: list[int], width: int, height: int) -> None:
    boxes = squarified([float(size) for size in sizes], Box(0, 0, width, height))
    assert len(boxes) == len(sizes)
    for size, box in zip(sizes, boxes, strict=True):
        assert box.width * box.height == pytest.approx(size / sum(sizes) * width * height)
        assert box.x >= -1e-6 and box.x + box.width <= width + 1e-6
        assert box.y >= -1e-6 and box.y + box.height <= height + 1e-6
    for one, other in itertools.combinations(boxes, 2):
        over = min(one.x + one.width, other.x + other.width) - max(one.x, other.x)
        under = min(one.y + one.height, other.y + other.height) - max(one.y, other.y)
        assert min(over, under) <= 1e-6


def test_boxes_are_nearly_square() -> None:
    boxes = squarified([6, 6, 4, 3, 2, 2, 1], Box(0, 0, 600, 400))  # the example of the paper
    assert max(max(b.width / b.height, b.height / b.width) for b in boxes) < 3


def test_every_tool_is_in_the_picture(look: Look) -> None:
    survey = look({f"/s{n}": {"get": {"operationId": f"get{n}", "tags": [f"t{n % 3}"]}} for n in range(40)})
    drawn = picture(survey, 800, 300)
    assert len(set(re.findall(r'data-tool="(\w+)"', drawn))) == 40
    assert "The largest groups: " in drawn
    assert picture(survey, 800, 300) == drawn
