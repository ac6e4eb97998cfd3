"""Whether a confidence is a probability: of all values with a confidence of 0.9, nine in ten should be right."""

from __future__ import annotations

from typing import Any

import numpy as np

from docie.confidence.values import Values
from docie.core.settings import check_whole

BINS = 10
MOST_BINS = 10_000


def calibration(values: Values, *, bins: int = BINS) -> dict[str, Any]:
    """How well confidences say what share of values is right.

    Values without a confidence say nothing, and are left out.

    Source: Guo et al., "On Calibration of Modern Neural Networks" (2017), equation 3, with bins of equal counts (Nguyen
    and O'Connor, 2015); Brier (1950). Bins end at quantiles, as those of scikit-learn's
    `calibration_curve(strategy="quantile")`: equal confidences share a bin, so there may be fewer bins.

    Args:
        values (Values): of `collect`.
        bins (int): the number of bins, from 1 to 10,000.

    Returns:
        dict: `values`, how many have a confidence; `mean_confidence`, and `accuracy`, the share that is right;
        `expected_calibration_error`, the mean distance of these two in a bin, weighted by its values; `brier_score`,
        the mean of (confidence − 1)² of right values and confidence² of wrong ones; `bins`, a list with a dict for each
        bin, lowest first: `lowest` and `highest` confidence, `values`, `mean_confidence`, `accuracy`. Without such
        values, the list is empty and the figures are None.

    Raises:
        ValueError: for another number of bins.

    >>> from docie.confidence import collect
    >>> leaves = [{"value": text, "confidence": 0.75} for text in "1234"]
    >>> result = calibration(collect([{"a": leaves}], [{"a": ["1", "2", "3", "5"]}]))
    >>> result["accuracy"], result["expected_calibration_error"], result["brier_score"]
    (0.75, 0.0, 0.1875)
    """
    check_whole("bins", bins, 1, most=MOST_BINS)
    known = values.has_confidence
    order = np.lexsort((values.right[known], values.confidences[known]))  # so that sums have one order
    confidences, right = values.confidences[known][order], values.right[known][order]
    names = ("mean_confidence", "accuracy", "expected_calibration_error", "brier_score")
    if not len(right):
        return {"values": 0, **dict.fromkeys(names), "bins": []}
    ends = np.percentile(confidences, np.linspace(0, 1, bins + 1) * 100)[1:-1]
    starts = np.unique(np.searchsorted(confidences, ends, side="right"))
    parts = np.split(np.arange(len(right)), starts[(starts > 0) & (starts < len(right))])
    table = [
        {
            "lowest": float(confidences[part[0]]),
            "highest": float(confidences[part[-1]]),
            "values": len(part),
            "mean_confidence": float(confidences[part].mean()),
            "accuracy": float(right[part].mean()),
        }
        for part in parts
    ]
    gap = sum(row["values"] * abs(row["accuracy"] - row["mean_confidence"]) for row in table)
    figures = (confidences.mean(), right.mean(), gap / len(right), np.square(confidences - right).mean())
    return {"values": len(right), **dict(zip(names, map(float, figures), strict=True)), "bins": table}
