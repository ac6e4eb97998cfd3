"""Labelled boxes: reading them, exact areas of unions, tables of pairs."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docie import boxes
from docie.errors import DocumentError

SIDE = 12


def corners(limit: int = SIDE) -> st.SearchStrategy[boxes.Corners]:
    """Boxes of whole numbers on a small page."""
    edge = st.lists(st.integers(0, limit), min_size=2, max_size=2, unique=True).map(sorted)
    return st.tuples(edge, edge).map(lambda pair: (pair[0][0], pair[1][0], pair[0][1], pair[1][1]))


PAGES = st.lists(corners(), max_size=7)


@pytest.mark.parametrize(
    ("item", "expected"),
    [
        ({"label": "a", "box": [0, 1, 2, 3]}, ("a", None, (0, 1, 2, 3))),
        ({"label": "a", "box": (0, 1, 2.5, 3), "group": 7}, ("a", "7", (0, 1, 2.5, 3))),
        ({"label": "a", "box": np.array([0, 1, 2, 3], dtype=np.float32), "group": ""}, ("a", None, (0, 1, 2, 3))),
        ({"label": "a", "box": [np.int64(-4), 1, np.float32(2), 3], "group": "x"}, ("a", "x", (-4, 1, 2, 3))),
        ({"label": "a", "quad": [[0, 1], [4, 0], [5, 2], [1, 3]]}, ("a", None, (0, 0, 5, 3))),
        ({"label": "a", "quad": [5, 2, 1, 3, 0, 1, 4, 0], "box": None}, ("a", None, (0, 0, 5, 3))),  # any order
        ({"label": "a", "quad": np.array([[0, 1], [4, 0], [5, 2], [1, 3]])}, ("a", None, (0, 0, 5, 3))),
        ({"label": "a", "quad": [(0, 1), np.array([4, 0]), [5, 2], [1, 3]]}, ("a", None, (0, 0, 5, 3))),
        ({"label": "a", "box": [0, 1, 2, 3], "group": np.int64(7), "text": {}, "page": 1}, ("a", "7", (0, 1, 2, 3))),
        ({"label": "a", "box": [0, 1, 2, 3], "group": 7.0}, ("a", "7", (0, 1, 2, 3))),  # as pandas writes it
    ],
)
def test_reading(item: Any, expected: Any) -> None:
    for listed in ([item], (item,), np.array([item], dtype=object)):
        assert boxes.read(listed, "prediction") == [expected]


@pytest.mark.parametrize(
    ("item", "problem"),
    [
        ("text", "expected an object with label and box, got str"),
        ([0, 0, 1, 1], "expected an object with label and box, got list"),
        ({"box": [0, 0, 1, 1]}, "label must be text, got None"),
        ({"label": "", "box": [0, 0, 1, 1]}, "label must be text, got ''"),
        ({"label": 3, "box": [0, 0, 1, 1]}, "label must be text, got 3"),
        ({"label": "a"}, "expected either box or quad, got neither"),
        ({"label": "a", "box": None, "quad": None}, "expected either box or quad, got neither"),
        ({"label": "a", "box": [0, 0, 1, 1], "quad": [0] * 8}, "expected either box or quad, got both"),
        ({"label": "a", "box": [0, 0, 1]}, "box must be four numbers [x0, y0, x1, y1], got [0, 0, 1]"),
        ({"label": "a", "box": "0011"}, "box must be four numbers [x0, y0, x1, y1], got '0011'"),
        ({"label": "a", "box": {"x0": 0}}, "box must be four numbers [x0, y0, x1, y1], got {'x0': 0}"),
        ({"label": "a", "box": [0, 0, True, 1]}, "box must be four numbers [x0, y0, x1, y1], got [0, 0, True, 1]"),
        ({"label": "a", "box": [0, 0, "1", 1]}, "box must be four numbers [x0, y0, x1, y1], got [0, 0, '1', 1]"),
        ({"label": "a", "box": [0, 0, None, 1]}, "box must be four numbers [x0, y0, x1, y1], got [0, 0, None, 1]"),
        ({"label": "a", "box": [[0, 0], [1, 1]]}, "box must be four numbers [x0, y0, x1, y1], got [[0, 0], [1, 1]]"),
        ({"label": "a", "box": [1, 0, 1, 1]}, "box must have x0 < x1 and y0 < y1, got [1, 0, 1, 1]"),
        ({"label": "a", "box": [2, 0, 1, 1]}, "box must have x0 < x1 and y0 < y1, got [2, 0, 1, 1]"),
        ({"label": "a", "box": [0, 1, 1, 1]}, "box must have x0 < x1 and y0 < y1, got [0, 1, 1, 1]"),
        ({"label": "a", "box": [1, 1, 0, 0]}, "box must have x0 < x1 and y0 < y1, got [1, 1, 0, 0]"),  # area > 0
        ({"label": "a", "box": [0, 0, 1e-80, 1e-80]}, "its area must be at least 1e-100, got 1e-160"),
        ({"label": "a", "box": [0, 0, 1, math.nan]}, "coordinates must be finite numbers below 1e+100, got nan"),
        ({"label": "a", "box": [-math.inf, 0, 1, 1]}, "coordinates must be finite numbers below 1e+100, got -inf"),
        ({"label": "a", "box": [0, 0, 10**400, 1]}, f"coordinates must be finite numbers below 1e+100, got 1{'0' * 59}…"),
        ({"label": "a", "quad": [0, 0, 1, 1]}, "quad must be four points [x, y] or eight numbers, got [0, 0, 1, 1]"),
        ({"label": "a", "quad": [[0, 0, 1]] * 4}, f"quad must be four points [x, y] or eight numbers, got {[[0, 0, 1]] * 4}"),
        ({"label": "a", "quad": 5}, "quad must be four points [x, y] or eight numbers, got 5"),
        ({"label": "a", "quad": [*range(7), "8"]}, "quad must be four points [x, y] or eight numbers, got [0, 1, 2, 3, 4, 5, 6, '8']"),
        ({"label": "a", "quad": [0, 0, 1, 0, 2, 0, 3, 0]}, "quad must have a width and a height, got [0, 0, 1, 0, 2, 0, 3, 0]"),
        ({"label": "a", "quad": [math.nan] * 8}, "coordinates must be finite numbers below 1e+100, got nan"),
        ({"label": "a", "box": [0, 0, 1, 1], "group": 1.5}, "group must be text or a whole number, got 1.5"),
        ({"label": "a", "box": [0, 0, 1, 1], "group": math.nan}, "group must be text or a whole number, got nan"),
        ({"label": "a", "box": [0, 0, 1, 1], "group": True}, "group must be text or a whole number, got True"),
        ({"label": "a", "box": [0, 0, 1, 1], "group": ["b"]}, "group must be text or a whole number, got ['b']"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_named(item: Any, problem: str) -> None:
    for side in ("prediction", "reference"):
        with pytest.raises(DocumentError) as caught:
            boxes.read([{"label": "a", "box": [0, 0, 1, 1]}, item], side)
        assert str(caught.value) == f"box 1 of the {side}: {problem}"


def test_what_is_no_list() -> None:
    values: list[Any] = [None, {}, "text", 3, np.array(3)]
    for value in values:
        assert boxes.read(value, "prediction") is None
        with pytest.raises(DocumentError, match=f"^reference must be a list of boxes, got {type(value).__name__}$"):
            boxes.read(value, "reference")


def raster(page: list[boxes.Corners], side: int = SIDE) -> Any:
    """The page's unit squares that some box covers."""
    squares = np.zeros((side, side), dtype=bool)
    for x0, y0, x1, y1 in page:
        squares[int(y0) : int(y1), int(x0) : int(x1)] = True
    return squares


