"""The areas that two lists of boxes cover."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from docie.core.geometry import covered_areas
from docie.documents.boxes import Corners


class Areas(NamedTuple):
    """The areas of predicted boxes, of expected ones, and of both."""

    prediction: float
    reference: float
    overlap: float

    @property
    def iou(self) -> float:
        """Intersection over union; 0.0 if nothing is covered."""
        union = self.prediction + self.reference - self.overlap
        return self.overlap / union if union else 0.0


def areas_of(prediction: Sequence[Corners], reference: Sequence[Corners]) -> Areas:
    """The areas, all boxes being one unit."""
    boxes = np.array([*prediction, *reference], dtype=float).reshape(-1, 4)
    is_expected = np.arange(len(boxes)) >= len(prediction)
    found = covered_areas(boxes, is_expected, np.zeros(len(boxes), int)).tolist()
    return Areas(*found[0]) if found else Areas(0.0, 0.0, 0.0)
