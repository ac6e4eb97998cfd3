"""Labelled boxes: reading them, and what cannot be read."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from docie.core.errors import DocumentError
from docie.documents.boxes import parse_boxes


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
        boxes = parse_boxes(listed, "prediction")
        assert boxes is not None
        assert (*boxes[:2], boxes.corners.tolist()) == tuple([value] for value in (*expected[:2], [*expected[2]]))


@pytest.mark.parametrize(
    ("item", "problem"),
    [
        ("text", "expected an object with label and box, got text"),
        ([0, 0, 1, 1], "expected an object with label and box, got a list"),
        ({"box": [0, 0, 1, 1]}, "label must be text, got null"),
        ({"label": "", "box": [0, 0, 1, 1]}, "label must be text, got ''"),
        ({"label": 3, "box": [0, 0, 1, 1]}, "label must be text, got 3"),
        ({"label": "a"}, "expected either box or quad, got neither"),
        ({"label": "a", "box": None, "quad": None}, "expected either box or quad, got neither"),
        ({"label": "a", "box": [0, 0, 1, 1], "quad": [0] * 8}, "expected either box or quad, got both"),
        ({"label": "a", "box": [0, 0, 1]}, "box must be four numbers [x0, y0, x1, y1], got [0, 0, 1]"),
        ({"label": "a", "box": "0011"}, "box must be four numbers [x0, y0, x1, y1], got '0011'"),
        ({"label": "a", "box": {"x0": 0}}, "box must be four numbers [x0, y0, x1, y1], got {'x0': 0}"),
        ({"label": "a", "box": [0, 0, True, 1]}, "box must be four numbers [x0, y0, x1, y1], got [0, 0, true, 1]"),
        ({"label": "a", "box": [0, 0, "1", 1]}, "box must be four numbers [x0, y0, x1, y1], got [0, 0, '1', 1]"),
        ({"label": "a", "box": [0, 0, None, 1]}, "box must be four numbers [x0, y0, x1, y1], got [0, 0, null, 1]"),
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
        ({"label": "a", "box": [0, 0, 1, 1], "group": True}, "group must be text or a whole number, got true"),
        ({"label": "a", "box": [0, 0, 1, 1], "group": ["b"]}, "group must be text or a whole number, got ['b']"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_named(item: Any, problem: str) -> None:
    for side in ("prediction", "reference"):
        with pytest.raises(DocumentError) as caught:
            parse_boxes([{"label": "a", "box": [0, 0, 1, 1]}, item], side)
        assert str(caught.value) == f"box 1 of the {side}: {problem}"


def test_what_is_no_list() -> None:
    values: list[tuple[Any, str]] = [(None, "null"), ({}, "an object"), ("text", "text"), (3, "a number")]
    for value, kind in [*values, (np.array(3), "ndarray")]:
        assert parse_boxes(value, "prediction") is None
        with pytest.raises(DocumentError, match=f"^reference must be a list of boxes, got {kind}$"):
            parse_boxes(value, "reference")
