"""The geometry of boxes: exact areas of unions, tables of pairs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from docie.documents.boxes import Corners
from docie.metrics.box_iou.geometry import covered_areas, iou_table, overlaps

from sizes import examples
from strategies import SIDE, corners

PAGES = st.lists(corners(), max_size=7)


def raster(page: list[Corners], side: int = SIDE) -> Any:
    """The page's unit squares that some box covers."""
    squares = np.zeros((side, side), dtype=bool)
    for x0, y0, x1, y1 in page:
        squares[int(y0) : int(y1), int(x0) : int(x1)] = True
    return squares


@given(left=PAGES, right=PAGES)
@examples(600)
def test_areas_are_those_of_the_raster(left: Any, right: Any) -> None:
    one, other = raster(left), raster(right)
    assert covered_areas(left, right) == (one.sum(), other.sum(), (one & other).sum())


@pytest.mark.parametrize("seed", range(4))
def test_areas_of_many_boxes(seed: int) -> None:
    """More edges than one strip has; lines with space between them, and boxes that lie across all of them."""
    random = np.random.default_rng(seed)
    sides = []
    for tall in (0, 300):
        starts = random.integers(0, 560, (400, 2)) * [1, 3 if seed % 2 else 1] % 570
        sizes = random.integers(1, 30, (400, 2))
        sizes[:2, 1] += tall
        sides.append([tuple(row) for row in np.hstack([starts, starts + sizes]).tolist()])
    one, other = (raster(page, 900) for page in sides)
    assert covered_areas(*sides) == (one.sum(), other.sum(), (one & other).sum())


def test_areas_with_blanks_at_the_ends_of_strips() -> None:
    """Strips that end in a blank, between lines or far below them."""
    lines: list[Corners] = [(0, 2 * y, 3, 2 * y + 1) for y in range(64)]
    far: Corners = (1, 1000, 2, 1001)
    for count in (31, 32, 33, 64):
        assert covered_areas([*lines[:count], far], [far]) == (3 * count + 1, 1, 1)


def test_areas_of_nothing_and_of_one() -> None:
    one: Corners = (0, 0, 2, 3)
    assert covered_areas([], []) == (0, 0, 0)
    assert covered_areas([one], []) == (6, 0, 0)
    assert covered_areas([], [one]) == (0, 6, 0)
    assert covered_areas([one], [one]) == (6, 6, 6)
    assert covered_areas([one], [(2, 0, 3, 3)]) == (6, 3, 0)  # they touch
    assert covered_areas([one], [(1, 3, 3, 4)]) == (6, 2, 0)
    assert covered_areas([one], [(5, 5, 6, 6)]) == (6, 1, 0)  # apart in both directions
    assert covered_areas([one, one], []) == (6, 0, 0)
    assert covered_areas([], []).iou == 0.0


@given(left=PAGES, right=PAGES, scale=st.sampled_from([1.0, 0.1, 1e-30, 1 / 3]))
@examples(300)
def test_areas_of_any_numbers_keep_their_order(left: Any, right: Any, scale: float) -> None:
    """Rounding makes no overlap larger than a side, and no intersection over union larger than 1."""
    one, other = ([tuple(scale * x + 7 * scale for x in box) for box in page] for page in (left, right))
    found = covered_areas(one, other)
    assert found.overlap <= min(found.prediction, found.reference)
    assert found == pytest.approx([scale**2 * area for area in covered_areas(left, right)], rel=1e-9)
    assert covered_areas(one, one).iou == (1.0 if one else 0.0)
    assert 0.0 <= found.iou <= 1.0


@given(
    left=st.lists(corners(), min_size=1, max_size=6),
    right=st.lists(corners(), min_size=1, max_size=6),
    least=st.sampled_from([0.1, 0.5, 1.0]),
)
@examples(400)
def test_tables_of_pairs(left: Any, right: Any, least: float) -> None:
    expected = [[covered_areas([one], [other]).iou for other in right] for one in left]
    assert iou_table(np.array(left), np.array(right)).tolist() == expected
    assert sorted(pairs_with_levels(left, right, [least, 2 * least])) == sorted(
        (tuple(left[i]), tuple(right[j]), 1 + (value >= 2 * least))
        for i, row in enumerate(expected)
        for j, value in enumerate(row)
        if value >= least
    )


def pairs_with_levels(left: Any, right: Any, thresholds: list[float]) -> Iterator[tuple[Any, Any, int]]:
    """What `overlaps` finds: both boxes, and how many thresholds they reach."""
    starts, columns, levels = overlaps(left, right, thresholds)
    rows = sorted(left, key=lambda box: box[1])
    numbers = np.repeat(np.arange(len(left)), np.diff(starts)).tolist()
    for row, column, level in zip(numbers, columns.tolist(), levels.tolist(), strict=True):
        yield tuple(rows[row]), tuple(right[column]), level


def test_pairs_of_many_boxes() -> None:
    """More boxes than one table has rows."""
    random = np.random.default_rng(0)
    starts = random.integers(0, 300, (700, 2))
    page = [tuple(row) for row in np.hstack([starts, starts + random.integers(5, 40, (700, 2))]).tolist()]
    found = list(pairs_with_levels(page, page[::-1], [0.3, 0.6]))
    table = iou_table(np.array(page), np.array(page[::-1]))
    assert len(set(found)) == len(found) == (table >= 0.3).sum() > 700
    assert sum(level == 2 for *_, level in found) == (table >= 0.6).sum()
    for left, right in (([], page), (page, []), ([], [])):
        starts, columns, levels = overlaps(left, right, [0.5])
        assert starts.tolist() == [0] * (len(left) + 1)
        assert len(columns) == len(levels) == 0