@given(left=PAGES, right=PAGES)
@settings(max_examples=600, deadline=None)
def test_areas_are_those_of_the_raster(left: Any, right: Any) -> None:
    one, other = raster(left), raster(right)
    assert boxes.areas(left, right) == (one.sum(), other.sum(), (one & other).sum())


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
    assert boxes.areas(*sides) == (one.sum(), other.sum(), (one & other).sum())


def test_areas_with_blanks_at_the_ends_of_strips() -> None:
    """Strips that end in a blank, between lines or far below them."""
    lines: list[boxes.Corners] = [(0, 2 * y, 3, 2 * y + 1) for y in range(64)]
    far: boxes.Corners = (1, 1000, 2, 1001)
    for count in (31, 32, 33, 64):
        assert boxes.areas([*lines[:count], far], [far]) == (3 * count + 1, 1, 1)


def test_areas_of_nothing_and_of_one() -> None:
    one: boxes.Corners = (0, 0, 2, 3)
    assert boxes.areas([], []) == (0, 0, 0)
    assert boxes.areas([one], []) == (6, 0, 0)
    assert boxes.areas([], [one]) == (0, 6, 0)
    assert boxes.areas([one], [one]) == (6, 6, 6)
    assert boxes.areas([one], [(2, 0, 3, 3)]) == (6, 3, 0)  # they touch
    assert boxes.areas([one], [(1, 3, 3, 4)]) == (6, 2, 0)
    assert boxes.areas([one], [(5, 5, 6, 6)]) == (6, 1, 0)  # apart in both directions
    assert boxes.areas([one, one], []) == (6, 0, 0)
    assert boxes.iou(boxes.areas([], [])) == 0.0


