"""The geometry of boxes: exact areas of unions, tables of pairs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from box_areas import areas_of
from hypothesis import given
from hypothesis import strategies as st

from docie.core import geometry
from docie.core.geometry import covered_areas, hulls, iou, overlaps
from docie.documents.boxes import Corners

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
    assert areas_of(left, right) == (one.sum(), other.sum(), (one & other).sum())


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
    assert areas_of(*sides) == (one.sum(), other.sum(), (one & other).sum())


def test_areas_do_not_depend_on_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Units and strips that are split at any place, or each in a block of its own."""
    random = np.random.default_rng(0)
    starts = random.integers(0, 60, (200, 2))
    boxes = np.hstack([starts, starts + random.integers(1, 20, (200, 2))]).astype(float)
    is_expected, units = random.random(200) < 0.5, np.sort(random.integers(0, 9, 200))
    expected = [
        areas_of(boxes[(units == unit) & ~is_expected].tolist(), boxes[(units == unit) & is_expected].tolist())
        for unit in range(9)
    ]
    for block in (1, 7, 100, 10**6):
        monkeypatch.setattr(geometry, "_BLOCK", block)
        order = random.permutation(200)
        assert covered_areas(boxes[order], is_expected[order], units[order]).tolist() == [*map(list, expected)]


def test_areas_of_more_strips_than_two_bytes_count() -> None:
    tops = np.arange(40_000.0)[:, None] * 3
    boxes = np.hstack([0 * tops, tops, 0 * tops + 2, tops + 1])
    found = covered_areas(boxes, np.arange(40_000) % 2 == 0, np.arange(40_000) // 20_000)
    assert found.tolist() == [[20_000.0, 20_000.0, 0.0]] * 2


def test_hulls() -> None:
    units, around = hulls(np.array([[2.0, 1, 3, 2], [0, 5, 1, 6], [1, 0, 2, 9]]), np.array([3, 1, 3]))
    assert (units.tolist(), around.tolist()) == ([1, 3], [[0, 5, 1, 6], [1, 0, 3, 9]])
    assert [len(part) for part in hulls(np.empty((0, 4)), np.empty(0, int))] == [0, 0]


def test_areas_of_nothing_and_of_one() -> None:
    one: Corners = (0, 0, 2, 3)
    assert areas_of([], []) == (0, 0, 0)
    assert areas_of([one], []) == (6, 0, 0)
    assert areas_of([], [one]) == (0, 6, 0)
    assert areas_of([one], [one]) == (6, 6, 6)
    assert areas_of([one], [(2, 0, 3, 3)]) == (6, 3, 0)  # they touch
    assert areas_of([one], [(1, 3, 3, 4)]) == (6, 2, 0)
    assert areas_of([one], [(5, 5, 6, 6)]) == (6, 1, 0)  # apart in both directions
    assert areas_of([one, one], []) == (6, 0, 0)
    assert areas_of([], []).iou == 0.0


@given(left=PAGES, right=PAGES, scale=st.sampled_from([1.0, 0.1, 1e-30, 1 / 3]))
@examples(300)
def test_areas_of_any_numbers_keep_their_order(left: Any, right: Any, scale: float) -> None:
    """Rounding makes no overlap larger than a side, and no intersection over union larger than 1."""
    one, other = ([tuple(scale * x + 7 * scale for x in box) for box in page] for page in (left, right))
    found = areas_of(one, other)
    assert found.overlap <= min(found.prediction, found.reference)
    assert found == pytest.approx([scale**2 * area for area in areas_of(left, right)], rel=1e-9)
    assert areas_of(one, one).iou == (1.0 if one else 0.0)
    assert 0.0 <= found.iou <= 1.0


@given(
    left=st.lists(corners(), min_size=1, max_size=6),
    right=st.lists(corners(), min_size=1, max_size=6),
    least=st.sampled_from([0.1, 0.5, 1.0]),
)
@examples(400)
def test_tables_of_pairs(left: Any, right: Any, least: float) -> None:
    expected = [[areas_of([one], [other]).iou for other in right] for one in left]
    every = [iou(np.array([one] * len(right)), np.array(right)).tolist() for one in left]
    assert every == expected
    for shift in (0, 1):  # boxes of another label in the same place are no pairs
        labels = [0] * len(left) + [shift] * len(right)
        assert pairs_with_levels(left, right, labels, [least, 2 * least]) == [
            (i, j, 1 + (value >= 2 * least))
            for i, row in enumerate(expected)
            for j, value in enumerate(row)
            if value >= least and not shift
        ]


def pairs_with_levels(left: Any, right: Any, labels: list[int], thresholds: list[float]) -> list[Any]:
    """What `overlaps` finds: the places of both boxes on their sides, and how many thresholds they reach."""
    boxes = np.array([*left, *right], dtype=float).reshape(-1, 4)
    found = overlaps(boxes, np.arange(len(boxes)) >= len(left), np.array(labels, dtype=int), thresholds)
    assert (np.diff(found.rows) >= 0).all()
    return sorted(zip(found.rows.tolist(), (found.columns - len(left)).tolist(), found.levels.tolist(), strict=True))


def test_pairs_of_many_boxes(monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(0)
    starts = random.integers(0, 300, (700, 2))
    page = np.hstack([starts, starts + random.integers(5, 40, (700, 2))]).astype(float)
    expected = [
        (row, column, 1 + (value >= 0.6))
        for row, box in enumerate(page)
        for column, value in enumerate(iou(np.tile(box, (700, 1)), page[::-1]).tolist())
        if value >= 0.3
    ]
    assert len(expected) > 700
    for block in (1000, 10**6):
        monkeypatch.setattr(geometry, "_BLOCK", block)
        assert pairs_with_levels(page, page[::-1], [0] * 1400, [0.3, 0.6]) == expected
    for left, right in (([], page), (page, []), ([], [])):
        assert pairs_with_levels(left, right, [0] * (len(left) + len(right)), [0.5]) == []