@given(left=PAGES, right=PAGES, scale=st.sampled_from([1.0, 0.1, 1e-30, 1 / 3]))
@settings(max_examples=300, deadline=None)
def test_areas_of_any_numbers_keep_their_order(left: Any, right: Any, scale: float) -> None:
    """Rounding makes no overlap larger than a side, and no intersection over union larger than 1."""
    one, other = ([tuple(scale * x + 7 * scale for x in box) for box in page] for page in (left, right))
    found = boxes.areas(one, other)
    assert found.overlap <= min(found.left, found.right)
    assert found == pytest.approx([scale**2 * area for area in boxes.areas(left, right)], rel=1e-9)
    assert boxes.iou(boxes.areas(one, one)) == (1.0 if one else 0.0)
    assert 0.0 <= boxes.iou(found) <= 1.0


@given(
    left=st.lists(corners(), min_size=1, max_size=6),
    right=st.lists(corners(), min_size=1, max_size=6),
    least=st.sampled_from([0.1, 0.5, 1.0]),
)
@settings(max_examples=400, deadline=None)
def test_tables_of_pairs(left: Any, right: Any, least: float) -> None:
    expected = [[boxes.iou(boxes.areas([one], [other])) for other in right] for one in left]
    assert boxes.ious(np.array(left), np.array(right)).tolist() == expected
    rows, columns, values = boxes.overlapping(left, right, least)
    found = set(zip(rows.tolist(), columns.tolist(), values.tolist(), strict=True))
    assert found == {
        (i, j, value) for i, row in enumerate(expected) for j, value in enumerate(row) if value >= least
    }  # fmt: skip
    assert len(found) == len(rows)


def test_pairs_of_many_boxes() -> None:
    """More boxes than one table has rows."""
    random = np.random.default_rng(0)
    starts = random.integers(0, 300, (700, 2))
    page = [tuple(row) for row in np.hstack([starts, starts + random.integers(5, 40, (700, 2))]).tolist()]
    rows, columns, values = boxes.overlapping(page, page[::-1], 0.3)
    table = boxes.ious(np.array(page), np.array(page[::-1]))
    assert len(rows) == (table >= 0.3).sum() > 700
    assert values.tolist() == table[rows, columns].tolist()
    assert len(set(zip(rows.tolist(), columns.tolist(), strict=True))) == len(rows)
    for left, right in (([], page), (page, []), ([], [])):
        assert [len(part) for part in boxes.overlapping(left, right, 0.5)] == [0, 0, 0]
